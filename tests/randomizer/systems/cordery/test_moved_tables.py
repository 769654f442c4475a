"""Turned tables and copied pieces of them: routes stay connected."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.generator_run import run
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.geometry.transform import resize_map, turn_map
from randomizer.geometry.turn import left_right, rotation, top_bottom
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, sides_of
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_layers import put_layers
from randomizer.roll_base import Base
from randomizer.storage.files.project import write_project
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.cordery.table.areas import TRACK
from randomizer.systems.cordery.table.pieces import count_pieces

CHOSEN: dict[str, object] = {
    "rivers": 2,
    "roads": 2,
    "railways": 1,
    "road": "track",
    "join": False,  # such a road ends where no road answers it: at houses
}


def table(kind: str) -> BattleMap:
    battlemap = BattleMap.new(SYSTEM, table_grid(kind, 9, 8), [Layer(1, "Table")])
    made = run(CorderyGenerator(), CHOSEN, DrawKey(4, 0), Base.under(battlemap, 1))
    assert made is not None
    put_layers(battlemap, 1, made.layers, replaces=False).edit.apply(battlemap)
    return battlemap


def torn(grid: Grid, links: Plane) -> list[tuple[int, int]]:
    """Sides by which a route leaves a cell and does not enter the next."""
    return [
        (cell, side)
        for cell in grid.cells.tolist()
        for side in sides_of(int(links.flat[cell]), grid.degree)
        if grid.neighbour(cell, side) >= 0
        and not links.flat[grid.neighbour(cell, side)] >> grid.opposite(side) & 1
    ]


@pytest.mark.parametrize("kind", ["square", "hex"])
@pytest.mark.parametrize("way", ["left_right", "top_bottom", "quarter", "half"])
def test_routes_turn_with_their_table(kind: str, way: str) -> None:
    battlemap = table(kind)
    layout = battlemap.grid.layout
    before = battlemap.composite()
    turn = {
        "left_right": left_right(layout),
        "top_bottom": top_bottom(layout),
        "quarter": rotation(layout, 1),
        "half": rotation(layout, layout.degree // 2),
    }[way]
    pieces = count_pieces(battlemap.grid, before.planes)
    step = turn_map(battlemap, turn)
    step.edit.apply(battlemap)
    after = battlemap.composite().planes
    for name in ("river", "road", "rail"):
        assert not torn(battlemap.grid, after[name]), name
    assert count_pieces(battlemap.grid, after) == pieces
    step.edit.inverse().apply(battlemap)
    assert battlemap.composite().same_as(before)


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_routes_turn_with_a_copied_piece(kind: str) -> None:
    battlemap = table(kind)
    grid = battlemap.grid
    turn = rotation(grid.layout, grid.degree // 2)
    piece = decode(encode(cut(battlemap, grid.cells, battlemap.composite().planes)))
    assert piece.turned(turn).turned(turn).same_as(piece)
    other = BattleMap.new(SYSTEM, table_grid(kind, 40, 40), [Layer(1, "Table")])
    edit = place(other, piece.turned(turn), 40 * 20 + 20, 1)
    assert edit is not None
    edit.apply(other)
    shown = other.composite().planes
    assert count_pieces(other.grid, shown) == count_pieces(grid, battlemap.composite().planes)
    for cell, side in torn(other.grid, shown["road"]):
        beyond = other.grid.neighbour(cell, side)
        assert not shown["road"].flat[beyond], "it left the table there"


def test_a_track_can_leave_a_hex_by_all_its_sides() -> None:
    battlemap = BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")])
    star = PRESENT | TRACK | 0x3F
    edit = set_values(battlemap, 1, "road", np.array([30]), star)
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.composite().planes["road"].flat[30] == star
    assert count_pieces(battlemap.grid, battlemap.composite().planes) == {"track crossing": 1}


def test_on_a_table_that_was_turned_nothing_lies_beside_it() -> None:
    for steps in (1, 2):
        battlemap = BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")])
        turn_map(battlemap, rotation(battlemap.grid.layout, steps)).edit.apply(battlemap)
        assert battlemap.grid.mask is not None
        chosen = {**CHOSEN, "relief": "mountainous", "lakes": True, "area": "urban"}
        for number in range(10):
            base = Base.under(battlemap, 1)
            made = run(CorderyGenerator(), chosen, DrawKey(4, number), base)
            assert made is not None
            for layer in made.layers:
                for name, plane in layer.planes.items():
                    lies = plane != SYSTEM.plane(name).unset
                    assert not (lies & ~battlemap.grid.mask).any()


def test_no_table_grows_beyond_what_its_areas_have_names_for() -> None:
    battlemap = BattleMap.new(SYSTEM, table_grid("hex", 60, 60), [Layer(1, "Table")])
    for ask in (
        lambda: resize_map(battlemap, 61, 8),
        lambda: turn_map(battlemap, rotation(battlemap.grid.layout, 1)),
    ):
        with pytest.raises(ProblemError, match="at most 60 columns and rows"):
            ask()
    resize_map(battlemap, 6, 60).edit.apply(battlemap)
    assert battlemap.grid.width == 6


@pytest.mark.parametrize(
    "grid",
    [
        Grid(FLAT, 9, 8),
        Grid(POINTY, 61, 8),
        Grid(SQUARE, 8, 8, wrap=True),
    ],
)
def test_a_file_with_a_grid_that_no_table_has_is_refused(grid: Grid) -> None:
    battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Table")])
    with pytest.raises(ProblemError, match="Wargame table has"):
        write_project(battlemap)


def test_an_unknown_crossing_cannot_be_painted() -> None:
    battlemap = BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")])
    with pytest.raises(ValueError, match="plane crossing: here stand whole numbers 0 to 2, not 3"):
        set_values(battlemap, 1, "crossing", np.array([30]), 3)
