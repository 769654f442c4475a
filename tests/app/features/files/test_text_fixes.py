"""Which texts "Fix and open" changes, and which it leaves as they are."""

from __future__ import annotations

import pytest

from app.features.files.text_fixes import fix_file
from randomizer.model.problems import Fix, Problem, Severity, TextEdit

PATH = "map.txt"

DATA = b"terrain: Fen\xff\nheight: 3\n"
"""A text with a byte that no UTF-8 text has."""

FIX_OF_SETTINGS = Fix("Roll without it", settings=(("fens", 0),))
"""A fix that changes no text."""

FIX_OF_TEXT = Fix("Write Bog", edits=(TextEdit(1, 10, 1, 13, "Bog"),))


def error_with(fix: Fix | None) -> Problem:
    return Problem(Severity.ERROR, "unknown", "no such terrain", PATH, 1, 10, fix=fix)


@pytest.mark.parametrize("fix", [None, FIX_OF_SETTINGS])
def test_a_text_that_no_fix_changes_keeps_its_undecodable_bytes(fix: Fix | None) -> None:
    assert fix_file(DATA, "utf-8", [error_with(fix)], PATH) == DATA


def test_a_fix_of_the_text_is_written_and_the_undecodable_byte_replaced() -> None:
    fixed = fix_file(DATA, "utf-8", [error_with(FIX_OF_TEXT)], PATH)
    assert fixed.decode() == "terrain: Bog\N{REPLACEMENT CHARACTER}\nheight: 3\n"
