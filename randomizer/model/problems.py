"""Problems of files, scripts and maps: the one type of all messages to the user."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.basics.log_line import LogLine


PICTURE_WIDTH = 160
"""The most characters of a long line that the picture of a problem shows."""

LONGEST_MESSAGE = 2_000
"""In characters. Messages quote what stands in a file, and a file can have names without end."""


class Severity(StrEnum):
    """The severity of a problem. Only an ``ERROR`` stops a roll, a reading or an export."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the text from (line, column) up to, not including, (end_line, end_column).

    Lines and columns count from 1, columns in characters; lines end at LF, CR or CRLF.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


@dataclass(frozen=True, slots=True)
class ThingChange:
    """The change that a fix makes to the thing with an id: its kind, its owner, its place in map
    units.

    None leaves it as it is. ``is_removed``: the fix takes it away.
    """

    id: int
    kind: str | None = None
    owner: int | None = None
    place: tuple[float, float] | None = None
    is_removed: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix of a problem that can be applied automatically: a title, and the edits of a text.

    ``edits`` do not overlap; all refer to the text before any of them. ``settings`` are those of a
    roll, by name, that the fix changes. ``things`` are changes of a map's things
    (``randomizer.model.edits.thing_fixes`` makes an edit of them).
    """

    title: str
    edits: tuple[TextEdit, ...] = ()
    settings: tuple[tuple[str, str | int], ...] = ()
    things: tuple[ThingChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One located message.

    ``line`` and ``column`` count from 1; ``end_line`` and ``end_column`` are just after the last
    character. All four are None if the problem has no place in a text. ``cell`` and ``side`` are
    its place on a map (flat cell index, side number), or None. ``fix`` is the likeliest fix;
    ``other_fixes`` are for other intentions. The middle of an endless ``message`` is left out.
    """

    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    fix: Fix | None = None
    cell: int | None = None
    side: int | None = None
    other_fixes: tuple[Fix, ...] = ()

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
    """Raised when work could not be done. ``problems`` holds at least one error.

    ``log`` is what a script wrote before it failed.
    """

    def __init__(self, problems: Iterable[Problem] | Problem, log: Iterable[LogLine] = ()) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.log = tuple(log)
        super().__init__("; ".join(problem.message for problem in self.problems))


def error(code: str, message: str, *, path: str | None = None) -> ProblemError:
    """Return a ProblemError with one error without a place in a text (a missing file, a full disk
    ...).
    """
    return ProblemError(Problem(Severity.ERROR, code, message, path=path))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether any of ``problems`` is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


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
    if text[offset - 1 : offset + 1] == "\r\n":  # the end of its line
        line, column = place_of(text, offset - 1)
        return line, column + 1
    ends = text.count("\n", 0, offset) + text.count("\r", 0, offset)
    ends -= text.count("\r\n", 0, offset)
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return ends + 1, offset - start + 1


def apply_fix(text: str, fix: Fix) -> str:
    """``text`` after all edits of ``fix``; insertions at one place keep their order.

    Raises IndexError for a place outside the text, ValueError for edits that overlap.
    """
    starts = line_starts(text)
    spans = [
        (
            _offset(text, starts, edit.line, edit.column),
            _offset(text, starts, edit.end_line, edit.end_column),
            edit.replacement,
        )
        for edit in fix.edits
    ]
    spans.sort(key=lambda span: span[:2])
    pieces = []
    done = 0
    for start, end, replacement in spans:
        if start < done or end < start:
            raise ValueError(f"the edits of “{fix.title}” overlap")
        pieces += [text[done:start], replacement]
        done = end
    return "".join([*pieces, text[done:]])


def apply_fixes(text: str, fixes: Iterable[Fix]) -> str:
    """Return ``text`` after the edits of all fixes; of fixes that overlap the last in the text.

    All refer to ``text`` as it is. Fixes without edits of the text are left out.
    """
    spans = []
    for fix in fixes:
        if fix.edits:
            start = min((edit.line, edit.column) for edit in fix.edits)
            end = max((edit.end_line, edit.end_column) for edit in fix.edits)
            spans.append((start, end, fix))
    spans.sort(key=lambda span: span[:2], reverse=True)
    # From the end to the start, so that the places of the remaining fixes stay right.
    limit: tuple[int, int] | None = None
    for start, end, fix in spans:
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


def _offset(text: str, starts: Sequence[int], line: int, column: int) -> int:
    """Return the offset of a place in ``text``; the ends of lines and of the text are valid
    places.
    """
    if 1 <= line <= len(starts):
        offset = starts[line - 1] + column - 1
        end = starts[line] if line < len(starts) else len(text)
        if starts[line - 1] <= offset <= end:
            return offset
    raise IndexError(f"the text has no line {line}, column {column}")


def format_problem(problem: Problem, lines: Sequence[str] | None = None) -> str:
    """Return the problem as a compiler prints it: ``file:line:column: error: message`` and a
    picture.

    With ``lines`` (those of the source) its line follows, with carets under the place, then the
    fix.
    """
    parts = [] if problem.path is None else [problem.path]
    if problem.line is not None:
        parts += [str(problem.line), str(problem.column or 1)]
    head = f"{':'.join(parts)}: " if parts else ""
    rows = [f"{head}{problem.severity}: {problem.message}"]
    if lines is not None and problem.line is not None:
        rows += _caret_picture(problem, lines)
    if problem.fix is not None:
        rows.append(f"  fix: {problem.fix.title}")
    return "\n".join(rows)


def _caret_picture(problem: Problem, lines: Sequence[str]) -> list[str]:
    line = problem.line or 1
    if line > len(lines):
        return []
    source = lines[line - 1]
    start = min((problem.column or 1) - 1, len(source))
    same_line = problem.end_line in (None, line)
    if same_line:
        end = (problem.end_column or start + 2) - 1
    else:
        end = len(source)
    # Tabs are kept: the carets are then under their characters at any tab width.
    margin = "".join("\t" if character == "\t" else " " for character in source[:start])
    carets = "".join("\t" if character == "\t" else "^" for character in source[start:end])
    carets = carets.rstrip("\t") or "^"
    first, last = _window(start, len(source))
    dots_before = "…" if first else ""
    dots_behind = "…" if last < len(source) else ""
    excerpt = dots_before + source[first:last] + dots_behind
    # The caret after the last character of a line is outside the window.
    under = " " * len(dots_before) + (margin + carets)[first : max(last, start + 1)]
    return [f"  {excerpt}", f"  {under}"]


def _window(start: int, length: int) -> tuple[int, int]:
    """Return the part of a line that is shown: all of it, or a window around ``start``."""
    if length <= PICTURE_WIDTH:
        return 0, length
    first = max(0, min(start - PICTURE_WIDTH // 3, length - PICTURE_WIDTH))
    return first, first + PICTURE_WIDTH
