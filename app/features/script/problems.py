"""The problems of the current script: of its text, of its file, and of the last roll.

``ScriptPanel`` has a ``ScriptProblems``. It collects the problems from three sources, lists them
and underlines them in the editor, and applies their fixes. The *check* of the text runs again after
each edit (``Scripts.checker``); a fix is applied only while its problem is still that of the text.

A problem names the file that it is in by its path; None is the text of the script itself. Whenever
one of the three sources has other problems, ``_list_problems`` lists and underlines all anew.

Other lists of the desk have problems of the map. One of these has its *cause* in the script if it
names a line of it: a unit of a type, for instance, that the text has renamed. It is underlined
here, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PureWindowsPath

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job
from app.desk.problem_sources import ProblemSource, ProblemSources
from app.features.script.editor import ScriptEditor
from app.qt_guard import connect
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.lists.problem_list import ProblemList, place_in_text
from randomizer.catalog.scripts import script_host
from randomizer.model.edits.edit import Region
from randomizer.model.problems import Fix, Problem, fix_between, has_errors
from randomizer.model.rolls.draw_key import DrawKey

TEXT_HAS_CHANGED = "The text has changed since; its problems are being looked for"
"""The message if a problem is no longer one of the text."""


@dataclass(frozen=True)
class _LastRoll:
    """The roll of the script that was started last, with what is listed of rolls."""

    text: str = ""
    """The text that was rolled."""

    is_typed: bool = False
    """True if the roll only followed what is being typed, so that nobody asked for it."""

    problems: tuple[Problem, ...] = ()
    """The problems of the roll; until it ends, those of the roll before.

    () once the text is edited, or the roll is out of date.
    """


class ScriptProblems(QObject):
    """Lists the problems of a script, underlines them in its text, and applies their fixes."""

    refused = Signal(str)
    """The reason why something cannot be done, as a message for the status bar."""

    reported = Signal()
    """A roll that the user asked for has failed: the list should be brought to the front."""

    def __init__(self, editor: ScriptEditor, scripts: Scripts, rolling: Rolling) -> None:
        super().__init__(editor)
        self._editor = editor
        self._scripts = scripts
        self._checker = scripts.checker
        self._rolling = rolling
        self._last_roll = _LastRoll()
        self._other_lists: list[ProblemList] = []
        """The lists of other sources whose causes are underlined, see ``show_causes_of``."""
        self.list = ProblemList(always_counts=False, place_of=self._position_text)
        connect(editor.fix_requested, self.fix)
        connect(self.list.activated, self.show)
        connect(self.list.fix_requested, self.fix)
        connect(self.list.all_fixes_requested, self.fix_all)
        connect(scripts.shown, self._on_script_shown)
        connect(scripts.text_edited, self._on_edited)
        connect(scripts.checker.checked, self._list_problems)
        connect(rolling.started, self._on_roll_started)
        connect(rolling.reported, self._show_roll_problems)
        self._on_script_shown()

    def show_causes_of(self, sources: ProblemSources) -> None:
        """Underline also the causes of problems of the map, from now on.

        The lists in ``sources`` go on to show these problems, and to fix them.
        """
        connect(sources.added, self._underline_causes)
        for source in sources.all:
            self._underline_causes(source)

    def _underline_causes(self, source: ProblemSource) -> None:
        """Underline the causes of another source's problems from now on."""
        other_list = source.problems
        if other_list is not self.list:
            self._other_lists.append(other_list)
            connect(other_list.changed, self._underline)

    def _on_script_shown(self) -> None:
        """Begin with another script: list nothing until it is checked."""
        self._last_roll = replace(self._last_roll, problems=())
        self.list.set_problems(())

    def _on_edited(self) -> None:
        """Drop the problems of the last roll, which rolled the text before this edit.

        The checker looks for those of the present text.
        """
        self._last_roll = replace(self._last_roll, problems=())

    def _on_roll_started(self, request: RollRequest) -> None:
        """Note which text is rolled, and whether the user asked for that."""
        self._last_roll = replace(
            self._last_roll,
            text=request.setup.text,
            is_typed=request.destination.is_typed,
        )

    def _show_roll_problems(self, problems: tuple[Problem, ...]) -> None:
        """Show the problems of the last roll, and choose the first of them in the list."""
        self._last_roll = replace(self._last_roll, problems=problems)
        self._list_problems()
        if problems:
            self.list.choose(self._without_own_path(problems[0]))
            # While somebody types, the map is not to change its size for a list.
            if has_errors(problems) and not self._last_roll.is_typed:
                self.reported.emit()

    def forget_roll(self) -> None:
        """Remove the problems of the last roll, which are out of date."""
        self._show_roll_problems(())

    def forget_undone_roll(self, region: Region) -> None:
        """Remove the problems of the last roll if layers or locks changed, by undo for instance.

        The changes of the roll itself come before it reports its problems.
        """
        if self._last_roll.problems and (region.structure or region.locks):
            self.forget_roll()

    def _list_problems(self) -> None:
        """List the problems of the roll, the file and the text, and underline those of the text."""
        file_problems = self._scripts.script.problems
        check_problems = self._checker.result.problems
        all_problems = (*self._last_roll.problems, *file_problems, *check_problems)
        # The roll and the check may have found the same problem: it is listed once.
        unique = dict.fromkeys(self._without_own_path(problem) for problem in all_problems)
        self.list.set_problems(tuple(unique))
        self._underline()

    def _underline(self) -> None:
        """Underline the listed problems of the text, and those of the map that it has caused."""
        # Problems of an older text are at other lines now: the marks that they have move with the
        # text, and stay until it is checked.
        if self._checker.fresh:
            listed_problems = self.list.problems
        elif self._last_roll.problems and self._last_roll.text == self._editor.text():
            listed_problems = tuple(map(self._without_own_path, self._last_roll.problems))
        else:
            return
        problems = [problem for problem in listed_problems if problem.path is None]
        if self._scripts.map_script.text == self._editor.text():
            for other_list in self._other_lists:
                problems += filter(_has_cause_in_script, other_list.problems)
        self._editor.set_problems(problems)

    def _without_own_path(self, problem: Problem) -> Problem:
        """Return a problem without its path, if that is the path of the current script.

        A roll can know the script by another path than the panel does.
        """
        if self._is_in_script(problem.path):
            return problem.at_path(None)
        return problem

    def _is_in_script(self, path: str | None) -> bool:
        """Return whether a problem with this path is in the current script, not in another file.

        Only the names of the files count: a game may know the script in another folder.
        """
        return path is None or _file_name(path) == _file_name(self._scripts.script.place)

    def show(self, problem: Problem) -> None:
        """Go to the text of a problem, or report in which other file it is."""
        if self._is_in_script(problem.path):
            self._editor.show_problem(problem)
        elif problem.path is not None:
            self._report_other_file(problem.path, problem.line)

    def go_to(self, path: str, line: int) -> None:
        """Go to a line of the current script, or report that the file is another one."""
        if self._is_in_script(path):
            self._editor.go_to(line)
        else:
            self._report_other_file(path, line)

    def _report_other_file(self, path: str, line: int | None) -> None:
        """Report the line of a file that is not the current script; None for the whole file."""
        line_words = ""
        if line is not None:
            line_words = f", line {line}"
        self.refused.emit(f"That is in another file: {path}{line_words}")

    def _position_text(self, problem: Problem) -> str:
        """Return the position of a problem for the list: "line 3", or "line 3 of other.rnd"."""
        position = place_in_text(problem)
        if self._is_in_script(problem.path) or problem.path is None:
            return position
        if position:
            return f"{position} of {_file_name(problem.path)}"
        return _file_name(problem.path)

    def fix(self, problem: Problem, fix: Fix) -> None:
        """Apply a fix, if its problem is one of the text as it is now.

        A problem that is in another list is fixed by that list.
        """
        for other_list in self._other_lists:
            if problem in other_list.problems:
                other_list.fix_requested.emit(problem, fix)
                return
        is_of_roll = self._is_of_roll(problem)
        if is_of_roll and fix.settings and self._fix_by_rolling(fix):
            return
        if is_of_roll or self._is_of_check(problem):
            self._editor.script_text.apply_fix(fix)
        else:
            self.refused.emit(TEXT_HAS_CHANGED)

    def _fix_by_rolling(self, fix: Fix) -> bool:
        """Roll the same map again with the settings of a fix, which changes these, not the text.

        Returns False if there is no rolled layer any more.
        """
        rolled_layer = self._rolling.target()
        if rolled_layer is None or rolled_layer.roll is None:
            return False
        roll = rolled_layer.roll
        self._roll_with_settings(DrawKey(roll.seed, roll.number), fix)
        return True

    def _is_of_check(self, problem: Problem) -> bool:
        """Return whether the check of the present text has found a problem."""
        return self._checker.fresh and self._is_among(problem, self._checker.result.problems)

    def _is_of_roll(self, problem: Problem) -> bool:
        """Return whether the last roll has found a problem, and rolled the present text."""
        has_rolled_text = self._last_roll.text == self._editor.text()
        return has_rolled_text and self._is_among(problem, self._last_roll.problems)

    def _roll_with_settings(self, key: DrawKey, fix: Fix) -> None:
        """Set the settings of a fix, and roll the map of this seed and number with them."""
        self._scripts.settings.set({**self._scripts.settings.values, **dict(fix.settings)})
        self._rolling.roll_chosen(key)

    def _is_among(self, problem: Problem, problems: Iterable[Problem]) -> bool:
        """Return whether a problem is one of others, by whichever path they know the script."""
        sought = self._without_own_path(problem)
        return any(self._without_own_path(candidate) == sought for candidate in problems)

    def fix_all(self) -> None:
        """Apply the fixes of all problems of the text, as one step of undo.

        A job does this, since a fixed text can have new problems with fixes: it is checked and
        fixed until there are none. If the text is edited meanwhile, it stays as it is.
        """
        script = self._scripts.script
        source = self._editor.source()._replace(name=script.name, path=script.place)

        def fix_text(_progress: object, _is_cancelled: object) -> str:
            return script_host(source.name, source.path, source.text).fix(source)

        def apply_fixes(text: str) -> None:
            if self._scripts.script is not script or self._editor.text() != source.text:
                self.refused.emit(TEXT_HAS_CHANGED)
                return
            self._scripts.apply_fix(fix_between(source.text, text, "Fix all problems"))

        job = Job(fix_text, self)
        connect(job.finished, apply_fixes)
        job.start()


def _file_name(path: str) -> str:
    """Return the file name of a path, which can be of any operating system."""
    return PureWindowsPath(path).name  # Windows takes both slashes


def _has_cause_in_script(problem: Problem) -> bool:
    """Return whether a problem of the map has its cause in the text of the map's script."""
    return problem.cell is not None and problem.line is not None and problem.path is None
