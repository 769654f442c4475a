"""Which panel's heat map the canvas shows: that of the panel that was shown last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.canvas.canvas import MapCanvas
    from app.render.heat import Heat


class HeatOwner(QObject):
    """Holds the heat map of every panel that is shown; the canvas gets that of the last.

    A panel calls ``claim`` when it is shown, ``show`` whenever its heat map changes, ``release``
    when it is hidden or switched off. ``changed(str)``: the name of the panel whose heat map is
    shown now, "" for none.
    """

    changed = Signal(str)

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._heats: dict[str, Heat | None] = {}

    @property
    def owner(self) -> str:
        """The name of the panel whose heat map is shown, "" for none."""
        return next(reversed(self._heats), "")

    def claim(self, name: str) -> None:
        """Show the heat map of ``name`` from now on."""
        self._heats[name] = self._heats.pop(name, None)
        self._draw()
        self.changed.emit(name)

    def show(self, name: str, heat: Heat | None) -> None:
        """Set the heat map of ``name``; ignored unless it has claimed the canvas."""
        if name in self._heats:
            self._heats[name] = heat
            if name == self.owner:
                self._draw()

    def release(self, name: str) -> None:
        """Show the heat map of the panel before, or the map without one."""
        if name in self._heats:
            del self._heats[name]
            self._draw()
            self.changed.emit(self.owner)

    def _draw(self) -> None:
        self._canvas.renderer.show_heat(self._heats.get(self.owner))
        self._canvas.update()
