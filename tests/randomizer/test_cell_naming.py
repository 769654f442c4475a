"""The naming of cells is the map's: every name means one cell, and 0101 is always understood."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.batches.filters.parser import parse_filter
from randomizer.cli.locks import with_locks
from randomizer.geometry.transform import resize_map
from randomizer.model.edits.edit_gate import check_edit
from randomizer.model.edits.record_edits import NamingEdit, name_cells
from randomizer.model.grid.cell_naming import FIRSTS, NEUTRAL, STEPS, CellNaming, NamingStyle
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.roll_base import Base
from randomizer.storage.files.cell_lines import CELLS
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM, free_map

namings = st.builds(
    CellNaming, st.sampled_from(NamingStyle), st.sampled_from(FIRSTS), st.sampled_from(STEPS)
)


@given(namings, st.integers(1, 130), st.integers(1, 130), st.booleans(), st.data())
def test_each_name_means_its_cell(naming, width, height, wrap, data):
    grid = Grid(SQUARE, width, height, wrap=wrap, naming=naming)
    cell = data.draw(st.integers(0, grid.size - 1))
    name = SYSTEM.cell_name(grid, cell)
    assert SYSTEM.cell_of_name(grid, name) == cell
    neutral = SYSTEM.cell_name(replace(grid, naming=NEUTRAL), cell)
    if naming.style is not NamingStyle.JOINED:
        assert SYSTEM.cell_of_name(grid, neutral) == cell
    assert SYSTEM.cell_of_name(grid, f"{name}x") is None


@pytest.mark.parametrize(
    ("naming", "name"),
    [
        (NEUTRAL, "2803"),
        (CellNaming(NamingStyle.DOTTED, 0), "27.02"),
        (CellNaming(NamingStyle.LETTERS), "AB3"),
        (CellNaming(NamingStyle.LETTERS, 0, 5), "AB2"),
    ],
)
def test_a_name_is_that_of_column_and_row_everywhere(naming, name):
    battlemap = free_map(FLAT, 30, 20)
    edit = name_cells(battlemap, naming)
    if edit is not None:
        check_edit(battlemap, edit)
        edit.apply(battlemap)
    cell = battlemap.grid.cell(27, 2)
    assert SYSTEM.cell_name(battlemap.grid, cell) == name
    assert f"\n{name}\t27\t2\t" in CELLS.write(battlemap).decode()
    for text in (name, "2803"):
        condition = parse_filter(f"{text} = Swamp", SYSTEM, (), battlemap.grid)
        assert condition == parse_filter("2803 = Swamp", SYSTEM, (), battlemap.grid)
        locked = with_locks(Base.under(battlemap, 1), [f"{text}=Swamp,0101"]).locked_cells
        assert np.flatnonzero(locked).tolist() == [0, cell]
    saved = read_project(write_project(battlemap)).battlemap
    assert saved.grid.naming == naming
    larger = resize_map(battlemap, 40, 25, (0.0, 0.0)).edit
    larger.apply(battlemap)
    assert battlemap.grid.naming == naming


def test_shown_are_every_fifth_column_and_row():
    grid = Grid(SQUARE, 11, 11, naming=CellNaming(NamingStyle.JOINED, 1, 5))
    shown = [cell for cell in grid.cells.tolist() if grid.naming.is_shown(*grid.xy(cell))]
    assert [SYSTEM.cell_name(grid, cell) for cell in shown] == ["0505", "1005", "0510", "1010"]


def test_what_no_map_can_have_is_refused():
    battlemap = free_map(FLAT, 5, 5)
    with pytest.raises(ProblemError, match="cannot be named"):
        check_edit(battlemap, NamingEdit(NEUTRAL, CellNaming("roman")))
    with pytest.raises(ValueError, match="cannot be named"):
        replace(battlemap.grid, naming=CellNaming(NamingStyle.JOINED, 7))
    assert name_cells(BattleMap.new(COLOSSUS), CellNaming(NamingStyle.LETTERS)) is None
    with pytest.raises(ProblemError, match="names its cells itself"):
        check_edit(BattleMap.new(COLOSSUS), NamingEdit(NEUTRAL, CellNaming(NamingStyle.LETTERS)))
