"""Takes the terrains of a map from a picture, by ``randomizer.tracing``, and puts them into layers.

    steps = trace_picture(data, battlemap)
    traced = app.paper.steps.run(steps)         # TracedPicture: planes and doubtful cells

The panel and the command line call ``trace_picture``, where reading begins. It decides what to
compare the picture with (``_drawn_kinds_of``, ``_drawing_to_compare``); ``traced_drawings`` draws
that.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.paper.traced_drawings import MapRenderer
from app.render.cell_values.cell_colours import HIGHEST
from app.render.pictures.picture_files import decoded_colours
from app.render.scene.routes.river_looks import shallow_water
from app.render.theme import theme
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.stack_edits import LayerInsert, LayerReplace
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.records.assets import MAX_PIXELS, MAX_SIDE, picture_size
from randomizer.tracing.alignment import own_placement, search_placement
from randomizer.tracing.appearance import CELL_PIXELS, View, points_of
from randomizer.tracing.cell_drawer import Drawing
from randomizer.tracing.fits import Colour
from randomizer.tracing.kinds import Kinds, agreement, drawn_kinds, painted_kinds
from randomizer.tracing.placement import Placement
from randomizer.tracing.trace import MAX_CELLS, trace

LARGEST_PICTURE = 256 * 2**20
"""The most bytes of the file of a picture."""

TRUSTED = 0.6
"""The least share of painted cells that drawn samples must recognise to be used instead of them.
"""

TRACED = "Traced"
"""The name of the layer with what was traced; on the desk such a layer is traced again."""

GREY = 3
"""The most that the channels of a grey pixel differ, in levels of 255."""

DRAWN_PIXELS = 56.0
"""Maps are drawn with at most so many pixels across a cell, to be compared with a picture."""

SAME_PIXELS = 0.01
"""Placements that differ so little, in pixels, are the same."""

LOWEST_TRACED = -2
"""Terrains are not looked for at lower elevations, nor above ``HIGHEST``: these all look alike."""

PICTURE_READ = 5
"""The percentage of a tracing that is done when the picture is decoded."""

GRID_FOUND = 20
"""That when the grid is found in it."""

TERRAINS_DRAWN = 30
"""That when samples of all terrains are drawn; ``trace`` goes on from there."""


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
        if len(self.doubtful):
            text = self._cells_text(self.doubtful, "may be another terrain", battlemap, most)
            result.append(Problem(Severity.WARNING, "trace-doubtful", text))
        if len(self.beyond):
            if len(self.beyond) == 1:
                statement = "is not in the picture"
            else:
                statement = "are not in the picture"
            text = self._cells_text(self.beyond, statement, battlemap, most)
            result.append(Problem(Severity.WARNING, "trace-beyond", text))
        return result

    def _cells_text(
        self, cells: NDArray[np.intp], statement: str, battlemap: BattleMap, most: int
    ) -> str:
        """Return a sentence on some of ``cells``: "2 cells of 240 may be another terrain: A1 B7".

        ``most`` of them are named.
        """
        names = [battlemap.system.cell_name(battlemap.grid, cell) for cell in cells[:most].tolist()]
        if len(cells) > most:
            names.append("...")
        count = counted(len(cells), "cell")
        return f"{count} of {len(self.cells):,} {statement}: {' '.join(names)}"


def pixels_of(data: bytes) -> NDArray[np.uint8]:
    """Return the pixels (height, width, 3) of a PNG, JPEG or WebP. Raises ProblemError."""
    size = picture_size(data)
    if size is None or min(size) < 1:
        raise error("no-picture", "this is no picture (PNG, JPEG or WebP)")
    width, height = size
    if width * height > MAX_PIXELS or max(size) > MAX_SIDE:
        raise error(
            "no-picture",
            f"this picture has {width:,} x {height:,} pixels; {MAX_PIXELS / 1e6:.0f} million "
            f"are the most, {MAX_SIDE:,} along a side",
        )
    return decoded_colours(data)


def trace_picture(
    data: bytes, battlemap: BattleMap, placement: Placement | None = None
) -> Generator[int, None, TracedPicture]:
    """Trace the cells whose terrain is unset; those that are set say what terrains look like.

    Without a ``placement`` the grid is searched for in the picture. A grey picture of a map with
    elevations gives these instead of terrains: grey is the height. Yields percents; the generator
    returns the result. Raises ProblemError.
    """
    grid = battlemap.grid
    spec = battlemap.system.terrain
    if spec is None:
        raise error("no-terrains", "the cells of this map have no terrains")
    if grid.size > MAX_CELLS:
        raise error("map-too-large", f"a map of more than {MAX_CELLS:,} cells cannot be traced")

    # Find the grid in the picture.
    picture = pixels_of(data)
    yield PICTURE_READ
    if placement is None:
        placement = yield from search_placement(picture, grid)
    yield GRID_FOUND
    view = View.of(picture, grid, placement)
    if battlemap.system.height is not None and _is_grey(view.picture):
        return _heights(view, battlemap, placement)

    # Choose the samples of terrains. If the program's own drawings of them look like the cells that
    # are set, the picture is probably drawn by this program: then its drawings of all terrains are
    # the samples, and guesses are drawn and compared with the picture. Otherwise the samples are
    # the cells that are set, and no other terrains are found.
    painted = _painted_cells(battlemap, spec, view)
    kinds_of_program = _drawn_kinds_of(battlemap)
    yield TERRAINS_DRAWN
    if _looks_like(view, kinds_of_program, painted):
        drawing = _drawing_to_compare(battlemap, picture, placement, view)
        comparison = _Comparison(kinds_of_program, drawing, placement)
    else:
        kinds = painted_kinds(view, painted.samples, painted.codes_of_samples)
        comparison = _Comparison(kinds, None, placement)

    return (yield from _trace_terrains(view, battlemap, spec, painted, comparison))


class _PaintedCells(NamedTuple):
    """The cells of a map whose terrain is set before it is traced."""

    cells: NDArray[np.intp]
    """The cells whose terrain is set, (n,)."""

    samples: NDArray[np.intp]
    """Those of them that are in the picture, (m,)."""

    codes: NDArray[np.intp]
    """The terrain of every cell of the grid, -1 where it is unset: (size,)."""

    @property
    def codes_of_samples(self) -> NDArray[np.intp]:
        """The terrains of ``samples``, (m,)."""
        return np.asarray(self.codes[self.samples])


def _painted_cells(battlemap: BattleMap, spec: PlaneSpec, view: View) -> _PaintedCells:
    """Return the cells whose terrain is set in the plane of ``spec``."""
    terrain = battlemap.values_or_unset(spec)
    codes = np.where(terrain == spec.unset, -1, terrain.astype(np.intp)).ravel()
    cells = np.flatnonzero(codes >= 0)
    cells = cells[np.isin(cells, battlemap.grid.cells)]
    return _PaintedCells(cells, cells[_is_seen(view, cells)], codes)


def _looks_like(view: View, kinds: Kinds, painted: _PaintedCells) -> bool:
    """Return whether the cells that are set look like these drawn kinds; True if none is set."""
    if not len(painted.samples):
        return True
    return agreement(view, kinds, painted.samples, painted.codes_of_samples) >= TRUSTED


def _drawn_kinds_of(battlemap: BattleMap) -> Kinds:
    """Return drawn samples of all terrains of a map, at its usual elevations."""
    terrains = []
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        if not terrain.missing:
            terrains.append(code)
    renderer = MapRenderer(battlemap, CELL_PIXELS)
    elevations = _elevations_to_draw(battlemap)
    return drawn_kinds(battlemap.grid.layout, terrains, elevations, renderer.draw)


def _elevations_to_draw(battlemap: BattleMap) -> list[int]:
    """Return the elevations at which terrains are looked for, at least one."""
    elevations = []
    if battlemap.system.height is not None:
        for elevation in battlemap.terrain_set.elevations:
            if LOWEST_TRACED <= elevation <= HIGHEST:
                elevations.append(elevation)
    if elevations:
        return elevations
    return [0]  # the map has no heights, or all of them are too low or too high


def _drawing_to_compare(
    battlemap: BattleMap, picture: NDArray[np.uint8], placement: Placement, view: View
) -> Drawing:
    """Return how to draw guesses like a picture that may be one of ours.

    If the grid lies in the picture just as in one of this size that we export, it is one of ours:
    then guesses are drawn at the resolution of the picture, which is compared unscaled. Otherwise
    guesses are drawn at about the size of the picture, and compared with ``view``, the picture made
    small.
    """
    grid = battlemap.grid
    pixels_across = placement.pixels_across(grid.layout)
    height, width, _channels = picture.shape
    exported = own_placement(width, height, grid)
    if exported is not None and np.allclose(exported.values, placement.values, atol=SAME_PIXELS):
        renderer_of_same_size = MapRenderer(battlemap, pixels_across, keep_size=True)
        view_of_export = View(grid, exported, picture)
        return Drawing(renderer_of_same_size.draw, view_of_export, is_placed=True)
    renderer = MapRenderer(battlemap, min(DRAWN_PIXELS, pixels_across))
    return Drawing(renderer.draw, view)


class _Comparison(NamedTuple):
    """The samples that cells of a picture are compared with, and the places of the cells."""

    kinds: Kinds
    """The looks of the terrains that can be found."""

    drawing: Drawing | None
    """Draws guesses; None for a picture that is not drawn by this program."""

    placement: Placement
    """How the grid of the map lies in the picture; that of the view is of a smaller picture."""


def _trace_terrains(
    view: View,
    battlemap: BattleMap,
    spec: PlaneSpec,
    painted: _PaintedCells,
    comparison: _Comparison,
) -> Generator[int, None, TracedPicture]:
    """Trace the cells that are not painted, as ``trace_picture``; ``spec`` is the terrain plane."""
    grid = battlemap.grid
    unset_cells = np.setdiff1d(grid.cells, painted.cells)
    is_seen = _is_seen(view, unset_cells)
    seen_cells = unset_cells[is_seen]

    # Set cells are appended to the unset ones, as neighbours whose terrain is certain. Their
    # results are dropped.
    unset_count = len(seen_cells)
    is_known_kind = np.isin(painted.codes_of_samples, comparison.kinds.terrains)
    neighbours = painted.samples[is_known_kind]
    traced = yield from trace(
        view,
        comparison.kinds,
        np.concatenate([seen_cells, neighbours]),
        known_terrains=painted.codes,
        drawing=comparison.drawing,
        covers=_cover_colours(battlemap),
    )

    plane = np.full(grid.size, spec.unset, spec.dtype)
    plane[seen_cells] = traced.terrains[:unset_count]
    return TracedPicture(
        planes={spec.name: plane.reshape(grid.height, grid.width)},
        cells=unset_cells,
        doubtful=seen_cells[traced.doubtful[:unset_count]],
        beyond=unset_cells[~is_seen],
        placement=comparison.placement,
    )


def _cover_colours(battlemap: BattleMap) -> list[Colour]:
    """Return the colours of what lies on cells of a picture and says nothing of their terrains.

    These are the ways of a map, and the letters of names.
    """
    colours = [theme("light").label_text]
    for way in battlemap.terrain_set.ways:
        colours.append(QColor(way.colour))
        if way.style == "water":
            colours.append(shallow_water(QColor(way.colour)))
    return [(colour.red(), colour.green(), colour.blue()) for colour in colours]


def _is_seen(view: View, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether at least half of each cell lies in the picture: (n,)."""
    _bins, weights = view.bins(cells)  # the weights of points off the picture are 0
    _points, weights_of_all = points_of(view.grid.layout)
    return np.asarray(weights.sum(axis=1) * 2 >= weights_of_all.sum())


