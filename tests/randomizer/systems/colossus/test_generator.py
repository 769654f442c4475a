"""Scripts as generators: a layer holds exactly what the script put there, on whatever was below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.generator_run import run
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.settings.metadata import Metadata
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.generator import RndGenerator, from_text, packaged
from randomizer.systems.colossus.rolling.compiled_scripts import SCRIPTS_KEPT, compiled_script
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.roller import HexBase, roll
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script_host import HOST
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.script_strategies import bases, scripts

CELLS = np.array(CELL_OF_HEX)
BOG, VOLCANO, SAND = (COLOSSUS.terrain_code(name) for name in ("Bog", "Volcano", "Sand"))

PEAK = """\
AREA C3 D3 D4 HAZARDS Volcano,2
# a comment
AREA (anywhere) HAZARDS Bog,50. Bog,50.

PAIR (Volcano,*)(Plains,*) HEXSIDES c,50. s,50.
"""


def cell(label: str) -> int:
    return CELL_OF_HEX[HEX_OF_LABEL[label]]


def made_from(
    script: str,
    number: int = 0,
    base: Base | None = None,
    metadata: Metadata | None = None,
    **chosen: object,
) -> Generated:
    generator = from_text(script, "Peak.rnd")
    if metadata is not None:
        generator = RndGenerator("Peak", metadata, script)
    made = run(generator, chosen, DrawKey(7, number), base or onto())
    assert made is not None
    return made


def onto(*layers: Layer) -> Base:
    return Base.under(BattleMap.new(SYSTEM, layers=layers), len(layers))


def hexes(layer: Layer, plane: str) -> list[int]:
    """The values of a layer's cells by hex id."""
    found: list[int] = layer.planes[plane].ravel()[CELLS].tolist()
    return found


def layer_of(base: HexBase) -> Layer:
    planes = {spec.name: spec.allocate(SYSTEM.new_grid()) for spec in SYSTEM.shown_planes}
    planes["terrain"].flat[CELLS] = base.terrain
    planes["elevation"].flat[CELLS] = base.elevation
    planes["hexside"].reshape(-1, 6)[CELLS] = base.hexside
    return Layer(1, "Below", planes=planes)


# --- what a roll is -------------------------------------------------------------------------------


@settings(max_examples=30)
@given(scripts, bases, st.integers(0, 2**32 - 1), st.integers(0, 1000))
def test_a_roll_shows_what_the_roller_makes_and_sets_nothing_else(
    script: str, below: HexBase, seed: int, number: int
) -> None:
    battlemap = BattleMap.new(SYSTEM, layers=[layer_of(below)])
    program = compile_script(parse(script).script)
    wanted = roll(program, KeyedDraws(program, seed, number), below)
    made = run(from_text(script, "Any.rnd"), {}, DrawKey(seed, number), Base.under(battlemap, 1))
    assert made is not None
    assert (made.number, made.kept_locks.tried) == (number, 1)
    (layer,) = made.layers
    put_layers(battlemap, 1, [layer], replaces=False).edit.apply(battlemap)
    planes = battlemap.composite().planes
    assert planes["terrain"].ravel()[CELLS].tolist() == wanted.terrain
    assert planes["elevation"].ravel()[CELLS].tolist() == wanted.elevation
    assert planes["hexside"].reshape(-1, 6)[CELLS].tolist() == wanted.hexside
    assert layer.properties.get("startlist") == wanted.startlist
    for plane in ("terrain", "elevation"):
        is_set = layer.planes[plane] != SYSTEM.plane(plane).unset
        assert sorted(np.flatnonzero(is_set)) == sorted(CELLS[wanted.placed_hexes])
    is_set = layer.planes["hexside"] != SYSTEM.plane("hexside").unset
    hit = [CELL_OF_HEX[number] * 6 + side for number, side in wanted.hit_sides]
    assert sorted(np.flatnonzero(is_set)) == sorted(hit)
    assert hexes(layer, "origin") == wanted.origin
    assert layer.planes["side_origin"].reshape(-1, 6)[CELLS].tolist() == wanted.side_origin


