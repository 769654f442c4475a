"""The detail in which ground is drawn: with sprites where cells are large, otherwise in less.

The *ground* is what the cells show: terrains, features, routes and hexsides, but no texts, no
things and no marks. Which ``Detail`` it has depends on the size of a cell on the screen::

             on canvases              elsewhere, such as in thumbnails
    near     SPRITES                  SPRITES       each cell is put together of pictures
    far      TILES                    OVERVIEW      each cell has one colour
             squares of pixels, drawn
             larger, then made smaller
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from app.render.map_view import MapView
from app.render.viewport import Viewport


class Detail(Enum):
    """In how much detail the cells of a view are drawn."""

    SPRITES = auto()
    """Cells are put together of *sprites*: pictures of terrains, features and hexsides."""

    OVERVIEW = auto()
    """Each cell has one colour, that of the overview raster (``Overview``)."""

    TILES = auto()
    """Cells are seen in tiles (``FarTiles``), or as an overview until the tiles are drawn."""

    INSIDE_TILE = auto()
    """Cells are drawn with sprites into a tile, which is made smaller afterwards.

    So these sprites leave out what is lost then.
    """

    @property
    def has_sprites(self) -> bool:
        """True if the cells are drawn with sprites."""
        return self in (Detail.SPRITES, Detail.INSIDE_TILE)


@dataclass(frozen=True, eq=False)
class GroundView(MapView):
    """A view of a map, and how its ground is drawn."""

    detail: Detail = Detail.SPRITES
    """How cells are drawn."""

    cell_size: float = 0.0
    """The size of a cell, in logical pixels (``level_of_detail.cell_size``).

    Hexsides are drawn from ``SIDES_FROM`` on, texts on cells from ``LABELS_FROM`` on.

    On maps that have tiles it is never so small that hexsides are left out.
    """

    stored_for: Viewport | None = None
    """The viewport for which sprites are stored, None for ``viewport`` itself.

    It differs where the ground is drawn into a backdrop, which begins left of the view and above.
    """

    @property
    def sprites_viewport(self) -> Viewport:
        """The viewport for which sprites are stored: those of another one may be dropped."""
        if self.stored_for is None:
            return self.viewport
        return self.stored_for
