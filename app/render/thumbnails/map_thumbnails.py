"""Small pictures of maps, drawn a few at a time so that the window answers in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPixmap

from app.render.detail import Overlays
from app.render.renderer import Renderer

if TYPE_CHECKING:
    from app.render.picture_source import Pictures
    from app.render.theme import Theme
    from randomizer.model.battlemap import BattleMap

TURN_MS = 8
"""How long to draw before the event loop gets its turn."""

KEPT = 400
"""So many pictures are kept; a variant has about 30 terrains at most."""

MARGIN = 0.25
"""Room around the board, in map units."""


class MapThumbnails(QObject):
    """Draws maps by a key that stands for their content, and keeps the pictures.

    ``drawn(str, QPixmap)``: the picture for a key is there.
    """

    drawn = Signal(str, QPixmap)

    def __init__(
        self, size: QSize, theme: Theme, pictures: Pictures, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.size = size
        self._renderer = Renderer(theme, pictures)
        self._renderer.overlays = Overlays(
            labels=False, names=False, locks=False, entry_sides=False
        )
        self._ratio = 1.0
        self._kept: dict[str, QPixmap] = {}
        self._waiting: dict[str, BattleMap] = {}
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_some)

    def set_look(self, theme: Theme, pictures: Pictures, ratio: float) -> None:
        """Draw with these colours and pictures, for a screen of that device pixel ratio."""
        look = (self._renderer.theme, self._renderer.pictures, self._ratio)
        if look != (theme, pictures, ratio):
            self._renderer.set_look(theme, pictures)
            self._ratio = ratio
            self._kept.clear()

    def blank(self) -> QPixmap:
        """An empty picture, to hold the place."""
        pixmap = QPixmap(self.size * self._ratio)
        pixmap.setDevicePixelRatio(self._ratio)
        pixmap.fill(self._renderer.theme.background)
        return pixmap

    def request(self, key: str, battlemap: BattleMap) -> None:
        """Draw a map; ``drawn`` follows, at once if the picture is at hand."""
        pixmap = self._kept.get(key)
        if pixmap is not None:
            self.drawn.emit(key, pixmap)
            return
        self._waiting[key] = battlemap
        self._timer.start(0)

    def forget_requests(self) -> None:
        """What was not drawn yet is not wanted any more."""
        self._waiting.clear()

    def _draw_some(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        while self._waiting and clock.elapsed() < TURN_MS:
            key = next(iter(self._waiting))
            battlemap = self._waiting.pop(key)
            self._keep(key, self._draw(battlemap))
        if not self._waiting:
            self._timer.stop()

    def _draw(self, battlemap: BattleMap) -> QPixmap:
        width, height = self.size.width(), self.size.height()
        image = self._renderer.picture(
            battlemap, battlemap.composite(), width, height, MARGIN, self._ratio
        )
        return QPixmap.fromImage(image)

    def _keep(self, key: str, pixmap: QPixmap) -> None:
        self._kept[key] = pixmap
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        self.drawn.emit(key, pixmap)
