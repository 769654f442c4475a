"""Takes the terrains of a map from a picture (``randomizer.tracing``): reads it, and draws samples.

steps = trace_picture(data, battlemap)
result = app.paper.steps.run(steps)         # TracedPicture: planes and doubtful cells
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.paper.export import image_size, paint_strip, text_scale, vector_map
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.render.cell_values.cell_colours import HIGHEST
from app.render.pictures.own_pictures import decoded
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces
from app.render.vector.piece_painter import PiecePainter
from app.render.vector.vector_map import VectorMap
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import LayerInsert, LayerReplace
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.records.assets import MOST_PIXELS, MOST_SIDE, picture_size
from randomizer.tracing.alignment import own_placement, search_placement
from randomizer.tracing.appearance import CELL_PIXELS, View, points_of
from randomizer.tracing.placement import Placement
from randomizer.tracing.trace import (
    MOST_CELLS,
    Colour,
    Draw,
    Drawing,
    Kinds,
    agreement,
    drawn_kinds,
    painted_kinds,
    trace,
)

LARGEST_PICTURE = 256 * 2**20
"""A file of a picture has at most so many bytes."""

DRAWN_PIXELS = 56.0
"""Maps are drawn with at most so many pixels across a cell, to be compared with a picture."""

BARE = replace(ON_PAPER, labels=False, thing_names=False)
"""The overlays of drawings that are compared with a picture: none of their texts."""

FARTHEST_PIECE = 3
"""Pieces do not reach into cells that are farther than so many cells away."""

LEAST_SHARE_OF_STEP = 0.7
"""Cells so many steps apart are at least so many times this share of a step apart: the steps may
turn a corner, by a right angle in squares.
"""

CELL_RADIUS = 1.0
"""Cells reach so far from their centre, in map units."""

SAME = 0.01
"""Placements that differ so little (pixels) are the same."""

TRUSTED = 0.6
"""Drawn samples are used instead of painted ones if they tell so many of these rightly."""

LOWEST_TRACED = -2
"""Terrains are not looked for at lower elevations; nor above ``HIGHEST``, which all look alike."""

TRACED = "Traced"
"""The name of the layer with what was traced; on the desk such a layer is traced again."""

GREY = 3
"""The channels of a grey pixel differ by so much at most."""


@dataclass(frozen=True, eq=False)
class TracedPicture:
    """The map read from a picture."""

    planes: dict[str, Plane]
    """The plane that was read, by name; unset where the picture says nothing."""

    cells: NDArray[np.intp]
    """The cells that were to be read, those off the picture included: (n,)."""

    doubtful: NDArray[np.intp]
    """Those of ``cells`` whose terrain is not certain."""

    beyond: NDArray[np.intp]
    """Those of ``cells`` that lie off the picture."""

    placement: Placement
    """How the grid of the map lies in the picture."""

    def problems(self, battlemap: BattleMap, most: int) -> list[Problem]:
        """Return what is not certain: how many cells, and the first ``most`` of them by name."""
        result = []
        for code, cells, text in (
            ("trace-doubtful", self.doubtful, "may be another terrain"),
            ("trace-beyond", self.beyond, "is not in the picture"),
        ):
            if not len(cells):
                continue
            names = [
                battlemap.system.cell_name(battlemap.grid, cell) for cell in cells[:most].tolist()
            ]
            if len(cells) > most:
                names.append("...")
            count = counted(len(cells), "cell")
            message = f"{count} of {len(self.cells):,} {text}: {' '.join(names)}"
            result.append(Problem(Severity.WARNING, code, message))
        return result


def pixels_of(data: bytes) -> NDArray[np.uint8]:
    """Return the pixels (height, width, 3) of a PNG, JPEG or WebP. Raises ProblemError."""
    size = picture_size(data)
    if size is None or min(size) < 1:
        raise error("no-picture", "this is no picture (PNG, JPEG or WebP)")
    if size[0] * size[1] > MOST_PIXELS or max(size) > MOST_SIDE:
        raise error(
            "no-picture",
            f"this picture has {size[0]:,} x {size[1]:,} pixels; {MOST_PIXELS // 2**20} million "
            f"are the most, {MOST_SIDE:,} along a side",
        )
    return _array(decoded(data))


def _array(picture: QImage) -> NDArray[np.uint8]:
    """Return a copy of the pixels of a picture: (height, width, 3), red, green and blue."""
    rgb_picture = picture.convertToFormat(QImage.Format.Format_RGB888)
    width = rgb_picture.width()
    height = rgb_picture.height()
    rows = np.frombuffer(rgb_picture.constBits(), np.uint8).reshape(height, -1)
    # Qt pads each line to a multiple of four bytes.
    return rows[:, : 3 * width].reshape(height, width, 3).copy()


def trace_picture(
    data: bytes, battlemap: BattleMap, placement: Placement | None = None
) -> Generator[int, None, TracedPicture]:
    """Trace the cells whose terrain is unset; those that are set say what terrains look like.

    A terrain is recognised by samples. If the program's own drawings of the terrains look like the
    cells that are set, the picture is probably one of ours: then the samples are these drawings,
    which there are of all terrains, and guesses are drawn and compared with the picture. Otherwise
    the samples are the cells that are set, and no other terrains are found. In a grey picture of a
    map with elevations grey is the elevation (``_heights``).

    Without a ``placement`` the grid is looked for in the picture. Yields percents. Raises
    ProblemError.
    """
    grid = battlemap.grid
    system = battlemap.system
    spec = system.terrain
    if spec is None:
        raise error("no-terrains", "the cells of this map have no terrains")
    if grid.size > MOST_CELLS:
        raise error("map-too-large", f"a map of more than {MOST_CELLS:,} cells cannot be traced")
    picture = pixels_of(data)
    yield 5
    if placement is None:
        placement = yield from search_placement(picture, grid)
    yield 20
    view = View.of(picture, grid, placement)
    if system.height is not None and _is_grey(view.picture):
        return _heights(view, battlemap, placement)

    # The cells that are set, and the code of the terrain of every cell, -1 where it is unset.
    terrain = battlemap.set_values(spec)
    painted = np.flatnonzero(terrain.ravel() != spec.unset)
    painted = painted[np.isin(painted, grid.cells)]
    codes = np.where(terrain == spec.unset, -1, terrain.astype(np.intp)).ravel()
    samples = painted[_is_seen(view, painted)]

    # Samples of terrains: drawn ones where the cells that are set look like these, or none is set.
    kinds = _drawn_kinds_of(battlemap)
    yield 30
    drawing: Drawing | None = None
    if not len(samples) or agreement(view, kinds, samples, codes[samples]) >= TRUSTED:
        drawing = _drawing_to_compare(battlemap, picture, placement, view)
    else:
        kinds = painted_kinds(view, samples, codes[samples])

    # Trace the unset cells. Those that are set go along, behind them, as neighbours whose terrain
    # is certain; only the results of the first ``count`` are of use.
    cells = np.setdiff1d(grid.cells, painted)
    inside = _is_seen(view, cells)
    count = np.count_nonzero(inside)
    traced_cells = np.concatenate([cells[inside], samples[np.isin(codes[samples], kinds.terrains)]])
    covers = _way_colours(battlemap)
    traced = yield from trace(view, kinds, traced_cells, codes, drawing, covers)

    plane = np.full(grid.size, spec.unset, spec.dtype)
    plane[traced_cells[:count]] = traced.terrains[:count]
    planes = {spec.name: plane.reshape(grid.height, grid.width)}
    doubtful = traced_cells[:count][traced.doubtful[:count]]
    return TracedPicture(planes, cells, doubtful, cells[~inside], placement)


def _drawn_kinds_of(battlemap: BattleMap) -> Kinds:
    """Return drawn samples of all terrains of a map, at its usual elevations."""
    elevations = [0]
    if battlemap.system.height is not None:
        elevations = [
            elevation
            for elevation in battlemap.terrain_set.elevations
            if LOWEST_TRACED <= elevation <= HIGHEST
        ]
    terrains = []
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        if not terrain.missing:
            terrains.append(code)
    draw = _drawing(battlemap, CELL_PIXELS)
    return drawn_kinds(battlemap.grid.layout, terrains, elevations or [0], draw)


def _drawing_to_compare(
    battlemap: BattleMap, picture: NDArray[np.uint8], placement: Placement, view: View
) -> Drawing:
    """Return how to draw guesses like a picture that may be one of ours.

    If the grid lies in the picture just as in one of this size that we export, it is one of ours:
    then guesses are drawn with its very pixels, and it is compared as it is. Otherwise they are
    drawn at about its size, and compared with ``view``, the picture made small.
    """
    grid = battlemap.grid
    pixels_across = placement.pixels_across(grid.layout)
    height, width, _channels = picture.shape
    exported = own_placement(width, height, grid)
    if exported is not None and np.allclose(exported.values, placement.values, atol=SAME):
        draw = _drawing(battlemap, pixels_across, exact=True)
        return Drawing(draw, View(grid, exported, picture))
    return Drawing(_drawing(battlemap, min(DRAWN_PIXELS, pixels_across)), view)


def _way_colours(battlemap: BattleMap) -> list[Colour]:
    """Return the colours of the ways of a map: a road on a cell says nothing of its terrain."""
    colours = []
    for way in battlemap.terrain_set.ways:
        colour = QColor(way.colour)
        colours.append((colour.red(), colour.green(), colour.blue()))
    return colours


def _is_seen(view: View, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether at least half of each cell lies in the picture: (n,)."""
    weights = view.bins(cells)[1]
    return np.asarray(weights.sum(axis=1) * 2 >= points_of(view.grid.layout)[1].sum())


