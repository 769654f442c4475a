"""The meanings of terrain types, told by the words of their names, and their pictures and colours.

A period names its terrains as it likes. The *meaning* of a name is a kind of terrain that this
program knows (``terrain_meanings.tsv``), which has pictures and a colour::

    meaning_of("forest hills")                      # "hills": the last known word counts
    looks_of([(".", "sea", "sky blue"), ...])       # TerrainLook("Open sea", "#...") ...

Types whose names are not known get a pattern in their own colour, so that every two types of a
period differ by more than colour.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.systems.xconq.period.colours import terrain_colour
from randomizer.systems.xconq.period.period import TerrainType

PATTERNS = tuple(f"Pattern {number}" for number in range(1, 13))
"""Pictures of hatchings and dots, for types whose meaning is not known."""

PICTURE_SHARE = 0.7
"""The share of the colour of a picture in that of a type whose colour the period names roughly.

If it is larger, the terrains of periods look more alike, and less as their authors meant.
"""


class Meaning(NamedTuple):
    """A kind of terrain."""

    pictures: tuple[str, ...]
    """The names of its pictures, the best first."""

    colour: str
    """The colour of the pictures, ``#rrggbb``."""

    place: str
    """``water``, ``land``, ``high`` (land where few can go) or ``void``."""

    words: str
    """The words that mean it, with blanks between them."""


@registered(count=1, bytes_each=15 * KB)
@cache
def all_meanings() -> dict[str, Meaning]:
    """Return all kinds of terrain by name, from ``terrain_meanings.tsv``."""
    rows = packaged_table("randomizer.systems.xconq.terrain", "terrain_meanings.tsv")
    return {
        name: Meaning(tuple(pictures.split(", ")), colour, place, words)
        for name, pictures, colour, place, words in rows
    }


MEANINGS_OF_CHARACTERS = {
    ".": "sea",
    ",": "shallows",
    "=": "swamp",
    "~": "desert",
    "+": "plains",
    "%": "forest",
    "^": "mountains",
    "_": "ice",
}
"""The meanings of the characters of terrain types, as most periods use them.

They count for a type whose name is not known: it keeps its picture when it gets such a name.
"""

MIN_PART = 4
"""The least number of letters of a known word within a longer one: ``elmwood`` is a wood."""


@registered(count=1, bytes_each=60 * KB)
@cache
def _by_word() -> dict[str, str]:
    """Return the kinds of terrain by the words that mean them."""
    names: dict[str, str] = {}
    for name, meaning in all_meanings().items():
        names |= dict.fromkeys(meaning.words.split(), name)
    return names


@registered(bytes_each=300)
@lru_cache(2048)
def meaning_of(name: str) -> str:
    """Return the key in ``all_meanings()`` of a terrain's name, "" if none of its words is known.

    The last known word counts (``forest hills`` are hills); else the longest known ending, then the
    longest known beginning of a word.
    """
    meanings = _by_word()
    words = re.findall(r"[a-z]+", name.lower())
    for word in reversed(words):
        for form in (word, word.removesuffix("s"), f"{word}s"):
            if form in meanings:
                return meanings[form]
    longest = max(map(len, meanings))
    for word in reversed(words):
        lengths = range(min(len(word) - 1, longest), MIN_PART - 1, -1)
        endings = [word[-length:] for length in lengths]
        beginnings = [word[:length] for length in lengths]
        for part in endings + beginnings:
            if part in meanings:
                return meanings[part]
    return ""


def place_of(name: str) -> str:
    """Return the ``place`` of the meaning of a terrain's name; "" if that is not known."""
    meaning = meaning_of(name)
    if meaning:
        return all_meanings()[meaning].place
    return ""


class TerrainLook(NamedTuple):
    """The look of a terrain type."""

    picture: str
    """The name of its picture, as in ``Terrain.picture``."""

    colour: str
    """``#rrggbb``."""


