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
"""How many earlier rolls of a layer are remembered with their cells."""


class EarlierCells(NamedTuple):
    """The values of cells in the roll ``name``, by plane: an array (cells,), or one value."""

    name: str
    values: dict[str, Any]


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

    ``passing`` is a layer that came with a change of the map's script (None: none did): if the next
    change is part of the same undo step, it was no roll of its own.
    """

    def __init__(self, document: MapDocument, target: Callable[[], Layer | None]) -> None:
        self._document = document
        self.target = target
        self._keys: dict[int, list[DrawKey]] = {}
        self._failed: tuple[str, int, DrawKey] | None = None
        self._layers: dict[int, deque[tuple[Layer, TerrainSet]]] = {}
        self.passing: Layer | None = None

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._keys.clear()
        self._layers.clear()
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
        current = key_of(layer)
        if self._failed is not None and self._failed[:2] == (text, layer.id):
            failed = self._failed[2]
            if failed.seed == current.seed and failed.number > current.number:
                current = failed
        return current._replace(number=current.number + 1)

    def fail(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that the layer could not be rolled as ``key`` of this script's text."""
        self._failed = (text, layer_id, key)

    def begin(self, layer_id: int, key: DrawKey) -> None:
        """Note that a new layer shows ``key``."""
        self._failed = None
        self._keys[layer_id] = [key]

    def go_on(self, layer_id: int, before: DrawKey, key: DrawKey, *, back: bool = False) -> None:
        """Note that the layer shows ``key`` after it showed ``before``.

        A key that is new comes behind ``before``, or ahead of it if one stepped ``back``.
        """
        self._failed = None
        keys = self._keys.setdefault(layer_id, [])
        if before not in keys:
            keys[:] = [before]
        if key not in keys:
            keys.insert(keys.index(before) + (0 if back else 1), key)

    # --- cells ------------------------------------------------------------------------------

    def remember(self, layer: Layer, *, copied: bool = False) -> None:
        """Keep what the layer holds: it is about to be replaced by another roll.

        ``copied``: its codes are about to be translated, since the roll brings a terrain set.
        """
        stored = layer.copy() if copied else layer
        earlier = self._layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT))
        earlier.appendleft((stored, self._document.battlemap.terrain_set))

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
            layers = []
        else:
            layers = [layer, *self._earlier(layer)]
        seen: list[dict[str, Any]] = []
        earlier = []
        for each in layers:
            name, values = self._shown(each, np.array([cell]))
            value = {plane: int(of_plane[0]) for plane, of_plane in values.items()}
            if value not in seen:
                seen.append(value)
                earlier.append(EarlierCells(name, value))
        return earlier[1:]

    def of_last(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """Return what the cells showed in the roll that was replaced last, None if there was
        none.
        """
        layer = self.target()
        earlier = [] if layer is None else self._earlier(layer)
        if earlier:
            return self._shown(earlier[0], cells)
        return None

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

    def _earlier(self, layer: Layer) -> list[Layer]:
        """Return what the layer was, the latest first, in codes of the map's terrain set as it is
        now.

        What the map has no terrains or no room for any more is left out.
        """
        battlemap = self._document.battlemap
        system = battlemap.system
        now = battlemap.terrain_set
        return [
            translated_layer(system, each, terrain_set, now)
            for each, terrain_set in self._layers.get(layer.id, ())
            if not _resized(battlemap, each) and can_translate(system, each, terrain_set, now)
        ]

    def _shown(self, layer: Layer, cells: NDArray[np.intp]) -> EarlierCells:
        """Return what cells show with ``layer``, hidden or not, in place of the one with its id."""
        battlemap = self._document.battlemap
        below = battlemap.layers[: battlemap.index_of(layer.id)]
        shown = {}
        for spec in battlemap.system.shown_planes:
            if spec.place is not Place.CELL:
                continue
            values = np.full(len(cells), spec.default, spec.dtype)
            for each in [*below, layer]:
                if spec.name in each.planes and (each.visible or each is layer):
                    own = each.planes[spec.name].reshape(-1)[cells]
                    np.copyto(values, own, where=own != spec.unset)
            shown[spec.name] = values
        return EarlierCells(layer.name, shown)


def _resized(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether the map has another size than when the layer was on it."""
    shape = battlemap.locked_cells.shape
    cells = [spec.name for spec in battlemap.system.shown_planes if spec.place is Place.CELL]
    return any(layer.planes[name].shape != shape for name in cells if name in layer.planes)