def test_every_place_knows_the_line_that_put_it_there() -> None:
    made = made_from(PEAK)
    (layer,) = made.layers
    assert layer.roll is not None
    assert layer.roll.origins[0].startswith("line 1, AREA")
    assert layer.roll.origins[1] == "line 3, AREA (anywhere)"
    assert layer.roll.origins[2].startswith("line 5, PAIR")
    for value, origin in zip(hexes(layer, "terrain"), hexes(layer, "origin"), strict=True):
        assert (value, origin) in {(VOLCANO, 0), (BOG, 1), (0xFFFF, -1)}
    hit = layer.planes["side_origin"][layer.planes["hexside"] != 0xFF]
    assert set(hit.tolist()) == {2}


def test_a_layer_remembers_its_roll_and_is_called_after_it() -> None:
    (layer,) = made_from(PEAK, 17, BaseHeight=1).layers
    assert layer.roll is not None
    assert (layer.name, layer.roll.script_name) == ("Peak, seed 7 no. 17", "Peak.rnd")
    assert (layer.roll.seed, layer.roll.number, layer.roll.script) == (7, 17, PEAK)
    assert (layer.roll.generator, layer.roll.settings) == ("", {"BaseHeight": 1})


# --- titles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "title", "subtitle", "found"),
    [
        ("", None, None, ("Randomized!", "Randomized!")),
        ("", "", "", ("", "")),
        ("", "Moor", None, ("Moor", "Randomized!")),
        ("TITLE Peak\n", "Moor", "Fog", ("Peak", "Fog")),
        ('SUBTITLE "Low land"\n', "Moor", "Fog", ("Moor", "Low land")),
        ("TITLE Peak\n", None, None, ("Peak", "Randomized!")),
    ],
)
def test_a_title_is_the_scripts_else_the_maps_else_the_games(
    script: str, title: str | None, subtitle: str | None, found: tuple[str, str]
) -> None:
    titles = {"title": title, "subtitle": subtitle}
    layer = Layer(1, "Below", properties=titles, from_file=True)
    battlemap = BattleMap.new(SYSTEM, layers=[layer])
    made = run(from_text(script, "Peak.rnd"), {}, DrawKey(7, 0), Base.under(battlemap, 1))
    assert made is not None
    put_layers(battlemap, 1, [made.layers[0]], replaces=False).edit.apply(battlemap)
    shown = battlemap.composite()
    assert (shown.properties.get("title"), shown.properties.get("subtitle")) == found


def test_a_title_that_was_set_by_hand_stays_when_a_script_has_another_one() -> None:
    by_hand = Layer(1, "By hand", properties={"title": "Moor"})
    battlemap = BattleMap.new(SYSTEM, layers=[by_hand])
    script = from_text("TITLE Peak\nSUBTITLE Snow\n", "Peak.rnd")
    made = run(script, {}, DrawKey(7, 0), Base.under(battlemap, 1))
    assert made is not None
    put_layers(battlemap, 1, [made.layers[0]], replaces=False).edit.apply(battlemap)
    shown = battlemap.composite().properties
    assert (shown["title"], shown["subtitle"]) == ("Moor", "Snow")


def test_a_title_that_is_not_the_scripts_is_not_set_over_the_maps() -> None:
    (layer,) = made_from(
        "TOWER\nSTARTLIST D4 D4\n", base=onto(Layer(1, "B", properties={"title": "Moor"}))
    ).layers
    assert (layer.properties.get("title"), layer.properties.get("subtitle")) == (
        None,
        "Randomized!",
    )
    assert (layer.properties.get("tower"), layer.properties.get("startlist")) == (
        True,
        ("D4", "D4"),
    )
    (layer,) = made_from("").layers
    assert (layer.properties.get("tower"), layer.properties.get("startlist")) == (None, None)
    (layer,) = made_from("STARTLIST\n").layers
    assert layer.properties.get("startlist") == ()


# --- the ground -----------------------------------------------------------------------------------

METADATA = Metadata("Peak", "Peak.rnd", "", base_terrain=("Sand", "Bog"), base_height=1)


