"""The ground of a single cell of a landscape: its picture, as a piece that many cells show.

    codes = ground_codes(terrains, phases, elevations)       # one for each cell
    piece = ground_piece(pieces, GroundLook.of_code(code))    # one for each code that occurs

``fading_grounds`` and ``transitions`` draw other grounds over it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import PHASES
from app.render.piece import Piece
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.pieces import Pieces

_BASES = (PHASES, TINTS)
"""The bases of the fields of a ``GroundLook`` behind the first (``piece_codes``)."""

GROUND_CODES_A_TERRAIN = PHASES * TINTS
"""The number of codes of ``ground_codes`` for each terrain."""


class GroundLook(NamedTuple):
    """All that the picture of a ground depends on."""

    terrain: int
    """The code of the first terrain that has the ground (``GroundTraits.ground_code``)."""

    phase: int
    """The part of the ground's picture that the cell shows: the picture spans several cells."""

    tint: int
    """The elevation, which tints the ground, counted from ``DEEPEST``: so it is never negative."""

    @classmethod
    def of_code(cls, code: int) -> GroundLook:
        """Return what a code of ``ground_codes`` stands for."""
        return cls(*unpack(code, _BASES))

    @property
    def elevation(self) -> int:
        """The elevation as maps have it, from ``DEEPEST`` to ``HIGHEST``."""
        return self.tint + DEEPEST


def ground_codes(
    terrains: NDArray[np.intp], phases: NDArray[np.intp], elevations: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the codes (n,) of the grounds of n cells.

    ``elevations`` are those which are shown (``ScenePart.elevation``).
    """
    return pack((terrains, phases, elevations - DEEPEST), _BASES)


def ground_piece(pieces: Pieces, look: GroundLook) -> Piece:
    """Return the ground of a cell."""

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, look.terrain, look.phase)
        pieces.draw_tint(painter, look.elevation)

    return Piece(
        ("ground", look.terrain, look.phase, look.elevation),
        pieces.outline.boundingRect(),
        draw,
        clip=pieces.outline,
        draft=pieces.ground_colour(look.terrain, look.elevation),
        terrain=look.terrain,
    )
