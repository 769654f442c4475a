"""Checks a script while it is being written: a moment after the last key, on another thread.

``Scripts`` has one ``ScriptChecker`` for the current script. The editor shows the problems of its
``result``, and marks on the map the cells that the text at the cursor is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from randomizer.catalog.scripts import script_host
from randomizer.languages.language import NamedCells, SourceText
from randomizer.model.problems import Problem

CHECK_DELAY_MS = 120
"""The pause after the last keystroke before a text is checked."""


class CheckResult(NamedTuple):
    """The result of a check of a text."""

    problems: tuple[Problem, ...] = ()
    """Errors and warnings, in the order of the check."""

    named: tuple[NamedCells, ...] = ()
    """The spans of the text that are about cells, each before the spans that lie within it."""


class ScriptChecker(QObject):
    """Keeps ``result`` up to date with the text that ``source`` returns.

    If there is nothing to check, ``source`` returns the reason, a str; the result is then empty.
    Nothing is checked before ``start``: the language's parser is slow to load, and the window
    should be there first.
    """

    checked = Signal()
    """``result`` is new, and belongs to the text as it is now."""

    def __init__(self, source: Callable[[], SourceText | str], parent: QObject) -> None:
        super().__init__(parent)
        self.result = CheckResult()
        self._value = BackgroundValue(source, _check, self, delay_ms=CHECK_DELAY_MS)
        connect(self._value.computed, self._set_result)
        connect(self._value.failed, self._on_failed)
        connect(self._value.missed, self._on_missed)

    @property
    def fresh(self) -> bool:
        """True if ``result`` belongs to the text as it is now."""
        return self._value.fresh

    def start(self) -> None:
        """From now on texts are checked, the present one at once."""
        self._value.watch()

    def text_changed(self, *, at_once: bool = False) -> None:
        """Check the changed text after a pause in typing, or at once."""
        self._value.forget()
        if at_once:
            self._value.renew(delay_ms=0)
        else:
            self._value.renew()

    def cells_at(self, line: int, column: int) -> frozenset[int]:
        """Return the cells that the narrowest span around a cursor is about.

        There are none while the result is not ``fresh``.
        """
        return self.cells_between((line, column), (line, column))

    def cells_between(self, start: tuple[int, int], end: tuple[int, int]) -> frozenset[int]:
        """Return the cells that a selection is about; both ends are (line, column).

        If spans with cells are wholly selected, it is about all their cells, else about those of
        the narrowest span around the selection.
        """
        if not self.fresh:
            return frozenset()
        cells: frozenset[int] = frozenset()
        if start < end:
            # A span within another one comes after it: only the outer one counts.
            end_of_last_span = start
            for span in self.result.named:
                span_start = (span.line, span.column)
                span_end = (span.end_line, span.end_column)
                if end_of_last_span <= span_start and span_end <= end:
                    cells |= span.cells
                    end_of_last_span = span_end
        if cells:
            return cells
        for span in reversed(self.result.named):
            if span.holds(*start) and span.holds(*end):
                return span.cells
        return frozenset()

    def statement_at(self, line: int, column: int) -> int:
        """Return the index of the statement around a cursor, as in ``Roll.origins``.

        -1 if there is none that is about cells, and while the result is not ``fresh``.
        """
        if not self.fresh:
            return -1
        # From the outermost span on: a statement within another one is a part of that.
        for span in self.result.named:
            if span.statement >= 0 and span.holds(line, column):
                return span.statement
        return -1

    def _set_result(self, result: CheckResult) -> None:
        """Set the result of the text as it is now."""
        self.result = result
        self.checked.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Show the problems of a text that cannot be checked."""
        self._set_result(CheckResult(problems))

    def _on_missed(self, _reason: str) -> None:
        """Show no problems: there is nothing to check."""
        self._set_result(CheckResult())


def _check(source: SourceText, _progress: object, _cancelled: object) -> CheckResult:
    """Check a text, on a job's thread, in the language of its name and text."""
    host = script_host(source.name, source.path, source.text)
    return CheckResult(host.check(source), host.language.named_cells(source))
