"""Maps to test with: what each generator rolls on a map of its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from randomizer.catalog import generators
from randomizer.generator import (
    Base,
    ChoosesGrid,
    ChoosesTerrainSet,
    DrawKey,
    MapGenerator,
    own_settings,
    run,
    settings_for,
    why_not,
)
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from randomizer.model.problems import Problem
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.setting import checked_settings
from randomizer.model.system import System

SEED = 7


def named(parts: Iterable[Any]) -> list[Any]:
    """The parts as parameters of a test, called by their names."""
    return [pytest.param(each, id=str(getattr(each, "name", ""))) for each in parts]


def base_of(generator: MapGenerator) -> Base:
    """What a new map of a generator is rolled onto; skips one that says what it lacks."""
    if reason := why_not(generator):
        pytest.skip(reason)
    chosen = checked_settings(settings_for(generator), {})
    system, grid = generator.system, generator.system.new_grid()
    if isinstance(generator, ChoosesGrid):
        grid = generator.grid(own_settings(system, chosen))
    known = generator.terrain_set() if isinstance(generator, ChoosesTerrainSet) else None
    return Base.under(BattleMap.new(system, grid, terrain_set=known), 0)


def roll(generator: MapGenerator, number: int, base: Base | None = None) -> BattleMap:
    """A new map of a generator with its usual settings. Raises ProblemError."""
    base = base or base_of(generator)
    generated = run(generator, {}, DrawKey(SEED, number), base)
    assert generated is not None
    return new_map(base.system, base.grid, base.terrain_set, generated)


@cache
def sample_map(system: System) -> BattleMap:
    """A map of a system: a roll of the first generator that makes one, else an empty layer."""
    for generator in generators():
        if generator.system is system and not why_not(generator):
            return roll(generator, 0)
    return BattleMap.new(system, layers=[Layer(1, "Ground")])


def check_problems(problems: Iterable[Problem], text: str | None = None) -> None:
    """Each has a code and a message of one sentence or more, and its line is one of the text."""
    lines = None if text is None else len(text.splitlines()) + 1
    for each in problems:
        assert each.code, each
        assert each.message.strip(), each
        assert "Traceback" not in each.message, each
        assert lines is None or each.line is None or 1 <= each.line <= lines, each