def looks_of(terrains: Iterable[tuple[str, str, str]]) -> tuple[TerrainLook, ...]:
    """Return the looks of all terrain types of a period, each given as (character, name, colour).

    No two types have the same picture while there are enough. An exact colour is kept; one that is
    named roughly (``green``) goes part of the way to the colour of the picture.
    """
    types = [TerrainType(*texts) for texts in terrains]
    meanings = [meaning_of(terrain.name) for terrain in types]
    pictures = _choose_pictures([terrain.char for terrain in types], meanings)
    looks = []
    for terrain, meaning, picture in zip(types, meanings, pictures, strict=True):
        looks.append(TerrainLook(picture, _mixed_colour(terrain.colour, terrain.name, meaning)))
    return tuple(looks)


class _PictureChoice:
    """Chooses pictures for the terrain types of a period, no picture twice while there are enough.

    Types are known by their index. A picture that is chosen stays chosen.
    """

    def __init__(self, type_count: int) -> None:
        self.pictures = [""] * type_count
        """The picture of each type; "" while it has none."""
        self._used: set[str] = set()

    def choose_by_meaning(self, meanings: Sequence[str]) -> None:
        """Choose pictures of meanings for types that have none; a type without meaning has "".

        All types choose their best pictures first, then their second ones, and so on. So the order
        of the types decides only between those that mean the same.
        """
        max_pictures = max(len(meaning.pictures) for meaning in all_meanings().values())
        for rank in range(max_pictures):
            for index, meaning in enumerate(meanings):
                if self.pictures[index] or not meaning:
                    continue
                pictures = all_meanings()[meaning].pictures
                if rank < len(pictures) and pictures[rank] not in self._used:
                    self._set(index, pictures[rank])

    def choose_patterns(self, chars: Sequence[str]) -> None:
        """Choose patterns for types that have no picture; ``chars`` are those of all types.

        A pattern follows from the character, so that a type has the same one in most periods. If
        it is used already, the next one is chosen, as long as there is any.
        """
        for index, char in enumerate(chars):
            if self.pictures[index]:
                continue
            first = zlib.crc32(char.encode()) % len(PATTERNS)
            patterns = (*PATTERNS[first:], *PATTERNS[:first])
            unused_patterns = [pattern for pattern in patterns if pattern not in self._used]
            self._set(index, next(iter(unused_patterns), PATTERNS[first]))

    def _set(self, index: int, picture: str) -> None:
        self.pictures[index] = picture
        self._used.add(picture)


def _choose_pictures(chars: Sequence[str], meanings: Sequence[str]) -> list[str]:
    """Return a picture for each type, from its character and the meaning of its name."""
    choice = _PictureChoice(len(chars))
    choice.choose_by_meaning(meanings)

    # Then those types choose whose meaning only their characters tell; the others have chosen, and
    # get no meaning this time.
    meanings_of_rest = []
    for char, meaning in zip(chars, meanings, strict=True):
        if meaning:
            meanings_of_rest.append("")
        else:
            meanings_of_rest.append(MEANINGS_OF_CHARACTERS.get(char, ""))
    choice.choose_by_meaning(meanings_of_rest)

    choice.choose_patterns(chars)
    return choice.pictures


def _mixed_colour(text: str, name: str, meaning: str) -> str:
    """Return the colour of a type, which the period calls ``text``.

    An exact one, with numbers, is not changed; nor is that of a type whose meaning is not known.
    """
    colour = terrain_colour(text, name)
    if not meaning or text.strip().startswith(("#", "rgb:")):
        return colour
    channels = bytes.fromhex(colour[1:])
    picture_channels = bytes.fromhex(all_meanings()[meaning].colour[1:])
    mixed = []
    for channel, picture_channel in zip(channels, picture_channels, strict=True):
        mixed.append(round(picture_channel * PICTURE_SHARE + channel * (1 - PICTURE_SHARE)))
    return "#" + bytes(mixed).hex()
