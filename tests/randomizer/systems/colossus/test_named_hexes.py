"""The hexes that a place of a script refers to."""

from __future__ import annotations

from randomizer.catalog import script_host
from randomizer.languages.language import SourceText
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS, PARTS

SCRIPT = """LABEL corner = A1 SURROUNDINGSOF(A1)
AREA SOMEOF(1,(corner)) SUBSTRACT((inside),C3 D4) HAZARDS Lake
this is no statement
STARTLIST (3,0-1) (usedup)
TOWER
"""


def named_at(line: int, column: int) -> set[str]:
    """The labels of the narrowest place there."""
    places = [
        p
        for p in script_host("x.rnd").language.named_cells(SourceText(SCRIPT))
        if p.holds(line, column)
    ]
    hex_of_cell = {cell: number for number, cell in enumerate(CELL_OF_HEX)}
    return {LABELS[hex_of_cell[cell]] for cell in places[-1].cells} if places else set()


def column_of(line: int, word: str) -> int:
    return SCRIPT.splitlines()[line - 1].index(word) + 2


def test_a_hex_is_about_itself():
    assert named_at(1, column_of(1, "A1")) == {"A1"}


def test_a_function_is_about_what_it_can_give():
    assert named_at(1, column_of(1, "SURR")) == {"A2", "B1", "B2"} & named_at(1, 1)
    inside = {LABELS[number] for number in PARTS["inside"]}
    assert named_at(2, column_of(2, "SUBST")) == inside - {"C3", "D4"}
    assert named_at(2, column_of(2, "inside")) == inside
    assert named_at(2, column_of(2, "D4")) == {"D4"}


def test_a_label_is_about_what_it_holds_there():
    corner = named_at(1, 1)
    assert "A1" in corner
    assert named_at(2, column_of(2, "corner")) == corner
    assert named_at(2, column_of(2, "SOMEOF")) == corner


def test_the_rest_of_a_statement_is_about_its_whole_list():
    inside = {LABELS[number] for number in PARTS["inside"]}
    assert named_at(2, column_of(2, "HAZARDS")) == named_at(1, 1) | inside - {"C3", "D4"}


def test_used_hexes_are_those_that_the_area_before_could_use():
    assert named_at(4, column_of(4, "usedup")) == named_at(2, 1)
    assert len(named_at(4, column_of(4, "(3"))) == 2


def test_other_places_are_about_nothing():
    assert named_at(3, 3) == set()
    assert named_at(5, 2) == set()


def test_functions_deep_inside_one_another_are_looked_at_once():
    deep = "SURROUNDINGSOF(" * 45 + "D4" + ")" * 45
    places = script_host("x.rnd").language.named_cells(
        SourceText(f"LABEL far = {f'{deep} ' * 40}\n")
    )
    assert len(places) == 1 + 40 * 46
