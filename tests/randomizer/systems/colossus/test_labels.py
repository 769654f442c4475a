"""Labels in a text: where they are set and used, and other names for them."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from randomizer.catalog.scripts import script_host
from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError, apply_fix
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS, PARTS
from randomizer.systems.colossus.script.parser import parse
from tests.randomizer.systems.colossus.script_strategies import NAMES, scripts

LANGUAGE = script_host("Some.rnd").language
TEXT = """LABEL here = D4
AREA (here) HAZARDS Bog
LABEL here = (here) SURROUNDINGSOF((usedup)) # not (here)
AREA (here) (there) HAZARDS Lake AREA (leftover) HAZARDS
"""


def place(line: int, piece: str) -> tuple[int, int]:
    return line, TEXT.splitlines()[line - 1].index(piece) + 1


def said(found) -> tuple[int, int] | None:
    return None if found is None else (found.line, found.column)


def test_a_label_leads_to_the_definition_in_force():
    def at(line, piece):
        return said(LANGUAGE.definition(SourceText(TEXT), *place(line, piece)))

    assert at(2, "here") == (1, 7)
    assert at(3, "here)") == (1, 7)  # in its own new list it is still the old one
    assert at(3, "here =") == (3, 7)
    assert at(4, "here") == (3, 7)
    assert at(4, "there") is None
    assert at(4, "Lake") is None


def test_what_areas_leave_leads_to_the_area():
    assert said(LANGUAGE.definition(SourceText(TEXT), *place(3, "usedup"))) == (2, 1)
    assert said(LANGUAGE.definition(SourceText(TEXT), *place(4, "leftover"))) == (4, 1)
    assert LANGUAGE.definition(SourceText("LABEL x = (usedup)\n"), 1, 13) is None


def test_all_places_of_a_label_are_found_but_not_in_comments():
    found = LANGUAGE.references(SourceText(TEXT), *place(2, "here"))
    assert [said(span) for span in found] == [(1, 7), (2, 7), (3, 7), (3, 15), (4, 7)]
    assert LANGUAGE.references(SourceText(TEXT), 1, 1) == ()


def test_a_new_name_is_written_everywhere():
    fix = LANGUAGE.rename(SourceText(TEXT), *place(2, "here"), "middle")
    assert fix.title == "Rename here to middle"
    wanted = re.sub(r"\bhere\b", "middle", TEXT).replace("# not (middle)", "# not (here)")
    assert apply_fix(TEXT, fix) == wanted


@pytest.mark.parametrize(
    ("line", "piece", "name", "why"),
    [
        (1, "D4", "middle", "no name that the script defines stands here"),
        (4, "leftover", "rest", "leftover is a label of the language"),
        (1, "here", "there", "there is a label there already"),
        (1, "here", "inside", "there is a label inside already"),
        (1, "here", "b1", "b1 is a hex"),
        (1, "here", "AREA", "AREA is a keyword"),
        (1, "here", "usedup", "usedup is set by every AREA"),
        (1, "here", "x", "x is too short"),
        (1, "here", "X", "X is too short"),
        (1, "here", "two words", "a name is letters"),
        (1, "here", "", "a name is letters"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(line, piece, name, why):
    with pytest.raises(ProblemError, match=re.escape(why)):
        LANGUAGE.rename(SourceText(TEXT), *place(line, piece), name)


@given(scripts, st.sampled_from(NAMES))
def test_renaming_changes_the_name_and_nothing_else(text, name):
    found = re.search(rf"(?:\(|LABEL ){name}\b", text)
    assume(found is not None)
    assert found is not None
    before = text[: found.end()]
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    new = apply_fix(text, LANGUAGE.rename(SourceText(text), line, column, "another"))
    assert not re.search(rf"\b{name}\b", new)
    back = apply_fix(
        new, LANGUAGE.rename(SourceText(new), line, column + len("another") - len(name), name)
    )
    assert back == text
    assert len(parse(new).problems) == len(parse(text).problems)


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
