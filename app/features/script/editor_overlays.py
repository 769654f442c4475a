"""The marks over the text of a script.

From below to above: the line of the cursor is shaded, then a statement; the hits of a search are
coloured; problems are underlined, the worst on top. ``ScriptEditor`` has one ``EditorOverlays``,
which keeps the marks, and knows which problems and fixes are at a position. ``draw`` gives all
marks to Qt as *extra selections*, of which the last lies on top.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtGui import QColor, QPalette, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.appearance.text_colours import inks
from randomizer.model.problems import Fix, Problem, Severity

_WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.HINT)
"""The order in which problems are listed; they are drawn the other way round, the worst on top."""

_PROBLEM_ALPHA = 40
"""The opacity of the colour behind a problem, of 255: the text stays readable."""

_STATEMENT_ALPHA = 80
"""The opacity of the colour behind a statement, of 255."""

MAX_MARKED = 500
"""So many hits of a search are marked: those nearest to the cursor."""


class ProblemFix(NamedTuple):
    """A problem, and one of its fixes."""

    problem: Problem
    fix: Fix


def fixes_of(problems: Iterable[Problem]) -> list[ProblemFix]:
    """Return all fixes of some problems, each with its problem, in their order."""
    fixes = []
    for problem in problems:
        fixes += [ProblemFix(problem, fix) for fix in problem.fixes]
    return fixes


class Underlined(NamedTuple):
    """A problem, and the text that is underlined for it."""

    cursor: QTextCursor
    """Selects that text; Qt moves it along when text before it changes."""

    problem: Problem


class EditorOverlays:
    """The marks that ``draw`` lays over the text of one editor."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        self._editor = editor
        self._underlined: list[Underlined] = []
        """The underlined problems, in the order of the text."""
        self._hits: Sequence[tuple[int, int]] = ()
        """The start and end of each hit of a search, as positions of Qt, in the text's order."""
        self.statement: QTextCursor | None = None
        """Selects the statement that is shaded; None for none."""

    def underline(self, problems: Iterable[Underlined]) -> None:
        """Underline these problems and no others."""
        self._underlined = [
            Underlined(_with_a_character(mark.cursor), mark.problem) for mark in problems
        ]
        self.draw()

    def mark_hits(self, hits: Sequence[tuple[int, int]]) -> None:
        """Mark these hits of a search and no others.

        They are pairs (start, end) of positions in the text as it is now, in its order.
        """
        self._hits = hits
        self.draw()

    def cursor_of(self, problem: Problem) -> QTextCursor | None:
        """Return the text of a problem, wherever edits have moved it since.

        None if the problem is not underlined.
        """
        for underlined in self._underlined:
            if underlined.problem == problem:
                return underlined.cursor
        return None

    def problems_at(self, position: int) -> list[Problem]:
        """Return the problems whose text holds a position of Qt's document, the worst first."""
        problems = []
        for underlined in self._underlined:
            if underlined.cursor.selectionStart() <= position <= underlined.cursor.selectionEnd():
                problems.append(underlined.problem)
        return sorted(problems, key=lambda problem: _WORST_FIRST.index(problem.severity))

    def problems_of_line(self, line: int) -> list[Problem]:
        """Return the problems that begin in a line (from 1), in the order of the text."""
        return [
            underlined.problem for underlined in self._underlined if self._line(underlined) == line
        ]

    def fixes_of_line(self, line: int) -> list[ProblemFix]:
        """Return the fixes of the problems that begin in a line (from 1)."""
        return fixes_of(self.problems_of_line(line))

    def lines_with_fixes(self) -> set[int]:
        """Return the lines (from 1) where a problem begins that has a fix."""
        return {
            self._line(underlined) for underlined in self._underlined if underlined.problem.fixes
        }

    def colours_of_lines(self) -> dict[int, QColor]:
        """Return the colour of the worst problem that begins in a line (from 1), by line."""
        colours = inks(self._editor.palette())
        result = {}
        for severity in reversed(_WORST_FIRST):  # a worse one replaces the colour of its line
            for underlined in self._underlined:
                if underlined.problem.severity is severity:
                    result[self._line(underlined)] = colours.of_severity(severity)
        return result

    def _line(self, underlined: Underlined) -> int:
        """Return the line (from 1) in which a problem begins."""
        block = self._editor.document().findBlock(underlined.cursor.selectionStart())
        return block.blockNumber() + 1

    def draw(self) -> None:
        """Draw all marks in the colours of the editor's palette, the lowest first."""
        palette = self._editor.palette()
        colours = inks(palette)
        cursor = self._editor.textCursor()
        cursor.clearSelection()
        selections = [_mark(cursor, _background(colours.current_line))]
        if self.statement is not None:
            tint = palette.color(QPalette.ColorRole.Highlight)
            tint.setAlpha(_STATEMENT_ALPHA)
            selections.append(_mark(self.statement, _background(tint)))
        selections += self._marked_hits(cursor.position(), colours.hit)
        for severity in reversed(_WORST_FIRST):  # the worst on top
            style = _wave(colours.of_severity(severity))
            for underlined in self._underlined:
                if underlined.problem.severity is severity:
                    selections.append(_mark(underlined.cursor, style))
        self._editor.setExtraSelections(selections)

    def _marked_hits(self, position: int, colour: QColor) -> list[QTextEdit.ExtraSelection]:
        """Return marks in a colour for the hits nearest to a position."""
        # At most half of ``MAX_MARKED`` before the position; near the end of the text fewer are
        # marked in all.
        hits_before = bisect_left(self._hits, (position, position))
        first = max(0, hits_before - MAX_MARKED // 2)
        style = QTextCharFormat()
        style.setBackground(colour)
        document = self._editor.document()
        marks = []
        for start, end in self._hits[first : first + MAX_MARKED]:
            # After an edit the text can be shorter, until it is searched again in a moment.
            if end < document.characterCount():
                cursor = QTextCursor(document)
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                marks.append(_mark(cursor, style))
        return marks


def _mark(cursor: QTextCursor, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """Return the selection of a cursor, drawn in a style."""
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = style
    return selection


def _background(colour: QColor) -> QTextCharFormat:
    """Return the style that draws a colour behind whole lines."""
    style = QTextCharFormat()
    style.setBackground(colour)
    style.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return style


def _wave(colour: QColor) -> QTextCharFormat:
    """Return the style that underlines by a wave, and draws its colour faintly behind the text.

    A wave alone is hardly seen under one or two letters.
    """
    style = QTextCharFormat()
    style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    style.setUnderlineColor(colour)
    background = QColor(colour)
    background.setAlpha(_PROBLEM_ALPHA)
    style.setBackground(background)
    return style


def _with_a_character(cursor: QTextCursor) -> QTextCursor:
    """Return the cursor; one without a selection selects a character now, to be underlined.

    It is the one behind the cursor, or at the end of a line the one before it. In an empty line
    there is none.
    """
    if cursor.hasSelection():
        return cursor
    keep_anchor = QTextCursor.MoveMode.KeepAnchor
    if not cursor.atBlockEnd():
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, keep_anchor)
    elif not cursor.atBlockStart():
        cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, keep_anchor)
    return cursor
