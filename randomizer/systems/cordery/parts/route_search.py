"""Steps 2.1, 3.1 and 6.1: where a route enters and leaves, and the cheapest way between.

The page says "the most direct way around hills and mountains". Often several ways are as cheap:
``Ways`` finds all of them, and ``Walk`` follows one, with a die wherever they fork. The module
``routes`` uses both, with the moves of ``table/route_moves``::

    ways = Ways(moves, moves.enter_at(cell, side))
    if ways.cost is not None:
        walk = Walk(grid, throws, "road 1", name_of)
        walk.go(ways)
        steps = walk.steps()
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.table.counting_order import (
    QUARTERS,
    counted_quarter,
    edge_of_quarter,
    quarter_cells,
    quarter_words,
    sum_in_words,
)
from randomizer.systems.cordery.table.feature_places import decided_area
from randomizer.systems.cordery.table.route_moves import OUTSIDE, Position, RouteMoves


class RimPoint(NamedTuple):
    """The end of a route at the map edge."""

    cell: int
    """Its area."""

    edge: int
    """The edge, as an index in ``counting_order.EDGES``: an area in a corner is at two of them."""


class RimChoice(NamedTuple):
    """A point of the map edge, with the quarter (1 to 16) from which the next one is counted."""

    point: RimPoint

    quarter: int
    """The quarter that was thrown or decided, even if the point is in a later one, with a free
    area; with a decided area the quarter in which that is."""


def choose_rim_point(
    grid: Grid,
    throws: Throws,
    name: str,
    clockwise_from: int,
    is_free: Callable[[int], bool],
    name_of: Callable[[int], str],
) -> RimChoice | None:
    """Throw or decide a point of the map edge, and log the dice; None if no area there is free.

    ``name`` is that of the die ("river 1 entry"). The quarter (1 to 16, clockwise from the top left
    corner) is D6 quarters after ``clockwise_from``, which is 0 for an entry. In it the free area
    with the highest die is taken; where none is free, the next quarter with a free one counts.
    Decisions can set the quarter, or the area itself. Raises ProblemError for a decided area that
    is not free or not on the edge.
    """
    quarter = throws.ask_number(f"{name} quarter", 1, QUARTERS)
    reason = "as decided"
    sum_words = ""
    if quarter is None:
        score = _throw_for_quarter(throws, name, clockwise_from)
        quarter = counted_quarter(clockwise_from, score)
        sum_words = sum_in_words(clockwise_from, score)
        reason = f"D6 = {score}"
    quarters_in_order = [(quarter - 1 + turn) % QUARTERS + 1 for turn in range(QUARTERS)]

    area = decided_area(grid, throws, Decision(f"{name} at", DecisionKind.EDGE_AREA), name_of)
    if area is not None:
        # A corner area belongs to two quarters, on two edges: the first one in turn counts.
        for number in quarters_in_order:
            if is_free(area) and area in quarter_cells(grid, number):
                throws.say(f"{name.capitalize()}: {name_of(area)}, as decided", area)
                return RimChoice(RimPoint(area, edge_of_quarter(number)), number)
        message = f"{name} at {name_of(area)}: that is no free area on the rim"
        raise error("decision", message)

    for number in quarters_in_order:
        free_cells = [cell for cell in quarter_cells(grid, number) if is_free(cell)]
        if not free_cells:
            continue
        cell = throws.highest_first(f"{name} area", free_cells, name_of)[0]
        where = quarter_words(quarter, sum_words)
        if number != quarter:
            where += f"; {quarter_words(number)} is the next with a free area"
        if len(free_cells) > 1:
            where += f", {_area_dice(throws, name, [name_of(area) for area in free_cells])}"
        throws.say(f"{name.capitalize()}: {reason}, {where}: {name_of(cell)}", cell)
        return RimChoice(RimPoint(cell, edge_of_quarter(number)), quarter)
    return None


def _throw_for_quarter(throws: Throws, name: str, clockwise_from: int) -> int:
    """Return the score of the die called ``name``, which is counted on from a quarter.

    Raises ``DieWantedError`` with the quarters that it chooses from if it is to be entered, else as
    ``d6``.
    """
    try:
        return throws.d6(name)
    except DieWantedError as die:
        scores = range(1, SIDES + 1)
        die.quarters = tuple(counted_quarter(clockwise_from, score) for score in scores)
        if clockwise_from:
            die.options = f"{clockwise_from} + what it shows"
        else:
            die.options = "1 to 6, clockwise from the top left corner"
        raise


def _area_dice(throws: Throws, name: str, areas: Sequence[str]) -> str:
    """Return the dice of a quarter's areas in words: ``the highest die of 0903 (2), 0904 (6)``."""
    dice = (f"{area} ({throws.dice_in_words(f'{name} area', area)})" for area in areas)
    return f"the highest die of {', '.join(dice)}"


