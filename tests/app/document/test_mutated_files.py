"""A damaged project is refused with one problem, or opens and can be drawn, looked at and saved.

``python -m tests.app.document.test_mutated_files --count 5000`` damages many more.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from app.render.overlay_options import OVERLAYS, Overlays
from randomizer.catalog.generators import generators
from randomizer.formats.checked import read_checked
from randomizer.generator_run import run
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Things
from randomizer.roll_base import Base
from randomizer.storage.files.project import PROJECT, write_project
from randomizer.storage.records.encoding import decode_map, encode_map
from randomizer.systems.free.system import free_map
from tests.app.cordery_tables import rolled_table
from tests.app.render.drawing import full_world, picture
from tests.counting import peak_of
from tests.mutation import mutated

MAX_MEMORY = 200 * 2**20
"""In bytes, of Python and numpy, for reading one file."""

EVERYTHING = Overlays(**dict.fromkeys(OVERLAYS, True))


def projects() -> list[bytes]:
    """Files of a rolled table, a rolled battleland and a world with things."""
    generator = generators()[0]
    battleland = BattleMap.new(generator.system)
    made = run(generator, {}, DrawKey(1, 0), Base.under(battleland, 0))
    assert made is not None
    battleland.layers += [layer.copy(id=number) for number, layer in enumerate(made.layers, 1)]
    world = free_map(OBLIQUE, 12, 8, wrap=True)
    full = full_world(world.grid)
    full.system = world.system
    full.layers[0].properties.pop("first")
    full.layers[0].things = Things(
        replace(thing, state=State({"hits": 3, "orders": ["go", [1, 2.5, None]]}), label="Ur")
        for thing in full.layers[0].things.values()
    )
    full.records = {"notes": MapRecord("x"), "sides": MapRecord('{"a": [1]}', True, True)}
    full.source = full.layers[0].id
    full.terrain_set = replace(full.terrain_set, name="Own", elevations=(0, 1))
    maps = [rolled_table(), rolled_table("square", seed=3), battleland, full]
    return [write_project(each, {"scale": 20.0, "dx": 1.0, "dy": 2.0}) for each in maps]


def use(data: bytes) -> str:
    """Open a file; what a desk would do with its map. Returns what became of it, in a word."""
    results = []
    peak = peak_of(lambda: results.append(read_checked(PROJECT, data, "Damaged.battlemap")))
    assert peak < MAX_MEMORY
    (result,) = results
    battlemap = result.battlemap
    if battlemap is None:
        (problem,) = result.problems
        assert problem.path == "Damaged.battlemap"
        assert problem.message.isprintable(), ascii(problem.message)
        problem.message.encode()
        return "refused"
    for scale in (3.0, 30.0):
        picture(battlemap, EVERYTHING, scale)
    composite = battlemap.composite()
    battlemap.system.check(battlemap, composite)
    if battlemap.system.describe is not None:
        for cell in battlemap.grid.cells.tolist():
            battlemap.system.describe(battlemap, composite.planes, cell)
    assert decode_map(encode_map(battlemap)).system is battlemap.system
    write_project(battlemap, result.view)
    return "opened"


@pytest.mark.parametrize("seed", range(4))
def test_damaged_projects_are_refused_or_can_be_used(seed: int, qapp: QApplication) -> None:
    found = set()
    files = projects()
    for number in range(25):
        draw = random.Random(1000 * seed + number)
        found.add(use(mutated(files[draw.randrange(len(files))], draw)))
    assert found == {"refused", "opened"}


def main() -> None:
    """Damage many files; the first that is neither refused nor can be used ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    application = QApplication(sys.argv[:1])
    files = projects()
    became: dict[str, int] = {}
    for number in range(chosen.seed, chosen.seed + chosen.count):
        draw = random.Random(number)
        data = mutated(files[draw.randrange(len(files))], draw)
        try:
            word = use(data)
        except BaseException:
            print(f"seed {number}")
            raise
        became[word] = became.get(word, 0) + 1
    application.quit()
    print(became)


if __name__ == "__main__":
    main()
