"""A file that was typed by hand keeps its lines where nothing changed."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from randomizer.formats.checked import write_checked
from randomizer.model.edits.thing_edits import change_things, remove_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.xconq.records import GLOBALS, SIDES, Sides, globals_of, sides_of
from randomizer.systems.xconq.scenario.side_edits import change_value

TEXT = (
    "Xconq 0 --++++  Typed by hand\n"
    "Map   9 5  0 1 0   \n"
    "_________\n"
    "..+.+...+\n"
    "\n"
    "  01.01+07.  \n"
    "3.3.3.\n"
    "9_\n"
    "Globals 0 1000  1 0 1 0 \n"
    " 5 0 0 200  -1\n"
    "30 \n"
    "Sides  2 1 0\n"
    "Ann \n"
    "Bob\n"
    "Units 3 1 0\n"
    "i * 1, 2 0\n"
    "i  *  4,3  1 \n"
    "i * 8,3 -1\n"
    "\n"
    "\n"
)


def read(text: str) -> BattleMap:
    result = XCONQ.read(text.encode("latin-1"), "typed.scn")
    assert result.battlemap is not None, result.problems
    return result.battlemap


def changed_lines(text: str, battlemap: BattleMap) -> list[str]:
    written = write_checked(XCONQ, battlemap).decode("latin-1")
    lines = list(difflib.unified_diff(text.split("\n"), written.split("\n"), lineterm="", n=0))[2:]
    return [line for line in lines if line[0] != "@"]


@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip("\n"), TEXT.rstrip("\n") + "\n"])
def test_an_unchanged_file_is_the_same_byte_for_byte(text: str) -> None:
    assert changed_lines(text, read(text)) == []


def test_a_painted_cell_changes_its_row_alone() -> None:
    battlemap = read(TEXT)
    terrain = battlemap.terrain_set.terrain_code("forest")
    edit = set_values(battlemap, 1, "terrain", [3 * 9 + 1], terrain)
    assert edit is not None
    edit.apply(battlemap)
    assert changed_lines(TEXT, battlemap) == ["-..+.+...+", "+.%+.+3.1+"]
    edit.inverse().apply(battlemap)
    assert changed_lines(TEXT, battlemap) == []


def test_a_row_that_is_painted_as_another_was_is_not_taken_for_it() -> None:
    """Its own row means something else now, and a row that means the same is as good."""
    battlemap = read(TEXT)
    sea = battlemap.terrain_set.terrain_code("sea")
    plains = battlemap.terrain_set.terrain_code("plains")
    values = np.full(9, sea, np.uint8)
    values[[2, 4, 8]] = plains
    edit = set_values(battlemap, 1, "terrain", list(range(9, 18)), values)
    assert edit is not None
    edit.apply(battlemap)
    assert changed_lines(TEXT, battlemap) == ["-3.3.3.", "+..+.+...+"]


def test_units_that_stay_keep_their_lines_when_others_go_or_move() -> None:
    battlemap = read(TEXT)
    edit = remove_things(battlemap, [1])
    assert edit is not None
    edit.apply(battlemap)
    unit = battlemap.thing(3)
    x, y = battlemap.grid.centre(battlemap.grid.cell(5, 2))
    edit = change_things(battlemap, [replace(unit, x=x, y=y)])
    assert edit is not None
    edit.apply(battlemap)
    assert changed_lines(TEXT, battlemap) == [
        "-Units 3 1 0",
        "-i * 1, 2 0",
        "+Units 2 1 0",
        "-i * 8,3 -1",
        "+i * 5,2 -1",
    ]


def test_a_new_name_of_a_side_and_a_later_end_change_their_lines_alone() -> None:
    battlemap = read(TEXT)
    ann, bob = sides_of(battlemap).sides
    sides = Sides((replace(ann, name="Eve"), bob))
    for name, value in ((SIDES, sides), (GLOBALS, replace(globals_of(battlemap), end_time=7))):
        edit = change_value(battlemap, name, value)
        assert edit is not None
        edit.apply(battlemap)
    assert changed_lines(TEXT, battlemap) == [
        "-Globals 0 1000  1 0 1 0 ",
        "+Globals 0 7 1 0 1 0",
        "-Ann ",
        "+Eve",
    ]
