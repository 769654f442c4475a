"""What lies on the ground: what a style lays there, and routes, as one batch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.style import DrawnCells
from randomizer.model.planes import Place, is_blank


def lies_there(pieces: Pieces, part: ScenePart) -> bool:
    """Return whether the map can have any of this."""
    routes = part.system.routes_of(part.composite.terrain_set)
    planes = part.composite.planes
    return pieces.features is not None or any(not is_blank(planes[each.plane]) for each in routes)


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the pieces of ``Style.features``, and over them those of routes, from the bottom up."""
    system, grid, planes = part.system, part.grid, part.composite.planes
    if part.shown.own is not None:
        everywhere = slice(0, grid.size)
        planes = {
            spec.name: planes[spec.name]
            if is_blank(planes[spec.name])  # no layer has it
            else part.shown.values(part.composite, spec, everywhere).reshape(spec.shape(grid))
            for spec in system.shown_planes
            if spec.place is Place.CELL
        }
    drawn = DrawnCells(system, grid, planes, part.cells, part.overlays.grid_lines)
    features = () if pieces.features is None else pieces.features.pieces(drawn)
    result = pieces.batch(chain(features, pieces.routes.pieces(drawn)))
    if result is not None:
        yield result._replace(fine=True)
