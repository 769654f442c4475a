"""The words of a window suit the map in front: tips and menus speak of hexes, or of squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.commands.commands import WHY
from app.qt_guard import connect
from randomizer.model.cell_words import suited
from randomizer.model.layouts import FLAT, SQUARE

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.layouts import Layout

WORDS = (WHY, "statusTip", "text", "title", "accessibleName", "accessibleDescription", "toolTip")
"""The properties that hold words of ours; a tip last, since it may be made of the others."""
ABOUT_HEXES = "about_hexes:"
"""Prefix of the properties that keep what they say of hexes."""


def make(desk: Desk) -> None:
    """Suit the words of the panels from now on."""
    GridWords(desk)


class GridWords(QObject):
    """Suits the words of a window whenever a map of other cells comes to the front."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._layout = FLAT
        connect(desk.document.map_replaced, self._on_map)
        connect(desk.docks.filled, self.suit)
        self._on_map()

    def _on_map(self) -> None:
        layout = self._desk.document.battlemap.grid.layout
        if layout.degree != self._layout.degree:
            self._layout = layout
            self.suit(self._desk.frame)

    def suit(self, part: QWidget) -> None:
        """Suit the words of a part of the window, made just now perhaps."""
        suit_words(part, self._layout)


def suit_words(part: QWidget, layout: Layout) -> None:
    """Let every tip, entry and name in ``part``, written for hexes, suit a layout."""
    for each in (part, *part.findChildren(QWidget), *part.findChildren(QAction)):
        for name in WORDS:
            now = each.property(name)
            if isinstance(now, str) and now and not _of_people(each, name):
                _suit(each, name, now, layout)


def _of_people(each: QObject, name: str) -> bool:
    """Whether these words may be what people typed or named."""
    return name == "text" and not isinstance(each, QAction | QAbstractButton)


def _suit(each: QObject, name: str, now: str, layout: Layout) -> None:
    kept = each.property(ABOUT_HEXES + name)
    written = kept if isinstance(kept, str) and now in (kept, suited(kept, SQUARE)) else now
    wanted = suited(written, layout)
    if wanted != now:
        each.setProperty(ABOUT_HEXES + name, written)
        each.setProperty(name, wanted)
