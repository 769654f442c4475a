"""Any mapfile gives a map or problems: never an exception, a hang, or a map without cells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.formats.checked import read_checked, write_checked
from randomizer.model.problems import ProblemError, apply_fix, has_errors
from randomizer.model.things.thing_state import LARGEST_STATE, State
from randomizer.model.things.things import Things
from randomizer.systems.xconq.mapfile.details import USUAL, SaveDetails, detail_losses
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ

WHOLE = """Xconq 0 +++-++ Two countries;
by hand
.
5.5.1a (7/19/92)
Period 0
"i" "infantry" "walks" utype
"@" "city" "builds" utype
"F" "food" "eaten" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
[ 4 9 ] u* hp  1 i speed  20 F u* storage
end
Map 6 5 100 1 0
6.
.++2.1.
..3+.
2.2+2.
6.
Sides 2 2 0
Red*Army
0  0 100  1 1
Blue
0  100 0  2 1
Units 2 3 0
@ New*Hill 2,2 0
1 0 0  9 0 0 0  18247 0 0  -1  20
0  0  1 0 31  0
i * 2,2 0
2 1 0  4 0 0 0  18247 0 0  1  7
0  0  1 0 31  0
"""


def read(text: str):
    return read_checked(XCONQ, text.encode("latin-1", "replace"))


def test_the_file_of_this_test_is_sound():
    result = read(WHOLE)
    assert not result.problems
    assert result.battlemap is not None


@given(st.data())
def test_a_mutated_file_gives_a_map_or_errors(data):
    text = WHOLE
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 8)))
        piece = data.draw(st.text('Xconq+-*.,?;"@iF0123456789\n \x00ü', max_size=6))
        text = text[:start] + piece + text[end:]
    result = read(text)
    assert (result.battlemap is None) <= has_errors(result.problems)
    for problem in result.problems:
        if problem.fix is not None and problem.path is None:
            apply_fix(text, problem.fix)
    if result.battlemap is None:
        return
    assert result.battlemap.grid.size > 0
    try:
        written = write_checked(XCONQ, result.battlemap)
    except ProblemError:
        return
    assert read(written.decode("latin-1")).battlemap is not None


@given(st.integers(0, len(WHOLE)))
def test_a_cut_file_gives_a_map_or_errors(length):
    result = read(WHOLE[:length])
    assert (result.battlemap is None) <= has_errors(result.problems)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Xconq 0 --+---\nMap 999999999 999999999 0 0 0\n", "map-size"),
        ("Xconq 0 --+---\nMap 99999999999 1 0 0 0\n", "number-range"),
        ("Xconq 0 --+---\nMap 0 0 0 0 0\n", "map-size"),
        ("Xconq 0 --+---\nMap -3 5 0 0 0\n", "map-size"),
        ("Xconq 0 --+---\nMap 3 1 0 0 0\n1000000000.\n", "run-crosses"),
        ("Xconq 0 --+---\nMap 3 1 0 0 0\n99999999999999999999.\n", "run-crosses"),
        ("Xconq 0 --+---\nMap 3 2 0 0 0\n3.\n", "rows-missing"),
        ("Xconq 0 ---+--\nGlobals 0 9 1 0 1000000000 0\n", "conditions"),
        ("Xconq 0 ---+--\nGlobals 0 9 1 0 0 0 0\n", "later-fork"),
        ("Xconq 0 ---+--\nGlobals 0 9 1 0\n", "number-missing"),
        ("Xconq 0 ----+-\nSides 1000000000 1 0\n", "sides"),
        ("Xconq 0 ----+-\nSides 1 7 0\nRed\n", "detail"),
        ("Xconq 0 ----+-\nSides 1 10 0\nRed\n", "detail"),
        ("Xconq 0 -----+\nUnits 1000000000 1 0\n", "units"),
        ("Xconq 0 -----+\nUnits 1 1 0\ni Bob 3 2,2 0\n", "later-fork"),
        ("Xconq 0 -----+\nUnits 1 1 0\ni Bob 2 2 0\n", "unit"),
        ("Xconq 0 -----+\nUnits 1 2 0\ni Bob 2,2 0\n1 2 3\n", "number-missing"),
        ("Xconq 0 --+---\nMap 3 x 0 0 0\n", "no-number"),
        ("Xconq 0 --+---\nMap 3 3 0 0 0 0\n", "number-surplus"),
        ("Xconq 0 --+---\nGlobals 0 9 1 0 0 0\n", "section"),
        ("Xconq 0 -++---\nMap 3 3 0 0 0\n", "section"),
    ],
)
def test_sizes_beyond_reason_and_missing_numbers_are_refused(text, code):
    result = read(text)
    assert result.battlemap is None
    assert code in {problem.code for problem in result.problems}


def test_a_view_of_endless_runs_is_refused():
    rows = "?999999\n" * 5
    world = "Map 3 5 0 0 0\n3.\n3.\n3.\n3.\n3.\n"
    result = read(f"Xconq 0 --+-+-\n{world}Sides 1 3 0\nRed\n0  0  1\n{rows}")
    assert {problem.code for problem in result.problems} == {"view"}


def test_a_file_of_errors_stops_soon():
    text = "Xconq 0 --+---\nMap 3 1000 0 0 0\n" + "..\n" * 1000
    assert 0 < len(read(text).problems) <= 25


MILLIONS = 2_000_000


@pytest.mark.deep
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"Xconq 0 --+---\nMap 3 1 0 0 0\n{'9' * MILLIONS}\n", "count-alone"),
        (f"Xconq 0 --+---\nMap 3 1 0 0 0\n{'0.' * MILLIONS}\n", "row-short"),
        (f"Xconq 0 --+---\nMap 3 1 0 0 0\n{'1.' * MILLIONS}\n", "row-long"),
        (f"Xconq 0 -----+\nUnits 1 1 0\ni a{' ' * MILLIONS} 2,2 x\n", "unit"),
    ],
)
def test_lines_of_millions_of_characters_are_refused_at_once(text, code):
    result = read(text)
    assert result.battlemap is None
    assert [problem.code for problem in result.problems] == [code]


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("i \x01 2,2 0\n1 2 0  4 0 0 0  0 0 0  -1\n", "unit-name"),
        (f"i * 2,2 0\n1 2 0  4 0 0 0  0 0 0  -1 {'7 ' * LARGEST_STATE}\n", "unit-long"),
    ],
)
def test_a_unit_that_no_thing_can_hold_is_refused_with_its_line(unit, code):
    result = read(f"Xconq 0 -----+\nUnits 1 2 0\n{unit}")
    assert result.battlemap is None
    assert [(problem.code, problem.line) for problem in result.problems if problem.line == 3][
        -1
    ] == (code, 3)


def test_a_unit_beside_one_with_the_largest_id_gets_a_free_one():
    text = WHOLE.replace("\n1 0 0  9", f"\n{2**31 - 1} 0 0  9").replace("  1  7", "  -1  7")
    result = read(text)
    battlemap = result.battlemap
    layer = battlemap.layers[0]
    new = replace(layer.things[2], id=3, state=State())
    layer.things = Things((*layer.things.values(), new))
    battlemap.note_ids((3,))
    again = read(write_checked(XCONQ, battlemap).decode("latin-1")).battlemap
    assert again is not None
    assert len(again.layers[0].things) == 3


@pytest.mark.parametrize(
    "more", [5, "x", (), {"supplies": 5}, {"orders": 5}, {"moves": 5}, {"place": "x"}]
)
def test_a_unit_with_damaged_state_is_written_without_what_is_damaged(more):
    battlemap = read(WHOLE).battlemap
    layer = battlemap.layers[0]
    damaged = replace(layer.things[2], state=State({"more": more}))
    layer.things = Things((layer.things[1], damaged))
    detail_losses(battlemap, SaveDetails.parse(USUAL))
    assert read(write_checked(XCONQ, battlemap).decode("latin-1")).battlemap is not None
