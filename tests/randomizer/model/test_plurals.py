"""Nouns in the singular and plural."""

from __future__ import annotations

import pytest

from randomizer.model.plurals import counted, many, with_article
from randomizer.model.rarity import Rarity


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 maps"), (1, "1 map"), (2, "2 maps"), (1024, "1,024 maps")]
)
def test_maps_are_counted(count: int, words: str) -> None:
    assert counted(count, "map") == words


def test_some_nouns_have_another_plural() -> None:
    assert [many(count, "hex", "hexes") for count in range(3)] == ["hexes", "hex", "hexes"]


def test_how_rare_something_is_among_one_map_is_said_of_one_map() -> None:
    assert Rarity(1, 1).words() == "1 of 1 map"
    assert Rarity(0, 1).words().startswith("none of 1 map: ")
    kept = "map that keeps the locks", "maps that keep the locks"
    assert Rarity(1, 2).words(*kept).startswith("1 of 2 maps that keep the locks: ")


@pytest.mark.parametrize(
    ("noun", "words"),
    [
        ("Colossus battleland", "a Colossus battleland"),
        ("Xconq world", "an Xconq world"),
        ("island", "an island"),
        ("unit", "a unit"),
        ("XML file", "an XML file"),
        ("umbrella", "an umbrella"),
    ],
)
def test_a_noun_has_the_article_of_its_first_sound(noun, words):
    assert with_article(noun) == words
    assert with_article(noun, "A") == f"A{words[1:]}"
