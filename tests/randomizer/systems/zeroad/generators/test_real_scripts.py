"""The random map scripts of an installed game run and return maps that are in order.

Only where the environment names the installation: ``ZEROAD_DATA=... pytest`` with this file, about
a minute. Nothing of the game is part of the project.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import ScriptResult, run_script
from randomizer.systems.zeroad.generators.map_settings import map_settings
from randomizer.systems.zeroad.installation import listing
from randomizer.systems.zeroad.installation.game_data import game_data
from randomizer.systems.zeroad.installation.game_folders import VARIABLE
from randomizer.systems.zeroad.installation.listing import FoundScript
from randomizer.systems.zeroad.map_format.map_schema import read_map_data

SIZE = 128
PLAYERS = 2


def real_scripts() -> list[FoundScript]:
    if not os.environ.get(VARIABLE):
        return []
    first = None
    found = []
    for listed_script in listing.listed_scripts():
        assert isinstance(listed_script, FoundScript), listed_script
        first = first or listed_script.origin
        if listed_script.origin == first:
            found.append(listed_script)
    assert found, f"{VARIABLE} names no installation with random map scripts"
    return found


SCRIPTS = real_scripts()

pytestmark = pytest.mark.skipif(not SCRIPTS, reason=f"{VARIABLE} names no installation")


def run(found: FoundScript, key: DrawKey) -> ScriptResult:
    pytest.importorskip("py_mini_racer")
    mods = found.installation.mods
    chosen = {"Size": SIZE, "Players": PLAYERS}
    settings = map_settings(found.metadata, chosen, key, game_data(mods))
    running = run_script(Script(found.script_path, found.text), settings, mods)
    percents: list[int] = []
    result: ScriptResult | None = None
    while result is None:
        try:
            percents.append(next(running))
        except StopIteration as end:
            result = end.value
    assert all(0 <= percent <= 99 for percent in percents)
    assert percents == sorted(percents)
    return result


@pytest.mark.parametrize("found", SCRIPTS, ids=lambda found: found.metadata_path)
def test_a_real_script_makes_a_map_in_order(found: FoundScript) -> None:
    result = run(found, DrawKey(1, 0))
    data, problems = read_map_data(result.data, found.script_path)
    assert data is not None, problems
    assert not problems
    assert data.size == SIZE
    assert data.heights.shape == (SIZE + 1, SIZE + 1)
    assert np.isfinite(np.asarray(result.data["height"], float)).all()
    assert data.textures.max() < len(data.texture_names)
    assert data.entities
    owners = {entity.player for entity in data.entities}
    assert owners <= set(range(PLAYERS + 1)) or "demo" in found.script_path
    for entity in data.entities:
        assert -1 <= entity.x <= SIZE + 1
        assert -1 <= entity.z <= SIZE + 1


def test_the_same_seed_makes_the_same_map_and_another_one_another() -> None:
    found = next((each for each in SCRIPTS if each.path.endswith("/mainland.json")), SCRIPTS[0])
    first, again, other = (
        run(found, key).data for key in (DrawKey(3, 1), DrawKey(4, 0), DrawKey(5, 0))
    )
    assert np.array_equal(first["height"], again["height"])
    assert first["entities"] == again["entities"]
    assert first["entities"] != other["entities"]
