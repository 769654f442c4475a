"""The hazards and hexsides of Colossus, with all names that files use for them.

    COLOSSUS.terrain_code("Brambles")      # 2, the value in planes
    HAZARD_OF_LETTER["b"]                  # "Brambles"
    HAZARD_OF_ALIAS["Brush"]               # "Brambles"

A *hazard* is the game's name for a terrain. This table alone decides what a word of a script means
(docs/adr/0004). Sources: the letters of the language's document and the names of the game, as the
project's fact sheet on Colossus records them.
"""

from __future__ import annotations

from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.systems.colossus.rules import HAZARDS

BLOCKING = ("Tree", "Stone")
"""The hazards that block rangestrikes.

Cliffs and walls block them, too, as hexsides of all systems do (``Hexside`` in
randomizer/model/terrain/terrain.py).
"""

ANY_DROP = 0xFFFF
"""The greatest drop of a hexside that has none: no two elevations differ by more."""


def _hazard(
    name: str,
    colour: str,
    letters: str,
    *,
    aliases: tuple[str, ...] = (),
    description: str,
    water: bool = False,
) -> Terrain:
    """Return the terrain of a hazard; each of ``letters`` is a name of it in scripts.

    ``colour`` is that of its hexes on maps without pictures.
    """
    return Terrain(
        name,
        colour,
        letters=letters,
        aliases=aliases,
        description=description,
        hinders=HAZARDS[name].hinders,
        water=water,
        blocks_sight=name in BLOCKING,
    )


COLOSSUS = TerrainSet(
    "Colossus",
    (
        _hazard("Plains", "#b6cf7e", "p", description="Open ground; nothing slows here."),
        _hazard("Tree", "#3f7d44", "t", description="Ground creatures enter only as natives."),
        _hazard(
            "Brambles",
            "#7d9440",
            "rb",
            aliases=("Brush",),
            description="Slows all that are not native.",
        ),
        _hazard("Drift", "#dbe8f0", "d", description="Snow: slows and wounds non-natives."),
        _hazard("Volcano", "#a4432f", "v", description="Natives only; they strike the harder."),
        _hazard("Bog", "#6d7b4d", "o", description="Natives only; fliers pass over."),
        _hazard("Sand", "#e3cf8f", "s", description="Slows ground creatures that are not native."),
        _hazard("Tower", "#b9b3a9", "w", description="Flagstones of a tower; nothing slows."),
        _hazard("Lake", "#4f8fc4", "l", description="Water dwellers only.", water=True),
        _hazard("Stone", "#8b8a88", "n", description="Natives only; blocks rangestrikes."),
        _hazard("Spring", "#69b7a5", "g", description="Slows non-natives; heals who stands here."),
        _hazard("TarPit", "#3c3633", "a", description="Slows everyone."),
    ),
    (
        # ``ground``, ``higher``, ``drops`` and ``beside`` are the rules of edge fills
        # (``Hexside``).
        Hexside("Dune", "d", "#c9a54e", ground="Sand", beside="Plains"),
        Hexside("Cliff", "c", "#5b463a", higher=True, drops=(2, ANY_DROP)),
        Hexside("Slope", "s", "#8a6b43", higher=True, drops=(1, 1)),
        Hexside("Wall", "w", "#6f6a64", higher=True),
        Hexside("River", "r", "#3d78b5"),
    ),
    elevations=(0, 1, 2, 3),
    tactical=True,
)
"""The terrain set; an unset hex shows ``Plains``."""

HAZARD_OF_LETTER: dict[str, str] = {
    letter: terrain.name for terrain in COLOSSUS.terrains for letter in terrain.letters
}
"""The name of the hazard of each letter.

Brambles have two letters: ``r`` in the language's document and ``b`` in the game.
"""

HAZARD_OF_ALIAS: dict[str, str] = {
    alias: terrain.name for terrain in COLOSSUS.terrains for alias in terrain.aliases
}
"""The name in the game of each further name of a hazard."""

HEXSIDE_NAMES: dict[str, str] = {hexside.letter: hexside.name for hexside in COLOSSUS.hexsides}
"""The name of the hexside of each letter."""
