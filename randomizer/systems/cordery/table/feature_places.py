"""Steps 1.2 and 1.3: the area of the next feature, counted along rows or beside the last one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.tables import ADJACENT, LOCATING_DICE
from randomizer.systems.cordery.dice.throws import Decision, Throws
from randomizer.systems.cordery.table.table_edges import counted_on

Free = Callable[[int], bool]
"""Whether a feature may stand in an area."""

CLOCKWISE = {
    4: ("north", "east", "south", "west"),
    6: ("north-east", "east", "south-east", "south-west", "west", "north-west"),
}
"""The directions by a die's score from 1; the grid's sides have the same order."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The area of a feature. ``chained``: beside the previous feature.

    ``words`` explain it for the log.
    """

    cell: int
    chained: bool
    words: str


def decided_area(
    grid: Grid, throws: Throws, decision: Decision, name_of: Callable[[int], str]
) -> int | None:
    """Return the area set by a decision, None without one.

    Raises ProblemError for an unknown area.
    """
    text = throws.decided(decision)
    if text is None:
        return None
    area = next((cell for cell in grid.cells.tolist() if name_of(cell) == text), None)
    if area is None:
        raise error("decision", f"{decision.name} {text}: there is no such area on this table")
    return int(area)


class Locator:
    """Locates the features of one kind, one after the other.

    ``name_of`` gives an area's name for the log.
    """

    def __init__(self, grid: Grid, throws: Throws, name_of: Callable[[int], str]) -> None:
        self._grid = grid
        self._throws = throws
        self._name_of = name_of
        self._last = -1

    def next(
        self, name: str, free: Free, *, chain: bool = True, beside: Free | None = None
    ) -> Spot | None:
        """Return the area of the next feature, called ``name``; None if no area is free.

        ``chain``: a die can put it beside the previous one, where ``beside`` (else ``free``)
        allows. The decision "``name`` at" sets the area instead.
        """
        throws = self._throws
        spot = self.by_hand(name, free)
        if spot is None:
            if chain and self._last >= 0:
                score = throws.d6(f"{name} chain")
            else:
                score = 0
            chained = score in ADJACENT
            if chained:
                spot_or_none = self.beside(name, self._last, beside or free)
            else:
                spot_or_none = None
            if spot_or_none is None:
                spot_or_none = self._counted(name, free)
            if spot_or_none is None:
                return None
            spot = spot_or_none
            if score:
                explanation = f"D6 = {score}, {'adjacent' if chained else 'counted on'}"
                if chained and not spot.chained:
                    explanation += ", but nothing is free there"
                spot = replace(spot, words=f"{explanation}: {spot.words}")
        self._last = spot.cell
        return spot

    def by_hand(self, name: str, free: Free) -> Spot | None:
        """Return the area set by the decision "``name`` at", None without one."""
        cell = decided_area(self._grid, self._throws, Decision(f"{name} at"), self._name_of)
        if cell is None:
            return None
        if not free(cell):
            where = self._name_of(cell)
            raise error("decision", f"{name} cannot stand at {where}: it is not free")
        return Spot(cell, False, "put there by hand")

    def beside(self, name: str, cell: int, free: Free) -> Spot | None:
        """Return a free area beside ``cell``: a die gives the direction, then clockwise from
        there.
        """
        grid = self._grid
        neighbours = [grid.neighbour(cell, side) for side in range(grid.degree)]
        if not any(neighbour >= 0 and free(neighbour) for neighbour in neighbours):
            return None
        thrown = self._throws.within(f"{name} direction", grid.degree)
        first = thrown.score - 1
        for turn in range(grid.degree):
            side = (first + turn) % grid.degree
            neighbour = neighbours[side]
            if neighbour >= 0 and free(neighbour):
                words = f"{thrown}, {CLOCKWISE[grid.degree][side]} of {self._name_of(cell)}"
                if turn:
                    words += f" (not {CLOCKWISE[grid.degree][first]}, where it cannot stand)"
                return Spot(neighbour, True, words)
        return None

    def _counted(self, name: str, free: Free) -> Spot | None:
        grid = self._grid
        throws = self._throws
        if not any(free(cell) for cell in grid.cells.tolist()):
            return None
        if self._last < 0:
            row = throws.within(f"{name} row", min(6, grid.height))
            start = (row.score - 1) * grid.width - 1
            from_words = f"row {row.score}"
            if row.rejected:
                from_words += f" ({row})"
        else:
            start = self._last
            from_words = self._name_of(self._last)
        scores = throws.dice(f"{name} steps", LOCATING_DICE)
        counted = list(counted_on(grid, start, sum(scores)))
        target = counted[0]
        cell = next(cell for cell in counted if free(cell))
        words = f"3D6 = {'+'.join(map(str, scores))} = {sum(scores)} along from {from_words}"
        if cell != target:
            words += f" to {self._name_of(target)}, the next free area"
        return Spot(cell, False, words)
