"""Bounds on the length and contents of lists of hexes.

    for statement, labels in statements_with_bounds(script, broken=frozenset()):
        if isinstance(statement, Area):
            labels.of_list(statement.items).largest_length      # at most so many hexes

A list of a script depends on the roll: ``SOMEOF(2,(inside))`` draws two hexes, and the labels
``usedup`` and ``leftover`` hold what the last AREA has drawn. Without rolling, the script is gone
through statement by statement with bounds in place of lists: how often a list holds each hex at
least and at most. The linter uses them, and ``named_lists`` tells the editor the cells of a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.systems.colossus.board import (
    HEX_COUNT,
    NEIGHBOURS,
    OFF_BOARD,
    PARTS,
)
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
    Statement,
    Subtract,
)
from randomizer.systems.colossus.script.words import LIVE_LABELS

NO_HEXES: Mapping[int, int] = {}
"""The counts of a list without hexes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The possible lengths and contents of a list of hexes, in which a hex can occur repeatedly.

    The keys of both mappings are hex ids. Their values are at least 1: a hex that counts 0 is
    missing.
    """

    largest_counts: Mapping[int, int] = field(default_factory=lambda: NO_HEXES)
    """The number of times that the list holds each hex at most."""

    smallest_counts: Mapping[int, int] = field(default_factory=lambda: NO_HEXES)
    """The number of times that the list holds each hex at least."""

    smallest_length: int = 0
    """The number of hexes at least, each as often as the list holds it."""

    largest_length: int = 0
    """The number of hexes at most, each as often as the list holds it."""


EMPTY = Bounds()
"""The bounds of a list without hexes."""

ANYTHING = Bounds(
    largest_counts=dict.fromkeys(range(HEX_COUNT), HEX_COUNT),
    smallest_counts=NO_HEXES,
    smallest_length=0,
    largest_length=HEX_COUNT,
)
"""The bounds of a list whose contents cannot be determined.

