"""Finds pictures for the terrains of other programs, and their codes for our pictures.

    first_picture_with_word(["fir-forest"]).name            # "Conifers", for a code that was read
    picture_of(terrain).codes["Wesnoth"]            # the code as which a terrain is written

Both are in the table ``pictures.tsv``. Readers use the first (``terrain_codes``), writers the
second (``Codec``).
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
    """A picture of ours, with the codes of other programs for it: a row of ``pictures.tsv``."""

    name: str
    """The name of the picture, as in ``Terrain.picture``."""
    colour: str
    """The colour of terrains with this picture, as "#rrggbb"."""
    water: bool
    """True if terrains with this picture are water."""
    codes: Mapping[str, str]
    """The code that is written for a terrain with this picture, by the name of the program."""
    words: frozenset[str]
    """A code that has one of these words, in lower case, gets this picture."""


def table_rows(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table of this folder (``.tsv``) as lists of texts, without comments."""
    text = files("randomizer.systems.interchange").joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@registered(count=1, bytes_each=30 * KB)
@cache
def pictures() -> tuple[Picture, ...]:
    """Return all pictures, in the order in which they are preferred."""
    rows = list[Picture]()
    for name, colour, water, board, wesnoth, words in table_rows("pictures.tsv"):
        codes = {"MegaMek": board, "Wesnoth": wesnoth}
        rows.append(Picture(name, colour, bool(water), codes, frozenset(words.split())))
    return tuple(rows)


def plains() -> Picture:
    """Return the picture for a terrain that resembles no other one."""
    return next(picture for picture in pictures() if picture.name == "Plains")


def first_picture_with_word(words: Iterable[str]) -> Picture | None:
    """Return the first picture that has one of ``words``; None if none has.

    ``words`` are in lower case. A word such as "fir-forests" also counts as its parts, "fir" and
    "forests", and all of these also count without an s at their end.
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
    """Return the picture of a terrain in the table, None if there is none.

    It is the one with the name of the terrain's picture, or else the nearest to its names.
    """
    name = terrain.picture or terrain.name
    for picture in pictures():
        if picture.name == name:
            return picture
    words = f"{terrain.name} {terrain.picture} {' '.join(terrain.aliases)}"
    return first_picture_with_word(words.lower().split())
