"""Pictures of the user's own that terrains show, found by the digests of their assets.

A terrain names its picture by a *digest*, the SHA-256 of an *asset*, whose bytes are in the map
(``BattleMap.assets``). Terrains are drawn by code that gets a terrain and no map. Therefore each
map that is drawn is made known here first, and its assets can be found as long as the map exists::

    register_assets_of(battlemap)
    image = own_picture(terrain.asset)            # a QImage, or None if no map has that asset
    colour = own_colour(terrain.asset)            # its mean colour

A digest says what a picture is: one that is decoded is the same for all maps. Exports draw on other
threads, so that all functions of this module may be called on any thread.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from weakref import WeakSet

from PySide6.QtGui import QColor, QImage

from app.render.pictures.picture_files import SHOWN_SIDE, decoded, mean_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import picture_size

MAX_DECODED = 96
"""So many decoded pictures are stored, at most 1 MB each.

Fewer would be decoded again in each frame of a map that has more of them.
"""

MAX_MEANS = 10_000
"""So many mean colours of pictures are stored, of some 100 bytes each."""


def register_assets_of(battlemap: BattleMap) -> None:
    """Let the assets of a map be found, as long as the map exists."""
    _pictures.add_map(battlemap)


def has_asset(digest: str) -> bool:
    """Return whether a map has the asset of a digest, even a damaged one; False for ""."""
    return bool(digest) and _pictures.asset(digest) is not None


def own_picture(digest: str) -> QImage | None:
    """Return the picture of a digest, at most ``SHOWN_SIDE`` pixels wide and high.

    None for "", for an asset that no map has, and for one that is no picture or a damaged one. What
    was decoded once is returned even after the last map with the asset is gone.
    """
    return _pictures.image(digest)


def own_colour(digest: str) -> QColor | None:
    """Return the mean colour of the picture of a digest, where it is opaque; None without one."""
    return _pictures.colour(digest)


class _OwnPictures:
    """The assets of all known maps, and what was made of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        """Held while the fields below are used, but not while a picture is decoded."""
        self._maps: WeakSet[BattleMap] = WeakSet()
        self._images: OrderedDict[str, QImage | None] = OrderedDict()
        """The decoded pictures by digest, None for a damaged one; the one used last is last."""
        self._colours: OrderedDict[str, QColor] = OrderedDict()
        """The mean colours of pictures by digest, in the order in which they were added."""

    def add_map(self, battlemap: BattleMap) -> None:
        """Let the assets of a map be found, those that it gets later, too."""
        with self._lock:
            self._maps.add(battlemap)

    def asset(self, digest: str) -> bytes | None:
        """Return the asset of a digest, None if no map has it."""
        with self._lock:
            for battlemap in self._maps:
                data = battlemap.assets.get(digest)
                if data is not None:
                    return data
        return None

    def image(self, digest: str) -> QImage | None:
        """Return the picture of a digest, decoded now if it is not stored: see ``own_picture``."""
        with self._lock:
            if digest in self._images:
                self._images.move_to_end(digest)
                return self._images[digest]
        data = self.asset(digest)
        if data is None:
            return None  # not stored: a map may get the asset later
        image = _decoded_or_none(data)
        with self._lock:
            self._images[digest] = image
            while len(self._images) > MAX_DECODED:
                self._images.popitem(last=False)
        return image

    def colour(self, digest: str) -> QColor | None:
        """Return the mean colour of a picture, computed now if it is not stored."""
        with self._lock:
            stored_colour = self._colours.get(digest)
        if stored_colour is not None:
            return stored_colour
        image = self.image(digest)
        if image is None:
            return None
        colour = mean_of(image)
        with self._lock:
            self._colours[digest] = colour
            while len(self._colours) > MAX_MEANS:
                self._colours.popitem(last=False)
        return colour


def _decoded_or_none(data: bytes) -> QImage | None:
    """Return the picture in an asset; None if it is damaged, or a file of another kind."""
    if picture_size(data) is None:
        return None
    try:
        return decoded(data, SHOWN_SIDE)
    except ProblemError:
        return None


_pictures = _OwnPictures()
"""Those of the program. There is one for all maps, since whoever draws a terrain has no map."""
