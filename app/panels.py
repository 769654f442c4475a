"""The panels around the map: where they stand at first, and how they are remembered."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.settings import Settings

WINDOW = QSize(1280, 860)
"""The window at its first start, where the screen has the room."""

FRAME = QSize(8, 40)
"""What the system's frame around the window may take."""

LEAST_WIDTH = 220
"""The narrowest panel at the left or right."""


def make_docks(window: QMainWindow) -> dict[str, QDockWidget]:
    """The empty panels by name, standing as at the first start."""
    left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
    bottom = Qt.DockWidgetArea.BottomDockWidgetArea
    docks: dict[str, QDockWidget] = {}
    for name, title, area in (
        ("palette", "Palette", left),
        ("overview", "Overview", left),
        ("randomize", "Randomize from file", right),
        ("layers", "Layers", right),
        ("history", "History", right),
        ("properties", "Map", right),
        ("problems", "Problems", bottom),
        ("odds", "Odds", right),
        ("fairness", "Fairness", right),
        ("dice", "Dice", right),
        ("gallery", "Gallery", bottom),
    ):
        dock = QDockWidget(title, window)
        dock.setObjectName(name)
        holder = QWidget()
        if area != bottom:
            holder.setMinimumWidth(LEAST_WIDTH)
        dock.setWidget(holder)
        window.addDockWidget(area, dock)
        docks[name] = dock
    window.tabifyDockWidget(docks["layers"], docks["history"])
    window.tabifyDockWidget(docks["history"], docks["properties"])
    for name in ("odds", "fairness"):
        window.tabifyDockWidget(docks["properties"], docks[name])
    docks["layers"].raise_()
    window.tabifyDockWidget(docks["problems"], docks["gallery"])
    window.tabifyDockWidget(docks["randomize"], docks["dice"])
    for name in ("odds", "fairness", "gallery", "dice"):
        docks[name].hide()  # until they are asked for
    docks["overview"].hide()  # a large map brings it
    window.setCorner(Qt.Corner.BottomLeftCorner, left)
    window.setCorner(Qt.Corner.BottomRightCorner, right)
    return docks


def arrange(window: QMainWindow, docks: dict[str, QDockWidget], settings: Settings) -> None:
    """Size and panels as they were left, or as the screen suggests."""
    room = window.screen().availableSize() - FRAME
    window.resize(WINDOW.boundedTo(room))
    window.resizeDocks([docks["problems"]], [60], Qt.Orientation.Vertical)
    side = 300 if window.width() < WINDOW.width() else 360
    window.resizeDocks(
        [docks["palette"], docks["randomize"]], [LEAST_WIDTH, side], Qt.Orientation.Horizontal
    )
    window.resizeDocks([docks["randomize"], docks["layers"]], [420, 360], Qt.Orientation.Vertical)
    geometry = settings.bytes("geometry")
    if not geometry.isEmpty():
        window.restoreGeometry(geometry)
    restore_places(window, settings)


def restore_places(window: QMainWindow, settings: Settings) -> None:
    """Put panels and tool bars, as far as they are made, where they were left."""
    state = settings.bytes("state")
    if not state.isEmpty():
        window.restoreState(state)


def remember(window: QMainWindow, settings: Settings) -> None:
    """Keep size and panels for the next start."""
    settings.set_bytes("geometry", window.saveGeometry())
    settings.set_bytes("state", QByteArray(window.saveState()))
