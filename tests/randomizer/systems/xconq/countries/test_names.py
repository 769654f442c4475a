"""The packaged names: enough of them, each once, and such as a mapfile can hold."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from randomizer.systems.xconq.countries.naming import place_names, side_names

FANTASY = (files("randomizer.systems.xconq") / "scripts" / "fantasy.per").read_text("latin-1")

NAMES = {
    "packaged sides": (side_names(), 40),
    "packaged places": (place_names(), 300),
    "sides of the fantasy": (tuple(re.findall(r'"([^"]*)" sname', FANTASY)), 40),
    "places of the fantasy": (tuple(re.findall(r'"([^"]*)" uname', FANTASY)), 300),
}


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_many_and_each_is_there_once(kind: str) -> None:
    names, least = NAMES[kind]
    assert len(set(names)) == len(names) >= least


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_one_token_once_their_blanks_are_stars(kind: str) -> None:
    for name in NAMES[kind][0]:
        assert name == " ".join(name.split())
        assert name.isascii()
        assert not set(name) & set('*";')
