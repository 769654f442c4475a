"""What a roll changes and layers above it hide is told; what is seen is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.rolling.covered_changes import covered_changes
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import free_map

TOWN = Thing(1, "town", 2.0, 2.0, label="Rome", owner=1)


@pytest.mark.parametrize(
    "changed", [replace(TOWN, label="Ostia"), replace(TOWN, owner=2), replace(TOWN, angle=90.0)]
)
def test_a_thing_that_looks_different_is_a_change_that_is_seen(changed: Thing):
    battlemap = free_map(FLAT, 4, 4)
    new = battlemap.layers[0]
    new.things = Things([changed])
    old = Layer(new.id, new.name, things=Things([TOWN]))
    assert covered_changes(battlemap, old, new) is None


def test_a_thing_with_another_id_is_the_same():
    battlemap = free_map(FLAT, 4, 4)
    new = battlemap.layers[0]
    new.things = Things([replace(TOWN, id=7)])
    old = Layer(new.id, new.name, things=Things([TOWN]))
    changes = covered_changes(battlemap, old, new)
    assert changes is not None
    assert changes.cells == ""
