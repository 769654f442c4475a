"""``randomizer learn`` writes a script from maps, and names what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run


def test_a_folder_of_maps_becomes_a_script(randomizer: Run, script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Ponds"
    folder.mkdir()
    made = randomizer("roll", script, "--seed", "1", "--count", "6", "--out", folder)
    assert made.code == 0
    (folder / "broken.xml").write_text("<battlemap terrain='Pond' tower='False'><battlehex")
    out = tmp_path / "new.rnd"
    result = randomizer("learn", folder, "--out", out, "--seconds", "1")
    assert result.code == 0
    assert "broken.xml" in result.err
    assert "learned from 6 maps" in result.err
    assert 'TITLE "Ponds"' in out.read_text()
    assert randomizer("check", out).code == 0
    assert randomizer("roll", out, "--seed", "1").code == 0


def test_a_folder_without_battlelands_is_refused(randomizer: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<battlemap")
    out = tmp_path / "new.rnd"
    result = randomizer("learn", tmp_path / "broken.xml", "--out", out)
    assert result.code == 1
    assert "no battleland to learn from" in result.err
    assert not out.exists()


def test_a_map_that_is_read_is_not_replaced(randomizer: Run, script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Ponds"
    assert randomizer("roll", script, "--count", "2", "--out", folder / "").code == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = randomizer("learn", folder, "--out", max(before), "--seconds", "1")
    assert result.code == 1
    assert "this is the file that is read" in result.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_learned(
    randomizer: Run, script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file = tmp_path / "pond.xml"
    assert randomizer("roll", script, "--out", map_file).code == 0
    monkeypatch.delattr("randomizer.cli.learn.learn")
    result = randomizer("learn", map_file, "--out", tmp_path / "nowhere" / "new.rnd")
    assert result.code == 1
    assert "the folder is not there" in result.err


def test_closeness_is_a_share(randomizer: Run, tmp_path: Path) -> None:
    result = randomizer("learn", "x.xml", "--out", tmp_path / "x.rnd", "--closeness", "2")
    assert result.code == 2
    assert "a number from 0 to 1" in result.err
