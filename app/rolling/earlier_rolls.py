"""What rolled layers held before they were rolled again, to take single cells back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.document import MapDocument
from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Edit
from randomizer.model.edit_making import compound, set_locks
from randomizer.model.layer import Layer
from randomizer.model.planes import Place
from randomizer.model.targets import paint, why_not
from randomizer.model.terrain import TerrainSet
from randomizer.model.terrain_codes import can_translate, translated_layer

EARLIER_KEPT = 6
"""How many earlier rolls of a layer are remembered."""


class EarlierCell(NamedTuple):
    """What a cell showed in the roll called ``name``, by plane."""

    name: str
    values: dict[str, int]


class EarlierCells(NamedTuple):
    """What several cells showed in the roll called ``name``: (cells,) by plane."""

    name: str
    values: dict[str, NDArray[np.generic]]


class EarlierRolls:
    """The last contents of rolled layers of the map in front.

    ``target`` gives the layer that a re-roll replaces; what is asked is asked of that layer, and
    there is no answer while it is None.
    """

    def __init__(self, document: MapDocument, target: Callable[[], Layer | None]) -> None:
        self._document, self._target = document, target
        self._layers: dict[int, deque[tuple[Layer, TerrainSet]]] = {}

    def remember(self, layer: Layer, *, copied: bool = False) -> None:
        """The layer is about to be replaced by another roll.

        ``copied``: its codes are about to be translated, since the roll brings a terrain set.
        """
        kept = layer.copy() if copied else layer
        earlier = self._layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT))
        earlier.appendleft((kept, self._document.battlemap.terrain_set))

    def _earlier(self, layer: Layer) -> list[Layer]:
        """What the layer was, the latest first, in codes of the map's terrain set as it is now.

        What the map has no terrains or no room for any more is left out.
        """
        battlemap = self._document.battlemap
        system, now = battlemap.system, battlemap.terrain_set
        return [
            translated_layer(system, each, known, now)
            for each, known in self._layers.get(layer.id, ())
            if not _resized(battlemap, each) and can_translate(system, each, known, now)
        ]

    def clear(self) -> None:
        """Forget all layers: another map is in front."""
        self._layers.clear()

    def why_not(self) -> str:
        """Why cells cannot be taken back into the rolled layer, as text; "" if they can."""
        layer = self._target()
        return "" if layer is None else why_not(self._document.battlemap, layer.id)

    def of_cell(self, cell: int) -> list[EarlierCell]:
        """What the cell showed that it does not show now, each once, the latest first."""
        now, battlemap = self._target(), self._document.battlemap
        if now is None:
            return []
        below = battlemap.layers[: battlemap.index_of(now.id)]

        def shown(layer: Layer) -> dict[str, int]:
            values = _values(battlemap, [*below, layer], np.array([cell]))
            return {name: int(value[0]) for name, value in values.items()}

        seen = [shown(now)]
        found = []
        for layer in self._earlier(now):
            values = shown(layer)
            if values not in seen:
                seen.append(values)
                found.append(EarlierCell(layer.name, values))
        return found

    def lock_as(self, cell: int, earlier: EarlierCell) -> None:
        """Give a cell the values of an earlier roll and lock it: one undo step."""
        layer, battlemap = self._target(), self._document.battlemap
        if layer is not None:
            why = self.why_not()
            if why:
                self._document.refuse(why)
                return
            edit = _lock_as(battlemap, layer.id, np.array([cell]), earlier.values)
            name = battlemap.system.cell_name(battlemap.grid, cell)
            self._document.push(edit, f"Lock {name} as in {earlier.name}")

    def before(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """What the cells showed in the roll that was replaced last, None if there was none."""
        now, battlemap = self._target(), self._document.battlemap
        layers = [] if now is None else self._earlier(now)
        if now is None or not layers:
            return None
        below = battlemap.layers[: battlemap.index_of(now.id)]
        return EarlierCells(layers[0].name, _values(battlemap, [*below, layers[0]], cells))

    def lock_as_before(self, cells: NDArray[np.intp], before: EarlierCells) -> Edit | None:
        """The edit that gives cells the values of the roll before and locks them."""
        layer = self._target()
        if layer is None:
            return None
        return _lock_as(self._document.battlemap, layer.id, cells, before.values)


def _resized(battlemap: BattleMap, layer: Layer) -> bool:
    """Whether the map has another size than when the layer was on it."""
    shape = battlemap.locked_cells.shape
    cells = [spec.name for spec in battlemap.system.shown_planes if spec.place is Place.CELL]
    return any(layer.planes[name].shape != shape for name in cells if name in layer.planes)


def _values(
    battlemap: BattleMap, layers: list[Layer], cells: NDArray[np.intp]
) -> dict[str, NDArray[np.generic]]:
    """What the layers show on cells; the last of them counts also where it is hidden."""
    values: dict[str, NDArray[np.generic]] = {}
    for spec in battlemap.system.shown_planes:
        if spec.place is not Place.CELL:
            continue
        found = np.full(len(cells), spec.default, spec.dtype)
        for layer in layers:
            plane = layer.planes.get(spec.name)
            if plane is not None and (layer.visible or layer is layers[-1]):
                own = plane.reshape(-1)[cells]
                found = np.where(own == spec.unset, found, own)
        values[spec.name] = found
    return values


def _lock_as(
    battlemap: BattleMap,
    layer_id: int,
    cells: NDArray[np.intp],
    values: Mapping[str, NDArray[np.generic] | int],
) -> Edit | None:
    """The edit after which cells (n,) show these values by plane and are locked.

    ``layer_id`` is the active layer for that.
    """
    edits = [paint(battlemap, layer_id, plane, cells, values[plane]) for plane in values]
    return compound([*edits, set_locks(battlemap, cells, True)])
