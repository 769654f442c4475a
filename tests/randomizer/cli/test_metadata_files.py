from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run


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
        ("[1, 2]", "not a script"),
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
