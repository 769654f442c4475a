"""A table as JSON is read back unchanged; as text a person can set it up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.formats.provenance import Provenance
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table_files import JSON, TEXT
from tests.randomizer.systems.cordery.built_tables import base_of


def rolled(kind: str = "hex", seed: int = 7, **chosen: object) -> BattleMap:
    base = base_of(kind, 9, 8)
    made = run(CorderyGenerator(), chosen, DrawKey(seed, 0), base)
    assert made is not None
    return BattleMap.new(SYSTEM, base.grid, made.layers)


@given(st.sampled_from(("square", "hex")), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_a_table_comes_back_from_json_as_it_was(kind: str, seed: int) -> None:
    battlemap = rolled(kind, seed, relief="hilly", railways=1, lakes=True, road="track")
    again = JSON.read(JSON.write(battlemap, Provenance(seed, 0, ""))).battlemap
    assert again is not None
    assert again.grid.layout is battlemap.grid.layout
    for name, plane in battlemap.composite().planes.items():
        assert np.array_equal(plane, again.composite().planes[name]), name


def test_the_json_has_the_dice_and_the_seed() -> None:
    record = json.loads(JSON.write(rolled(), Provenance(7, 0, "")))
    assert (record["table"], record["width"], record["height"]) == ("hex", 9, 8)
    assert (record["seed"], record["number"]) == (7, 0)
    assert any(line.startswith("1.1 ") for line in record["dice"])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"table": "round"}',
        b'{"table": "hex", "width": 0, "height": 8}',
        b'{"table": "hex", "width": 9, "height": 1e9}',
        b'{"table": "hex", "width": 9, "height": true}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": []}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": {"9999": {}}}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": {"0101": {"ground": "Sea"}}}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": {"0101": {"road": ["up"]}}}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": {"0101": {"contours": true}}}',
        b'{"table": "hex", "width": 9, "height": 8, "areas": {"0101": {"place": 65535}}}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_table_is_refused_in_words(data: bytes) -> None:
    result = JSON.read(data, "a.json")
    assert result.battlemap is None
    assert result.problems[0].message.startswith("This is no wargame table")


def test_the_text_lists_every_area_that_is_not_open_ground() -> None:
    battlemap = rolled(relief="hilly", railways=1)
    text = TEXT.write(battlemap).decode()
    planes = battlemap.composite().planes
    for cell in battlemap.grid.cells.tolist():
        name = SYSTEM.cell_name(battlemap.grid, cell)
        something = any(planes[spec.name].flat[cell] for spec in SYSTEM.shown_planes)
        assert (f"\n  {name}  " in text) == something
    assert "\nRow 8\n" in text
    assert "\nDice\n  1.1 Hilly country: D6 = " in text


def test_hidden_layers_are_not_laid_out() -> None:
    battlemap = rolled(relief="hilly")
    battlemap.layers[0].visible = False
    areas = TEXT.write(battlemap).decode().split("\nDice\n")[0]
    assert "hill" not in areas
