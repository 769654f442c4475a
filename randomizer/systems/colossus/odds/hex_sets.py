"""Lists of hexes as expressions over what is drawn, simplified where only membership counts.

A value is a count for each hex, (n, 27): how often it is in the list in each of n cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

Counts = NDArray[np.uint8]

ALL = (1 << HEX_COUNT) - 1
"""Sets of hexes known beforehand are bit masks: bit 0 is hex id 0."""


@dataclass(frozen=True, slots=True)
class Const:
    """Known hexes, ascending, duplicates kept."""

    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """A drawn or worked out list: one of the hexes of ``reach``; ``single``: without duplicates."""

    index: int
    reach: int
    single: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """All hexes of the parts; duplicates add up."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """The hexes of ``source``, duplicates kept, that are in none of ``left_out``."""

    source: Expression
    left_out: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """``source`` without as many copies of each hex as ``used`` has."""

    source: Expression
    used: Expression


@dataclass(frozen=True, slots=True)
class Spread:
    """Every hex that touches one of ``source``, once; members of ``source`` may be among them."""

    source: Expression


Expression = Const | Atom | Sum | Minus | Rest | Spread
NOTHING = Const(())


def bits(hexes: Iterable[int]) -> int:
    """Return the mask of some hexes."""
    mask = 0
    for number in hexes:
        mask |= 1 << number
    return mask


_AROUND = tuple(bits(number for number in row if number >= 0) for row in NEIGHBOURS)


def _spread(mask: int) -> int:
    return _joined(_AROUND[number] for number in range(HEX_COUNT) if mask >> number & 1)


def _joined(masks: Iterable[int]) -> int:
    mask = 0
    for each in masks:
        mask |= each
    return mask


def _const(mask: int) -> Const:
    return Const(tuple(number for number in range(HEX_COUNT) if mask >> number & 1))


# --- what an expression can be ------------------------------------------------------------------


def atoms(expression: Expression) -> Iterator[Atom]:
    """Yield the atoms in an expression, with repetitions."""
    match expression:
        case Atom():
            yield expression
        case _:
            for part in parts_of(expression):
                yield from atoms(part)


def consts(expression: Expression) -> Iterator[Const]:
    """Yield the known lists in an expression."""
    match expression:
        case Const():
            yield expression
        case _:
            for part in parts_of(expression):
                yield from consts(part)


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the arguments of an expression."""
    match expression:
        case Sum(parts):
            return parts
        case Minus(source, left_out):
            return (source, *left_out)
        case Rest(source, used):
            return source, used
        case Spread(source):
            return (source,)
    return ()


def touches(expression: Expression) -> bool:
    """Return whether the value depends on which hexes are neighbours."""
    return isinstance(expression, Spread) or any(map(touches, parts_of(expression)))


def reach(expression: Expression) -> int:
    """Return a superset of the hexes that the list can hold, as a mask."""
    match expression:
        case Const(hexes):
            return bits(hexes)
        case Atom(_, mask, _):
            return mask
        case Sum(parts):
            return _joined(map(reach, parts))
        case Minus(source, left_out):
            covered = _joined(bits(part.hexes) for part in left_out if isinstance(part, Const))
            return reach(source) & ~covered
        case Rest(source, _):
            return reach(source)
        case Spread(source):
            return _spread(reach(source))


def single(expression: Expression) -> bool:
    """Return whether the list certainly holds no hex twice."""
    match expression:
        case Const(hexes):
            return len(set(hexes)) == len(hexes)
        case Atom(_, _, alone):
            return alone
        case Sum(parts):
            seen = 0
            for part in parts:
                if not single(part) or seen & reach(part):
                    return False
                seen |= reach(part)
            return True
        case Minus(source, _) | Rest(source, _):
            return single(source)
        case Spread():
            return True


# --- making simple ones -------------------------------------------------------------------------


def total(parts: Iterable[Expression]) -> Expression:
    """Return the sum of lists."""
    hexes: list[int] = []
    others: list[Expression] = []
    for part in parts:
        for each in part.parts if isinstance(part, Sum) else (part,):
            if isinstance(each, Const):
                hexes += each.hexes
            else:
                others.append(each)
    if hexes or not others:
        others.append(Const(tuple(sorted(hexes))))
    return others[0] if len(others) == 1 else Sum(tuple(others))


def spread(source: Expression) -> Expression:
    """Return every hex that touches one of ``source``."""
    return _const(_spread(bits(source.hexes))) if isinstance(source, Const) else Spread(source)


def around(source: Expression) -> Expression:
    """SURROUNDINGSOF: the neighbours of ``source``, its own hexes left out."""
    return minus(spread(source), (source,))


def rest(source: Expression, used: Expression) -> Expression:
    """Return what is left over of ``source`` once ``used``, a part of it, was taken."""
    return minus(source, (used,)) if single(source) else Rest(source, used)


