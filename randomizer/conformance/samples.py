"""Maps to test with: what each generator rolls on a map of its own."""

from __future__ import annotations

from collections.abc import Iterable
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
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.setting import checked_settings
from randomizer.model.system import System

SEED = 7
MOST_CELLS = 5000
"""Of a sample map: it is written many times."""

_ROLLED: dict[tuple[int, int], BattleMap] = {}


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


def map_of(base: Base, generated: Generated) -> BattleMap:
    """The new map of what was generated onto a base."""
    return new_map(base.system, base.grid, base.terrain_set, generated)


def rolled(generator: MapGenerator, number: int) -> BattleMap:
    """A new map of a generator with its usual settings, rolled once. Raises ProblemError."""
    key = id(generator), number
    if key not in _ROLLED:
        base = base_of(generator)
        generated = run(generator, {}, DrawKey(SEED, number), base)
        assert generated is not None
        _ROLLED[key] = map_of(base, generated)
    return _ROLLED[key]


def sample_map(system: System) -> BattleMap:
    """A map of a system: a roll of the first generator of small maps, else an empty one."""
    for generator in generators():
        usable = generator.system is system and not why_not(generator)
        if usable and base_of(generator).grid.size <= MOST_CELLS:
            return rolled(generator, 3)
    return BattleMap.new(system, layers=[Layer(1, "Ground")])


def check_problems(problems: Iterable[Problem], text: str | None = None) -> None:
    """Each has a code and a message of one sentence or more, and its line is one of the text."""
    lines = None if text is None else len(text.splitlines()) + 1
    for each in problems:
        assert each.code, each
        assert each.message.strip(), each
        assert "Traceback" not in each.message, each
        assert lines is None or each.line is None or 1 <= each.line <= lines, each