class Step(NamedTuple):
    """An area of a way."""

    cell: int

    words: str = ""
    """The die that chose the area, if the way forked before it."""

    crossed: tuple[str, ...] = ()
    """The kinds of routes that are crossed in the area."""


class Ways:
    """All cheapest ways from some positions to the goals, found by the A* algorithm."""

    cost: int | None
    """The cost of each of them, None if there is no way."""

    starts: set[Position]
    """The positions in which they begin."""

    def __init__(
        self, moves: RouteMoves, starts: Collection[Position], goals: Collection[int] = ()
    ) -> None:
        self.moves = moves
        self.cost = None
        self.starts = set()
        self._following: dict[Position, set[Position]] = {}
        """The positions that follow on each position of the cheapest ways."""
        ends, previous_positions = self._search(starts, goals)
        self._trace_back(ends, previous_positions)

    def _search(
        self, starts: Collection[Position], goals: Collection[int]
    ) -> tuple[list[Position], dict[Position, list[Position]]]:
        """Search the cheapest ways and set ``cost``.

        Return the positions in which they end, and for each position that was reached all those
        from which it is reached at the same lowest cost (none for the starts).
        """
        # A* as in geometry/cheapest_path, but all ways of the lowest cost are found, not one: the
        # search goes on until what is left must cost more, and a position has several predecessors.
        moves = self.moves
        totals = dict.fromkeys(starts, 0)
        previous_positions: dict[Position, list[Position]] = {start: [] for start in starts}
        queue = [(moves.least_to_end(start.cell), start) for start in starts]
        heapq.heapify(queue)
        ends: list[Position] = []
        finished: set[Position] = set()
        while queue:
            bound, position = heapq.heappop(queue)
            if self.cost is not None and bound > self.cost:
                break
            if position in finished:
                continue
            finished.add(position)
            if moves.is_end(position, goals) and position.has_passed:
                self.cost = totals[position]
                ends.append(position)
                continue
            for step_cost, next_position in moves.moves_from(position):
                total = totals[position] + step_cost
                lowest_total = totals.get(next_position)
                if lowest_total is None or total < lowest_total:
                    totals[next_position] = total
                    previous_positions[next_position] = [position]
                    bound = total + moves.least_to_end(next_position.cell)
                    heapq.heappush(queue, (bound, next_position))
                elif total == lowest_total and next_position not in finished:
                    previous_positions[next_position].append(position)
        return ends, previous_positions

    def _trace_back(
        self, ends: list[Position], previous_positions: dict[Position, list[Position]]
    ) -> None:
        """Set ``starts`` and ``_following``, from the ends of the cheapest ways back to the starts.

        ``previous_positions`` are the predecessors of all positions that the search has reached.
        """
        unvisited = list(ends)
        while unvisited:
            position = unvisited.pop()
            if not previous_positions[position]:
                self.starts.add(position)
            for previous in previous_positions[position]:
                if previous not in self._following:
                    self._following[previous] = set()
                    unvisited.append(previous)
                self._following[previous].add(position)

    def following(self, position: Position) -> set[Position]:
        """Return the positions that follow on one, on any of the ways; none at their end."""
        return self._following.get(position, set())


