"""A place in the lines of a mapfile that moves on as its sections are read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity

MOST_ERRORS = 20
"""After so many errors in a file the rest of it is not read."""

LARGEST_NUMBER = 2**31 - 1
_NUMBER = re.compile(r"-?\d+", re.ASCII)
_WORD = re.compile(r"\S+")


class UnreadableError(Exception):
    """The rest of the file cannot be read; the problems are in the cursor."""


class Cursor:
    """The lines of a file, the index ``at`` of the next one, and the problems so far.

    Blank lines are skipped, with one warning: the document allows none.
    """

    def __init__(self, text: str, path: str | None = None, at: int = 0) -> None:
        self.lines = text.split("\n")
        self.path = path
        self.at = at
        self.problems: list[Problem] = []
        self._errors = 0
        self._blank = False

    def peek(self) -> str | None:
        """The next line that is not blank; None at the end of the file."""
        start = self.at
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        if self.at == len(self.lines):
            return None
        if self.at > start and not self._blank:
            self._blank = True
            message = "Here is a blank line; the document allows none between the lines of a file"
            place = (self.path, start + 1, 1, start + 1, len(self.lines[start]) + 1)
            self.problems.append(Problem(Severity.WARNING, "blank-line", message, *place))
        return self.lines[self.at]

    def take(self, what: str) -> str:
        """The next line that is not blank. Raises UnreadableError at the end of the file."""
        line = self.peek()
        if line is None:
            last = max((i for i, each in enumerate(self.lines) if each.strip()), default=0)
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
        place = (self.path, self.at, column, self.at, end)
        self.problems.append(Problem(severity, code, message, *place, fix))

    def section(self, word: str, names: Sequence[str]) -> list[int]:
        """The numbers of a section's first line, ``word`` and a number for each name.

        Raises UnreadableError if the line is another.
        """
        line = self.take(f"the section {word}")
        first = line.split(maxsplit=1)[0]
        if first != word:
            message = (
                f"Here begins the section {word}, by the flags of the header: "
                f"“{word} {' '.join(names)}”"
            )
            self.error("section", message, len(line) - len(line.lstrip()) + 1)
            raise UnreadableError
        start = line.index(word) + len(word)
        found = self.numbers(line, names, start)
        if found is None:
            raise UnreadableError
        return found

    def numbers(
        self,
        line: str,
        names: Sequence[str],
        start: int = 0,
        missing_fix: Fix | None = None,
    ) -> list[int] | None:
        """The numbers of the line that was taken last, from ``start`` on, one for each name.

        None with an error: numbers may not be omitted. ``missing_fix`` is for a line in which only
        the last one is missing.
        """
        found = self.all_numbers(line, start)
        if found is None:
            return None
        if len(found) < len(names):
            message = (
                f"The number “{names[len(found)]}” is missing: here stand {', '.join(names)}; "
                "numbers may not be omitted"
            )
            end = len(line.rstrip())
            fix = missing_fix if len(found) == len(names) - 1 else None
            self.error("number-missing", message, end + 1, end + 2, fix)
            return None
        if len(found) > len(names):
            words = list(_WORD.finditer(line, start))
            message = f"Here stand {counted(len(found), 'number')}, expected {', '.join(names)}"
            self.error("number-surplus", message, words[len(names)].start() + 1)
            return None
        return found

    def all_numbers(self, line: str, start: int = 0) -> list[int] | None:
        """All numbers of the line that was taken last; None with an error for other words."""
        found = []
        for word in _WORD.finditer(line, start):
            if not _NUMBER.fullmatch(word[0]):
                message = f"Here stands a whole number, not “{word[0]:.40}”"
                self.error("no-number", message, word.start() + 1, word.end() + 1)
                return None
            digits = word[0].lstrip("-").lstrip("0")
            value = int(digits or "0") if len(digits) <= 10 else LARGEST_NUMBER + 1
            if value > LARGEST_NUMBER:
                message = f"The number has more than 32 bits: {word[0]:.40}"
                self.error("number-range", message, word.start() + 1, word.end() + 1)
                return None
            found.append(-value if word[0].startswith("-") else value)
        return found
