"""A place in the lines of a mapfile that moves on as its sections are read."""

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
_NUMBER = re.compile(r"-?\d+", re.ASCII)
_WORD = re.compile(r"\S+")


class UnreadableError(Exception):
    """The rest of the file cannot be read; the problems are in the cursor."""


class Cursor:
    """The lines of a file, the index ``at`` of the next one, and the problems so far.

    Blank lines are skipped, with one warning: the document allows none. ``size`` is the width and
    height of the map that was read last, (0, 0) for none: sides have views of it.
    """

    def __init__(
        self, text: str, path: str | None = None, at: int = 0, size: tuple[int, int] = (0, 0)
    ) -> None:
        self.lines = text.split("\n")
        self.path = path
        self.at = at
        self.size = size
        self.problems: list[Problem] = []
        self._errors = 0
        self._blank = False

    def peek(self) -> str | None:
        """Return the next line that is not blank; None at the end of the file."""
        start = self.at
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        if self.at == len(self.lines):
            return None
        if self.at > start and not self._blank:
            self._blank = True
            message = "Here is a blank line; the document allows none between the lines of a file"
            span = (self.path, start + 1, 1, start + 1, len(self.lines[start]) + 1)
            self.problems.append(Problem(Severity.WARNING, "blank-line", message, *span))
        return self.lines[self.at]

    def take(self, what: str) -> str:
        """Return the next line that is not blank. Raises UnreadableError at the end of the file."""
        line = self.peek()
        if line is None:
            last = max((i for i, line in enumerate(self.lines) if line.strip()), default=0)
            self.at = last + 1
            self.error("file-ends", f"The file ends before {what}", len(self.lines[last]) + 1)
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
        """An error in the line that was taken last. Raises UnreadableError after too many."""
        self._add(Severity.ERROR, code, message, column, end_column, fix)
        self._errors += 1
        if self._errors >= MOST_ERRORS:
            raise UnreadableError

    def warn(self, code: str, message: str) -> None:
        """A warning about the line that was taken last."""
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
        end = max(column + 1, end_column or len(self.lines[self.at - 1]) + 1)
        span = (self.path, self.at, column, self.at, end)
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
            fix = missing_fix if len(numbers) == len(names) - 1 else None
            self.error("number-missing", message, end + 1, end + 2, fix)
            return None
        if len(numbers) > len(names):
            words = list(_WORD.finditer(line, start))
            message = f"Here stand {counted(len(numbers), 'number')}, expected {', '.join(names)}"
            self.error("number-surplus", message, words[len(names)].start() + 1)
            return None
        return numbers

    def all_numbers(self, line: str, start: int = 0) -> list[int] | None:
        """Return all numbers of the line that was taken last; None with an error for other
        words.
        """
        result = []
        for word in _WORD.finditer(line, start):
            if not _NUMBER.fullmatch(word[0]):
                message = f"Here stands a whole number, not “{word[0]:.40}”"
                self.error("no-number", message, word.start() + 1, word.end() + 1)
                return None
            digits = word[0].lstrip("-").lstrip("0")
            if len(digits) <= 10:
                value = int(digits or "0")
            else:
                value = LARGEST_NUMBER + 1
            if value > LARGEST_NUMBER:
                message = f"The number has more than 32 bits: {word[0]:.40}"
                self.error("number-range", message, word.start() + 1, word.end() + 1)
                return None
            result.append(-value if word[0].startswith("-") else value)
        return result


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A line of whole numbers, read and written by one row of names.

    ``fields`` has for each number its name in the document and the field that holds it; ``word``
    begins a section. ``NumberLine({"numsides": "number", "detail": "detail"}, "Sides")`` reads
    ``Sides 3 1`` as ``{"number": 3, "detail": 1}`` and gives it for ``text(sides, number=3)``.
    """

    fields: Mapping[str, str]
    word: str = ""

    def read_section(self, cursor: Cursor) -> dict[str, int]:
        """Return the numbers of a section's first line by their fields.

        Raises UnreadableError if the line is another.
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
        """Return the line, without its end; what is not among ``values`` are fields of
        ``facts``.
        """
        numbers = (
            values[field] if field in values else getattr(facts, field)
            for field in self.fields.values()
        )
        return " ".join(filter(None, (self.word, *(str(int(number)) for number in numbers))))


UNNAMED = "*"


def name_of(token: str) -> str:
    """Return the name that a token means; "" for ``*``, an unnamed unit."""
    if token == UNNAMED:
        return ""
    return token.replace("*", " ")


def token_of(name: str) -> str:
    """Return a name as a token of a file: characters that Latin-1 lacks become ``?``."""
    return encode("*".join(name.split()) or UNNAMED).decode("latin-1")


def star_fix(line: str, number: int, start: int, end: int) -> Fix:
    """Return the fix that writes ``*`` for blanks of the name ``line[start:end]`` of line
    ``number``.
    """
    name = "*".join(line[start:end].split())
    return Fix(f"write the name as {name}", (TextEdit(number, start + 1, number, end + 1, name),))
