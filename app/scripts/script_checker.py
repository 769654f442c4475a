"""Checking a script while it is being written: a moment after the last key, on another thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from randomizer.catalog.catalog import script_host
from randomizer.languages.language import NamedCells, SourceText
from randomizer.model.problems import Problem

CHECK_DELAY_MS = 120
"""How long after the last keystroke a text is checked."""


class CheckResult(NamedTuple):
    """The result of a check: problems, and the cells that parts of the text are about."""

    problems: tuple[Problem, ...] = ()
    named: tuple[NamedCells, ...] = ()


class ScriptChecker(QObject):
    """Keeps ``result`` up to date with a text. ``checked()``: it belongs to the text as it is now.

    ``source`` gives a str, the reason, where there is nothing to check.

    Nothing is checked before ``start``: the language's parser is slow to load, and the window
    should be there first.
    """

    checked = Signal()

    def __init__(self, source: Callable[[], SourceText | str], parent: QObject) -> None:
        super().__init__(parent)
        self.result = CheckResult()
        self._value = BackgroundValue(source, _check, self, delay_ms=CHECK_DELAY_MS)
        connect(self._value.computed, self._take)
        connect(self._value.failed, self._fail)
        connect(self._value.missed, lambda _words: self._take(CheckResult()))

    @property
    def fresh(self) -> bool:
        """True if ``result`` belongs to the text as it is now."""
        return self._value.fresh

    def start(self) -> None:
        """From now on texts are checked, the present one at once."""
        self._value.watch(True)

    def text_changed(self, *, at_once: bool = False) -> None:
        """Check the changed text after a pause in typing (or at once)."""
        self._value.forget()
        self._value.renew(delay_ms=0 if at_once else None)

    def cells_at(self, line: int, column: int) -> frozenset[int]:
        """Return the cells that the narrowest place around a cursor is about.

        None while not fresh.
        """
        return self.cells_between((line, column), (line, column))

    def cells_between(self, start: tuple[int, int], end: tuple[int, int]) -> frozenset[int]:
        """Return the cells that a selected piece of the text is about, from one line and column to
        others.

        Those of all places that are wholly selected; else of the narrowest place around.
        """
        if not self.fresh:
            return frozenset()
        cells: frozenset[int] = frozenset()
        done = start
        for span in self.result.named if start < end else ():
            # A part stands behind the whole that it is a part of; the whole counts.
            if done <= (span.line, span.column) and (span.end_line, span.end_column) <= end:
                cells |= span.cells
                done = (span.end_line, span.end_column)
        if cells:
            return cells
        around = (
            span.cells
            for span in reversed(self.result.named)
            if span.holds(*start) and span.holds(*end)
        )
        return next(around, frozenset())

    def _take(self, result: CheckResult) -> None:
        self.result = result
        self.checked.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._take(CheckResult(problems))


def _check(source: SourceText, _progress: object, _cancelled: object) -> CheckResult:
    host = script_host(source.name, source.path, source.text)
    return CheckResult(host.check(source), host.language.named_cells(source))
