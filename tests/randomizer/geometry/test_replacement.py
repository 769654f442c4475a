"""Find and replace: what is shown changes by the table, nothing else does, Undo brings it back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.replacement import replace_in_map
from randomizer.geometry.replacement_names import Replacement, Subject, split_at_equals
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_property, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import SYSTEM
from tests.randomizer.map_strategies import TOY, battlemaps, contents

NAMES = [terrain.name for terrain in TOY.terrain_set.terrains]
KNOWN = TerrainSet(
    "Test",
    (Terrain("Sea", "#3060a0"), Terrain("Wood", "#206020"), Terrain("Fen", "#608060")),
    (Hexside("Wall", "w", "#404040"), Hexside("Hedge", "h", "#204020")),
    (0, 1, 2),
    (Way("Road", "road", "#f0e0c0"), Way("Track", "track", "#806040")),
)


def free(*layers: Layer, width: int = 4, height: int = 3) -> BattleMap:
    return BattleMap.new(SYSTEM, Grid(SQUARE, width, height), layers, KNOWN)


def terrain(old: str, new: str) -> Replacement:
    return Replacement(Subject.TERRAIN, old, new)


def shown(battlemap: BattleMap) -> list[int]:
    values = battlemap.composite().plane(battlemap.system.terrain)
    assert values is not None
    return values.reshape(-1)[battlemap.grid.cells].tolist()


def is_set(battlemap: BattleMap) -> list[bool]:
    """Whether a visible layer sets the terrain of each cell."""
    spec = battlemap.system.terrain
    assert spec is not None
    result = np.zeros(battlemap.grid.size, np.bool_)
    for layer in battlemap.layers:
        if layer.visible and spec.name in layer.planes:
            result |= layer.planes[spec.name].reshape(-1) != spec.unset
    return result[battlemap.grid.cells].tolist()


def carry_out(battlemap: BattleMap, *replacements: Replacement, **options: object) -> int:
    result = replace_in_map(battlemap, replacements, **options)  # type: ignore[arg-type]
    if result.edit is not None:
        result.edit.apply(battlemap)
    return result.count


@given(battlemaps(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_two_terrains_are_exchanged_and_undo_brings_them_back(
    battlemap: BattleMap, one: str, other: str
) -> None:
    for layer in battlemap.layers:
        layer.locked = False
    if not battlemap.layers:
        return
    before = contents(battlemap)
    seen = shown(battlemap)
    a, b = (battlemap.terrain_set.terrain_code(name) for name in (one, other))
    swap = [terrain(one, other), terrain(other, one)] if a != b else [terrain(one, other)]
    result = replace_in_map(battlemap, swap)
    assert contents(battlemap) == before
    if result.edit is None:
        assert shown(battlemap) == seen
        return
    result.edit.apply(battlemap)
    expected = [{a: b, b: a}.get(code, code) for code in seen]
    # What no visible layer sets is not painted: a hidden one may be all that was replaced.
    sets = is_set(battlemap)
    assert shown(battlemap) == [
        new if painted else old for new, old, painted in zip(expected, seen, sets, strict=True)
    ]
    result.edit.inverse().apply(battlemap)
    assert contents(battlemap) == before


def test_locked_layers_stay_and_are_named_hidden_ones_change() -> None:
    battlemap = free(
        Layer(1, "Hidden", False), Layer(2, "Held", locked=True), Layer(3, "Held too", locked=True)
    )
    for layer_id in (1, 2):
        edit = set_values(battlemap, layer_id, "terrain", [0, 1], 1)
        assert edit is not None
        edit.apply(battlemap)
    result = replace_in_map(battlemap, [terrain("Wood", "Fen")])
    assert (result.count, result.locked) == (2, ("Held",))
    assert result.edit is not None
    result.edit.apply(battlemap)
    assert battlemap.layer(1).planes["terrain"].flat[1] == 2
    assert battlemap.layer(2).planes["terrain"].flat[1] == 1


def test_rolled_values_become_touched() -> None:
    planes = {"terrain": np.full((3, 4), 1, "u2")}
    battlemap = free(Layer(1, "Roll", planes=planes, roll=Roll("", "a.rnd", "", {}, 1, 0)))
    assert carry_out(battlemap, terrain("Wood", "Fen"), cells=np.array([2, 3])) == 2
    assert np.flatnonzero(battlemap.layer(1).planes[f"{TOUCHED}terrain"]).tolist() == [2, 3]


def test_the_bare_ground_is_what_it_shows() -> None:
    battlemap = free(Layer(1, "Ground"))
    assert carry_out(battlemap, terrain("Sea", "Fen")) == 12
    assert shown(battlemap) == [2] * 12


def test_hexsides_and_elevations() -> None:
    battlemap = free(Layer(1, "Ground"))
    for plane, values in (("hexside", [1, 1, 2]), ("elevation", [1, 2, 0])):
        edit = set_values(battlemap, 1, plane, range(3), values)
        assert edit is not None
        edit.apply(battlemap)
    wall = Replacement(Subject.HEXSIDE, "Wall", "")
    heights = [Replacement(Subject.ELEVATION, "1", "2"), Replacement(Subject.ELEVATION, "2", "-1")]
    assert carry_out(battlemap, wall, *heights) == 4
    planes = battlemap.composite().planes
    assert planes["hexside"].flat[:3].tolist() == [0, 0, 2]
    assert planes["elevation"].flat[:3].tolist() == [2, -1, 0]


def test_a_new_name_is_added_as_a_copy_of_the_old_one() -> None:
    battlemap = free(Layer(1, "Ground"))
    with pytest.raises(ProblemError, match="no terrain “Pine”"):
        carry_out(battlemap, terrain("Wood", "Pine"))
    carry_out(battlemap, terrain("Sea", "Pine"), add=True)
    assert battlemap.terrain_set.terrains[3] == replace(
        KNOWN.terrains[0], name="Pine", picture="Sea"
    )
    assert shown(battlemap) == [3] * 12


@given(st.data(), st.sets(st.integers(0, 11)))
def test_links_of_ways_go_with_both_their_ends(data: st.DataObject, cells: set[int]) -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(FLAT, 4, 3), [Layer(1, "Ground")], KNOWN)
    grid = battlemap.grid
    links = {plane: np.zeros(grid.size, np.int64) for plane in ("way1", "way2")}
    for plane, bits in links.items():
        for cell, side in data.draw(st.sets(st.tuples(st.integers(0, 11), st.integers(0, 5)))):
            bits[cell] |= 1 << side
            other = grid.neighbour(cell, side)
            if other >= 0:
                bits[other] |= 1 << grid.opposite(side)
        where = np.flatnonzero(bits)
        edit = set_values(battlemap, 1, plane, where, bits[where] | PRESENT)
        if edit is not None:
            edit.apply(battlemap)
    road = Replacement(Subject.WAY, "Road", "Track")
    carry_out(battlemap, road, cells=np.array(sorted(cells), np.intp))
    after = {name: battlemap.composite().planes[name].reshape(-1) & SIDES for name in links}
    for bits in after.values():
        for cell in range(grid.size):
            for side in range(grid.degree):
                other = grid.neighbour(cell, side)
                if other >= 0:
                    back = bits[other] >> grid.opposite(side) & 1
                    assert bits[cell] >> side & 1 == back
    both = after["way1"] | after["way2"]
    assert (both == (links["way1"] | links["way2"])).all()
    inside = {
        cell
        for cell in cells
        if all(other in {*cells, -1} for other in grid.neighbour_table[cell].tolist())
    }
    assert not after["way1"][sorted(inside)].any()


def test_where_no_river_is_left_nothing_flows() -> None:
    ways = (*KNOWN.ways, Way("River", "water", "#70a8d8"))
    battlemap = free(Layer(1, "Ground"))
    battlemap.terrain_set = replace(KNOWN, ways=ways)
    for plane, values in (
        ("way3", [PRESENT | 2, PRESENT | 8]),
        ("flow", [PRESENT | 2, PRESENT]),
        ("flow_width", [4, 5]),
    ):
        edit = set_values(battlemap, 1, plane, [0, 1], values)
        assert edit is not None
        edit.apply(battlemap)
    carry_out(battlemap, Replacement(Subject.WAY, "River", "Road"))
    planes = battlemap.layer(1).planes
    assert planes["way1"].flat[:2].tolist() == [PRESENT | 2, PRESENT | 8]
    for name in ("flow", "flow_width"):
        assert (planes[name] == SYSTEM.plane(name).unset).all()


def test_texts_in_labels_and_titles() -> None:
    battlemap = free(Layer(1, "Ground"))
    note = Thing(2, "note", 1.0, 0.0, state=State({"text": "Old Ham", "secret": True}))
    town = Thing(1, "town", 0.0, 0.0, label="North Ham")
    ThingsEdit(1, (), (town, note)).apply(battlemap)
    edit = set_property(battlemap, 1, "title", "Hamshire")
    assert edit is not None
    edit.apply(battlemap)
    assert carry_out(battlemap, Replacement(Subject.TEXT, "Ham", "Ox")) == 3
    assert battlemap.thing(2).state == State({"text": "Old Ox", "secret": True})
    assert battlemap.thing(1).label == "North Ox"
    assert battlemap.layer(1).properties["title"] == "Oxshire"


@pytest.mark.parametrize(
    ("replacement", "message"),
    [
        (terrain("Wod", "Fen"), "no terrain “Wod”; did you mean “Wood”"),
        (Replacement(Subject.HEXSIDE, "Ditch", ""), "no hexside “Ditch”"),
        (Replacement(Subject.WAY, "Road", "Canal"), "no way “Canal”"),
        (Replacement(Subject.ELEVATION, "1", "40000"), "from -32767 to 32767"),
        (Replacement(Subject.ELEVATION, "", "1"), "whole number"),
        (Replacement(Subject.ELEVATION, "9" * 5000, "1"), "whole number"),
        (Replacement(Subject.TEXT, "a", "b\0c"), "the new text"),
    ],
)
def test_faults_are_named(replacement: Replacement, message: str) -> None:
    battlemap = free(Layer(1, "Ground"))
    with pytest.raises(ProblemError, match=message):
        replace_in_map(battlemap, [replacement])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a=b", ("a", "b")),
        (r"a\=b=c", ("a=b", "c")),
        ("a=b=c", ("a", "b=c")),
        (r"a\\=b", ("a\\", "b")),
        (r"\x=b\=c", (r"\x", "b=c")),
        ("a=", ("a", "")),
    ],
)
def test_names_are_split_at_the_first_unescaped_equals_sign(
    text: str, parts: tuple[str, str]
) -> None:
    assert split_at_equals(text) == parts


@pytest.mark.parametrize("text", ["", "=b", "ab", r"a\=b"])
def test_a_text_without_two_parts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="OLD=NEW"):
        split_at_equals(text)


def text(old: str, new: str) -> Replacement:
    return Replacement(Subject.TEXT, old, new)


def labels(battlemap: BattleMap) -> list[str]:
    return [thing.label for layer in battlemap.layers for thing in layer.things.values()]


def test_two_texts_are_exchanged() -> None:
    signs = [Thing(1, "sign", 0, 0, label="Ham"), Thing(2, "sign", 1, 0, label="Wick")]
    battlemap = free(Layer(1, "Ground", things=Things(signs)))
    carry_out(battlemap, text("Ham", "Wick"), text("Wick", "Ham"))
    assert labels(battlemap) == ["Wick", "Ham"]


def test_a_faulty_text_of_a_file_does_not_keep_others_from_being_replaced() -> None:
    signs = [Thing(1, "sign", 0, 0, label="\0"), Thing(2, "sign", 1, 0, label="Wick")]
    locked = Layer(2, "Locked", locked=True, things=Things([Thing(3, "sign", 0, 0, label="Wick")]))
    battlemap = free(Layer(1, "Ground", things=Things(signs)), locked)
    carry_out(battlemap, text("Wick", "Ham"))
    assert labels(battlemap) == ["\0", "Ham", "Wick"]
