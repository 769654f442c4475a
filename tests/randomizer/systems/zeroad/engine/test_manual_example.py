"""The scripts and the metadata in the manual make maps."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import check_metadata
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.map_settings import map_settings
from randomizer.systems.zeroad.map_format.map_schema import read_map_data
from randomizer.systems.zeroad.system import SYSTEM

from .conftest import Run

PAGE = Path(__file__).parents[5] / "docs" / "manual" / "map-scripts.md"


@cache
def examples() -> dict[str, str]:
    """The code on the page, by its language."""
    text = PAGE.read_text("utf-8")
    return dict(re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def test_the_example_in_javascript_makes_a_map(run: Run) -> None:
    code = examples()
    metadata, problems = check_metadata(code["json"])
    assert metadata is not None
    assert problems == ()
    given = map_settings(metadata, {"Size": 128, "Players": 3}, DrawKey(4, 2))
    result = run(code["js"], settings=given)
    data, faults = read_map_data(result.data)
    assert faults == ()
    assert data is not None
    assert (data.size, len(data.entities), len(result.log)) == (128, 3, 3)
    assert data.heights.max() > data.heights.min()


def test_the_example_in_python_makes_a_map() -> None:
    names: dict[str, Any] = {}
    exec(compile(examples()["python"], "hills.py", "exec"), names)  # our own page
    (hills,) = names["packaged"]()
    base = Base.under(BattleMap.new(SYSTEM), 0)
    made = run(hills, {"Size": 128, "Players": 3}, DrawKey(4, 2), base)
    assert made is not None
    things = made.layers[0].things
    assert sum(thing.kind.endswith("/civil_centre") for thing in things.values()) == 3
    for words, count in (("/ore/", 3), ("/rock/", 3), ("/tree/", 180)):
        assert sum(words in thing.kind for thing in things.values()) == count