def _is_grey(picture: NDArray[Any]) -> bool:
    """Return whether all pixels of a picture (height, width, 3) are grey."""
    return bool((picture.max(axis=2) - picture.min(axis=2)).max(initial=0) <= GREY)


def _heights(view: View, battlemap: BattleMap, placement: Placement) -> TracedPicture:
    """Read elevations from grey: black is the lowest of the terrain set, white the highest.

    Greys between the elevations are rounded to the nearer one; none is doubtful.
    """
    grid = battlemap.grid
    spec = battlemap.system.height
    assert spec is not None, "the map has heights"
    height = battlemap.values_or_unset(spec)
    cells = grid.cells[height.ravel()[grid.cells] == spec.unset]
    is_seen = _is_seen(view, cells)
    lightness = view.colours(cells[is_seen]).mean(axis=(1, 2)) / 255
    elevations = np.sort(battlemap.terrain_set.elevations)
    numbers = np.rint(lightness * (len(elevations) - 1)).astype(np.intp)
    plane = np.full(grid.size, spec.unset, spec.dtype)
    plane[cells[is_seen]] = elevations[numbers]
    planes = {spec.name: plane.reshape(grid.height, grid.width)}
    no_cells = cells[:0]
    return TracedPicture(planes, cells, no_cells, cells[~is_seen], placement)


