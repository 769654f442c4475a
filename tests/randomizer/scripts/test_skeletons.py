"""The scripts with which a person begins: right, rolled, and written as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.__main__ import main
from randomizer.catalog.map_formats import preferred_format
from randomizer.catalog.script_files import encoded_script, read_further_texts, read_script
from randomizer.catalog.scripts import check_script, generator_for_script, skeletons
from randomizer.model.problems import has_errors
from randomizer.systems.zeroad.script_host import HOST as JAVASCRIPT
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

SKELETONS = {Path(skeleton.script.name).suffix: skeleton.script for skeleton in skeletons()}

each_skeleton = pytest.mark.parametrize("suffix", SKELETONS)

COMMENTS = {".rnd": "#", ".per": ";", ".js": "//"}


def test_each_language_of_ours_has_one():
    assert set(SKELETONS) == set(COMMENTS)


@each_skeleton
def test_there_is_nothing_to_say_of_it(suffix):
    script = SKELETONS[suffix]
    assert check_script(script.text, script.name, texts=script.texts) == ()
    for name, text in script.texts.items():
        assert JAVASCRIPT.check_metadata(text.encode(), name) == ()


@each_skeleton
def test_it_is_short_and_every_block_has_a_comment(suffix):
    lines = SKELETONS[suffix].text.splitlines()
    assert 10 <= len(lines) <= 26
    assert all(len(line.expandtabs(4)) <= 100 and line == line.rstrip() for line in lines)
    blocks = SKELETONS[suffix].text.strip().split("\n\n")
    assert len(blocks) >= 4
    assert all(COMMENTS[suffix] in block for block in blocks[1:])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where all skeletons are saved; no game is installed."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    for script in SKELETONS.values():
        (tmp_path / script.name).write_bytes(encoded_script(script.text, script.name))
        for name, text in script.texts.items():
            (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@each_skeleton
def test_it_rolls_other_maps_of_its_kind_and_they_are_written_and_read(suffix, folder, capsys):
    script = SKELETONS[suffix]
    if suffix == ".js":
        pytest.importorskip("py_mini_racer")
    system = generator_for_script(script.text, script.name, texts=script.texts).system
    assert main(["check", str(folder / script.name)]) == 0
    capsys.readouterr()
    maps = []
    for seed in ("5", "6"):
        assert main(["roll", str(folder / script.name), "--seed", seed]) == 0
        output, errors = capsys.readouterr()
        assert errors == ""
        result = preferred_format(system).read(output.encode(), "rolled")
        assert result.battlemap is not None
        assert result.battlemap.system is system
        assert not has_errors(result.problems)
        maps.append(output)
    assert maps[0] != maps[1], "chance decides"


@each_skeleton
def test_it_is_written_and_read_as_it_is(suffix, folder):
    script = SKELETONS[suffix]
    path = folder / script.name
    assert read_script(path) == (script.text, ())
    assert read_further_texts(path, script.text) == dict(script.texts)


def test_the_metadata_of_a_map_script_names_the_file_in_which_it_is_saved():
    metadata = SKELETONS[".js"].texts["Untitled.json"]
    renamed = JAVASCRIPT.renamed_further_text(metadata, "Untitled.js", "my \\ hills.js")
    settings = json.loads(renamed)["settings"]
    assert settings["Script"] == "my \\ hills.js"
    assert settings["Name"] == "My \\ hills"
    with_old_script = renamed.replace("my \\\\ hills.js", "Untitled.js")
    assert with_old_script.replace("My \\\\ hills", "Untitled") == metadata
    assert JAVASCRIPT.renamed_further_text(metadata, "other.js", "hills.js") == metadata
    for old_name, new_name, title in (
        ("Untitled.js", "my_hügel.js", "My hügel"),
        ("my_hügel.js", 'say "x".js', 'Say "x"'),
        ('say "x".js', "moor.js", "Moor"),
    ):
        metadata = JAVASCRIPT.renamed_further_text(metadata, old_name, new_name)
        settings = json.loads(metadata)["settings"]
        assert (settings["Script"], settings["Name"]) == (new_name, title)
