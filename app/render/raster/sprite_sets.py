"""The sprites of a renderer: a set for each scale and kind of map, the last few of them stored.

    sprites = sprite_sets.sprites(battlemap, style, scale=24.0, ratio=1.0)

A set (``Sprites``) begins empty. Each sprite is drawn when a frame shows it first, unless it can be
taken over from a former set, which an edit of the terrain set has put out of use, or from a file
that an earlier session wrote (``file``, ``pack``).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures, draws_bundled_pictures
from app.render.raster.sprites import Sprites
from app.render.raster.stored_sprites import inputs_of, pack_images, read_images
from app.render.style import Style
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import TerrainSet

STORED_BYTES = 4_000_000
"""Sets of former scales are stored up to this size together.

More would make it quicker to zoom to and fro, and take more memory.
"""

MAX_BYTES = 45_000_000
"""A set that takes more than this is begun anew for the next view.

What a single view needs is stored however much it is: the view could not be completed otherwise.
"""
register_bytes(f"{__name__}.MAX_BYTES", MAX_BYTES)

STORED_IMAGE_BYTES = 12_000_000
"""The images of pictures of former terrain sets are stored up to this size.

Those of two kinds of map fit, so that going to and fro between their tabs paints no picture again;
a picture of a ground takes 0.3 MB. With 2 MB a landscape alone drove all others out.
"""
register_bytes(f"{__name__}.STORED_IMAGE_BYTES", STORED_IMAGE_BYTES)


class _Look(NamedTuple):
    """All but the terrain set on which the look of sprites depends."""

    layout: str
    """The name of the layout of the grid."""

    style: Style
    """How maps of this kind are drawn."""

    scale: float
    """Logical pixels in a map unit, rounded: scales that nearly agree share their sprites."""

    ratio: float
    """Device pixels in a logical pixel."""

    coarse: bool
    """True for tiles of a map seen from afar: sprites leave out what is lost when they shrink."""


class _SetKey(NamedTuple):
    """The terrain set and the look for which a set of sprites is drawn."""

    terrain_set: TerrainSet
    look: _Look


class SpriteSets:
    """The sets of sprites in one theme, with one kind of ``pictures``."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        self.file: Path | None = None
        """The file with sprites of an earlier session; None if there is none, or after ``pack``."""
        self._theme = theme
        self._pictures = pictures
        self._sets: dict[_SetKey, Sprites] = {}
        """The stored sets; those used last are at the end."""
        self._images: dict[Style, PictureImages] = {}
        """The images of pictures, from which the sprites of all scales are drawn."""

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        """Draw in another theme, with other pictures; all sprites are forgotten."""
        self._theme = theme
        self._pictures = pictures
        self._sets.clear()
        self._images.clear()

    def __len__(self) -> int:
        """Return the number of stored sets."""
        return len(self._sets)

    @property
    def style_count(self) -> int:
        """The number of styles of which images of pictures are stored."""
        return len(self._images)

    def sprites(
        self,
        battlemap: BattleMap,
        style: Style,
        scale: float,
        ratio: float,
        *,
        coarse: bool = False,
        viewport: Viewport | None = None,
    ) -> Sprites:
        """Return the set for a map at one scale: the stored one, or a new one.

        ``viewport`` is the view that these sprites will fill, None if they are for a single cell.
        """
        look = _Look(battlemap.grid.layout.name, style, round(scale, 3), ratio, coarse)
        key = _SetKey(battlemap.terrain_set, look)
        sprites = self._taken_out_set(key, viewport)
        if sprites is None:
            sprites = self._new_set(battlemap, look, scale)
        if viewport is not None:
            sprites.viewport = viewport
        # Taken out above and added again: so the first set is the one used longest ago.
        self._sets[key] = sprites
        self._drop_oldest_sets()
        return sprites

    def _taken_out_set(self, key: _SetKey, viewport: Viewport | None) -> Sprites | None:
        """Take a set out of the stored ones and return it.

        None if it is not stored, or too large to be used on for another view than before.
        """
        sprites = self._sets.pop(key, None)
        if sprites is None:
            return None
        is_for_another_view = viewport is not None and viewport != sprites.viewport
        if is_for_another_view and sprites.bytes > MAX_BYTES:
            return None
        return sprites

    def _new_set(self, battlemap: BattleMap, look: _Look, scale: float) -> Sprites:
        """Return a set without sprites but for those that a former set or the file has."""
        terrain_set = battlemap.terrain_set
        sprites = Sprites(
            battlemap.grid.layout,
            terrain_set,
            self._pictures,
            self._theme,
            scale,
            look.ratio,
            style=look.style,
            images=self._images_of(look.style, terrain_set),
            coarse=look.coarse,
        )

        # After an edit of the terrain set most of its terrains look as they did.
        former_key = next((key for key in self._sets if key.look == look), None)
        if former_key is not None and self._sets[former_key].bytes <= MAX_BYTES:
            sprites.adopt(self._sets.pop(former_key))

        if self.file is not None and draws_bundled_pictures(self._pictures):
            sprites.atlas.stored = read_images(self.file, inputs_of(sprites))
        return sprites

    def _images_of(self, style: Style, terrain_set: TerrainSet) -> PictureImages:
        """Return the images of a style; if they are many, those of other terrain sets are freed."""
        images = self._images.get(style)
        if images is None:
            images = PictureImages(style.pictures_in_theme(self._theme, self._pictures))
            self._images[style] = images
        elif images.byte_count > STORED_IMAGE_BYTES:
            images.drop_all_but(terrain_set.terrains)
        return images

    def _drop_oldest_sets(self) -> None:
        """Forget the sets used longest ago while all take too much; the last one stays."""
        while len(self._sets) > 1:
            if sum(sprites.bytes for sprites in self._sets.values()) <= STORED_BYTES:
                return
            oldest_key = next(iter(self._sets))
            del self._sets[oldest_key]

    def forget_former(self) -> None:
        """Forget all sets but the one used last, and the images that it does not need."""
        for former_key in list(self._sets)[:-1]:
            del self._sets[former_key]
        last_set = next(iter(self._sets.values()), None)
        if last_set is None:
            return
        style = last_set.pieces.style
        self._images = {key: images for key, images in self._images.items() if key == style}
        self._images[style].drop_all_but(last_set.terrain_set.terrains)

    def pack(self) -> bytes | None:
        """Return the contents of a file with the sprites of the set used last.

        None if there is no need to write one: the file has these sprites already, or they show
        pictures of a game or of another package. The file is about to be replaced, so that it is
        not read any more, and what was read of it and not shown is forgotten.
        """
        self.file = None
        sprites = next(reversed(self._sets.values()), None)
        if sprites is None or not draws_bundled_pictures(self._pictures):
            return None
        images = sprites.atlas.ready_sprites()
        stored_images = sprites.atlas.stored
        sprites.atlas.stored = {}
        if images.keys() <= stored_images.keys():
            return None
        return pack_images(inputs_of(sprites), images)
