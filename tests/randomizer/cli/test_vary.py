"""``randomizer vary``: what it writes, and what it says where there are fewer."""

from __future__ import annotations

import pytest

from randomizer.cli.output import BAD_INPUT, FINE
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from tests.randomizer.variations.few_moves import make_few_moves


@pytest.fixture
def swamp(randomizer, tmp_path, monkeypatch):
    """A battleland, and a program that does not look for long."""
    make_few_moves(monkeypatch)
    path = tmp_path / "Moor.xml"
    assert randomizer("roll", "Swamp", "--seed", "7", "--out", path).code == FINE
    return path


def terrain_of(path):
    return XML.read(path.read_bytes(), path.name).battlemap.composite(1).planes["terrain"].ravel()


def test_each_variation_is_a_file_and_keeps_the_locks(randomizer, swamp, tmp_path):
    for folder in ("one", "two"):
        options = ("--number", "2", "--share", "10", "--seed", "3", "--lock", "D4", "--fair", "100")
        said = randomizer("vary", swamp, "--out", tmp_path / folder, *options)
        assert said.code == FINE
    names = [f"Moor-3-{number}.xml" for number in range(2)]
    assert sorted(file.name for file in (tmp_path / "one").iterdir()) == names
    original = terrain_of(swamp)
    made = [terrain_of(tmp_path / "one" / name) for name in names]
    for name, terrain in zip(names, made, strict=True):
        assert sorted(terrain) == sorted(original)
        assert terrain[CELL_OF_HEX[HEX_OF_LABEL["D4"]]] == original[CELL_OF_HEX[HEX_OF_LABEL["D4"]]]
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


def test_fewer_than_were_asked_for_is_said_with_the_reason(randomizer, tmp_path):
    bare = tmp_path / "Bare.xml"
    bare.write_bytes(b'<battlemap terrain="Plains" tower="False" subtitle="">\n</battlemap>\n')
    said = randomizer("vary", bare, "--out", tmp_path / "none")
    assert said.code == BAD_INPUT
    assert "0 can come to look different" in said.err
    assert not (tmp_path / "none").exists()


def test_maps_of_other_kinds_have_none(randomizer, tmp_path):
    world = tmp_path / "table.json"
    assert randomizer("roll", "Cordery", "--out", world, "--seed", "1").code == FINE
    said = randomizer("vary", world, "--out", tmp_path / "none")
    assert said.code == BAD_INPUT
    assert "battlelands and free maps" in said.err