@pytest.mark.parametrize(
    ("metadata", "chosen", "terrain", "elevation"),
    [
        (None, {}, 0xFFFF, -0x8000),
        (None, {"BaseTerrain": "Bog"}, BOG, -0x8000),
        (None, {"BaseHeight": "2"}, 0xFFFF, 2),
        (METADATA, {}, SAND, 1),
        (METADATA, {"BaseTerrain": "Bog", "BaseHeight": 0}, BOG, 0),
    ],
)
def test_the_ground_is_what_settings_or_else_the_metadata_say(
    metadata: Metadata | None, chosen: dict[str, object], terrain: int, elevation: int
) -> None:
    below = layer_of(HexBase((VOLCANO,) * 27, (3,) * 27))
    made = made_from("AREA D4 HAZARDS Tower\n", 0, onto(below), metadata, **chosen)
    (layer,) = made.layers
    d4 = HEX_OF_LABEL["D4"]
    others = [number for number in range(27) if number != d4]
    assert {hexes(layer, "terrain")[number] for number in others} == {terrain}
    assert {hexes(layer, "elevation")[number] for number in others} == {elevation}
    assert hexes(layer, "terrain")[d4] == COLOSSUS.terrain_code("Tower")
    assert hexes(layer, "elevation")[d4] == 0
    assert hexes(layer, "origin")[d4] == 0
    assert {hexes(layer, "origin")[number] for number in others} == {-1}


def test_pairs_look_at_the_ground() -> None:
    script = "PAIR (Sand,1)(Sand,1) HEXSIDES d\n"
    (layer,) = made_from(script, 0, None, METADATA).layers
    assert (layer.planes["hexside"] == 1).sum() == sum(
        SYSTEM.new_grid().neighbour(cell, side) >= 0 for cell in CELL_OF_HEX for side in range(6)
    )
    (layer,) = made_from(script).layers
    assert (layer.planes["hexside"] == 0xFF).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"base_terrain": ("medit_sand_wet",)}, "BaseTerrain cannot be medit_sand_wet"),
        ({"base_height": -5}, "BaseHeight cannot be -5"),
    ],
)
def test_a_ground_that_the_game_does_not_have_is_a_problem(
    change: dict[str, object], said: str
) -> None:
    with pytest.raises(ProblemError, match=said):
        made_from(PEAK, 0, None, replace(METADATA, **change))


def test_a_script_that_cannot_be_rolled_names_all_its_mistakes_as_its_check_does() -> None:
    text = "AREA (inside) HAZARDS Trees\nPAIR (Tree,1)(Plains,0) HEXSIDES Slope,100.\n"
    with pytest.raises(ProblemError) as raised:
        made_from(text, 0)
    errors = [each for each in HOST.check(SourceText(text)) if each.severity is Severity.ERROR]
    assert sorted(problem.line for problem in raised.value.problems) == [1, 2]
    assert {each.message for each in raised.value.problems} == {error.message for error in errors}


# --- locks ----------------------------------------------------------------------------------------


def rolled_map() -> BattleMap:
    """A map with map 3 of PEAK as its layer 1."""
    (layer,) = made_from(PEAK, 3).layers
    return BattleMap.new(SYSTEM, layers=[layer.copy(id=1)])


def test_a_locked_roll_is_the_first_ordinary_roll_that_keeps_the_locks() -> None:
    battlemap = rolled_map()
    shown = battlemap.values("terrain").ravel()
    locked = [cell for cell in CELL_OF_HEX if shown[cell]]
    battlemap.locked_cells.flat[locked] = True
    made = made_from(PEAK, 4, Base.under(battlemap, 0, 0))
    assert made.number > 4
    assert made.kept_locks.tried >= made.kept_locks.matching * 10
    (layer,) = made.layers
    assert layer.roll is not None
    assert layer.roll.number == made.number

    def keeps(number: int) -> bool:
        found = BattleMap.new(SYSTEM, layers=made_from(PEAK, number).layers)
        return bool((found.values("terrain").flat[locked] == shown[locked]).all())

    assert [number for number in range(4, made.number + 1) if keeps(number)] == [made.number]
    assert hexes(layer, "terrain") == hexes(made_from(PEAK, made.number).layers[0], "terrain")
    put_layers(battlemap, 1, [layer], replaces=True).edit.apply(battlemap)
    assert (battlemap.values("terrain").flat[locked] == shown[locked]).all()


def test_a_locked_hexside_is_kept_none_included() -> None:
    battlemap = rolled_map()
    sides = battlemap.values("hexside")
    ((y, x, hit), *_) = np.argwhere(sides).tolist()
    none = next(side for side in range(6) if not sides[y, x, side])
    battlemap.locked_sides = np.zeros((6, 6, 6), np.bool_)
    battlemap.locked_sides[y, x, [hit, none]] = True
    battlemap.locked_cells[y, x] = True
    made = made_from(PEAK, 4, Base.under(battlemap, 0, 0))
    put_layers(battlemap, 1, [made.layers[0]], replaces=True).edit.apply(battlemap)
    now = battlemap.values("hexside")[y, x]
    assert (now[hit], now[none]) == (sides[y, x, hit], 0)


