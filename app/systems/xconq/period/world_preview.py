"""The world as it would be with other limits of the terrain types, shown while they are dragged.

While a person drags a limit in the percentile chart, the period feature works out the terrain of
each cell and calls ``show`` again and again; ``end`` puts the map back. The preview is a *stroke*,
as of a brush, since the document can take back a stroke at any time without an undo step.
"""

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

    Only cells that nobody has changed or locked are painted: a roll with these limits would leave
    the others as they are, too. The stroke ends with ``end``, or as soon as anything else changes
    the map.
    """

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._layer_id: int | None = None
        """The layer that has the preview, None while there is none."""
        self._is_free: NDArray[np.bool_] | None = None
        """True for the cells that may be painted, (height, width).

        It is worked out once a stroke, as it is the same for all its steps; None before.
        """
        self._is_applying = False
        """True while ``show`` changes the map, so that ``_on_changed`` can tell who changed it."""
        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self.end)

    def show(self, codes: NDArray[np.uint8]) -> None:
        """Show the codes of terrains, (height, width), in place of those shown so far.

        Nothing happens if the source layer is hidden or locked, or has another size.
        """
        battlemap = self._document.battlemap
        layer = battlemap.source_layer
        spec = battlemap.system.terrain
        if layer is None or spec is None or layer.locked or not layer.visible:
            return
        old_codes = layer.planes.get(spec.name)
        if old_codes is None or old_codes.shape != codes.shape:
            return
        if self._is_free is None:
            self._is_free = ~battlemap.locked_cells
            touched = layer.planes.get(TOUCHED + spec.name)
            if touched is not None:
                self._is_free &= touched == 0
        cells = np.flatnonzero((old_codes != codes) & self._is_free)
        if not len(cells):
            return
        edit = PlaneEdit(
            layer.id,
            spec.name,
            cells,
            old_values=old_codes.reshape(-1)[cells],
            new_values=codes.reshape(-1)[cells],
        )
        self._apply(edit)

    def _apply(self, edit: PlaneEdit) -> None:
        """Change the map by one more edit of the stroke, which begins with the first one."""
        self._is_applying = True
        try:
            if self._layer_id is None:
                self._document.begin_stroke(TEXT, preview=True)
                self._layer_id = edit.layer_id
            self._document.stroke(edit)
        finally:
            self._is_applying = False

    def end(self) -> None:
        """Take the preview back; the map is as it was before ``show``."""
        layer_id = self._layer_id
        self._layer_id = None
        self._is_free = None
        if layer_id is not None:
            self._document.cancel_stroke()

    def _on_changed(self) -> None:
        """Forget the stroke when the map is changed otherwise.

        The document takes a preview back before it changes the map.
        """
        if not self._is_applying:
            self._layer_id = None
            self._is_free = None