def minus(source: Expression, left_out: Iterable[Expression]) -> Expression:
    """``source`` without the hexes of ``left_out``, as flat as possible.

    Only membership counts in ``left_out``: so unions fall into their parts, and S - (A - B) is
    S - A where S has nothing of B, or B is left out as well.
    """
    if isinstance(source, Minus):
        left_out = *source.left_out, *left_out
        source = source.source
    left = list(dict.fromkeys(part for each in left_out for part in _members(each)))
    while True:
        covered = _joined(bits(part.hexes) for part in left if isinstance(part, Const))
        mine = reach(source) & ~covered
        remaining: list[Expression] = []
        for part in left:
            if isinstance(part, Const) or not reach(part) & mine:
                continue
            if isinstance(part, Minus) and all(
                inner in left or not reach(inner) & mine
                for each in part.left_out
                for inner in _members(each)
            ):
                remaining += _members(part.source)
            else:
                remaining.append(part)
        remaining = list(dict.fromkeys(remaining))
        if covered & reach(source):
            remaining.append(_const(covered & reach(source)))
        if remaining == left:
            break
        left = remaining
    if isinstance(source, Const):
        source = Const(tuple(number for number in source.hexes if not covered >> number & 1))
        left = [part for part in left if not isinstance(part, Const)]
    return Minus(source, tuple(left)) if left else source


def _members(expression: Expression) -> Iterator[Expression]:
    """Lists that together have the same members."""
    match expression:
        case Sum(parts):
            for part in parts:
                yield from _members(part)
        case Spread(Sum(parts)):
            for part in parts:
                yield from _members(spread(part))
        case _:
            yield expression


# --- values --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Board:
    """Where expressions are evaluated: a place is a hex, or hexes that are alike.

    ``hexes`` (places): a hex id of each place. ``touching`` (27, 27), None if no expression asks.
    """

    hexes: NDArray[np.intp]
    touching: NDArray[np.float32] | None = None

    def counts(self, constant: Const) -> Counts:
        """(1, places)."""
        return np.bincount(np.array(constant.hexes, np.intp), minlength=HEX_COUNT).astype(np.uint8)[
            self.hexes
        ][None]


BOARD = Board(
    np.arange(HEX_COUNT),
    np.array([[other in row for other in range(HEX_COUNT)] for row in NEIGHBOURS], np.float32),
)


def value(expression: Expression, of: Mapping[int, Counts], board: Board = BOARD) -> Counts:
    """The counts (n or 1, places), given those ``of`` the atoms by index. They fit into bytes."""

    def counts_of(each: Expression) -> Counts:
        match each:
            case Const():
                return board.counts(each)
            case Atom(index):
                return of[index]
            case Sum(parts):
                counts = counts_of(parts[0])
                for part in parts[1:]:
                    counts = counts + counts_of(part)
                return counts
            case Minus(source, left_out):
                counts = counts_of(source)
                for part in left_out:
                    counts = counts * (counts_of(part) == 0)
                return counts
            case Rest(source, used):
                left: Counts = counts_of(source) - counts_of(used)
                return left
            case Spread(source):
                assert board.touching is not None
                members = (counts_of(source) != 0).astype(np.float32)
                return np.asarray(members @ board.touching > 0, np.uint8)

    return counts_of(expression)


Substitute = Callable[[Expression, bool], Atom]
"""Makes an atom that stands for an expression; True where duplicates count."""


def partly_known(
    expression: Expression, drawn_atoms: frozenset[int], counted: bool, as_atom: Substitute
) -> Expression:
    """Return the expression; its largest parts of ``drawn_atoms`` alone become new atoms."""
    mine = [atom.index in drawn_atoms for atom in atoms(expression)]
    if not any(mine):
        return expression
    if all(mine):
        return as_atom(expression, counted)

    def is_known(part: Expression) -> bool:
        return all(atom.index in drawn_atoms for atom in atoms(part))

    def inner(part: Expression, counted: bool) -> Expression:
        return partly_known(part, drawn_atoms, counted, as_atom)

    match expression:
        case Sum(parts):
            first = total(part for part in parts if is_known(part))
            others = [inner(part, counted) for part in parts if not is_known(part)]
            return total([inner(first, counted), *others])
        case Minus(source, left_out):
            first_left = [part for part in left_out if is_known(part)]
            others = [inner(part, False) for part in left_out if not is_known(part)]
            if is_known(source):
                return minus(inner(minus(source, first_left), counted), others)
            drawn = [part for part in first_left if not isinstance(part, Const)]
            if drawn:
                fixed = [part for part in first_left if isinstance(part, Const)]
                # Only what the source can hold tells cases apart.
                beyond = ALL & ~reach(Minus(source, tuple(fixed)))
                first_left = [*fixed, inner(minus(total(drawn), (_const(beyond),)), False)]
            return minus(inner(source, counted), [*first_left, *others])
        case Rest(source, used):
            return Rest(inner(source, True), inner(used, True))
        case Spread(source):
            return spread(inner(source, False))
    raise AssertionError(expression)
