"""``randomizer export``: the plan in words, the export with ``--yes``, and taking it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run
from tests.randomizer.systems.colossus.game_on_disk import make_game


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return make_game(tmp_path / "game")


@pytest.fixture
def rolled(randomizer: Run, script: Path, tmp_path: Path) -> Path:
    path = tmp_path / "rolled.xml"
    assert randomizer("roll", script, "--seed", 1, "--out", path).code == 0
    return path


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def places(game: Path, variant: str, terrain: str) -> tuple[str | Path, ...]:
    return ("--game", game, "--variant", variant, "--terrain", terrain)


def test_without_yes_the_plan_is_printed_and_nothing_is_written(
    randomizer: Run, game: Path, rolled: Path
) -> None:
    before = tree(game)
    said = randomizer("export", rolled, *places(game, "BadlandsJDG", "Plains"))
    assert said.code == 0
    target = game / "BadlandsJDG" / "Battlelands" / "Plains.xml"
    assert said.text.startswith(f"replaces {target} (the battleland of Plains, ")
    assert said.text.endswith("Nothing was written; with --yes it will be.\n")
    assert tree(game) == before


def test_with_yes_it_is_done_and_can_be_taken_back(
    randomizer: Run, game: Path, rolled: Path
) -> None:
    before = tree(game)
    said = randomizer("export", rolled, *places(game, "Default", "Plains"), "--yes")
    assert said.code == 0
    assert "Done; the receipt is " in said.text
    target = game / "Default" / "Battlelands" / "Plains.xml"
    assert b'terrain="Lake"' in target.read_bytes()
    asked = randomizer("export", "--take-back", "--game", game)
    assert asked.code == 0
    assert f"restores {target}\n" in asked.text
    assert asked.text.endswith("Nothing was changed; with --yes it will be.\n")
    assert b'terrain="Lake"' in target.read_bytes()
    said = randomizer("export", "--take-back", "--game", game, "--yes")
    assert said.code == 0
    assert "Taken back: the export of Plains into Default" in said.text
    after = tree(game)
    assert {name: after[name] for name in before} == before
    said = randomizer("export", "--take-back", "--game", game, "--yes")
    assert said.code == 1
    assert said.err == f"{game}: error: there is no export that could be taken back\n"


def test_a_new_variant_is_made_and_removed_again(randomizer: Run, game: Path, rolled: Path) -> None:
    said = randomizer("export", rolled, *places(game, "MyOwn", "Swamp"), "--yes")
    assert said.code == 0
    assert "-v MyOwn" in said.text
    assert (game / "MyOwn" / "MyOwnVar.xml").is_file()
    asked = randomizer("export", "--take-back", "--game", game)
    assert f"removes {game / 'MyOwn' / 'MyOwnVar.xml'}\n" in asked.text
    assert randomizer("export", "--take-back", "--game", game, "--yes").code == 0
    assert not (game / "MyOwn").exists()


def test_a_map_of_any_format_is_exported_as_the_game_loads_it(
    randomizer: Run, game: Path, script: Path, tmp_path: Path
) -> None:
    path = tmp_path / "map.json"
    randomizer("roll", script, "--seed", 1, "--out", path)
    assert randomizer("export", path, *places(game, "Default", "Plains"), "--yes").code == 0
    written = game / "Default" / "Battlelands" / "Plains.xml"
    assert written.read_bytes().startswith(b"<?xml")


def test_a_terrain_that_the_variant_lacks_is_a_warning(
    randomizer: Run, game: Path, rolled: Path
) -> None:
    said = randomizer("export", rolled, *places(game, "Default", "Moon"))
    assert said.code == 0
    assert "warning: Default has no terrain “Moon”" in said.err


@pytest.mark.parametrize("name", ["../up", "a/b", "..", "", "con", "a\\b", "x\ny"])
def test_names_are_single_components(randomizer: Run, game: Path, rolled: Path, name: str) -> None:
    before = tree(game)
    for variant, terrain in ((name, "Plains"), ("Default", name)):
        said = randomizer("export", rolled, *places(game, variant, terrain), "--yes")
        assert (said.code, said.out) == (1, b"")
        assert "cannot be the name of a" in said.err
    assert tree(game) == before


def test_what_is_no_game_and_no_map_is_said(
    randomizer: Run, game: Path, rolled: Path, script: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    said = randomizer("export", rolled, *places(empty, "Default", "Plains"))
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith(f"{empty}: error: This is not the game's directory")
    assert randomizer("export", "--take-back", "--game", empty).code == 1
    assert randomizer("export", script, *places(game, "Default", "Plains")).code == 1
    said = randomizer("export", tmp_path / "no.xml", *places(game, "Default", "Plains"))
    assert said.code == 1
    assert "there is no such file" in said.err


def test_the_warnings_of_the_builder_are_said_before_the_plan(
    randomizer: Run, game: Path, tmp_path: Path
) -> None:
    path = tmp_path / "odd.xml"
    path.write_text(
        '<battlemap tower="False"><battlehex x="2" y="2" terrain="Plains" elevation="0">'
        '<border number="0" type="s"/></battlehex></battlemap>'
    )
    said = randomizer("export", path, *places(game, "Default", "Plains"))
    assert said.code == 0
    assert f"{path}: warning: C4, north side: a slope stands on elevation 0\n" in said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "required: --game"),
        (("--game", "x"), "these are missing: MAP"),
        (("map.xml", "--take-back", "--game", "x"), "--take-back takes no MAP"),
        (("--take-back", "--game", "x", "--variant", "y"), "--take-back takes no --variant"),
    ],
)
def test_what_is_missing_or_too_much_is_wrong_use(
    randomizer: Run, arguments: tuple[str, ...], words: str
) -> None:
    said = randomizer("export", *arguments)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer export MAP --game DIR")
    assert words in said.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--terrain", "Plains"), "these are missing: --variant"),
        (("--terrain=Plains",), "these are missing: --variant"),
        ((), "these are missing: --variant, --terrain"),
        (
            ("--terrain", "Plains", "--variant", "Default", "--mod", "x"),
            "Colossus has no places for --mod",
        ),
    ],
)
def test_the_game_of_the_map_says_which_places_are_wanted(
    randomizer: Run, game: Path, rolled: Path, options: tuple[str, ...], words: str
) -> None:
    said = randomizer("export", *options, rolled, "--game", game)
    assert (said.code, said.out) == (2, b"")
    assert words in said.err


def test_a_misspelt_place_is_said_beside_the_missing_one(
    randomizer: Run, game: Path, rolled: Path
) -> None:
    said = randomizer(
        "export", rolled, "--game", game, "--variant", "Default", "--terain", "Plains"
    )
    assert said.code == 2
    assert "these are missing: --terrain; Colossus has no places for --terain\n" in said.err


@pytest.mark.parametrize("misspelt", ["plains", "PLAINS", "Plain"])
def test_a_misspelt_terrain_is_an_error(
    randomizer: Run, game: Path, rolled: Path, misspelt: str
) -> None:
    before = tree(game)
    said = randomizer("export", rolled, *places(game, "Default", misspelt), "--yes")
    assert said.code == 1
    assert f"no terrain “{misspelt}”" in said.err
    assert "did you mean Plains?" in said.err
    assert tree(game) == before
