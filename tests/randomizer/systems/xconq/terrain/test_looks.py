"""Terrains are given pictures by the words of their names, units icons by how they move."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from randomizer.model.things.thing_kind import ICONS
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.terrain.terrain_meaning import (
    PATTERNS,
    all_meanings,
    looks_of,
    meaning_of,
)
from randomizer.systems.xconq.terrain.terrain_set import distinct_names
from randomizer.systems.xconq.units.unit_icons import icon_of_name, icons_of


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
    words = [word for known in all_meanings().values() for word in known.words.split()]
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
    assert rough.colour not in ("#00ff00", all_meanings()["forest"].colour)
    assert unknown.colour == "#ff0000"


PERIODS = Path(str(files("randomizer.systems.xconq"))) / "scripts"


def icons_in(text: str) -> dict[str, str]:
    """The icon of each unit type of a period, by its name."""
    period = read_period(text).period
    assert period is not None
    icons = icons_of(
        period.row("speed"),
        period.row("maker"),
        period.table("moves"),
        [terrain.name for terrain in period.terrains],
    )
    return dict(zip((unit.name for unit in period.units), icons, strict=True))


UNITS = {"foot", "vehicle", "aircraft", "ship", "base", "town"}
"""The icons of units."""


def test_the_units_of_modern_times_are_what_they_are_called() -> None:
    icons = icons_in((PERIODS / "modern.per").read_text("latin-1"))
    kinds = {
        "foot": "infantry engineers",
        "vehicle": "tanks artillery",
        "aircraft": "helicopter fighter bomber",
        "ship": "submarine carrier",
        "base": "airfield",
        "town": "town city",
    }
    assert set(kinds) == UNITS <= set(ICONS)
    for icon, names in kinds.items():
        assert {icons[name] for name in names.split()} == {icon}
    assert icons["patrol ship"] == icons["landing ship"] == "ship"


def test_the_units_of_the_fantasy_are_of_all_six_kinds() -> None:
    icons = icons_in((PERIODS / "fantasy.per").read_text("latin-1"))
    assert set(icons.values()) == UNITS
    assert icons["dragon"] == "aircraft"
    assert icons["levy"] == "foot"


def test_units_are_told_apart_in_odd_periods() -> None:
    names = ["sea", "plains", "vacuum"]

    def icon(speed: int, *moves: int) -> str:
        """Of a unit beside a slow one that walks on land."""
        return icons_of([1, speed], [0, 0], np.array([[-1, 0, -1], moves]), names)[1]

    assert icon(3, -1, -1, 0) == "aircraft", "in space"
    assert icon(2, -1, 0, -1) == "vehicle", "faster than who walks"
    assert icon(1, 0, 0, -1) == "foot", "goes everywhere, but slowly"
    assert icon(5, -1, -1, -1) == "vehicle", "goes nowhere"
    assert icons_of([], [], np.zeros((0, 3), int), names) == ()
    assert icons_of([0, 0], [1, 0], np.zeros((2, 0), int), []) == ("town", "base")


def test_a_name_of_thousands_of_letters_is_understood_at_once():
    assert meaning_of("lan" * 100_000 + "forest") == "forest"  # minutes, when all parts were tried


def test_no_two_types_have_one_name():
    names = distinct_names(["sea (3)", "sea", "sea", ""], "terrain")
    assert names == ("sea (3)", "sea", "sea (4)", "terrain 4")


@pytest.mark.parametrize(
    ("name", "icon"),
    [("giant bat", "dragon"), ("eagles", "dragon"), ("Combat Helicopter", "aircraft")],
)
def test_aircraft_and_beasts_are_told_by_whole_words(name: str, icon: str) -> None:
    assert icon_of_name("aircraft", name) == icon
