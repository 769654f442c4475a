"""The save string: which sections a map is saved with, in what detail, and what that leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.header import SECTIONS
from randomizer.systems.xconq.mapfile.unit_things import units_of
from randomizer.systems.xconq.records import Side, sides_of
from randomizer.systems.xconq.units.unit_state import MORE, more_of

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
        levels = {section: self.levels[section] for section in SECTIONS if self.levels.get(section)}
        object.__setattr__(self, "levels", MappingProxyType(levels))

    @classmethod
    def parse(cls, text: str) -> SaveDetails:
        """Return the details of a save string, in any order. Raises ValueError.

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
        """Return the save string, in the order of the sections."""
        return "".join(
            f"{letter}{detail}" if letter in DETAILED else letter
            for letter, detail in self.levels.items()
        )

    @property
    def sections(self) -> str:
        """The letters of the sections in the order of the flags."""
        return "".join(self.levels)

    def detail(self, letter: str) -> int:
        """Return the detail of a section: 1 for one without, 0 for one that is not saved."""
        return self.levels.get(letter, 0)

    def including(self, letters: Iterable[str]) -> SaveDetails:
        """Return the details with these sections, in detail 1 where they were not saved."""
        return SaveDetails({**dict.fromkeys(letters, 1), **self.levels})


def detail_losses(battlemap: BattleMap, details: SaveDetails) -> tuple[Problem, ...]:
    """Return a hint for each kind of facts about sides and units that a higher detail would save.

    A section that is not saved at all is not mentioned.
    """
    lost: list[tuple[int, int, str]] = []
    if saved := details.detail("s"):
        lost += [(saved, *of_side) for of_side in _of_sides(sides_of(battlemap).sides)]
    if saved := details.detail("u"):
        lost += [(saved, *of_unit) for of_unit in _of_units(units_of(battlemap))]
    return tuple(
        Problem(Severity.HINT, "detail-lost", f"Not kept with {details.text()}: {words}")
        for saved, needed, words in lost
        if needed > saved
    )


def _of_sides(sides: Iterable[Side]) -> Iterator[tuple[int, str]]:
    """Yield the details that hold what these sides have, each with that in words."""
    side_list = list(sides)
    if any(any(side.attitudes) or side.ideology for side in side_list):
        yield 2, "attitudes of the sides"
    if any(any(number != 1 for number in side.counters) for side in side_list):
        yield 2, "counters of unnamed units"
    if any(side.view for side in side_list):
        yield 3, "what the sides have seen"
    if any(side.player or side.statistics for side in side_list):
        yield 4, "players and statistics"


def _of_units(units: Iterable[Thing]) -> Iterator[tuple[int, str]]:
    """Yield the details that hold what these units have, each with that in words."""
    states = [unit.state for unit in units]
    scalar = sum(any(name != MORE for name in state) for state in states)
    if scalar:
        yield 2, f"hit points, quality, supplies or transport of {counted(scalar, 'unit')}"
    for level, name, words in ((3, "orders", "orders"), (4, "moves", "moves that are left")):
        count = sum(name in more_of(state) for state in states)
        if count:
            yield level, f"{words} of {counted(count, 'unit')}"
