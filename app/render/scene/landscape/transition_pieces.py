"""Pieces of transitions: a ground that reaches into a cell of another one, with a soft rim.

Of a square of meadow, with woods beyond side 0 and rock beyond side 1::

          woods
      +-----------+
      |wwwwwwwwwww|         mask         0b0011   the sides over which the woods are drawn
      |         ww| rock    ground_mask  0b0001   the side beyond which woods lie
      |  meadow  w|
      +-----------+

The woods go on below the rock, which is higher and is drawn over them by another transition.

The rim around the ground has its colour only, in *levels* of opacity (``mask_rims``); the ground's
picture is seen within the innermost level. ``transitions`` finds which grounds reach into which
cells, and asks for a piece for each code that occurs::

    codes = transition_codes(transitions)        # of many cells
    piece = transition_piece(pieces, code)       # one of these codes
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import faint
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.piece import Mask, Piece
from app.render.scene.landscape.edge_masks import EdgeMask, region
from app.render.scene.landscape.edge_patches import patches
from app.render.scene.landscape.edge_shapes import SHAPES, phase_of_shape
from app.render.scene.landscape.grounds import GroundLook, ground_piece
from app.render.scene.landscape.mask_rims import (
    Rim,
    RimLevel,
    box_around,
    fill_rim,
    reach_over_sides,
)
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.landscape.side_masks import MASKS, all_sides
from app.render.scene.landscape.stored_lines import LEVELS
from app.render.scene.pieces import Pieces


class _RimStyle(NamedTuple):
    """The rim of a transition, in the colour of the ground that reaches in."""

    levels: Rim
    """The translucent levels of the mask, the outermost first."""

    opaque_level: int = LEVELS - 1
    """The level of the mask within which the ground covers all that lies below."""


CRISP = _RimStyle(
    (
        RimLevel(level=4, opacity=0.3),
        RimLevel(level=5, opacity=0.5),
    )
)
"""The narrow rim of coasts and of what people made."""

SOFT = _RimStyle(
    (
        RimLevel(level=0, opacity=0.13),
        RimLevel(level=1, opacity=0.2),
        RimLevel(level=2, opacity=0.28),
        RimLevel(level=4, opacity=0.5),
    )
)
"""The wide rim of land in the cells of other land: one fades into the other."""

ALL_AROUND = _RimStyle(
    (
        RimLevel(level=0, opacity=0.2),
        RimLevel(level=1, opacity=0.3),
        RimLevel(level=2, opacity=0.45),
    ),
    opaque_level=3,
)
"""The wide rim of land all around a single cell of other land.

