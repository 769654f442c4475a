"""Which kinds the palette lists, by category and by words."""

from __future__ import annotations

import pytest

from app.features.palette.listed_kinds import OF_GAME, OF_MAP, list_kinds
from randomizer.model.things.thing_kind import ThingKind


def kind(name: str, group: str, family: str = "") -> ThingKind:
    return ThingKind(name, name.capitalize(), group=group, family=family)


OAK = kind("oak", "Trees")
ELM = kind("elm", "Trees")
FORT = kind("fort", "Buildings", "Romans")
HUT = kind("hut", "Buildings", "Gauls")
MAP_KINDS = (FORT, OAK)
GAME_KINDS = (OAK, ELM, FORT, HUT)


def names(category: str = OF_MAP, *words: str, typed: ThingKind | None = None) -> list[str]:
    listed = list_kinds(MAP_KINDS, GAME_KINDS, category, words, typed)
    return [listed_kind.name for listed_kind in listed.kinds]


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        (OF_MAP, ["oak", "fort"]),
        (OF_GAME, ["oak", "elm", "fort", "hut"]),
        ("Trees", ["oak", "elm"]),
        ("Gauls", ["hut"]),
    ],
)
def test_a_category_lists_its_kinds_in_the_order_of_the_groups_of_the_game(category, expected):
    assert names(category) == expected


def test_words_find_kinds_of_the_whole_game_in_any_category():
    assert names(OF_MAP, "hut") == ["hut"]
    listed = list_kinds(MAP_KINDS, GAME_KINDS, "Trees", ("hut",), None)
    assert listed.kinds == (HUT,)
    assert listed.is_elsewhere


def test_nothing_is_elsewhere_if_no_kind_has_the_words():
    listed = list_kinds(MAP_KINDS, GAME_KINDS, "Trees", ("ship",), None)
    assert listed.kinds == ()
    assert not listed.is_elsewhere


def test_an_exact_name_is_listed_though_no_list_has_it():
    ship = kind("ship", "Ships")
    assert names(None, "ship", typed=ship) == ["ship"]
    assert names(None, "oak", typed=OAK) == ["oak"], "it is listed once"


def test_the_kind_whose_exact_name_was_typed_is_the_first():
    oak_tree = kind("oak_tree", "Buildings")
    further = (oak_tree, *GAME_KINDS)
    listed = list_kinds((), further, OF_GAME, ("oak",), OAK)
    assert [listed_kind.name for listed_kind in listed.kinds] == ["oak", "oak_tree"]
