"""Problems of files, scripts and maps: the one type of all messages to the user.

A ``Problem`` says what is wrong, where, and how it can be mended (``Fix``). Work that cannot be
done raises ``ProblemError``; checks return problems. At the end are functions on lines and columns
of a text, and on the fixes of a text. ``problem_texts.py`` writes a problem as a compiler does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.basics.log_line import LogLine


LONGEST_MESSAGE = 2_000
"""The most characters of a message: it quotes what is in a file, which can have endless names."""


class Severity(StrEnum):
    """The severity of a problem. Only an ``ERROR`` stops a roll, a reading or an export."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A replacement of a piece of a text.

    Lines and columns count from 1, columns in characters; lines end at LF, CR or CRLF.
    """

    line: int
    """The line of the first character that is replaced."""
    column: int
    end_line: int
    """The line of the first character behind the piece."""
    end_column: int
    replacement: str
    """The new text; "" to delete the piece."""


@dataclass(frozen=True, slots=True)
class ThingChange:
    """The change that a fix makes to a thing of a map."""

    id: int
    """The id of the thing."""
    kind: str | None = None
    """The name of its new kind; None leaves it as it is."""
    owner: int | None = None
    """Its new owner; None leaves it as it is."""
    position: tuple[float, float] | None = None
    """Its new position (x, y) in map units; None leaves it as it is.

    A thing that is moved away from what carries it is not carried any more.
    """
    carrier: int | None = None
    """The id of the thing that carries it from now on; None leaves that as it is."""
    is_removed: bool = False
    """True if the thing is removed."""


@dataclass(frozen=True, slots=True)
class ValueChange:
    """The change that a fix makes to one value of a map."""

    plane: str
    """The name of the plane."""
    index: int
    """The flat index of the value in the plane."""
    value: int
    """The new value, as it is to be seen."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix of a problem that can be applied automatically."""

    title: str
    """Its effect, as it is offered: "Write `and`"."""
    edits: tuple[TextEdit, ...] = ()
    """The changes of a text; they do not overlap, and all refer to the text before any of them."""
    settings: tuple[tuple[str, str | int], ...] = ()
    """The settings of a roll that it changes: (name, value) each."""
    things: tuple[ThingChange, ...] = ()
    """The changes of a map's things (``thing_fixes`` makes an edit of them)."""
    values: tuple[ValueChange, ...] = ()
    """The changes of a map's values, each of another element (``paint_fixes`` paints them)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One located message.

    Of its position in a text all four numbers are None if it has none there.
    """

    severity: Severity
    code: str
    """The kind of the problem, for code: "bad-name"."""
    message: str
    """The text for the user: what is wrong. The middle of an endless one is left out."""
    path: str | None = None
    """The file, or another name for what is wrong; None if that is clear."""
    line: int | None = None
    """The line in a text, from 1."""
    column: int | None = None
    """The column in characters, from 1."""
    end_line: int | None = None
    """The line of the first character behind what is wrong."""
    end_column: int | None = None
    """The column of that character."""
    fix: Fix | None = None
    """The likeliest fix."""
    cell: int | None = None
    """The cell of the map at which it is."""
    side: int | None = None
    """The number of the side of that cell at which it is."""
    other_fixes: tuple[Fix, ...] = ()
    """Fixes for other intentions."""
    follows: bool = False
    """True if it only follows from another problem of the same text: lists leave it out."""

    def __post_init__(self) -> None:
        if len(self.message) > LONGEST_MESSAGE:
            half = LONGEST_MESSAGE // 2
            message = f"{self.message[: half - 1]} … {self.message[2 - half :]}"
            object.__setattr__(self, "message", message)

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All fixes, the likeliest first."""
        if self.fix is None:
            return self.other_fixes
        return (self.fix, *self.other_fixes)

    def at_path(self, path: str | None) -> Problem:
        """Return the same problem with the file ``path``."""
        return replace(self, path=path)


class ProblemError(Exception):
    """Raised when work could not be done."""

    def __init__(self, problems: Iterable[Problem] | Problem, log: Iterable[LogLine] = ()) -> None:
        if isinstance(problems, Problem):
            problems = (problems,)
        self.problems = tuple(problems)
        """Why not: one error at least."""
        self.log = tuple(log)
        """The lines that a script wrote before it failed."""
        super().__init__("; ".join(problem.message for problem in self.problems))


def error(code: str, message: str, *, path: str | None = None) -> ProblemError:
    """Return a ProblemError of one error that has no position in a text, such as a full disk."""
    return ProblemError(Problem(Severity.ERROR, code, message, path=path))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether any of ``problems`` is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


def causes(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that do not only follow from others; all of them if every one does."""
    problems = list(problems)
    return [problem for problem in problems if not problem.follows] or problems


