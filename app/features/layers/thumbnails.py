"""Draws the thumbnails of the layers panel, a few in each turn of the event loop.

A thumbnail shows what one layer sets, without the layers below (``layer_colours``). It is drawn
again after each edit that can have changed it; the panel shows it when ``drawn`` is emitted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage, QPixmap

from app.features.layers.layer_colours import layer_colours
from app.qt_guard import connect
from app.render.theme import Theme
from app.render.thumbnails.sampler import Sampler
from app.render.thumbnails.thumbnail_queue import ThumbnailQueue
from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from app.document.document import MapDocument

SIZE = QSize(36, 28)
"""The size of a thumbnail in logical pixels."""

KEPT_BYTES = 1_000_000
"""The most memory that thumbnails take together, in bytes: those of some 200 layers."""

WAIT_MS = 80
"""The milliseconds from an edit until the drawing of thumbnails begins."""

TURN_MS = 2
"""The milliseconds for which thumbnails are drawn in one turn of the event loop.

With more, painting would stutter on a map of many layers.
"""


class LayerThumbnails(ThumbnailQueue):
    """Draws the layers of the current map whenever they change.

    The keys of the queue, and of its signal ``drawn``, are the ids of layers.
    """

    def __init__(
        self, document: MapDocument, current_theme: Callable[[], Theme], parent: QObject
    ) -> None:
        super().__init__(SIZE, KEPT_BYTES, TURN_MS, parent)
        self._document = document
        self._current_theme = current_theme
        self._sampler: Sampler | None = None
        """Tells the cell of each pixel on the grid that was drawn last; None before the first."""
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.draw_all)

    def set_ratio(self, ratio: float) -> None:
        """Draw for a screen with this device pixel ratio from the next ``draw_all`` on."""
        if ratio != self.ratio:
            self.ratio = ratio
            self._sampler = None

    def draw_all(self) -> None:
        """Draw every layer again soon, from the topmost down, as the list shows them."""
        self.clear()
        # Not ``forget_requests``, which stops the timer: if each of many quick edits started it
        # again, nothing would be drawn before the last of them.
        self._waiting.clear()
        for layer in reversed(self._document.battlemap.layers):
            self.request(layer.id, layer.id, WAIT_MS)

    def _on_changed(self, region: Region) -> None:
        """Draw all layers again if an edit changed what a thumbnail shows."""
        changes_picture = region.everything or region.things or region.terrain_set
        if changes_picture or len(region.cells):
            self.draw_all()

    def draw_some(self) -> None:
        """Draw for one turn of the event loop; during a stroke wait for its end."""
        if self._document.in_stroke:
            self._timer.start(WAIT_MS)
        else:
            super().draw_some()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Draw the next layer that waits; return its id and picture, nothing if it is gone."""
        layer_id = next(iter(self._waiting))
        del self._waiting[layer_id]
        for layer in self._document.battlemap.layers:
            if layer.id == layer_id:
                return ((layer_id, self._draw(layer)),)
        return ()

    def _draw(self, layer: Layer) -> QPixmap:
        """Return the thumbnail of a layer."""
        grid = self._document.battlemap.grid
        if self._sampler is None or self._sampler.grid is not grid:
            self._sampler = Sampler.centred(grid, SIZE * self.ratio)
        pixels = layer_colours(
            self._document.battlemap, layer, self._sampler, self._current_theme(), self.ratio
        )
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32)
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap
