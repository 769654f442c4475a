"""The save string: which sections a map is saved with, and in what detail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from randomizer.systems.xconq.header import SECTIONS

USUAL = "ms1u1"
"""The string that build mode suggests."""

DETAILS = (1, 2, 3, 4, 9)

_PIECE = re.compile(r"([vpmgsu])([0-9]?)")

_SIDE_WORDS = {
    1: "the names of the sides",
    2: "the sides with attitudes and counters",
    3: "the sides with what they have seen of the map",
    4: "the sides with players and statistics",
    9: "all of the sides",
}
_UNIT_WORDS = {
    1: "units by type, name, place and side",
    2: "units with hit points, supplies and the like",
    3: "units with their orders",
    4: "units with their moves",
    9: "all of the units",
}
_PLAIN_WORDS = {
    "v": "the version of Xconq",
    "p": "the text of the period",
    "m": "the map",
    "g": "turns and conditions",
}


@dataclass(frozen=True, slots=True)
class SaveDetails:
    """The sections that are saved, by letter (``header.SECTIONS``), and the two details.

    ``sides`` and ``units`` are 0 where that section is not saved.
    """

    plain: str = "m"
    sides: int = 1
    units: int = 1

    @classmethod
    def parse(cls, text: str) -> SaveDetails:
        """The details of a save string, in any order. Raises ValueError.

        ``s`` and ``u`` take the digit after their first occurrence, 1 without one.
        """
        found: dict[str, int] = {}
        at = 0
        while at < len(text):
            piece = _PIECE.match(text, at)
            if piece is None or (piece[2] and piece[1] not in "su"):
                raise ValueError(
                    f"“{text[at : at + 2]}”: letters of {SECTIONS} and digits after s, u"
                )
            if int(piece[2] or 1) not in DETAILS:
                raise ValueError(f"“{piece[0]}”: the details are 1, 2, 3, 4 and 9")
            found.setdefault(piece[1], int(piece[2] or 1))
            at = piece.end()
        plain = "".join(letter for letter in "vpmg" if letter in found)
        return cls(plain, found.get("s", 0), found.get("u", 0))

    def text(self) -> str:
        """The save string, in the order of the sections."""
        sides = f"s{self.sides}" if self.sides else ""
        units = f"u{self.units}" if self.units else ""
        return f"{self.plain}{sides}{units}"

    @property
    def sections(self) -> str:
        """The letters of the sections in the order of the flags."""
        return self.plain + ("s" if self.sides else "") + ("u" if self.units else "")

    def detail(self, letter: str) -> int:
        """The detail of a section: 1 for one without, 0 for one that is not saved."""
        if letter in "su":
            return self.sides if letter == "s" else self.units
        return int(letter in self.plain)

    def including(self, letters: Iterable[str]) -> SaveDetails:
        """The details with these sections, in detail 1 where they were not saved."""
        wanted = {*self.sections, *letters}
        return SaveDetails(
            "".join(letter for letter in "vpmg" if letter in wanted),
            max(self.sides, int("s" in wanted)),
            max(self.units, int("u" in wanted)),
        )

    def words(self) -> tuple[str, ...]:
        """What is saved, a phrase for each section."""
        found = [_PLAIN_WORDS[letter] for letter in self.plain]
        if self.sides:
            found.append(_SIDE_WORDS[self.sides])
        if self.units:
            found.append(_UNIT_WORDS[self.units])
        return tuple(found)
