"""The dock of a panel, and what stands in it until the panel is made."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QMainWindow, QWidget

from app.appearance.icons import icon
from app.qt_guard import connect, guarded

HEIGHT = 600
"""The height that a panel at a side asks for, in logical pixels.

Docks above each other share the height of the window in the ratio of what they ask for.
"""

BUTTON_ICONS = {"qt_dockwidget_floatbutton": "float", "qt_dockwidget_closebutton": "close"}
"""Our icons of the buttons in the title of a dock, by the names that Qt gives these."""


class PanelDock(QDockWidget):
    """A dock with our icons in its title: those of Qt's style are dark in a dark theme, too."""

    def __init__(self, title: str, frame: QMainWindow) -> None:
        super().__init__(title, frame)
        # Qt sets its own icons whenever a dock is taken out of the window or put back.
        connect(self.topLevelChanged, lambda _floating: self._draw_buttons())

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Draw the buttons now: most docks are closed at the start, and are not drawn for it."""
        super().showEvent(event)
        self._draw_buttons()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._draw_buttons()

    def _draw_buttons(self) -> None:
        for button_name, icon_name in BUTTON_ICONS.items():
            button = self.findChild(QAbstractButton, button_name)
            assert button is not None, "each dock has it"
            button.setIcon(icon(icon_name))


class StandIn(QWidget):
    """A stand-in for a panel that is not made yet; it gives the dock the height of the panel."""

    def __init__(self, min_width: int) -> None:
        super().__init__()
        self.setMinimumWidth(min_width)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), HEIGHT)
