"""The pictures on the buttons of the palette.

Pictures that this program draws are shared by all maps that look alike, through Qt's cache of
pixmaps. Those of a game, of another package, or of the user's own may change on the disk: they are
drawn anew for each map::

    pictures = SwatchPictures(sprites, style, renderer.pictures)
    button.setIcon(QIcon(pictures.terrain(code)))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from PySide6.QtGui import QPixmap, QPixmapCache

from app.features.palette.swatches import PICTURE
from app.render.pictures.terrain_pictures import Pictures, draws_bundled_pictures
from app.render.raster.hexside_picture import hexside_picture
from app.render.raster.sprites import Sprites
from app.render.style import Style
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

_numbers = count()
"""The numbers of keys, each given once."""


class PictureKey(NamedTuple):
    """All that the pictures of a map depend on, besides the value that is painted."""

    layout: Layout
    terrain_set: TerrainSet
    style: Style
    theme_name: str
    colour_set: str
    scale: float
    ratio: float


@registered(bytes_each=16 * KB)
@lru_cache(8)
def _number_of(key: PictureKey) -> int:
    """Return the number of a key: a new one if it was not seen lately.

    Qt's cache of pixmaps has texts as keys. To make a text of a whole terrain set for each picture
    would be slow.
    """
    return next(_numbers)


class SwatchPictures:
    """Draws the pictures of the values that can be painted on a map."""

    def __init__(self, sprites: Sprites, style: Style, pictures: Pictures) -> None:
        """Draw with the sprites of a map in a style; ``pictures`` are those of its renderer."""
        self._sprites = sprites
        theme = sprites.theme
        self._key = PictureKey(
            sprites.layout,
            sprites.terrain_set,
            style,
            theme.name,
            theme.colour_set,
            sprites.scale,
            sprites.ratio,
        )
        has_assets = any(terrain.asset for terrain in sprites.terrain_set.terrains)
        self._is_shared = draws_bundled_pictures(pictures) and not has_assets
        """True if the pictures may be shared."""

    def terrain(self, code: int) -> QPixmap:
        """Return the picture of the terrain with an index into the terrain set."""
        return self._picture(f"terrain {code}", lambda: self._sprites.cell_pixmap(code, 0))

    def elevation(self, height: int) -> QPixmap:
        """Return the picture of a cell of the first terrain at a height."""
        return self._picture(f"elevation {height}", lambda: self._sprites.cell_pixmap(0, height))

    def route(self, route: RouteSpec) -> QPixmap:
        """Return the picture of a cell of land with a route."""
        return self._picture(f"route {route}", lambda: self._sprites.route_pixmap(route))

    def hexside(self, code: int) -> QPixmap:
        """Return the picture of a hexside; 0 is none, else 1 + its index into the terrain set."""
        return self._picture(
            f"hexside {code}", lambda: hexside_picture(self._sprites, code, PICTURE)
        )

    def _picture(self, value: str, draw: Callable[[], QPixmap]) -> QPixmap:
        """Return the picture of a value, drawn now unless Qt's cache of pixmaps has it."""
        if not self._is_shared:
            return draw()
        key = f"swatch {_number_of(self._key)} {value}"
        pixmap = QPixmap()
        if not QPixmapCache.find(key, pixmap):
            pixmap = draw()
            QPixmapCache.insert(key, pixmap)
        return pixmap
