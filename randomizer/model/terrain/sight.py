"""Whether nobody looks through a terrain or a hexside.

    blocks_sight(Terrain("Pine wood", "#35684f"))       # True

A terrain set can say it (``blocks_sight`` of its entries); else the picture and the name tell:
walls, cliffs, woods, mountains and houses do in the field.
"""

from __future__ import annotations

import re

from randomizer.model.terrain.terrain import Hexside, Terrain

_PICTURES = frozenset(
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

_NOUNS = frozenset(
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
"""What nobody looks through, in the singular."""

_NOT_NOUN = re.compile(r"\s+(?:of|with|in|on|and)\s.*|\s*[,(\[].*|[\s\d]+$", re.IGNORECASE)
"""What stands behind the noun of a name: "Wall of stone", "Wood (light)", "Wood, dry grass",
"Wood 2"."""


def blocks_sight(entry: Terrain | Hexside) -> bool:
    """Return whether nobody looks into, out of or across an entry of a terrain set."""
    if entry.blocks_sight is not None:
        return entry.blocks_sight
    if isinstance(entry, Terrain) and (entry.picture or entry.name) in _PICTURES:
        return True
    words = re.findall(r"[a-z]+", _NOT_NOUN.sub("", entry.name).lower())
    if not words:
        return False
    noun = words[-1]
    return noun in _NOUNS or noun.removesuffix("s") in _NOUNS
