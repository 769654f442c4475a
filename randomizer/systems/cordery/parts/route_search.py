"""Steps 2.1, 3.1 and 6.1: where a route enters and leaves, and the cheapest way between."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.throws import SIDES, Decision, Throws
from randomizer.systems.cordery.table.feature_places import decided_area
from randomizer.systems.cordery.table.route_costs import OUTSIDE, Position, RouteCosts
from randomizer.systems.cordery.table.table_edges import (
    QUARTERS,
    edge_of_quarter,
    quarter_cells,
    quarter_words,
)


class RimPoint(NamedTuple):
    """The end of a route at the map edge: its area, the edge (index in ``table_edges.EDGES``)."""

    cell: int
    edge: int


def rim_point(
    grid: Grid,
    throws: Throws,
    name: str,
    clockwise_from: int,
    free: Callable[[int], bool],
    name_of: Callable[[int], str],
) -> tuple[RimPoint, int] | None:
    """Return the point ``name`` ("river 1 entry") and its quarter, D6 quarters after
    ``clockwise_from``.

    ``clockwise_from`` is 0 for an entry, which is counted from the top left corner. None if no area
    of the whole map edge is free. Logs the dice.
    """
    quarter = throws.decided_number(f"{name} quarter", 1, QUARTERS)
    reason = "as decided"
    if quarter is None:
        score = throws.d6(name)
        quarter = (clockwise_from + score - 1) % QUARTERS + 1
        reason = f"D6 = {score}"
    area = decided_area(grid, throws, Decision(f"{name} at", rim=True), name_of)
    if area is not None:
        for turn in range(QUARTERS):  # a corner area belongs to two quarters
            number = (quarter - 1 + turn) % QUARTERS + 1
            if free(area) and area in quarter_cells(grid, number):
                throws.say(f"{name.capitalize()}: {name_of(area)}, as decided", area)
                return RimPoint(area, edge_of_quarter(number)), number
        message = f"{name} at {name_of(area)}: that is no free area on the rim"
        raise error("decision", message)
    for turn in range(QUARTERS):
        number = (quarter - 1 + turn) % QUARTERS + 1
        cells = [cell for cell in quarter_cells(grid, number) if free(cell)]
        if cells:
            cell = throws.highest_first(f"{name} area", cells, name_of)[0]
            where = quarter_words(quarter)
            if turn:
                where += f"; {quarter_words(number)} is the next with a free area"
            if len(cells) > 1:
                where += f", {_area_dice(throws, name, [name_of(cell) for cell in cells])}"
            throws.say(f"{name.capitalize()}: {reason}, {where}: {name_of(cell)}", cell)
            return RimPoint(cell, edge_of_quarter(number)), quarter
    return None


def _area_dice(throws: Throws, name: str, areas: Sequence[str]) -> str:
    """Return the dice of a quarter's areas in words."""
    dice = (f"{area} {throws.dice_in_words(f'{name} area', area)}" for area in areas)
    return f"the highest of {', '.join(dice)}"


class Step(NamedTuple):
    """An area of a way.

    ``words``: the die that chose it, if the way forked before it. ``crossed``: the kinds of routes
    that are crossed there.
    """

    cell: int
    words: str = ""
    crossed: tuple[str, ...] = ()


