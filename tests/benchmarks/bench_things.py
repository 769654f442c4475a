"""Things on a map of 512 x 512 tiles: edits in the core among many and, beside it, among few."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from randomizer.model.edits.edit import Edit
from randomizer.model.edits.merged_edits import squash
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from tests.benchmarks.benchmark import Row, benchmark, min_ms
from tests.systems import tile_map

FEW_THINGS = 100
MAP_SIDE = 512
REPEATS = 200
"""So many times an edit is made in one measurement, as one is too quick for the clock."""

DRAG_STEPS = 1000

MakeEdit = Callable[[BattleMap], Edit | None]


@benchmark("things", full=10_000, tiny=FEW_THINGS)
def measure_things(many_things: int) -> Iterator[Row]:
    for title, make_edit, is_rolled in (
        ("move one", move_things(1), False),
        ("move one of a roll", move_things(1), True),
        ("move fifty", move_things(50), False),
        ("place one", place_thing, False),
        ("delete one", remove_thing, False),
    ):
        many_ms = edit_ms(map_of_things(many_things, is_rolled=is_rolled), make_edit)
        few_ms = edit_ms(map_of_things(FEW_THINGS, is_rolled=is_rolled), make_edit)
        yield Row(f"{title} (x among few)", many_ms, "ms", many_ms / few_ms)
    yield Row("make one edit of a long drag", drag_ms(many_things), "ms")


def map_of_things(things: int, *, is_rolled: bool) -> BattleMap:
    """Return tiles with things; on a rolled layer what a hand does is marked, too."""
    battlemap = tile_map(MAP_SIDE, things)
    if is_rolled:
        battlemap.layers[0].roll = Roll("", "T", "", {}, 1, 0)
    return battlemap


def edit_ms(battlemap: BattleMap, make_edit: MakeEdit) -> float:
    """Return how long it takes to make and apply an edit, ask what to repaint, take it back."""
    for layer in battlemap.layers:
        layer.things.arrays()

    def edit_often() -> None:
        for _repeat in range(REPEATS):
            edit = make_edit(battlemap)
            assert edit is not None
            edit.apply(battlemap)
            edit.region(battlemap)
            edit.inverse().apply(battlemap)

    return min_ms(edit_often) / REPEATS


def move_things(count: int) -> MakeEdit:
    """Return what makes the edit that moves so many things by a third of a cell."""

    def make_edit(battlemap: BattleMap) -> Edit | None:
        ids = random.sample(range(1, FEW_THINGS + 1), count)
        things = [battlemap.thing(thing_id) for thing_id in ids]
        return change_things(battlemap, [replace(thing, x=thing.x + 0.3) for thing in things])

    return make_edit


def place_thing(battlemap: BattleMap) -> Edit | None:
    """Make the edit that places one more thing."""
    return add_things(battlemap, 1, [battlemap.thing(1)])


def remove_thing(battlemap: BattleMap) -> Edit | None:
    """Make the edit that deletes a thing."""
    return remove_things(battlemap, [random.randrange(1, FEW_THINGS + 1)])


def drag_ms(things: int) -> float:
    """Return what it costs to make one edit of all those of a drag."""
    battlemap = tile_map(MAP_SIDE, things)
    edits: list[Edit | None] = []
    for _step in range(DRAG_STEPS):
        thing = battlemap.thing(7)
        edit = change_things(battlemap, [replace(thing, x=thing.x + 0.01)])
        assert edit is not None
        edit.apply(battlemap)
        edits.append(edit)
    drag = compound(edits)
    assert drag is not None
    return min_ms(lambda: squash([drag]))
