"""Writes a problem as a compiler prints it, for the command line and for dialogs::

Hills.rnd:3:9: error: there is no terrain Tre
  AREA A1 Tre
          ^^^
  fix: Write `Tree`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.problems import Problem

PICTURE_WIDTH = 160
"""The most characters of a long line that the picture of a problem shows."""


def format_problem(problem: Problem, lines: Sequence[str] | None = None) -> str:
    """Return the problem as a compiler prints it: ``file:line:column: error: message``.

    With ``lines`` (those of the source) its line follows, with carets under what is wrong. The fix
    comes last.
    """
    location = []
    if problem.path is not None:
        location.append(problem.path)
    if problem.line is not None:
        location += [str(problem.line), str(problem.column or 1)]
    message = f"{problem.severity}: {problem.message}"
    if location:
        message = f"{':'.join(location)}: {message}"
    rows = [message]
    if lines is not None and problem.line is not None:
        rows += _caret_picture(problem, problem.line, lines)
    if problem.fix is not None:
        rows.append(f"  fix: {problem.fix.title}")
    return "\n".join(rows)


def _caret_picture(problem: Problem, line: int, lines: Sequence[str]) -> list[str]:
    """Return the line of a problem, and one with carets under what is wrong in it."""
    if line > len(lines):
        return []
    source = lines[line - 1]
    start = min((problem.column or 1) - 1, len(source))
    end = len(source)
    ends_in_line = problem.end_line in (None, line)
    if ends_in_line:
        end = start + 1  # one caret, unless the end is known
        if problem.end_column:
            end = problem.end_column - 1
    caret_line = _caret_line(source, start, end)
    # Of a long line a window is shown, with dots for what is left out of it.
    first, last = _window(start, len(source))
    excerpt = source[first:last]
    # A caret after the last character of a line is outside the window, and shown all the same.
    caret_line = caret_line[first : max(last, start + 1)]
    if first > 0:
        excerpt = f"…{excerpt}"
        caret_line = f" {caret_line}"
    if last < len(source):
        excerpt = f"{excerpt}…"
    return [f"  {excerpt}", f"  {caret_line}"]


def _caret_line(source: str, start: int, end: int) -> str:
    """Return a line with carets under the characters of ``source`` from ``start`` to ``end``.

    Tabs are kept: the carets are then under their characters at any tab width.
    """
    margin = "".join("\t" if character == "\t" else " " for character in source[:start])
    carets = "".join("\t" if character == "\t" else "^" for character in source[start:end])
    return margin + (carets.rstrip("\t") or "^")


def _window(start: int, length: int) -> tuple[int, int]:
    """Return the part of a line that is shown: all of it, or a window around ``start``."""
    if length <= PICTURE_WIDTH:
        return 0, length
    first = max(0, min(start - PICTURE_WIDTH // 3, length - PICTURE_WIDTH))
    return first, first + PICTURE_WIDTH
