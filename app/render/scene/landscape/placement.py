"""Drawings that stand on cells of a part, before they are put into one order and one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.piece import Piece
from app.render.scene.landscape.picture_groups import PictureGroups
from app.render.scene.pieces import Pieces


class Placement(NamedTuple):
    """Drawings and where they stand: arrays of shape (drawings,)."""

    numbers: NDArray[np.intp]
    """The numbers of their pieces, or, before ``with_pieces``, codes from which these are made."""

    rows: NDArray[np.intp]
    """The indices of their cells among those of the part."""

    south: NDArray[np.float64]
    """The y at which they stand, in map units: what stands further south is drawn later."""


def joined(placements: Sequence[Placement]) -> Placement:
    """Return one placement with the drawings of several, in their order."""
    return Placement(
        np.concatenate([placement.numbers for placement in placements]),
        np.concatenate([placement.rows for placement in placements]),
        np.concatenate([placement.south for placement in placements]),
    )


def with_pieces(
    pieces: Pieces,
    kind: str,
    placement: Placement,
    groups: PictureGroups,
    make: Callable[[Pieces, PictureGroups, int], Piece],
) -> Placement:
    """Return a placement of codes with the numbers of the pieces that ``make`` makes of them.

    ``kind`` names the drawings in the store of pieces, which makes the piece of a code once.
    """
    numbers = pieces.numbers(kind, placement.numbers, partial(make, pieces, groups))
    return placement._replace(numbers=numbers)


def piece_of_group(pieces: Pieces, terrain: int, name: str, key: tuple[str, int]) -> Piece:
    """Return a piece that draws the group ``name`` of the picture of a terrain code."""
    terrain_of_set = pieces.terrain_set.terrains[terrain]
    picture = pieces.pictures.picture_of_groups(terrain_of_set)
    assert picture is not None, "only pictures with such groups have their codes"

    def draw(painter: QPainter) -> None:
        pieces.pictures.group(painter, terrain_of_set, name)

    return Piece(key, picture.drawing(name).box, draw, terrain=terrain)
