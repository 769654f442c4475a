"""What can be done with the maps chosen in the gallery: buttons, menu and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton

from app.appearance.icons import icon
from app.commands.commands import WHY, teach
from app.widgets.builders import described

if TYPE_CHECKING:
    from app.features.gallery.panel import GalleryPanel


class GalleryActions(QObject):
    """Takes, opens, pins, compares and names what is chosen in a panel's view."""

    def __init__(self, panel: GalleryPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self.take = self._action("&Take", "Show this map as the rolled layer (Enter)")
        self.open = self._action("&Open in a new tab", "This map in a tab of its own")
        self.pin = self._action("&Pin", "Keep these maps whatever else is shown, or let go (P)")
        self.compare = self._action("&Compare", "One map with the map on the desk, or two maps")
        self.copy = self._action("Copy &name", "Script, seed and number, to find it again (Ctrl+C)")
        self.take.triggered.connect(lambda: self._one(panel.taken))
        self.open.triggered.connect(lambda: self._one(panel.opened))
        self.pin.triggered.connect(lambda: panel.pin(panel.view.chosen()))
        self.compare.triggered.connect(lambda: panel.compared.emit(panel.view.chosen()))
        self.copy.triggered.connect(self._copy)
        self._keys = {"take": self.take, "pin": self.pin, "copy": self.copy}
        view = panel.view
        view.key_pressed.connect(self._on_key)
        view.doubleClicked.connect(lambda _index: self.take.trigger())
        view.customContextMenuRequested.connect(self._show_menu)
        view.selectionModel().selectionChanged.connect(lambda *_: self.enable())
        panel.model.modelReset.connect(self.enable)
        self.draw_icons()
        self.enable()

    def _action(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setStatusTip(tip)
        return action

    def draw_icons(self) -> None:
        """Icons in the colour of the present palette."""
        for action, name in ((self.pin, "pin"), (self.compare, "compare"), (self.take, "roll")):
            action.setIcon(icon(name))

    def buttons(self) -> list[QToolButton]:
        """Buttons for the panel."""
        made = []
        for action in (self.pin, self.compare, self.take):
            button = described(QToolButton(), action.text().replace("&", ""))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            made.append(button)
        made[-1].setToolButtonStyle(button.toolButtonStyle().ToolButtonTextBesideIcon)
        return made

    def enable(self) -> None:
        """What can be done depends on how many maps are chosen."""
        count = len(self._panel.view.chosen())
        for action, most, why in (
            (self.take, 1, "Choose one map."),
            (self.open, 1, "Choose one map."),
            (self.pin, 1_000, "Choose a map."),
            (self.compare, 2, "Choose one or two maps."),
            (self.copy, 1_000, "Choose a map."),
        ):
            action.setProperty(WHY, why)
            action.setEnabled(0 < count <= most)
            teach(action)

    def _one(self, signal) -> None:  # type: ignore[no-untyped-def]
        chosen = self._panel.view.chosen()
        if len(chosen) == 1:
            signal.emit(chosen[0])

    def _copy(self) -> None:
        names = [each.name for each in self._panel.view.chosen()]
        QGuiApplication.clipboard().setText("\n".join(names))

    def _on_key(self, what: str) -> None:
        self._keys[what].trigger()

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self._panel)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.take, self.open, self.pin, self.compare, self.copy])
        menu.popup(self._panel.view.viewport().mapToGlobal(place))
