"""The scene: what is drawn of a map, as batches in drawing order.

A *batch* says which pieces (small pictures) lie on which cells. ``Scene`` yields the batches of a
part of a map, from the ground up to texts and icons; painters draw them.

Cells are drawn in two ways. On *boards* each cell is a picture in an outline. In *landscapes*
(``Pieces.joined``) terrains run into one another, and what stands on them may stand over the edges
of its cell. Colossus' battlelands are boards, free maps are landscapes. A style may also lay
*ground features* (``Style.features``) on bare ground, such as the hills of Cordery's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from app.render.cell_values.opacity_passes import OpacityPass
from app.render.level_of_detail import LABELS_FROM, SIDES_FROM
from app.render.piece import PiecePlaces
from app.render.scene import cells, contour_lines, regions, relief_light, shades
from app.render.scene.batch import AnyBatch, Batch, LandBatch
from app.render.scene.cell_overlays import AT_ALL_SIZES, CELL_OVERLAYS
from app.render.scene.edges import hexsides, map_edges, steps
from app.render.scene.landscape import fading_grounds, transitions
from app.render.scene.landscape import features as landscape_features
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.surface.ground import ground_batch
from app.render.scene.surface.light_and_water import light_and_water_batches
from app.render.style import DrawnCells
from randomizer.model.planes.planes import Element, PlaneSpec, is_blank


class Scene:
    """Decides what is drawn of maps, with the pictures of ``pieces``.

    Painters (``raster``, ``vector``) draw what its methods yield in this order: ``ground``,
    ``shades``, ``map_edges``, ``hexsides``, ``cell_overlays``.

    In all of them ``part`` is the part of a map that is drawn. ``passes`` are the layers of the map
    grouped by their opacity: each pass is drawn over the one before.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    def ground(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[LandBatch]:
        """Yield the cells with what stands on them, and over them routes and grid lines."""
        yield from self.land(part, passes)
        yield from self.on_land(part, passes)

    def land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[LandBatch]:
        """Yield the cells and what stands on them, such as woods, but no towns in landscapes.

        Towns lie over the routes that lead to them: ``on_land`` yields them.
        """
        system = part.system
        if self.has_surface(part):
            assert system.terrain is not None
            for opacity_pass in passes:
                yield ground_batch(self.pieces, part, opacity_pass, (system.terrain,))
            return
        planes = (system.terrain, system.elevation)
        if self.pieces.joined and self.pieces.features is not None:
            # The style's features show elevations, in place of the rims and numbers of cells.
            part = replace(part, overlays=part.overlays.having("elevation", is_shown=False))
        specs = tuple(spec for spec in planes if spec is not None)
        batches_of_cells = cells.batches
        if self.pieces.joined:
            batches_of_cells = _landscape_batches
        yield from self._in_passes(part, passes, specs, batches_of_cells)

    def has_surface(self, part: ScenePart) -> bool:
        """Return whether the ground is worked out pixel by pixel."""
        return self.pieces.style.draws_surface(part.system, self.pieces.theme)

    def on_land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[Batch]:
        """Yield what lies over the cells: features of boards, routes, towns, and grid lines.

        Grid lines are yielded in landscapes only, so that they are seen over woods and hills; cells
        of boards have outlines.
        """
        planes = part.composite.planes
        has_routes = any(not is_blank(planes[route.plane]) for route in part.routes)
        if has_routes or self.pieces.features is not None:
            specs = part.system.shown_planes
            yield from self._in_passes(part, passes, specs, _route_batches)
        if part.overlays.grid_lines and self.pieces.joined:
            yield from cells.grid_line_batches(self.pieces, part)

    def shades(self, part: ScenePart) -> Iterator[tuple[str, Iterator[LandBatch]]]:
        """Yield what lies over the ground, translucent: names for messages, and batches.

        Nothing is yielded for an overlay that is switched off.
        """
        pieces = self.pieces
        overlays = part.overlays
        has_corner_heights = part.system.corner_heights is not None
        if overlays.height_colours:
            yield "The heights", shades.land_batches("height_colours", pieces, part)
        if overlays.shows_relief(part.system) and not has_corner_heights:
            yield "The relief", relief_light.batches(pieces, part)
        if has_corner_heights:
            yield "The light and the water", light_and_water_batches(pieces, part)
        if overlays.water_depth:
            yield "The depth of the water", shades.land_batches("water_depth", pieces, part)
        if overlays.passability:
            yield "The passability", shades.passability_batches(pieces, part)
        if overlays.regions and regions.has_regions(part.battlemap, part.composite):
            yield "The regions", regions.batches(pieces, part)
        if overlays.contour_step:
            yield "The contour lines", contour_lines.contour_batches(pieces, part)

    def map_edges(self, part: ScenePart) -> Iterator[Batch]:
        """Yield the edges and the seam of the map."""
        return map_edges.map_edge_batches(self.pieces, part)

    def hexsides(
        self, part: ScenePart, passes: Iterable[OpacityPass], size: float
    ) -> Iterator[Batch]:
        """Yield the hexsides, if cells of this size (``level_of_detail.cell_size``) show them."""
        spec = part.system.hexside
        if spec is not None and part.overlays.hexsides and size >= SIDES_FROM:
            yield from self._in_passes(part, passes, (spec,), hexsides.batches)

    def cell_overlays(
        self, part: ScenePart, size: float
    ) -> Iterator[tuple[str, Iterator[AnyBatch]]]:
        """Yield what cells of this size (``level_of_detail.cell_size``) show of texts and icons.

        That is names for messages, and batches.
        """
        for field, name, batches in CELL_OVERLAYS:
            has_room = size >= LABELS_FROM or field in AT_ALL_SIZES
            if has_room and part.overlays.shows(field):
                yield name, batches(self.pieces, part)

    def _in_passes(
        self,
        part: ScenePart,
        passes: Iterable[OpacityPass],
        specs: tuple[PlaneSpec, ...],
        batches: Callable[[Pieces, ScenePart], Iterator[Batch]],
    ) -> Iterator[Batch]:
        """Yield the batches of each pass, with its opacity.

        A pass draws only the cells that its layers set in the planes ``specs``. The rows of its
        batches count these cells; here they become rows of all cells of ``part``.
        """
        for opacity_pass in passes:
            drawn = part.in_pass(opacity_pass, specs)
            if not len(drawn.cells):
                continue
            for batch in batches(self.pieces, drawn):
                if drawn.rows_in_whole is None:
                    rows = batch.rows
                else:
                    rows = drawn.rows_in_whole[batch.rows]
                yield batch._replace(rows=rows, opacity=opacity_pass.opacity)


def _landscape_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the cells of a landscape with what stands on them, from the bottom up."""
    yield from fading_grounds.ground_batches(pieces, part)
    yield from transitions.batches(pieces, part)
    if pieces.features is not None:
        yield from _fine_batch(pieces, pieces.features.pieces(_drawn_cells(part)))
    yield from landscape_features.batches(pieces, part)
    yield from steps.batches(pieces, part)  # woods would hide them


def _route_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the routes, below them the ground features of a board, over them towns.

    In landscapes ground features lie below the woods (``_landscape_batches``). Where woods and
    towns hide the edge of a feature, that edge is drawn once more, over all of them.
    """
    drawn_cells = _drawn_cells(part)
    features: Iterable[PiecePlaces] = ()
    if pieces.features is not None and not pieces.joined:
        features = pieces.features.pieces(drawn_cells)
    yield from _fine_batch(pieces, chain(features, pieces.routes.pieces(drawn_cells)))
    if not pieces.joined:
        return

    # A town leaves room for the routes that run through it.
    has_route = np.zeros(len(part.cells), np.bool_)
    for route in part.system.routes_of(pieces.terrain_set):
        has_route |= route.runs(drawn_cells.here(route.plane))
    yield from landscape_features.town_batches(pieces, part, has_route)
    if pieces.features is not None:
        yield from _fine_batch(pieces, pieces.features.edges(drawn_cells))


def _fine_batch(pieces: Pieces, places: Iterable[PiecePlaces]) -> Iterator[Batch]:
    """Yield one batch of pieces with lines that go on in other cells; none without pieces."""
    batch = pieces.batch(places)
    if batch is not None:
        yield batch._replace(fine=True)


def _drawn_cells(part: ScenePart) -> DrawnCells:
    """Return the cells of a part, with the values of all planes of cells that it shows.

    In a pass of some layers only, the values are those that these layers set.
    """
    system = part.system
    grid = part.grid
    planes = part.composite.planes
    if part.opacity_pass.drawn_layers is not None:
        everywhere = slice(0, grid.size)
        planes = {}
        for spec in system.shown_planes:
            if spec.element is not Element.CELL:
                continue
            plane = part.composite.planes[spec.name]
            if not is_blank(plane):  # else no layer has it
                values = part.opacity_pass.values(part.composite, spec, everywhere)
                plane = values.reshape(spec.shape(grid))
            planes[spec.name] = plane
    return DrawnCells(system, grid, planes, part.cells, part.overlays.grid_lines)
