"""Tells the terrains and hexsides through which nobody looks.

    blocks_sight(Terrain("Pine wood", "#35684f"))       # True, by its noun, "wood"
    blocks_sight(Terrain("Wood floor", "#8a6a4a"))      # False, by its noun, "floor"

A terrain set can say it (``blocks_sight`` of its entries); else the picture and the name tell:
walls, cliffs, woods, mountains and houses do in the field.
"""

from __future__ import annotations

import re

from randomizer.model.terrain.terrain import Hexside, Terrain

_OPAQUE_PICTURES = frozenset(
    {
        "Autumn woods",
        "Bare woods",
        "Castle",
        "Cave houses",
        "Cave wall",
        "City",
        "City houses",
        "Clay houses",
        "Cliff",
        "Coniferous trees",
        "Conifers",
        "Cottages",
        "Country town",
        "Deciduous trees",
        "Great tree",
        "High mountains",
        "Houses",
        "Huts",
        "Jungle",
        "Keep",
        "Mountain",
        "Mountains",
        "Mushrooms",
        "Palm trees",
        "Settlement",
        "Snowy conifers",
        "Snowy cottages",
        "Stilt houses",
        "Streets",
        "Tower",
        "Town",
        "Tree",
        "Village",
        "Volcano",
        "Woodland halls",
        "Woods",
    }
)
"""The pictures of what nobody looks through."""

_OPAQUE_NOUNS = frozenset(
    {
        "building",
        "castle",
        "city",
        "cliff",
        "copse",
        "escarpment",
        "forest",
        "fortress",
        "hamlet",
        "hedge",
        "hedgerow",
        "house",
        "jungle",
        "mountain",
        "palisade",
        "rampart",
        "settlement",
        "tower",
        "town",
        "tree",
        "village",
        "volcano",
        "wall",
        "wood",
    }
)
"""The nouns of what nobody looks through, in the singular."""

_BEHIND_NOUN = re.compile(
    r"""
    \s+ (?: of | with | in | on | and ) \s .*    # "Wall of stone"
    | \s* [,(\[] .*                             # "Wood (light)", "Wood, dry grass"
    | [\s\d]+ $                                 # "Wood 2"
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The words behind the noun of a name."""


def blocks_sight(entry: Terrain | Hexside) -> bool:
    """Return whether nobody looks into, out of or across an entry of a terrain set."""
    if entry.blocks_sight is not None:
        return entry.blocks_sight
    if isinstance(entry, Terrain) and (entry.picture or entry.name) in _OPAQUE_PICTURES:
        return True
    name = _BEHIND_NOUN.sub("", entry.name)
    words = re.findall(r"[a-z]+", name.lower())
    if not words:
        return False
    noun = words[-1]  # in English the noun is the last word: "Pine wood" is a wood
    singulars = (noun, noun.removesuffix("s"), noun.removesuffix("es"), re.sub("ies$", "y", noun))
    return not _OPAQUE_NOUNS.isdisjoint(singulars)
