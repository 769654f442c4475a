"""The battleland's board and the names of what stands on it, as the fact sheet records them."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from randomizer.systems.colossus import board
from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    GRID,
    HEX_AT,
    HEX_COUNT,
    HEX_OF_CELL,
    HEX_OF_LABEL,
    HEXES,
    LABELS,
    NEIGHBOURS,
    PARTS,
    cell_name,
    cell_of_label,
)
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import (
    COLOSSUS,
    HAZARD_OF_ALIAS,
    HAZARD_OF_LETTER,
    HEXSIDE_NAMES,
)

MAP = """\
. . . D6. .
. B4C5D5E5F4
A3B3C4D4E4F3
A2B2C3D3E3F2
A1B1C2D2E2F1
. . C1D1E1."""
"""The labels as they stand in columns and rows, a dot where the board has no hex."""


def labels(part: str) -> set[str]:
    return {LABELS[number] for number in PARTS[part]}


def test_the_board_has_27_hexes_in_ascending_order() -> None:
    assert HEX_COUNT == len(set(HEXES)) == 27
    assert list(HEXES) == sorted(HEXES)
    assert GRID.cells.tolist() == sorted(CELL_OF_HEX)
    for number, (x, y) in enumerate(HEXES):
        assert GRID.cell(x, y) == CELL_OF_HEX[number]
        assert HEX_AT[x, y] == HEX_OF_CELL[CELL_OF_HEX[number]] == number


@pytest.mark.parametrize(("x", "y"), [(0, 1), (0, 5), (2, 0), (5, 5), (-1, 2), (6, 2), (3, 6)])
def test_beyond_the_board_there_is_nothing(x: int, y: int) -> None:
    assert (x, y) not in HEX_AT
    assert GRID.cell(x, y) == -1


def test_every_hex_has_its_label() -> None:
    for y, row in enumerate(MAP.split("\n")):
        for x, label in enumerate(row[i : i + 2].strip(" .") for i in range(0, 12, 2)):
            found = LABELS[HEX_AT[x, y]] if (x, y) in HEX_AT else ""
            assert found == label
    assert len(set(LABELS)) == 27
    assert board.label_of(3, 2) == "D4"


def test_labels_and_cells_find_each_other() -> None:
    for number, label in enumerate(LABELS):
        cell = cell_of_label(label)
        assert cell == CELL_OF_HEX[number]
        assert cell is not None
        assert cell_name(cell) == SYSTEM.cell_name(GRID, cell) == label
        assert SYSTEM.cell_of_name(GRID, label) == cell
        assert HEX_OF_LABEL[label] == number
    for unknown in ("d4", "D7", "A4", "G1", "", "D44"):
        assert cell_of_label(unknown) is None
    for cell in (0, 35, -1, 99):
        with pytest.raises(KeyError):
            cell_name(cell)


def test_sides_are_counted_clockwise_from_the_north() -> None:
    around = {"D4": "D5 E4 E3 D3 C3 C4", "C3": "C4 D4 D3 C2 B2 B3"}
    for label, expected in around.items():
        row = NEIGHBOURS[HEX_OF_LABEL[label]]
        assert " ".join(LABELS[number] for number in row) == expected
    assert [number for number in NEIGHBOURS[HEX_OF_LABEL["A1"]] if number >= 0] == [
        HEX_OF_LABEL[label] for label in ("A2", "B2", "B1")
    ]
    assert GRID.layout.side_names == (
        "north",
        "north-east",
        "south-east",
        "south",
        "south-west",
        "north-west",
    )


def test_odd_columns_sit_half_a_hex_lower() -> None:
    heights = {label: GRID.centre(CELL_OF_HEX[HEX_OF_LABEL[label]])[1] for label in LABELS}
    assert heights["D5"] - heights["C5"] == pytest.approx(math.sqrt(3) / 2)
    assert heights["C5"] == pytest.approx(heights["E5"])


def test_neighbours_are_mutual() -> None:
    for number, row in enumerate(NEIGHBOURS):
        for side, other in enumerate(row):
            if other >= 0:
                assert NEIGHBOURS[other][(side + 3) % 6] == number


def test_the_predefined_labels_hold_their_hexes() -> None:
    assert labels("anywhere") == set(LABELS)
    places = [(x, y) for x in range(1, 5) for y in (2, 3)] + [(3, 1), (2, 4), (3, 4), (4, 4)]
    assert labels("inside") == {LABELS[HEX_AT[place]] for place in places}
    assert labels("leftdefenseentry") == {"A1", "A2", "A3"}
    assert labels("upperdefenseentry") == {"D6", "E5", "F4"}
    assert labels("lowerdefenseentry") == {"D1", "E1", "F1"}
    for part in PARTS.values():
        assert len(part) == len(set(part))
    rim = {LABELS[n] for n, row in enumerate(NEIGHBOURS) if -1 in row}
    assert labels("inside") == set(LABELS) - rim


def test_entry_sides_run_clockwise_around_the_rim() -> None:
    assert [(name, " ".join(hexes)) for name, hexes in ENTRY_SIDES] == [
        ("Top defence", "D6 E5 F4"),
        ("Right", "F4 F3 F2 F1"),
        ("Right defence", "F1 E1 D1"),
        ("Bottom", "D1 C1 B1 A1"),
        ("Left defence", "A1 A2 A3"),
        ("Left", "A3 B4 C5 D6"),
    ]
    for _, hexes in ENTRY_SIDES:
        for one, next_one in pairwise(hexes):
            assert HEX_OF_LABEL[next_one] in NEIGHBOURS[HEX_OF_LABEL[one]]
    assert [
        [SYSTEM.cell_name(GRID, cell) for cell in cells] for _, cells in SYSTEM.entry_sides
    ] == [list(hexes) for _, hexes in ENTRY_SIDES]


# --- names ----------------------------------------------------------------------------------------


def test_hazards_have_the_letters_of_the_document_and_of_the_game() -> None:
    names = "Plains Brambles Sand Tree Bog Volcano Drift Tower Lake Stone Spring TarPit"
    known = dict(zip("prstovdwlnga", names.split(" "), strict=True))
    assert {**known, "b": "Brambles"} == HAZARD_OF_LETTER
    assert HAZARD_OF_ALIAS == {"Brush": "Brambles"}
    assert COLOSSUS.terrain_code("Plains") == 0
    assert {terrain.name for terrain in COLOSSUS.terrains} == set(known.values())


def test_hexsides_have_their_letters() -> None:
    names = {"d": "Dune", "c": "Cliff", "s": "Slope", "w": "Wall", "r": "River"}
    assert names == HEXSIDE_NAMES
    for letter in " dcswr":
        assert COLOSSUS.hexside_letter(COLOSSUS.hexside_code(letter)) == letter


def test_planes_hold_every_code_and_elevation() -> None:
    assert COLOSSUS.elevations == (0, 1, 2, 3)
    defaults = {spec.name: spec.default for spec in SYSTEM.shown_planes}
    assert defaults == {"terrain": 0, "elevation": 0, "hexside": 0}
    assert SYSTEM.new_grid() is GRID
    assert SYSTEM.plane("terrain").unset >= len(COLOSSUS.terrains)
    assert SYSTEM.plane("hexside").unset > len(COLOSSUS.hexsides)
