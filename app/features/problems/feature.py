"""The bar of problems below the map, and its source "Map": the problems of the current map.

``MapProblems`` checks the map after each change, as its game would, and applies fixes.
``ProblemsBar`` shows the problems of all sources.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from app.background.background_value import BackgroundValue
from app.background.jobs import Job
from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.features.problems.problems_bar import ProblemsBar
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
        # Off the UI thread: a world of a million hexes has thousands of units to look at.
        self._value = BackgroundValue(self._copy_map, _check, self, delay_ms=CHECK_DELAY_MS)
        connect(self._value.computed, self.list.set_problems)
        connect(desk.document.changed, self._value.renew)
        connect(desk.document.map_replaced, self._on_map_replaced)
        self._value.watch()

    def _copy_map(self) -> _MapCopy:
        """Return copies of the current map as it is now, for the check."""
        document = self._desk.document
        return _MapCopy(document.battlemap.snapshot(), document.composite.copy())

    def _on_map_replaced(self) -> None:
        """List nothing until the other map is checked, which is at once."""
        self.list.set_problems(())
        self._value.forget()
        self._value.renew(delay_ms=0)

    def _fix(self, _problem: Problem, fix: Fix) -> None:
        """Apply a fix as an undo step; things that were removed since the check stay removed."""
        document = self._desk.document
        battlemap = document.battlemap
        title = fix.title[:1].upper() + fix.title[1:]
        if fix.values:
            reason = why_not(battlemap, document.active_layer_id)
            if reason:
                document.refuse(reason)
                return
        painting = paint_fixes(battlemap, document.active_layer_id, [fix])
        document.push(compound([fix_things(battlemap, [fix]), painting]), title)

    def _fix_all(self) -> None:
        """Apply the fixes of all problems as one undo step, unless the map is changed meanwhile.

        A fix can show the next problem, so the fixed map is checked again, on another thread.
        """
        document = self._desk.document
        current = document.current_map
        state = current.state
        copy = current.battlemap.snapshot()
        fixes = [problem.fix for problem in self.list.problems if problem.fix is not None]
        if any(fix.values for fix in fixes):
            reason = why_not(current.battlemap, document.active_layer_id)
            if reason:
                document.refuse(reason)
                return

        def fix(_progress: object, _is_cancelled: object) -> FixedThings:
            return fix_all_things(copy)

        def push_if_unchanged(fixed: FixedThings) -> None:
            if document.current_map is not current or current.state != state:
                self._desk.say("The map has changed meanwhile: nothing was fixed.")
                return
            battlemap = current.battlemap
            things = change_things(battlemap, fixed.changed, fixed.removed)
            painting = paint_fixes(battlemap, document.active_layer_id, fixes)
            document.push(compound([things, painting]), "Fix all problems")

        job = Job(fix, self)
        connect(job.finished, push_if_unchanged)
        job.start()

    def refresh_commands(self) -> None:
        """Let commands show whether there are problems, and whether the bar is open."""
        self._desk.commands.refresh(Change.DESK)


def _place(problem: Problem) -> str:
    """Return the position of a problem for the list: none in the script for one that has a cell.

    The message names the cell, and a click shows it.
    """
    if problem.cell is not None:
        return ""
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


def make(desk: Desk) -> None:
    """Put the bar below the map, and add the command that opens it."""

    def toggle() -> None:
        bar.open(not bar.is_open)

    def is_open() -> bool:
        return bar.is_open

    def keep_view(is_shown: bool) -> None:
        """Let no hex move under the mouse that has just opened the lists."""
        desk.canvas.keeps_view = is_shown

    def no_problems() -> str:
        """Say what a map without problems is good for: a fair one it need not be."""
        game = desk.document.battlemap.system.loaded_by
        if not game:
            return "No problems"
        return f"No problems: {game} can load this map"

    def why_not() -> str:
        if bar.by_source:
            return ""
        return "There are no problems."

    map_problems = MapProblems(desk)
    bar = ProblemsBar(desk.problems, no_problems)
    desk.map_column.addWidget(bar)
    connect(bar.lists_shown, keep_view)
    desk.theme.keep_up(bar.draw_icons)
    connect(desk.document.map_replaced, bar.look)
    connect(bar.opened, map_problems.refresh_commands)
    connect(bar.presence_changed, map_problems.refresh_commands)
    connect(desk.problems.added, map_problems.refresh_commands)
    desk.commands.add(
        [
            Command(
                "view.problems",
                "P&roblems",
                toggle,
                "What is wrong with the map, its script or their game",
                "Ctrl+Shift+M",
                why_not=why_not,
                checked=is_open,
                words="errors warnings check mistakes wrong",
            )
        ]
    )
