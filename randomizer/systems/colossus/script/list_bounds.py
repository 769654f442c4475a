"""Bounds on the length and contents of lists of hexes, and the cells that each can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from randomizer.languages.language import NamedCells
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, NEIGHBOURS, PARTS
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script.syntax import (
    Area,
    Hazard,
    HexItem,
    Item,
    Label,
    LabelItem,
    RangeItem,
    Script,
    SomeOf,
    Span,
    StartList,
    Statement,
    Subtract,
    SurroundingsOf,
)

NO_HEXES: Mapping[int, int] = {}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a list: hex id -> its largest (``can``) and smallest (``must``) count.

    ``least`` and ``most`` bound its length; duplicates count.
    """

    can: Mapping[int, int] = field(default_factory=lambda: NO_HEXES)
    must: Mapping[int, int] = field(default_factory=lambda: NO_HEXES)
    least: int = 0
    most: int = 0


EMPTY = Bounds()
ANYTHING = Bounds(dict.fromkeys(range(HEX_COUNT), HEX_COUNT), NO_HEXES, 0, HEX_COUNT)
"""The bounds of a list of which nothing is known."""


def exactly(hexes: Iterable[int]) -> Bounds:
    """Return the bounds of a list that is known exactly."""
    counts: dict[int, int] = {}
    for number in hexes:
        counts[number] = counts.get(number, 0) + 1
    length = sum(counts.values())
    return Bounds(counts, counts, length, length)


class Known:
    """The bounds of the labels at one point of a script; ``after`` moves past a statement.

    ``broken`` names labels set by statements that did not parse: they can hold anything.
    """

    def __init__(self, broken: frozenset[str]) -> None:
        self.labels = {name: exactly(hexes) for name, hexes in PARTS.items()}
        self.labels |= dict.fromkeys(("leftover", "usedup"), EMPTY)
        self.broken = dict.fromkeys(broken, ANYTHING)
        self.labels |= self.broken
        # The statement's items by id: each is requested by itself and as a part of others.
        self._items: dict[int, Bounds] = {}

    def of(self, items: Iterable[Item]) -> Bounds:
        """Return the bounds of a list evaluated here."""
        total = EMPTY
        for item in items:
            bounds = self._items.get(id(item))
            if bounds is None:
                bounds = self._items[id(item)] = self._of_item(item)
            total = _joined(total, bounds)
        return total

    def _of_item(self, item: Item) -> Bounds:
        match item:
            case HexItem() | RangeItem():
                return exactly(item.hexes)
            case LabelItem():
                return self.labels.get(item.name, EMPTY)
            case SomeOf():
                return _some(item.count, self.of(item.items))
            case Subtract():
                return _subtracted(self.of(item.items), self.of(item.without))
            case _:
                return _surroundings(self.of(item.items))

    def after(self, statement: Statement) -> None:
        """Apply a statement to the labels."""
        self._items = {}
        match statement:
            case Label():
                self.labels[statement.name] = self.of(statement.items)
            case Area():
                used, left = _rolled(self.of(statement.items), statement.hazards)
                self.labels |= {"usedup": used, "leftover": left}
        self.labels |= self.broken


def is_certain(hazard: Hazard) -> bool:
    """Return whether a hazard is always placed if a hex is left."""
    return hazard.probability is None or hazard.probability >= 100


def is_possible(hazard: Hazard) -> bool:
    """Return whether a hazard is ever placed."""
    return hazard.probability is None or hazard.probability > 0


def statements_with_bounds(
    script: Script, broken: frozenset[str]
) -> Iterable[tuple[Statement, Known]]:
    """Yield every statement with the bounds just before it runs (valid until the next
    iteration).
    """
    bounds = Known(broken)
    for statement in script.statements:
        yield statement, bounds
        bounds.after(statement)


def _joined(a: Bounds, b: Bounds) -> Bounds:
    return Bounds(_sum(a.can, b.can), _sum(a.must, b.must), a.least + b.least, a.most + b.most)


def _sum(a: Mapping[int, int], b: Mapping[int, int]) -> Mapping[int, int]:
    return {number: a.get(number, 0) + b.get(number, 0) for number in {**a, **b}}


def _some(count: int, pool: Bounds) -> Bounds:
    if count <= 0:
        return EMPTY
    if count >= pool.most:
        return pool
    can = {number: min(times, count) for number, times in pool.can.items()}
    return Bounds(can, NO_HEXES, min(count, pool.least), count)


def _subtracted(pool: Bounds, without: Bounds) -> Bounds:
    can = {number: times for number, times in pool.can.items() if number not in without.must}
    must = {number: times for number, times in pool.must.items() if number not in without.can}
    lost = sum(pool.can.get(number, 0) for number in without.can)
    least = max(sum(must.values()), pool.least - lost)
    surely_lost = sum(pool.must.get(number, 0) for number in without.must)
    return Bounds(can, must, least, min(pool.most - surely_lost, sum(can.values())))


def _surroundings(centre: Bounds) -> Bounds:
    can = {n: 1 for number in centre.can for n in NEIGHBOURS[number] if n >= 0}
    must = {n: 1 for number in centre.must for n in NEIGHBOURS[number] if n >= 0}
    can = {number: 1 for number in can if number not in centre.must}
    must = {number: 1 for number in must if number not in centre.can}
    return Bounds(can, must, len(must), min(len(can), 6 * centre.most))


def _rolled(pool: Bounds, hazards: tuple[Hazard, ...]) -> tuple[Bounds, Bounds]:
    """Return the bounds of usedup and leftover after an AREA."""
    certain = sum(map(is_certain, hazards))
    possible = sum(map(is_possible, hazards))
    if certain >= pool.most:
        return pool, EMPTY
    used = Bounds(pool.can, NO_HEXES, min(certain, pool.least), min(possible, pool.most))
    must = pool.must if possible == 0 else NO_HEXES
    left = Bounds(pool.can, must, max(0, pool.least - possible), pool.most - certain)
    return (used if possible else EMPTY), left


def named_hexes(text: str) -> tuple[NamedCells, ...]:
    """Return every list of a script, and every part of one, with the grid cells it can hold.

    The rest of a statement refers to its whole list. Statements that do not parse are left out.
    """
    result: list[NamedCells] = []
    for statement, bounds in statements_with_bounds(parse(text).script, frozenset()):
        if isinstance(statement, Area | Label | StartList):
            result.append(_named(statement.span, statement.items, bounds))
            result += _parts(statement.items, bounds)
    return tuple(result)


def _named(span: Span, items: Iterable[Item], bounds: Known) -> NamedCells:
    cells = frozenset(CELL_OF_HEX[number] for number in bounds.of(items).can)
    return NamedCells(span.line, span.column, span.end_line, span.end_column, cells)


def _parts(items: Iterable[Item], bounds: Known) -> Iterator[NamedCells]:
    for item in items:
        yield _named(item.span, [item], bounds)
        if isinstance(item, SomeOf | SurroundingsOf):
            yield from _parts(item.items, bounds)
        elif isinstance(item, Subtract):
            yield from _parts((*item.items, *item.without), bounds)
