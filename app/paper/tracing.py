"""Takes the terrains of a map from a picture (``randomizer.tracing``): reads it, and draws samples.

steps = trace_picture(data, battlemap)
result = run(steps)         # TracedPicture: planes and doubtful cells
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from app.paper.export import image
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.paper.steps import run
from app.render.cell_values.cell_colours import HIGHEST
from app.render.pictures.own_pictures import decoded
from app.render.vector.piece_painter import PiecePainter
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
    Draw,
    Drawing,
    agreement,
    drawn_kinds,
    painted_kinds,
    trace,
)

LARGEST_PICTURE = 256 * 2**20
"""In bytes of a file."""

DRAWN_PIXELS = 56.0
"""Maps are drawn with at most so many pixels across a cell, to be compared with a picture."""

BARE = replace(ON_PAPER, labels=False, thing_names=False)

SAME = 0.01
"""Placements that differ so little (pixels) are the same."""

TRUSTED = 0.6
"""Drawn samples are used instead of painted ones if they tell so many of these rightly."""

TRACED = "Traced"
"""The name of the layer with what was traced; on the desk such a layer is traced again."""

GREY = 3
"""The channels of a grey pixel differ by so much at most."""


@dataclass(frozen=True, eq=False)
class TracedPicture:
    """The map read from a picture: ``planes`` by name, unset where the picture says nothing.

    ``cells`` were looked at, ``doubtful`` of them are not certain, ``beyond`` lie off the picture,
    in which the map lies by ``placement``.
    """

    planes: dict[str, Plane]
    cells: NDArray[np.intp]
    doubtful: NDArray[np.intp]
    beyond: NDArray[np.intp]
    placement: Placement

    def problems(self, battlemap: BattleMap, most: int) -> list[Problem]:
        """Return what is not certain: how many cells, and the first ``most`` of them by name."""
        result = []
        for code, cells, text in (
            ("trace-doubtful", self.doubtful, "may be another terrain"),
            ("trace-beyond", self.beyond, "is not in the picture"),
        ):
            names = [
                battlemap.system.cell_name(battlemap.grid, cell) for cell in cells[:most].tolist()
            ]
            more = " ..." if len(cells) > most else ""
            if len(cells):
                message = f"{counted(len(cells), 'cell')} of {len(self.cells):,} {text}: "
                result.append(Problem(Severity.WARNING, code, message + " ".join(names) + more))
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
    image_ = picture.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image_.constBits(), np.uint8).reshape(image_.height(), -1)
    return rows[:, : 3 * image_.width()].reshape(image_.height(), image_.width(), 3).copy()


def trace_picture(
    data: bytes, battlemap: BattleMap, placement: Placement | None = None
) -> Generator[int, None, TracedPicture]:
    """Trace the cells whose terrain is unset; those that are set say what terrains look like.

    Without a ``placement`` the grid is looked for in the picture. Raises ProblemError.
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
    terrain = battlemap.set_values(spec)
    painted = np.flatnonzero(terrain.ravel() != spec.unset)
    painted = painted[np.isin(painted, grid.cells)]
    if system.height is not None and _is_grey(view.picture):
        return _heights(view, battlemap, placement)
    codes = np.where(terrain == spec.unset, -1, terrain.astype(np.intp)).ravel()
    elevations = [0]
    if system.height is not None:
        most = HIGHEST
        elevations = [
            elevation for elevation in battlemap.terrain_set.elevations if -3 < elevation <= most
        ]
    terrains = [n for n, each in enumerate(battlemap.terrain_set.terrains) if not each.missing]
    seen = painted[_is_seen(view, painted)]
    kinds = drawn_kinds(grid.layout, terrains, elevations or [0], _drawing(battlemap, CELL_PIXELS))
    yield 30
    ours: Drawing | None = None
    if not len(seen) or agreement(view, kinds, seen, codes[seen]) >= TRUSTED:
        across = placement.pixels_across(grid.layout)
        own = own_placement(picture.shape[1], picture.shape[0], grid)
        if own is not None and np.allclose(own.values, placement.values, atol=SAME):
            ours = Drawing(_drawing(battlemap, across, exact=True), View(grid, own, picture))
        else:
            ours = Drawing(_drawing(battlemap, min(DRAWN_PIXELS, across)), view)
    else:
        kinds = painted_kinds(view, seen, codes[seen])
    cells = np.setdiff1d(grid.cells, painted)
    inside = _is_seen(view, cells)
    every = np.concatenate([cells[inside], seen[np.isin(codes[seen], kinds.terrains)]])
    ways = map(QColor, (way.colour for way in battlemap.terrain_set.ways))
    covers = [(each.red(), each.green(), each.blue()) for each in ways]
    traced = yield from trace(view, kinds, every, codes, ours, covers)
    count = np.count_nonzero(inside)
    plane = np.full(grid.size, spec.unset, spec.dtype)
    plane[every[:count]] = traced.terrains[:count]
    planes = {spec.name: plane.reshape(grid.height, grid.width)}
    doubtful = every[:count][traced.doubtful[:count]]
    return TracedPicture(planes, cells, doubtful, cells[~inside], placement)


def _is_seen(view: View, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether at least half of each cell lies in the picture: (n,)."""
    weights = view.bins(cells)[1]
    return np.asarray(weights.sum(axis=1) * 2 >= points_of(view.grid.layout)[1].sum())


def _is_grey(picture: NDArray[Any]) -> bool:
    return bool((picture.max(axis=2) - picture.min(axis=2)).max(initial=0) <= GREY)


def _heights(view: View, battlemap: BattleMap, placement: Placement) -> TracedPicture:
    """Elevations by grey: black is the lowest of the terrain set, white the highest."""
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
    """Draw maps like ``battlemap`` with so many pixels across a cell.

    ``exact``: each pixel is that of our picture of this size, which is not made smaller.
    """
    system = battlemap.system
    request = PictureRequest(pixels=pixels, overlays=BARE)
    painter = PiecePainter(request.pixels_per_unit(battlemap.grid.layout))

    def draw(grid: Grid, terrains: NDArray[np.intp], elevations: NDArray[np.intp]) -> View:
        layer = Layer(1, "")
        planes = ((system.terrain, terrains), (system.height, elevations))
        for spec, values in planes:
            if spec is not None:
                layer.planes[spec.name] = values.astype(spec.dtype).reshape(spec.shape(grid))
        drawn = BattleMap.new(system, grid, [layer], battlemap.terrain_set, battlemap.assets)
        picture = run(image(request, drawn, drawn.composite(), MOST_SIDE, painter))
        assert picture is not None  # nobody cancels
        placement = own_placement(picture.width(), picture.height(), grid)
        assert placement is not None  # it is ours
        pixels = _array(picture)
        if exact:
            return View(grid, placement, pixels)
        return View.of(pixels, grid, placement)

    return draw


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
    """Return the edit that puts what was traced into the layer of before, else below all others.

    What is painted over it is then in a layer of its own, and learned from the next time.
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
