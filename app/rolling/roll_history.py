"""What rolled layers of the current map showed before: which maps, and what their cells held."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.document import MapDocument
from randomizer.generator import DrawKey
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.terrain_codes import can_translate, translated_layer
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.hand.targets import paint, why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Place
from randomizer.model.terrain.terrain import TerrainSet

EARLIER_KEPT = 6
"""How many earlier rolls of a layer are remembered with their cells; each is a layer in memory."""


class EarlierCells(NamedTuple):
    """The values of some cells in an earlier roll."""

    name: str
    """The name of the layer then, which tells the roll."""

    values: dict[str, Any]
    """By plane the values of the cells, an array (cells,); of a single cell its value."""


def key_of(layer: Layer) -> DrawKey:
    """Return seed and number of a rolled layer."""
    assert layer.roll is not None
    return DrawKey(layer.roll.seed, layer.roll.number)


class RollHistory:
    """The earlier rolls of the rolled layers of the current map.

    One steps through the keys that a layer showed, else by number; a key that could not be rolled
    from a script's text is passed over until something was rolled. The last contents are there to
    take cells back: what is asked about cells is asked of ``target()``, the layer that a roll
    replaces, and there is no answer while it is None.

    It belongs to the rolling controller, which clears it when another map becomes current.
    """

    def __init__(self, document: MapDocument, target: Callable[[], Layer | None]) -> None:
        self._document = document
        self.target = target
        self._keys: dict[int, list[DrawKey]] = {}
        """The keys that each layer showed, by its id, in the order in which one steps through."""
        self._failed_roll: _FailedRoll | None = None
        """The roll that failed last, None once something was rolled."""
        self._earlier_layers: dict[int, deque[_EarlierLayer]] = {}
        """What each layer was before, by its id, the latest first."""
        self.passing: Layer | None = None
        """A layer that came with a change of the map's script; ``FinishedRoll`` sets it.

        If the next change is part of the same undo step, it was no roll of its own. None: no layer
        came so.
        """

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._keys.clear()
        self._earlier_layers.clear()
        self.passing = None

    # --- keys -------------------------------------------------------------------------------

    def before(self, layer: Layer) -> DrawKey | None:
        """Return the key shown before that of the layer, else the number before.

        None for number 0.
        """
        current = key_of(layer)
        keys = self._keys.get(layer.id, [])
        if current in keys and keys.index(current) > 0:
            return keys[keys.index(current) - 1]
        if current.number:
            return current._replace(number=current.number - 1)
        return None

    def after(self, layer: Layer, text: str) -> DrawKey:
        """Return the key shown after that of the layer, else the next one of ``text``."""
        current = key_of(layer)
        keys = self._keys.get(layer.id, [])
        if current in keys and keys.index(current) + 1 < len(keys):
            return keys[keys.index(current) + 1]
        return self.next(layer, text)

    def next(self, layer: Layer, text: str) -> DrawKey:
        """Return the next number of the seed.

        One that failed with this script's text is passed over.
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

    def fail(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that the layer could not be rolled as ``key`` of this script's text."""
        self._failed_roll = _FailedRoll(text, layer_id, key)

    def begin(self, layer_id: int, key: DrawKey) -> None:
        """Note that a new layer shows ``key``."""
        self._failed_roll = None
        self._keys[layer_id] = [key]

    def go_on(
        self,
        layer_id: int,
        previous_key: DrawKey,
        key: DrawKey,
        *,
        requested: DrawKey | None = None,
        back: bool = False,
    ) -> None:
        """Note that the layer shows ``key`` after it showed ``previous_key``.

        A key that is new takes the place of all that came behind the previous one, as a new page
        does in a browser; if one stepped ``back`` it comes ahead of the previous one. Under locks
        it can be another key than the ``requested`` one (None: it is that): the maps between them
        break the locks, and are passed over from now on.
        """
        self._failed_roll = None
        keys = self._keys.setdefault(layer_id, [])
        # Undo and redo show keys that were never noted: the steps from there on begin anew.
        if previous_key not in keys:
            keys[:] = [previous_key]
        if requested is not None and requested.seed == key.seed:
            broken_numbers = range(requested.number, key.number)
            for noted_key in keys.copy():
                is_broken = noted_key.seed == key.seed and noted_key.number in broken_numbers
                if is_broken and noted_key != previous_key:
                    keys.remove(noted_key)
        if key in keys:
            return
        position = keys.index(previous_key)
        if back:
            keys.insert(position, key)
        else:
            keys[position + 1 :] = [key]

    # --- cells ------------------------------------------------------------------------------

    def remember(self, layer: Layer, *, copied: bool = False) -> None:
        """Keep what the layer holds: it is about to be replaced by another roll.

        ``copied``: its codes are about to be translated, since the roll brings a terrain set.
        """
        stored_layer = layer.copy() if copied else layer
        earlier_layers = self._earlier_layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT))
        terrain_set = self._document.battlemap.terrain_set
        earlier_layers.appendleft(_EarlierLayer(stored_layer, terrain_set))

    def why_not(self) -> str:
        """Return why cells cannot be taken back into the rolled layer, as text; "" if they can."""
        layer = self.target()
        if layer is None:
            return ""
        return why_not(self._document.battlemap, layer.id)

    def of_cell(self, cell: int) -> list[EarlierCells]:
        """Return what the cell showed that it does not show now, each once, the latest first."""
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

    def of_last(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """Return what the cells showed in the roll that was replaced last, None without one."""
        layer = self.target()
        if layer is None:
            return None
        earlier_layers = self._translated_layers(layer)
        if not earlier_layers:
            return None
        last_layer = earlier_layers[0]
        return EarlierCells(last_layer.name, self._values_with(last_layer, cells))

    def lock_as(self, cell: int, earlier: EarlierCells) -> None:
        """Give a cell the values of an earlier roll and lock it: one undo step."""
        battlemap = self._document.battlemap
        why = self.why_not()
        if why:
            self._document.refuse(why)
            return
        name = battlemap.system.cell_name(battlemap.grid, cell)
        edit = self.lock_cells_as(np.array([cell]), earlier)
        self._document.push(edit, f"Lock {name} as in {earlier.name}")

    def lock_cells_as(self, cells: NDArray[np.intp], earlier: EarlierCells) -> Edit | None:
        """Return the edit that gives cells the values of an earlier roll and locks them."""
        battlemap = self._document.battlemap
        layer = self.target()
        if layer is None:
            return None
        values = earlier.values
        edits = [paint(battlemap, layer.id, plane, cells, values[plane]) for plane in values]
        return compound([*edits, set_locks(battlemap, cells, True)])

    def _translated_layers(self, layer: Layer) -> list[Layer]:
        """Return what the layer was, the latest first, in codes of the map's present terrain set.

        What the map has no terrains or no room for any more is left out.
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
        """Return what cells show, by plane, with ``layer`` in place of the one with its id.

        Layers above it are not asked; below it only visible ones are. Each array is (cells,).
        """
        battlemap = self._document.battlemap
        layers_below = battlemap.layers[: battlemap.index_of(layer.id)]
        layers = [layer_below for layer_below in layers_below if layer_below.visible]
        layers.append(layer)
        values_by_plane = {}
        for spec in battlemap.system.shown_planes:
            if spec.place is not Place.CELL:
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

    key: DrawKey


class _EarlierLayer(NamedTuple):
    """A rolled layer before it was replaced."""

    layer: Layer

    terrain_set: TerrainSet
    """The set of its codes: that of the map then."""


def _is_resized(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether the map has another size than when the layer was on it."""
    shape = battlemap.locked_cells.shape
    cell_planes = [spec.name for spec in battlemap.system.shown_planes if spec.place is Place.CELL]
    planes = [plane for name, plane in layer.planes.items() if name in cell_planes]
    return any(plane.shape != shape for plane in planes)
