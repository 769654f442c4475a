"""The scene: what is drawn of a map, as batches in drawing order.

A *piece* is a small drawing, such as the ground of a cell, a wood or a bend of road. A *batch*
says which pieces lie on which cells. A ``Scene`` yields the batches of a *part* of a map (some of
its cells); painters draw them. From the bottom up these are::

    land             the cells, and what stands on them, such as woods and towns
    over_land        routes (roads, rivers) and grid lines
    shades           translucent: relief, colours of heights, regions
    map_edges        the edge of the map
    hexsides         what lies on sides of cells, such as walls
    cell_overlays    names, numbers and icons

Maps are drawn in two ways. On a *board* each cell is a picture in an outline, as on the battlelands
of Colossus. In a *landscape* (``Pieces.is_landscape``) terrains run into one another, and what
stands on a cell may stand over its edges, as on free maps. Either may have *ground features*
(``Pieces.features``): hills and woods that the style itself draws, in place of the pictures of
terrains, as on the tables of Cordery.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.render.cell_values.land_shades import ShadeOverlay
from app.render.cell_values.opacity_passes import OpacityPass
from app.render.level_of_detail import LABELS_FROM, SIDES_FROM
from app.render.piece import PiecePlaces
from app.render.scene import cells, contour_lines, regions, relief_light, shades
from app.render.scene.batch import AnyBatch, Batch, LandBatch
from app.render.scene.cell_overlays import CELL_OVERLAYS
from app.render.scene.edges import hexsides, map_edges, steps
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.planes.planes import Element, PlaneSpec, is_blank

# What only landscapes and surfaces need is imported where it is used: the first paint shows a
# board.
if TYPE_CHECKING:
    from app.render.drawn_cells import DrawnCells


class Scene:
    """Decides what is drawn of maps, with the pictures of ``pieces``.

    Painters (``raster``, ``vector``) call the methods in the order in which they stand here.

    In all of them ``part`` is the part of a map that is drawn. ``passes`` are the layers of the map
    grouped by their opacity (``opacity_passes``): each pass is drawn over the one before.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    def land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[LandBatch]:
        """Yield the cells and what stands on them, such as woods and towns."""
        pieces = self.pieces
        system = part.system
        if pieces.style.draws_surface(system, pieces.theme):
            # The ground is worked out pixel by pixel, and nothing stands on it.
            from app.render.scene.surface.ground import ground_batch

            assert system.terrain is not None, "a surface has terrain"
            for opacity_pass in passes:
                yield ground_batch(pieces, part, opacity_pass, (system.terrain,))
            return

        if pieces.is_landscape and pieces.features is not None:
            # Ground features show elevations, so that cells need no rims and numbers for them.
            part = replace(part, overlays=part.overlays.having("elevation", is_shown=False))
        land_specs = (system.terrain, system.elevation)
        specs = tuple(spec for spec in land_specs if spec is not None)
        for pass_part in _parts_of_passes(part, passes, specs):
            if pieces.is_landscape:
                batches = _landscape_batches(pieces, pass_part)
            else:
                batches = cells.board_batches(pieces, pass_part)
            yield from _with_rows_of_whole(batches, pass_part)

    def over_land(self, part: ScenePart, passes: Iterable[OpacityPass]) -> Iterator[Batch]:
        """Yield the routes with what lies directly below and above them, then grid lines.

        - In landscapes, above them: what routes must not cover, which are the houses of towns that
          a route runs through, and edges of ground features.
        - On boards, below them: the ground features.
        """
        pieces = self.pieces
        planes = part.composite.planes
        has_routes = any(not is_blank(planes[route.plane]) for route in part.routes)
        # Without routes nothing has been covered, and only features are left to be drawn.
        if has_routes or pieces.features is not None:
            for pass_part in _parts_of_passes(part, passes, part.system.shown_planes):
                if pieces.is_landscape:
                    batches = _routes_of_landscape(pieces, pass_part)
                else:
                    batches = _features_and_routes_of_board(pieces, pass_part)
                yield from _with_rows_of_whole(batches, pass_part)
        # Grid lines are seen over woods and hills. On boards cells have outlines instead.
        if part.overlays.grid_lines and pieces.is_landscape:
            yield from cells.grid_line_batches(pieces, part)

    def shades(self, part: ScenePart) -> Iterator[tuple[str, Iterator[LandBatch]]]:
        """Yield the translucent overlays that are switched on.

        Each is a name for messages, such as "The relief", and the batches.
        """
        pieces = self.pieces
        overlays = part.overlays
        has_corner_heights = part.system.corner_heights is not None
        if overlays.height_colours:
            heights = shades.land_batches(ShadeOverlay.HEIGHTS, pieces, part)
            yield "The heights", heights
        if overlays.shows_relief(part.system) and not has_corner_heights:
            yield "The relief", relief_light.batches(pieces, part)
        if has_corner_heights:
            from app.render.scene.surface.light_and_water import light_and_water_batches

            yield "The light and the water", light_and_water_batches(pieces, part)
        if overlays.water_depth:
            depths = shades.land_batches(ShadeOverlay.WATER_DEPTH, pieces, part)
            yield "The depth of the water", depths
        if overlays.passability:
            yield "The passability", shades.passability_batches(pieces, part)
        if overlays.regions and regions.has_regions(part.battlemap, part.composite):
            yield "The regions", regions.batches(pieces, part)
        if overlays.contour_step:
            yield "The contour lines", contour_lines.contour_batches(pieces, part)

    def map_edges(self, part: ScenePart) -> Iterator[Batch]:
        """Yield the edges of the map, and the seam of one that wraps."""
        return map_edges.map_edge_batches(self.pieces, part)

    def hexsides(
        self, part: ScenePart, passes: Iterable[OpacityPass], size: float
    ) -> Iterator[Batch]:
        """Yield the hexsides, if cells of this size (``level_of_detail.cell_size``) show them."""
        spec = part.system.hexside
        if spec is None or not part.overlays.hexsides or size < SIDES_FROM:
            return
        for pass_part in _parts_of_passes(part, passes, (spec,)):
            yield from _with_rows_of_whole(hexsides.batches(self.pieces, pass_part), pass_part)

    def cell_overlays(
        self, part: ScenePart, size: float
    ) -> Iterator[tuple[str, Iterator[AnyBatch]]]:
        """Yield the texts and icons that are switched on and for which cells have room.

        ``size`` is that of cells (``level_of_detail.cell_size``). Each overlay is a name for
        messages, such as "The labels", and the batches.
        """
        for overlay in CELL_OVERLAYS:
            has_room = overlay.is_at_all_sizes or size >= LABELS_FROM
            if has_room and part.overlays.shows(overlay.option):
                yield overlay.name, overlay.batches(self.pieces, part)


