"""The world as it would be with other limits of the terrain types, shown while they are dragged.

A limit is a handle of the percentile chart, such as "sea below 30 % of all elevations". While a
person drags one, the period feature works out the terrain of each cell and calls ``paint`` again
and again; ``take_back`` puts the map back. The life of a preview::

    show    begins a stroke, as of a brush, at the first cell that would become another terrain
    show    paints what differs from the codes shown so far
    end     cancels the stroke

It is a stroke since the document can take one back at any time without an undo step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from app.qt_guard import connect
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.planes.planes import TOUCHED

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer

STROKE_NAME = "Preview"


@dataclass(frozen=True)
class _PreviewStroke:
    """The stroke of a preview that is on the map now."""

    paintable: NDArray[np.bool_]
    """True for the cells that the preview may paint, (height, width).

    It is worked out once for the stroke, since a drag calls ``paint`` very often. It cannot become
    stale: any other change of the map ends the stroke.
    """


class WorldPreview(QObject):
    """Paints terrain into the map's source layer, as a stroke that never becomes an undo step.

    Only cells that nobody has changed or locked are painted: a roll with these limits would leave
    the others as they are, too. The stroke ends with ``take_back``, or as soon as anything else
    changes the map.
    """

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._stroke: _PreviewStroke | None = None
        """The stroke on the map, from the first cell painted until ``take_back``; else None."""
        self._is_painting = False
        """True while ``paint`` changes the map: the changes that it makes are ignored."""
        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self.take_back)

    def paint(self, codes: NDArray[np.uint8]) -> None:
        """Show the codes of terrains, (height, width), in place of those shown so far.

        Nothing happens if the source layer is hidden or locked, or has another size.
        """
        battlemap = self._document.battlemap
        layer = battlemap.source_layer
        terrain_plane = battlemap.system.terrain
        if layer is None or terrain_plane is None or layer.locked or not layer.visible:
            return
        old_codes = layer.planes.get(terrain_plane.name)
        if old_codes is None or old_codes.shape != codes.shape:
            return

        if self._stroke is None:
            paintable = _paintable_cells(battlemap, layer, terrain_plane.name)
        else:
            paintable = self._stroke.paintable
        cells = np.flatnonzero((old_codes != codes) & paintable)
        if not len(cells):
            return
        edit = PlaneEdit(
            layer.id,
            terrain_plane.name,
            cells,
            old_values=old_codes.reshape(-1)[cells],
            new_values=codes.reshape(-1)[cells],
        )

        self._is_painting = True
        try:
            if self._stroke is None:
                self._document.begin_stroke(STROKE_NAME, preview=True)
                self._stroke = _PreviewStroke(paintable)
            self._document.stroke(edit)
        finally:
            self._is_painting = False

    def take_back(self) -> None:
        """Take the preview back; the map is as it was before ``paint``."""
        if self._stroke is None:
            return
        # First: cancelling emits ``changed``, and whoever hears that may call this again.
        self._stroke = None
        self._document.cancel_stroke()

    def _on_changed(self) -> None:
        """Forget the stroke when anything but ``paint`` changes the map.

        Nothing is to be taken back: the document cancels a preview before it changes the map.
        """
        if not self._is_painting:
            self._stroke = None


def _paintable_cells(battlemap: BattleMap, layer: Layer, plane: str) -> NDArray[np.bool_]:
    """Return True for the cells, (height, width), that are neither locked nor painted by hand.

    ``plane`` is the terrain plane of the layer.
    """
    paintable = ~battlemap.locked_cells
    touched = layer.planes.get(TOUCHED + plane)
    if touched is not None:
        paintable &= touched == 0
    return paintable
