"""The actions that roll: for the buttons of the script panel and for menus."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.appearance.icons import icon
from app.commands.commands import WHY
from app.qt_guard import connect
from app.rolling.rolling import Rolling


class RollActions(QObject):
    """Roll, re-roll, step back and forward; each says in ``WHY`` why it is disabled."""

    def __init__(self, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._rolling = rolling
        self._icons: dict[QAction, str] = {}
        make = self._action
        self.roll = make(
            "roll",
            "&Roll",
            "Roll the script into a new layer above the active one; a whole map replaces the last",
            "Ctrl+Shift+R",
        )
        self.reroll = make(
            "reroll",
            "Re-ro&ll",
            "Roll the layer again: the next map of its seed; what you painted on it is kept",
            "Ctrl+R",
        )
        self.previous = make(
            "previous", "&Previous roll", "Go back to the roll before this one", "Alt+Left"
        )
        self.next = make("next", "&Next roll", "Go on to the roll after this one", "Alt+Right")
        for action, do in (
            (self.roll, rolling.roll),
            (self.reroll, rolling.reroll),
            (self.previous, rolling.step_back),
            (self.next, rolling.step_forward),
        ):
            connect(action.triggered, lambda _checked=False, do=do: do())
        connect(rolling.enabled_changed, self._enable)
        self._enable()

    def _action(self, name: str, text: str, tip: str, keys: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"script.{name}")
        action.setStatusTip(tip)
        action.setShortcut(QKeySequence(keys))
        self._icons[action] = name
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
            (self.reroll, why_not),
            (self.previous, rolling.why_not_back()),
            (self.next, rolling.why_not_forward()),
        ):
            action.setProperty(WHY, why)
            action.setEnabled(not why and (rolling.loading or not rolling.slow))
