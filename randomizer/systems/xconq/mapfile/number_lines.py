"""Lines of whole numbers in mapfiles, read and written by the names of the numbers.

Most lines of a mapfile are such, and the document names each number::

    line = NumberLine({"numsides": "number", "detail": "detail"}, word="Sides")
    line.read_section(cursor)           # {"number": 3, "detail": 1} for "Sides 3 1"
    line.text(sides, number=3)          # "Sides 3 1"; the detail is an attribute of ``sides``
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.model.problems import Fix
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A line of whole numbers, some of which begin a section with its word."""

    fields: Mapping[str, str]
    """The names of fields by the names of the numbers in the document, in their order in a line."""

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
