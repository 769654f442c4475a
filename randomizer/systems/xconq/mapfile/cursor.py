"""Reading the lines of a mapfile: a position that moves on, and the problems on the way.

    cursor = Cursor(text, path, first_line=header.next_line)
    line = cursor.take("the version")           # the next line, which is used up
    cursor.error("version", "...")              # a problem of that line

The reader of each section takes its lines from the same ``Cursor``. An error leaves its value out
and reading goes on; where the following lines cannot be told apart any more UnreadableError is
raised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity

MAX_ERRORS = 20
"""After so many errors in a file the rest of it is not read.

With more, a file of another kind fills the list of problems.
"""

LARGEST_NUMBER = 2**31 - 1
"""The largest number of a line, and with a minus the least one: Xconq reads them in 32 bits.

-2**31 would fit as well, but no file has it.
"""

_MAX_DIGITS = 10
"""A number with more digits is too large: it is not even converted, which takes long for many."""

_NUMBER = re.compile(r"-?\d+", re.ASCII)
_WORD = re.compile(r"\S+")


class UnreadableError(Exception):
    """The rest of the file cannot be read; the problems are in the cursor."""


class Cursor:
    """The lines of a file, the position of the next one, and the problems so far.

    Blank lines are skipped, with one warning: the document allows none.
    """

    def __init__(
        self,
        text: str,
        path: str | None = None,
        first_line: int = 0,
        size: tuple[int, int] = (0, 0),
    ) -> None:
        self.lines = text.split("\n")
        self.path = path
        """The path for problems."""
        self.next_index = first_line
        """The index of the next line."""
        self.size = size
        """The width and height of the map read last, (0, 0) for none: views of sides have it."""
        self.problems: list[Problem] = []
        self._error_count = 0
        self._has_warned_of_blank = False

    @property
    def line_number(self) -> int:
        """The number, from 1, of the line that was taken last."""
        return self.next_index

    def peek(self) -> str | None:
        """Return the next line that is not blank; None at the end of the file.

        The blank lines before it are skipped for good; the first of a file gets a warning.
        """
        first_index = self.next_index
        while self.next_index < len(self.lines) and not self.lines[self.next_index].strip():
            self.next_index += 1
        if self.next_index == len(self.lines):
            return None
        has_skipped_blank = self.next_index > first_index
        if has_skipped_blank and not self._has_warned_of_blank:
            self._has_warned_of_blank = True
            message = "Here is a blank line; the document allows none between the lines of a file"
            number = first_index + 1
            span = (self.path, number, 1, number, len(self.lines[first_index]) + 1)
            self.problems.append(Problem(Severity.WARNING, "blank-line", message, *span))
        return self.lines[self.next_index]

    def take(self, title: str) -> str:
        """Take the next line that is not blank. Raises UnreadableError at the end of the file.

        ``title`` names what the line should hold, for the message.
        """
        line = self.peek()
        if line is None:
            # The error stands behind the last line that is not blank.
            last_index = len(self.lines) - 1
            while last_index > 0 and not self.lines[last_index].strip():
                last_index -= 1
            column = len(self.lines[last_index]) + 1
            message = f"The file ends before {title}"
            self.error("file-ends", message, column, line_number=last_index + 1)
            raise UnreadableError
        self.next_index += 1
        return line

    # --- problems ---------------------------------------------------------------------------

    def error(
        self,
        code: str,
        message: str,
        column: int = 1,
        end_column: int | None = None,
        fix: Fix | None = None,
        *,
        line_number: int | None = None,
    ) -> None:
        """Add an error in a line. Raises UnreadableError after too many.

        It marks the columns from ``column`` to ``end_column``, one character at least; None is the
        end of the line. The line is the one that was taken last unless ``line_number`` is given.
        """
        if line_number is None:
            line_number = self.line_number
        if end_column is None:
            end_column = len(self.lines[line_number - 1]) + 1
        span = (self.path, line_number, column, line_number, max(column + 1, end_column))
        self.problems.append(Problem(Severity.ERROR, code, message, *span, fix))
        self._error_count += 1
        if self._error_count >= MAX_ERRORS:
            raise UnreadableError

    def warn(self, code: str, message: str, *, line_number: int | None = None) -> None:
        """Add a warning about a line, as of ``error``."""
        if line_number is None:
            line_number = self.line_number
        end_column = max(2, len(self.lines[line_number - 1]) + 1)
        span = (self.path, line_number, 1, line_number, end_column)
        self.problems.append(Problem(Severity.WARNING, code, message, *span))

    # --- numbers ----------------------------------------------------------------------------

    def numbers(
        self, line: str, names: Sequence[str], start: int = 0, missing_fix: Fix | None = None
    ) -> list[int] | None:
        """Return the numbers of the line that was taken last, from ``start`` on, one for each name.

        None with an error: numbers may not be omitted. ``missing_fix`` is for a line in which only
        the last one is missing.
        """
        numbers = self.all_numbers(line, start)
        if numbers is None:
            return None
        if len(numbers) < len(names):
            message = (
                f"The number “{names[len(numbers)]}” is missing: here stand {', '.join(names)}; "
                "numbers may not be omitted"
            )
            end = len(line.rstrip())
            fix = None
            if len(numbers) == len(names) - 1:
                fix = missing_fix
            self.error("number-missing", message, end + 1, end + 2, fix)
            return None
        if len(numbers) > len(names):
            words = list(_WORD.finditer(line, start))
            message = f"Here stand {counted(len(numbers), 'number')}, expected {', '.join(names)}"
            self.error("number-surplus", message, words[len(names)].start() + 1)
            return None
        return numbers

    def all_numbers(self, line: str, start: int = 0) -> list[int] | None:
        """Return all numbers of the line that was taken last, from ``start`` on.

        None with an error for other words.
        """
        numbers = []
        for word in _WORD.finditer(line, start):
            number = self._number(word)
            if number is None:
                return None
            numbers.append(number)
        return numbers

    def _number(self, word: re.Match[str]) -> int | None:
        """Return the number that a word of the line taken last is; None with an error."""
        text = word[0]
        if not _NUMBER.fullmatch(text):
            message = f"Here stands a whole number, not “{text:.40}”"
            self.error("no-number", message, word.start() + 1, word.end() + 1)
            return None
        digits = text.lstrip("-").lstrip("0")
        if len(digits) > _MAX_DIGITS or int(digits or "0") > LARGEST_NUMBER:
            message = f"The number has more than 32 bits: {text:.40}"
            self.error("number-range", message, word.start() + 1, word.end() + 1)
            return None
        number = int(digits or "0")
        if text.startswith("-"):
            number = -number
        return number
