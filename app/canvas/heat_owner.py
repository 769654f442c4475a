"""Which panel's heat map the canvas shows: that of the panel that was shown last, on its map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from app.canvas.canvas import MapCanvas
from app.qt_guard import connect, guarded
from app.render.cell_values.heat import Heat
from app.widgets.layout.builders import described, lay_out, plain_label

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


GAP = 8
"""From the upper edge of the canvas, in logical pixels."""


class HeatChip(QFrame):
    """``say`` shows it with these text, "" hides it. ``closed()``: its button was pressed."""

    closed = Signal()

    def __init__(self, canvas: MapCanvas) -> None:
        # Beside the canvas, not in it: what scrolls the canvas leaves it alone.
        super().__init__(canvas.parentWidget() or canvas)
        self._canvas = canvas
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.label = plain_label()
        self.button = described(
            QToolButton(), "Take the colours off the map", "Take these colours off the map"
        )
        self.button.setText("\N{MULTIPLICATION SIGN}")
        self.button.setAutoRaise(True)
        connect(self.button.clicked, self.closed)
        lay_out(QHBoxLayout(self), self.label, self.button, margins=(8, 1, 2, 1), spacing=4)
        canvas.installEventFilter(self)
        self.hide()

    def say(self, text: str) -> None:
        """Name what is shown."""
        self.label.setText(text)
        self.setVisible(bool(text))
        self._place()

    def _place(self) -> None:
        if self.isHidden():
            return
        size = self.sizeHint()
        canvas = self._canvas
        inside = self.parentWidget() is canvas
        if inside:
            corner = QPoint(0, 0)
        else:
            corner = canvas.geometry().topLeft()
        width = min(size.width(), canvas.width() - 2 * GAP)
        self.setGeometry(
            corner.x() + (canvas.width() - width) // 2, corner.y() + GAP, width, size.height()
        )
        self.raise_()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)


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
    when it is hidden. Another map has the colours only if the panel claims it, too. ``chip`` names
    the heat map on the canvas and can drop it. ``changed(str)``: the name of the panel whose heat
    map is shown now, "" for none.
    """

    changed = Signal(str)

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._claims: dict[str, _Claim] = {}
        self.chip = HeatChip(canvas)
        connect(self.chip.closed, lambda: self.drop(self.owner))
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
        self.chip.say(claim.text if claim.heat is not None else "")
        self._canvas.update()
