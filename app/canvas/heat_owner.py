"""Whose heat the canvas shows, where several panels have some: that of the panel shown last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.canvas.canvas import MapCanvas
    from app.render.heat import Heat


class HeatOwner(QObject):
    """Keeps what every panel wants to show; the last that came is seen.

    ``changed(str)``: whose heat is seen now, "" for nobody's. A panel calls ``claim`` when it is
    shown, ``show`` whenever its heat is another, ``let_go`` when it is hidden or switched off.
    """

    changed = Signal(str)

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._heats: dict[str, Heat | None] = {}

    @property
    def owner(self) -> str:
        """Whose heat is seen, "" for nobody's."""
        return next(reversed(self._heats), "")

    def claim(self, name: str) -> None:
        """``name``'s heat, as it is and as it will be, is seen from now on."""
        self._heats[name] = self._heats.pop(name, None)
        self._draw()
        self.changed.emit(name)

    def show(self, name: str, heat: Heat | None) -> None:
        """What ``name`` wants to be seen; nothing happens if it has let go."""
        if name in self._heats:
            self._heats[name] = heat
            if name == self.owner:
                self._draw()

    def let_go(self, name: str) -> None:
        """The panel that came before is seen again, or the map as it is."""
        if name in self._heats:
            del self._heats[name]
            self._draw()
            self.changed.emit(self.owner)

    def _draw(self) -> None:
        self._canvas.renderer.show_heat(self._heats.get(self.owner))
        self._canvas.look_changed()
