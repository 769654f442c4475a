"""The labels of a learned script: what gets one, and its name.

    AREA (inside) HAZARDS Lake
    LABEL lake = (usedup)                             # of a piece: the hexes that it has used up
    ...
    LABEL heights = (rise) (rise.2) (crest)           # of a union: of several pieces together
    LABEL part1 = A1 B2 C4 D5 E2                      # of a region, which several lists name

Only what a list uses gets a label. ``labels_of`` looks through the lists of all pieces, which are
expressions without labels (list_expressions.py); ``text_of`` writes them with the labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.systems.colossus.learning.kinds import PLAINS
from randomizer.systems.colossus.learning.list_expressions import (
    Around,
    Difference,
    Expression,
    FixedHexes,
    Joined,
    Leftover,
    United,
    UsedUp,
    nested_expressions,
)
from randomizer.systems.colossus.learning.pieces import Piece, PieceNumbers
from randomizer.systems.colossus.learning.regions import region_of
from randomizer.systems.colossus.terrain_set import COLOSSUS

MAX_REPEATED_LIST = 11
"""A region with a longer text gets a label if several lists use it; ``A1 A2 A3 B3`` has 11.

If it is larger, scripts repeat longer lists, but a reader need not look up what "part1" is.
"""

MOSTLY_ELEVATED = 0.5
"""Pieces that are elevated more often than this are named for it: "crest", "heights".

Above 0.5, even pieces that are mostly elevated would have the names of flat ones.
"""


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a script."""

    names: Mapping[int, str]
    """By the number of a piece: its name, also where it needs no label; comments name it so."""

    of_areas: Mapping[int, tuple[str, ...]]
    """By the number of a piece: the label that is set behind each of its AREAs; () for no label.

    A piece needs no label if nothing uses it, or only the next AREA: that one can say ``(usedup)``.
    """

    of_unions: Mapping[PieceNumbers, str]
    """By the numbers of the pieces: the label of their union."""

    first_users: Mapping[PieceNumbers, int]
    """By the numbers of the pieces: the piece before whose AREA the label of the union is set."""

    of_regions: Mapping[int, str]
    """By the set of its hexes: the label of a region, set before all AREAs."""

    def text_of_used_up(self, piece: int) -> str:
        """Return the text of what a piece has used up, for a list that uses it."""
        labels = self.of_areas[piece]
        if labels:
            return " ".join(f"({label})" for label in labels)
        return "(usedup)"


def labels_of(
    pieces: Sequence[Piece],
    expressions: Mapping[int, Sequence[Expression]],
    start_pieces: Set[int],
) -> Labels:
    """Return the labels of a script.

    ``pieces`` are in the order of their AREAs, ``expressions`` their lists by number;
    ``start_pieces`` are the numbers of those whose hexes are the start list.
    """
    uses = _uses_in(pieces, expressions)
    names = _names_of_pieces(pieces)
    labels_of_areas: dict[int, tuple[str, ...]] = {}
    for index, piece in enumerate(pieces):
        next_piece = None
        if index + 1 < len(pieces):
            next_piece = pieces[index + 1]
        users = uses.users_of_pieces[piece.number]
        # The start list is written last, behind all other AREAs: it cannot say (usedup).
        if piece.number in start_pieces or not _can_say_used_up(piece, users, next_piece):
            labels_of_areas[piece.number] = _labels_of_areas(piece, names[piece.number])
        else:
            labels_of_areas[piece.number] = ()
    return Labels(
        names=names,
        of_areas=labels_of_areas,
        of_unions=_names_of_unions(pieces, uses.first_users_of_unions),
        first_users=uses.first_users_of_unions,
        of_regions=_names_of_regions(uses.of_regions),
    )


class _Uses(NamedTuple):
    """What the lists of a script use, and where."""

    users_of_pieces: dict[int, set[int]]
    """By the number of a piece: the pieces whose lists use what it has used up."""

    first_users_of_unions: dict[PieceNumbers, int]
    """By the pieces of a union: the first piece whose list uses it."""

    of_regions: Counter[int]
    """By the set of its hexes: how many lists name a region, each time counted."""


