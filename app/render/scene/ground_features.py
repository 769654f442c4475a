"""What a style lays on bare ground, as one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.render.style import DrawnCells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.render.scene.batch import Batch
    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the pieces of ``Style.features``, from the bottom up."""
    system, grid, planes = part.system, part.grid, part.composite.planes
    if part.shown.own is not None:
        everywhere = slice(0, grid.size)
        planes = {
            spec.name: part.shown.values(part.composite, spec, everywhere).reshape(spec.shape(grid))
            for spec in system.shown_planes
        }
    drawn = DrawnCells(system, grid, planes, part.cells, part.overlays.grid_lines)
    found = pieces.batch(pieces.features.pieces(drawn)) if pieces.features is not None else None
    if found is not None:
        yield found._replace(fine=True)
