"""Small maps of a toy system, for the tests of layers."""

from __future__ import annotations

from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll, roll_name
from tests.randomizer.map_strategies import TOY

GRID = Grid(SQUARE, 3, 2)
UNSET = TOY.plane("terrain").unset


def ground(layer_id: int, *values: int, **fields: object) -> Layer:
    """A layer with terrains of the first cells; -1: not set there."""
    plane = TOY.plane("terrain").allocate(GRID)
    plane.flat[: len(values)] = [UNSET if value < 0 else value for value in values]
    return Layer(layer_id, f"Layer {layer_id}", planes={"terrain": plane}).copy(**fields)


def rolled(layer_id: int, *values: int, number: int = 0, **fields: object) -> Layer:
    """The same, rolled and named as a roll is."""
    roll = Roll("", "Moor.rnd", "AREA", {}, 7, number)
    layer = ground(layer_id, *values, roll=roll, **fields)
    return layer if "name" in fields else layer.copy(name=roll_name(layer))


def toy_map(*stack: Layer) -> BattleMap:
    return BattleMap.new(TOY, GRID, stack)


def done(battlemap: BattleMap, edit: Edit | None) -> Edit:
    assert edit is not None
    edit.apply(battlemap)
    return edit


def paint(battlemap: BattleMap, layer_id: int, cell: int, value: int) -> None:
    done(battlemap, set_values(battlemap, layer_id, "terrain", [cell], value))


def stack(battlemap: BattleMap) -> list[int]:
    return [layer.id for layer in battlemap.layers]


def shown(battlemap: BattleMap) -> list[int]:
    found: list[int] = battlemap.values("terrain").ravel().tolist()
    return found


def terrain(layer: Layer) -> list[int]:
    """The terrains of a layer, -1 where it sets none."""
    return [-1 if value == UNSET else value for value in layer.planes["terrain"].ravel().tolist()]
