"""Terrains are given pictures by the words of their names, units icons by how they move."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.thing_kind import ICONS
from randomizer.systems.xconq.terrain_meaning import (
    MEANINGS,
    PATTERNS,
    looks_of,
    meaning_of,
)
from randomizer.systems.xconq.unit_icons import icons_of


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("sea", "sea"),
        ("Shallow waters", "sea"),
        ("coastal reef", "shallows"),
        ("plains", "plains"),
        ("forest hills", "hills"),
        ("Rain-Forest", "forest"),
        ("elderwood", "conifers"),
        ("snowfield", "ice"),
        ("farmlands", "farmland"),
        ("mountain", "mountains"),
        ("hill", "hills"),
        ("vacuum", "void"),
        ("junkheap", ""),
        ("", ""),
        ("42", ""),
    ],
)
def test_a_name_means_what_its_words_mean(name: str, meaning: str) -> None:
    assert meaning_of(name) == meaning


def test_no_word_has_two_meanings() -> None:
    words = [word for known in MEANINGS.values() for word in known.words.split()]
    assert len(set(words)) == len(words)


def test_types_of_one_meaning_differ_by_their_pictures() -> None:
    named = ["forest", "woods", "copse", "grove", "swamp", "bog"]
    looks = looks_of([(name[0], name, "green") for name in named])
    pictures = [look.picture for look in looks]
    assert pictures[:3] == ["Woods", "Conifers", "Jungle"]
    assert pictures[4] == "Swamp"
    assert {pictures[3], pictures[5]} < set(PATTERNS)


def test_the_best_picture_goes_to_the_type_that_it_is_for() -> None:
    pictures = [look.picture for look in looks_of([(".", "sea", "blue"), (":", "ocean", "blue")])]
    assert pictures == ["Open sea", "Shallows"]
    both = looks_of([(".", "sea", "blue"), (":", "ocean", "blue"), (",", "shallows", "cyan")])
    assert [look.picture for look in both[::2]] == ["Open sea", "Shallows"]
    assert both[1].picture in PATTERNS


def test_unknown_types_have_patterns_that_differ_while_there_are_enough() -> None:
    named = [(chr(65 + at), f"zzz{chr(97 + at)}", "#808080") for at in range(20)]
    pictures = [look.picture for look in looks_of(named)]
    assert set(pictures) == set(PATTERNS)
    again = looks_of(named[:1])
    assert again[0].picture == pictures[0], "by its character"


def test_exact_colours_are_kept_and_rough_ones_come_nearer_to_the_picture() -> None:
    exact, rough, unknown = looks_of(
        [("+", "plains", "#00FF00"), ("%", "forest", "green"), ("x", "zzz", "red")]
    )
    assert exact.colour == "#00ff00"
    assert rough.colour not in ("#00ff00", MEANINGS["forest"].colour)
    assert unknown.colour == "#ff0000"


def test_icons_follow_from_speed_and_ground() -> None:
    names = ["sea", "plains", "mountains", "vacuum"]
    water, land, walk, everywhere, none, space = (
        [0, -1, -1, -1],
        [-1, 0, -1, -1],
        [-1, 0, 1, -1],
        [0, 0, 0, -1],
        [-1] * 4,
        [-1, -1, -1, 0],
    )
    cases = [
        (1, 0, walk, "foot"),
        (2, 0, land, "vehicle"),
        (9, 0, everywhere, "aircraft"),
        (1, 0, everywhere, "foot"),
        (4, 0, water, "ship"),
        (0, 1, land, "town"),
        (0, 0, none, "base"),
        (3, 0, space, "aircraft"),
    ]
    icons = icons_of(
        [case[0] for case in cases],
        [case[1] for case in cases],
        np.array([case[2] for case in cases]),
        names,
    )
    assert icons == tuple(case[3] for case in cases)
    assert set(icons) == set(ICONS) - {""}
