"""What a stack of layers shows: the topmost set value, plane by plane; hidden layers nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Element, PlaneSpec, is_blank, write
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import TOY, battlemaps

GRID = Grid(SQUARE, 3, 2)
UNSET = TOY.plane("terrain").unset


def ground(layer_id: int, *values: int | None, visible: bool = True, **fields: object) -> Layer:
    """A layer with terrains of the first cells; None: not set there."""
    plane = TOY.plane("terrain").allocate(GRID)
    for cell, value in enumerate(values):
        plane.flat[cell] = UNSET if value is None else value
    layer = Layer(layer_id, f"Layer {layer_id}", visible, {"terrain": plane})
    return layer.copy(**fields)


def shown(*layers: Layer, below: int | None = None) -> list[int]:
    battlemap = BattleMap.new(TOY, GRID, layers)
    found: list[int] = battlemap.composite(below).planes["terrain"].ravel().tolist()
    return found


# --- planes ---------------------------------------------------------------------------------------


def test_planes_have_a_value_for_each_place() -> None:
    grid = Grid(FLAT, 4, 3)
    shapes = {element: PlaneSpec("p", "i2", element, -1, 0).shape(grid) for element in Element}
    assert shapes == {Element.CELL: (3, 4), Element.SIDE: (3, 4, 6), Element.CORNER: (4, 5)}
    plane = TOY.plane("elevation").allocate(grid)
    assert plane.dtype == np.int16
    assert (plane == -0x8000).all()


def test_a_system_knows_its_planes_and_their_marks() -> None:
    marks = TOY.plane(TOUCHED + "hexside")
    assert (marks.dtype, marks.element, marks.unset, marks.shown) == ("u1", Element.SIDE, 0, False)
    assert [spec.name for spec in TOY.shown_planes] == ["terrain", "elevation", "hexside", "height"]
    for unknown in ("weather", TOUCHED + "weather"):
        with pytest.raises(KeyError, match="weather"):
            TOY.plane(unknown)


# --- what shows -----------------------------------------------------------------------------------


def test_the_topmost_set_value_shows() -> None:
    assert shown(ground(1, 1, 1, 1), ground(2, None, 2, None, 2)) == [1, 2, 1, 2, 0, 0]
    assert shown(ground(1, 1, 1), ground(2, 0)) == [0, 1, 0, 0, 0, 0]


def test_a_map_without_values_shows_the_defaults() -> None:
    composite = BattleMap.new(TOY, GRID).composite()
    defaults = {spec.name: spec.default for spec in TOY.shown_planes}
    assert {name: np.unique(plane).tolist() for name, plane in composite.planes.items()} == {
        name: [default] for name, default in defaults.items()
    }
    assert composite.properties == {}


def test_hidden_layers_count_nowhere() -> None:
    hidden = ground(
        2, 2, 2, visible=False, properties={"title": "Hidden", "tower": True}, extras={"a": 1}
    )
    battlemap = BattleMap.new(TOY, GRID, [ground(1, 1), hidden])
    assert shown(*battlemap.layers) == [1, 0, 0, 0, 0, 0]
    composite = battlemap.composite()
    assert (composite.properties, composite.extras) == ({}, {})
    assert battlemap.values("terrain").ravel().tolist() == [1, 0, 0, 0, 0, 0]
    assert battlemap.owner("terrain", 1) is None


def test_only_layers_below_a_position_may_be_asked_for() -> None:
    layers = [ground(1, 1), ground(2, 2), ground(3, 3)]
    assert [shown(*layers, below=below)[0] for below in (0, 1, 2, 3)] == [0, 1, 2, 3]


def test_each_property_is_that_of_the_topmost_layer_that_has_it() -> None:
    lower = ground(1, properties={"title": "Moor", "subtitle": "Fog", "tower": True})
    upper = ground(2, properties={"title": "", "tower": False, "startlist": ()})
    composite = BattleMap.new(TOY, GRID, [lower, upper]).composite()
    assert composite.properties == {
        "title": "",
        "subtitle": "Fog",
        "tower": False,
        "startlist": (),
    }


def test_what_files_knew_besides_adds_up() -> None:
    lower = ground(1, extras={"a": 1, "b": 1})
    upper = ground(2, extras={"b": 2})
    assert BattleMap.new(TOY, GRID, [lower, upper]).composite().extras == {"a": 1, "b": 2}


@given(battlemaps())
def test_the_owner_of_a_place_holds_the_value_that_shows(battlemap: BattleMap) -> None:
    composite = battlemap.composite()
    for spec in battlemap.system.shown_planes:
        plane = composite.planes[spec.name]
        assert plane.dtype == np.dtype(spec.dtype)
        assert plane.shape == spec.shape(battlemap.grid)
        assert not (plane == spec.unset).any()
        assert np.array_equal(plane, battlemap.values(spec.name))
        for index in range(0, plane.size, 3):
            owner = battlemap.owner(spec.name, index)
            if owner is None:
                assert plane.flat[index] == spec.default
            else:
                assert owner.visible
                assert plane.flat[index] == owner.planes[spec.name].flat[index]


@given(battlemaps())
def test_what_is_shown_is_not_the_map_itself(battlemap: BattleMap) -> None:
    first = battlemap.composite()
    assert first.same_as(battlemap.composite())
    for name in ("terrain", "hexside"):
        if not is_blank(first.planes[name]):
            first.planes[name][...] = 9
        battlemap.values(name)[...] = 9
        assert not (battlemap.composite().planes[name] == 9).any()


def test_two_maps_look_the_same_or_not() -> None:
    def look(**fields: object) -> object:
        return BattleMap.new(TOY, GRID, [ground(1, 1, **fields)]).composite()

    plain = BattleMap.new(TOY, GRID, [ground(1, 1), ground(2)]).composite()
    assert plain.same_as(look())
    assert plain.same_as(look(extras={"a": 1}))
    for name, value in (("title", "Moor"), ("startlist", ()), ("tower", False)):
        assert not plain.same_as(look(properties={name: value}))
    assert not plain.same_as(BattleMap.new(TOY, GRID, [ground(1, 2)]).composite())
    assert not plain.same_as(BattleMap.new(TOY, Grid(SQUARE, 2, 3)).composite())


# --- maps and layers ------------------------------------------------------------------------------


def test_a_new_map_has_nothing_locked_and_the_grid_of_its_system() -> None:
    battlemap = BattleMap.new(TOY)
    assert (battlemap.grid.width, battlemap.grid.height) == (3, 2)
    assert battlemap.locked_cells.shape == (2, 3)
    assert battlemap.locked_sides.shape == (2, 3, 4)
    assert not battlemap.locked_cells.any()
    assert not battlemap.locked_sides.any()


def test_layers_are_found_by_their_id() -> None:
    battlemap = BattleMap.new(TOY, GRID, [ground(7), ground(3)])
    assert (battlemap.index_of(3), battlemap.layer(7).name) == (1, "Layer 7")
    assert battlemap.free_layer_id() == 8
    assert BattleMap.new(TOY, GRID).free_layer_id() == 1
    with pytest.raises(KeyError):
        battlemap.index_of(4)


def test_a_copied_layer_has_planes_and_properties_of_its_own() -> None:
    layer = ground(1, 1)
    copy = layer.copy(name="Copy")
    copy.planes["terrain"].flat[0] = 2
    copy.properties["tower"] = True
    assert (copy.id, copy.name) == (1, "Copy")
    assert (layer.name, layer.properties, layer.planes["terrain"].flat[0]) == ("Layer 1", {}, 1)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("places", [[], [0, 5, 11], [3, 4, 5], list(range(12))])
def test_values_are_written_where_they_belong(places: list[int], turned: bool) -> None:
    plane = np.zeros((4, 3), "u2").T if turned else np.zeros((3, 4), "u2")
    index = np.array(places, np.intp)
    write(plane, index, index + 1)
    expected = np.zeros(12, "u2")
    expected[index] = index + 1
    assert plane.ravel().tolist() == expected.tolist()


def test_a_map_with_a_title_holds_something():
    battlemap = free_map(FLAT, 4, 3)
    assert battlemap.is_blank()
    battlemap.layers[0].properties["title"] = "The mill"
    assert not battlemap.is_blank()
