"""Nouns in the singular and plural."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from randomizer.model.basics.plurals import counted, many, there_are, with_article
from randomizer.model.basics.rarity import Rarity
from tests.sources import sources_with


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


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "there are 0 sides"), (1, "there is 1 side"), (2_000, "there are 2,000 sides")],
)
def test_the_verb_before_a_number_agrees_with_it(count: int, words: str) -> None:
    assert there_are(count, "side") == words


VERB_OF_MANY = re.compile(
    r"""there\ are\ (only\ )?\{
    | \{counted\([^{}]*\)\}\ (are|were|become|have|do|lie|fit|stay|need)\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""A verb in the plural that stands in a text beside any number."""

ROOT = Path(__file__).resolve().parents[4]


def texts_with_numbers(source: str) -> list[tuple[int, str]]:
    """Return the lines and sources of the f-strings in a source."""
    return [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.JoinedStr)
    ]


def test_no_message_has_the_verb_of_many_beside_any_number() -> None:
    places = []
    words = ("There", "there", "counted")
    for path, source in sources_with(words, ROOT / "app", ROOT / "randomizer"):
        for line, text in texts_with_numbers(source):
            if VERB_OF_MANY.search(text):
                places.append(f"{path.relative_to(ROOT)}:{line}: {text}")
    assert not places, places


def test_the_verb_of_many_is_noticed() -> None:
    assert VERB_OF_MANY.search("f'but there are {count}, counted from 0'")
    assert VERB_OF_MANY.search("f'{counted(lost, \"cell\")} are not shown'")
