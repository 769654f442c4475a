"""Which panel's heat map the canvas shows: that of the panel that was shown last, on its map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from app.canvas.canvas import MapCanvas
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.widgets.layout.builders import described, lay_out
from app.widgets.layout.elided_label import ElidedLabel

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


class HeatLine(QFrame):
    """Says below the map what its colours are; "" hides it. ``closed()``: its button was pressed.

    It is no part of the canvas: over this it would hide cells.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.label = ElidedLabel()
        self.button = described(
            QToolButton(), "Take the colours off the map", "Take these colours off the map"
        )
        self.button.setText("\N{MULTIPLICATION SIGN}")
        self.button.setAutoRaise(True)
        connect(self.button.clicked, self.closed)
        lay_out(QHBoxLayout(self), (self.label, 1), self.button, margins=(8, 1, 2, 1), spacing=4)
        self.hide()

    def say(self, text: str) -> None:
        """Name what is shown."""
        self.label.setText(text)
        self.setVisible(bool(text))


@dataclass
class _Claim:
    """The heat of one panel, its description in words, and the open map that it lies on."""

    heat: Heat | None = None
    text: str = ""
    maps: WeakSet[OpenMap] = field(default_factory=WeakSet)


class HeatOwner(QObject):
    """Holds the heat map of every panel that is shown; the canvas gets that of the last.

    A panel calls ``claim`` when it is shown, or asked to colour the current map; ``show`` whenever
    its heat map changes; ``drop`` when it is asked to leave the current map alone; ``release``
    when it is hidden. Another map has the colours only if the panel claims it, too. ``line`` names
    the heat map and can drop it; who makes the owner puts it below the canvas. ``changed(str)``:
    the name of the panel whose heat map is shown now, "" for none.
    """

    changed = Signal(str)

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._claims: dict[str, _Claim] = {}
        self.line = HeatLine()
        connect(self.line.closed, lambda: self.drop(self.owner))
        connect(canvas.document.map_replaced, self._tell)

    @property
    def owner(self) -> str:
        """The name of the panel whose heat map the current map shows, "" for none."""
        return next((name for name in reversed(self._claims) if self.is_on(name)), "")

    def is_on(self, name: str) -> bool:
        """Return whether a panel colours the current map, or would if it were the last."""
        claim = self._claims.get(name)
        return claim is not None and self._canvas.document.current_map in claim.maps

    def claim(self, name: str) -> None:
        """Show the heat map of ``name`` on the current map from now on."""
        claim = self._claims[name] = self._claims.pop(name, _Claim())
        claim.maps.add(self._canvas.document.current_map)
        self._tell()

    def show(self, name: str, heat: Heat | None, text: str = "") -> None:
        """Set the heat map of ``name`` and what it shows; ignored unless it claimed the canvas."""
        claim = self._claims.get(name)
        if claim is not None:
            claim.heat = heat
            claim.text = text
            if name == self.owner:
                self._draw()

    def drop(self, name: str) -> None:
        """Take the heat map of ``name`` off the current map; on other maps it stays."""
        claim = self._claims.get(name)
        if claim is not None:
            claim.maps.discard(self._canvas.document.current_map)
            self._tell()

    def release(self, name: str) -> None:
        """Show the heat map of the panel before, or the map without one."""
        if self._claims.pop(name, None) is not None:
            self._tell()

    def _tell(self) -> None:
        self._draw()
        self.changed.emit(self.owner)

    def _draw(self) -> None:
        claim = self._claims.get(self.owner, _Claim())
        self._canvas.renderer.show_heat(claim.heat)
        self.line.say(claim.text if claim.heat is not None else "")
        self._canvas.update()
