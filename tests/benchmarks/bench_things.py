"""Things on a map of 512 x 512 tiles: moving one of 10,000 in the core, against its goal.

Run by hand: ``python -m tests.benchmarks.bench_things``. Times are CPU time, the best of some
rounds; the goal is 0.2 ms. The ratio is that to the same work among 100 things: 1 if the work does
not grow with their number.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.edits.value_edits import compound, squash
from randomizer.model.layer import Roll
from tests.systems import tile_map

MANY = 10_000
FEW = 100
ROUNDS = 7
TIMES = 200
GOAL_MS = 0.2

Work = Callable[[BattleMap], Edit | None]


def milliseconds(work: Callable[[], object]) -> float:
    """The CPU time of ``work``, done ``TIMES`` times: the best average of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(TIMES):
            work()
        best = min(best, (time.process_time() - start) * 1000 / TIMES)
    return best


def done_and_undone(battlemap: BattleMap, make: Work) -> Callable[[], None]:
    """Make an edit, apply it, ask what to repaint, and take it back."""
    for layer in battlemap.layers:
        layer.things.arrays()

    def work() -> None:
        edit = make(battlemap)
        assert edit is not None
        edit.apply(battlemap)
        edit.region(battlemap)
        edit.inverse().apply(battlemap)

    return work


def move(number: int) -> Work:
    """Move this many things by a third of a cell."""

    def make(battlemap: BattleMap) -> Edit | None:
        ids = random.sample(range(1, FEW + 1), number)
        things = (battlemap.thing(thing_id) for thing_id in ids)
        return change_things(battlemap, [replace(each, x=each.x + 0.3) for each in things])

    return make


def place(battlemap: BattleMap) -> Edit | None:
    """Place one more."""
    return add_things(battlemap, 1, [battlemap.thing(1)])


def remove(battlemap: BattleMap) -> Edit | None:
    """Delete one."""
    return remove_things(battlemap, [random.randrange(1, FEW + 1)])


def rolled(things: int) -> BattleMap:
    """Tiles whose layer was rolled, so that what a hand does is marked."""
    battlemap = tile_map(512, things)
    battlemap.layers[0].roll = Roll("", "T", "", {}, 1, 0)
    return battlemap


def report(what: str, make: Work, maps: Callable[[int], BattleMap], goal_ms: float) -> None:
    """Print the time among many things and how much longer it is than among few."""
    many, few = (milliseconds(done_and_undone(maps(n), make)) for n in (MANY, FEW))
    verdict = "" if many <= goal_ms else "  MISSED"
    print(f"{what:42s}{many:9.4f} ms   ratio {many / few:5.2f}   goal {goal_ms:g} ms{verdict}")


def drag(steps: Iterable[int]) -> None:
    """Print what it costs to make one edit of the many of a drag."""
    battlemap = tile_map(512, MANY)
    edits: list[Edit | None] = []
    for _ in steps:
        edits.append(change_things(battlemap, [replace(t := battlemap.thing(7), x=t.x + 0.01)]))
        edits[-1].apply(battlemap)  # type: ignore[union-attr]  # a thing that moves is an edit
    whole = compound(edits)
    assert whole is not None
    start = time.process_time()
    squash([whole])
    print(f"{len(edits)} steps of a drag made one{(time.process_time() - start) * 1000:16.4f} ms")


def main() -> None:
    """Measure everything."""
    report("move one", move(1), lambda n: tile_map(512, n), GOAL_MS)
    report("move one of a roll", move(1), rolled, GOAL_MS)
    report("move fifty", move(50), lambda n: tile_map(512, n), 50 * GOAL_MS)
    report("place one", place, lambda n: tile_map(512, n), GOAL_MS)
    report("delete one", remove, lambda n: tile_map(512, n), GOAL_MS)
    drag(range(1000))


if __name__ == "__main__":
    main()
