"""``--set symmetry=turn2``: rolled maps are symmetric; odds and find say that theirs are not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from randomizer.geometry.symmetry import best_centre
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.files.project import read_project
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.cli.conftest import Run

HALF_TURN = ("--set", "symmetry=turn2")
BEFORE = "These are maps before they are made symmetric."


def test_a_map_and_each_of_many_maps_is_symmetric(randomizer: Run, script: Path) -> None:
    grid = SYSTEM.new_grid()
    twins = best_centre(grid, "turn2").images(grid, np.array(CELL_OF_HEX))
    twins = twins[:, (twins >= 0).all(axis=0)]
    assert twins.shape[1] > 20
    names = dict(zip(CELL_OF_HEX, LABELS, strict=True))
    said = randomizer("roll", script, "--seed", 5, "--count", 3, "--format", "json", *HALF_TURN)
    assert said.code == 0
    hexes = [json.loads(line)["hexes"] for line in said.text.splitlines()]
    assert len(hexes) == 3
    usual = ["Plains", 0]
    for shown in hexes:
        for cell, twin in twins.T.tolist():
            assert shown.get(names[cell], usual)[:2] == shown.get(names[twin], usual)[:2]
    one = randomizer("roll", script, "--seed", 5, "--number", 2, "--format", "json", *HALF_TURN)
    assert json.loads(one.text)["hexes"] == hexes[2]


def test_a_project_keeps_the_setting(randomizer: Run, script: Path, tmp_path: Path) -> None:
    out = tmp_path / "pond.battlemap"
    said = randomizer("roll", script, "--seed", 5, "--set", "symmetry=mirror1", "--out", out)
    assert said.code == 0
    battlemap = read_project(out.read_bytes()).battlemap
    assert isinstance(battlemap, BattleMap)
    roll = battlemap.layers[-1].roll
    assert roll is not None
    assert roll.settings == {"symmetry": "mirror1"}


def test_odds_and_find_speak_of_the_maps_before_it(randomizer: Run, script: Path) -> None:
    for command in (("odds", script), ("find", script, "--where", "D4 = Lake", "--limit", "3")):
        plain = randomizer(*command)
        symmetric = randomizer(*command, *HALF_TURN)
        assert symmetric.code == 0
        assert symmetric.text == plain.text
        assert BEFORE not in plain.err
        assert symmetric.err.splitlines()[-1] == BEFORE


def test_a_wrong_symmetry_and_locks_are_told_in_words(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--set", "symmetry=round")
    assert said.code == 2
    assert "symmetry cannot be round (expected: like turn2)" in said.err
    said = randomizer("roll", script, "--lock", "D4=Lake", "--force", "--seed", 1, *HALF_TURN)
    assert said.code == 1
    assert "cannot keep what is locked" in said.err


def test_the_list_of_settings_names_it(randomizer: Run) -> None:
    record = json.loads(randomizer("list", "--json").text)
    by_system = {each["system"]: each["settings"] for each in record["generators"]}
    named = {name for name, own in by_system.items() if "symmetry" in [e["name"] for e in own]}
    assert named >= {"colossus", "cordery", "free"}
    assert not named & {"xconq", "zeroad"}
