"""The pieces of a scene, what they are made of, and how ground and feature of a cell are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_outline
from app.render.cell_values.cell_colours import mix_colours
from app.render.pictures.ground_phase import MARGIN, phases
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, PiecePlaces
from app.render.scene.batch import Batch
from app.render.scene.routes.route_pieces import RoutePieces
from app.render.style import GroundFeatures, RouteDrawing, Style
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

TABLED = 1 << 19
"""Codes of pieces below this are looked up in a table with an entry for each."""


@dataclass(eq=False)
class Pieces:
    """The pieces of one scene, numbered as they are asked for, and what they are made of.

    ``pixel`` is the width of a thin line, ``overlap`` how much larger cells are drawn so that no
    gap shows between them, both in map units. ``pictures`` are those of ``theme``. ``coarse``: they
    are seen from afar, so that fewer variants of them will do.
    """

    layout: Layout
    terrain_set: TerrainSet
    style: Style
    pictures: Pictures
    theme: Theme
    pixel: float
    overlap: float
    coarse: bool = False

    def __post_init__(self) -> None:
        self.terrain_set = self.style.pictured(self.terrain_set)
        self.outline = cell_outline(self.layout, 1 + self.overlap)
        """What is shown of the picture of a cell."""
        # Features are made for flat hexes and must fit in the cell.
        if self.layout.degree == 6:
            self.feature_size = max(self.layout.corners)[0]
        else:
            self.feature_size = 0.56
        self._colours: dict[tuple[int, int], QColor] = {}
        self._pieces: list[Piece] = []
        self._numbers: dict[object, int] = {}
        self._tables: dict[str, NDArray[np.int32]] = {}
        self._sparse: dict[str, dict[int, int]] = {}

    @property
    def joined(self) -> bool:
        """True if terrains run into another: not on boards and in plain colour sets."""
        return self.style.landscape and self.theme.colour_set == "pictures"

    @property
    def fine(self) -> bool:
        """True if cells and edges are ``Batch.fine``: on boards, which are small."""
        return not self.style.landscape

    @cached_property
    def features(self) -> GroundFeatures | None:
        """The features that the style lays on bare ground, None where it lays none."""
        if self.style.features is None:
            return None
        return self.style.features(
            self.layout, self.terrain_set, self.pictures, self.theme, self.feature_size
        )

    @cached_property
    def routes(self) -> RouteDrawing:
        """The object that draws routes."""
        make = self.style.routes or RoutePieces
        return make(self.layout, self.terrain_set, self.theme, self.pixel)

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, number: int) -> Piece:
        return self._pieces[number]

    def number(self, piece: Piece) -> int:
        """Return the number of a piece; pieces of the same key have the same number."""
        result = self._numbers.get(piece.key)
        if result is None:
            result = self._numbers[piece.key] = len(self._pieces)
            self._pieces.append(piece)
        return result

    def numbers(
        self, kind: str, codes: NDArray[np.intp], make: Callable[[int], Piece]
    ) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of one ``kind`` with these ``codes`` (n,).

        A code is a number from 0 on; ``make`` makes the piece of a code. Codes below ``TABLED``
        are quicker.
        """
        if not len(codes):
            return np.zeros(0, np.intp)
        if codes.max() >= TABLED:
            numbers = self._sparse.setdefault(kind, {})
            code_list = codes.tolist()
            for code in code_list:
                if code not in numbers:
                    numbers[code] = self.number(make(code))
            return np.array([numbers[code] for code in code_list], np.intp)
        table = self._tables.get(kind)
        highest = int(codes.max())
        if table is None or highest >= len(table):
            grown = np.full(1 << (highest + 1).bit_length(), -1, np.int32)
            if table is not None:
                grown[: len(table)] = table
            table = self._tables[kind] = grown
        result = table[codes]
        if result.min() < 0:
            # Not np.unique: its first call imports numpy.ma, a tenth of the start.
            for code in np.flatnonzero(np.bincount(codes[result < 0])).tolist():
                table[code] = self.number(make(code))
            result = table[codes]
        return result.astype(np.intp)

    def batch(self, pieces_at_rows: Iterable[PiecePlaces]) -> Batch | None:
        """Return one batch of pieces, each with the rows of its cells, in this order.

        None without any.
        """
        numbers = []
        row_lists = []
        for piece, cells in pieces_at_rows:
            if len(cells):
                numbers.append(np.full(len(cells), self.number(piece), np.intp))
                row_lists.append(cells)
        if row_lists:
            return Batch(np.concatenate(numbers), np.concatenate(row_lists))
        return None

    # --- what is drawn around (0, 0), in map units --------------------------------------------

    def draw_ground(self, painter: QPainter, terrain: int, phase: int = 0) -> None:
        """Draw the ground of a terrain, over the whole cell and a little more."""
        with saved_state(painter):
            outline_phase = phases(self.layout)[phase]
            self.pictures.ground(painter, self.terrain_set.terrains[terrain], outline_phase)

    def draw_feature(self, painter: QPainter, terrain: int, variant: int) -> None:
        """Draw what stands on the ground of a terrain."""
        with saved_state(painter):
            painter.scale(self.feature_size, self.feature_size)
            self.pictures.feature(painter, self.terrain_set.terrains[terrain], variant)

    def draw_tint(self, painter: QPainter, elevation: int) -> None:
        """Draw the tint of an elevation over the ground."""
        for tint in self.theme.tints_of(elevation):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawPolygon(cell_outline(self.layout, 1 + MARGIN))

    def ground_colour(self, terrain: int, elevation: int) -> QColor:
        """Return the colour of the ground of a terrain with the tint of an elevation."""
        result = self._colours.get((terrain, elevation))
        if result is None:
            ground = self.pictures.ground_colour(self.terrain_set.terrains[terrain]).rgb()
            colours = np.array([ground], np.uint32)
            for tint in self.theme.tints_of(elevation):
                colours = mix_colours(colours, tint.rgb(), tint.alpha())
            result = self._colours[terrain, elevation] = QColor(int(colours[0]))
        return result