def add_traced(battlemap: BattleMap, traced: TracedPicture) -> None:
    """Put what was traced into the only layer of a new map, else into a new one at the top.

    This is for programs without a desk, where nobody paints over it.
    """
    if len(battlemap.layers) == 1 and not battlemap.layers[0].planes:
        battlemap.layers[0].planes.update(traced.planes)
        return
    layer = Layer(battlemap.free_layer_id(), TRACED)
    layer.planes.update(traced.planes)
    battlemap.layers.append(layer)


def traced_layer(battlemap: BattleMap) -> Layer | None:
    """Return the layer with what was traced before; None without one."""
    return next((layer for layer in battlemap.layers if layer.name == TRACED), None)


def edit_of_traced(battlemap: BattleMap, traced: TracedPicture) -> LayerInsert | LayerReplace:
    """Return the edit by which what was traced goes into the layer of an earlier tracing.

    Without such a layer it is a new one below all others. So what a person paints over it is in
    another layer, and the next tracing learns from that.
    """
    former = traced_layer(battlemap)
    if former is None:
        new_layer = Layer(battlemap.free_layer_id(), TRACED)
        new_layer.planes.update(traced.planes)
        return LayerInsert(0, new_layer)
    changed_layer = former.copy()
    changed_layer.planes.update(traced.planes)
    return LayerReplace(battlemap.index_of(former.id), former, changed_layer)
