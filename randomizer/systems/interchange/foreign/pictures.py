"""The table ``pictures.tsv``: which of our terrain pictures stands for which code of a program.

``terrain_codes`` asks for the picture of a code that was read, ``Codec`` for the code of a picture
that is to be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain


class Picture(NamedTuple):
    """A picture of ours for codes of other programs: a row of ``pictures.tsv``."""

    name: str
    colour: str
    water: bool
    codes: Mapping[str, str]
    """The codes that it is written as, by program."""
    words: frozenset[str]
    """The words in codes that it stands for, in lower case."""


def table_rows(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table (``.tsv``) among the formats, without its comments."""
    text = files("randomizer.systems.interchange").joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@registered(count=1, bytes_each=30 * KB)
@cache
def pictures() -> tuple[Picture, ...]:
    """Return all pictures for codes, in the order in which they are preferred."""
    result = list[Picture]()
    for name, colour, water, board, wesnoth, words in table_rows("pictures.tsv"):
        codes = {"MegaMek": board, "Wesnoth": wesnoth}
        result.append(Picture(name, colour, bool(water), codes, frozenset(words.split())))
    return tuple(result)


def plains() -> Picture:
    """Return the picture for a terrain that resembles no other one."""
    return next(picture for picture in pictures() if picture.name == "Plains")


def nearest_picture(words: Iterable[str]) -> Picture | None:
    """Return the first picture that one of ``words`` names; None if none does.

    ``words`` are in lower case. Each also counts as the words between its other characters than
    letters ("fir-forest" has "fir" and "forest"), and each of these without an s at its end.
    """
    candidates = set[str]()
    for word in words:
        candidates.add(word)
        candidates.update(re.split(r"[^a-z]+", word))
    candidates |= {word.removesuffix("s") for word in candidates}
    candidates.discard("")
    for picture in pictures():
        if not candidates.isdisjoint(picture.words):
            return picture
    return None


def picture_of(terrain: Terrain) -> Picture | None:
    """Return the picture of a terrain, or the nearest to its names; None if there is none."""
    name = terrain.picture or terrain.name
    for picture in pictures():
        if picture.name == name:
            return picture
    words = f"{terrain.name} {terrain.picture} {' '.join(terrain.aliases)}"
    return nearest_picture(words.lower().split())
