"""The save string of build mode: the sections that a map is saved with, and their details.

Each section has a letter. Sides and units can be saved in several *details*, where a higher one has
more lines for each side or unit::

    details = SaveDetails.parse("ms1u4")    # the map, the sides in detail 1, the units in detail 4
    details.detail("u")                     # 4
    details.detail("g")                     # 0: the globals are not saved
    details.text()                          # "ms1u4"

``detail_losses`` tells what of a map these details would leave out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.header import SECTIONS
from randomizer.systems.xconq.mapfile.written_units import units_of
from randomizer.systems.xconq.records import Side, sides_of
from randomizer.systems.xconq.units.unit_state import FILE_ENTRIES, file_entries

USUAL = "ms1u1"
"""The string that the build mode of the real program suggests."""

DETAILS = (1, 2, 3, 4, 9)
"""The details that a section can have; 9 is all that there is."""

DETAILED = "su"
"""The sections that have details; the others are saved or not."""

_PIECE = re.compile(rf"([{SECTIONS}])([0-9]?)")
"""A letter of a save string, and the detail behind it, "" for none."""


@dataclass(frozen=True, slots=True)
class SaveDetails:
    """The sections that a map is saved with, and in what detail."""

    levels: Mapping[str, int]
    """The detail of each section by letter, in the order of ``header.SECTIONS``.

    It is 1 for one that has no details. A section that is missing, or has 0, is not saved.
    """

    def __post_init__(self) -> None:
        levels = {section: self.levels[section] for section in SECTIONS if self.levels.get(section)}
        object.__setattr__(self, "levels", MappingProxyType(levels))

    @classmethod
    def parse(cls, text: str) -> SaveDetails:
        """Return the details of a save string, whose letters stand in any order.

        A letter without a digit has the detail 1. If a letter stands there twice, the first counts.
        Raises ValueError for anything else.
        """
        levels: dict[str, int] = {}
        position = 0
        while position < len(text):
            piece = _PIECE.match(text, position)
            if piece is None or (piece[2] and piece[1] not in DETAILED):
                odd_text = text[position : position + 2]  # a letter and its digit
                raise ValueError(f"“{odd_text}”: letters of {SECTIONS} and digits after s, u")
            letter = piece[1]
            detail = int(piece[2] or 1)
            if detail not in DETAILS:
                raise ValueError(f"“{piece[0]}”: the details are 1, 2, 3, 4 and 9")
            levels.setdefault(letter, detail)
            position = piece.end()
        return cls(levels)

    def text(self) -> str:
        """Return the save string, in the order of the sections."""
        text = ""
        for letter, detail in self.levels.items():
            text += letter
            if letter in DETAILED:
                text += str(detail)
        return text

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
    lost_facts: list[_DetailedFacts] = []
    detail_of_sides = details.detail("s")
    if detail_of_sides:
        facts_of_sides = _facts_of_sides(sides_of(battlemap).sides)
        lost_facts += [facts for facts in facts_of_sides if facts.detail > detail_of_sides]
    detail_of_units = details.detail("u")
    if detail_of_units:
        facts_of_units = _facts_of_units(units_of(battlemap))
        lost_facts += [facts for facts in facts_of_units if facts.detail > detail_of_units]
    losses = []
    for facts in lost_facts:
        message = f"Not kept with {details.text()}: {facts.title}"
        losses.append(Problem(Severity.HINT, "detail-lost", message))
    return tuple(losses)


class _DetailedFacts(NamedTuple):
    """Facts that a map has of its sides or units."""

    detail: int
    """The least detail that saves them."""

    title: str
    """The facts in words, for a sentence: "attitudes of the sides"."""


def _facts_of_sides(sides: Sequence[Side]) -> Iterator[_DetailedFacts]:
    """Yield the facts that any of these sides has beside its name."""
    if any(any(side.attitudes) or side.ideology for side in sides):
        yield _DetailedFacts(2, "attitudes of the sides")
    if any(any(number != 1 for number in side.counters) for side in sides):
        yield _DetailedFacts(2, "counters of unnamed units")
    if any(side.view for side in sides):
        yield _DetailedFacts(3, "what the sides have seen")
    if any(side.player or side.statistics for side in sides):
        yield _DetailedFacts(4, "players and statistics")


def _facts_of_units(units: Iterable[Thing]) -> Iterator[_DetailedFacts]:
    """Yield the facts that any of these units has beside its type, name, position and side."""
    states = [unit.state for unit in units]
    with_numbers = sum(any(name != FILE_ENTRIES for name in state) for state in states)
    if with_numbers:
        units_text = counted(with_numbers, "unit")
        yield _DetailedFacts(2, f"hit points, quality, supplies or transport of {units_text}")
    with_orders = sum("orders" in file_entries(state) for state in states)
    if with_orders:
        yield _DetailedFacts(3, f"orders of {counted(with_orders, 'unit')}")
    with_moves = sum("moves" in file_entries(state) for state in states)
    if with_moves:
        yield _DetailedFacts(4, f"moves that are left of {counted(with_moves, 'unit')}")
