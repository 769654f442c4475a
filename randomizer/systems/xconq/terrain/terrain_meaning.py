"""What a terrain type means, told by the words of its name: which picture and colour it is given.

A period names its terrains as it likes. Types whose names are not known get a pattern in their own
colour, so that every two types of a period differ by more than colour.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.systems.xconq.period.colours import colour_of

PATTERNS = tuple(f"Pattern {number}" for number in range(1, 13))
"""Pictures of hatchings and dots, for types whose meaning is not known."""

OWN_SHARE = 0.7
"""How much of the colour of a picture is ours, where the period names a colour only roughly."""


class Meaning(NamedTuple):
    """A kind of terrain: its pictures, the best first, the colour of these, and its words.

    ``place`` is ``water``, ``land``, ``high`` (land where few can go) or ``void``.
    """

    pictures: tuple[str, ...]
    colour: str
    place: str
    words: str


@registered(count=1, bytes_each=15 * KB)
@cache
def all_meanings() -> dict[str, Meaning]:
    """Return all kinds of terrain by name, from ``terrain_meanings.tsv``."""
    rows = packaged_table("randomizer.systems.xconq.terrain", "terrain_meanings.tsv")
    return {
        name: Meaning(tuple(pictures.split(", ")), colour, surroundings, words)
        for name, pictures, colour, surroundings, words in rows
    }


LEAST_PART = 4
"""A word within a longer one counts if it has so many letters: ``elmwood`` is a wood."""


@registered(count=1, bytes_each=60 * KB)
@cache
def _by_word() -> dict[str, str]:
    return {
        word: name for name, meaning in all_meanings().items() for word in meaning.words.split()
    }


@registered(bytes_each=300)
@lru_cache(2048)
def meaning_of(name: str) -> str:
    """Return the key in ``all_meanings()`` of a terrain's name, "" if none of its words is known.

    The last known word counts (``forest hills`` are hills); else the longest known ending, then the
    longest known beginning of a word.
    """
    names = _by_word()
    words = re.findall(r"[a-z]+", name.lower())
    for word in reversed(words):
        exact = names.get(word) or names.get(word.removesuffix("s")) or names.get(f"{word}s")
        if exact:
            return exact
    longest = max(map(len, names))
    for word in reversed(words):
        lengths = range(min(len(word) - 1, longest), LEAST_PART - 1, -1)
        parts = [word[-length:] for length in lengths] + [word[:length] for length in lengths]
        for part in parts:
            if part in names:
                return names[part]
    return ""


def place_of(name: str) -> str:
    """Return the ``place`` of what a terrain's name means, "" if that is not known."""
    meaning = meaning_of(name)
    if meaning:
        return all_meanings()[meaning].place
    return ""


class TerrainLook(NamedTuple):
    """``Terrain.picture``, and its colour (``#rrggbb``)."""

    picture: str
    colour: str


def looks_of(terrains: Iterable[tuple[str, str, str]]) -> tuple[TerrainLook, ...]:
    """Return the looks of all terrain types of a period, each given as (character, name, colour).

    No two types have the same picture while there are enough. An exact colour is kept; one that is
    named roughly (``green``) goes part of the way to the colour of the picture.
    """
    all_terrains = list(terrains)
    meanings = [meaning_of(name) for _, name, _ in all_terrains]
    pictures = _pictures([char for char, _, _ in all_terrains], meanings)
    return tuple(
        TerrainLook(picture, _colour(words, name, meaning))
        for (_, name, words), meaning, picture in zip(all_terrains, meanings, pictures, strict=True)
    )


def _pictures(chars: Sequence[str], meanings: Sequence[str]) -> list[str]:
    """Return a picture for each type: the best of its meaning, one of the others, a pattern."""
    chosen = [""] * len(chars)
    used: set[str] = set()
    most = max(len(terrain_meaning.pictures) for terrain_meaning in all_meanings().values())
    for choice in range(most):
        for at, meaning in enumerate(meanings):
            if meaning:
                pictures = all_meanings()[meaning].pictures[choice : choice + 1]
            else:
                pictures = ()
            if not chosen[at] and pictures and pictures[0] not in used:
                chosen[at] = pictures[0]
                used.add(pictures[0])
    for at, char in enumerate(chars):
        if not chosen[at]:
            first = zlib.crc32(char.encode()) % len(PATTERNS)
            turned = (*PATTERNS[first:], *PATTERNS[:first])
            chosen[at] = next((picture for picture in turned if picture not in used), turned[0])
            used.add(chosen[at])
    return chosen


def _colour(words: str, name: str, meaning: str) -> str:
    colour = colour_of(words, name)
    if not meaning or words.strip().startswith(("#", "rgb:")):
        return colour
    theirs = bytes.fromhex(colour[1:])
    ours = bytes.fromhex(all_meanings()[meaning].colour[1:])
    mixed = (
        round(our_channel * OWN_SHARE + their_channel * (1 - OWN_SHARE))
        for our_channel, their_channel in zip(ours, theirs, strict=True)
    )
    return "#" + bytes(mixed).hex()
