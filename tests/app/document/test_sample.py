"""The map that the desk opens on is up to date with its script."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from app.document.sample import sample_map
from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM


def test_the_sample_is_a_real_roll_onto_an_empty_ground() -> None:
    sample = sample_map()
    ground, rolled = sample.layers
    assert (ground.id, ground.name, ground.planes) == (1, "Ground", {})
    assert rolled.roll is not None
    generator = generator_named(rolled.roll.generator)
    assert generator is not None
    key = DrawKey(rolled.roll.seed, rolled.roll.number)
    generated = run(generator, {}, key, Base.under(BattleMap.new(SYSTEM), 0))
    assert generated is not None
    (again,) = generated.layers
    assert rolled.roll == again.roll
    assert rolled.name == again.name
    assert rolled.properties == again.properties
    assert rolled.planes.keys() == again.planes.keys()
    for name, plane in again.planes.items():
        assert rolled.planes[name].dtype == plane.dtype
        assert np.array_equal(rolled.planes[name], plane)


def test_the_sample_has_something_to_look_at() -> None:
    planes = sample_map().composite().planes
    assert len(np.unique(planes["terrain"])) >= 3
    assert len(np.unique(planes["hexside"])) >= 3
    assert planes["elevation"].max() == 2


def test_the_sample_needs_no_grammar() -> None:
    code = (
        "import sys; from app.document.sample import sample_map; "
        "sample_map(); sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
