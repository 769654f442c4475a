"""The problems of the script shown: those of its text, of its file and of a roll."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PureWindowsPath

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job
from app.features.script.editor import ScriptEditor
from app.qt_guard import connect
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.lists.problem_list import ProblemList, place_in_text
from randomizer.catalog.catalog import script_host
from randomizer.generator import DrawKey
from randomizer.model.edits.edit import Region
from randomizer.model.problems import Fix, Problem, Severity, fix_between


def _name(path: str) -> str:
    """Return the file name in a path of any system."""
    return PureWindowsPath(path).name


class ScriptProblems(QObject):
    """Lists them, underlines them in the text, and applies their fixes.

    ``list`` is for the place where all problems are shown. ``refused(str)``: what cannot be done.
    ``reported()``: a roll, which somebody asked for, has failed.
    """

    refused = Signal(str)
    reported = Signal()

    def __init__(self, editor: ScriptEditor, scripts: Scripts, rolling: Rolling) -> None:
        super().__init__(editor)
        self._editor = editor
        self._scripts = scripts
        self._checker = scripts.checker
        self._rolling = rolling
        self._of_roll: tuple[Problem, ...] = ()
        self._rolled_text = ""
        self.list = ProblemList(counts=False, place_of=self._place)
        connect(editor.fix_requested, self.fix)
        connect(self.list.activated, self.show)
        connect(self.list.fix_requested, self.fix)
        connect(self.list.all_fixes_requested, self.fix_all)
        connect(scripts.shown, self._begin)
        connect(scripts.text_edited, self._on_edited)
        connect(scripts.checker.checked, self._show)
        connect(rolling.started, self._on_roll_started)
        connect(rolling.reported, self._report)
        self._begin()

    def _begin(self) -> None:
        """Another script is shown: list nothing until it is checked."""
        self._of_roll = ()
        self.list.set_problems(())

    def _on_edited(self) -> None:
        """The text is another than the one that was rolled; the list stays until it is checked."""
        self._of_roll = ()

    def _on_roll_started(self, request: RollRequest) -> None:
        self._rolled_text = request.setup.text

    def _report(self, problems: tuple[Problem, ...]) -> None:
        """Show what a roll has to say, () if nothing."""
        self._of_roll = problems
        self._show()
        if problems:
            self.list.choose(self._without_own_path(problems[0]))
            if any(problem.severity is Severity.ERROR for problem in problems):
                self.reported.emit()

    def forget_roll(self) -> None:
        """Remove the problems of the last roll: they are out of date."""
        self._report(())

    def forget_undone_roll(self, region: Region) -> None:
        """Remove the problems of the last roll if layers or locks changed, by undo for instance.

        What a roll itself changes is changed before it reports.
        """
        if self._of_roll and (region.structure or region.locks):
            self.forget_roll()

    def _show(self) -> None:
        """List and underline the problems of the roll, the file and the text.

        What a roll reports and the check finds is the same problem, and listed once.
        """
        reported = (*self._of_roll, *self._scripts.script.problems, *self._checker.result.problems)
        problems = tuple(dict.fromkeys(map(self._without_own_path, reported)))
        self.list.set_problems(problems)
        if self._checker.fresh or self._of_roll:
            self._editor.set_problems([problem for problem in problems if problem.path is None])

    def _without_own_path(self, problem: Problem) -> Problem:
        """Return the problem without the path of the text shown: a roll can know another path of
        it.
        """
        if self._is_here(problem.path):
            return problem.at_path(None)
        return problem

    def _is_here(self, path: str | None) -> bool:
        """Return whether a problem with this path is one of the text shown, and not of another
        file.
        """
        return path is None or _name(path) == _name(self._scripts.script.place)

    def show(self, problem: Problem) -> None:
        """Go to a problem's place in the text; of one in another file say where it is."""
        if self._is_here(problem.path):
            self._editor.show_problem(problem)
        elif problem.path is not None:
            self._say_place(problem.path, problem.line)

    def go_to(self, path: str, line: int) -> None:
        """Go to a line of a file if it is the one shown, else say where it is."""
        if self._is_here(path):
            self._editor.go_to(line)
        else:
            self._say_place(path, line)

    def _say_place(self, path: str, line: int | None) -> None:
        line_words = "" if line is None else f", line {line}"
        self.refused.emit(f"That is in another file: {path}{line_words}")

    def _place(self, problem: Problem) -> str:
        """Return the line of a problem, and the file if it is another one than that shown."""
        position = place_in_text(problem)
        if self._is_here(problem.path) or problem.path is None:
            return position
        if position:
            return f"{position} of {_name(problem.path)}"
        return _name(problem.path)

    def fix(self, problem: Problem, fix: Fix) -> None:
        """Apply a fix of a problem, if it was said of the text as it is now.

        One that changes settings rolls the same map with them.
        """
        of_check = self._checker.fresh and self._is_among(problem, self._checker.result.problems)
        is_reported = self._is_among(problem, self._of_roll)
        of_roll = is_reported and self._rolled_text == self._editor.text()
        layer = self._rolling.target()
        if of_roll and fix.settings and layer is not None and layer.roll is not None:
            self._scripts.settings.set({**self._scripts.settings.values, **dict(fix.settings)})
            self._rolling.take(DrawKey(layer.roll.seed, layer.roll.number))
        elif of_check or of_roll:
            self._editor.script_text.apply_fix(fix)
        else:
            self.refused.emit("The text has changed since; its problems are being looked for")

    def _is_among(self, problem: Problem, problems: Iterable[Problem]) -> bool:
        sought = self._without_own_path(problem)
        return any(self._without_own_path(candidate) == sought for candidate in problems)

    def fix_all(self) -> None:
        """Apply the likeliest fixes of all problems of the text, as one step of undo.

        A fixed text can have other problems with fixes: it is checked and fixed until there are
        none, on another thread. If the text is edited meanwhile, it stays as it is.
        """
        script = self._scripts.script
        source = self._editor.source()._replace(name=script.name, path=script.place)

        def fix_text(_progress: object, _is_cancelled: object) -> str:
            return script_host(source.name, source.path, source.text).fix(source)

        def put(text: str) -> None:
            if self._scripts.script is not script or self._editor.text() != source.text:
                self.refused.emit("The text has changed since; its problems are being looked for")
                return
            self._scripts.apply_fix(fix_between(source.text, text, "Fix all problems"))

        job = Job(fix_text, self)
        connect(job.finished, put)
        job.start()
