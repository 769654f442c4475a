"""Names can be read however the map was turned, flipped, made symmetric or rolled."""

from __future__ import annotations

import pytest

from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from randomizer.systems.free.things import KINDS
from tests.daily import deep_but

NAME = "North"


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture(params=deep_but([FLAT, SQUARE], FLAT), ids=lambda layout: layout.name)
def desk(active, request):
    """The desk with a map that has a level name and a symbol."""
    desk = active.desk
    document = desk.document
    document.show_map(free_map(request.param, 9, 7))
    grid = document.battlemap.grid
    inscription = next(kind.name for kind in KINDS if kind.inscription)
    symbol = next(kind.name for kind in KINDS if not kind.inscription)
    things = [
        Thing(0, inscription, *grid.centre(3), label=NAME),
        Thing(0, symbol, *grid.centre(12)),
    ]
    document.push(add_things(document.battlemap, document.active_layer_id, things), "Place")
    return desk


def angles(desk, *, of_names: bool) -> list[float]:
    things = desk.document.battlemap.visible_things()
    return [thing.angle for thing in things if (thing.label == NAME) is of_names]


def run(desk, qtbot, command: str) -> None:
    steps = len(desk.document.history.steps)
    desk.commands.run(command)
    qtbot.waitUntil(lambda: len(desk.document.history.steps) == steps + 1)


@pytest.mark.parametrize(
    "command",
    deep_but(
        ["map.turn-right", "map.turn-left", "map.flip-horizontally", "map.flip-vertically"],
        "map.turn-left",
    ),
)
def test_names_can_be_read_when_the_map_was_turned(desk, qtbot, command):
    run(desk, qtbot, command)
    run(desk, qtbot, command)
    run(desk, qtbot, "map.turn-right")
    assert angles(desk, of_names=True) == [0]
    assert angles(desk, of_names=False) != [0]


def test_names_can_be_read_when_the_map_was_made_symmetric(desk, qtbot, hand):
    hand.expect("Make symmetric").fill("Symmetry", "Two-fold turn").press("OK")
    run(desk, qtbot, "map.make-symmetric")
    assert angles(desk, of_names=True) == [0, 0]
    assert sorted(angles(desk, of_names=False)) == [0, 180]
