"""What a map has that the chosen details of sides and units do not save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.mapfile.unit_things import units_of
from randomizer.systems.xconq.records import sides_of
from randomizer.systems.xconq.units.unit_state import MORE, more_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.things import Thing
    from randomizer.systems.xconq.mapfile.details import SaveDetails
    from randomizer.systems.xconq.records import Side


def detail_losses(battlemap: BattleMap, details: SaveDetails) -> tuple[Problem, ...]:
    """A hint for each kind of facts about sides and units that a higher detail would save.

    A section that is not saved at all is not mentioned.
    """
    lost: list[tuple[int, int, str]] = []
    if saved := details.detail("s"):
        lost += [(saved, *each) for each in _of_sides(sides_of(battlemap).sides)]
    if saved := details.detail("u"):
        lost += [(saved, *each) for each in _of_units(units_of(battlemap))]
    return tuple(
        Problem(Severity.HINT, "detail-lost", f"Not kept with {details.text()}: {words}")
        for saved, needed, words in lost
        if needed > saved
    )


def _of_sides(sides: Iterable[Side]) -> Iterator[tuple[int, str]]:
    """The details that hold what these sides have, each with that in words."""
    there = list(sides)
    if any(any(side.attitudes) or side.ideology for side in there):
        yield 2, "attitudes of the sides"
    if any(any(number != 1 for number in side.counters) for side in there):
        yield 2, "counters of unnamed units"
    if any(side.view for side in there):
        yield 3, "what the sides have seen"
    if any(side.player or side.statistics for side in there):
        yield 4, "players and statistics"


def _of_units(units: Iterable[Thing]) -> Iterator[tuple[int, str]]:
    """The details that hold what these units have, each with that in words."""
    states = [unit.state for unit in units]
    scalar = sum(any(name != MORE for name in state) for state in states)
    if scalar:
        yield 2, f"hit points, quality, supplies or transport of {counted(scalar, 'unit')}"
    for level, name, words in ((3, "orders", "orders"), (4, "moves", "moves that are left")):
        count = sum(name in more_of(state) for state in states)
        if count:
            yield level, f"{words} of {counted(count, 'unit')}"