# --- opacity passes -------------------------------------------------------------------------------


def _parts_of_passes(
    part: ScenePart, passes: Iterable[OpacityPass], specs: tuple[PlaneSpec, ...]
) -> Iterator[ScenePart]:
    """Yield for each pass the part with the cells that it draws; none for a pass without cells.

    A pass draws the cells in which its layers set a value of the planes ``specs``.
    """
    for opacity_pass in passes:
        pass_part = part.in_pass(opacity_pass, specs)
        if len(pass_part.cells):
            yield pass_part


def _with_rows_of_whole(batches: Iterable[Batch], pass_part: ScenePart) -> Iterator[Batch]:
    """Renumber the rows of batches, and set their opacity to that of the pass.

    The rows were indices of cells of ``pass_part``; they become indices of cells of the whole part,
    of which ``_parts_of_passes`` made it.
    """
    for batch in batches:
        rows = batch.rows
        if pass_part.rows_in_whole is not None:
            rows = pass_part.rows_in_whole[rows]
        yield batch._replace(rows=rows, opacity=pass_part.opacity_pass.opacity)


# --- land and routes ------------------------------------------------------------------------------


def _landscape_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the cells of a landscape with what stands on them, from the bottom up."""
    from app.render.scene.landscape import fading_grounds, features, transitions

    yield from fading_grounds.ground_batches(pieces, part)
    yield from transitions.batches(pieces, part)
    if pieces.features is not None:
        yield from _batch_of_lines(pieces, pieces.features.pieces(_drawn_cells(part)))
    yield from features.batches(pieces, part)
    yield from steps.batches(pieces, part)  # woods would hide them


def _routes_of_landscape(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the routes of a landscape, and once more what was drawn before and lies above them."""
    from app.render.scene.landscape.features import town_batches

    drawn_cells = _drawn_cells(part)
    yield from _batch_of_lines(pieces, pieces.routes.pieces(drawn_cells))

    # Routes pass under the houses of the towns that they run through.
    has_route = np.zeros(len(part.cells), np.bool_)
    for route in part.system.routes_of(pieces.terrain_set):
        has_route |= route.runs(drawn_cells.here(route.plane))
    yield from town_batches(pieces, part, has_route)

    # The edges of ground features are seen over the woods and towns on them.
    if pieces.features is not None:
        yield from _batch_of_lines(pieces, pieces.features.edges(drawn_cells))


def _features_and_routes_of_board(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the ground features of a board, if it has any, and the routes over them."""
    drawn_cells = _drawn_cells(part)
    places: list[PiecePlaces] = []
    if pieces.features is not None:
        places.extend(pieces.features.pieces(drawn_cells))
    places.extend(pieces.routes.pieces(drawn_cells))
    yield from _batch_of_lines(pieces, places)


def _batch_of_lines(pieces: Pieces, places: Iterable[PiecePlaces]) -> Iterator[Batch]:
    """Yield one batch of pieces whose lines go on in other cells; none if there are no pieces.

    It is ``fine``: its lines meet those of other cells smoothly.
    """
    batch = pieces.batch(places)
    if batch is not None:
        yield batch._replace(fine=True)


def _drawn_cells(part: ScenePart) -> DrawnCells:
    """Return the cells of a part, with the values of all planes of cells that it shows.

    In a pass of some layers only, the values are those that these layers set.
    """
    from app.render.drawn_cells import DrawnCells

    system = part.system
    grid = part.grid
    planes = part.composite.planes
    if not part.opacity_pass.shows_composite:
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
