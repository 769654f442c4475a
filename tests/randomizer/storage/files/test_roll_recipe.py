"""Recipes of rolls: one line of text that gives the same layer elsewhere, or says what differs."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from pathlib import Path
from random import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.__main__ import main
from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.scripts import generator_for_script
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from randomizer.scripts.script_folders import VARIABLE
from randomizer.storage.files import roll_recipe
from randomizer.storage.files.project import PROJECT
from randomizer.storage.files.recipe_bases import differences, locked_as_in, recipe_of
from randomizer.storage.files.recipe_generators import find_generator
from randomizer.storage.files.roll_recipe import (
    LockedValues,
    RollRecipe,
    packed_line,
    read_recipe,
    recipe_text,
)

ROOT = Path(__file__).resolve().parents[4]
NAMES = [each.name for each in generators()]


def empty_base(generator) -> Base:
    grid = generator.grid({})
    known = generator.terrain_set()
    return Base.under(BattleMap.new(generator.system, grid, terrain_set=known), 0)


def rolled(generator, base: Base | None = None, number: int = 2) -> tuple[BattleMap, Base]:
    """A map rolled onto a base, and the base of its re-roll."""
    base = base or empty_base(generator)
    made = run(generator, {}, DrawKey(17, number), base)
    battlemap = new_map(base.system, base.grid, base.terrain_set, made)
    battlemap.locked_cells |= base.locked_cells
    return battlemap, Base.under(battlemap, 0, *range(len(battlemap.layers)))


def recipe_for(battlemap: BattleMap, base: Base) -> str:
    return recipe_text(recipe_of(battlemap.layers[0].roll, base))


def same_layers(one: list[Layer], other: list[Layer]) -> bool:
    def facts(layer: Layer) -> tuple[object, ...]:
        planes = {name: plane.tolist() for name, plane in sorted(layer.planes.items())}
        return layer.name, layer.roll, layer.properties, planes, list(layer.things.values())

    return [facts(layer) for layer in one] == [facts(layer) for layer in other]


def read_map(path: Path) -> BattleMap:
    return PROJECT.read(path.read_bytes(), str(path)).battlemap


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_every_generator_makes_the_same_layers_of_its_recipe(name, tmp_path):
    generator = generator_named(name)
    if generator.why_not():
        pytest.skip(generator.why_not())
    battlemap, base = rolled(generator)
    text = recipe_for(battlemap, base)
    out = tmp_path / "again.battlemap"
    assert len(text) < 600
    assert main(["roll", "--recipe", text, "--out", str(out)]) == 0
    assert same_layers(read_map(out).layers, battlemap.layers)


@pytest.mark.deep
def test_a_fresh_process_makes_them_too(tmp_path):
    """One generator of each system, their recipes on standard input."""
    chosen = {generator.system.name: generator for generator in generators()}.values()
    maps = [rolled(each) for each in chosen if not each.why_not()]
    code = (
        "import io, sys; from randomizer.__main__ import main\n"
        "for number, line in enumerate(sys.stdin.buffer.read().splitlines()):\n"
        "    sys.stdin = io.TextIOWrapper(io.BytesIO(line))\n"
        "    main(['roll', '--recipe', '-', '--out', f'{sys.argv[1]}/{number}.battlemap'])"
    )
    lines = "\n".join(recipe_for(*each) for each in maps)
    call = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(call, cwd=ROOT, input=lines.encode(), check=True, capture_output=True)
    for number, (battlemap, _base) in enumerate(maps):
        assert same_layers(read_map(tmp_path / f"{number}.battlemap").layers, battlemap.layers)


LINES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=12)
SMALL = st.integers(0, 2**40)
JSON = st.recursive(st.integers(-9, 9) | LINES | st.booleans(), lambda each: st.tuples(each, each))
ROLLS = st.builds(
    Roll,
    LINES,
    st.sampled_from(["", "a.rnd", "é b.js"]),
    st.text(st.characters(exclude_categories=("C",)), max_size=40),
    st.dictionaries(LINES, JSON, max_size=3),
    st.integers(0, 2**32 - 1),
    st.integers(0, 9),
    libraries=st.dictionaries(LINES, LINES, max_size=2),
    ground=LINES,
)
KEPT = st.tuples(*[st.lists(SMALL, max_size=4).map(tuple)] * 2)
SHAPES = st.tuples(LINES, SMALL, SMALL, st.booleans(), st.booleans())
RECIPES = st.builds(
    RollRecipe, LINES, ROLLS, SHAPES, LINES, SMALL, st.dictionaries(LINES, KEPT, max_size=2)
)


@given(RECIPES, st.integers(1, 80))
def test_a_recipe_is_read_as_it_was_written_whatever_folds_its_line(recipe, width):
    text = recipe_text(recipe)
    folded = "\r\n ".join(text[at : at + width] for at in range(0, len(text), width))
    assert read_recipe(f" {folded}\n") == recipe
    assert read_recipe(text).roll.ground == recipe.roll.ground


def test_a_change_of_any_character_is_noticed():
    text = recipe_for(*rolled(generator_named("Cordery")))
    for at, character in enumerate(text):
        for other in {"x", "A", "0", "_", ":", "", character.swapcase()} - {character}:
            with pytest.raises(ProblemError):
                read_recipe(text[:at] + other + text[at + 1 :])


def with_json(data: bytes) -> str:
    return packed_line("x", data)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a letter", "no-recipe"),
        ("battlelands:", "recipe-damaged"),
        (with_json(b"{}"), "recipe-damaged"),
        (with_json(b"[" * 500), "recipe-damaged"),
        (with_json(b" " * (roll_recipe.LARGEST_JSON + 1)), "recipe-damaged"),
        ("battlelands:1" * roll_recipe.LONGEST, "recipe-size"),
    ],
)
def test_what_is_no_recipe_is_refused(text, code):
    with pytest.raises(ProblemError) as failed:
        read_recipe(text)
    assert failed.value.problems[0].code == code


def test_a_recipe_of_another_version_is_refused():
    line = "battlelands:2:x:" + urlsafe_b64encode(zlib.compress(b"{}")).decode().rstrip("=")
    with pytest.raises(ProblemError, match="another version"):
        read_recipe(f"{line}:{zlib.crc32(line.encode()):08x}")


def codes(recipe: RollRecipe, generator, base: Base) -> list[str]:
    return [
        difference.code for difference in differences(recipe, generator, locked_as_in(recipe, base))
    ]


def test_what_is_not_as_it_was_is_named():
    generator = generator_named("Swamp")
    base = empty_base(generator)
    recipe = recipe_of(rolled(generator)[0].layers[0].roll, base)
    assert codes(recipe, generator, base) == []
    assert codes(recipe, generator_named("Beach"), base) == ["recipe-script"]
    older = replace(recipe, roller=2, roll=replace(recipe.roll, libraries={"rmgen": "0"}))
    assert codes(older, generator, base) == ["recipe-roller", "recipe-library"]
    assert codes(recipe, generator, rolled(generator)[1]) == []
    on_top = Base.under(rolled(generator)[0], 1)
    assert codes(recipe, generator, on_top) == ["recipe-ground"]
    wide = replace(recipe, grid=recipe.grid._replace(layout="flat", width=99))
    assert codes(wide, generator, base) == ["recipe-grid"]


def test_a_script_of_ones_own_goes_along_if_it_is_short():
    short = generator_named("Swamp").text + "# mine\n"
    long = short + "".join(f"# {random():.16f}\n" for _ in range(200))
    for script, goes_along in ((short, True), (long, False), (long * 500, False)):
        generator = generator_for_script(script, "own.rnd")
        recipe = recipe_of(Roll("", "own.rnd", script, {}, 1, 0), empty_base(generator))
        assert bool(recipe.roll.script) is goes_along
        assert (find_generator(recipe) is not None) is goes_along
        found = find_generator(recipe, [(script, {})])
        assert found is not None
        assert found.text == script
        with_crlf = generator_for_script(script.replace("\n", "\r\n"), "own.rnd")
        assert codes(recipe, with_crlf, empty_base(generator)) == []


def test_a_script_of_the_users_folders_is_found_by_its_digest(tmp_path, monkeypatch):
    script = generator_named("Swamp").text + "# mine\n"
    recipe = recipe_of(Roll("", "own.rnd", script, {}, 1, 0), empty_base(generator_named("Swamp")))
    recipe = replace(recipe, roll=replace(recipe.roll, script=""))
    assert find_generator(recipe) is None
    metadata = {"Name": "Mine", "Script": "other name.rnd", "Description": ""}
    (tmp_path / "mine.json").write_text(json.dumps({"settings": metadata}), "utf-8")
    (tmp_path / "other name.rnd").write_text(script, "utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert find_generator(recipe).text == script


@pytest.mark.parametrize("name", ["Swamp", "Cordery", "Landscape"])
def test_locks_are_the_condition_of_the_roll(name):
    generator = generator_named(name)
    first, base = rolled(generator)
    locked = base.locked_cells.copy()
    locked.flat[base.grid.cells[:2]] = True
    battlemap, after = rolled(generator, replace(base, locked_cells=locked), number=40)
    recipe = recipe_of(battlemap.layers[0].roll, after)
    assert recipe.locked
    again = locked_as_in(read_recipe(recipe_text(recipe)), empty_base(generator))
    assert np.array_equal(again.locked_cells, locked)
    key = DrawKey(recipe.roll.seed, recipe.roll.number)
    made = run(generator, recipe.roll.settings, key, again)
    assert same_layers([replace(layer, id=0) for layer in made.layers], battlemap.layers)
    free = recipe_of(first.layers[0].roll, replace(base, locked_cells=locked))
    assert not free.locked, "it was locked after it was rolled"


def test_locks_that_no_map_has_are_refused():
    base = empty_base(generator_named("Swamp"))
    recipe = recipe_of(rolled(generator_named("Swamp"))[0].layers[0].roll, base)
    for kept in (
        LockedValues((10**6,), (1,)),
        LockedValues((7,), (200,)),
        LockedValues((1, 2), (1,) * 3),
    ):
        with pytest.raises(ProblemError):
            locked_as_in(replace(recipe, locked={"terrain": kept}), base)


def test_a_recipe_that_names_another_system_than_its_scripts_is_refused():
    generator = generator_named("Swamp")
    base = empty_base(generator)
    recipe = recipe_of(rolled(generator)[0].layers[0].roll, base)
    forged = replace(recipe, system="free", locked={"terrain": LockedValues((0,), (200,))})
    with pytest.raises(ProblemError, match="makes other maps"):
        codes(forged, generator, base)


def test_the_command_line_names_differences_and_rolls_anyway(tmp_path, capsys):
    battlemap, base = rolled(generator_named("Swamp"))
    other = rolled(generator_named("Beach"))[0]
    onto = tmp_path / "onto.battlemap"
    out = tmp_path / "out.battlemap"
    onto.write_bytes(PROJECT.write(other))
    call = ["roll", "--recipe", recipe_for(battlemap, base), "--onto", str(onto), "--out", str(out)]
    assert main(call) == 1
    assert "another map" in capsys.readouterr().err
    assert not out.exists()
    assert main([*call, "--anyway"]) == 0
    assert len(read_map(out).layers) == 2
    assert main([*call, "--seed", "3"]) == 2
    assert "the recipe says that" in capsys.readouterr().err
    assert main(["roll"]) == 2
