"""The actions that throw a table, and step to the tables before and after it.

The panel has buttons for the actions, so they are made before it; the controller is made after it::

    actions = new_throw_actions()
    panel = DicePanel(rolling, actions)
    ThrowActionController(actions, panel.tabs, rolling, throwing, panel)    # they do something
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.commands.commands import WHY, set_tool_tip
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.systems.cordery.table_setups import ENTERING
from app.systems.cordery.throwing import Throwing
from app.widgets.layout.builders import plain_text

THROW_TIP = "Throw the dice for a new table; it replaces the one thrown before"
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
        _action("&Throw", THROW_TIP),
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
    """Lets the actions roll, and enables them while they can.

    It lives as long as the panel, and so do the actions from now on.
    """

    def __init__(
        self,
        actions: ThrowActions,
        pages: QWidget,
        rolling: Rolling,
        throwing: Throwing,
        panel: QWidget,
    ) -> None:
        """``pages`` are those of ``panel``, which are of no use on a map of another kind."""
        super().__init__(panel)
        self._actions = actions
        self._pages = pages
        self._rolling = rolling
        self._throwing = throwing
        for action in actions:
            action.setParent(panel)
        connect(actions.throw.triggered, rolling.roll)
        connect(actions.back.triggered, rolling.step_back)
        connect(actions.forth.triggered, rolling.step_forward)
        connect(rolling.enabled_changed, self._update_enabled)
        connect(throwing.parts_changed, self._update_enabled)
        self._update_enabled()

    def _update_enabled(self) -> None:
        """Enable the actions that can be done now, and the pages of the panel."""
        rolling = self._rolling
        has_generator = self._throwing.table.generator is not None
        self._pages.setEnabled(has_generator)

        why_not_throw = ""
        if self._throwing.setups.entering:
            why_not_throw = ENTERING
        throw = self._actions.throw
        _set_enabled(throw, why_not_throw, can_roll=has_generator)
        throw.setToolTip(plain_text(why_not_throw or THROW_TIP))

        # Nothing is stepped through while a slow roll is under way; the panel shows its progress.
        can_step = has_generator and not rolling.slow
        why_not_back = rolling.steps.why_not_back()
        why_not_forward = rolling.steps.why_not_forward()
        for action, why_not in (
            (self._actions.back, why_not_back),
            (self._actions.forth, why_not_forward),
        ):
            _set_enabled(action, why_not, can_roll=can_step)
            set_tool_tip(action)


def _set_enabled(action: QAction, why_not: str, *, can_roll: bool) -> None:
    """Enable an action if ``can_roll`` and there is no reason why not; "" is no reason."""
    action.setEnabled(can_roll and not why_not)
    action.setProperty(WHY, why_not)
