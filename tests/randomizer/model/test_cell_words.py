"""Texts written for hexes suit the grid that they are said of."""

from __future__ import annotations

import pytest

from randomizer.model.cell_words import cell_words, suited
from randomizer.model.layouts import FLAT, OBLIQUE, POINTY, SQUARE


@pytest.mark.parametrize("layout", [FLAT, POINTY, OBLIQUE])
def test_hexes_are_hexes(layout) -> None:
    assert cell_words(layout) == ("hex", "hexes")
    text = "Lock hexes, or near an edge hexsides."
    assert suited(text, layout) is text


@pytest.mark.parametrize(
    ("text", "of_squares"),
    [
        ("Lock hexes, or near an edge hexsides", "Lock squares, or near an edge sides"),
        ("Hexside of the other hex", "Side of the other square"),
        ("Hexes that can be meant", "Squares that can be meant"),
        ("a row of hexes instead of a hexagon", "a row of squares instead of a square"),
        ("Insert the selected &hexes", "Insert the selected &squares"),
        ("A table has no hexsides", "A table has no hexsides"),
        ("there is no hex so named", "there is no square so named"),
        ("hexadecimal, sixths", "hexadecimal, sixths"),
    ],
)
def test_squares_are_squares(text: str, of_squares: str) -> None:
    assert suited(text, SQUARE) == of_squares
    assert cell_words(SQUARE) == ("square", "squares")
