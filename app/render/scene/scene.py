"""The scene: all batches of a map in one layout, terrain set, theme and size, in drawing order."""

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
    """Decides what is drawn of maps, with ``pieces``.

    Its methods yield batches from the bottom up: ``ground``, ``shades``, ``map_edges``,
    ``hexsides``, ``cell_overlays``. Painters (``raster``, ``vector``) draw them in this order.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    def ground(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[LandBatch]:
        """Yield the cells with what stands on them, and over them grid lines and routes."""
        yield from self.land(part, passes)
        yield from self.on_land(part, passes)

    def land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[LandBatch]:
        """Yield cells and what stands on them."""
        system = part.system
        if self.has_surface(part):
            assert system.terrain is not None
            for opacity_pass in passes:
                yield ground_batch(self.pieces, part, opacity_pass, (system.terrain,))
            return
        planes = (system.terrain, system.elevation)
        if self.pieces.joined and self.pieces.features is not None:
            # Elevations have pictures of their own, and what stands on them goes on over their rim.
            part = replace(part, overlays=part.overlays.having("elevation", is_shown=False))
        specs = tuple(spec for spec in planes if spec is not None)
        batches_of_pass = cells.batches
        if self.pieces.joined:
            batches_of_pass = _land
        yield from self._in_passes(part, passes, specs, batches_of_pass)

    def has_surface(self, part: ScenePart) -> bool:
        """Return whether the ground is worked out pixel by pixel."""
        return self.pieces.style.draws_surface(part.system, self.pieces.theme)

    def on_land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[Batch]:
        """Yield what lies on bare ground, routes, and grid lines over woods and hills."""
        routes = part.system.routes_of(part.composite.terrain_set)
        has_routes = any(not is_blank(part.composite.planes[route.plane]) for route in routes)
        if has_routes or self.pieces.features is not None:
            specs = part.system.shown_planes
            yield from self._in_passes(part, passes, specs, _features)
        if part.overlays.grid_lines and self.pieces.joined:
            yield from cells.grid_line_batches(self.pieces, part)

    def shades(self, part: ScenePart) -> Iterator[tuple[str, Iterator[LandBatch]]]:
        """Yield what lies over the ground, translucent: names for messages, and batches."""
        yield "The heights", shades.land_batches("height_colours", self.pieces, part)
        yield "The relief", relief_light.batches(self.pieces, part)
        yield "The light and the water", light_and_water_batches(self.pieces, part)
        yield "The depth of the water", shades.land_batches("water_depth", self.pieces, part)
        yield "The passability", shades.passability_batches(self.pieces, part)
        yield "The regions", regions.batches(self.pieces, part)
        yield "The contour lines", contour_lines.contour_batches(self.pieces, part)

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
        """Yield the batches of each pass, with its opacity and with rows of ``part``."""
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


def _land(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the cells of a landscape."""
    yield from fading_grounds.ground_batches(pieces, part)
    yield from transitions.batches(pieces, part)
    if pieces.features is not None:
        hills = pieces.batch(pieces.features.pieces(_drawn_cells(part)))
        if hills is not None:
            yield hills._replace(fine=True)
    yield from landscape_features.batches(pieces, part)
    yield from steps.batches(pieces, part)  # woods would hide them


def _features(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the pieces of ``Style.features``, and over them those of routes, from the bottom up.

    In landscapes the former lie below what stands on the ground, and towns above the routes; over
    all of it lie the edges of the former that would be hidden.
    """
    drawn = _drawn_cells(part)
    features: Iterable[PiecePlaces] = ()
    if pieces.features is not None and not pieces.joined:
        features = pieces.features.pieces(drawn)
    result = pieces.batch(chain(features, pieces.routes.pieces(drawn)))
    if result is not None:
        yield result._replace(fine=True)
    if pieces.joined:
        has_way = np.zeros(len(part.cells), np.bool_)
        for route in part.system.routes_of(pieces.terrain_set):
            has_way |= route.runs(drawn.here(route.plane))
        yield from landscape_features.town_batches(pieces, part, has_way)
        if pieces.features is not None:
            edges = pieces.batch(pieces.features.edges(drawn))
            if edges is not None:
                yield edges._replace(fine=True)


def _drawn_cells(part: ScenePart) -> DrawnCells:
    """Return the cells of a part, with all values of the planes that it shows."""
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
