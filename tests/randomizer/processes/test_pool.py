"""Maps rolled in child processes, or on threads where a generator cannot be made again there."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from randomizer.batches.batch import measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.catalog.generators import generator_named
from randomizer.catalog.scripts import generator_for_script
from randomizer.generator_run import run
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.things.things import Thing, Things
from randomizer.processes.pool import ENDED, RollPool
from randomizer.processes.worker import setup_of
from randomizer.roll_base import Base
from randomizer.systems.free.system import SYSTEM, free_map
from tests.randomizer.batches.rolled import roll_batch
from tests.test_system.generator import LandGenerator
from tests.test_system.installing import on_path, register
from tests.test_system.system import SYSTEM as TEST_LAND


@pytest.fixture
def pool():
    pool = RollPool()
    yield pool
    pool.close()


@pytest.fixture
def test_land(tmp_path):
    with on_path(register(tmp_path)):
        yield Base.under(BattleMap.new(TEST_LAND), 0)


SCRIPT = "ground Meadow\nscatter Pond 30\nhills 9\nthings sheep 4\nrecord water 3\n"


def made_by(pool, generator, numbers, base, seed=7):
    rolls = pool.rolls(generator, {}, seed, numbers, base)
    return [roll for roll in rolls if roll is not None]


def test_a_child_process_makes_the_same_maps_and_says_why_one_fails(pool, test_land):
    generator = generator_for_script(SCRIPT, "land.tll")
    assert setup_of(generator, {}, 7, test_land) is not None
    made = made_by(pool, generator, range(3), test_land)
    assert [each.number for each in made] == [0, 1, 2]
    for each in made:
        here = run(generator, {}, DrawKey(7, each.number), test_land)
        batch = each.batch(test_land, 7)
        for name, plane in here.layers[0].planes.items():
            assert np.array_equal(batch.planes(0)[name], plane)
        assert batch.records["water"].text == "3\n"
        assert not each.generated.layers[0].things, "nobody shows them"
    bad = generator_for_script("ground Meadow\nscatter Lava 30\n", "land.tll")
    (failed,) = made_by(pool, bad, [5], test_land)
    assert [(problem.line, problem.message) for problem in failed.problems] == [
        (2, "there is no terrain “Lava”")
    ]


def test_worlds_come_from_child_processes(pool):
    generator = generator_named("Fantasy")
    base = Base.under(BattleMap.new(generator.system, generator.grid({})), 0)
    assert setup_of(generator, {}, 1, base) is not None
    (there,) = made_by(pool, generator, [2], base)
    here = roll_batch(generator, {}, 7, np.array([2], np.uint64), base)
    assert np.array_equal(there.batch(base, 7).terrain, here.terrain)


class Things3(LandGenerator, BatchGenerator):
    """A generator that no process can make again. It measures its things."""

    name = "Three"
    text = ""
    system = SYSTEM
    settings = ()
    metadata = Metadata("Three", "three.none", "")
    held = Event()

    def __init__(self):
        pass

    def measures(self, _settings=None):
        return (measure_of_map("three", "Three", "How many things there are."),)

    def measure_map(self, made, base):
        return {"three": float(len(made.layers[0].things))}

    def generate(self, settings, key, base):
        while key.number >= 100 and not self.held.is_set():
            yield 0
        yield 1
        if key.number == 1:
            raise error("no-map", "not this one")
        if key.number == 2:
            raise RuntimeError("a slip of its author")
        layer = Layer(0, "Dot", roll=Roll(self.name, "three.none", "", {}, *key))
        layer.things = Things([Thing(n, "stone", 1.0, 1.0) for n in range(key.number)])
        return Generated((layer,), key.number)


def test_faults_are_problems_of_one_map_and_measures_are_taken_of_the_others(pool, capsys):
    base = Base.under(free_map(SQUARE, 4, 4), 1)
    generator = Things3()
    assert setup_of(generator, {}, 7, base) is None
    assert isinstance(generator, BatchGenerator)
    made = made_by(pool, generator, range(5), base)
    assert [each.number for each in made] == list(range(5))
    assert made[1].problems[0].message == "not this one"
    assert made[2].problems[0].message == (
        "Three failed by a fault in the program: RuntimeError: a slip of its author"
    )
    assert "a slip of its author" in capsys.readouterr().err
    assert made[4].values == {"three": 4.0}
    (measure,) = generator.measures()
    assert measure.of(made[4].batch(base, 7)).tolist() == [4.0]
    batch = roll_batch(generator, {}, 7, np.array([0, 3], np.uint64), base)
    assert measure.of(batch).tolist() == [0.0, 3.0]


def test_closing_cancels_what_is_under_way_and_the_next_maps_are_rolled(pool):
    base = Base.under(free_map(SQUARE, 4, 4), 1)
    generator = Things3()
    with closing(pool.rolls(generator, {}, 7, range(100, 200), base)) as rolls:
        assert [next(rolls), next(rolls)] == [None, None]
    assert [each.number for each in made_by(pool, generator, [0, 3], base)] == [0, 3]


def test_a_process_that_ends_is_a_problem_of_its_map_alone(pool, test_land, monkeypatch):
    generator = generator_for_script(SCRIPT, "land.tll")
    (first,) = made_by(pool, generator, [0], test_land)
    assert first.generated is not None
    for worker in pool.idle:
        worker.kill()
    answers = made_by(pool, generator, range(4), test_land)
    assert all(answer.generated is not None or answer.problems == (ENDED,) for answer in answers)
    assert answers[-1].generated is not None, "another process was started"


def test_a_process_ends_when_nobody_wants_its_map(pool, test_land):
    """A process that is stopped answers nothing: it is killed, another one goes on."""
    if not hasattr(os, "kill") or not Path("/proc").exists():
        pytest.skip("processes are stopped by signals of Unix")
    import signal

    generator = generator_for_script(SCRIPT, "land.tll")
    made_by(pool, generator, [0], test_land)
    (worker,) = pool.idle
    # A worker that stands still; its process has no other name.
    os.kill(worker._child.pid, signal.SIGSTOP)
    with closing(pool.rolls(generator, {}, 7, [1], test_land)) as rolls:
        assert next(rolls) is None
    assert made_by(pool, generator, [2], test_land)[0].generated is not None
    pool.close()
    assert not worker.alive
