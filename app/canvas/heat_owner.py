"""Decides which panel's heat map the canvas shows, and names it in a line below the map.

A heat map colours the cells by a value, such as how likely they are to become a forest. Several
panels have one: Odds, Fairness and others. The panel that claimed the map last *owns* its colours,
and no other has any there::

    desk.heat.claim("odds")                    # the panel is shown: it colours the current map
    desk.heat.show("odds", heat, "Forest")     # its heat map has changed
    desk.heat.drop("odds")                     # the current map alone loses its colours
    desk.heat.release("odds")                  # it is hidden: all maps lose its colours
"""

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
    """The line below the map that says what its colours are, with a button that removes them.

    It is no part of the canvas, on which it would hide cells.
    """

    closed = Signal()
    """The button was pressed."""

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
        """Show what the colours are; "" hides the line."""
        self.label.setText(text)
        self.setVisible(bool(text))


@dataclass
class _Claim:
    """The heat map of one panel, and where it may be shown."""

    heat: Heat | None = None
    """Its heat map; None while it has none to show."""

    text: str = ""
    """What the colours are, for the line below the map."""

    maps: WeakSet[OpenMap] = field(default_factory=WeakSet)
    """The open maps that it colours: those that were current when it claimed the canvas.

    A map is in one claim at most.
    """


class HeatOwner(QObject):
    """Holds the heat map of every panel that is shown, and gives the canvas that of the owner.

    A map has the colours of a panel only if the panel claimed the canvas while that map was
    current.
    """

    changed = Signal(str)
    """The panel with this name owns the colours of the current map now; "" for none."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._claims: dict[str, _Claim] = {}
        """The claims by the names of panels."""
        self.line = HeatLine()
        """The line that names the heat map and can remove it. The desk puts it below the canvas."""
        connect(self.line.closed, lambda: self.drop(self.owner))
        connect(canvas.document.map_replaced, self._show_owner)

    @property
    def owner(self) -> str:
        """The name of the panel whose heat map the current map shows, "" for none."""
        for name in self._claims:
            if self.is_on(name):
                return name
        return ""

    def is_on(self, name: str) -> bool:
        """Return whether a panel colours the current map."""
        claim = self._claims.get(name)
        return claim is not None and self._canvas.document.current_map in claim.maps

    def claim(self, name: str) -> None:
        """Show the heat map of ``name``, and no other, on the current map from now on."""
        current_map = self._canvas.document.current_map
        for other_claim in self._claims.values():
            other_claim.maps.discard(current_map)
        claim = self._claims.setdefault(name, _Claim())
        claim.maps.add(current_map)
        self._show_owner()

    def show(self, name: str, heat: Heat | None, text: str = "") -> None:
        """Set the heat map of ``name`` and its text.

        Ignored without a claim: a panel shows whatever its work gives, also after it was hidden.
        """
        claim = self._claims.get(name)
        if claim is not None:
            claim.heat = heat
            claim.text = text
            if name == self.owner:
                self._show_heat()

    def drop(self, name: str) -> None:
        """Take the heat map of ``name`` off the current map; on other maps it stays."""
        claim = self._claims.get(name)
        if claim is not None:
            claim.maps.discard(self._canvas.document.current_map)
            self._show_owner()

    def release(self, name: str) -> None:
        """Forget the heat map of ``name``, and take it off all maps."""
        if self._claims.pop(name, None) is not None:
            self._show_owner()

    def _show_owner(self) -> None:
        """Show the owner's heat map, and emit ``changed`` with the owner's name."""
        self._show_heat()
        self.changed.emit(self.owner)

    def _show_heat(self) -> None:
        """Show the owner's heat map on the canvas, and its text below."""
        claim = self._claims.get(self.owner, _Claim())  # without an owner an empty one
        text = ""
        if claim.heat is not None:
            text = claim.text
        self._canvas.renderer.show_heat(claim.heat)
        self.line.say(text)
        self._canvas.update()
