"""``randomizer replace`` writes maps in place, or leaves them as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run


@pytest.fixture
def pond(randomizer: Run, script: Path, tmp_path: Path) -> Path:
    path = tmp_path / "maps" / "Pond.xml"
    path.parent.mkdir()
    assert randomizer("roll", script, "--seed", "1", "--out", path).code == 0
    return path


def test_a_map_is_written_in_place_and_its_old_content_kept(randomizer: Run, pond: Path) -> None:
    before = pond.read_bytes()
    result = randomizer("replace", "--terrain", "Volcano=Stone", "--terrain", "Lake=Bog", pond)
    assert (result.code, result.text) == (0, f"{pond}: 2 values replaced\n")
    lines = randomizer("show", pond).text
    assert "D6 Stone" in lines
    assert "D4 Bog" in lines
    kept = [*pond.parent.glob(".battlelands-backups/*/*.xml")]
    assert [file.read_bytes() for file in kept] == [before]


def test_every_map_of_a_folder(randomizer: Run, pond: Path) -> None:
    project = pond.with_name("Pond.battlemap")
    assert randomizer("convert", pond, project).code == 0
    (pond.parent / "notes.txt").write_text("no map")
    result = randomizer("replace", "--terrain", "Volcano=Stone", pond.parent, pond)
    assert result.code == 0
    assert result.text.splitlines() == [
        f"{project}: 1 value replaced",
        f"{pond}: 1 value replaced",
    ]


def test_a_dry_run_writes_nothing(randomizer: Run, pond: Path) -> None:
    before = pond.read_bytes()
    result = randomizer("replace", "--dry-run", "--terrain", "Volcano=Stone", pond)
    assert (result.code, result.text) == (0, f"{pond}: 1 value would be replaced\n")
    assert pond.read_bytes() == before
    assert [*pond.parent.iterdir()] == [pond]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--terrain", "Volcan=Bog"], "no terrain “Volcan”; did you mean “Volcano”?"),
        (["--terrain", "Volcano=Moor"], "no terrain “Moor”"),
        (["--terrain", "Volcano=Moor", "--add"], "cannot have another terrain set"),
        (["--way", "Road=Track"], "no way “Road”"),
    ],
)
def test_a_map_that_cannot_be_changed_stays_and_is_named(
    randomizer: Run, pond: Path, option: list[str], message: str
) -> None:
    before = pond.read_bytes()
    result = randomizer("replace", *option, pond)
    assert result.code == 1
    assert f"{pond}: error: " in result.err
    assert message in result.err
    assert pond.read_bytes() == before


def test_wrong_use(randomizer: Run, pond: Path, tmp_path: Path) -> None:
    assert randomizer("replace", pond).code == 2
    assert randomizer("replace", "--terrain", "Bog", pond).code == 2
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "missing.xml"):
        assert randomizer("replace", "--terrain", "Bog=Lake", path).code == 1