def first_cause(problems: Sequence[Problem]) -> Problem:
    """Return the problem to name first of one text or map that has some.

    That is the first of the worst ones that do not only follow from others.
    """
    severities = list(Severity)
    return min(causes(problems), key=lambda problem: severities.index(problem.severity))


_LINE_END = re.compile(r"\r\n?|\n")
"""LF, CR and CRLF end a line; nothing else does."""


def split_lines(text: str) -> list[str]:
    """Return the lines of ``text`` without their ends (LF, CR or CRLF)."""
    return _LINE_END.split(text)


def line_starts(text: str) -> list[int]:
    """Return the offset in ``text`` at which each line starts (LF, CR and CRLF end a line)."""
    return [0, *(end.end() for end in _LINE_END.finditer(text))]


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column, both from 1, of the character at ``offset`` of ``text``."""
    if text[offset - 1 : offset + 1] == "\r\n":  # between both characters of one line end
        line, column = place_of(text, offset - 1)
        return line, column + 1
    ends = text.count("\n", 0, offset) + text.count("\r", 0, offset)
    ends -= text.count("\r\n", 0, offset)
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return ends + 1, offset - start + 1


def apply_fix(text: str, fix: Fix) -> str:
    """Return ``text`` after all edits of ``fix``; insertions at one offset keep their order.

    Raises IndexError for a position outside the text, ValueError for edits that overlap.
    """
    starts = line_starts(text)
    spans = []
    for edit in fix.edits:
        start = _offset_of(text, starts, edit.line, edit.column)
        end = _offset_of(text, starts, edit.end_line, edit.end_column)
        spans.append((start, end, edit.replacement))
    spans.sort(key=lambda span: span[:2])
    pieces = []
    copied = 0  # all of the text before this offset is in ``pieces``
    for start, end, replacement in spans:
        if start < copied or end < start:
            raise ValueError(f"the edits of “{fix.title}” overlap")
        pieces += [text[copied:start], replacement]
        copied = end
    return "".join([*pieces, text[copied:]])


def apply_fixes(text: str, fixes: Iterable[Fix]) -> str:
    """Return ``text`` after the edits of all fixes; of fixes that overlap the last in the text.

    All refer to ``text`` as it is. Fixes without edits of the text are left out.
    """
    spans = []
    for fix in fixes:
        if fix.edits:
            start = min((edit.line, edit.column) for edit in fix.edits)
            end = max((edit.end_line, edit.end_column) for edit in fix.edits)
            if (start, end, fix) not in spans:  # two problems can have the same fix
                spans.append((start, end, fix))
    spans.sort(key=lambda span: span[:2])
    # From the end to the start, so that the positions of the remaining fixes stay right.
    limit: tuple[int, int] | None = None
    for start, end, fix in reversed(spans):
        if limit is None or end <= limit:
            text = apply_fix(text, fix)
            limit = start
    return text


def fix_between(text: str, new_text: str, title: str) -> Fix:
    """Return the fix that makes ``new_text`` of ``text``: one edit, of the part that differs."""
    shorter = min(len(text), len(new_text))
    start = 0
    while start < shorter and text[start] == new_text[start]:
        start += 1
    same_at_end = 0
    while same_at_end < shorter - start and text[-1 - same_at_end] == new_text[-1 - same_at_end]:
        same_at_end += 1
    end = len(text) - same_at_end
    replacement = new_text[start : len(new_text) - same_at_end]
    edit = TextEdit(*place_of(text, start), *place_of(text, end), replacement)
    return Fix(title, (edit,))


def _offset_of(text: str, starts: Sequence[int], line: int, column: int) -> int:
    """Return the offset of a line and column, which can be behind the last character of a line.

    Raises IndexError for a position outside the text.
    """
    if 1 <= line <= len(starts):
        offset = starts[line - 1] + column - 1
        end = len(text)
        if line < len(starts):
            end = starts[line]
        if starts[line - 1] <= offset <= end:
            return offset
    raise IndexError(f"the text has no line {line}, column {column}")
