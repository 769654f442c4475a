"""The actions of the Randomize panel, for its buttons and for menus."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.appearance.icons import icon


class RandomizeActions(QObject):
    """Open, save, insert and follow; the panel connects them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._icons: dict[QAction, str] = {}
        make = self._action
        self.open = make("open", "&Open script...", "Open a script file")
        self.save = make("save", "&Save script", "Save the script's text")
        self.save_as = make(
            "save-as", "Save script &as...", "Save the script's text in another file"
        )
        self.insert = make(
            "select",
            "Insert the selected &hexes",
            "Write the hexes selected on the map into the script, as the shortest list",
            "Ctrl+Shift+I",
            name="insert",
        )
        self.follow = make(
            "eye",
            "&Follow the file",
            "When another program saves the script, read it and roll its layer again, same map",
            name="follow",
        )
        self.follow.setCheckable(True)

    def _action(self, picture: str, text: str, tip: str, keys: str = "", name: str = "") -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"script.{name or picture}")
        action.setStatusTip(tip)
        action.setShortcut(QKeySequence(keys))
        self._icons[action] = picture
        return action

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        for action, picture in self._icons.items():
            action.setIcon(icon(picture))
