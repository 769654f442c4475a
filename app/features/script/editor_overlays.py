"""What is drawn over a script: problems underlined, the cursor's line, a statement, hits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtGui import QColor, QPalette, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.appearance.text_colours import inks
from randomizer.model.problems import Fix, Problem, Severity

_WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.HINT)

_TINT = 40
"""How strongly the place of a problem is tinted, of 255."""

MOST_MARKED = 500
"""So many hits of a search are marked: those nearest to the cursor."""


class Underlined(NamedTuple):
    """A problem and its place. The cursor moves along when text before it changes."""

    cursor: QTextCursor
    problem: Problem


class EditorOverlays:
    """Marks that ``draw`` lays over the text of one editor.

    ``statement`` is the shaded one, None for none.
    """

    def __init__(self, editor: QPlainTextEdit) -> None:
        self._editor = editor
        self._underlined: list[Underlined] = []
        self._hits: Sequence[tuple[int, int]] = ()
        self.statement: QTextCursor | None = None

    def underline(self, problems: Iterable[Underlined]) -> None:
        """Underline these instead of those before."""
        self._underlined = [
            mark._replace(cursor=_with_something_to_see(mark.cursor)) for mark in problems
        ]
        self.draw()

    def mark_hits(self, hits: Sequence[tuple[int, int]]) -> None:
        """Mark the hits of a search instead of those before.

        They are pairs of positions in the order of the text, as it is now.
        """
        self._hits = hits
        self.draw()

    def cursor_of(self, problem: Problem) -> QTextCursor | None:
        """Return the place of a problem, wherever edits have moved it since.

        None if it has none.
        """
        return next((mark.cursor for mark in self._underlined if mark.problem == problem), None)

    def problems_at(self, position: int) -> list[Problem]:
        """Return the problems whose places hold a position of Qt's document, the worst first."""
        result = [
            mark.problem
            for mark in self._underlined
            if mark.cursor.selectionStart() <= position <= mark.cursor.selectionEnd()
        ]
        return sorted(result, key=lambda problem: _WORST_FIRST.index(problem.severity))

    def problems_of_line(self, line: int) -> list[Problem]:
        """Return the problems that begin in a line (from 1), in the order of the text."""
        return [mark.problem for mark in self._underlined if self._line(mark) == line]

    def fixes_of_line(self, line: int) -> list[tuple[Problem, Fix]]:
        """Return the ways out of the problems that begin in a line (from 1)."""
        return [(problem, fix) for problem in self.problems_of_line(line) for fix in problem.fixes]

    def lines_with_fixes(self) -> set[int]:
        """Return the lines (from 1) where a problem begins that has a way out."""
        return {self._line(mark) for mark in self._underlined if mark.problem.fixes}

    def colours_of_lines(self) -> dict[int, QColor]:
        """Return the colour of the worst problem that begins in a line (from 1), by line."""
        colours = inks(self._editor.palette())
        return {
            self._line(mark): colours.severity(severity)
            for severity in reversed(_WORST_FIRST)
            for mark in self._underlined
            if mark.problem.severity is severity
        }

    def _line(self, mark: Underlined) -> int:
        block = self._editor.document().findBlock(mark.cursor.selectionStart())
        return block.blockNumber() + 1

    def draw(self) -> None:
        """Draw everything in the colours of the editor's palette."""
        palette = self._editor.palette()
        colours = inks(palette)
        cursor = self._editor.textCursor()
        cursor.clearSelection()
        selections = [_mark(cursor, _background(colours.current_line))]
        if self.statement is not None:
            tint = palette.color(QPalette.ColorRole.Highlight)
            tint.setAlpha(2 * _TINT)
            selections.append(_mark(self.statement, _background(tint)))
        selections += self._marked_hits(cursor.position(), colours.hit)
        for severity in reversed(_WORST_FIRST):  # what comes last is drawn on top
            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            colour = QColor(colours.severity(severity))
            style.setUnderlineColor(colour)
            colour.setAlpha(_TINT)  # a wave alone is faint under one or two letters
            style.setBackground(colour)
            selections += [
                _mark(mark.cursor, style)
                for mark in self._underlined
                if mark.problem.severity is severity
            ]
        self._editor.setExtraSelections(selections)

    def _marked_hits(self, position: int, colour: QColor) -> list[QTextEdit.ExtraSelection]:
        first = max(0, bisect_left(self._hits, (position, position)) - MOST_MARKED // 2)
        style = QTextCharFormat()
        style.setBackground(colour)
        document = self._editor.document()
        marks = []
        for start, end in self._hits[first : first + MOST_MARKED]:
            if end < document.characterCount():  # else the text is shorter now, and searched soon
                cursor = QTextCursor(document)
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                marks.append(_mark(cursor, style))
        return marks


def _mark(cursor: QTextCursor, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = style
    return selection


def _background(colour: QColor) -> QTextCharFormat:
    """Whole lines in a colour."""
    style = QTextCharFormat()
    style.setBackground(colour)
    style.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return style


def _with_something_to_see(cursor: QTextCursor) -> QTextCursor:
    """An empty place takes in the character behind it, or at a line's end the one before it."""
    if not cursor.hasSelection():
        keep = QTextCursor.MoveMode.KeepAnchor
        if not cursor.atBlockEnd():
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, keep)
        elif not cursor.atBlockStart():
            cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, keep)
    return cursor
