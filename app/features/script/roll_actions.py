"""The actions that roll a map: for the buttons of the script panel, and for menus.

``ScriptPanel`` has a ``RollActions``; ``Rolling`` does what they say.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.appearance.icons import icon
from app.commands.commands import WHY
from app.qt_guard import connect
from app.rolling.rolling import Rolling

_REPLACES_ROLL = (
    "Roll another map, in place of the roll that the map shows; what you painted is kept"
)
"""The tip of Roll on a map with a roll that is seen."""

_ROLLS_LAYER = (
    "Roll a map as a new layer above the active one; what lies below is kept, and hidden where the "
    "roll sets something"
)
"""The tip of Roll on a map that shows no roll: painted by hand, or read from a file without one."""


class RollActions(QObject):
    """Actions that roll in three ways, and step back and forward.

    The property ``WHY`` of an action tells why it is disabled. The panel has the icons drawn
    (``draw_icons``) when it is made, and for each theme.
    """

    def __init__(self, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._rolling = rolling
        self._icons: dict[QAction, str] = {}
        """The name of the icon of each action."""
        self.roll = self._action(
            "roll",
            "&Roll",
            rolling.roll,
            tip=_REPLACES_ROLL,
            keys="Ctrl+R",
            icon_name="roll",
        )
        self.again = self._action(
            "again",
            "Roll the &same map",
            rolling.roll_again,
            tip="The same seed and number, with the text and the settings as they are now",
            keys="Ctrl+Enter; Ctrl+Return",
            icon_name="reroll",
        )
        self.new_layer = self._action(
            "new-layer",
            "Roll onto a new &layer",
            rolling.roll_onto_new_layer,
            tip="Roll another map above the active layer; what you painted is kept above it",
            keys="Ctrl+Shift+R",
            icon_name="layers",
        )
        self.previous = self._action(
            "previous",
            "&Previous roll",
            rolling.step_back,
            tip="Go back to the roll before this one, or to the map number before",
            keys="Alt+Left",
            icon_name="previous",
        )
        self.next = self._action(
            "next",
            "&Next roll",
            rolling.step_forward,
            tip="Go on to the roll after this one, or to the next map number",
            keys="Alt+Right",
            icon_name="next",
        )
        connect(rolling.enabled_changed, self._enable)
        self._enable()

    def _action(
        self,
        name: str,
        text: str,
        call: Callable[[], object],
        *,
        tip: str,
        keys: str,
        icon_name: str,
    ) -> QAction:
        """Return a new action that calls ``call``; ``keys`` are its shortcuts, separated by "; ".

        Its object name is ``script.<name>``.
        """
        action = QAction(text, self)
        action.setObjectName(f"script.{name}")
        action.setStatusTip(tip)
        action.setShortcuts(QKeySequence.listFromString(keys))
        connect(action.triggered, lambda _checked=False: call())
        self._icons[action] = icon_name
        return action

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        for action, icon_name in self._icons.items():
            action.setIcon(icon(icon_name))

    def _enable(self) -> None:
        """Enable the actions that can be used now, and note why the others cannot."""
        rolling = self._rolling
        if rolling.target() is None:
            self.roll.setStatusTip(_ROLLS_LAYER)
        else:
            self.roll.setStatusTip(_REPLACES_ROLL)
        why_not_begun = rolling.next_roll.why_not_begun()
        why_not_new_layer = why_not_begun
        if not why_not_new_layer:
            why_not_new_layer = rolling.next_roll.why_not_new_layer()
        # During a slow roll no action is enabled. But while a script is being loaded all are
        # enabled, also if the roll is slow: a press is remembered until the script is there.
        accepts_presses = rolling.loading or not rolling.slow
        for action, why_not in (
            (self.roll, why_not_begun),
            (self.again, rolling.next_roll.why_not()),
            (self.new_layer, why_not_new_layer),
            (self.previous, rolling.steps.why_not_back()),
            (self.next, rolling.steps.why_not_forward()),
        ):
            action.setProperty(WHY, why_not)
            action.setEnabled(not why_not and accepts_presses)
