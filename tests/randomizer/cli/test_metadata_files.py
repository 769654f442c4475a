from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.systems.zeroad.map_format.map_json import JSON, map_of
from tests.randomizer.cli.conftest import Run
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map


@pytest.fixture
def metadata(script: Path) -> Path:
    """A second metadata file for the script: the same pond in other ground."""
    path = script.parent / "sandy.json"
    said = {"Name": "Sandy", "Script": script.name, "Description": "Sand", "BaseTerrain": "Sand"}
    path.write_text(json.dumps({"settings": said}))
    return path


def test_a_metadata_file_is_rolled_with_its_script(
    randomizer: Run, script: Path, metadata: Path
) -> None:
    asked = ("--seed", 3, "--format", "json")
    said = randomizer("roll", metadata, *asked)
    assert (said.code, said.err) == (0, "")
    plain = randomizer("roll", script, *asked, "--set", "BaseTerrain=Sand")
    assert json.loads(said.text)["hexes"] == json.loads(plain.text)["hexes"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"settings": {"Name": "a", "Script": "none.rnd"}}', "none.rnd"),
        ('{"settings": {"Name": "a", "Script": "../x.rnd"}}', "not beside"),
        ('{"settings": {"Name": "a", "Script": "a.py"}}', "Python"),
        ('{"settings": {"Name": "a"}}', '"Script" is missing'),
        ('{"settings": {"Name": "a", }', "error: this is not JSON"),
        ('{"settings": 5}', "settings"),
        ("[1, 2]", "of no kind that can be read here"),
    ],
)
def test_a_wrong_metadata_file_is_a_problem(
    randomizer: Run, tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)
    said = randomizer("roll", path, "--seed", 1)
    assert said.code == 1
    assert str(path) in said.err
    assert words in said.err


def test_check_knows_metadata_by_what_it_says(
    randomizer: Run, script: Path, metadata: Path, tmp_path: Path
) -> None:
    assert randomizer("check", metadata).code == 0
    wrong = script.parent / "wrong.json"
    wrong.write_text('{\n"settings": {"Name": 5, "Script": "none.rnd"}}')
    said = randomizer("check", wrong)
    assert said.code == 1
    assert f"{wrong}:2:14: error: " in said.text
    wrong.write_text('{"settings": {"Name": "a", "Script": "none.rnd", "Description": "b"}}')
    assert "none.rnd is not in this folder" in randomizer("check", wrong).text


def test_maps_that_fail_are_reported_and_the_others_made(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "half.rnd"
    path.write_text("AREA D4 HAZARDS Fog,50.\n")
    said = randomizer("roll", path, "--seed", 1, "--count", 12, "--out", tmp_path / "maps" / "")
    made = {int(file.stem.rsplit("-", 1)[1]) for file in (tmp_path / "maps").iterdir()}
    assert said.code == 1
    assert 0 < len(made) < 12
    for number in range(12):
        assert (f"map {number} of seed 1 could not be made" in said.err) == (number not in made)
        assert randomizer("roll", path, "--seed", 1, "--number", number).code == (
            number not in made
        )


def test_a_mod_that_is_not_there_is_a_problem(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    said = randomizer("roll", script, "--seed", 1, "--mod", tmp_path / "none")
    assert (said.code, said.err) == (
        1,
        f"{tmp_path / 'none'}: error: there is no such folder or file\n",
    )
    assert randomizer("roll", script, "--seed", 1, "--mod", tmp_path).code == 0


def test_a_map_with_the_settings_of_its_script_is_a_map(randomizer: Run, tmp_path: Path) -> None:
    battlemap = map_of(finished_map(16, Name="Valley", CircularMap=True))
    path = tmp_path / "map.json"
    path.write_bytes(JSON.write(battlemap))
    assert randomizer("check", path).code == 0
    assert "not a script" in randomizer("roll", path, "--seed", 1).err


@pytest.mark.parametrize("form", ["", "script-0.26", "script-0.28"])
def test_a_map_is_converted_into_a_pair_and_back(
    randomizer: Run, tmp_path: Path, form: str
) -> None:
    path, pair, again = (tmp_path / name for name in ("map.json", "vale.js", "again.json"))
    battlemap = map_of(finished_map(16, Name="Valley", CircularMap=True))
    path.write_bytes(JSON.write(battlemap))
    said = randomizer("convert", path, pair, *(("--to", form) if form else ()))
    assert said.code == 0
    assert "vale.json was written beside it" in said.err
    assert json.loads((tmp_path / "vale.json").read_text())["settings"]["CircularMap"] is True
    assert randomizer("convert", pair, again).code == 0
    assert again.read_bytes() == path.read_bytes()


def test_a_map_is_exported_to_a_version_and_taken_back(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    mods = tmp_path / "mods"
    mods.mkdir()
    path.write_bytes(JSON.write(map_of(finished_map(16))))
    where = ("--game", mods, "--mod", "user", "--script", "vale")
    said = randomizer("export", path, *where, "--for", "0.28", "--yes")
    assert said.code == 0
    assert "16 x 16 tiles" in said.text
    script = mods / "user" / "maps" / "random" / "vale.js"
    assert b"export function* generateMap" in script.read_bytes()
    assert randomizer("export", path, *where, "--for", "0.99").code == 1
    assert randomizer("export", "--take-back", "--game", mods, "--yes").code == 0
    assert not (mods / "user").exists()
