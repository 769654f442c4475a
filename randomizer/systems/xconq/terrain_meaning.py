"""What a terrain type means, told by the words of its name: which picture and colour it is given.

A period names its terrains as it likes. Types whose names are not known get a pattern in their own
colour, so that every two types of a period differ by more than colour.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from randomizer.systems.xconq.colours import colour_of

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


MEANINGS = {
    "sea": Meaning(
        ("Open sea", "Shallows"),
        "#2f6ea5",
        "water",
        "sea ocean deep deeps depths abyss gulf water waters main brine",
    ),
    "shallows": Meaning(
        ("Shallows", "Open sea"),
        "#72b4cf",
        "water",
        "shallows shallow shoal shoals coast reef atoll lagoon bay harbour harbor strait "
        "estuary ford",
    ),
    "river": Meaning(
        ("River", "Shallows"),
        "#4f93c4",
        "water",
        "river stream canal brook creek lake pond mere loch pool channel",
    ),
    "swamp": Meaning(
        ("Swamp",),
        "#7f9b66",
        "land",
        "swamp marsh bog fen mire moor quagmire wetland bayou mud mudflat morass mangrove",
    ),
    "desert": Meaning(
        ("Desert",),
        "#e4cf8d",
        "land",
        "desert sand sands dune dunes beach barren barrens waste wastes wasteland badlands dust",
    ),
    "plains": Meaning(
        ("Grassland", "Farmland"),
        "#a8c46c",
        "land",
        "plain plains grass grassland meadow meadows prairie steppe savanna savannah pampas land "
        "ground clear open green pasture heath veldt island lowland",
    ),
    "farmland": Meaning(
        ("Farmland", "Grassland"),
        "#c2c06a",
        "land",
        "farm farms farmland field fields crops wheat paddy garden orchard vineyard",
    ),
    "forest": Meaning(
        ("Woods", "Conifers", "Jungle"),
        "#3e7c46",
        "land",
        "forest wood woods woodland tree trees grove thicket copse bush weald holt",
    ),
    "conifers": Meaning(
        ("Conifers", "Woods"),
        "#35684f",
        "land",
        "taiga pine pines fir firs conifer conifers spruce elderwood",
    ),
    "jungle": Meaning(
        ("Jungle", "Woods"), "#2f7a3c", "land", "jungle rainforest tropics palm palms"
    ),
    "hills": Meaning(
        ("Hills", "Mountains"),
        "#b5a768",
        "land",
        "hill hills highland highlands upland uplands down downs foothills ridge rough broken mesa",
    ),
    "mountains": Meaning(
        ("Mountains", "Hills"),
        "#98785a",
        "high",
        "mountain mountains mount peak peaks alp alps crag crags cliff cliffs summit rock rocks "
        "stone massif volcano range",
    ),
    "ice": Meaning(
        ("Ice",),
        "#eef4f8",
        "high",
        "ice snow snowfield glacier arctic polar pole icecap tundra frost frozen floe",
    ),
    "town": Meaning(
        ("Houses", "Pavement"),
        "#b9a08a",
        "land",
        "town city village urban suburb suburbs settlement ruins buildings houses building",
    ),
    "road": Meaning(
        ("Pavement", "Houses"),
        "#b4b0a8",
        "land",
        "road roads street streets track path highway pavement floor deck paved airstrip bridge",
    ),
    "void": Meaning(
        ("Void",),
        "#17181f",
        "void",
        "void vacuum space nothingness chaos vacuous ether outer nowhere",
    ),
    "mist": Meaning(("Mist",), "#8d8a9c", "void", "mist fog cloud clouds haze smoke gas"),
}

LEAST_PART = 4
"""A word within a longer one counts if it has so many letters: ``elmwood`` is a wood."""


@cache
def _by_word() -> dict[str, str]:
    return {word: name for name, known in MEANINGS.items() for word in known.words.split()}


@cache
def meaning_of(name: str) -> str:
    """The key in ``MEANINGS`` of a terrain's name, "" if none of its words is known.

    The last known word counts (``forest hills`` are hills); else the longest known ending, then the
    longest known beginning of a word.
    """
    known = _by_word()
    words = re.findall(r"[a-z]+", name.lower())
    for word in reversed(words):
        found = known.get(word) or known.get(word.removesuffix("s")) or known.get(f"{word}s")
        if found:
            return found
    longest = max(map(len, known))
    for word in reversed(words):
        lengths = range(min(len(word) - 1, longest), LEAST_PART - 1, -1)
        parts = [word[-length:] for length in lengths] + [word[:length] for length in lengths]
        for part in parts:
            if part in known:
                return known[part]
    return ""


class TerrainLook(NamedTuple):
    """``Terrain.picture``, and its colour (``#rrggbb``)."""

    picture: str
    colour: str


def looks_of(terrains: Iterable[tuple[str, str, str]]) -> tuple[TerrainLook, ...]:
    """The looks of all terrain types of a period, each given as (character, name, colour).

    No two types have the same picture while there are enough. An exact colour is kept; one that is
    named roughly (``green``) goes part of the way to the colour of the picture.
    """
    given = list(terrains)
    meanings = [meaning_of(name) for _, name, _ in given]
    pictures = _pictures([char for char, _, _ in given], meanings)
    return tuple(
        TerrainLook(picture, _colour(words, name, meaning))
        for (_, name, words), meaning, picture in zip(given, meanings, pictures, strict=True)
    )


def _pictures(chars: Sequence[str], meanings: Sequence[str]) -> list[str]:
    """A picture for each type: the best of its meaning, one of the others, a pattern."""
    chosen = [""] * len(chars)
    used: set[str] = set()
    most = max(len(known.pictures) for known in MEANINGS.values())
    for choice in range(most):
        for at, meaning in enumerate(meanings):
            pictures = MEANINGS[meaning].pictures[choice : choice + 1] if meaning else ()
            if not chosen[at] and pictures and pictures[0] not in used:
                chosen[at] = pictures[0]
                used.add(pictures[0])
    for at, char in enumerate(chars):
        if not chosen[at]:
            first = zlib.crc32(char.encode()) % len(PATTERNS)
            turned = (*PATTERNS[first:], *PATTERNS[:first])
            chosen[at] = next((each for each in turned if each not in used), turned[0])
            used.add(chosen[at])
    return chosen


def _colour(words: str, name: str, meaning: str) -> str:
    colour = colour_of(words, name)
    if not meaning or words.strip().startswith(("#", "rgb:")):
        return colour
    theirs, ours = bytes.fromhex(colour[1:]), bytes.fromhex(MEANINGS[meaning].colour[1:])
    mixed = (
        round(own * OWN_SHARE + other * (1 - OWN_SHARE))
        for own, other in zip(ours, theirs, strict=True)
    )
    return "#" + bytes(mixed).hex()
