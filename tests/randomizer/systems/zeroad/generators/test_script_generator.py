"""Random map scripts as generators: where they are among the mods, and what a roll keeps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from randomizer.batches.single_rolls import roll_single
from randomizer.generator_run import run
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.script_generator import (
    ScriptGenerator,
    from_found,
    from_texts,
)
from randomizer.systems.zeroad.installation.installations import Installation
from randomizer.systems.zeroad.installation.listing import FoundScript, listed_scripts
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.script.script_location import OWN_MOD, location_of_file
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

SCRIPT = """
Engine.LoadLibrary("bay");
function* GenerateMap(settings)
{
	log("a bay of " + settings.Size);
	yield 50;
	return bay(settings.Size, settings.PlayerData.length - 1);
}
"""
LIBRARY = """
function bay(size, players)
{
	const texture = players > 2 ? "many" : "few";
	return {
		size, "seaLevel": 20, "textureNames": [texture],
		"height": new Uint16Array((size + 1) ** 2).fill(2300),
		"tileData": { "index": new Uint16Array(size ** 2), "priority": new Uint16Array(size ** 2) },
		"entities": []
	};
}
"""
METADATA = {"Name": "Bay", "Script": "bay.js", "Description": "A bay.", "Size": 16}


@pytest.fixture(autouse=True)
def _only_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("py_mini_racer")
    find_games_only_in(tmp_path, monkeypatch)


def written(folder: Path, script: str = SCRIPT) -> Path:
    """A script with its library in a folder; the path of the script."""
    (folder / "bay").mkdir(parents=True)
    (folder / "bay" / "library.js").write_text(LIBRARY)
    (folder / "bay.js").write_text(script)
    (folder / "bay.json").write_text(json.dumps({"settings": METADATA}))
    return folder / "bay.js"


def texts(**settings: object) -> dict[str, str]:
    return {"bay.json": json.dumps({"settings": {**METADATA, **settings}})}


def rolled(generator: ScriptGenerator, chosen: Mapping[str, object] | None = None) -> Generated:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 16, 16))
    made = run(generator, chosen or {}, DrawKey(3, 1), Base.under(battlemap, 0))
    assert made is not None
    return made


@pytest.mark.parametrize("place", ["mod/maps/random", "scripts"])
def test_a_script_of_a_mod_or_of_any_folder_finds_its_libraries(place: str, tmp_path: Path) -> None:
    path = written(tmp_path / place)
    made = rolled(from_texts(SCRIPT, "bay.js", texts(), str(path)))
    assert [line.text for line in made.log] == ["a bay of 16"]
    assert made.terrain_set is not None
    assert made.terrain_set.terrains[0].name == "few"
    (layer,) = made.layers
    assert layer.roll is not None
    assert (layer.roll.script_name, layer.roll.script, layer.roll.generator) == (
        "bay.js",
        SCRIPT,
        "",
    )
    assert (layer.roll.seed, layer.roll.number) == (3, 1)
    assert layer.roll.texts == texts()
    assert list(layer.roll.libraries) == ["bay"]
    assert made.records is not None
    assert "settings" in made.records


def test_a_changed_library_has_another_digest(tmp_path: Path) -> None:
    path = written(tmp_path)
    generator = from_texts(SCRIPT, "bay.js", texts(), str(path))
    before = rolled(generator).layers[0].roll
    (tmp_path / "bay/library.js").write_text(LIBRARY + "// changed")
    after = rolled(generator).layers[0].roll
    assert before is not None
    assert after is not None
    assert before.libraries != after.libraries


def test_the_metadata_and_the_choices_are_those_of_the_script(tmp_path: Path) -> None:
    generator = from_texts(SCRIPT, "bay.js", texts(), str(written(tmp_path)))
    assert generator.metadata.name == "Bay"
    assert generator.grid({}).width == 16
    assert generator.grid({"Size": 128}).width == 128
    made = rolled(generator, {"Players": 4, "Size": 128})
    assert made.grid is not None
    assert made.grid.width == 128
    assert made.terrain_set is not None
    assert made.terrain_set.terrains[0].name == "many"


def test_names_need_a_roll_only_of_a_script_that_reads_names(tmp_path: Path) -> None:
    path = str(written(tmp_path))
    named = {"PlayerData": '[{"Name": "Ann"}, {"Civ": "rome", "Name": "Bob"}]'}
    unnamed = {"PlayerData": '[{}, {"Civ": "rome"}]'}
    other_civ = {"PlayerData": '[{}, {"Civ": "gaul"}]'}

    generator = from_texts(SCRIPT, "bay.js", texts(), path)
    needed = generator.settings_needing_roll
    assert needed(named) == needed(unnamed) != needed(other_civ)
    assert generator.settings, "which reads their defaults"
    assert needed({}) == needed({"PlayerData": '[{"Name": "Ann"}]', "Size": 16})

    reading = SCRIPT.replace("yield 50;", "log(settings.PlayerData[1].Name);")
    needed = from_texts(reading, "bay.js", texts(), path).settings_needing_roll
    assert needed(named) != needed(unnamed)


def test_a_script_without_metadata_has_the_usual_choices(tmp_path: Path) -> None:
    generator = from_texts(SCRIPT, "bay.js", {}, str(written(tmp_path)))
    assert generator.metadata.name == "bay"
    assert generator.grid({}).width == 256


@pytest.mark.parametrize("path", ["x" * 5000, "a\0b", "/nowhere/a.js"])
def test_a_script_of_a_file_that_cannot_be_has_the_game_alone(path: str) -> None:
    generator = from_texts(SCRIPT, "a.js", {}, path)
    assert generator.mods == from_texts(SCRIPT, "a.js", {}).mods


def test_metadata_with_errors_stop_the_roll_and_nothing_else(tmp_path: Path) -> None:
    generator = from_texts(
        SCRIPT, "bay.js", {"bay.json": '{"settings": {}}'}, str(written(tmp_path))
    )
    assert generator.settings
    with pytest.raises(ProblemError) as caught:
        rolled(generator)
    path = str(tmp_path / "bay.json")
    assert [problem.path for problem in caught.value.problems] == [path, path]


def test_problems_of_the_script_name_its_file_and_keep_the_log(tmp_path: Path) -> None:
    script = 'log("before");\nlet x = null;\nx.y;\n'
    path = written(tmp_path, script)
    with pytest.raises(ProblemError) as caught:
        rolled(from_texts(script, "bay.js", texts(), str(path)))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == (str(path), 3)
    assert [line.text for line in caught.value.log] == ["before"]


def test_a_map_that_is_none_is_named_with_the_script_s_file(tmp_path: Path) -> None:
    script = 'function* GenerateMap() { log("x"); return { "size": 16 }; }'
    path = written(tmp_path, script)
    with pytest.raises(ProblemError) as caught:
        rolled(from_texts(script, "bay.js", texts(), str(path)))
    assert {problem.path for problem in caught.value.problems} <= {str(path), None}
    assert [line.text for line in caught.value.log] == ["x"]


def game(tmp_path: Path) -> Path:
    mod = tmp_path / "game" / "mods" / "public"
    written(mod / "maps" / "random")
    (mod / "mod.json").write_text('{"name": "0ad", "version": "1"}')
    return mod


def test_a_script_lies_over_the_first_game_and_ours(tmp_path: Path) -> None:
    mod = game(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.js").write_text("")
    loose = location_of_file("a.js", str(tmp_path / "own" / "a.js"))
    assert loose.path == "maps/random/a.js"
    assert [each.spec for each in loose.mods] == [
        OWN_MOD.spec,
        str(mod),
        ModFiles(tmp_path / "own", "maps/random").spec,
    ]
    for nowhere in (None, "a.js"):
        mods = [each.spec for each in location_of_file("a.js", nowhere).mods]
        assert mods == [OWN_MOD.spec, str(mod)], "not the folder in which the program runs"
    inside = location_of_file("bay.js", str(mod / "maps/random/bay.js"))
    assert [each.spec for each in inside.mods] == [OWN_MOD.spec, str(mod)]


def test_an_installed_script_is_a_generator(tmp_path: Path) -> None:
    game(tmp_path)
    (found,) = listed_scripts()
    assert isinstance(found, FoundScript)
    made = rolled(from_found(found))
    roll = made.layers[0].roll
    assert roll is not None
    again = rolled(from_texts(roll.script, roll.script_name, roll.texts))
    assert again.layers[0].planes["texture"].tolist() == made.layers[0].planes["texture"].tolist()


def test_an_installed_script_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    (game(tmp_path) / "maps/random/bay.js").unlink()
    (found,) = listed_scripts()
    assert isinstance(found, FoundScript)
    assert isinstance(found.installation, Installation)
    with pytest.raises(ProblemError):
        from_found(found)


def test_lines_that_the_games_library_says_twice_are_kept_once(tmp_path: Path) -> None:
    script = 'function say(text) { log(text + "\\n"); print(text + "\\n"); }\n' + SCRIPT.replace(
        'log("a bay of " + settings.Size)',
        'print("\\n"); say("a"); say("b"); print("b"); warn("b")',
    )
    path = written(tmp_path, script)
    made = rolled(from_texts(script, "bay.js", texts(), str(path)))
    assert [(line.level, line.text) for line in made.log] == [
        ("print", ""),
        ("log", "a"),
        ("log", "b"),
        ("warn", "b"),
    ]


def test_the_game_is_read_when_the_settings_are_asked_for(tmp_path: Path) -> None:
    generator = from_texts(SCRIPT, "bay.js", texts(), str(written(tmp_path)))
    assert not generator.settings_read
    assert generator.settings[0].name == "Size"
    assert generator.settings_read


def test_a_preview_comes_from_the_mods(tmp_path: Path) -> None:
    mod = game(tmp_path)
    said = texts(Preview="bay.png")
    generator = from_texts(SCRIPT, "bay.js", said, str(mod / "maps/random/bay.js"))
    assert generator.preview() is None
    picture = mod / "art/textures/ui/session/icons/mappreview/bay.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"\x89PNG ...")
    assert generator.preview() == b"\x89PNG ..."


def test_maps_of_scripts_are_measured_and_rolled_by_processes_of_their_own(tmp_path: Path) -> None:
    text = SCRIPT.replace(
        "return bay(settings.Size, settings.PlayerData.length - 1);",
        """const made = bay(settings.Size, 2);
        const entity = (id, templateName, player, x) => ({
            id, templateName, player, "position": { x, "y": 0, "z": 8 }, "rotation": { "y": 0 } });
        made.entities = [entity(150, "units/athen/a", 1, 2), entity(151, "gaia/tree/oak", 0, 4),
            entity(152, "units/athen/a", 2, 9), entity(153, "gaia/treasure/wood", 0, 9)];
        return made;""",
    )
    path = written(tmp_path, text)
    generator = from_texts(
        text, path.name, {"bay.json": json.dumps({"settings": METADATA})}, str(path)
    )
    assert generator.rolls_outside
    base = Base.under(BattleMap.new(SYSTEM), 0)
    single = roll_single(generator, {}, DrawKey(1, 0), base)
    assert single.problems == ()
    assert (single.values["wood-1"], single.values["wood-2"]) == (500, 500)
    assert single.values["balance"] == 1


def test_what_the_installed_game_lacks_is_a_note_of_the_roll_with_its_place(tmp_path: Path) -> None:
    for name in ("few_a.xml", "many.xml"):
        file = tmp_path / "game" / "mods" / "public" / "art" / "terrains" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("<Terrain/>")
    script = SCRIPT + LIBRARY.replace('"few"', '"few_b"')
    made = rolled(from_texts(script.replace('Engine.LoadLibrary("bay");', ""), "bay.js", texts()))
    (note,) = [each for each in made.notes if each.severity is Severity.WARNING]
    assert note.message == "the installed game has no texture “few_b”; did you mean few_a?"
    assert (note.line, note.column) == (12, 42)
    assert note.fix is not None
    assert note.fix.edits[0].replacement == "few_a"


def test_a_roll_of_a_games_own_script_has_no_hints_for_its_author(tmp_path: Path) -> None:
    library = LIBRARY.replace('"seaLevel": 20, ', "")
    text = library + SCRIPT.replace('Engine.LoadLibrary("bay");', "")
    folder = tmp_path / "game/mods/public/maps/random"
    folder.mkdir(parents=True)
    (folder / "bay.js").write_text(text)
    base = Base.under(BattleMap.new(SYSTEM, Grid(SQUARE, 16, 16)), 0)

    def hints(script: str) -> list[str]:
        generator = from_texts(
            text, script, {f"{script[:-3]}.json": json.dumps({"settings": METADATA})}
        )
        made = run(generator, {}, DrawKey(1, 0), base)
        return [note.message for note in made.notes if note.severity is Severity.HINT]

    assert hints("bay.js") == []
    assert len(hints("mine.js")) == 1


NUMBERS = """
function* GenerateMap(settings)
{
	yield 50;
	const size = settings.Size;
	const entities = [[700, 60.4 / 8, 0.1], [5, 3.3, 2.2]].map(([id, x, angle]) => ({
		id, "templateName": "gaia/tree", "player": 0,
		"position": { x, "y": 0, "z": 1.7 }, "rotation": { "x": 0, "y": angle, "z": 0 }
	}));
	return {
		size, "seaLevel": 20, "textureNames": ["grass"], entities,
		"height": new Uint16Array((size + 1) ** 2).fill(2300),
		"tileData": { "index": new Uint16Array(size ** 2), "priority": new Uint16Array(size ** 2) }
	};
}
"""


def test_what_nobody_touched_is_exported_with_the_numbers_of_the_script(tmp_path: Path) -> None:
    path = tmp_path / "numbers.js"
    generator = from_texts(NUMBERS, "numbers.js", texts(Script="numbers.js"), str(path))
    generated = rolled(generator, {"Size": 128})
    battlemap = BattleMap.new(SYSTEM, generated.grid, generated.layers, generated.terrain_set)
    first, second = map_data_of(battlemap).entities
    assert (first.id, first.x, first.z, first.angle) == (700, 60.4 / 8, 1.7, 0.1)
    assert (second.id, second.x, second.z, second.angle) == (5, 3.3, 1.7, 2.2)
    thing = next(iter(battlemap.layers[0].things.values()))
    edit = change_things(battlemap, [replace(thing, x=thing.x + 1)])
    assert edit is not None
    edit.apply(battlemap)
    moved, _second = map_data_of(battlemap).entities
    assert (moved.id, moved.z, moved.angle) == (700, 1.7, 0.1)
    assert moved.x == pytest.approx(60.4 / 8 + 1)
