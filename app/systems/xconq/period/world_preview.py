"""The world as it would be with other limits of the terrain types, shown on the map for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from app.qt_guard import connect
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.planes.planes import TOUCHED

if TYPE_CHECKING:
    from app.document.document import MapDocument

TEXT = "Preview"
"""The name of the stroke."""


class WorldPreview(QObject):
    """Paints terrain into the map's source layer, as a stroke that never becomes an undo step.

    Only what nobody changed or locked is painted. The stroke is taken back with ``end``, or as soon
    as anything else changes the map.
    """

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._layer_id: int | None = None
        """The layer that has the preview, None while there is none."""
        self._is_free: NDArray[np.bool_] | None = None
        """True for the cells that may be painted, (h, w); None if it has to be worked out."""
        self._is_applying = False
        """True while the map is changed from here."""
        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self.end)

    def show(self, codes: NDArray[np.uint8]) -> None:
        """Show the terrain ``codes``, (h, w)."""
        layer = self._document.battlemap.source_layer
        plane = self._document.battlemap.system.terrain
        if layer is None or plane is None or layer.locked or not layer.visible:
            return
        old_plane = layer.planes.get(plane.name)
        if old_plane is None or old_plane.shape != codes.shape:
            return
        if self._is_free is None:
            touched = layer.planes.get(TOUCHED + plane.name)
            locked = self._document.battlemap.locked_cells
            if touched is None:
                self._is_free = ~locked
            else:
                self._is_free = ~(locked | touched.astype(np.bool_))
        cells = np.flatnonzero((old_plane != codes) & self._is_free)
        if not len(cells):
            return
        edit = PlaneEdit(
            layer.id, plane.name, cells, old_plane.reshape(-1)[cells], codes.reshape(-1)[cells]
        )
        self._is_applying = True
        try:
            if self._layer_id is None:
                self._document.begin_stroke(TEXT, preview=True)
                self._layer_id = layer.id
            self._document.stroke(edit)
        finally:
            self._is_applying = False

    def end(self) -> None:
        """Take back what is shown."""
        layer_id = self._layer_id
        self._layer_id = None
        self._is_free = None
        if layer_id is not None:
            self._document.cancel_stroke()

    def _on_changed(self) -> None:
        """Forget the stroke: whoever else changes the map has taken it back before."""
        if not self._is_applying:
            self._layer_id = None
            self._is_free = None
