"""What can be done with the maps chosen in the gallery: buttons, menu and keys."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton

from app.appearance.icons import icon
from app.commands.commands import WHY, set_tool_tip
from app.features.gallery.model import GalleryModel
from app.features.gallery.view import GalleryView
from app.qt_guard import connect
from app.widgets.layout.builders import described

NO_MAP = "This map could not be made: Take rolls it again and lists why."


class GalleryActions(QObject):
    """The actions for the maps chosen in a view.

    ``taken(Candidate)``, ``opened(Candidate)``, ``recipe_wanted(Candidate)``, ``compared(list)``,
    ``pin_wanted(list)``: what is to be done with them. ``menu_made(QMenu)``: more may be
    added to their menu.
    """

    taken = Signal(object)
    opened = Signal(object)
    recipe_wanted = Signal(object)
    compared = Signal(object)
    pin_wanted = Signal(object)
    menu_made = Signal(object)

    def __init__(self, view: GalleryView, model: GalleryModel) -> None:
        super().__init__(view)
        self._view = view
        self.take = self._action("&Take", "Show this map as the rolled layer (Enter)")
        self.open = self._action("&Open in a new tab", "This map in a tab of its own")
        self.pin = self._action("&Pin", "Keep these maps whatever else is shown, or let go (P)")
        self.compare = self._action("&Compare", "One map with the map on the desk, or two maps")
        self.copy = self._action("Copy &name", "Script, seed and number, to find it again (Ctrl+C)")
        self.recipe = self._action("Copy as &recipe", "As one line of text, for others to paste")
        connect(self.take.triggered, lambda: self._one(self.taken))
        connect(self.open.triggered, lambda: self._one(self.opened))
        connect(self.recipe.triggered, lambda: self._one(self.recipe_wanted))
        connect(self.pin.triggered, lambda: self.pin_wanted.emit(view.chosen()))
        connect(self.compare.triggered, lambda: self.compared.emit(view.chosen()))
        connect(self.copy.triggered, self._copy)
        self._keys = {"take": self.take, "pin": self.pin, "copy": self.copy}
        connect(view.key_pressed, self._on_key)
        connect(view.doubleClicked, self.take.trigger)
        connect(view.customContextMenuRequested, self._show_menu)
        connect(view.selectionModel().selectionChanged, self.enable)
        connect(model.modelReset, self.enable)
        self.draw_icons()
        self.enable()

    def _action(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setStatusTip(tip)
        return action

    def draw_icons(self) -> None:
        """Draw the icons in the colour of the present palette."""
        for action, name in ((self.pin, "pin"), (self.compare, "compare"), (self.take, "roll")):
            action.setIcon(icon(name))

    def buttons(self) -> list[QToolButton]:
        """Tool buttons of the actions that the panel shows."""
        result = []
        for action in (self.pin, self.compare, self.take):
            button = described(QToolButton(), action.text().replace("&", ""))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            result.append(button)
        result[-1].setToolButtonStyle(button.toolButtonStyle().ToolButtonTextBesideIcon)
        return result

    def enable(self) -> None:
        """Enable each action if it can be done with as many maps as are chosen."""
        chosen = self._view.chosen()
        failed = any(candidate.problems for candidate in chosen)
        for action, most, why in (
            (self.take, 1, "Choose one map."),
            (self.open, 1, "Choose one map."),
            (self.recipe, 1, "Choose one map."),
            (self.pin, 1_000, "Choose a map."),
            (self.compare, 2, "Choose one or two maps."),
            (self.copy, 1_000, "Choose a map."),
        ):
            needs_map = action in (self.open, self.pin, self.compare)
            action.setProperty(WHY, NO_MAP if failed and needs_map else why)
            action.setEnabled(0 < len(chosen) <= most and not (failed and needs_map))
            set_tool_tip(action)

    def _one(self, signal: SignalInstance) -> None:
        chosen = self._view.chosen()
        if len(chosen) == 1:
            signal.emit(chosen[0])

    def _copy(self) -> None:
        names = [candidate.name for candidate in self._view.chosen()]
        QGuiApplication.clipboard().setText("\n".join(names))

    def _on_key(self, action_name: str) -> None:
        self._keys[action_name].trigger()

    def _show_menu(self, point: QPoint) -> None:
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions = [self.take, self.open, self.pin, self.compare, self.copy, self.recipe]
        menu.addActions(actions)
        self.menu_made.emit(menu)
        menu.popup(self._view.viewport().mapToGlobal(point))
