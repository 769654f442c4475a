"""What is wrong with a file, a script or a map: one shape for every message to the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


PICTURE_WIDTH = 160
"""How many characters of a long line the picture of a problem shows."""


class Severity(StrEnum):
    """How bad a problem is. Only an ``ERROR`` stops a roll, a reading or an export."""

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
class Fix:
    """A way out of a problem that can be applied by itself: what it does, and the edits.

    ``edits`` do not overlap; they all refer to the text as it is before any of them.
    """

    title: str
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One located, worded message.

    ``line`` and ``column`` count from 1; ``end_line`` and ``end_column`` point just behind the last
    character. All four are None where the problem has no place in a text. ``cell`` and ``side``
    name the place on a map instead (flat cell index, side number), where there is one.
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

    def at_path(self, path: str | None) -> Problem:
        """The same problem, said of the file ``path``."""
        return replace(self, path=path)


class ProblemError(Exception):
    """Work that could not be done, with the reasons. ``problems`` holds at least one error."""

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("; ".join(problem.message for problem in self.problems))


def error(code: str, message: str, *, path: str | None = None) -> ProblemError:
    """An exception with one error that has no place in a text (a missing file, a full disk ...)."""
    return ProblemError(Problem(Severity.ERROR, code, message, path=path))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether any of ``problems`` is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` without their ends; LF, CR and CRLF end a line, nothing else does."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def line_starts(text: str) -> list[int]:
    """The offset in ``text`` at which each line starts (LF, CR and CRLF end a line)."""
    starts = [0]
    index = 0
    while index < len(text):
        character = text[index]
        index += 1
        if character == "\r" and text[index : index + 1] == "\n":
            index += 1
        if character in "\r\n":
            starts.append(index)
    return starts


def apply_fix(text: str, fix: Fix) -> str:
    """``text`` after all edits of ``fix``. Raises IndexError for a line that is not there."""
    starts = line_starts(text)
    spans = sorted(
        (
            starts[edit.line - 1] + edit.column - 1,
            starts[edit.end_line - 1] + edit.end_column - 1,
            edit.replacement,
        )
        for edit in fix.edits
    )
    for start, end, replacement in reversed(spans):
        text = text[:start] + replacement + text[end:]
    return text


def format_problem(problem: Problem, text: str | None = None) -> str:
    """The problem as a compiler would print it: ``file:line:column: error: message`` and a picture.

    With ``text`` (the whole source) the line follows, with carets under the place, then the fix.
    """
    place = problem.path or ""
    if problem.line is not None:
        place += f":{problem.line}:{problem.column or 1}"
    head = f"{place}: " if place else ""
    rows = [f"{head}{problem.severity}: {problem.message}"]
    if text is not None and problem.line is not None:
        rows += _caret_picture(problem, split_lines(text))
    if problem.fix is not None:
        rows.append(f"  fix: {problem.fix.title}")
    return "\n".join(rows)


def _caret_picture(problem: Problem, lines: list[str]) -> list[str]:
    line = problem.line or 1
    if line > len(lines):
        return []
    source = lines[line - 1]
    column = problem.column or 1
    same_line = problem.end_line in (None, line)
    end = (problem.end_column or column + 1) if same_line else len(source) + 1
    if len(source) > PICTURE_WIDTH:
        left = max(0, min(column - 1 - PICTURE_WIDTH // 3, len(source) - PICTURE_WIDTH))
        right = left + PICTURE_WIDTH
        before, behind = "…" if left else "", "…" if right < len(source) else ""
        column, end = column - left + len(before), min(end, right + 1) - left + len(before)
        source = before + source[left:right] + behind
    # A tab in the margin keeps the carets under their characters at any tab width.
    margin = "".join("\t" if character == "\t" else " " for character in source[: column - 1])
    return [f"  {source}", f"  {margin}{'^' * max(1, end - column)}"]
