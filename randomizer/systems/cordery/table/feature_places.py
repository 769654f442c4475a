"""Steps 1.2 and 1.3: the area of the next feature, counted along rows or beside the last one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.tables import ADJACENT, LOCATING_DICE
from randomizer.systems.cordery.dice.throws import Decision, Throws
from randomizer.systems.cordery.table.counting_order import counted_on

Free = Callable[[int], bool]
"""Whether a feature may stand in an area."""

CLOCKWISE = {
    4: ("north", "east", "south", "west"),
    6: ("north-east", "east", "south-east", "south-west", "west", "north-west"),
}
"""The directions by a die's score from 1; the grid's sides have the same order."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The area of a feature."""

    cell: int

    chained: bool
    """True if a die put it beside the previous feature."""

    words: str
    """The dice that chose it, for the log."""


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
        spot = self.by_hand(name, free)
        if spot is None and chain and self._last >= 0:
            spot = self._chained_or_counted(name, free, beside or free)
        elif spot is None:
            spot = self._counted(name, free)
        if spot is not None:
            self._last = spot.cell
        return spot

    def _chained_or_counted(self, name: str, free: Free, beside: Free) -> Spot | None:
        """Return the next area as a die decides (1.3): adjacent to the last one, or counted on.

        Where no area beside the last one is free, it is counted on, too.
        """
        score = self._throws.d6(f"{name} chain")
        spot = None
        if score in ADJACENT:
            explanation = f"D6 = {score}, adjacent"
            spot = self.beside(name, self._last, beside)
            if spot is None:
                explanation += ", but nothing is free there"
        else:
            explanation = f"D6 = {score}, counted on"
        if spot is None:
            spot = self._counted(name, free)
        if spot is None:
            return None
        return replace(spot, words=f"{explanation}: {spot.words}")

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
        """Return a free area beside ``cell``, None if none is free.

        A die gives the direction; where that area is not free, the next one clockwise counts.
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
        """Return the area that 3D6 count along the rows (1.2), or the next free one after it.

        The first feature is counted from the left edge, from a row that a die gives; each other one
        from the last. None if no area of the table is free.
        """
        grid = self._grid
        throws = self._throws
        if not any(free(cell) for cell in grid.cells.tolist()):
            return None
        if self._last < 0:
            row = throws.within(f"{name} row", min(6, grid.height))
            # The area before the row: so the first one of the row counts as 1.
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
