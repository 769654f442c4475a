"""Installed scripts stand in the catalogue; where no game is found, the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.model.problems import Problem
from randomizer.systems.zeroad.script_host import HOST
from tests.randomizer.systems.zeroad.given_places import find_games_only_in


@pytest.fixture(autouse=True)
def _only_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find_games_only_in(tmp_path, monkeypatch)


def test_installed_scripts_are_entries_and_broken_metadata_problems(tmp_path: Path) -> None:
    scripts = tmp_path / "game/mods/public/maps/random"
    scripts.mkdir(parents=True)
    said = {"Name": "Bay", "Script": "bay.js", "Description": "A bay.", "Keywords": ["hidden"]}
    (scripts / "bay.json").write_text(json.dumps({"settings": said}))
    (scripts / "broken.json").write_text('{"settings": {}}')
    (scripts / "bay.js").write_text("let bay;")
    (entry, *problems) = HOST.entries()
    assert isinstance(entry, CatalogEntry)
    assert (entry.origin, entry.path) == ("0 A.D.", "maps/random/bay.json")
    assert entry.hidden
    assert entry.preview() is None
    assert entry.generator().text == "let bay;"
    assert all(isinstance(problem, Problem) for problem in problems)
    assert len(problems) == 2
    assert HOST.reason_without_scripts() == ""
    assert HOST.is_mod(tmp_path / "game")


def test_without_a_game_the_reason_is_said(tmp_path: Path) -> None:
    assert list(HOST.entries()) == []
    assert "0 A.D. was not found" in HOST.reason_without_scripts()
    assert not HOST.is_mod(tmp_path)
