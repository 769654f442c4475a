"""The shortest way to write a set of hexes as a list of the language.

A list counts a hex as often as it names it, so the parts of the list must not overlap. The search
goes hex by hex: the first hex that is not written yet is in exactly one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import combinations
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

ALL = (1 << HEX_COUNT) - 1

Hexes = int
"""A set of hexes: bit n is the hex with id n."""


class _Part(NamedTuple):
    """A part of a list: its cost (its length plus one blank), its hexes, its text."""

    cost: int
    hexes: Hexes
    text: str


def shortest_list(cells: Iterable[int]) -> str:
    """Return the shortest list that holds each of these grid cells once and no others; "" for none.

    It uses hexes, coordinates, and the labels and functions of the language, not a script's labels.
    Raises KeyError for a cell that is not on the board.
    """
    target = _mask(HEX_OF_CELL[cell] for cell in cells)
    if not target:
        return ""
    parts = [part for part in _parts() if part.hexes & ~target == 0]
    best = _Cover(parts, exactly=True).of(target)
    subtracting = list(_subtracting(target, best.cost))
    if subtracting:
        best = _Cover([*parts, *subtracting], exactly=True).of(target)
    return best.text


def _subtracting(target: Hexes, most: int) -> Iterator[_Part]:
    """Yield the parts that SUBSTRACT makes of larger ones, where that can cost less than
    ``most``.
    """
    free: dict[Hexes, _Part] = {}
    for part in _parts():  # the cheapest first
        if part.hexes & target == 0:
            free.setdefault(part.hexes, part)
    cover = _Cover(list(free.values()), exactly=False)
    for outer in _parts():
        inside = outer.hexes & target
        without = outer.hexes & ~target
        worth = min(most, 3 * inside.bit_count())
        # Both costs include a blank; the whole needs only one.
        cost = len("SUBSTRACT(,)") - 1 + outer.cost
        if without and cost + 2 < worth and cost + cover.least(without) < worth:
            text = f"SUBSTRACT({outer.text},{cover.of(without).text})"
            if len(text) + 1 < worth:
                yield _Part(len(text) + 1, inside, text)


def _mask(numbers: Iterable[int]) -> Hexes:
    return sum(1 << number for number in set(numbers))


@registered(count=1, bytes_each=200 * KB)
@cache
def _parts() -> tuple[_Part, ...]:
    """Return the parts that are shorter than the names of their hexes; no range leaves the
    board.
    """
    sources: dict[Hexes, str] = {1 << number: label for number, label in enumerate(LABELS)}
    for a, b in combinations(range(HEX_COUNT), 2):
        sources[1 << a | 1 << b] = f"{LABELS[a]} {LABELS[b]}"
    named = [(_mask(hexes), f"({name})") for name, hexes in PARTS.items()]
    ranges = [
        (
            _mask(n for (x, y), n in HEX_AT.items() if x0 <= x <= x1 and y0 <= y <= y1),
            f"({_bound(x0, x1)},{_bound(y0, y1)})",
        )
        for x0 in range(6)
        for x1 in range(x0, 6)
        for y1 in range(6)
        for y0 in range(y1, -1, -1)
        if all((x, y) in HEX_AT for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))
    ]
    for hexes, text in [*named, *ranges]:
        if len(text) < len(sources.get(hexes, text + " ")):
            sources[hexes] = text
    text_of = dict(sources)
    for hexes, text in sources.items():
        around = _surroundings(hexes)
        written = f"SURROUNDINGSOF({text})"
        if len(written) < len(text_of.get(around, written + " ")):
            text_of[around] = written
    return tuple(
        sorted(
            _Part(len(text) + 1, hexes, text)
            for hexes, text in text_of.items()
            if hexes and len(text) + 1 < 3 * hexes.bit_count()
        )
    )


def _bound(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}-{last}"


def _surroundings(hexes: Hexes) -> Hexes:
    around = 0
    for number in range(HEX_COUNT):
        if hexes >> number & 1:
            around |= _mask(n for n in NEIGHBOURS[number] if n >= 0)
    return around & ~hexes


class _Cover:
    """The cheapest lists of some parts and single hexes, by A* over the hexes not yet covered.

    ``exactly``: parts must not overlap, nor hold other hexes.
    """

    def __init__(self, parts: Sequence[_Part], *, exactly: bool) -> None:
        self._exactly = exactly
        single = [_Part(3, 1 << number, label) for number, label in enumerate(LABELS)]
        self._at = [
            [part for part in (*parts, hex_) if part.hexes >> number & 1]
            for number, hex_ in enumerate(single)
        ]
        # A hex costs at least its share of the part in which hexes are cheapest.
        self._shares = [min(part.cost / part.hexes.bit_count() for part in at) for at in self._at]

    def least(self, hexes: Hexes) -> float:
        """Return a lower bound of the cost of a list of these hexes."""
        total = 0.0
        while hexes:
            first = hexes & -hexes
            total += self._shares[first.bit_length() - 1]
            hexes ^= first
        return total

    def of(self, target: Hexes) -> _Part:
        """Return the cheapest list with every hex of ``target``, as one part."""
        waiting: list[tuple[float, int, Hexes, tuple[str, ...]]] = [(0.0, 0, target, ())]
        done: set[Hexes] = set()
        while True:
            _least, cost, rest, texts = heappop(waiting)
            if not rest:
                return _Part(cost, target, " ".join(texts))
            if rest in done:
                continue
            done.add(rest)
            for part in self._at[(rest & -rest).bit_length() - 1]:
                if self._exactly and part.hexes & ~rest:
                    continue
                left = rest & ~part.hexes
                spent = cost + part.cost
                if left not in done:
                    least = round(spent + self.least(left), 6)
                    heappush(waiting, (least, spent, left, (*texts, part.text)))
