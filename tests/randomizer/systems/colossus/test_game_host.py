"""Colossus as the game of its system, and where a battleland comes from, in words."""

from __future__ import annotations

from pathlib import Path

from randomizer.catalog.systems import game_host
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.systems.colossus.game_on_disk import make_game
from tests.systems import system_like


def test_a_system_has_the_game_that_plays_it_or_none() -> None:
    host = game_host(SYSTEM)
    assert host is not None
    assert host.title == "Colossus"
    assert game_host(system_like(SYSTEM, name="chess")) is None


def test_where_battlelands_come_from(tmp_path: Path) -> None:
    host = game_host(SYSTEM)
    assert host is not None
    game = host.open_game(make_game(tmp_path / "game"))
    words = {
        (variant.name, terrain.name): host.origin(variant, terrain)
        for variant in game.variants()
        for terrain in variant.slots
    }
    assert words["Default", "Brush"] == "in the jar"
    assert words["Default", "Plains"] == "from a file"
    assert words["Default", "Tower"] == "no battleland"
    assert words["Badlands", "Plains"] == "from a file of Default"
    assert words["BadlandsJDG", "Fort"] == "from Badlands, in the jar"
