"""The actions for the maps that are chosen in the gallery: as buttons, in a menu, and as keys.

``GalleryActions`` knows with how many maps each action can be done. It does nothing itself: the
gallery connects its signals.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton

from app.appearance.icons import icon
from app.commands.commands import WHY, set_tool_tip
from app.features.gallery.model import GalleryModel
from app.features.gallery.view import GalleryKey, GalleryView
from app.qt_guard import connect
from app.widgets.layout.builders import described

NO_MAP = "This map could not be made: Take rolls it again and lists why."
"""The reason why an action cannot be done with a candidate whose roll failed."""


class Need(NamedTuple):
    """The condition under which an action can be done with the chosen candidates."""

    max_maps: int | None
    """The largest number of candidates; None for any number."""

    advice: str
    """Tells a user who chose none, or too many, how many to choose."""

    whole_maps: bool = False
    """True if it cannot be done with a candidate whose roll failed."""


# The conditions by the number of maps. "Whole" maps are those that could be rolled.
ONE = Need(1, "Choose one map.")
ONE_WHOLE = Need(1, "Choose one map.", whole_maps=True)
ONE_OR_TWO_WHOLE = Need(2, "Choose one or two maps.", whole_maps=True)
SOME = Need(None, "Choose a map.")
SOME_WHOLE = Need(None, "Choose a map.", whole_maps=True)


class GalleryActions(QObject):
    """The actions for the maps chosen in a view."""

    take_requested = Signal(object)
    """This ``Candidate`` should become the rolled layer of the map."""

    open_requested = Signal(object)
    """This ``Candidate`` should be opened as a map of its own."""

    recipe_requested = Signal(object)
    """The recipe of this ``Candidate`` should be copied."""

    compare_requested = Signal(object)
    """The maps of this list of ``Candidate`` should be compared: one with the current map, or two.
    """

    pin_requested = Signal(object)
    """The maps of this list of ``Candidate`` should be pinned, or be pinned no longer."""

    menu_made = Signal(object)
    """This ``QMenu`` is about to be shown: features may add to it."""

    def __init__(self, view: GalleryView, model: GalleryModel) -> None:
        super().__init__(view)
        self._view = view
        self.take = self._action("&Take", "Show this map as the rolled layer (Enter)")
        self.open = self._action("&Open in a new tab", "This map in a tab of its own")
        self.pin = self._action("&Pin", "Keep these maps whatever else is shown, or unpin them (P)")
        self.compare = self._action("&Compare", "One map with the map on the desk, or two maps")
        self.copy = self._action("Copy &name", "Script, seed and number, to find it again (Ctrl+C)")
        self.recipe = self._action("Copy as &recipe", "As one line of text, for others to paste")
        self._needs = {
            self.take: ONE,
            self.open: ONE_WHOLE,
            self.pin: SOME_WHOLE,
            self.compare: ONE_OR_TWO_WHOLE,
            self.copy: SOME,
            self.recipe: ONE,
        }
        """The conditions of the actions, in the order of the menu."""
        connect(self.take.triggered, lambda: self._emit_chosen_map(self.take_requested))
        connect(self.open.triggered, lambda: self._emit_chosen_map(self.open_requested))
        connect(self.recipe.triggered, lambda: self._emit_chosen_map(self.recipe_requested))
        connect(self.pin.triggered, lambda: self.pin_requested.emit(view.chosen()))
        connect(self.compare.triggered, lambda: self.compare_requested.emit(view.chosen()))
        connect(self.copy.triggered, self._copy_names)
        self._actions_of_keys = {
            GalleryKey.TAKE: self.take,
            GalleryKey.PIN: self.pin,
            GalleryKey.COPY: self.copy,
        }
        connect(view.key_pressed, self._on_key)
        connect(view.doubleClicked, self.take.trigger)
        connect(view.customContextMenuRequested, self._show_menu)
        connect(view.selectionModel().selectionChanged, self.enable)
        connect(model.modelReset, self.enable)
        self.draw_icons()
        self.enable()

    def _action(self, text: str, tip: str) -> QAction:
        """Return a new action; ``tip`` is shown in the status bar and as its tool tip."""
        action = QAction(text, self)
        action.setStatusTip(tip)
        return action

    def draw_icons(self) -> None:
        """Draw the icons in the colour of the present palette."""
        for action, name in ((self.pin, "pin"), (self.compare, "compare"), (self.take, "roll")):
            action.setIcon(icon(name))

    def buttons(self) -> list[QToolButton]:
        """Return new tool buttons for the actions that the panel shows."""
        buttons = []
        for action in (self.pin, self.compare, self.take):
            button = described(QToolButton(), action.text().replace("&", ""))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            if action is self.take:  # only the main one has its name beside its icon
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            buttons.append(button)
        return buttons

    def enable(self) -> None:
        """Enable each action if it can be done with the chosen maps; else note why it cannot."""
        chosen = self._view.chosen()
        has_failed_map = any(candidate.problems for candidate in chosen)
        for action, need in self._needs.items():
            why_not = ""
            are_too_many = need.max_maps is not None and len(chosen) > need.max_maps
            if not chosen or are_too_many:
                why_not = need.advice
            elif has_failed_map and need.whole_maps:
                why_not = NO_MAP
            action.setProperty(WHY, why_not)
            action.setEnabled(not why_not)
            set_tool_tip(action)

    def _emit_chosen_map(self, signal: SignalInstance) -> None:
        """Emit a signal with the chosen map; its action is enabled only if one map is chosen."""
        chosen = self._view.chosen()
        if len(chosen) == 1:
            signal.emit(chosen[0])

    def _copy_names(self) -> None:
        """Copy the names of the chosen maps, each in a line."""
        names = [candidate.name for candidate in self._view.chosen()]
        QGuiApplication.clipboard().setText("\n".join(names))

    def _on_key(self, key: GalleryKey) -> None:
        """Trigger the action of a key of the view."""
        self._actions_of_keys[key].trigger()

    def _show_menu(self, point: QPoint) -> None:
        """Show all actions as a menu at a point of the view."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(list(self._needs))
        self.menu_made.emit(menu)
        menu.popup(self._view.viewport().mapToGlobal(point))