class Ways:
    """All cheapest ways from some positions to the goals, found by the A* algorithm.

    ``cost`` is what they cost, None if there is none.
    """

    def __init__(
        self, costs: RouteCosts, starts: Collection[Position], goals: Collection[int] = ()
    ) -> None:
        self.costs = costs
        self.cost = None
        best = dict.fromkeys(starts, 0)
        before: dict[Position, list[Position]] = {start: [] for start in starts}
        queue = [(costs.least(start.cell), start) for start in starts]
        heapq.heapify(queue)
        ends: list[Position] = []
        done: set[Position] = set()
        while queue:
            bound, position = heapq.heappop(queue)
            if self.cost is not None and bound > self.cost:
                break
            if position in done:
                continue
            done.add(position)
            if costs.ends(position, goals) and position.passed:
                self.cost = best[position]
                ends.append(position)
                continue
            for step, following in costs.moves(position):
                total = best[position] + step
                best_total = best.get(following)
                if best_total is None or total < best_total:
                    best[following] = total
                    before[following] = [position]
                    heapq.heappush(queue, (total + costs.least(following.cell), following))
                elif total == best_total and following not in done:
                    before[following].append(position)
        self._after: dict[Position, set[Position]] = {}
        self.starts: set[Position] = set()
        while ends:
            position = ends.pop()
            if not before[position]:
                self.starts.add(position)
            for earlier in before[position]:
                if earlier not in self._after:
                    self._after[earlier] = set()
                    ends.append(earlier)
                self._after[earlier].add(position)

    def after(self, position: Position) -> set[Position]:
        """Return the positions that follow on the cheapest ways."""
        return self._after.get(position, set())


class Walk:
    """One of the cheapest ways: a die chooses wherever it forks; ``go`` can be called again."""

    def __init__(self, grid: Grid, throws: Throws, name: str, name_of: Callable[[int], str]):
        self._grid = grid
        self._throws = throws
        self._name = name
        self._name_of = name_of
        self._layers: list[set[Position]] = []
        self._words: list[str] = []
        self._ways: list[Ways] = []

    @property
    def last(self) -> set[Position]:
        """The positions in which it ends."""
        return self._layers[-1]

    @property
    def cells(self) -> list[int]:
        """The areas so far."""
        return [next(iter(layer)).cell for layer in self._layers]

    def go(self, ways: Ways) -> None:
        """Walk one of ``ways``, which begin where the walk has ended."""
        positions = ways.starts
        if self._layers:
            self._layers.pop()
            self._layers.append(positions)
        else:
            positions, words = self._choose(positions, f"{self._name} from", None)
            self._layers.append(positions)
            self._words.append(words)
        while True:
            cell = next(iter(positions)).cell
            following = {after for position in positions for after in ways.after(position)}
            if not following:
                return
            label = f"{self._name} fork at {self._name_of(cell)}"
            positions, words = self._choose(following, label, cell)
            self._layers.append(positions)
            self._words.append(words)
            self._ways.append(ways)

    def _choose(
        self, positions: set[Position], name: str, here: int | None
    ) -> tuple[set[Position], str]:
        """Return the positions in one of the areas, by a die if there are several, and its
        words.
        """
        cells_of_positions = {position.cell for position in positions}
        if here is None:
            order = sorted(cells_of_positions)
        else:
            order = self._grid.neighbours(here)
        cells = [cell for cell in order if cell in cells_of_positions][:SIDES] or list(
            cells_of_positions
        )
        cell, thrown = self._throws.one_of(name, cells)
        other_names = " or ".join(
            self._name_of(other_cell) for other_cell in cells if other_cell != cell
        )
        words = f"{thrown}, not {other_names}" if thrown.score else ""
        return {position for position in positions if position.cell == cell}, words

    def steps(self) -> list[Step]:
        """Return the areas of the way, with what is crossed in each."""
        chain = [min(self._layers[-1])]
        for layer, ways in zip(self._layers[-2::-1], reversed(self._ways), strict=True):
            chain.append(
                min(candidate for candidate in layer if chain[-1] in ways.after(candidate))
            )
        chain.reverse()
        crossed = [
            ways.costs.crossed(position_before, end)
            for ways, position_before, end in zip(self._ways, chain, chain[1:], strict=False)
        ]
        steps = [
            Step(position.cell, words, crossed_ways)
            for position, words, crossed_ways in zip(
                chain, self._words, [*crossed, ()], strict=True
            )
        ]
        return [step for step in steps if step.cell != OUTSIDE]
