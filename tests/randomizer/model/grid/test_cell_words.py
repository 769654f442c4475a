"""Texts about cells, filled with the words for the grid that they are about."""

from __future__ import annotations

import pytest

from randomizer.model.grid.cell_words import cell_text, cell_words, escaped
from randomizer.model.grid.layouts import FLAT, OBLIQUE, POINTY, SQUARE


@pytest.mark.parametrize("layout", [FLAT, POINTY, OBLIQUE])
def test_hexes_are_hexes(layout) -> None:
    words = cell_words(layout)
    assert (words.cell, words.cells) == ("hex", "hexes")
    assert cell_text("Lock {cells}, or near an edge {sides}", layout) == (
        "Lock hexes, or near an edge hexsides"
    )


@pytest.mark.parametrize(
    ("template", "of_squares"),
    [
        ("Lock {cells}, or near an edge {sides}", "Lock squares, or near an edge sides"),
        ("{Side} of the other {cell}", "Side of the other square"),
        ("{Cells} that can be meant", "Squares that can be meant"),
        ("a row of {cells} instead of a {shape}", "a row of squares instead of a square"),
        ("Insert the selected &{cells}", "Insert the selected &squares"),
        ("A table has no hexsides", "A table has no hexsides"),
        ("hexadecimal, {{sixths}}", "hexadecimal, {sixths}"),
    ],
)
def test_squares_are_squares(template: str, of_squares: str) -> None:
    assert cell_text(template, SQUARE) == of_squares
    assert (cell_words(SQUARE).cell, cell_words(SQUARE).cells) == ("square", "squares")


@pytest.mark.parametrize("wrong", ["{hex}", "{}", "{0}", "{cell"])
def test_a_place_that_nothing_fills_is_an_error(wrong: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        cell_text(wrong, FLAT)


@pytest.mark.parametrize("text", ["{}", "{cell}", "a{{b", "Swamp {2}.xml"])
def test_what_is_escaped_stays_as_it_is(text: str) -> None:
    assert cell_text(escaped(text), FLAT) == text
