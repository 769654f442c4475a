"""The actions that roll: for the buttons of the script panel and for menus."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.appearance.icons import icon
from app.commands.commands import WHY
from app.qt_guard import connect
from app.rolling.rolling import Rolling


class RollActions(QObject):
    """Roll in its three ways, step back and forward; each says in ``WHY`` why it is disabled."""

    def __init__(self, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._rolling = rolling
        self._icons: dict[QAction, str] = {}
        make = self._action
        self.roll = make(
            "roll",
            "&Roll",
            "Roll another map, in place of the roll that the map shows; what you painted is kept",
            "Ctrl+R",
            "roll",
        )
        self.again = make(
            "again",
            "Roll the &same map",
            "The same seed and number, with the text and the settings as they are now",
            "Ctrl+Enter; Ctrl+Return",
            "reroll",
        )
        self.new_layer = make(
            "new-layer",
            "Roll onto a new &layer",
            "Roll another map above the active layer; what you painted is kept above it",
            "Ctrl+Shift+R",
            "layers",
        )
        self.previous = make(
            "previous",
            "&Previous roll",
            "Go back to the roll before this one, or to the map number before",
            "Alt+Left",
            "previous",
        )
        self.next = make(
            "next",
            "&Next roll",
            "Go on to the roll after this one, or to the next map number",
            "Alt+Right",
            "next",
        )
        for action, do in (
            (self.roll, rolling.roll),
            (self.again, rolling.roll_again),
            (self.new_layer, rolling.roll_onto_new_layer),
            (self.previous, rolling.step_back),
            (self.next, rolling.step_forward),
        ):
            connect(action.triggered, lambda _checked=False, do=do: do())
        connect(rolling.enabled_changed, self._enable)
        self._enable()

    def _action(self, name: str, text: str, tip: str, keys: str, picture: str) -> QAction:
        """Return a new action; ``keys`` are its shortcuts, separated by "; "."""
        action = QAction(text, self)
        action.setObjectName(f"script.{name}")
        action.setStatusTip(tip)
        action.setShortcuts(QKeySequence.listFromString(keys))
        self._icons[action] = picture
        return action

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        for action, picture in self._icons.items():
            action.setIcon(icon(picture))

    def _enable(self) -> None:
        rolling = self._rolling
        why_not = rolling.why_not_begun()
        for action, why in (
            (self.roll, why_not),
            (self.again, rolling.why_not()),
            (self.new_layer, why_not or rolling.why_not_new_layer()),
            (self.previous, rolling.why_not_back()),
            (self.next, rolling.why_not_forward()),
        ):
            action.setProperty(WHY, why)
            action.setEnabled(not why and (rolling.loading or not rolling.slow))
