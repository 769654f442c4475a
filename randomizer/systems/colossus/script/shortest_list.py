"""The shortest way to write a set of hexes as a list of the language.

    shortest_list(cells_of_the_rim)        # "SURROUNDINGSOF((inside))"

The editor calls ``shortest_list`` to insert the hexes that are selected on the map.

A list counts a hex as often as it names it, so the parts of the list must not overlap: the shortest
list is the cheapest exact cover of the set by parts. The search goes hex by hex, since the first
hex that is not covered yet is in exactly one of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.board import (
    HEX_AT,
    HEX_COUNT,
    HEX_OF_CELL,
    LABELS,
    NEIGHBOURS,
    PARTS,
)

HexSet = int
"""A set of hexes: bit n is set if the hex with id n is in it."""

BOARD_SIZE = 6
"""The number of columns and of rows of the board."""

COST_OF_HEX = 3
"""The length of the name of a hex and of the blank after it."""


class _Part(NamedTuple):
    """A part of a list: ``D4``, ``(inside)``, ``(1-3,2)``."""

    cost: int
    """The length of the text and of the blank after it."""

    hexes: HexSet
    """The hexes that it names."""

    text: str


def shortest_list(cells: Iterable[int]) -> str:
    """Return the shortest list that holds each of these grid cells once and no others; "" for none.

    It uses hexes, coordinates, and the labels and functions of the language, not a script's labels.
    Raises KeyError for a cell that is not on the board.
    """
    target = _hex_set(HEX_OF_CELL[cell] for cell in cells)
    if not target:
        return ""
    parts = [part for part in _parts() if not part.hexes & ~target]
    shortest = _CoverSearch(parts, exact=True).cheapest(target)
    differences = list(_differences(target, shortest.cost))
    if differences:
        shortest = _CoverSearch([*parts, *differences], exact=True).cheapest(target)
    return shortest.text


def _differences(target: HexSet, cost_limit: int) -> Iterator[_Part]:
    """Yield the parts of ``target`` that SUBSTRACT makes of larger parts.

    For instance SUBSTRACT((anywhere),(inside)): the outer part is all hexes, and what lies beyond
    the target is taken away. Differences are left out that cost ``cost_limit`` or more, or as much
    as naming their hexes.
    """
    # The hexes that are taken away may be named twice, so that their parts may overlap.
    parts_beyond_target = [part for part in _parts() if not part.hexes & target]
    search_beyond_target = _CoverSearch(parts_beyond_target, exact=False)
    for outer in _parts():
        hexes = outer.hexes & target
        without = outer.hexes & ~target  # to be taken away
        if not without:
            continue
        cost_of_difference_limit = min(cost_limit, COST_OF_HEX * hexes.bit_count())
        # The costs of both lists include a blank each; only one follows the whole.
        cost_so_far = len("SUBSTRACT(,)") + outer.cost - 1
        # Two cheap tests spare most searches. The first knows only that the hexes to be taken away
        # cost no less than one hex.
        if cost_so_far + COST_OF_HEX - 1 >= cost_of_difference_limit:
            continue
        if cost_so_far + search_beyond_target.min_cost(without) >= cost_of_difference_limit:
            continue
        text = f"SUBSTRACT({outer.text},{search_beyond_target.cheapest(without).text})"
        cost = len(text) + 1
        if cost < cost_of_difference_limit:
            yield _Part(cost, hexes, text)


@registered(count=1, bytes_each=200 * KB)
@cache
def _parts() -> tuple[_Part, ...]:
    """Return the parts that are shorter than the names of their hexes, the cheapest first.

    Each set of hexes occurs once, in its shortest text.
    """
    simple_texts: dict[HexSet, str] = {1 << index: label for index, label in enumerate(LABELS)}
    for first, second in combinations(range(HEX_COUNT), 2):
        simple_texts[_hex_set((first, second))] = f"{LABELS[first]} {LABELS[second]}"
    for name, numbers in PARTS.items():
        _add_if_shorter(simple_texts, _hex_set(numbers), f"({name})")
    for hexes, text in _ranges():
        _add_if_shorter(simple_texts, hexes, text)
    texts = dict(simple_texts)
    for hexes, text in simple_texts.items():
        _add_if_shorter(texts, _surroundings(hexes), f"SURROUNDINGSOF({text})")
    parts = []
    for hexes, text in texts.items():
        cost = len(text) + 1
        if cost < COST_OF_HEX * hexes.bit_count():
            parts.append(_Part(cost, hexes, text))
    return tuple(sorted(parts))


def _add_if_shorter(texts: dict[HexSet, str], hexes: HexSet, text: str) -> None:
    """Add a text for a set of hexes, unless there is one that is no longer."""
    if hexes not in texts or len(text) < len(texts[hexes]):
        texts[hexes] = text


def _ranges() -> Iterator[tuple[HexSet, str]]:
    """Yield the ranges of coordinates that do not leave the board, with their texts."""
    bounds = list(combinations_with_replacement(range(BOARD_SIZE), 2))
    for first_x, last_x in bounds:
        for first_y, last_y in bounds:
            columns = range(first_x, last_x + 1)
            rows = range(first_y, last_y + 1)
            positions = list(product(columns, rows))
            if all(position in HEX_AT for position in positions):
                text = f"({_coordinate_text(columns)},{_coordinate_text(rows)})"
                yield _hex_set(HEX_AT[position] for position in positions), text


def _coordinate_text(coordinates: range) -> str:
    """Return coordinates as a range of the language writes them: ``3`` or ``1-3``."""
    if len(coordinates) == 1:
        return str(coordinates[0])
    return f"{coordinates[0]}-{coordinates[-1]}"


def _surroundings(hexes: HexSet) -> HexSet:
    """Return the neighbours of hexes, without the hexes themselves."""
    neighbours: set[int] = set()
    for number in range(HEX_COUNT):
        if hexes >> number & 1:
            neighbours.update(NEIGHBOURS[number])
    neighbours.discard(-1)  # beyond the rim of the board
    return _hex_set(neighbours) & ~hexes


def _hex_set(numbers: Iterable[int]) -> HexSet:
    """Return the set of these hex ids."""
    return sum(1 << number for number in set(numbers))


class _CoverSearch:
    """Searches the cheapest list of given parts and single hexes that holds a set of hexes.

    In an ``exact`` list parts neither overlap nor hold other hexes.
    """

    def __init__(self, parts: Sequence[_Part], *, exact: bool) -> None:
        self._exact = exact
        # For each hex the parts that hold it.
        self._parts_with_hex: list[list[_Part]] = []
        # For each hex a cost that no cover can go below: the hex's share of the part in which
        # hexes are cheapest.
        self._min_costs: list[float] = []
        for index, label in enumerate(LABELS):
            single_hex = _Part(COST_OF_HEX, 1 << index, label)
            candidates = [part for part in (*parts, single_hex) if part.hexes >> index & 1]
            self._parts_with_hex.append(candidates)
            self._min_costs.append(min(part.cost / part.hexes.bit_count() for part in candidates))

    def min_cost(self, hexes: HexSet) -> float:
        """Return a lower bound of the cost of a list of these hexes."""
        total = 0.0
        while hexes:
            lowest_bit = hexes & -hexes
            total += self._min_costs[lowest_bit.bit_length() - 1]
            hexes ^= lowest_bit
        return total

    def cheapest(self, target: HexSet) -> _Part:
        """Return the cheapest list with every hex of ``target``, as one part.

        This is an A* search. A state is the set of hexes that are not covered yet. A step adds one
        of the parts that hold the first of these hexes. The estimate of the remaining cost is
        ``min_cost``, which is never too high. There is always a list: each hex has a name.
        """
        # Heap of (least total cost, cost so far, uncovered hexes, texts of the parts so far).
        waiting: list[tuple[float, int, HexSet, tuple[str, ...]]] = [(0.0, 0, target, ())]
        visited: set[HexSet] = set()
        while True:
            _total, cost, uncovered, texts = heappop(waiting)
            if not uncovered:
                return _Part(cost, target, " ".join(texts))
            if uncovered in visited:
                continue
            visited.add(uncovered)
            for part in self._parts_with_hex[_first_hex(uncovered)]:
                if self._exact and part.hexes & ~uncovered:
                    continue
                next_uncovered = uncovered & ~part.hexes
                if next_uncovered in visited:
                    continue
                next_cost = cost + part.cost
                # Rounded, because sums of the same shares in another order differ in their last
                # digits, and equal totals are to be decided by the cost so far.
                next_total = round(next_cost + self.min_cost(next_uncovered), 6)
                next_state = (next_total, next_cost, next_uncovered, (*texts, part.text))
                heappush(waiting, next_state)


def _first_hex(hexes: HexSet) -> int:
    """Return the smallest hex id of a set that is not empty."""
    return (hexes & -hexes).bit_length() - 1