def test_locks_that_no_roll_can_keep_are_said() -> None:
    battlemap = BattleMap.new(SYSTEM, layers=[layer_of(HexBase((SAND,) * 27))])
    battlemap.locked_cells.flat[cell("D4")] = True
    base = replace(Base.under(battlemap, 1), composite=onto().composite)
    with pytest.raises(ProblemError, match="never makes D4 Sand, elevation 0"):
        made_from(PEAK, 0, base)


def test_a_long_search_tells_its_progress_and_can_be_cancelled() -> None:
    script = "AREA (anywhere) HAZARDS Bog,50. Sand,50. Lake,50. Tree,50.\n"
    (layer,) = made_from(script, 3).layers
    battlemap = BattleMap.new(SYSTEM, layers=[layer])
    battlemap.locked_cells.flat[CELLS] = True
    heard: list[int] = []
    base = Base.under(battlemap, 0, 0)
    generator = from_text(script, "Long.rnd")
    stop = run(generator, {}, DrawKey(7, 4), base, heard.append, lambda: len(heard) > 2)
    assert stop is None
    assert len(heard) == 3
    assert heard == sorted(heard)
    assert set(heard) <= set(range(1, 100))


def test_progress_ends_at_a_hundred() -> None:
    heard: list[int] = []
    run(from_text(PEAK, "Peak.rnd"), {}, DrawKey(7, 0), onto(), heard.append)
    assert heard == [1, 100]


# --- scripts that cannot be rolled ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "line", "column"),
    [
        ("TOWER\nAREA D9 HAZARDS Bog\n", 2, 6),
        ("PAIR (Bog,*)(Bog,*) HEXSIDES q\n", 1, 30),
        ("AREA D4 C3 HAZARDS Bog Fog\n", 1, 24),
    ],
)
def test_a_script_that_cannot_be_rolled_says_where(script: str, line: int, column: int) -> None:
    with pytest.raises(ProblemError) as caught:
        made_from(script)
    problem = caught.value.problems[0]
    assert (problem.path, problem.line, problem.column) == ("Peak.rnd", line, column)


def test_an_unknown_hazard_that_finds_no_hex_stops_nothing() -> None:
    (layer,) = made_from("AREA D4 HAZARDS Bog Fog\n").layers
    assert hexes(layer, "terrain")[HEX_OF_LABEL["D4"]] == BOG


def test_problems_are_said_of_the_path() -> None:
    generator = from_text("AREA D9\n", "Peak.rnd", "/moor/Peak.rnd")
    with pytest.raises(ProblemError) as caught:
        run(generator, {}, DrawKey(7, 0), onto())
    assert {problem.path for problem in caught.value.problems} == {"/moor/Peak.rnd"}


# --- the catalogue's scripts ----------------------------------------------------------------------


def test_our_scripts_come_in_order_and_each_rolls() -> None:
    found = packaged()
    names = [generator.name for generator in found]
    assert names == sorted(names)
    assert "Mountains" in names
    for generator in found:
        made = run(generator, {}, DrawKey(1, 0), onto())
        assert made is not None
        assert made.layers[0].roll is not None
        assert made.layers[0].roll.generator == generator.name
        assert made.layers[0].name == f"{generator.name}, seed 1 no. 0"


def test_a_script_of_ones_own_is_called_after_its_file() -> None:
    generator = from_text(PEAK, "My.peak.rnd")
    assert (generator.name, generator.metadata.name) == ("", "My.peak")
    assert (generator.metadata.script, generator.path) == ("My.peak.rnd", "My.peak.rnd")


def test_a_host_says_what_editors_ask() -> None:
    assert HOST.decode(b"TOWER\n")[0] == "TOWER\n"
    assert HOST.language.check(SourceText("TOWER\n")) == ()
    assert HOST.language.help_at(SourceText("AREA D4\n"), 1, 1)
    assert {cell("D4")} in [
        named.cells for named in HOST.language.named_cells(SourceText("STARTLIST D4\n"))
    ]


def test_only_the_last_scripts_are_kept_ready() -> None:
    for number in range(SCRIPTS_KEPT + 4):
        made_from(f"TITLE peak{number}\n")
    assert compiled_script.content()[0] == SCRIPTS_KEPT
