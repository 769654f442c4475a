"""What the check of a script says, its roll says too: the same problem, with its file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.catalog.script_files import read_further_texts
from randomizer.catalog.scripts import check_script
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.script_generator import from_texts
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

SCRIPT = """
function* GenerateMap(settings)
{
	%s;
	const size = settings.Size;
	const entity = {
		"id": 150, "templateName": "gaia/tree", "player": 0,
		"position": { "x": 3, "y": 0, "z": 3 }, "rotation": { "x": 0, "y": 1, "z": 0 }
	};
	%s;
	return {
		size, "seaLevel": 20, "textureNames": ["grass"], "entities": [entity],
		"height": new Uint16Array((size + 1) ** 2).fill(2300),
		"tileData": { "index": new Uint16Array(size ** 2), "priority": new Uint16Array(size ** 2) }
	};
}
"""
METADATA = {"Name": "Bay", "Script": "bay.js", "Description": "A bay.", "CircularMap": False}


@pytest.fixture(autouse=True)
def game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where a test can install a game; else there is none."""
    pytest.importorskip("py_mini_racer")
    find_games_only_in(tmp_path, monkeypatch)
    return tmp_path / "game/mods/public"


def write(folder: Path, progress: str = "yield 50", line: str = "", **settings: object) -> Path:
    (folder / "bay.json").write_text(json.dumps({"settings": {**METADATA, **settings}}, indent=1))
    path = folder / "bay.js"
    path.write_text(SCRIPT % (progress, line))
    return path


def check(path: Path) -> tuple[Problem, ...]:
    text = path.read_text()
    return check_script(text, path.name, texts=read_further_texts(path, text), path=str(path))


def roll(path: Path) -> tuple[Problem, ...]:
    """The notes of a roll for two players, or its errors."""
    text = path.read_text()
    generator = from_texts(text, path.name, read_further_texts(path, text), str(path))
    base = Base.under(BattleMap.new(SYSTEM, Grid(SQUARE, 16, 16)), 0)
    try:
        generated = run(generator, {"Size": 16}, DrawKey(3, 1), base)
    except ProblemError as failed:
        return failed.problems
    assert generated is not None
    return generated.notes


def test_a_good_script_has_no_problems(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert check(path) == ()
    assert roll(path) == ()


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"PlayerData": [None, {"Civ": "athen", "Diplomacy": "x"}]}, 11),
        ({"PlayerData": [{"Civ": "athen", "Color": {"r": "x"}}]}, 10),
        ({"BaseTerrain": "grass"}, 7),
    ],
)
def test_metadata_of_the_wrong_kind(tmp_path: Path, settings: dict[str, object], line: int) -> None:
    path = write(tmp_path, **settings)
    (problem,) = check(path)
    assert (problem.path, problem.line) == (str(tmp_path / "bay.json"), line)
    assert roll(path) == (problem,)


@pytest.mark.parametrize(
    ("progress", "code"),
    [
        ("yield 0", "script-progress"),
        ("yield (0.5); yield 60", "script-progress"),
        ("yield 0.5; yield 60", "script-progress"),
        (
            "yield 0.5\n\tMath.sqrt(2); yield 60",
            "script-progress",
        ),  # no semicolon at the end of its line
        ("yield 20; Engine.SetProgress(30.5)", "script-progress"),
        ("yield g_MapSettings.Size", "script-deprecated"),
    ],
)
def test_what_the_text_shows(tmp_path: Path, progress: str, code: str) -> None:
    path = write(tmp_path, progress)
    problems = [each for each in check(path) if each.code == code]
    assert problems
    assert (problems[0].path, problems[0].line) == (str(path), 4)
    assert roll(path) == check(path)


def test_a_progress_that_is_worked_out_is_seen_by_the_roll(tmp_path: Path) -> None:
    path = write(tmp_path, "for (const third of [1, 2]) yield 100 * third / 3")
    assert check(path) == ()
    (problem,) = roll(path)
    assert (problem.severity, problem.code, problem.path) == (
        Severity.HINT,
        "script-progress",
        str(path),
    )
    assert "33.3" in problem.message


def test_a_syntax_error_is_one_problem(tmp_path: Path) -> None:
    path = write(tmp_path, "yield 50", "const = 3")
    errors = [each for each in check(path) if each.severity is Severity.ERROR]
    assert list(roll(path)) == errors


@pytest.mark.parametrize(
    ("line", "words", "severity"),
    [
        ("entity.player = 9", "player is 9, but the map has 2 players", Severity.WARNING),
        ("entity.rotation.x = 0.5", "rotation.x is 0.5: the game ignores it", Severity.HINT),
        ("entity.position.y = 7", "position.y is 7: the game ignores it", Severity.HINT),
    ],
)
def test_entities_that_the_game_reads_otherwise(
    tmp_path: Path, line: str, words: str, severity: Severity
) -> None:
    (problem,) = roll(write(tmp_path, line=line))
    assert words in problem.message
    assert (problem.severity, problem.path) == (severity, str(tmp_path / "bay.js"))


MAINLAND = {
    "0.26": 'Engine.LoadLibrary("rmgen");\nEngine.ExportMap(g_Map.getData());\n',
    "0.27": "function* GenerateMap(mapSettings)\n{\n}\n",
    "0.28": "export function* generateMap(mapSettings)\n{\n}\n",
}


@pytest.mark.parametrize("release", MAINLAND)
def test_a_script_in_the_form_of_another_release(game: Path, tmp_path: Path, release: str) -> None:
    (game / "maps/random").mkdir(parents=True)
    (game / "maps/random/mainland.js").write_text(MAINLAND[release])
    path = write(tmp_path)
    problems = check(path)
    assert roll(path) == problems
    if release == "0.27":
        assert problems == ()
        return
    (problem,) = problems
    assert (problem.code, problem.line, problem.severity) == ("script-form", 2, Severity.WARNING)
    assert f"for 0 A.D. 0.27; the one that is installed wants the form of {release}" in (
        problem.message
    )
