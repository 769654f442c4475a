"""Draws thumbnails of rolls, the maps of a batch, for the gallery: several in one frame."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage, QPixmap, QPolygonF

from app.appearance.painting import painting
from app.render.map_view import MapView
from app.render.renderer import Renderer
from app.render.scene.things.looks import colour_of
from app.render.scene.things.owner_dots import Dots, paint_dots
from app.render.style import style_of
from app.render.thumbnails.map_thumbnails import MARGIN, TURN_MS, RenderedThumbnails
from app.render.thumbnails.thumbnail_atlas import ThumbnailAtlas, forget_atlas, thumbnail_atlas
from app.render.thumbnails.thumbnail_queue import IDLE_MS
from randomizer.batches.batch import Batch
from randomizer.model.basics.caches import register_bytes
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.things.things import Things

START_PX = 9.0
"""The width of the dot where a player starts, in logical pixels. Larger ones hide small islands."""

ROLLS_BYTES = 24_000_000
"""The most bytes of these thumbnails that are kept: more than a screen of 3840 x 2160 shows."""
register_bytes(f"{__name__}.ROLLS_BYTES", ROLLS_BYTES)


@dataclass
class _PendingFrame:
    """An atlas that is drawn next, once its sprites are ready."""

    keys: list[Hashable]
    """The keys of its maps, from left to right."""
    atlas: ThumbnailAtlas
    composite: Composite
    """What the atlas shows."""
    needs_sprites: bool
    """True while the renderer may lack sprites; they are drawn in turns before the frame."""


class RollThumbnails(RenderedThumbnails):
    """Draws rows of batches: the subject of a request is (batch, row).

    Of things there are only the landmarks, on maps that are drawn one by one.
    """

    def __init__(
        self,
        canvas_renderer: Renderer,
        size: QSize,
        parent: QObject | None = None,
        *,
        turn_ms: int = TURN_MS,
        idle_ms: int = IDLE_MS,
    ) -> None:
        # The last step of a turn, a whole frame, can take as long as all steps before it: so these
        # have half of the turn.
        super().__init__(canvas_renderer, size, ROLLS_BYTES, turn_ms // 2, parent, idle_ms)
        self._frame: _PendingFrame | None = None
        """The frame that is being prepared; None between two frames."""

    @property
    def has_begun(self) -> bool:
        """True if sprites are drawn for thumbnails that are not drawn yet."""
        return self._frame is not None

    def clear(self) -> None:
        """Forget all thumbnails, and the frame that is being prepared."""
        super().clear()
        self._frame = None

    def _stop_drawing(self) -> None:
        super()._stop_drawing()
        self._frame = None

    def _free_sprites(self) -> None:
        """Forget the sprites and the wide grid."""
        super()._free_sprites()
        if not self._waiting:
            forget_atlas()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Take the next step of the frame that is being prepared, or begin another frame.

        If that raises, the requests that it concerns are dropped: they would fail again.
        """
        frame = self._frame
        keys = [next(iter(self._waiting))]  # of the request for which a frame would be begun
        if frame is not None:
            keys = frame.keys
        try:
            return self._take_step(frame)
        except Exception:
            self._frame = None
            for key in keys:
                self._waiting.pop(key, None)
            raise

    def _take_step(self, frame: _PendingFrame | None) -> Iterable[tuple[Hashable, QPixmap]]:
        """Take one of three steps: choose the maps of a frame, draw sprites, draw the frame.

        Only the last one completes thumbnails, and returns them.
        """
        if frame is None:
            self._frame = self._choose_frame()
            return ()
        if frame.needs_sprites:
            atlas = frame.atlas
            is_ready = self.renderer.prepare(
                MapView(atlas.battlemap, frame.composite, atlas.viewport, atlas.ratio),
                atlas.area,
                self._turn_ms,
            )
            frame.needs_sprites = not is_ready
            return ()
        self._frame = None
        return self._draw_frame(frame)

    # --- choosing the maps of a frame -----------------------------------------------------------

    def _choose_frame(self) -> _PendingFrame:
        """Return a frame of the request that waits longest, and of others that fit beside it."""
        batch: Batch
        batch, _row = next(iter(self._waiting.values()))
        base = batch.base
        self._use_overlays_of(base.system, base.terrain_set)
        atlas = self._atlas_of(batch)
        keys = self._keys_beside(batch)[: atlas.count]
        maps = []
        for key in keys:
            batch_of_key, row = self._waiting[key]
            maps.append(batch_of_key.planes(row))
        composite = atlas.compose(maps, base.composite)
        has_sprites = bool(style_of(base.system).features)
        return _PendingFrame(keys, atlas, composite, needs_sprites=has_sprites)

    def _atlas_of(self, batch: Batch) -> ThumbnailAtlas:
        """Return the atlas for maps like those of ``batch``, with their records and landmarks."""
        base = batch.base
        atlas = thumbnail_atlas(
            base.system, base.terrain_set, base.grid, self.size, MARGIN, self.ratio
        )
        battlemap = atlas.battlemap
        if batch.records:  # one of them may say how high the water is
            battlemap = replace(battlemap, records=dict(batch.records))
        if batch.landmarks and atlas.count == 1:
            layer = Layer(1, "Landmarks", things=Things(batch.landmarks))
            battlemap = replace(battlemap, layers=[layer])
        return replace(atlas, battlemap=battlemap)

    def _keys_beside(self, first: Batch) -> list[Hashable]:
        """Return the keys of all requests whose maps can lie beside those of ``first``.

        They are drawn as one map, which has one grid, one terrain set and one table of records.
        """
        keys = []
        for key, (batch, _) in self._waiting.items():
            has_same_grid = batch.base.grid is first.base.grid
            has_same_terrains = batch.base.terrain_set == first.base.terrain_set
            if has_same_grid and has_same_terrains and batch.records == first.records:
                keys.append(key)
        return keys

    # --- drawing a frame ------------------------------------------------------------------------

    def _draw_frame(self, frame: _PendingFrame) -> Iterable[tuple[Hashable, QPixmap]]:
        """Draw a frame whose sprites are ready; return its thumbnails with their keys."""
        atlas = frame.atlas
        image = self.renderer.image(
            MapView(atlas.battlemap, frame.composite, atlas.viewport, atlas.ratio), atlas.area
        )
        self._paint_starts(image, atlas)
        images = atlas.cut(image, len(frame.keys))
        return zip(frame.keys, map(QPixmap.fromImage, images), strict=True)

    def _paint_starts(self, image: QImage, atlas: ThumbnailAtlas) -> None:
        """Draw dots where players start: their icons are too small to compare maps by."""
        battlemap = atlas.battlemap
        if not battlemap.system.has_starts:
            return
        kinds = kinds_by_name(battlemap)
        dots: list[Dots] = []
        for thing in battlemap.visible_things():
            if thing.owner > 0:
                position = atlas.viewport.to_screen(thing.x, thing.y)
                colour = colour_of(kinds.get(thing.kind), thing.owner)
                dots.append(Dots(colour, QPolygonF([position])))
        with painting(image) as painter:
            paint_dots(painter, dots, self.renderer.theme.label_halo, START_PX)
