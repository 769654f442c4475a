"""The store of the pieces of a scene, and what the pieces of cells are drawn with.

A scene of many cells consists of few different drawings (``Piece``). ``Pieces`` gives each of them
a number, so that a scene is arrays of numbers. What a cell shows is first written as a *code*, an
integer that is made up by whoever draws it, such as ``terrain * 100 + variant``. The piece of a
code is made when the code first occurs::

    codes = np.array([301, 302, 301])                       # of three cells
    numbers = pieces.numbers("cell", codes, make=cell_of)   # calls cell_of(301), cell_of(302)
    pieces[numbers[0]]                                      # the Piece that cell_of(301) returned
"""

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
"""Codes below this are looked up in a table with an entry for each code: at most 4 MB.

Larger ones are looked up in a dictionary, code by code, which is slower.
"""

SQUARE_FEATURE_SIZE = 0.56
"""The size of features in squares, whose sides are 1 map unit long.

Features are made for a flat hexagon of radius 1, which is then 0.97 high, as a square nearly is.
"""


NO_NUMBERS = np.zeros(0, np.int32)
"""The table of a kind of which no piece was asked for."""


@dataclass(eq=False)
class Pieces:
    """The pieces of one scene, and what they are drawn with.

    A piece is numbered when it is first asked for, and stays in the store as long as the scene.
    """

    layout: Layout
    """The shape of the cells."""

    terrain_set: TerrainSet
    """The terrains, with the pictures that the style draws them with."""

    style: Style
    """The style in which the map is drawn."""

    pictures: Pictures
    """The pictures of terrains, in the colours of ``theme``."""

    theme: Theme
    """The colours in which it is drawn."""

    pixel: float
    """The width of a pixel, and so of a thin line, in map units."""

    overlap: float
    """How much larger cells are drawn, in map units, so that no gap shows between them."""

    coarse: bool = False
    """True if the pieces are seen from afar, so that fewer variants of them will do."""

    def __post_init__(self) -> None:
        self.terrain_set = self.style.pictured(self.terrain_set)
        self.outline = cell_outline(self.layout, 1 + self.overlap)
        """The polygon within which the picture of a cell is seen."""
        self.feature_size = SQUARE_FEATURE_SIZE
        """The factor by which features are scaled, to fit into a cell."""
        if self.layout.degree == 6:
            # Half the width of the hexagon: pointy ones are narrower than flat ones.
            self.feature_size = max(x for x, _y in self.layout.corners)
        self._colours: dict[tuple[int, int], QColor] = {}
        """The results of ``ground_colour``, by terrain and elevation."""
        self._pieces: list[Piece] = []
        """All pieces; their indices are their numbers."""
        self._numbers: dict[object, int] = {}
        """The numbers of pieces by their keys."""
        self._tables: dict[str, NDArray[np.int32]] = {}
        """The number of each code below ``TABLED``, -1 if the code has not occurred, by kind."""
        self._numbers_of_large_codes: dict[str, dict[int, int]] = {}
        """The numbers of the other codes that have occurred, by kind and code."""

    @property
    def joined(self) -> bool:
        """True if terrains pass into one another: in landscapes with pictures, not on boards."""
        return self.style.landscape and self.theme.colour_set == "pictures"

    @property
    def fine(self) -> bool:
        """True if cells and edges are ``Batch.fine``: on boards, which are small."""
        return not self.style.landscape

    @cached_property
    def features(self) -> GroundFeatures | None:
        """What the style lays on bare ground in place of terrain pictures, None for most styles."""
        if self.style.features is None:
            return None
        return self.style.features(
            self.layout, self.terrain_set, self.pictures, self.theme, self.feature_size
        )

    @cached_property
    def routes(self) -> RouteDrawing:
        """The object that draws routes: that of the style if it has one, else the usual one."""
        make = self.style.routes
        if make is None:
            make = RoutePieces
        return make(self.layout, self.terrain_set, self.theme, self.pixel)

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, number: int) -> Piece:
        return self._pieces[number]

    # --- the numbers of pieces ----------------------------------------------------------------

    def number(self, piece: Piece) -> int:
        """Return the number of a piece; pieces of the same key have the same number."""
        number = self._numbers.get(piece.key)
        if number is None:
            number = len(self._pieces)
            self._numbers[piece.key] = number
            self._pieces.append(piece)
        return number

    def numbers(
        self, kind: str, codes: NDArray[np.intp], make: Callable[[int], Piece]
    ) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of one ``kind`` with these ``codes`` (n,).

        Codes are 0 or more; ``make`` makes the piece of a code, and is called once for each code of
        a kind. Many codes below ``TABLED`` are looked up at once, others one by one.
        """
        if not len(codes):
            return np.zeros(0, np.intp)
        highest = int(codes.max())
        if highest >= TABLED:
            return self._numbers_one_by_one(kind, codes, make)
        table = self._table_with(kind, highest)
        numbers = table[codes]
        if numbers.min() < 0:  # some codes are new
            # Not np.unique: its first call imports numpy.ma, a tenth of the start.
            for code in np.flatnonzero(np.bincount(codes[numbers < 0])).tolist():
                table[code] = self.number(make(code))
            numbers = table[codes]
        return numbers.astype(np.intp)

    def _table_with(self, kind: str, code: int) -> NDArray[np.int32]:
        """Return the table of a kind, made longer if it has no entry for a code."""
        table = self._tables.get(kind, NO_NUMBERS)
        if code >= len(table):
            # A power of two above the code: it is seldom made longer.
            longer_table = np.full(1 << (code + 1).bit_length(), -1, np.int32)
            longer_table[: len(table)] = table
            table = longer_table
            self._tables[kind] = table
        return table

    def _numbers_one_by_one(
        self, kind: str, codes: NDArray[np.intp], make: Callable[[int], Piece]
    ) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of codes (n,) of which some are large."""
        number_of_code = self._numbers_of_large_codes.setdefault(kind, {})
        code_list = codes.tolist()
        for code in code_list:
            if code not in number_of_code:
                number_of_code[code] = self.number(make(code))
        return np.array([number_of_code[code] for code in code_list], np.intp)

    def batch(self, pieces_at_rows: Iterable[PiecePlaces]) -> Batch | None:
        """Return one batch of pieces, each with the rows of its cells, in this order.

        None if no piece has any cells.
        """
        numbers = []
        row_lists = []
        for piece, rows in pieces_at_rows:
            if len(rows):
                numbers.append(np.full(len(rows), self.number(piece), np.intp))
                row_lists.append(rows)
        if not row_lists:
            return None
        return Batch(np.concatenate(numbers), np.concatenate(row_lists))

    # --- what is drawn around (0, 0), in map units --------------------------------------------

    def draw_ground(self, painter: QPainter, terrain: int, phase: int = 0) -> None:
        """Draw the ground of a terrain, such as grass, over the whole cell and a little more.

        ``phase`` is the number of the section of the ground's pattern (``ground_phase``).
        """
        with saved_state(painter):
            section = phases(self.layout)[phase]
            self.pictures.ground(painter, self.terrain_set.terrains[terrain], section)

    def draw_feature(self, painter: QPainter, terrain: int, variant: int) -> None:
        """Draw what stands on the ground of a terrain, such as a wood."""
        with saved_state(painter):
            painter.scale(self.feature_size, self.feature_size)
            self.pictures.feature(painter, self.terrain_set.terrains[terrain], variant)

    def draw_tint(self, painter: QPainter, elevation: int) -> None:
        """Draw the tint of an elevation over the whole cell and a little more."""
        for tint in self.theme.tints_of(elevation):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawPolygon(cell_outline(self.layout, 1 + MARGIN))

    def ground_colour(self, terrain: int, elevation: int) -> QColor:
        """Return the colour that most of the ground of a terrain has at an elevation."""
        colour = self._colours.get((terrain, elevation))
        if colour is None:
            ground = self.pictures.ground_colour(self.terrain_set.terrains[terrain]).rgb()
            pixel = np.array([ground], np.uint32)  # mix_colours takes arrays
            for tint in self.theme.tints_of(elevation):
                pixel = mix_colours(pixel, tint.rgb(), tint.alpha())
            colour = QColor(int(pixel[0]))
            self._colours[terrain, elevation] = colour
        return colour
