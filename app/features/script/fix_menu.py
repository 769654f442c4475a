"""The entries of menus that apply fixes of a script's problems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.appearance.icons import icon
from app.appearance.quotes import with_quotes
from app.features.script.editor_overlays import ProblemFix
from app.qt_guard import connect


def add_fixes(menu: QMenu, fixes: Sequence[ProblemFix], fix_requested: SignalInstance) -> None:
    """Add an entry for each fix to a menu; the icon is that of its problem.

    An entry emits ``fix_requested`` with the problem and the fix.
    """
    for problem_fix in fixes:
        title = with_quotes(problem_fix.fix.title)
        action = menu.addAction(icon(str(problem_fix.problem.severity)), title)
        connect(action.triggered, partial(_request, problem_fix, fix_requested))


def insert_fixes(menu: QMenu, fixes: Sequence[ProblemFix], fix_requested: SignalInstance) -> None:
    """Insert an entry "Fix: ..." for each fix before the other entries of a menu."""
    first_action = next(iter(menu.actions()), None)
    for problem_fix in fixes:
        action = QAction(f"Fix: {with_quotes(problem_fix.fix.title)}", menu)
        if first_action is None:
            menu.addAction(action)
        else:
            menu.insertAction(first_action, action)
        connect(action.triggered, partial(_request, problem_fix, fix_requested))
    if fixes and first_action is not None:
        menu.insertSeparator(first_action)


def _request(
    problem_fix: ProblemFix, fix_requested: SignalInstance, _checked: bool = False
) -> None:
    """Emit the problem and the fix of an entry that was chosen."""
    fix_requested.emit(problem_fix.problem, problem_fix.fix)
