"""Generators and measures: the same map for a key, progress, cancelling, locks, maps in batches."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from randomizer.batches.counts import measures_of
from randomizer.batches.map_stream import MapStream
from randomizer.catalog import generators, script_host
from randomizer.conformance.samples import SEED, base_of, check_problems, map_of, named, rolled
from randomizer.generator import DrawKey, MapGenerator, roll_steps, run, settings_for
from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError, has_errors
from randomizer.storage.encoding import encode_map

MOST_STEPS = 100_000
GENERATORS = named(generators())


def test_names_differ_in_more_than_case() -> None:
    names = [generator.name.lower() for generator in generators()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generator_says_what_it_is_and_its_script_is_sound(generator: MapGenerator) -> None:
    assert re.fullmatch(r"\w[\w ()]*", generator.name)
    assert generator.metadata.name == generator.name
    assert generator.metadata.description
    names = [setting.name for setting in settings_for(generator)]
    assert len(set(names)) == len(names)
    if generator.text:
        source = SourceText(generator.text, generator.metadata.script)
        assert not has_errors(script_host(source.name).language.check(source))


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_key_makes_the_same_map_whatever_was_rolled_or_cancelled_before(
    generator: MapGenerator,
) -> None:
    first, base = encode_map(rolled(generator, 3)), base_of(generator)
    for key in (5, 4):
        steps = roll_steps(generator, {}, DrawKey(SEED, key), base)
        list(islice(steps, key - 3))
        steps.close()  # raises RuntimeError if the generator goes on
    heard: list[int] = []
    again = run(generator, {}, DrawKey(SEED, 3), base, heard.append)
    assert again is not None
    assert encode_map(map_of(base, again)) == first
    assert 0 < len(heard) < MOST_STEPS, "it can be cancelled at its steps only"
    assert all(0 <= percent <= 100 for percent in heard)


@pytest.mark.parametrize("generator", GENERATORS)
def test_what_is_locked_stays_or_a_problem_says_why_not(generator: MapGenerator) -> None:
    base = base_of(generator)
    before = rolled(generator, 3)
    if not before.grid.same_as(base.grid) or before.terrain_set != base.terrain_set:
        return  # what it brings along has no locks
    locked = np.zeros_like(base.locked_cells)
    locked.flat[before.grid.cells[0]] = True
    kept = replace(base, shown=before.composite(), locked_cells=locked)
    try:
        run(generator, {}, DrawKey(SEED, 4), kept)  # raises if a locked value is another one
    except ProblemError as refused:
        check_problems(refused.problems)


@pytest.mark.parametrize("generator", GENERATORS)
def test_maps_of_a_batch_are_those_rolled_alone_and_can_be_measured(
    generator: MapGenerator,
) -> None:
    base = base_of(generator)
    with closing(MapStream(generator, {}, base, SEED).blocks(range(3, 5))) as blocks:
        batches = list(blocks)
    for batch in batches:
        for row, number in enumerate(batch.numbers.tolist()):
            alone = rolled(generator, number)
            if alone.terrain_set == batch.base.terrain_set:  # else in other codes
                for name, plane in batch.planes(row).items():
                    assert np.array_equal(plane, alone.composite().planes[name]), (number, name)
        for measure in measures_of(generator, batch.base.terrain_set):
            if not measure.costly:
                values = measure.of(batch)
                assert values.shape == (len(batch),), measure.name
                assert not np.isinf(values).any(), measure.name
