"""The source "Map" of the problems of a desk: what is wrong with the current map.

``MapProblems`` checks the map after each change, as its game would, and applies fixes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from app.background.background_value import BackgroundValue
from app.background.jobs import Job
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.lists.problem_list import ProblemList, place_in_text
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.thing_fixes import FixedThings, fix_all_things, fix_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand.targets import paint_fixes, why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Fix, Problem

CHECK_DELAY_MS = 120
"""The time from the last edit to the check, in milliseconds."""


class MapProblems(QObject):
    """The source "Map" of the desk's problems: checks the map after each change, applies fixes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.list = ProblemList(always_counts=False, place_of=_place)
        connect(self.list.activated, desk.show_problem)
        connect(self.list.fix_requested, self._fix)
        connect(self.list.all_fixes_requested, self._fix_all)
        desk.problems.add("Map", self.list)
        # On another thread: a world of a million hexes has thousands of units to check.
        self._background_problems = BackgroundValue(
            self._copy_map, _check, self, delay_ms=CHECK_DELAY_MS
        )
        connect(self._background_problems.computed, self.list.set_problems)
        connect(desk.document.changed, self._background_problems.renew)
        connect(desk.document.map_replaced, self._on_map_replaced)
        self._background_problems.watch()  # from now on ``renew`` has the map checked

    def _copy_map(self) -> _MapCopy:
        """Return copies of the current map as it is now, for the check."""
        document = self._desk.document
        return _MapCopy(document.battlemap.snapshot(), document.composite.copy())

    def _on_map_replaced(self) -> None:
        """List nothing until the other map is checked, which is at once."""
        self.list.set_problems(())
        self._background_problems.forget()  # else an equal map would not be checked again
        self._background_problems.renew(delay_ms=0)

    def _fix(self, _problem: Problem, fix: Fix) -> None:
        """Apply a fix as an undo step; things that were removed since the check stay removed."""
        document = self._desk.document
        battlemap = document.battlemap
        title = fix.title[:1].upper() + fix.title[1:]
        if self._is_painting_refused([fix]):
            return
        painting = paint_fixes(battlemap, document.active_layer_id, [fix])
        document.push(compound([fix_things(battlemap, [fix]), painting]), title)

    def _is_painting_refused(self, fixes: Sequence[Fix]) -> bool:
        """Return whether fixes paint, and the active layer cannot be painted; the user is told."""
        if not any(fix.values for fix in fixes):
            return False
        document = self._desk.document
        reason = why_not(document.battlemap, document.active_layer_id)
        if reason:
            document.refuse(reason)
        return bool(reason)

    def _fix_all(self) -> None:
        """Apply the fixes of all problems as one undo step, unless the map is changed meanwhile.

        A job works on a copy of the map: a fix can bring another problem to light, so the copy is
        checked and fixed again and again.
        """
        document = self._desk.document
        current_map = document.current_map
        state = current_map.state
        active_layer_id = document.active_layer_id
        map_copy = current_map.battlemap.snapshot()
        listed_fixes = [problem.fix for problem in self.list.problems if problem.fix is not None]
        if self._is_painting_refused(listed_fixes):
            return

        def work(_progress: object, _is_cancelled: object) -> FixedThings:
            return fix_all_things(map_copy)

        def push_if_unchanged(fixed: FixedThings) -> None:
            if document.current_map is not current_map or current_map.state != state:
                self._desk.say("The map has changed meanwhile: nothing was fixed.")
                return
            battlemap = current_map.battlemap
            things = change_things(battlemap, fixed.changed, fixed.removed)
            # Only things are fixed again and again: what is painted is known from the list.
            painting = paint_fixes(battlemap, active_layer_id, listed_fixes)
            document.push(compound([things, painting]), "Fix all problems")

        job = Job(work, self)
        connect(job.finished, push_if_unchanged)
        job.start()


def _place(problem: Problem) -> str:
    """Return the position of a problem, to be listed before its message; "" for none."""
    if problem.cell is not None:
        return ""  # the message names the cell, and a click shows it
    return place_in_text(problem)


@dataclass(frozen=True, eq=False)
class _MapCopy:
    """Copies of the current map and its composite, for the check on another thread.

    No two are equal (``eq=False``), so that every change makes a new check.
    """

    battlemap: BattleMap
    composite: Composite


def _check(copy: _MapCopy, _progress: object, _cancelled: object) -> tuple[Problem, ...]:
    """Return the problems of a map, on a job's thread."""
    return copy.battlemap.system.check(copy.battlemap, copy.composite)
