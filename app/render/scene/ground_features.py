"""What lies on the ground: what a style lays there, and routes, as one batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from app.render.style import DrawnCells
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from app.render.scene.batch import Batch
    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces
    from randomizer.model.planes import Plane


def lies_there(pieces: Pieces, part: ScenePart) -> bool:
    """Return whether the map can have any of this."""
    routes = part.system.routes_of(part.composite.terrain_set)
    planes = part.composite.planes
    return pieces.features is not None or any(not is_blank(planes[each.plane]) for each in routes)


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the pieces of ``Style.features``, and over them those of routes, from the bottom up."""
    planes = part.composite.planes if part.shown.own is None else _PassPlanes(part)
    drawn = DrawnCells(part.system, part.grid, planes, part.cells, part.overlays.grid_lines)
    features = () if pieces.features is None else pieces.features.pieces(drawn)
    found = pieces.batch(chain(features, pieces.routes.pieces(drawn)))
    if found is not None:
        yield found._replace(fine=True)


class _PassPlanes(Mapping[str, "Plane"]):
    """The planes that an opacity pass shows, each worked out when it is asked for."""

    def __init__(self, part: ScenePart) -> None:
        self._part = part
        self._known: dict[str, Plane] = {}

    def __getitem__(self, name: str) -> Plane:
        part, grid = self._part, self._part.grid
        if name not in self._known:
            spec = part.system.plane(name)
            values = part.shown.values(part.composite, spec, slice(0, grid.size))
            self._known[name] = values.reshape(spec.shape(grid))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._part.composite.planes)

    def __len__(self) -> int:
        return len(self._part.composite.planes)
