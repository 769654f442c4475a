"""The actions that throw a table, and step to the tables before and after it.

actions = new_throw_actions()                       # the panel has buttons for them
ThrowActionController(actions, panel, rolling, throwing)    # now they do something
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.commands.commands import WHY
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.systems.cordery.dice_panel import DicePanel
from app.systems.cordery.throwing import ENTERING, Throwing
from app.widgets.layout.builders import plain_text

THROW = "Throw the dice for a new table; it replaces the one thrown before"
"""The tip of the action that throws a table."""


class ThrowActions(NamedTuple):
    """The three actions of the dice panel."""

    throw: QAction
    """Throws the dice for a new table."""

    back: QAction
    """Shows the table before this one."""

    forth: QAction
    """Shows the table after this one."""


def new_throw_actions() -> ThrowActions:
    """Return the actions, which do nothing yet."""
    return ThrowActions(
        _action("&Throw", THROW),
        _action("&Back", "The table before this one"),
        _action("&Forth", "The table after this one"),
    )


def _action(text: str, tip: str) -> QAction:
    """Return an action with the same tip beside it and in the status line."""
    action = QAction(text)
    action.setStatusTip(tip)
    action.setToolTip(plain_text(tip))
    return action


class ThrowActionController(QObject):
    """Lets the actions roll, and disables them whenever nothing can be rolled.

    It lives as long as the panel, and so do the actions from now on.
    """

    def __init__(
        self, actions: ThrowActions, panel: DicePanel, rolling: Rolling, throwing: Throwing
    ) -> None:
        super().__init__(panel)
        self._actions = actions
        self._panel = panel
        self._rolling = rolling
        self._throwing = throwing
        for action in actions:
            action.setParent(panel)
        connect(actions.throw.triggered, rolling.roll)
        connect(actions.back.triggered, rolling.step_back)
        connect(actions.forth.triggered, rolling.step_forward)
        connect(rolling.enabled_changed, self._enable)
        connect(throwing.parts_changed, self._enable)
        self._enable()

    def _enable(self) -> None:
        """Enable the actions that can be done now; disabled ones get the reason."""
        rolling = self._rolling
        has_generator = self._throwing.table.generator is not None
        self._panel.tabs.setEnabled(has_generator)  # it may stay open beside a map of another kind

        why_not_throw = ""
        tip = THROW
        if self._throwing.entering:
            why_not_throw = ENTERING
            tip = ENTERING
        throw = self._actions.throw
        throw.setEnabled(has_generator and not why_not_throw)
        throw.setProperty(WHY, why_not_throw)
        throw.setToolTip(plain_text(tip))

        reasons = {
            self._actions.back: rolling.next_roll.why_not_back(),
            self._actions.forth: rolling.next_roll.why_not_forward(),
        }
        for action, why_not in reasons.items():
            action.setEnabled(has_generator and not why_not and not rolling.slow)
            action.setProperty(WHY, why_not)
