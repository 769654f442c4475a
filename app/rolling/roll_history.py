"""The earlier rolls of the rolled layers of the current map: their keys, and their cells.

``Rolling`` steps back and forward through the keys; ``RollPlacement`` notes every roll that it puts
into the map. The menu of a cell and the menu of a selection offer the earlier cells.
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
from randomizer.model.rolls.draw_key import DrawKey
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


def key_of(layer: Layer) -> DrawKey:
    """Return seed and number of a rolled layer."""
    assert layer.roll is not None
    return DrawKey(layer.roll.seed, layer.roll.number)


class RollHistory:
    """The earlier rolls of the rolled layers of the current map.

    Steps go through the keys that a layer had, and beyond them number by number; a key that could
    not be rolled is passed over until the next roll. The stored contents let a person take back
    cells of earlier rolls. Questions about cells concern ``target()``, the layer that a roll
    replaces; while that is None, the answers are empty.

    It belongs to ``Rolling``, which clears it when another map becomes current.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._keys: dict[int, list[DrawKey]] = {}
        """The keys that each layer had, by its id, in the order of steps."""
        self._failed_roll: _FailedRoll | None = None
        """The roll that failed last, None once something was rolled."""
        self._earlier_layers: dict[int, deque[_EarlierLayer]] = {}
        """The contents that each layer had in earlier rolls, by its id, the latest first."""
        self.layer_of_change: Layer | None = None
        """The layer that came with the last change of the map's script, None if none did.

        ``RollPlacement`` sets it. If the next change is part of the same undo step, this layer is
        replaced at once: it was no roll of its own, whose contents would be stored.
        """

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._keys.clear()
        self._earlier_layers.clear()
        self.layer_of_change = None

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    # --- keys -------------------------------------------------------------------------------

    def has_previous_key(self, layer: Layer) -> bool:
        """Return whether a key is noted that the layer had before its own.

        For a roll that came with the file of the map no earlier one is.
        """
        keys = self._keys.get(layer.id, [])
        return key_of(layer) in keys[1:]

    def previous_key(self, layer: Layer) -> DrawKey | None:
        """Return the key that the layer had before its own; where none is noted, the last number.

        None for number 0, before which there is none.
        """
        current_key = key_of(layer)
        if self.has_previous_key(layer):
            keys = self._keys[layer.id]
            return keys[keys.index(current_key) - 1]
        if current_key.number:
            return current_key._replace(number=current_key.number - 1)
        return None

    def following_key(self, layer: Layer, text: str) -> DrawKey:
        """Return the key that the layer had after its own; where none is noted, the next number.

        ``text`` is that of the script, as for ``next_number``.
        """
        current_key = key_of(layer)
        keys = self._keys.get(layer.id, [])
        if current_key in keys and current_key != keys[-1]:
            return keys[keys.index(current_key) + 1]
        return self.next_number(layer, text)

    def next_number(self, layer: Layer, text: str) -> DrawKey:
        """Return the key with the next number of the seed.

        If the roll of a later number has failed with this text of the script, it is the number
        after that one.
        """
        last_key = key_of(layer)
        failed_roll = self._failed_roll
        if (
            failed_roll is not None
            and failed_roll.text == text
            and failed_roll.layer_id == layer.id
            and failed_roll.key.seed == last_key.seed
            and failed_roll.key.number > last_key.number
        ):
            last_key = failed_roll.key
        return last_key._replace(number=last_key.number + 1)

    def note_failure(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that a layer could not be rolled as ``key`` of this text of the script."""
        self._failed_roll = _FailedRoll(text, layer_id, key)

    def note_new_layer(self, layer_id: int, key: DrawKey) -> None:
        """Note the key of a new layer."""
        self._failed_roll = None
        self._keys[layer_id] = [key]

    def note_key(
        self,
        layer_id: int,
        previous_key: DrawKey,
        key: DrawKey,
        *,
        requested: DrawKey | None = None,
        back: bool = False,
    ) -> None:
        """Note that a layer has ``key`` now, and had ``previous_key`` until now.

        A new key replaces all that followed on the previous one, as a new page does in a browser;
        after a step ``back`` it is put before the previous one. Under locks it can be another key
        than the ``requested`` one (None: it is the same): the maps between the two break the locks,
        so that their keys are removed.
        """
        self._failed_roll = None
        keys = self._keys.setdefault(layer_id, [])
        # Undo and redo bring back keys that were never noted: from there on the steps begin anew.
        if previous_key not in keys:
            keys[:] = [previous_key]
        if requested is not None and requested.seed == key.seed:
            broken_numbers = range(requested.number, key.number)
            for noted_key in keys.copy():
                is_broken = noted_key.seed == key.seed and noted_key.number in broken_numbers
                if is_broken and noted_key != previous_key:
                    keys.remove(noted_key)
        if key in keys:
            return  # the step went to a key that is noted already
        position = keys.index(previous_key)
        if back:
            keys.insert(position, key)
        else:
            keys[position + 1 :] = [key]

    # --- cells ------------------------------------------------------------------------------

    def store_contents(self, layer: Layer, *, copied: bool = False) -> None:
        """Store a layer that is about to be replaced by another roll.

        With ``copied`` it is a copy, since the codes of the layer are about to be translated: the
        roll brings another terrain set.
        """
        stored_layer = layer
        if copied:
            stored_layer = layer.copy()
        earlier_layers = self._earlier_layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT))
        terrain_set = self._document.battlemap.terrain_set
        earlier_layers.appendleft(_EarlierLayer(stored_layer, terrain_set))

    def why_not(self) -> str:
        """Return why cells cannot be taken back into the rolled layer, as text; "" if they can."""
        layer = self.target()
        if layer is None:
            return ""
        return why_not(self._document.battlemap, layer.id)

    def earlier_values_of(self, cell: int) -> list[EarlierCells]:
        """Return the values that a cell had in earlier rolls, the latest first.

        Values that it has now are left out, and so are those of a later roll in the list.
        """
        layer = self.target()
        if layer is None:
            return []
        values_so_far = [self._values_of_cell(layer, cell)]
        earlier_cells = []
        for earlier_layer in self._translated_layers(layer):
            values = self._values_of_cell(earlier_layer, cell)
            if values not in values_so_far:
                values_so_far.append(values)
                earlier_cells.append(EarlierCells(earlier_layer.name, values))
        return earlier_cells

    def values_before_last_roll(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """Return the values of cells in the roll that was replaced last, None without one."""
        layer = self.target()
        if layer is None:
            return None
        earlier_layers = self._translated_layers(layer)
        if not earlier_layers:
            return None
        last_layer = earlier_layers[0]
        return EarlierCells(last_layer.name, self._values_with(last_layer, cells))

    def lock_as(self, cell: int, earlier: EarlierCells) -> None:
        """Give a cell the values of an earlier roll and lock it, as one undo step.

        If the layer cannot be changed, the document tells the user why.
        """
        battlemap = self._document.battlemap
        why = self.why_not()
        if why:
            self._document.refuse(why)
            return
        name = battlemap.system.cell_name(battlemap.grid, cell)
        edit = self.lock_cells_as(np.array([cell]), earlier)
        self._document.push(edit, f"Lock {name} as in {earlier.name}")

    def lock_cells_as(self, cells: NDArray[np.intp], earlier: EarlierCells) -> Edit | None:
        """Return the edit that gives cells the values of an earlier roll and locks them.

        None if there is no rolled layer, or nothing would change.
        """
        battlemap = self._document.battlemap
        layer = self.target()
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
        for earlier_layer, terrain_set in self._earlier_layers.get(layer.id, ()):
            if _is_resized(battlemap, earlier_layer):
                continue
            if can_translate(system, earlier_layer, terrain_set, present_set):
                layers.append(translated_layer(system, earlier_layer, terrain_set, present_set))
        return layers

    def _values_of_cell(self, layer: Layer, cell: int) -> dict[str, Any]:
        """Return the values of one cell, as ``_values_with``."""
        values_by_plane = self._values_with(layer, np.array([cell]))
        return {plane: int(values[0]) for plane, values in values_by_plane.items()}

    def _values_with(self, layer: Layer, cells: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
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


class _FailedRoll(NamedTuple):
    """A roll that failed."""

    text: str
    """The text of the script."""

    layer_id: int
    """The id of the layer that it would have replaced."""

    key: DrawKey


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
