"""The save string: which sections a map is saved with, and in what detail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from randomizer.systems.xconq.header import SECTIONS

USUAL = "ms1u1"
"""The string that build mode suggests."""

DETAILS = (1, 2, 3, 4, 9)

DETAILED = "su"
"""The sections that have details; the others are saved or not."""

_PIECE = re.compile(rf"([{SECTIONS}])([0-9]?)")


@dataclass(frozen=True, slots=True)
class SaveDetails:
    """The detail of each section that is saved, by letter (``header.SECTIONS``), in their order.

    It is 1 for one that has no details. A letter that is missing, or has 0, is not saved.
    """

    levels: Mapping[str, int]

    def __post_init__(self) -> None:
        levels = {each: self.levels[each] for each in SECTIONS if self.levels.get(each)}
        object.__setattr__(self, "levels", MappingProxyType(levels))

    @classmethod
    def parse(cls, text: str) -> SaveDetails:
        """The details of a save string, in any order. Raises ValueError.

        ``s`` and ``u`` take the digit after their first occurrence, 1 without one.
        """
        levels: dict[str, int] = {}
        at = 0
        while at < len(text):
            piece = _PIECE.match(text, at)
            if piece is None or (piece[2] and piece[1] not in DETAILED):
                raise ValueError(
                    f"“{text[at : at + 2]}”: letters of {SECTIONS} and digits after s, u"
                )
            if int(piece[2] or 1) not in DETAILS:
                raise ValueError(f"“{piece[0]}”: the details are 1, 2, 3, 4 and 9")
            levels.setdefault(piece[1], int(piece[2] or 1))
            at = piece.end()
        return cls(levels)

    def text(self) -> str:
        """The save string, in the order of the sections."""
        return "".join(
            f"{letter}{detail}" if letter in DETAILED else letter
            for letter, detail in self.levels.items()
        )

    @property
    def sections(self) -> str:
        """The letters of the sections in the order of the flags."""
        return "".join(self.levels)

    def detail(self, letter: str) -> int:
        """The detail of a section: 1 for one without, 0 for one that is not saved."""
        return self.levels.get(letter, 0)

    def including(self, letters: Iterable[str]) -> SaveDetails:
        """The details with these sections, in detail 1 where they were not saved."""
        return SaveDetails({**dict.fromkeys(letters, 1), **self.levels})
