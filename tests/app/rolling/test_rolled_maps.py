"""When two setups on two bases have the same maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.rolling.roll_setup import RollSetup
from app.rolling.rolled_maps import RolledMaps
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM
from tests.app.rolling.conftest import setup_of

GRID = SYSTEM.new_grid()
BOG = SYSTEM.terrain_set.terrain_code("Bog")
SAND = SYSTEM.terrain_set.terrain_code("Sand")


def layer(number: int, name: str, *, at: int, code: int) -> Layer:
    spec = SYSTEM.plane("terrain")
    plane = np.full(spec.shape(GRID), spec.unset, spec.dtype)
    plane.reshape(-1)[at] = code
    return Layer(number, name, planes={"terrain": plane})


def maps(
    *, text: str = "TOWER\n", name: str = "One.rnd", seed: int = 1, **changes: object
) -> RolledMaps:
    """Of a script on a ground with one cell of its own, below a rolled layer with another."""
    ground = layer(1, "Ground", at=14, code=changes.get("below", BOG))  # type: ignore[arg-type]
    rolled = layer(2, "Rolled", at=15, code=changes.get("rolled", BOG))  # type: ignore[arg-type]
    if "title" in changes:
        ground.properties["title"] = changes["title"]
    battlemap = BattleMap.new(SYSTEM, GRID, [ground, rolled])
    battlemap.locked_cells.reshape(-1)[changes.get("locked", [])] = True
    return RolledMaps(setup_of(text, name, seed=seed), Base.under(battlemap, 1, 1))


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"name": "Other.rnd"}, True),
        ({"name": "One.js"}, False),
        ({"text": "TITLE Bog\n"}, False),
        ({"seed": 2}, False),
        ({"below": SAND}, False),
        ({"title": "Bog"}, False),
        ({"locked": [14]}, False),
        ({"rolled": SAND}, True),  # it is replaced
    ],
)
def test_maps_are_the_same_if_all_that_they_depend_on_is(changes, same) -> None:
    assert (maps() == maps(**changes)) is same


@pytest.mark.parametrize(("cell", "same"), [(14, True), (15, False)])
def test_what_is_locked_in_the_rolled_layer_counts(cell, same) -> None:
    assert (maps(locked=[cell]) == maps(locked=[cell], rolled=SAND)) is same


def test_maps_of_another_grid_are_others() -> None:
    mine = maps()
    grid = replace(GRID)
    other = Base.under(BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")]), 1)
    assert mine != RolledMaps(mine.setup, other)
    assert mine != "maps"


def test_generators_without_a_script_have_other_maps() -> None:
    base = maps().base
    hills = RollSetup("", setup_of("").make_generator, {"size": 3}, generator_name="hills")
    lakes = replace(hills, generator_name="lakes")
    assert RolledMaps(hills, base) == RolledMaps(replace(hills), base)
    assert RolledMaps(hills, base) != RolledMaps(lakes, base)