Only a list that repeats hexes could hold more than HEX_COUNT of them, which nobody has written.
"""


def exact_bounds(hexes: Iterable[int]) -> Bounds:
    """Return the bounds of a list that holds just these hex ids."""
    counts: dict[int, int] = {}
    for number in hexes:
        counts[number] = counts.get(number, 0) + 1
    length = sum(counts.values())
    return Bounds(
        largest_counts=counts,
        smallest_counts=counts,
        smallest_length=length,
        largest_length=length,
    )


class LabelBounds:
    """The bounds of the labels at one point of a script; ``advance`` moves past a statement."""

    def __init__(self, broken: frozenset[str]) -> None:
        """Begin before the first statement, with the labels of the language.

        ``broken`` names the labels that are set by statements that did not parse. They can hold
        anything, everywhere in the script.
        """
        self.labels = {name: exact_bounds(hexes) for name, hexes in PARTS.items()}
        """The bounds of each label that is set, by name."""
        self.labels |= dict.fromkeys(LIVE_LABELS, EMPTY)
        self._broken = dict.fromkeys(broken, ANYTHING)
        """The bounds of the labels that can hold anything."""
        self.labels |= self._broken
        self._bounds_of_items: dict[int, Bounds] = {}
        """The bounds of the current statement's items, by the ``id`` of the item.

        The linter asks for an item and for the lists around it: without this, deeply nested lists
        would be evaluated again at every depth.
        """

    def of_list(self, items: Iterable[Item]) -> Bounds:
        """Return the bounds of a list evaluated at this point."""
        total = EMPTY
        for item in items:
            bounds = self._bounds_of_items.get(id(item))
            if bounds is None:
                bounds = self._of_item(item)
                self._bounds_of_items[id(item)] = bounds
            total = _concatenated(total, bounds)
        return total

    def _of_item(self, item: Item) -> Bounds:
        """Return the bounds of one item of a list."""
        match item:
            case HexItem() | RangeItem():
                return exact_bounds(item.hexes)
            case LabelItem():
                return self.labels.get(item.name, EMPTY)
            case SomeOf():
                return _some_of(item.count, self.of_list(item.items))
            case Subtract():
                return _difference(self.of_list(item.items), self.of_list(item.without))
            case _:
                return _surroundings(self.of_list(item.items))

    def advance(self, statement: Statement) -> None:
        """Apply a statement to the labels."""
        self._bounds_of_items = {}  # the same item can have other bounds from now on
        match statement:
            case Label():
                self.labels[statement.name] = self.of_list(statement.items)
            case Area():
                pool = self.of_list(statement.items)
                live_labels = _labels_of_area(pool, statement.hazards)
                self.labels["usedup"] = live_labels.usedup
                self.labels["leftover"] = live_labels.leftover
        self.labels |= self._broken  # still unknown, even if this statement has set one


def is_certain(hazard: Hazard) -> bool:
    """Return whether a hazard is always placed if a hex is left."""
    return hazard.probability is None or hazard.probability >= 100


def is_possible(hazard: Hazard) -> bool:
    """Return whether a hazard is ever placed."""
    return hazard.probability is None or hazard.probability > 0


def statements_with_bounds(
    script: Script, broken: frozenset[str]
) -> Iterator[tuple[Statement, LabelBounds]]:
    """Yield every statement with the bounds of the labels just before it runs.

    The second value is the same object each time, and changes when the next statement is asked for:
    ask it at once for what is needed, rather than collecting the pairs.
    """
    label_bounds = LabelBounds(broken)
    for statement in script.statements:
        yield statement, label_bounds
        label_bounds.advance(statement)


def _concatenated(first: Bounds, second: Bounds) -> Bounds:
    """Return the bounds of two lists written one after the other."""
    return Bounds(
        largest_counts=_sum(first.largest_counts, second.largest_counts),
        smallest_counts=_sum(first.smallest_counts, second.smallest_counts),
        smallest_length=first.smallest_length + second.smallest_length,
        largest_length=first.largest_length + second.largest_length,
    )


def _sum(first: Mapping[int, int], second: Mapping[int, int]) -> Mapping[int, int]:
    """Return how often two lists together hold each hex."""
    hexes = {**first, **second}
    return {number: first.get(number, 0) + second.get(number, 0) for number in hexes}


def _some_of(draws: int, pool: Bounds) -> Bounds:
    """Return the bounds of ``draws`` hexes drawn from a list without replacement."""
    if draws <= 0:
        return EMPTY
    if draws >= pool.largest_length:
        return pool
    largest_counts = {number: min(count, draws) for number, count in pool.largest_counts.items()}
    return Bounds(
        largest_counts=largest_counts,
        smallest_counts=NO_HEXES,  # any hex may be the one that is not drawn
        smallest_length=min(draws, pool.smallest_length),
        largest_length=draws,
    )


def _difference(pool: Bounds, without: Bounds) -> Bounds:
    """Return the bounds of SUBSTRACT: a list without all copies of the hexes of another one."""
    largest_counts = {
        number: count
        for number, count in pool.largest_counts.items()
        if number not in without.smallest_counts
    }
    smallest_counts = {
        number: count
        for number, count in pool.smallest_counts.items()
        if number not in without.largest_counts
    }
    largest_loss = sum(pool.largest_counts.get(number, 0) for number in without.largest_counts)
    smallest_loss = sum(pool.smallest_counts.get(number, 0) for number in without.smallest_counts)
    # Each length is bounded in two ways: by the hexes that the result holds, and by the length of
    # the first list with what it loses. The closer bound is taken.
    smallest_length = max(sum(smallest_counts.values()), pool.smallest_length - largest_loss)
    largest_length = min(sum(largest_counts.values()), pool.largest_length - smallest_loss)
    return Bounds(
        largest_counts=largest_counts,
        smallest_counts=smallest_counts,
        smallest_length=smallest_length,
        largest_length=largest_length,
    )


def _surroundings(centre: Bounds) -> Bounds:
    """Return the bounds of SURROUNDINGSOF: each neighbour of a list once, without its hexes."""
    possible = _neighbours_of(centre.largest_counts).difference(centre.smallest_counts)
    certain = _neighbours_of(centre.smallest_counts).difference(centre.largest_counts)
    # A hex has six neighbours.
    largest_length = min(len(possible), 6 * centre.largest_length)
    return Bounds(
        largest_counts=dict.fromkeys(possible, 1),
        smallest_counts=dict.fromkeys(certain, 1),
        smallest_length=len(certain),
        largest_length=largest_length,
    )


def _neighbours_of(hexes: Iterable[int]) -> set[int]:
    """Return all hexes beside some of these; they can be among these themselves."""
    neighbours: set[int] = set()
    for number in hexes:
        neighbours.update(NEIGHBOURS[number])
    neighbours.discard(OFF_BOARD)
    return neighbours


class _LiveLabels(NamedTuple):
    """The bounds of the labels that an AREA sets."""

    usedup: Bounds
    leftover: Bounds


def _labels_of_area(pool: Bounds, hazards: tuple[Hazard, ...]) -> _LiveLabels:
    """Return the bounds of the labels that an AREA sets.

    Each hazard that is placed moves one hex of the pool from leftover to usedup.
    """
    certain_count = sum(is_certain(hazard) for hazard in hazards)
    possible_count = sum(is_possible(hazard) for hazard in hazards)
    if certain_count >= pool.largest_length:
        return _LiveLabels(usedup=pool, leftover=EMPTY)
    if possible_count == 0:
        usedup = EMPTY
        certainly_left = pool.smallest_counts
    else:
        usedup = Bounds(
            largest_counts=pool.largest_counts,
            smallest_counts=NO_HEXES,
            smallest_length=min(certain_count, pool.smallest_length),
            largest_length=min(possible_count, pool.largest_length),
        )
        certainly_left = NO_HEXES  # any hex can be the one that is drawn
    leftover = Bounds(
        largest_counts=pool.largest_counts,
        smallest_counts=certainly_left,
        smallest_length=max(0, pool.smallest_length - possible_count),
        largest_length=pool.largest_length - certain_count,
    )
    return _LiveLabels(usedup, leftover)
