"""Our own scripts: in order as files, and every map of them worth playing."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.battleland.record_line import record_line, record_of
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_OF_LABEL, LABELS, NEIGHBOURS
from randomizer.systems.colossus.generator import packaged
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.script.lint import check_script
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.ground_movement import MIDDLE, NEAR_MIDDLE, SIDES, countries

GENERATORS = {generator.name: generator for generator in packaged()}
NAMES = tuple(GENERATORS)
SCRIPTS = files("randomizer.systems.colossus").joinpath("scripts")
GOLDEN = Path(__file__).resolve().parents[3] / "data" / "colossus" / "golden_scripts.json"

MAPS = 300

TERRAINS_OF_COLOSSUS = {
    "Brush", "Desert", "Hills", "Jungle", "Marsh", "Mountains",
    "Plains", "Swamp", "Tower", "Tundra", "Woods",
}  # fmt: skip

# How many hexes of a terrain, of an elevation ("1", "2") and how many hexsides (letters) a map has:
# least and most, and the least and most mean of all maps. What is not named must not occur.
DENSITIES: dict[str, dict[str, tuple[int, int, float, float]]] = {
    "Beach": {
        "Lake": (2, 4, 3.2, 3.6),
        "Sand": (4, 10, 6.6, 7.4),
        "Brambles": (0, 2, 1.2, 1.6),
        "Tree": (0, 2, 0.9, 1.3),
        "1": (0, 1, 0.4, 0.6),
        "d": (1, 24, 8, 10),
        "c": (0, 4, 0.5, 1),
        "s": (0, 5, 1.8, 2.8),
    },
    "Brush": {
        "Brambles": (6, 11, 8.8, 9.6),
        "Tree": (0, 2, 0.6, 1),
        "Stone": (0, 1, 0.2, 0.4),
        "1": (0, 1, 0.4, 0.6),
        "s": (0, 6, 2.4, 3.6),
    },
    "Desert": {
        "Sand": (6, 15, 10.8, 11.8),
        "Spring": (0, 1, 0.2, 0.4),
        "Tree": (0, 1, 0.1, 0.35),
        "1": (0, 2, 0.7, 1.1),
        "d": (4, 32, 15, 18),
        "c": (0, 16, 3, 5),
        "s": (0, 10, 1.5, 3),
    },
    "Hills": {
        "Tree": (1, 4, 2.5, 3),
        "Brambles": (0, 2, 0.9, 1.3),
        "1": (4, 8, 6, 6.8),
        "2": (0, 1, 0.55, 0.75),
        "s": (8, 32, 19, 23),
        "c": (0, 6, 1.5, 2.5),
    },
    "Jungle": {
        "Tree": (3, 4, 3.6, 3.9),
        "Brambles": (11, 14, 12, 13),
        "Stone": (0, 1, 0.25, 0.45),
        "Spring": (0, 1, 0.2, 0.45),
    },
    "Marsh": {
        "Bog": (3, 7, 5, 6),
        "Lake": (0, 1, 0.5, 0.7),
        "Tree": (0, 1, 0.65, 0.85),
        "Brambles": (0, 2, 0.8, 1.2),
        "1": (0, 5, 2, 3),
        "r": (0, 8, 3.2, 4.8),
    },
    "Mountains": {
        "Volcano": (1, 1, 1, 1),
        "Stone": (0, 2, 0.7, 1),
        "1": (5, 12, 9.2, 10.2),
        "2": (3, 4, 3.7, 3.9),  # the volcano counts
        "s": (13, 40, 26, 32),
        "c": (0, 14, 4.5, 6.5),
    },
    "Plains": {
        "Tree": (0, 1, 0.25, 0.45),
        "Brambles": (0, 2, 0.5, 0.85),
        "Stone": (0, 1, 0.1, 0.3),
        "1": (0, 4, 1.7, 2.4),
        "s": (0, 18, 7.5, 10.5),
    },
    "Swamp": {
        "Bog": (3, 7, 5.4, 6),
        "Tree": (1, 3, 2, 2.4),
        "TarPit": (0, 1, 0.15, 0.35),
        "Brambles": (0, 2, 0.8, 1.2),
    },
    "Tower": {
        "Tower": (7, 12, 8.5, 9.3),
        "Tree": (0, 1, 0.65, 0.85),
        "Stone": (0, 1, 0.5, 0.7),
        "Brambles": (2, 4, 2.9, 3.3),
        "1": (6, 10, 7, 7.8),
        "2": (1, 2, 1.3, 1.5),
        "w": (24, 38, 27, 31),
    },
    "Tundra": {
        "Drift": (6, 12, 9, 9.8),
        "Lake": (0, 1, 0.25, 0.45),
        "Stone": (0, 1, 0.3, 0.55),
        "Tree": (0, 1, 0.35, 0.55),
        "1": (0, 3, 1.2, 1.5),
        "s": (0, 18, 6, 8.5),
    },
    "Woods": {
        "Tree": (4, 9, 6.2, 6.8),
        "Brambles": (0, 3, 1.4, 1.8),
        "Spring": (0, 1, 0.05, 0.25),
    },
}

DISTINCT = {"Plains": 220, "Marsh": 290, "Woods": 290}
"""How many of MAPS maps differ at least; where nothing is said, all do."""


@cache
def maps(name: str) -> tuple[Composite, ...]:
    """The first maps of seed 1, each rolled onto nothing."""
    base = Base.under(BattleMap.new(SYSTEM), 0)
    found = []
    for number in range(MAPS):
        generated = run(GENERATORS[name], {}, DrawKey(1, number), base)
        assert generated is not None
        found.append(BattleMap.new(SYSTEM, GRID, generated.layers).composite())
    return tuple(found)


def counts(composite: Composite) -> Counter[str]:
    """How many hexes and hexsides of each kind a map has; Plains and elevation 0 are left out."""
    cells = list(CELL_OF_HEX)
    planes = composite.planes
    found: Counter[str] = Counter(
        COLOSSUS.terrains[code].name for code in planes["terrain"].ravel()[cells].tolist() if code
    )
    found.update(str(e) for e in planes["elevation"].ravel()[cells].tolist() if e)
    sides = planes["hexside"].ravel()
    found.update(COLOSSUS.hexside_letter(int(code)) for code in sides[sides > 0])
    return found


# --- the files -------------------------------------------------------------------------------


def test_every_terrain_of_colossus_has_a_script_and_there_is_a_beach() -> None:
    assert set(NAMES) == TERRAINS_OF_COLOSSUS | {"Beach"}
    assert generator_named("swamp") is not None


@pytest.mark.parametrize("name", NAMES)
def test_metadata(name: str) -> None:
    metadata = GENERATORS[name].metadata
    assert metadata.script == f"{name}.rnd"
    assert metadata.preview == f"{name}.png"
    assert metadata.description.endswith(".")
    assert metadata.keywords
    assert set(metadata.others) == {"PreviewSeed", "PreviewNumber"}


@pytest.mark.parametrize("name", NAMES)
def test_the_preview_is_a_small_png(name: str) -> None:
    data = SCRIPTS.joinpath(f"{name}.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 225
    assert int.from_bytes(data[20:24], "big") == 195
    assert len(data) < 60_000


@pytest.mark.parametrize("name", NAMES)
def test_the_script_is_plain_text_that_explains_itself(name: str) -> None:
    data = SCRIPTS.joinpath(f"{name}.rnd").read_bytes()
    text = data.decode("ascii")
    assert text.endswith("\n")
    assert "\r" not in text
    assert text.startswith(f"# {name}: ")
    assert f"\nTITLE {name}\n" in text
    assert sum(line.startswith("#") for line in text.splitlines()) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_nothing_about_the_script_is_doubtful(name: str) -> None:
    problems = check_script(GENERATORS[name].text, f"{name}.rnd")
    codes = [problem.code for problem in problems]
    assert codes == (["startlist-fails-in-game"] if name == "Tower" else [])
    assert all(problem.severity is not Severity.ERROR for problem in problems)


# --- the maps --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_side_leads_to_the_middle_and_to_all_others(name: str) -> None:
    for number, composite in enumerate(maps(name)):
        main = countries(composite)[0]
        for side in SIDES:
            assert side & main, f"map {number}: an entry side is walled off"
        assert NEAR_MIDDLE & main, f"map {number}: the middle cannot be reached"


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_every_entry_side_has_two_open_hexes_at_least(name: str) -> None:
    narrow = [
        number
        for number, composite in enumerate(maps(name))
        if min(len(side & countries(composite)[0]) for side in SIDES) < 2
    ]
    assert len(narrow) <= MAPS * 0.01  # a cliff or two at the very rim


@pytest.mark.parametrize("name", NAMES)
def test_next_to_nothing_is_cut_off(name: str) -> None:
    for composite in maps(name):
        assert sum(len(country) for country in countries(composite)[1:]) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_the_builder_warns_of_nothing(name: str) -> None:
    assert [problem for composite in maps(name) for problem in check_battleland(composite)] == []


@pytest.mark.parametrize("name", NAMES)
def test_hexsides_stand_where_they_belong(name: str) -> None:
    for composite in maps(name):
        terrain, elevation = (composite.planes[p].ravel() for p in ("terrain", "elevation"))
        hexside = composite.planes["hexside"].reshape(-1, 6)
        for number, cell in enumerate(CELL_OF_HEX):
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                letter = COLOSSUS.hexside_letter(int(hexside[cell, side]))
                if letter == " ":
                    continue
                assert neighbour >= 0, "a hexside at the rim"
                other = CELL_OF_HEX[neighbour]
                assert hexside[other, (side + 3) % 6] == 0, "both sides of an edge"
                fall = elevation[cell] - elevation[other]
                assert {
                    "s": fall == 1,
                    "w": fall == 1,
                    "c": fall >= 0,
                    "r": True,
                    "d": fall == 0 and COLOSSUS.terrains[terrain[cell]].name == "Sand",
                }[letter], f"{letter} at side {side} of {LABELS[number]}"


@pytest.mark.parametrize("name", NAMES)
def test_the_densities_are_those_of_the_terrain(name: str) -> None:
    found = [counts(composite) for composite in maps(name)]
    kinds = set().union(*found)
    assert kinds == set(DENSITIES[name])
    for kind, (least, most, least_mean, most_mean) in DENSITIES[name].items():
        numbers = [count[kind] for count in found]
        assert least <= min(numbers), kind
        assert max(numbers) <= most, kind
        assert least_mean <= sum(numbers) / MAPS <= most_mean, kind


@pytest.mark.parametrize("name", NAMES)
def test_maps_differ(name: str) -> None:
    distinct = {record_line(record_of(composite)) for composite in maps(name)}
    assert len(distinct) >= DISTINCT.get(name, MAPS)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"Tower"}))
def test_only_a_tower_is_a_tower(name: str) -> None:
    for composite in maps(name):
        assert not composite.properties.get("tower")
        assert composite.properties.get("startlist") is None


def test_the_defender_of_the_tower_starts_inside_its_walls() -> None:
    for composite in maps("Tower"):
        terrain = composite.planes["terrain"].ravel()
        hexside = composite.planes["hexside"].reshape(-1, 6)
        assert composite.properties.get("tower")
        assert composite.properties.get("startlist") is not None
        keep = {HEX_OF_LABEL[label] for label in composite.properties.get("startlist")}
        assert 7 <= len(keep) == len(composite.properties.get("startlist")) <= 11
        assert len(keep & MIDDLE) >= 2
        for number in keep:
            cell = CELL_OF_HEX[number]
            assert COLOSSUS.terrains[terrain[cell]].name == "Tower"
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                if neighbour not in keep:
                    assert COLOSSUS.hexside_letter(int(hexside[cell, side])) == "w"


@pytest.mark.parametrize("name", NAMES)
def test_map_0_of_seed_1_is_the_same_for_ever(name: str) -> None:
    golden = json.loads(GOLDEN.read_text("ascii"))
    assert record_of(maps(name)[0], 1, 0) == golden[name]
