"""The lists of a learned script as expressions of its language, before labels are chosen.

An ``AreaList`` tells which hexes a list has: those in a region that are near some pieces, apart
from others, and not used up yet. The language joins lists by writing them one after the other, and
has SUBSTRACT(A,B) and SURROUNDINGSOF(A), but no intersection: the hexes in A and in B are
``SUBSTRACT(A,not B)``. ``expressions_of`` translates. With a piece 0 whose label will be "lake":

    AreaList(region=inside, near=(Ref((0,)),))

becomes the tree of expressions of

    SUBSTRACT(SURROUNDINGSOF((lake)),SUBSTRACT((anywhere),(inside)))

Expressions name pieces by their numbers. When all are known, ``labels`` gives labels to what they
use, and ``text_of`` writes them with these labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from randomizer.systems.colossus.learning.hex_masks import ALL
from randomizer.systems.colossus.learning.pieces import AreaList, Piece, PieceNumbers, Ref
from randomizer.systems.colossus.learning.regions import region_of

MIN_UNITED = 3
"""So many pieces that a list names together get one label; fewer stand in the list itself."""


@dataclass(frozen=True, slots=True)
class FixedHexes:
    """The same hexes on every map: ``(inside)``, ``A1 A2``."""

    mask: int


@dataclass(frozen=True, slots=True)
class UsedUp:
    """What a piece has used up: ``(lake)``."""

    piece: int


@dataclass(frozen=True, slots=True)
class United:
    """What any of several pieces has used up, by one label for all of them: ``(heights)``."""

    pieces: PieceNumbers


@dataclass(frozen=True, slots=True)
class Leftover:
    """What the AREA before has left of its list: ``(leftover)``."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Several lists one after the other: ``(lake) (bog)``."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Around:
    """The neighbours of hexes, without these themselves: ``SURROUNDINGSOF(...)``."""

    hexes: Expression


@dataclass(frozen=True, slots=True)
class Difference:
    """The hexes of one list that are not in another: ``SUBSTRACT(...,...)``."""

    hexes: Expression
    excluded: Expression


Expression = FixedHexes | UsedUp | United | Leftover | Joined | Around | Difference

ANYWHERE = FixedHexes(ALL)


def expressions_of(pieces: Sequence[Piece]) -> dict[int, tuple[Expression, ...]]:
    """Return the lists of all pieces, by their numbers: one list for each region of a piece.

    ``pieces`` are those of a script, in the order of their AREAs.
    """
    expressions = {}
    for index, piece in enumerate(pieces):
        earlier_pieces = pieces[:index]
        lists = []
        for region in piece.area_list.regions:
            lists.append(_list_of(piece, region, earlier_pieces))
        expressions[piece.number] = tuple(lists)
    return expressions


def _list_of(piece: Piece, region: int, earlier_pieces: Sequence[Piece]) -> Expression:
    """Return the list of a piece in one of its regions."""
    area_list = piece.area_list
    is_single = not area_list.further and not area_list.on
    if is_single and earlier_pieces and earlier_pieces[-1].area_list == area_list:
        return Leftover()

    # The list begins with one of its conditions, its *base*; the others are what is excluded.
    near_lists: list[Expression] = [_hexes_beside(ref) for ref in area_list.near]
    outside = ALL & ~region
    is_outside_short = not outside or bool(region_of(outside).name)
    excluded: list[Expression] = []
    if area_list.on:
        # It lies on other pieces: these are the base.
        base: Expression = Joined(tuple(UsedUp(number) for number in area_list.on))
        excluded += _outside(outside)
    elif near_lists and is_outside_short:
        # It is near something, and what is outside of its region can be named in few words.
        base = near_lists.pop(0)
        excluded += _outside(outside)
    else:
        # The region itself has to be written out.
        base = FixedHexes(region)

    # Excluded is what fails the other conditions, and what earlier pieces have used up.
    excluded += [Difference(ANYWHERE, near_list) for near_list in near_lists]
    for earlier_piece in earlier_pieces:
        if _can_overlap(area_list, region, earlier_piece):
            excluded.append(UsedUp(earlier_piece.number))
    excluded += [_hexes_beside(ref) for ref in area_list.apart]
    if excluded:
        return Difference(base, Joined(tuple(excluded)))
    return base


def _outside(mask: int) -> list[Expression]:
    """Return the set of hexes outside a region as a list to exclude; none for an empty set."""
    if mask:
        return [FixedHexes(mask)]
    return []


def _hexes_beside(ref: Ref) -> Expression:
    """Return the hexes around those that a reference means."""
    if len(ref.pieces) >= MIN_UNITED:
        hexes: Expression = United(ref.pieces)
    else:
        hexes = Joined(tuple(UsedUp(number) for number in ref.pieces))
    if ref.is_ring:
        # The reference means a ring around the pieces; beside it are the hexes around that ring.
        return Around(Around(hexes))
    return Around(hexes)


def _can_overlap(area_list: AreaList, region: int, earlier_piece: Piece) -> bool:
    """Return whether an earlier piece can have used up a hex of a list in one of its regions."""
    earlier_list = earlier_piece.area_list
    if area_list.on or earlier_list.on:
        return False  # such lists lie on used-up hexes on purpose
    if not any(region & earlier_region for earlier_region in earlier_list.regions):
        return False
    for ref in area_list.near:
        if earlier_piece.number in ref.pieces and not ref.is_ring:
            return False  # SURROUNDINGSOF leaves its own hexes out
    # One list has only hexes beside something, the other only hexes that are not beside it.
    near_of_apart = set(area_list.near) & set(earlier_list.apart)
    apart_of_near = set(area_list.apart) & set(earlier_list.near)
    return not near_of_apart and not apart_of_near


def nested_expressions(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that it is made of, in the order of its text."""
    yield expression
    match expression:
        case Joined():
            for part in expression.parts:
                yield from nested_expressions(part)
        case Around():
            yield from nested_expressions(expression.hexes)
        case Difference():
            yield from nested_expressions(expression.hexes)
            yield from nested_expressions(expression.excluded)
