"""Thumbnails of the maps of batches, several of which are drawn at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPixmap

from app.render.overlay_options import Overlays
from app.render.style import style_of
from app.render.thumbnails.thumbnail_atlas import draw, forget_atlas, thumbnail_atlas
from app.render.thumbnails.thumbnail_queue import MARGIN, TURN_MS, RenderedThumbnails

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from PySide6.QtCore import QObject, QSize

    from app.render.renderer import Renderer
    from app.render.thumbnails.thumbnail_atlas import ThumbnailAtlas
    from randomizer.model.composite import Composite

KEPT_BYTES = 24_000_000
"""The largest size of the thumbnails that are kept: more than a screen of 3840 x 2160 shows."""


class RollThumbnails(RenderedThumbnails):
    """Draws a row of a batch, (batch, row), for each request."""

    def __init__(self, like: Renderer, size: QSize, parent: QObject | None = None) -> None:
        overlays = Overlays(
            labels=False, cell_list=False, locks=False, things=False, entry_sides=False
        )
        # The last step of a turn takes as long as the others.
        super().__init__(like, overlays, size, KEPT_BYTES, TURN_MS // 2, parent)
        self._next: tuple[list[Hashable], ThumbnailAtlas, Composite] | None = None
        self._ready = False

    def clear(self) -> None:
        """Forget all thumbnails, and the atlas that was begun."""
        super().clear()
        self._next = None

    def _rest(self) -> None:
        super()._rest()
        self._next = None

    def _let_go(self) -> None:
        """Forget the sprites and the wide grid."""
        super()._let_go()
        if not self._waiting:
            forget_atlas()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Choose the maps of the next atlas, draw sprites that it lacks, or draw it."""
        if self._next is None:
            self._next = self._choose()
            self._ready = not style_of(self._next[1].battlemap.system).features
            return ()
        keys, atlas, shown = self._next
        if not self._ready:
            self._ready = self._renderer.prepare(
                atlas.battlemap, shown, atlas.viewport, atlas.area, atlas.ratio, self._turn_ms
            )
            return ()
        self._next = None
        pictures = map(QPixmap.fromImage, atlas.cut(draw(self._renderer, atlas, shown), len(keys)))
        return zip(keys, pictures, strict=True)

    def _choose(self) -> tuple[list[Hashable], ThumbnailAtlas, Composite]:
        """Return the keys of the next atlas, the atlas, and what it shows."""
        first = next(iter(self._waiting.values()))[0]
        base = first.base
        atlas = thumbnail_atlas(
            base.system, base.terrain_set, base.grid, self.size, MARGIN, self.ratio
        ).with_records(first.records)
        alike = [
            key
            for key, (batch, _) in self._waiting.items()
            if batch.base.grid is base.grid
            and batch.base.terrain_set == base.terrain_set
            and batch.records == first.records
        ]
        keys = alike[: atlas.count]
        maps = [batch.planes(row) for batch, row in map(self._waiting.__getitem__, keys)]
        return keys, atlas, atlas.shown(maps, base.composite)
