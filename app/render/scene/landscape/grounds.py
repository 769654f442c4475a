"""The ground of single cells of a landscape, and what lies around them.

A *piece* is a picture that is drawn once and shown in every cell that looks the same. Which ground
a cell shows is told by its terrain, by the part of the terrain's picture that it shows (its
*phase*), and by its elevation, which tints it. ``fading_grounds`` and ``transitions`` draw other
grounds over it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import PHASES
from app.render.piece import Piece
from app.render.scene.landscape.ground_traits import GroundTraits
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

MASKS = 256
"""Masks are below this: the sides and, of squares, the corners are 8 bits at most."""

GROUND_BASES = (PHASES, TINTS)
"""The bases of the digits of ``ground_digits`` behind the terrain."""


def ground_digits(
    terrain: NDArray[np.intp], phases: NDArray[np.intp], elevation: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the digits of the codes of grounds: terrain, phase and tint, each (n,).

    ``elevation`` is that which is shown, from ``DEEPEST`` to ``HIGHEST`` (``ScenePart.elevation``).
    """
    return (terrain, phases, elevation - DEEPEST)


def ground_codes(
    terrain: NDArray[np.intp], phases: NDArray[np.intp], elevation: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the codes (n,) of grounds; the parameters are those of ``ground_digits``."""
    return pack(ground_digits(terrain, phases, elevation), GROUND_BASES)


def ground_of_code(pieces: Pieces, code: int) -> Piece:
    """Return the ground with a code of ``ground_codes``."""
    terrain, phase, tint = unpack(code, GROUND_BASES)
    return ground_piece(pieces, terrain, phase, elevation=tint + DEEPEST)


def ground_piece(pieces: Pieces, terrain: int, phase: int, elevation: int) -> Piece:
    """Return the ground of a cell, in the tint of its elevation.

    ``phase`` is the part of the terrain's picture that the cell shows.
    """

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)

    colour = pieces.ground_colour(terrain, elevation)
    outline = pieces.outline
    key = ("ground", terrain, phase, elevation)
    return Piece(key, outline.boundingRect(), draw, clip=outline, draft=colour, terrain=terrain)


def families_in(traits: GroundTraits, part: ScenePart) -> NDArray[np.intp]:
    """Return the families of terrains as in ``traits``, on maps with corner heights only of waters.

    The land of these maps is drawn as a surface.
    """
    if part.system.corner_heights is not None:
        return np.where(traits.is_water, traits.family, 0)
    return traits.family


def terrains_around(part: ScenePart) -> NDArray[np.intp]:
    """Return the terrains beyond the sides, and of squares beyond the corners; -1 for no cell.

    The shape is (sides, n) or (sides + corners, n).
    """
    if part.grid.degree == 4:
        return np.concatenate([part.terrain_around, part.terrain_at_corners])
    return part.terrain_around
