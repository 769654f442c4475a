"""Reading the lines of a mapfile: a position that moves on, and the problems on the way.

Each section's reader takes its lines from the same ``Cursor``. Most of them are whole numbers,
which a ``NumberLine`` reads and writes by the names of their fields. An error leaves its value out
and reading goes on; where the following lines cannot be told apart any more it raises
UnreadableError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.header import encode

MOST_ERRORS = 20
"""After so many errors in a file the rest of it is not read."""

LARGEST_NUMBER = 2**31 - 1
"""The largest number of a line, and with a minus the least one: Xconq reads them in 32 bits."""

_MOST_DIGITS = 10
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
        self, text: str, path: str | None = None, at: int = 0, size: tuple[int, int] = (0, 0)
    ) -> None:
        self.lines = text.split("\n")
        self.path = path
        self.at = at
        """The index of the next line; the number of the line taken last, from 1."""
        self.size = size
        """The width and height of the map read last, (0, 0) for none: views of sides have it."""
        self.problems: list[Problem] = []
        self._errors = 0
        self._has_warned_of_blank = False

    def peek(self) -> str | None:
        """Return the next line that is not blank; None at the end of the file."""
        start = self.at
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        if self.at == len(self.lines):
            return None
        if self.at > start and not self._has_warned_of_blank:
            self._has_warned_of_blank = True
            message = "Here is a blank line; the document allows none between the lines of a file"
            span = (self.path, start + 1, 1, start + 1, len(self.lines[start]) + 1)
            self.problems.append(Problem(Severity.WARNING, "blank-line", message, *span))
        return self.lines[self.at]

    def take(self, title: str) -> str:
        """Take the next line that is not blank. Raises UnreadableError at the end of the file.

        ``title`` names what the line should hold, for the message.
        """
        line = self.peek()
        if line is None:
            # The error stands behind the last line that is not blank.
            last = max((i for i, line in enumerate(self.lines) if line.strip()), default=0)
            self.at = last + 1
            self.error("file-ends", f"The file ends before {title}", len(self.lines[last]) + 1)
            raise UnreadableError
        self.at += 1
        return line

    def error(
        self,
        code: str,
        message: str,
        column: int = 1,
        end_column: int | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Add an error in the line that was taken last. Raises UnreadableError after too many."""
        self._add(Severity.ERROR, code, message, column, end_column, fix)
        self._errors += 1
        if self._errors >= MOST_ERRORS:
            raise UnreadableError

    def warn(self, code: str, message: str) -> None:
        """Add a warning about the line that was taken last."""
        self._add(Severity.WARNING, code, message)

    def _add(
        self,
        severity: Severity,
        code: str,
        message: str,
        column: int = 1,
        end_column: int | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Add a problem of the line that was taken last; it marks at least one character.

        ``end_column`` None is the end of the line.
        """
        if end_column is None:
            end_column = len(self.lines[self.at - 1]) + 1
        span = (self.path, self.at, column, self.at, max(column + 1, end_column))
        self.problems.append(Problem(severity, code, message, *span, fix))

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
            text = word[0]
            if not _NUMBER.fullmatch(text):
                message = f"Here stands a whole number, not “{text:.40}”"
                self.error("no-number", message, word.start() + 1, word.end() + 1)
                return None
            digits = text.lstrip("-").lstrip("0")
            if len(digits) > _MOST_DIGITS or int(digits or "0") > LARGEST_NUMBER:
                message = f"The number has more than 32 bits: {text:.40}"
                self.error("number-range", message, word.start() + 1, word.end() + 1)
                return None
            number = int(digits or "0")
            if text.startswith("-"):
                number = -number
            numbers.append(number)
        return numbers


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A line of whole numbers, read and written by one row of names.

    ``NumberLine({"numsides": "number", "detail": "detail"}, "Sides")`` reads ``Sides 3 1`` as
    ``{"number": 3, "detail": 1}`` and returns that line for ``text(sides, number=3)``.
    """

    fields: Mapping[str, str]
    """The field that holds each number, by the number's name in the document, in their order."""

    word: str = ""
    """The word before the numbers, with which a section begins; "" for other lines."""

    def read_section(self, cursor: Cursor) -> dict[str, int]:
        """Return the numbers of a section's first line by their fields.

        Raises UnreadableError if it is no such line.
        """
        line = cursor.take(f"the section {self.word}")
        first = line.split(maxsplit=1)[0]
        if first != self.word:
            message = (
                f"Here begins the section {self.word}, by the flags of the header: "
                f"“{self.word} {' '.join(self.fields)}”"
            )
            cursor.error("section", message, len(line) - len(line.lstrip()) + 1)
            raise UnreadableError
        values = self.read(cursor, line, start=line.index(first) + len(first))
        if values is None:
            raise UnreadableError
        return values

    def read(
        self, cursor: Cursor, line: str, start: int = 0, missing_fix: Fix | None = None
    ) -> dict[str, int] | None:
        """Return the numbers of the line that was taken last, from ``start`` on, by their fields.

        None with an error, as of ``Cursor.numbers``.
        """
        numbers = cursor.numbers(line, tuple(self.fields), start, missing_fix)
        if numbers is None:
            return None
        return dict(zip(self.fields.values(), numbers, strict=True))

    def text(self, facts: object, **values: int) -> str:
        """Return the line, without its end, of ``values`` and of the other fields of ``facts``."""
        words = []
        if self.word:
            words.append(self.word)
        for field in self.fields.values():
            if field in values:
                number = values[field]
            else:
                number = getattr(facts, field)
            # Booleans are written as 1 and 0.
            words.append(str(int(number)))
        return " ".join(words)


UNNAMED = "*"
"""The name of an unnamed unit in a file."""


def name_of(token: str) -> str:
    """Return the name that a token means, which has ``*`` for blanks; "" for an unnamed unit."""
    if token == UNNAMED:
        return ""
    return token.replace("*", " ")


def token_of(name: str) -> str:
    """Return a name as a token of a file: characters that Latin-1 lacks become ``?``."""
    return encode("*".join(name.split()) or UNNAMED).decode("latin-1")


def star_fix(line: str, number: int, start: int, end: int) -> Fix:
    """Return the fix that writes ``*`` for the blanks of a name.

    The name is ``line[start:end]``; ``number`` is that of the line, from 1.
    """
    name = "*".join(line[start:end].split())
    return Fix(f"write the name as {name}", (TextEdit(number, start + 1, number, end + 1, name),))