def _is_grey(picture: NDArray[Any]) -> bool:
    """Return whether all pixels of a picture (height, width, 3) are grey."""
    return bool((picture.max(axis=2) - picture.min(axis=2)).max(initial=0) <= GREY)


def _heights(view: View, battlemap: BattleMap, placement: Placement) -> TracedPicture:
    """Read elevations from grey: black is the lowest of the terrain set, white the highest.

    Greys between the elevations are rounded to the nearer one; none is doubtful.
    """
    grid = battlemap.grid
    spec = battlemap.system.height
    assert spec is not None  # nobody calls it without
    height = battlemap.set_values(spec)
    cells = grid.cells[height.ravel()[grid.cells] == spec.unset]
    inside = _is_seen(view, cells)
    elevations = np.sort(battlemap.terrain_set.elevations)
    plane = np.full(grid.size, spec.unset, spec.dtype)
    light = view.colours(cells[inside]).mean(axis=(1, 2)) / 255
    plane[cells[inside]] = elevations[np.rint(light * (len(elevations) - 1)).astype(np.intp)]
    planes = {spec.name: plane.reshape(grid.height, grid.width)}
    return TracedPicture(planes, cells, cells[:0], cells[~inside], placement)


def _drawing(battlemap: BattleMap, pixels: float, *, exact: bool = False) -> Draw:
    """Return a function that draws maps like ``battlemap`` with so many pixels across a cell.

    ``exact``: the views have the pixels of our picture of this size; otherwise pictures are made
    smaller where that is enough to recognise terrains (``View.of``).
    """
    system = battlemap.system
    request = PictureRequest(pixels=pixels, overlays=BARE)
    requested_unit = request.pixels_per_unit(battlemap.grid.layout)
    painters: dict[float, _PainterOfSomeCells] = {}
    vector_maps: dict[float, VectorMap] = {}

    def draw(
        grid: Grid,
        terrains: NDArray[np.intp],
        elevations: NDArray[np.intp],
        cells: NDArray[np.intp],
    ) -> View:
        layer = Layer(1, "")
        planes = ((system.terrain, terrains), (system.height, elevations))
        for spec, values in planes:
            if spec is not None:
                layer.planes[spec.name] = values.astype(spec.dtype).reshape(spec.shape(grid))
        drawn_map = BattleMap.new(system, grid, [layer], battlemap.terrain_set, battlemap.assets)
        composite = drawn_map.composite()

        # Pieces are worked out and painted once for all drawings of one scale.
        box = request.box(drawn_map, composite)
        unit = min(requested_unit, MOST_SIDE / max(box.width, box.height))
        if unit not in painters:
            painters[unit] = _PainterOfSomeCells(unit)
            vector_maps[unit] = vector_map(request, drawn_map, composite, painters[unit])
        painters[unit].choose_cells(grid, cells)
        vector_maps[unit] = vector_maps[unit].of_map(drawn_map, composite)

        # The image writes into an array: it need not be copied.
        width, height = image_size(box, unit)
        bytes_of_pixels = np.empty((height, width, 4), np.uint8)
        image = QImage(bytes_of_pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        detail = (text_scale(box, unit), unit)
        for _percent in paint_strip(image, vector_maps[unit], box, unit, 0, detail=detail):
            pass  # a drawing is one step of a tracing
        placement = own_placement(width, height, grid)
        assert placement is not None  # it is ours
        rgb_pixels = bytes_of_pixels[:, :, 2::-1]  # Qt's order in memory is blue, green, red
        if exact:
            return View(grid, placement, rgb_pixels)
        return View.of(rgb_pixels, grid, placement)

    return draw


class _PainterOfSomeCells(PiecePainter):
    """A painter of pieces that leaves out those that do not reach into any chosen cell."""

    def __init__(self, unit: float) -> None:
        super().__init__(unit)
        self._grid: Grid | None = None
        self._distance_of_cell = np.zeros(0)
        """The least distance from each cell to a chosen one, in map units; infinity if it is more
        than ``FARTHEST_PIECE`` cells away.
        """

    def choose_cells(self, grid: Grid, cells: NDArray[np.intp]) -> None:
        """Draw from now on a map with this grid, and of it what reaches into ``cells``."""
        self._grid = grid
        self._distance_of_cell = np.full(grid.size, np.inf)
        self._distance_of_cell[cells] = 0.0
        steps_between = np.array(grid.layout.steps) @ np.array(grid.layout.basis)
        least_step = np.hypot(*steps_between.T).min() * LEAST_SHARE_OF_STEP
        near_cells = cells
        for steps in range(1, FARTHEST_PIECE + 1):
            neighbours = grid.neighbour_table[near_cells]
            near_cells = np.unique(neighbours[neighbours >= 0])
            near_cells = near_cells[np.isinf(self._distance_of_cell[near_cells])]
            self._distance_of_cell[near_cells] = steps * least_step

    def lay(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        assert self._grid is not None  # cells have been chosen
        numbers, index_of_row = np.unique(batch.piece_of, return_inverse=True)
        reaches = []
        for number in numbers.tolist():
            box = pieces[number].box
            corner = max(-box.left(), box.right()), max(-box.top(), box.bottom())
            reaches.append(math.hypot(*corner))
        reach_of_row = np.array(reaches)[index_of_row]
        distances = self._distance_of_cell[self._grid.cells_at(at)]
        is_seen = distances < reach_of_row + CELL_RADIUS
        if is_seen.any():
            seen_batch = batch._replace(piece_of=batch.piece_of[is_seen], rows=batch.rows[is_seen])
            yield from super().lay(painter, pieces, seen_batch, at[is_seen])


def add_traced(battlemap: BattleMap, traced: TracedPicture) -> None:
    """Put what was traced into the only layer of a new map, else into a new one at the top."""
    if len(battlemap.layers) == 1 and not battlemap.layers[0].planes:
        battlemap.layers[0].planes.update(traced.planes)
        return
    layer = Layer(battlemap.free_layer_id(), TRACED)
    layer.planes.update(traced.planes)
    battlemap.layers.append(layer)


def traced_layer(battlemap: BattleMap) -> Layer | None:
    """Return the layer with what was traced before; None without one."""
    return next((layer for layer in battlemap.layers if layer.name == TRACED), None)


def put_traced(battlemap: BattleMap, traced: TracedPicture) -> LayerInsert | LayerReplace:
    """Return the edit that puts what was traced into the layer of an earlier tracing.

    Without such a layer it is a new one below all others. So what a person paints over it is in
    another layer, and the next tracing learns from that.
    """
    former = traced_layer(battlemap)
    if former is None:
        layer = Layer(battlemap.free_layer_id(), TRACED)
    else:
        layer = former.copy()
    layer.planes.update(traced.planes)
    if former is None:
        return LayerInsert(0, layer)
    return LayerReplace(battlemap.index_of(former.id), former, layer)
