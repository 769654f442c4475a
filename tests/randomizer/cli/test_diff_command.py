"""``randomizer diff`` tells what differs, ends as ``diff`` does, and works inside git."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from randomizer.catalog.map_formats import format_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import free_map
from tests.randomizer.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[3]

BOARD = """\
size 3 2
hex 0101 0 "" "grass"
hex 0201 1 "woods:1" "grass"
hex 0301 0 "" "grass"
hex 0102 0 "water:1" "grass"
hex 0202 0 "" "grass"
hex 0302 2 "rough:1" "grass"
end
"""


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "vale.board"
    path.write_text(BOARD)
    return path


@pytest.fixture
def changed_board(tmp_path: Path) -> Path:
    path = tmp_path / "vale-2.board"
    path.write_text(BOARD.replace('hex 0202 0 ""', 'hex 0202 3 "woods:1"'))
    return path


def write_project(path: Path, battlemap: BattleMap) -> Path:
    project = format_named("project")
    assert project is not None
    path.write_bytes(project.write(battlemap))
    return path


def country() -> BattleMap:
    """A free map of 5 x 4 hexes with a second layer and a town."""
    battlemap = free_map(FLAT, 5, 4)
    town = Thing(1, "town", *battlemap.grid.centre(7), label="Bree")
    battlemap.layers.append(Layer(2, "Towns", things=Things([town])))
    battlemap.note_ids([town.id])
    return battlemap


def test_equal_maps(randomizer: Run, board: Path) -> None:
    copy = board.with_name("copy.board")
    copy.write_text(BOARD)
    result = randomizer("diff", board, copy)
    assert (result.code, result.text, result.err) == (0, "", "")


def test_a_changed_hex_is_a_line(randomizer: Run, board: Path, changed_board: Path) -> None:
    result = randomizer("diff", board, changed_board)
    assert result.code == 1
    assert result.text.splitlines() == [
        "layer Map: 1 cell differs",
        '0202: clear "grass" 0 | woods:1 "grass" 3',
    ]


def test_only_what_is_shown(randomizer: Run, board: Path, changed_board: Path) -> None:
    result = randomizer("diff", "--shown", board, changed_board)
    assert (result.code, result.text) == (1, '0202: clear "grass" 0 | woods:1 "grass" 3\n')


def test_other_formats_of_one_map_are_equal(randomizer: Run, board: Path) -> None:
    project = board.with_suffix(".battlemap")
    assert randomizer("convert", board, project).code == 0
    assert randomizer("diff", board, project).code == 0
    tmx = board.with_suffix(".tmx")
    assert randomizer("convert", board, tmx).code == 0
    assert randomizer("diff", "--shown", board, tmx).text == ""


def test_whether_they_differ(randomizer: Run, board: Path, changed_board: Path) -> None:
    result = randomizer("diff", "--brief", board, changed_board)
    assert (result.code, result.text) == (1, f"{board} and {changed_board} differ\n")
    assert randomizer("diff", "--brief", board, board).text == ""


def test_json_for_programs(randomizer: Run, board: Path, changed_board: Path) -> None:
    result = randomizer("diff", "--format", "json", board, changed_board)
    assert result.code == 1
    answer = json.loads(result.text)
    assert answer["equal"] is False
    assert answer["count"] == 2
    layer, cell = answer["differences"]
    assert layer == {
        "kind": "layer",
        "name": "Map",
        "ours": {},
        "theirs": {},
        "counts": {"cell": 1},
    }
    assert cell == {
        "kind": "cell",
        "name": "0202",
        "ours": {"terrain": 'clear "grass"', "elevation": 0},
        "theirs": {"terrain": 'woods:1 "grass"', "elevation": 3},
    }
    equal = json.loads(randomizer("diff", "--format", "json", board, board).text)
    assert (equal["equal"], equal["count"], equal["differences"]) == (True, 0, [])


def test_layers_that_nobody_sees_differ_too(randomizer: Run, tmp_path: Path) -> None:
    ours = write_project(tmp_path / "ours.battlemap", country())
    changed = country()
    changed.layers[1].visible = False
    changed.layers[1].things = Things([])
    hidden = Layer(3, "Plans", visible=False, secret=True)
    changed.layers.append(hidden)
    theirs = write_project(tmp_path / "theirs.battlemap", changed)
    lines = randomizer("diff", ours, theirs).text.splitlines()
    assert lines[0] == "layer Towns: visible | hidden; 1 thing differs"
    assert lines[1].startswith("layer Plans: none | ")
    assert "hidden" in lines[1]
    assert lines[2].startswith("thing 1: town “Bree” of ")
    assert len(lines) == 3

    # A cell below another layer is not seen; the layer differs all the same.
    covered = country()
    covered.layers[0].visible = False
    below = country()
    below.layers[0].visible = False
    set_values(below, below.layers[0].id, "terrain", [3], 2).apply(below)
    ours = write_project(ours, covered)
    theirs = write_project(theirs, below)
    name = covered.layers[0].name
    assert randomizer("diff", ours, theirs).text == f"layer {name}: 1 cell differs\n"
    shown = randomizer("diff", "--shown", ours, theirs)
    assert (shown.code, shown.text, shown.err) == (0, "", ""), "layers were only left out"


def test_order_of_layers_records_and_terrains(randomizer: Run, tmp_path: Path) -> None:
    ours = country()
    theirs = country()
    theirs.layers.reverse()
    ours.records["camera"] = MapRecord('{"x": 1, "y": [1, 2]}', is_json=True)
    theirs.records["camera"] = MapRecord('{"x": 2, "y": [1, 2, 3]}', is_json=True)
    ours.records["story"] = MapRecord("Once\nupon\na time")
    theirs.records["story"] = MapRecord("Once\nbelow\na time")
    theirs.records["song"] = MapRecord("la")
    our_file = write_project(tmp_path / "ours.battlemap", ours)
    their_file = write_project(tmp_path / "theirs.battlemap", theirs)
    names = [layer.name for layer in ours.layers]
    assert randomizer("diff", our_file, their_file).text.splitlines() == [
        f'layers: order ["{names[0]}", "{names[1]}"] | order ["{names[1]}", "{names[0]}"]',
        "record camera.x: 1 | 2",
        "record camera.y: 2 entries | 3 entries",
        "record story: line 2, “upon” | line 2, “below”",
        "record song: none | 2 bytes",
    ]


def test_maps_of_other_sizes_and_systems(
    randomizer: Run, board: Path, script: Path, tmp_path: Path
) -> None:
    larger = tmp_path / "larger.board"
    further_row = """\
