"""The shortest list for a set of hexes: exactly this set, and never longer than naming them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from randomizer.catalog.scripts import script_host
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, HEX_OF_LABEL, LABELS, PARTS
from randomizer.systems.colossus.script.lint import parse_and_lint
from randomizer.systems.colossus.script.list_bounds import LabelBounds
from randomizer.systems.colossus.script.syntax import StartList

LANGUAGE = script_host("Some.rnd").language
hexes = st.sets(st.integers(0, HEX_COUNT - 1))
nearly_all = hexes.filter(lambda some: len(some) < 5).map(set(range(HEX_COUNT)).difference)
nearly_parts = st.builds(
    lambda part, others: set(part) ^ others,
    st.sampled_from(list(PARTS.values())),
    st.sets(st.integers(0, HEX_COUNT - 1), max_size=4),
)


def written(numbers) -> str:
    return LANGUAGE.cell_list(CELL_OF_HEX[number] for number in numbers)


def evaluated(text: str) -> dict[int, int]:
    """The hexes of a list with how often each is in it."""
    parsed, problems = parse_and_lint(f"STARTLIST {text}\n")
    assert [problem.code for problem in problems] == ["startlist-fails-in-game"]
    (statement,) = parsed.script.statements
    assert isinstance(statement, StartList)
    bounds = LabelBounds(frozenset()).of_list(statement.items)
    assert bounds.largest_counts == bounds.smallest_counts
    return dict(bounds.largest_counts)


@given(hexes | nearly_all | nearly_parts)
@example({HEX_OF_LABEL[label] for label in ("D6", "D5", "C5", "E5")})
def test_it_holds_every_hex_once_and_no_other(numbers):
    text = written(numbers)
    if numbers:
        assert evaluated(text) == dict.fromkeys(numbers, 1)
    assert len(text) <= len(" ".join(LABELS[number] for number in numbers))


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ("", ""),
        ("D4", "D4"),
        ("A1 A2 A3", "(0,2-4)"),
        ("D4 A1", "A1 D4"),
        ("C5 C4 C3 C2 C1 D4", "(2,1-5) D4"),
    ],
)
def test_single_hexes_keep_their_names_and_rows_become_ranges(labels, text):
    assert written(HEX_OF_LABEL[label] for label in labels.split()) == text


def test_labels_and_functions_are_used_where_they_are_shorter():
    inside = set(PARTS["inside"])
    assert written(inside) == "(inside)"
    assert written({*inside, HEX_OF_LABEL["A1"]}) == "A1 (inside)"
    assert written(inside - {HEX_OF_LABEL["C3"]}) == "SUBSTRACT((inside),C3)"
    assert written(set(range(HEX_COUNT)) - {HEX_OF_LABEL["D5"]}) == "SUBSTRACT((anywhere),D5)"


def test_a_cell_that_is_not_on_the_board_is_none():
    with pytest.raises(KeyError):
        LANGUAGE.cell_list([0])