Of the other ground only a spot is left, as under the tents of a camp.
"""

PATCH_OPACITY = 0.55
"""With more, the patches that are scattered beyond a soft rim would look cut out."""

MASK_COLOUR = QColor("#000000")
"""The colour in which masks of sprites are drawn: only their opacity counts."""


# --- codes ----------------------------------------------------------------------------------------


class Transitions(NamedTuple):
    """The transitions of cells, one entry for each ground that reaches into a cell: arrays (n,)."""

    ground_code: NDArray[np.intp]
    """The ground that reaches in (``ground_traits``)."""
    mask: NDArray[np.intp]
    """The sides and corners over which it is drawn, as bits (``side_masks``)."""
    ground_mask: NDArray[np.intp]
    """Those of ``mask`` beyond which the ground itself lies: see the drawing of the module."""
    shape: NDArray[np.intp]
    """The shape of the cell, which varies the edge (``edge_shapes``)."""
    tint: NDArray[np.intp]
    """The elevation, counted from ``DEEPEST``: so it is never negative."""
    is_crisp: NDArray[np.intp]
    """1 for a ``CRISP`` rim, 0 for a ``SOFT`` one."""


class _Transition(NamedTuple):
    """One of the ``Transitions``, with the same fields: all that its picture depends on."""

    ground_code: int
    mask: int
    ground_mask: int
    shape: int
    tint: int
    is_crisp: int


_BASES = (MASKS, MASKS, SHAPES, TINTS, 2)
"""The bases of the fields of transitions behind the first (``piece_codes``)."""


def transition_codes(transitions: Transitions) -> NDArray[np.intp]:
    """Return the codes (n,) of n transitions: equal ones are drawn by the same piece."""
    return pack(transitions, _BASES)


# --- pieces ---------------------------------------------------------------------------------------


def transition_piece(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a transition, with its rim, by one of the codes."""
    transition = _Transition(*unpack(code, _BASES))
    edge = _edge_of(pieces, transition)
    # The shape tells where the cell lies within the period of the ground's picture.
    phase = phase_of_shape(pieces.layout, transition.shape)
    look = GroundLook(transition.ground_code, phase, transition.tint)
    ground = ground_piece(pieces, look)
    colour = pieces.ground_colour(look.terrain, look.elevation)

    def draw_rim(painter: QPainter) -> None:
        edge.draw_rim(painter, colour)

    def draw_mask(painter: QPainter) -> None:
        edge.draw_mask(painter, MASK_COLOUR)

    return Piece(
        ("transition", *transition),
        edge.box(),
        # The rim lies below the ground, whose picture is seen within the innermost level.
        under=draw_rim,
        draw=ground.draw,
        clip=edge.opaque_region(),
        # Small sprites are the whole ground, cut out by a mask as opaque as rim and ground.
        mask=Mask(edge.mask_key(), draw_mask),
        draft=ground.draft,
        part_of=ground,
        terrain=look.terrain,
    )


@dataclass(frozen=True)
class _Edge:
    """The area that a ground covers in a cell, more and more opaquely from its rim inwards."""

    area: EdgeMask
    """The area, in levels."""

    rim: _RimStyle
    """The opacity of each level."""

    scattered: tuple[QPolygonF, ...]
    """Small patches of the ground beyond a soft rim; none at a crisp one."""

    def opaque_region(self) -> QPolygonF:
        """Return the area within which the ground covers all that lies below."""
        return region(self.area, self.rim.opaque_level)

    def box(self) -> QRectF:
        """Return the box around the outermost level and the patches beyond it."""
        box = box_around(region(self.area, self.rim.levels[0].level))
        for patch in self.scattered:
            box = box.united(box_around(patch))
        return box

    def mask_key(self) -> object:
        """Return a key that is the same for edges that ``draw_mask`` draws alike."""
        return (self.area.mask, self.area.overlapped_sides, self.area.shape, self.rim)

    def draw_rim(self, painter: QPainter, colour: QColor) -> None:
        """Fill the translucent levels and the patches."""
        fill_rim(painter, self.area, colour, self.rim.levels)
        self._fill_patches(painter, colour)

    def draw_mask(self, painter: QPainter, colour: QColor) -> None:
        """Fill all levels, the opaque one as well, and the patches."""
        opaque = RimLevel(self.rim.opaque_level, 1.0)
        fill_rim(painter, self.area, colour, (*self.rim.levels, opaque))
        self._fill_patches(painter, colour)

    def _fill_patches(self, painter: QPainter, colour: QColor) -> None:
        """Fill the patches, through which what lies below shows."""
        if not self.scattered:
            return
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # patches may overlap
        for patch in self.scattered:
            path.addPolygon(patch)
            path.closeSubpath()
        painter.fillPath(path, faint(colour, PATCH_OPACITY))


def _edge_of(pieces: Pieces, transition: _Transition) -> _Edge:
    """Return the edge of the ground of a transition."""
    area = EdgeMask(
        pieces.layout,
        transition.mask,
        transition.shape,
        overlap=reach_over_sides(pieces),
        overlapped_sides=transition.ground_mask,
    )
    if transition.is_crisp:
        return _Edge(area, CRISP, scattered=())
    rim = SOFT
    if area.mask == all_sides(pieces.layout.degree):
        rim = ALL_AROUND
    return _Edge(area, rim, patches(area))
