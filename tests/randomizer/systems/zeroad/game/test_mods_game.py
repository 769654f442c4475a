from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from randomizer.catalog.systems import game_host
from randomizer.formats.checked import read_checked, write_checked, write_files_checked
from randomizer.games.export_plan import ExportPlan
from randomizer.games.host import GameHost
from randomizer.languages.language import SourceText
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, has_errors
from randomizer.storage.exports.export_backups import BACKUPS, commit_export, take_back
from randomizer.systems.zeroad.export.script_files import is_exported_metadata, script_files
from randomizer.systems.zeroad.export.script_format import SCRIPT_26, SCRIPT_27, SCRIPT_28
from randomizer.systems.zeroad.game.host import HOST
from randomizer.systems.zeroad.game.match import PLAYER
from randomizer.systems.zeroad.installation.game_folders import look_in
from randomizer.systems.zeroad.map.records import SETTINGS, as_record, settings_of_map
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.map_format.map_json import map_of
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.zeroad.export.finished_maps import assert_same, finished_map
from tests.randomizer.systems.zeroad.given_places import GivenPlaces, find_games_only_in

NOTHING: Mapping[str, bytes] = {}


@pytest.fixture
def mods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the mods of somebody who has no game and has never started one."""
    find_games_only_in(tmp_path, monkeypatch)
    look_in(GivenPlaces(tmp_path / "game", user_mod=tmp_path / "mods" / "user"))
    (tmp_path / "mods").mkdir()
    return tmp_path / "mods"


def a_map(size: int = 16, **settings: object) -> BattleMap:
    battlemap = map_of(finished_map(size))
    if settings:
        battlemap.records[SETTINGS] = as_record(settings)
    return battlemap


def planned(
    mods: Path,
    battlemap: BattleMap,
    name: str = "valley",
    version: str = "0.27",
    mod: str = "user",
) -> ExportPlan:
    data = write_checked(HOST.format, battlemap)
    return HOST.plan_exports(HOST.open_game(mods), {name: data}, mod, version)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and BACKUPS not in file.parts
    }


def folders_below(folder: Path) -> set[str]:
    return {
        each.relative_to(folder).as_posix()
        for each in folder.rglob("*")
        if each.is_dir() and BACKUPS not in each.parts
    }


def test_the_catalogue_knows_the_game() -> None:
    found: GameHost | None = game_host(SYSTEM)
    assert found is HOST


def test_an_export_is_a_pair_with_a_preview_and_is_taken_back(mods: Path) -> None:
    plan = planned(mods, a_map(Name="Mainland", Seed=5))
    assert not has_errors(plan.problems)
    receipt = commit_export(plan)
    written = files_below(mods / "user")
    assert set(written) == {
        "maps/random/valley.js",
        "maps/random/valley.json",
        "art/textures/ui/session/icons/mappreview/valley.png",
    }
    said = json.loads(written["maps/random/valley.json"])["settings"]
    assert (said["Script"], said["Preview"]) == ("valley.js", "valley.png")
    take_back(receipt.path)
    assert not files_below(mods)
    assert not folders_below(mods)


@pytest.mark.parametrize(
    ("version", "dependencies"),
    [
        ("0.26", ["0ad=0.0.26"]),
        ("0.27", ["0ad>=0.27.0", "0ad<0.28.0"]),
        ("0.28", ["0ad>=0.28.0"]),
    ],
)
def test_a_new_mod_says_what_it_is_and_which_game_loads_it(
    mods: Path, version: str, dependencies: list[str]
) -> None:
    plan = planned(mods, a_map(), version=version, mod="My täle")
    assert "mod.json" in [file.path.name for file in plan.files]
    receipt = commit_export(plan)
    said = json.loads((mods / "My täle" / "mod.json").read_bytes())
    assert (said["name"], said["label"]) == ("My-t-le", "My täle")
    assert said["dependencies"] == dependencies
    assert said["version"] == "1.0.0"
    assert said["description"]
    take_back(receipt.path)
    assert not files_below(mods)


def test_the_description_of_a_mod_that_is_there_stays(mods: Path) -> None:
    (mods / "own").mkdir()
    (mods / "own" / "mod.json").write_text("{}")
    plan = planned(mods, a_map(), mod="own")
    assert not has_errors(plan.problems)
    commit_export(plan)
    assert (mods / "own" / "mod.json").read_text() == "{}"


def test_the_map_of_the_game_is_opened_again(mods: Path) -> None:
    before = a_map(Name="Mainland", CircularMap=True)
    commit_export(planned(mods, before))
    game = HOST.open_game(mods)
    assert [slot.name for slot in game.groups()[0].slots] == ["valley"]
    data, location = game.read_map("user", "valley")
    found = read_checked(HOST.format, data, location.text)
    assert found.battlemap is not None
    assert_same(map_data_of(found.battlemap), map_data_of(before))
    assert settings_of_map(found.battlemap) == settings_of_map(before)


def test_an_own_export_is_replaced_with_a_backup(mods: Path) -> None:
    commit_export(planned(mods, a_map()))
    first = files_below(mods)
    plan = planned(mods, a_map(32))
    assert not has_errors(plan.problems)
    assert any("backup" in note for note in plan.notes)
    receipt = commit_export(plan)
    assert files_below(mods) != first
    take_back(receipt.path)
    assert files_below(mods) == first


@pytest.mark.parametrize(
    "place",
    [
        "maps/random/valley.js",
        "maps/random/valley.json",
        "maps/random/Valley.js",
        "art/textures/ui/session/icons/mappreview/valley.png",
    ],
)
def test_what_is_no_finished_map_is_never_replaced(mods: Path, place: str) -> None:
    file = mods / "user" / place
    file.parent.mkdir(parents=True)
    file.write_text("Engine.LoadLibrary('rmgen');")
    plan = planned(mods, a_map())
    assert [problem.code for problem in plan.problems] == ["script-there"]
    with pytest.raises(ProblemError):
        commit_export(plan)
    assert list(files_below(mods)) == [f"user/{place}"]


@pytest.mark.parametrize("name", ["", "a/b", "..", "con", "täl", "a b", "x" * 100, "-x", ".x"])
def test_names_that_some_system_refuses_are_refused(mods: Path, name: str) -> None:
    plan = planned(mods, a_map(), name)
    assert {problem.code for problem in plan.problems} == {"bad-name"}
    assert not plan.files


def test_a_map_of_the_game_itself_is_not_covered(mods: Path) -> None:
    game = mods.parent / "game" / "mods" / "public"
    (game / "maps" / "random").mkdir(parents=True)
    (game / "maps" / "random" / "mainland.json").write_text("{}")
    assert [problem.code for problem in planned(mods, a_map(), "mainland").problems] == [
        "script-there"
    ]
    assert not planned(mods, a_map(), "valley").problems


def test_the_plan_says_what_the_game_ignores_and_leaves_out(mods: Path) -> None:
    notes = " ".join(planned(mods, a_map()).sentences())
    assert "16 x 16 tiles" in notes
    assert "civilisations" in notes
    assert "3 players" in notes
    assert "no installed game was found" in notes


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("Engine.LoadLibrary('rmgen');\n", "0.26"),
        ("Engine.LoadLibrary('rmgen');\nfunction* GenerateMap(mapSettings)\n", "0.27"),
        ("import {a} from 'b';\nexport function* generateMap(settings)\n", "0.28"),
    ],
)
def test_the_form_is_that_of_the_installed_game(mods: Path, script: str, version: str) -> None:
    game = mods.parent / "game" / "mods" / "public"
    (game / "maps" / "random").mkdir(parents=True)
    (game / "maps" / "random" / "mainland.js").write_text(script)
    assert HOST.versions()[0] == version
    data = write_checked(HOST.format, a_map())
    plan = HOST.plan_exports(HOST.open_game(mods), {"valley": data}, "user")
    assert not any("0 A.D. 0." in note for note in plan.notes)
    assert f"for 0 A.D. {version}".encode() in plan.files[0].data
    assert plan.files[0].data == write_checked(
        {"0.26": SCRIPT_26, "0.27": SCRIPT_27, "0.28": SCRIPT_28}[version], a_map()
    )


def test_the_folder_is_found_from_a_mod_in_it_and_from_above(mods: Path) -> None:
    (mods / "user" / "maps").mkdir(parents=True)
    for chosen in (mods, mods / "user", mods / "user" / "maps", mods.parent):
        assert HOST.find_game(chosen) == mods
    with pytest.raises(ProblemError):
        HOST.find_game("/usr")
    with pytest.raises(ProblemError):
        HOST.open_game(mods.parent)


def test_a_folder_that_does_not_exist_is_not_replaced_by_one_near_it(mods: Path) -> None:
    missing = mods.parent / "nowhere" / "abc"
    with pytest.raises(ProblemError) as failed:
        HOST.find_game(missing)
    message = failed.value.problems[0].message
    assert message == f"There is no folder {missing}; did you mean {mods}?"
    with pytest.raises(ProblemError, match="There is no folder"):
        HOST.find_game(mods / "usre")
    mods.rmdir()
    assert HOST.find_game(mods) == mods, "the usual folder is made by the export"
    with pytest.raises(ProblemError) as failed:
        HOST.find_game(missing)
    assert failed.value.problems[0].message == f"There is no folder {missing}"


@pytest.mark.parametrize(
    ("stem", "name"),
    [("My Hill", "My_Hill"), ("Tälchen", "Talchen"), ("-a (2)", "a_2"), ("山", "")],
)
def test_the_name_of_a_map_file_becomes_a_valid_name_of_a_script(stem: str, name: str) -> None:
    assert HOST.name_of_new_slot(stem) == name


def test_other_scripts_are_listed_as_scripts(mods: Path) -> None:
    commit_export(planned(mods, a_map()))
    other = mods / "user" / "maps" / "random" / "hills.js"
    other.write_text("Engine.LoadLibrary('rmgen');")
    other.with_suffix(".json").write_text("{}")
    game = HOST.open_game(mods)
    assert game.scripts() == (other,)
    with pytest.raises(ProblemError):
        game.read_map("user", "nothing")


def test_a_converted_map_is_a_script_and_its_metadata() -> None:
    for known in (SCRIPT_26, SCRIPT_27, SCRIPT_28):
        files = write_files_checked(known, a_map(Name="Islands"), "some valley.js")
        assert set(files) == {"some valley.js", "some valley.json"}
        said = json.loads(files["some valley.json"])["settings"]
        assert said["Script"] == "some valley.js"
        assert "Preview" not in said


def test_a_script_that_names_its_own_metadata_is_exported_with_the_new_ones(mods: Path) -> None:
    text = 'Engine.ReadJSONFile("maps/random/hills.json");'
    old = '{"settings": {"Name": "Old", "Description": ""}}'
    files = script_files(SourceText(text, "hills.js", {"hills.json": old}, None), "hills")
    assert is_exported_metadata(files["maps/random/hills.json"])


def test_a_map_on_which_nobody_owns_anything_is_played_by_two(tmp_path: Path) -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 128, 128), [Layer(1, "Ground")])
    assert "-autostart-players=2" in PLAYER.prepare(battlemap, None, tmp_path / "home").command
