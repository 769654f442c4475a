"""Forced locks: values put back into a free roll, with warnings of what the script never makes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from randomizer.catalog.scripts import generator_for_script
from randomizer.forced_roll import can_be_forced, force
from randomizer.generator_run import run
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM

PEAK = """AREA C3 D3 D4 HAZARDS Volcano,2
AREA A1 HAZARDS Bog
PAIR (Volcano,2)(Plains,0) HEXSIDES c
"""
VOLCANO, BOG = (SYSTEM.terrain_set.terrain_code(name) for name in ("Volcano", "Bog"))
CLIFF = SYSTEM.terrain_set.hexside_code("c")


def cell(label: str) -> int:
    found = SYSTEM.cell_of_name(SYSTEM.new_grid(), label)
    assert found is not None
    return found


def locked(*places: tuple[str, int, int], sides: tuple[tuple[str, int, int], ...] = ()) -> Base:
    """An empty board, locked as (label, terrain, elevation) and (label, side, code) say."""
    battlemap = BattleMap.new(SYSTEM)
    base = Base.under(battlemap, 0)
    shown = base.shown.copy()
    shown.planes.update({name: np.array(plane) for name, plane in shown.planes.items()})
    locks = np.zeros(base.locked_cells.shape, np.bool_), np.zeros((6, 6, 6), np.bool_)
    for label, terrain, elevation in places:
        locks[0].flat[cell(label)] = True
        shown.planes["terrain"].flat[cell(label)] = terrain
        shown.planes["elevation"].flat[cell(label)] = elevation
    for label, side, code in sides:
        locks[1].flat[cell(label) * 6 + side] = True
        shown.planes["hexside"].flat[cell(label) * 6 + side] = code
    return replace(base, shown=shown, locked_cells=locks[0], locked_sides=locks[1])


def forced(base: Base, number: int = 0) -> Generated:
    made = force(generator_for_script(PEAK, "Peak.rnd"), {}, DrawKey(7, number), base)
    assert made is not None
    return made


def test_everything_but_what_was_put_back_is_the_very_map_of_the_number() -> None:
    made = forced(locked(("F1", VOLCANO, 2)), number=5)
    free = run(generator_for_script(PEAK, "Peak.rnd"), {}, DrawKey(7, 5), locked())
    assert free is not None
    assert (made.number, made.forced_elements) == (5, ("F1",))
    (layer,) = made.layers
    (own,) = free.layers
    for name, plane in own.planes.items():
        differs = np.flatnonzero(layer.planes[name] != plane)
        marked = np.flatnonzero(layer.planes.get(TOUCHED + name, np.zeros(plane.shape)))
        assert differs.tolist() == marked.tolist() == ([cell("F1")] if len(marked) else [])
    assert layer.planes["terrain"].flat[cell("F1")] == VOLCANO
    assert layer.planes["elevation"].flat[cell("F1")] == 2


def test_a_map_that_keeps_the_locks_by_itself_is_not_forced() -> None:
    made = forced(locked(("A1", BOG, 0)))
    assert made.forced_elements == ()
    assert not [name for name in made.layers[0].planes if name.startswith(TOUCHED)]
    assert made.notes == ()


def test_what_is_broken_is_said_with_its_place() -> None:
    made = forced(locked(("F1", VOLCANO, 2), ("A1", 0, 0), sides=(("A2", 0, CLIFF),)))
    said = {(note.code, note.message, note.cell, note.side) for note in made.notes}
    assert {note.severity for note in made.notes} == {Severity.WARNING}
    side_names = SYSTEM.new_grid().layout.side_names
    never = "the script never does that"
    plains = "between Plains, elevation 0"
    place = "between Volcano, elevation 2 and Plains, elevation 0"
    assert said == {
        ("forced-hex", "This script never makes F1 Volcano, elevation 2.", cell("F1"), None),
        (
            "forced-count",
            "Volcano is on 2 hexes: none of 4,096 maps of the script has more than 1.",
            cell("F1"),
            None,
        ),
        (
            "forced-count",
            "Bog is on 0 hexes: none of 4,096 maps of the script has fewer than 1.",
            None,
            None,
        ),
        *(
            (
                "forced-hexside",
                f"Nothing on the {side_names[side]} side of F1: {never} {place}.",
                cell("F1"),
                side,
            )
            for side in (0, 4, 5)
        ),
        (
            "forced-hexside",
            f"Cliff on the north side of A2: {never} {plains} and {plains.split(maxsplit=1)[1]}.",
            cell("A2"),
            0,
        ),
    }


def test_force_can_be_cancelled_and_fails_as_a_roll_does() -> None:
    base = locked(("F1", VOLCANO, 2))
    generator = generator_for_script(PEAK, "Peak.rnd")
    assert force(generator, {}, DrawKey(7, 0), base, cancelled=lambda: True) is None
    with pytest.raises(ProblemError, match="Lava"):
        force(generator_for_script("AREA D4 HAZARDS Lava\n", "Hot.rnd"), {}, DrawKey(7, 0), base)


def test_only_a_roll_that_failed_for_its_locks_can_be_forced() -> None:
    base = locked(("F1", VOLCANO, 2))
    for text, possible in ((PEAK, True), ("AREA D9 HAZARDS Bog\n", False)):
        with pytest.raises(ProblemError) as caught:
            run(generator_for_script(text, "Peak.rnd"), {}, DrawKey(7, 0), base)
        assert can_be_forced(caught.value.problems) is possible


def test_forced_again_nothing_moves_into_touch_ups_unlocked_it_does() -> None:
    base = locked(("F1", VOLCANO, 2))
    (layer,) = forced(base).layers
    battlemap = BattleMap.new(SYSTEM, layers=[layer.copy(id=1)])
    edit = set_locks(battlemap, [cell("F1")], True)
    assert edit is not None
    edit.apply(battlemap)
    again = forced(Base.under(battlemap, 0, 0), number=1)
    step = put_layers(battlemap, 1, [again.layers[0]], replaces=True)
    assert step.touch_ups == 0
    step.edit.apply(battlemap)
    edit.inverse().apply(battlemap)
    free = run(generator_for_script(PEAK, "Peak.rnd"), {}, DrawKey(7, 2), Base.under(battlemap, 0))
    assert free is not None
    step = put_layers(battlemap, 1, [free.layers[0]], replaces=True)
    step.edit.apply(battlemap)
    assert (step.touch_ups, battlemap.layers[1].name) == (1, TOUCH_UPS)
    assert battlemap.values("terrain").flat[cell("F1")] == VOLCANO
