"""What the rolled layers of the current map held before they were rolled again.

With them a person restores single cells: the menu of a cell offers what the cell was in earlier
rolls, and the menu of a selection what its cells were before the last roll.

    earlier.store(layer)                       # before the layer is replaced
    for contents in earlier.values_of(cell):
        print(contents.name, contents.values)  # "Swamp, seed 17 no. 3" {"terrain": 4, ...}
    earlier.restore_and_lock(cell, contents)   # the cell is so again, and stays so
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.document import MapDocument
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.terrain_codes import can_translate, translated_layer
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.hand.targets import paint, why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Element
from randomizer.model.rolls.rolled_layers import rolled_layer
from randomizer.model.terrain.terrain import TerrainSet

EARLIER_KEPT = 6
"""The number of earlier rolls of a layer whose cells are stored; each is a layer in memory."""


class EarlierCells(NamedTuple):
    """The values of some cells in an earlier roll."""

    name: str
    """The name that the layer had then, which says which roll it was."""

    values: dict[str, Any]
    """The values by plane: an array (cells,), or an int for a single cell."""


class EarlierContents:
    """The contents of earlier rolls of the current map.

    Questions about cells concern the layer that a roll would replace; without one, the answers are
    empty. ``Rolling`` clears it when another map becomes current.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._layers: dict[int, deque[_EarlierLayer]] = {}
        """The contents that each layer had in earlier rolls, by its id, the latest first."""
        self._merged_layer: Layer | None = None
        """The layer of the last roll that came with a change of the map's script, None without
        one."""

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._layers.clear()
        self._merged_layer = None

    def _rolled_layer(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def store(self, layer: Layer, *, copies_layer: bool = False) -> None:
        """Store a layer that is about to be replaced by another roll.

        ``copies_layer``: the edit of the roll will change the layer itself, as it translates its
        codes to another terrain set.
        """
        stored_layer = layer
        if copies_layer:
            stored_layer = layer.copy()
        earlier_layers = self._layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT))
        terrain_set = self._document.battlemap.terrain_set
        earlier_layers.appendleft(_EarlierLayer(stored_layer, terrain_set))

    def store_before_merge(self, layer: Layer, *, is_merged: bool, copies_layer: bool) -> None:
        """Store a layer that a roll replaces which follows a text, as ``store`` does.

        With each letter of a text another roll replaces the one of the letter before, in the same
        undo step (``is_merged``). Such a roll was none of its own: only what lay there before the
        first letter is stored.
        """
        is_roll_of_same_step = is_merged and layer is self._merged_layer
        if not is_roll_of_same_step:
            self.store(layer, copies_layer=copies_layer)

    def note_merged_roll(self, layer: Layer) -> None:
        """Note the layer of a roll that follows a text, for ``store_before_merge``."""
        self._merged_layer = layer

    def why_not_restored(self) -> str:
        """Return why cells cannot be restored in the rolled layer, as text.

        "" if they can, and if there is no rolled layer.
        """
        layer = self._rolled_layer()
        if layer is None:
            return ""
        return why_not(self._document.battlemap, layer.id)

    def values_of(self, cell: int) -> list[EarlierCells]:
        """Return the values that a cell had in earlier rolls, the latest first.

        Values that it has now are left out, and so are those of a later roll in the list.
        """
        layer = self._rolled_layer()
        if layer is None:
            return []
        values_so_far = [self._shown_values_of_cell(layer, cell)]
        earlier_cells = []
        for earlier_layer in self._translated_layers(layer):
            values = self._shown_values_of_cell(earlier_layer, cell)
            if values not in values_so_far:
                values_so_far.append(values)
                earlier_cells.append(EarlierCells(earlier_layer.name, values))
        return earlier_cells

    def values_before_last_roll(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """Return the values of cells in the roll that was replaced last, None without one."""
        layer = self._rolled_layer()
        if layer is None:
            return None
        earlier_layers = self._translated_layers(layer)
        if not earlier_layers:
            return None
        last_layer = earlier_layers[0]
        return EarlierCells(last_layer.name, self._shown_values(last_layer, cells))

    def restore_and_lock(self, cell: int, earlier: EarlierCells) -> None:
        """Give a cell the values of an earlier roll and lock it, as one undo step.

        If the layer cannot be changed, the document tells the user why.
        """
        battlemap = self._document.battlemap
        why = self.why_not_restored()
        if why:
            self._document.refuse(why)
            return
        name = battlemap.system.cell_name(battlemap.grid, cell)
        edit = self.edit_to_restore_and_lock(np.array([cell]), earlier)
        self._document.push(edit, f"Lock {name} as in {earlier.name}")

    def edit_to_restore_and_lock(
        self, cells: NDArray[np.intp], earlier: EarlierCells
    ) -> Edit | None:
        """Return the edit that gives cells the values of an earlier roll and locks them.

        None if there is no rolled layer, or nothing would change.
        """
        battlemap = self._document.battlemap
        layer = self._rolled_layer()
        if layer is None:
            return None
        values = earlier.values
        edits = [paint(battlemap, layer.id, plane, cells, values[plane]) for plane in values]
        edits.append(set_locks(battlemap, cells, True))
        return compound(edits)

    def _translated_layers(self, layer: Layer) -> list[Layer]:
        """Return the stored contents of a layer, the latest first.

        Their codes are translated to the present terrain set of the map. Those of another size, or
        with terrains that the map has no more, are left out.
        """
        battlemap = self._document.battlemap
        system = battlemap.system
        present_set = battlemap.terrain_set
        layers = []
        for earlier_layer, terrain_set in self._layers.get(layer.id, ()):
            if _is_resized(battlemap, earlier_layer):
                continue
            if can_translate(system, earlier_layer, terrain_set, present_set):
                layers.append(translated_layer(system, earlier_layer, terrain_set, present_set))
        return layers

    def _shown_values_of_cell(self, layer: Layer, cell: int) -> dict[str, Any]:
        """Return the values of one cell, as ``_shown_values``."""
        values_by_plane = self._shown_values(layer, np.array([cell]))
        return {plane: int(values[0]) for plane, values in values_by_plane.items()}

    def _shown_values(self, layer: Layer, cells: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        """Return the values that cells would show with ``layer`` in place of the one with its id.

        They are arrays (cells,) by plane. Layers above it are ignored, and hidden ones below it.
        """
        battlemap = self._document.battlemap
        layers_below = battlemap.layers[: battlemap.index_of(layer.id)]
        layers = [layer_below for layer_below in layers_below if layer_below.visible]
        layers.append(layer)
        values_by_plane = {}
        for spec in battlemap.system.shown_planes:
            if spec.element is not Element.CELL:
                continue
            values = np.full(len(cells), spec.default, spec.dtype)
            for layer_with_values in layers:
                if spec.name in layer_with_values.planes:
                    set_values = layer_with_values.planes[spec.name].reshape(-1)[cells]
                    np.copyto(values, set_values, where=set_values != spec.unset)
            values_by_plane[spec.name] = values
        return values_by_plane


class _EarlierLayer(NamedTuple):
    """The contents of a rolled layer before it was replaced."""

    layer: Layer

    terrain_set: TerrainSet
    """The terrain set that its codes refer to: that of the map at that time."""


def _is_resized(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether the map has another size than when the layer was on it."""
    shape = battlemap.locked_cells.shape
    cell_planes = [
        spec.name for spec in battlemap.system.shown_planes if spec.element is Element.CELL
    ]
    planes = [plane for name, plane in layer.planes.items() if name in cell_planes]
    return any(plane.shape != shape for plane in planes)
