"""What lies on the clipboard is refused, or leaves a map that can be saved."""

from __future__ import annotations

import json
import random
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
import pytest

from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.edit_gate import check_edit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import write_project
from randomizer.systems.cordery.system import SYSTEM, table_grid
from tests.mutation import exchanged


def table() -> BattleMap:
    """A table of squares with a road over a river, and a thing."""
    battlemap = BattleMap.new(SYSTEM, table_grid("square", 6, 5), [Layer(1, "Table")])
    thing = Thing(1, "wagon", *battlemap.grid.centre(14), 90.0, 3, "Ox", State({"load": [1, 2]}))
    for edit in (
        set_values(battlemap, 1, "river", [8, 14, 20], 0x40 | 0b0101),
        set_values(battlemap, 1, "road", [13, 14, 15], 0x40 | 0b1010),
        set_values(battlemap, 1, "crossing", [14], 1),
        set_values(battlemap, 1, "terrain", [7, 9], 4),
        ThingsEdit(1, (), (thing,)),
    ):
        assert edit is not None
        edit.apply(battlemap)
    return battlemap


def record() -> Any:
    battlemap = table()
    return json.loads(encode(cut(battlemap, battlemap.grid.cells, battlemap.composite().planes)))


def pasted(found: Any) -> BattleMap:
    """The table after a stamp of this record was pasted, as the desk does. Raises ProblemError."""
    battlemap = table()
    edit = place(battlemap, decode(json.dumps(found).encode()), 14, 1)
    if edit is not None:
        check_edit(battlemap, edit)
        edit.apply(battlemap)
    return battlemap


def test_a_crossing_that_no_table_has_is_refused_before_it_is_pasted() -> None:
    found = record()
    values = bytearray(b64decode(found["planes"]["crossing"]["values"]))
    values[values.index(1)] = 127
    found["planes"]["crossing"]["values"] = b64encode(values).decode()
    with pytest.raises(ProblemError, match="whole numbers 0 to 2, not 127"):
        pasted(found)


@pytest.mark.parametrize("owner", [2**61, -(2**61)])
def test_any_owner_of_64_bits_can_be_pasted_and_saved(owner: int) -> None:
    found = record()
    found["things"][0][4] = owner
    battlemap = pasted(found)
    assert owner in [thing.owner for thing in battlemap.layers[0].things.values()]
    assert write_project(battlemap)


def test_a_stamp_nested_too_deeply_is_refused_before_it_takes_memory() -> None:
    found = json.dumps(record())[:-1] + ', "more": ' + "[" * 50_000 + "]" * 50_000 + "}"
    with pytest.raises(ProblemError, match="damaged"):
        decode(found.encode())


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_stamp_is_refused_or_leaves_a_map_that_can_be_saved(seed: int) -> None:
    draw = random.Random(seed)
    found = record()
    if draw.random() < 0.5:
        plane = draw.choice(list(found["planes"].values()))
        values = np.frombuffer(b64decode(plane["values"]), np.uint8).copy()
        values[draw.randrange(len(values))] = draw.randrange(256)
        plane["values"] = b64encode(values.tobytes()).decode()
    else:
        exchanged(found, draw)
    try:
        battlemap = pasted(found)
    except ProblemError:
        return
    check_map(battlemap)
