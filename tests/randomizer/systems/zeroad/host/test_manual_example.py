"""The script and the metadata in the manual make a map."""

from __future__ import annotations

import re
from pathlib import Path

from randomizer.generator import DrawKey
from randomizer.model.metadata import check_metadata
from randomizer.systems.zeroad.map_settings import map_settings
from randomizer.systems.zeroad.validation import read_map_data

from .conftest import Run

PAGE = Path(__file__).parents[5] / "docs" / "manual" / "map-scripts.md"


def test_the_example_of_the_manual_makes_a_map(run: Run) -> None:
    code = dict(
        re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    )
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