class Walk:
    """One of the cheapest ways: a die chooses wherever it forks.

    A walk of several stages calls ``go`` for each of them (see ``routes._walk_through``).

    Several positions can lie in one area (they differ in the hands of other routes). The dice
    choose areas only; which position it was is decided at the end, by ``steps``.
    """

    def __init__(self, grid: Grid, throws: Throws, name: str, name_of: Callable[[int], str]):
        self._grid = grid
        self._throws = throws
        self._name = name
        self._name_of = name_of
        self._layers: list[set[Position]] = []
        """The possible positions in each area of the walk."""
        self._words: list[str] = []
        """For each area the explanation of the die that chose it, "" without a die."""
        self._ways: list[Ways] = []
        """The ways on which each step was walked: one entry less than there are areas."""

    @property
    def last(self) -> set[Position]:
        """The positions in which the walk ends so far."""
        return self._layers[-1]

    @property
    def cells(self) -> list[int]:
        """The areas of the walk so far."""
        return [next(iter(layer)).cell for layer in self._layers]

    def go(self, ways: Ways) -> None:
        """Walk one of ``ways``, which begin where the walk has ended."""
        positions = ways.starts
        if self._layers:
            # The last area is the first one of the further ways.
            self._layers[-1] = positions
        else:
            positions, words = self._choose(positions, f"{self._name} from", None)
            self._layers.append(positions)
            self._words.append(words)
        while True:
            cell = next(iter(positions)).cell
            next_positions = set[Position]()
            for position in positions:
                next_positions |= ways.following(position)
            if not next_positions:
                return
            die_name = f"{self._name} fork at {self._name_of(cell)}"
            positions, words = self._choose(next_positions, die_name, cell)
            self._layers.append(positions)
            self._words.append(words)
            self._ways.append(ways)

    def _choose(
        self, positions: set[Position], die_name: str, previous_cell: int | None
    ) -> tuple[set[Position], str]:
        """Choose one of the areas of some positions by a die; return those in it.

        Also return the explanation of the die, for the log.

        ``previous_cell`` is the area before, None for the first one. If all positions are in one
        area no die is thrown, and the words are "".
        """
        cells_of_positions = {position.cell for position in positions}
        # The scores of the die count the areas clockwise around the one before, or in their order.
        if previous_cell is None:
            cells = sorted(cells_of_positions)[:SIDES]  # one die tells no more areas apart
        elif cells_of_positions == {OUTSIDE}:
            cells = [OUTSIDE]  # no neighbour: the way leaves the table
        else:
            neighbours = self._grid.neighbours(previous_cell)
            cells = [cell for cell in neighbours if cell in cells_of_positions]
        cell, thrown = self._throws.one_of(die_name, cells, self._name_of)
        words = ""
        if thrown.score:
            names_not_chosen = [self._name_of(area) for area in cells if area != cell]
            words = f"{thrown}, not {' or '.join(names_not_chosen)}"
        return {position for position in positions if position.cell == cell}, words

    def steps(self) -> list[Step]:
        """Return the areas of the way, with the routes that are crossed in each."""
        # From the end back to the start: of the positions in each area one that leads on to the
        # position that was taken after it. The least one, so that a seed always gives the same.
        chain = [min(self._layers[-1])]
        layers_before_last = self._layers[-2::-1]
        for layer, ways in zip(layers_before_last, reversed(self._ways), strict=True):
            predecessors = [position for position in layer if chain[-1] in ways.following(position)]
            chain.append(min(predecessors))
        chain.reverse()

        steps = []
        for number, position in enumerate(chain):
            crossed: tuple[str, ...] = ()
            if number + 1 < len(chain):  # what is crossed depends on where the route goes next
                crossed = self._ways[number].moves.crossed(position, chain[number + 1])
            if position.cell != OUTSIDE:
                steps.append(Step(position.cell, self._words[number], crossed))
        return steps
