"""Keeps what was drawn of the open maps that are not current, so that they show at once again.

``MapWidget`` has one ``DrawnMaps``: it puts the drawing of a map there when another map becomes
current (``store``), and takes it out when its map is current again (``pop``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from app.document.open_map import OpenMap
from app.render.raster.backdrop import Backdrop
from app.render.raster.far_tiles import MAX_BYTES, FarTiles


class Drawing(NamedTuple):
    """The drawing of an open map, kept while another map is current."""

    state: object
    """The state of the map when it was drawn: for another state the drawing is out of date."""

    tiles: FarTiles | None
    """The pictures of the map from afar; None if it was not drawn from afar."""

    backdrop: Backdrop
    """The picture of the ground in the view."""

    @property
    def bytes(self) -> int:
        """The memory that it takes, in bytes."""
        if self.tiles is None:
            return self.backdrop.bytes
        return self.tiles.bytes + self.backdrop.bytes


class DrawnMaps:
    """The drawings of open maps, within a bound of bytes."""

    def __init__(self) -> None:
        self.drawings: dict[str, Drawing] = {}
        """The drawings by the keys of their maps (``OpenMap.key``), the oldest first."""
        self.max_bytes = MAX_BYTES
        """What these drawings and that of the current map may take together."""

    def store(self, open_map: OpenMap, tiles: FarTiles | None, backdrop: Backdrop) -> None:
        """Keep the drawing of a map. It must show the map in its present state."""
        self.drawings[open_map.key] = Drawing(open_map.state, tiles, backdrop)

    def pop(self, open_map: OpenMap) -> Drawing | None:
        """Remove the drawing of a map, and return it.

        None if there is none, or if the map has changed since it was drawn.
        """
        drawing = self.drawings.pop(open_map.key, None)
        if drawing is None or drawing.state != open_map.state:
            return None
        return drawing

    def forget_all_but(self, open_maps: Iterable[OpenMap]) -> None:
        """Free the drawings of all maps but these."""
        keys = {open_map.key for open_map in open_maps}
        self.drawings = {key: drawing for key, drawing in self.drawings.items() if key in keys}

    def evict_down_to_limit(self, bytes_in_use: int) -> None:
        """Free the drawings of the maps seen longest ago, down to ``max_bytes`` in all.

        ``bytes_in_use`` is what the drawing of the current map takes.
        """
        total = bytes_in_use + sum(drawing.bytes for drawing in self.drawings.values())
        while self.drawings and total > self.max_bytes:
            oldest_key = next(iter(self.drawings))
            total -= self.drawings.pop(oldest_key).bytes
