"""The names of dice and decisions that the setting ``fixed`` takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from randomizer.systems.cordery.throws import Throws

_AREA = re.compile(r"\b\d{4}\b")
_NUMBER = re.compile(r"\b\d{1,3}\b")


def general(name: str) -> str:
    """A name for all features and areas: "hill 2 at" is "hill N at", an area is AREA."""
    return _NUMBER.sub("N", _AREA.sub("AREA", name))


def names_of_page(throws: Throws) -> Mapping[str, str]:
    """The general names that a table has asked for, with the values they take, in words.

    Dice thrown again are left out: they are called like the first ones, with "again N" behind.
    """
    return {
        general(name): values
        for name, values in throws.names.items()
        if not re.search(r" again \d+$", name)
    }


def meant(throws: Throws, name: str) -> str:
    """The name that was probably meant by one that nothing asked for; "" if none is like it."""
    return next(iter(get_close_matches(name, throws.names, 1, 0.75)), "")


def in_words(names: Mapping[str, str]) -> str:
    """All names with their values, a line each."""
    return "".join(f"\n  {name} = {values}" for name, values in names.items())
