"""Rolls that bring records, a terrain set or a grid: of the source, and of other layers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import Edit
from randomizer.model.edits.record_edits import change_record
from randomizer.model.edits.terrain_codes import called_as_in
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import fits_grid, new_map, put_roll
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.storage.records.encoding import decode_edit, decode_map, encode_edit, encode_map
from tests.randomizer.map_strategies import TOY, battlemaps, contents, terrain_sets

GRID = Grid(SQUARE, 3, 2)
LAND = TerrainSet("Land", (Terrain("Heath", "#887788"), Terrain("Rock", "#808080")))
SEA = TerrainSet("Sea", (Terrain("Deep", "#000088"), Terrain("Reef", "#8080ff")))
MIRE = Terrain("Mire", "#445533", letters="m")
HEATH_ROCK_MIRE = (
    Terrain("Heath", "#887788", letters="h"),
    Terrain("Rock", "#808080", letters="r"),
    MIRE,
)
ONE = {"period": MapRecord("one")}


pytestmark = pytest.mark.usefixtures("toys_are_known")


def rolled(code: int, grid: Grid = GRID, number: int = 0) -> Layer:
    """A rolled layer of one terrain."""
    planes = {"terrain": np.full((grid.height, grid.width), code, "u2")}
    return Layer(0, "Rolled", planes=planes, roll=Roll("", "Toy.rnd", "", {}, 1, number))


def roll(
    layer: Layer,
    records: dict[str, MapRecord] | None = ONE,
    terrain_set: TerrainSet | None = LAND,
    grid: Grid | None = None,
) -> Generated:
    """A roll of one layer that brings these."""
    return Generated((layer,), 0, records=records, terrain_set=terrain_set, grid=grid)


def roll_with_grid(layer: Layer, grid: Grid) -> Generated:
    return roll(layer, None, None, grid)


def toy_map() -> BattleMap:
    """One layer with Rock in a corner."""
    battlemap = BattleMap.new(TOY, GRID, [Layer(1, "Ground")])
    battlemap.layers[0].planes["terrain"] = np.full((2, 3), 0xFFFF, "u2")
    battlemap.layers[0].planes["terrain"][0, 0] = TOY.terrain_set.terrain_code("Rock")
    return battlemap


def done(battlemap: BattleMap, edit: Edit) -> None:
    """Apply an edit after a check that journals hold it and that it can be undone."""
    before = contents(battlemap)
    elsewhere = decode_map(encode_map(battlemap))
    data = encode_edit(edit)
    edit.apply(battlemap)
    after = contents(battlemap)
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    decode_edit(data, elsewhere).apply(elsewhere)
    assert contents(elsewhere) == after
    edit.apply(battlemap)
    recorded = encode_edit(edit)
    decode_edit(recorded, elsewhere, done=True).inverse().apply(elsewhere)
    assert contents(elsewhere) == before


def names_shown(battlemap: BattleMap) -> list[str]:
    terrains = battlemap.terrain_set.terrains
    return [terrains[code].name for code in battlemap.composite().planes["terrain"].flat]


def test_the_first_roll_that_brings_anything_is_the_source() -> None:
    battlemap = toy_map()
    step = put_roll(battlemap, 1, roll(rolled(0)), replaces=False)
    done(battlemap, step.edit)
    assert battlemap.source == step.layer_id
    assert battlemap.records == {"period": MapRecord("one")}
    assert battlemap.terrain_set == LAND
    assert battlemap.layers[0].planes["terrain"][0, 0] == LAND.terrain_code("Rock")
    assert names_shown(battlemap) == ["Rock", *["Heath"] * 5]
    assert step.touch_ups == 1


def whole_map_with_a_thing() -> BattleMap:
    """A map as a file holds it: one layer, terrain everywhere, and a thing."""
    whole = rolled(0).copy(id=1, name="From a file", roll=None, things=Things([thing()]))
    return BattleMap.new(TOY, GRID, [whole])


def thing() -> Thing:
    return Thing(1, "units/spearman", 0.5, 0.5)


def test_a_roll_over_a_whole_map_hides_it_with_its_things() -> None:
    battlemap = whole_map_with_a_thing()
    fresh = rolled(1).copy(things=Things([thing()]))
    step = put_roll(battlemap, 1, roll(fresh), replaces=False)
    done(battlemap, step.edit)
    assert [layer.visible for layer in battlemap.layers] == [False, True]
    assert len(list(battlemap.visible_things())) == 1
    assert "From a file is hidden" in step.note
    step.edit.inverse().apply(battlemap)
    assert [layer.visible for layer in battlemap.layers] == [True]


def test_what_is_not_covered_or_locked_or_placed_by_hand_stays_beside_a_roll() -> None:
    by_hand, half, locked, held = (whole_map_with_a_thing() for _ in range(4))
    by_hand.layers[0].planes.clear()
    locked.layers[0].locked = True
    held.locked_cells[0, 0] = True
    part = rolled(1)
    part.planes["terrain"][0, 0] = 0xFFFF
    for battlemap, fresh in ((by_hand, rolled(1)), (half, part), (locked, rolled(1))):
        step = put_roll(battlemap, 1, roll(fresh), replaces=False)
        done(battlemap, step.edit)
        assert [layer.visible for layer in battlemap.layers] == [True, True]
        assert not step.note
    step = put_roll(held, 1, roll(rolled(1)), replaces=False)
    done(held, step.edit)
    assert [layer.visible for layer in held.layers] == [True, True]


def test_the_source_replaces_them_and_keeps_what_a_hand_changed() -> None:
    battlemap = toy_map()
    both = {"period": MapRecord("one"), "players": MapRecord("[2]", is_json=True)}
    first = put_roll(battlemap, 1, roll(rolled(0), both), replaces=False)
    done(battlemap, first.edit)
    edit = change_record(battlemap, "period", "mine")
    assert edit is not None
    done(battlemap, edit)
    again = {"period": MapRecord("two"), "sides": MapRecord("A")}
    fresh = roll(rolled(1, number=1), again, SEA)
    step = put_roll(battlemap, first.layer_id, fresh, replaces=True)
    done(battlemap, step.edit)
    assert battlemap.records == {
        "period": MapRecord("mine", touched=True),
        "sides": MapRecord("A"),
    }
    assert "period" in step.note
    # Heath was painted by the replaced roll alone; Rock is in the layer below.
    assert [terrain.name for terrain in battlemap.terrain_set.terrains] == ["Deep", "Reef", "Rock"]
    assert names_shown(battlemap) == ["Rock", *["Reef"] * 5]
    assert battlemap.source == first.layer_id


def test_a_terrain_that_a_period_renames_stays_painted() -> None:
    three = HEATH_ROCK_MIRE
    called = (three[0], Terrain("Stone", "#707070", letters="r"), three[2])
    battlemap = toy_map()
    first = roll(rolled(0), ONE, TerrainSet("Land", three))
    step = put_roll(battlemap, 1, first, replaces=False)
    done(battlemap, step.edit)
    again = roll(rolled(0), {"period": MapRecord("two")}, TerrainSet("Land", called))
    done(battlemap, put_roll(battlemap, step.layer_id, again, replaces=True).edit)
    assert battlemap.terrain_set == again.terrain_set, "nothing is missing"
    assert battlemap.layers[0].planes["terrain"][0, 0] == 1


@pytest.mark.parametrize(
    "after",
    [
        (Terrain("Stone", "#1", letters="x"), Terrain("Heath", "#2", letters="h"), MIRE),
        (Terrain("Heath", "#2", letters="h"), Terrain("Stone", "#1", letters="x"), MIRE),
        (Terrain("Heath", "#2", letters="h"), Terrain("Stone", "#1"), MIRE),
        (Terrain("Fell", "#2", letters="h"), Terrain("Stone", "#1", letters="r"), MIRE),
        (Terrain("Heath", "#2", letters="h"), Terrain("Stone", "#1", letters="r")),
    ],
)
def test_another_terrain_is_not_a_renamed_one(after: tuple[Terrain, ...]) -> None:
    before = TerrainSet("Land", HEATH_ROCK_MIRE)
    assert called_as_in(before, TerrainSet("Other", after)) == before


def test_terrains_without_letters_are_told_by_their_names() -> None:
    before = TerrainSet("Land", tuple(Terrain(name, "#1") for name in ("one", "two", "three")))
    after = TerrainSet("Land", tuple(Terrain(name, "#1") for name in ("one", "two", "four")))
    assert called_as_in(before, after) == before


def test_a_record_that_a_roll_brings_as_a_hand_made_it_is_no_news() -> None:
    battlemap = toy_map()
    step = put_roll(battlemap, 1, roll(rolled(0)), replaces=False)
    done(battlemap, step.edit)
    edit = change_record(battlemap, "period", "mine")
    assert edit is not None
    done(battlemap, edit)
    again = roll(rolled(1), {"period": MapRecord("mine")})
    step = put_roll(battlemap, step.layer_id, again, replaces=True)
    done(battlemap, step.edit)
    assert step.note == ""
    assert battlemap.records["period"].touched, "the next roll keeps it too"


def test_the_roll_of_another_layer_is_fitted_to_the_map() -> None:
    battlemap = toy_map()
    first = put_roll(battlemap, 1, roll(rolled(0)), replaces=False)
    done(battlemap, first.edit)
    other = roll(rolled(1), {"period": MapRecord("other")}, SEA)
    step = put_roll(battlemap, first.layer_id, other, replaces=False)
    done(battlemap, step.edit)
    assert battlemap.source == first.layer_id
    assert battlemap.records == {"period": MapRecord("one")}
    assert [terrain.name for terrain in battlemap.terrain_set.terrains] == ["Heath", "Rock", "Reef"]
    assert battlemap.terrain_set.terrains[2].missing
    assert names_shown(battlemap) == ["Rock", *["Reef"] * 5]


def test_another_grid_needs_an_empty_map_without_locks() -> None:
    wide = Grid(SQUARE, 5, 4)
    other = roll_with_grid(rolled(2, wide), wide)
    battlemap = toy_map()
    assert not fits_grid(battlemap, 1, other, replaces=False)
    with pytest.raises(ValueError, match="another grid"):
        put_roll(battlemap, 1, other, replaces=False)
    battlemap.layers[0].planes["terrain"][0, 0] = 0xFFFF
    assert fits_grid(battlemap, 1, other, replaces=False)
    battlemap.locked_cells[1, 1] = True
    assert not fits_grid(battlemap, 1, other, replaces=False)
    battlemap.locked_cells[1, 1] = False
    step = put_roll(battlemap, 1, other, replaces=False)
    done(battlemap, step.edit)
    assert battlemap.grid.same_as(wide)
    assert battlemap.composite().planes["terrain"].shape == (4, 5)
    narrow = Grid(SQUARE, 2, 2)
    other = roll_with_grid(rolled(1, narrow), narrow)
    assert fits_grid(battlemap, step.layer_id, other, replaces=True)
    assert not fits_grid(battlemap, 1, other, replaces=False)
    done(battlemap, put_roll(battlemap, step.layer_id, other, replaces=True).edit)
    assert battlemap.grid.same_as(narrow)


def test_a_removed_source_leaves_its_place_to_the_next_and_its_id_to_nobody() -> None:
    battlemap = toy_map()
    first = put_roll(battlemap, 1, roll(rolled(0)), replaces=False)
    done(battlemap, first.edit)
    del battlemap.layers[1]
    assert battlemap.source_layer is None
    assert battlemap.free_layer_id() > first.layer_id
    step = put_roll(battlemap, 1, roll(rolled(0)), replaces=False)
    done(battlemap, step.edit)
    assert battlemap.source == step.layer_id


def test_a_new_map_of_a_roll_has_what_it_brings() -> None:
    wide = Grid(SQUARE, 5, 4)
    battlemap = new_map(TOY, GRID, TOY.terrain_set, roll(rolled(1, wide), ONE, LAND, wide))
    assert battlemap.source == battlemap.layers[0].id
    assert contents(decode_map(encode_map(battlemap))) == contents(battlemap)
    assert battlemap.grid is wide
    assert names_shown(battlemap) == ["Rock"] * 20
    plain = new_map(TOY, GRID, TOY.terrain_set, Generated((rolled(1),), 0))
    assert (plain.source, plain.terrain_set) == (None, TOY.terrain_set)


@settings(max_examples=30)
@given(battlemaps(), terrain_sets(), st.data())
def test_whatever_is_rolled_onto_whatever_can_be_undone(
    battlemap: BattleMap, known: TerrainSet, data: st.DataObject
) -> None:
    grid = battlemap.grid
    for number in range(2):
        layer = data.draw(st.sampled_from(battlemap.layers))
        replaces = layer.roll is not None and not layer.roll.part
        fresh = rolled(data.draw(st.integers(0, 2)), grid, number)
        given = roll(fresh, {"a": MapRecord(str(number))}, known)
        step = put_roll(battlemap, layer.id, given, replaces=replaces)
        done(battlemap, step.edit)
        assert battlemap.records["a"].text in ("0", "1")


def test_journals_hold_a_roll_with_fewer_terrains_than_the_last() -> None:
    many = TerrainSet("Many", tuple(Terrain(f"Land {n}", f"#0000{n:02x}") for n in range(5)))
    battlemap = new_map(TOY, GRID, many, roll(rolled(4), {}, many))
    one = TerrainSet("One", (Terrain("Sole", "#887788"),))
    step = put_roll(battlemap, 1, roll(rolled(0, number=1), {}, one), replaces=True)
    done(battlemap, step.edit)
    assert set(names_shown(battlemap)) == {"Sole"}
    assert len(battlemap.terrain_set.terrains) == 1