def _uses_in(pieces: Sequence[Piece], expressions: Mapping[int, Sequence[Expression]]) -> _Uses:
    """Return what the lists of ``pieces`` use; both arguments are those of ``labels_of``."""
    uses = _Uses({piece.number: set() for piece in pieces}, {}, Counter())
    for piece in pieces:
        for expression in expressions[piece.number]:
            for part in nested_expressions(expression):
                match part:
                    case FixedHexes(mask):
                        uses.of_regions[mask] += 1
                    case UsedUp(used_piece):
                        uses.users_of_pieces[used_piece].add(piece.number)
                    case United(members) if members not in uses.first_users_of_unions:
                        # The union is written once, before this piece; that line is what uses its
                        # members, and all later lists use the union.
                        uses.first_users_of_unions[members] = piece.number
                        for member in members:
                            uses.users_of_pieces[member].add(piece.number)
    return uses


def _can_say_used_up(piece: Piece, users: Set[int], next_piece: Piece | None) -> bool:
    """Return whether all users of a piece can name its hexes ``(usedup)``.

    That label of the language has the hexes of the last AREA. So the piece must have a single AREA,
    and its only user be the next piece, with a single AREA as well: in the second of several the
    label would have the hexes of the first. ``next_piece`` is None behind the last piece.
    """
    if not users:
        return True
    if piece.area_list.further or next_piece is None:
        return False
    return users == {next_piece.number} and not next_piece.area_list.further


def _labels_of_areas(piece: Piece, name: str) -> tuple[str, ...]:
    """Return the labels of the AREAs of a piece; those of three symmetric ones end in a, b, c."""
    if piece.area_list.further:  # the other two of three symmetric parts
        return f"{name}.a", f"{name}.b", f"{name}.c"
    return (name,)


def _names_of_pieces(pieces: Sequence[Piece]) -> dict[int, str]:
    """Return the name of each piece: "bog", the next one "bog.2" ...; of a seed "bogheart".

    Plains are placed for their elevation: "crest" for 2, else "rise".
    """
    uses: Counter[str] = Counter()
    names = {}
    for piece in pieces:
        name = COLOSSUS.terrains[piece.terrain].name.lower()
        if piece.terrain == PLAINS:
            name = "rise"
            if piece.elevation_odds[2] >= MOSTLY_ELEVATED:
                name = "crest"
        if piece.seed:
            name += "heart"
        uses[name] += 1
        names[piece.number] = _numbered(name, uses[name])
    return names


def _names_of_unions(
    pieces: Sequence[Piece], first_users: Mapping[PieceNumbers, int]
) -> dict[PieceNumbers, str]:
    """Return the label of each union: "heights" if most of its pieces are mostly elevated."""
    elevated_pieces = set()
    for piece in pieces:
        elevated_odds = piece.elevation_odds[1] + piece.elevation_odds[2]
        if elevated_odds > MOSTLY_ELEVATED:
            elevated_pieces.add(piece.number)
    uses: Counter[str] = Counter()
    names = {}
    for members in first_users:
        name = "features"
        if 2 * len(elevated_pieces.intersection(members)) > len(members):
            name = "heights"
        uses[name] += 1
        names[members] = _numbered(name, uses[name])
    return names


def _names_of_regions(uses_of_regions: Mapping[int, int]) -> dict[int, str]:
    """Return labels of long regions that several lists use, but not of those of the language."""
    names: dict[int, str] = {}
    for mask, uses in uses_of_regions.items():
        region = region_of(mask)
        is_long = len(region.text) > MAX_REPEATED_LIST
        if uses > 1 and is_long and not region.predefined:
            names[mask] = region.name or f"part{len(names) + 1}"
    return names


def _numbered(name: str, number: int) -> str:
    """Return a label that is unique among those of the same name: "bog", "bog.2" ..."""
    if number == 1:
        return name
    return f"{name}.{number}"


def text_of(expression: Expression, labels: Labels) -> str:
    """Return the text of a list, in which labels stand for what has one."""
    match expression:
        case FixedHexes():
            label = labels.of_regions.get(expression.mask)
            if label is not None:
                return f"({label})"
            return region_of(expression.mask).text
        case UsedUp():
            return labels.text_of_used_up(expression.piece)
        case United():
            return f"({labels.of_unions[expression.pieces]})"
        case Leftover():
            return "(leftover)"
        case Joined():
            return " ".join(text_of(part, labels) for part in expression.parts)
        case Around():
            return f"SURROUNDINGSOF({text_of(expression.hexes, labels)})"
        case Difference():
            hexes = text_of(expression.hexes, labels)
            excluded = text_of(expression.excluded, labels)
            return f"SUBSTRACT({hexes},{excluded})"
