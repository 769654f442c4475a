"""Texts of widgets with the word for the cells of the current map: hexes, or squares.

A feature whose widgets speak of cells makes one ``CellTexts``::

    texts = CellTexts(document, widget)
    texts.keep_filled(button.setText, "Select {cells}")    # "Select hexes", later "Select squares"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect
from randomizer.model.grid.cell_words import cell_text

if TYPE_CHECKING:
    from app.document.document import MapDocument


class CellTexts(QObject):
    """Fills templates (``cell_text``) at once, and again when the cells have another shape.

    The widgets must live as long as ``parent``.
    """

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._layout = document.battlemap.grid.layout
        self._setters: list[tuple[Callable[[str], object], str]] = []
        """The functions that set the texts, each with its template."""
        connect(document.map_replaced, self._on_map)

    def keep_filled(self, setter: Callable[[str], object], template: str) -> None:
        """Call ``setter`` with the filled template, now and for each map with other cells."""
        self._setters.append((setter, template))
        setter(cell_text(template, self._layout))

    def _on_map(self) -> None:
        """Set the texts again if the cells of the new current map have another shape."""
        old_layout = self._layout
        self._layout = self._document.battlemap.grid.layout
        if old_layout.degree != self._layout.degree:
            for setter, template in self._setters:
                setter(cell_text(template, self._layout))