hex 0103 0 "" "grass"
hex 0203 0 "" "grass"
hex 0303 0 "" "grass"
end
"""
    larger.write_text(BOARD.replace("size 3 2", "size 3 3").replace("end\n", further_row))
    result = randomizer("diff", board, larger)
    assert result.code == 1
    assert result.text == "grid: 3 x 2 flat | 3 x 3 flat\n"
    pond = tmp_path / "Pond.xml"
    assert randomizer("roll", script, "--seed", "1", "--out", pond).code == 0
    result = randomizer("diff", board, pond)
    assert (result.code, result.text) == (1, "system: Free map | Colossus battleland\n")


def test_a_map_on_one_side_only(randomizer: Run, board: Path) -> None:
    result = randomizer("diff", "/dev/null", board)
    assert (result.code, result.text) == (1, f"{board}: only there, free map, 3 x 2, 1 layer\n")
    answer = json.loads(randomizer("diff", board, "/dev/null", "--format", "json").text)
    assert (answer["equal"], answer["count"]) == (False, None)


@pytest.mark.parametrize("content", [None, b"no map at all", b"AREA D4 HAZARDS Bog\n"])
def test_trouble_is_two(
    randomizer: Run, board: Path, tmp_path: Path, content: bytes | None
) -> None:
    other = tmp_path / "other.rnd"
    if content is not None:
        other.write_bytes(content)
    result = randomizer("diff", board, other)
    assert (result.code, result.text) == (2, "")
    assert str(other) in result.err


def test_wrong_use_is_two(randomizer: Run, board: Path, tmp_path: Path) -> None:
    assert randomizer("diff", board).code == 2
    assert randomizer("diff", board, board, board).code == 2
    assert randomizer("diff", "/dev/null", "/dev/null").code == 2
    result = randomizer("diff", board, tmp_path)
    assert result.code == 2
    assert "folder" in result.err


def test_terrains_of_files_follow_from_their_cells(randomizer: Run, board: Path) -> None:
    """The last water of a board becomes a ravine: that is one cell, no lost terrain, no level."""
    other = board.with_name("other.board")
    other.write_text(BOARD.replace('hex 0102 0 "water:1"', 'hex 0102 -3 "mud:1"'))
    assert randomizer("diff", board, other).text.splitlines() == [
        "layer Map: 1 cell differs",
        '0102: water:1 "grass" 0 | mud:1 "grass" -3',
    ]


def test_terrains_of_maps_of_ones_own(randomizer: Run, tmp_path: Path) -> None:
    ours = country()
    theirs = country()
    terrains = theirs.terrain_set.terrains
    changed = (replace(terrains[0], colour="#123456"), *terrains[1:-1])
    theirs.terrain_set = replace(theirs.terrain_set, terrains=changed)
    our_file = write_project(tmp_path / "ours.battlemap", ours)
    their_file = write_project(tmp_path / "theirs.battlemap", theirs)
    lines = randomizer("diff", our_file, their_file).text.splitlines()
    assert lines[0] == f"terrain {terrains[0].name}: colour {terrains[0].colour} | colour #123456"
    assert lines[1].startswith(f"terrain {terrains[-1].name}: colour ")
    assert lines[1].endswith(" | none")
    assert len(lines) == 2


def test_files_that_differ_in_what_no_map_has(randomizer: Run, board: Path) -> None:
    other = board.with_name("other.board")
    other.write_text("# with a comment\n" + BOARD)
    result = randomizer("diff", board, other)
    assert (result.code, result.text) == (0, "")
    assert "The files differ" in result.err


# --- git ------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path, board: Path) -> Path:
    """A repository with a map that has changed, one that is new, and one that is no map."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (tmp_path / "maps").mkdir()
    board.rename(tmp_path / "maps" / "vale.board")
    (tmp_path / "README.txt").write_text("A vale\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(tmp_path, *who, "commit", "--quiet", "-m", "A vale")
    changed = BOARD.replace('hex 0202 0 ""', 'hex 0202 3 "woods:1"')
    (tmp_path / "maps" / "vale.board").write_text(changed)
    (tmp_path / "README.txt").write_text("A wooded vale\n")
    (tmp_path / "maps" / "hill.board").write_text(BOARD)
    git(tmp_path, "add", "--intent-to-add", ".")
    return tmp_path


def git(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run git as a person with no settings of his own would."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        **variables,
    }
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


DIFF = f"{shlex.quote(sys.executable)} -m randomizer diff"


def test_git_calls_it_for_every_file(repository: Path) -> None:
    result = git(repository, "diff", GIT_EXTERNAL_DIFF=DIFF)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("README.txt: not compared, ")
    assert lines[1] == "maps/hill.board: only there, free map, 3 x 2, 1 layer"
    assert lines[2:] == [
        "maps/vale.board: 2 differences",
        "  layer Map: 1 cell differs",
        '  0202: clear "grass" 0 | woods:1 "grass" 3',
    ]


def test_git_difftool_names_the_file(repository: Path) -> None:
    tool = f'{DIFF} --path "$MERGED"'
    result = git(repository, "difftool", "-y", "-x", tool, "HEAD", "--", "maps/vale.board")
    assert result.returncode == 0, result.stderr
    assert "maps/vale.board: 2 differences" in result.stdout


def test_a_driver_of_gitattributes(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.board diff=battlemap\n")
    driver = ("-c", f"diff.battlemap.command={DIFF}")
    result = git(repository, *driver, "diff", "--", "maps/vale.board", "README.txt")
    assert "-A vale" in result.stdout.splitlines()
    assert '  0202: clear "grass" 0 | woods:1 "grass" 3' in result.stdout.splitlines()


def test_an_old_version_finds_its_tilesets(repository: Path, randomizer: Run) -> None:
    """Git hands out the old version as a copy in a folder without the tileset that it names."""
    folder = repository / "maps"
    assert randomizer("convert", folder / "hill.board", folder / "hill.tmx").code == 0
    git(repository, "add", ".")
    old = (folder / "hill.tmx").read_text()
    first_row = old.partition('<data encoding="csv">\n')[2].splitlines()[0]
    cells = first_row.split(",")
    changed_row = ",".join([cells[1], cells[0], *cells[2:]])
    assert changed_row != first_row
    (folder / "hill.tmx").write_text(old.replace(first_row, changed_row, 1))
    result = git(repository, "diff", "--", "maps/hill.tmx", GIT_EXTERNAL_DIFF=DIFF)
    assert result.returncode == 0, result.stderr
    assert "terrain " not in result.stdout
    assert "maps/hill.tmx: " in result.stdout


def test_a_renamed_map_and_an_exit_code_for_git(
    randomizer: Run, board: Path, changed_board: Path
) -> None:
    versions = (board, "0a", "100644", changed_board, "0b", "100644")
    renamed = ("old.board", *versions, "new.board", "similarity index 90%")
    result = randomizer("diff", *renamed)
    assert result.code == 0
    assert result.text.splitlines()[0] == "new.board: 2 differences"
    assert randomizer("diff", "--exit-code", *renamed).code == 1
    same = ("old.board", board, "0a", "100644", board, "0a", "100644")
    assert randomizer("diff", "--exit-code", *same).code == 0
    broken = ("old.board", board, "0a", "100644", board.parent, "0a", "100644")
    assert randomizer("diff", "--exit-code", *broken).code == 2
    assert randomizer("diff", *broken).code == 0


def test_a_map_with_conflicts_in_git(
    randomizer: Run, board: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIFF_PATH_TOTAL", "1")
    result = randomizer("diff", board)
    assert (result.code, result.text) == (0, f"{board}: not merged yet\n")
