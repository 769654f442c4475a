"""What rolled layers held before they were rolled again, to take single cells back."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from randomizer.battlemap import BattleMap, Layer, Place
from randomizer.edit import Edit
from randomizer.edit_making import compound, set_locks, set_values

EARLIER_KEPT = 6
"""How many earlier rolls of a layer are remembered."""


class EarlierCell(NamedTuple):
    """What a cell showed in the roll called ``name``, by plane."""

    name: str
    values: dict[str, int]


class EarlierRolls:
    """The last contents of rolled layers, for as long as the map is in front."""

    def __init__(self) -> None:
        self._layers: dict[int, deque[Layer]] = {}

    def remember(self, layer: Layer) -> None:
        """The layer is about to be replaced by another roll."""
        self._layers.setdefault(layer.id, deque(maxlen=EARLIER_KEPT)).appendleft(layer)

    def forget(self) -> None:
        """Another map is in front."""
        self._layers.clear()

    def of_cell(self, battlemap: BattleMap, layer_id: int, cell: int) -> list[EarlierCell]:
        """What the cell showed that it does not show now, each once, the latest first."""
        index = battlemap.index_of(layer_id)
        below, now = battlemap.layers[:index], battlemap.layers[index]
        seen = [_values(battlemap, [*below, now], cell)]
        found = []
        shape = battlemap.locked_cells.shape
        for layer in self._layers.get(layer_id, ()):
            if any(layer.planes[name].shape != shape for name in seen[0].keys() & layer.planes):
                continue  # the map was resized since
            values = _values(battlemap, [*below, layer], cell)
            if values not in seen:
                seen.append(values)
                found.append(EarlierCell(layer.name, values))
        return found


def _values(battlemap: BattleMap, layers: list[Layer], cell: int) -> dict[str, int]:
    """What the layers show on a cell; the last of them counts also where it is hidden."""
    values = {}
    for spec in battlemap.system.shown_planes:
        if spec.place is not Place.CELL:
            continue
        values[spec.name] = spec.default
        for layer in layers:
            plane = layer.planes.get(spec.name)
            if plane is not None and (layer.visible or layer is layers[-1]):
                value = int(plane.flat[cell])
                values[spec.name] = values[spec.name] if value == spec.unset else value
    return values


def lock_as(battlemap: BattleMap, layer_id: int, cell: int, values: dict[str, int]) -> Edit | None:
    """The edit that gives a cell of a rolled layer other values, and locks it."""
    edits = [set_values(battlemap, layer_id, plane, [cell], values[plane]) for plane in values]
    return compound([*edits, set_locks(battlemap, [cell], True)])
