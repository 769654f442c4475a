"""Which terrain sets a map can have."""

from __future__ import annotations

import re

from randomizer.model.terrain import MOST_WAYS, WAY_STYLES, TerrainSet
from randomizer.model.texts import fault_in_line

MOST_TERRAINS = 16_000
MOST_HEXSIDES = 200
MOST_ELEVATIONS = 1000
MOST_COST = 1_000_000.0
MOST_WIDTH = 10.0
LONGEST_WORD = 100
LONGEST_TEXT = 2000

HINDERS = ("", "slows", "ground", "all")
"""The values of ``Terrain.hinders``."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_DIGEST = re.compile(r"([0-9a-f]{64})?")


def check_terrain_set(known: TerrainSet) -> None:
    """Raise ValueError, with a message, for a set that no map can have."""
    _check_word(known.name, "the name of the terrain set")
    sizes = (
        ("terrains", len(known.terrains), 1, MOST_TERRAINS),
        ("hexsides", len(known.hexsides), 0, MOST_HEXSIDES),
        ("elevations", len(known.elevations), 1, MOST_ELEVATIONS),
        ("ways", len(known.ways), 0, MOST_WAYS),
    )
    for what, count, least, most in sizes:
        if not least <= count <= most:
            raise ValueError(f"a terrain set has {least} to {most:,} {what}, not {count:,}")
    if not all(-0x8000 < height <= 0x7FFF for height in known.elevations):
        raise ValueError("an elevation is out of range")
    colours = [terrain.colour for terrain in known.terrains]
    colours += [hexside.colour for hexside in known.hexsides]
    colours += [way.colour for way in known.ways]
    for colour in colours:
        if _COLOUR.fullmatch(colour) is None:
            raise ValueError(f"{colour!r:.40} is no colour like #80c080")
    _check_names("terrain", [(terrain.name, terrain.description) for terrain in known.terrains])
    _check_names("hexside", [(hexside.name, hexside.description) for hexside in known.hexsides])
    _check_names("way", [(way.name, way.description) for way in known.ways])
    for terrain in known.terrains:
        if terrain.hinders not in HINDERS:
            raise ValueError(f"{terrain.name}: no terrain hinders {terrain.hinders!r:.40}")
        for word in (*terrain.aliases, *filter(None, (terrain.letters,))):
            _check_word(word, f"another name of {terrain.name}")
        for word in filter(None, (terrain.picture, terrain.pattern, terrain.code)):
            _check_word(word, f"the picture, pattern or code of {terrain.name}")
        if _DIGEST.fullmatch(terrain.asset) is None:
            raise ValueError(f"{terrain.name}: {terrain.asset!r:.40} is no digest of a picture")
        _check_cost(terrain.cost, terrain.name)
        for number in filter(None, (terrain.priority, terrain.order)):
            if not -0x8000 < number <= 0x7FFF:
                raise ValueError(f"{terrain.name}: a priority or an order is out of range")
    _check_ways(known)
    letters = [hexside.letter for hexside in known.hexsides]
    if len(set(letters)) < len(letters) or not all(
        len(letter) == 1 and letter.isprintable() and letter != " " for letter in letters
    ):
        raise ValueError("every hexside has a letter of its own")
    for hexside in known.hexsides:
        for ground in filter(None, (hexside.ground, hexside.beside)):
            if not known.has_terrain(ground):
                raise ValueError(f"{hexside.name} needs {ground!r:.40}, which is no terrain")
        if hexside.drops is not None and len(hexside.drops) != 2:
            raise ValueError(f"{hexside.name}: its drops are not the least and the most")


def _check_ways(known: TerrainSet) -> None:
    for way in known.ways:
        if way.style not in WAY_STYLES:
            raise ValueError(f"{way.name}: no way is drawn as {way.style!r:.40}")
        if not 0 < way.width <= MOST_WIDTH:
            raise ValueError(f"{way.name}: its width is not above 0 and at most {MOST_WIDTH:g}")
        _check_cost(way.cost, way.name)


def _check_cost(cost: float | None, name: str) -> None:
    if cost is not None and not 0 < cost <= MOST_COST:
        raise ValueError(f"{name}: its cost is not above 0 and at most {MOST_COST:,.0f}")


def _check_names(what: str, named: list[tuple[str, str]]) -> None:
    """Check the names and descriptions of all terrains, or of all hexsides."""
    for name, description in named:
        _check_word(name, f"the name of a {what}")
        fault = fault_in_line(description, LONGEST_TEXT)
        if fault:
            raise ValueError(f"the description of the {what} {name} {fault}")
    if len({name for name, _ in named}) < len(named):
        raise ValueError(f"two {what}s have the same name")


def _check_word(word: str, where: str) -> None:
    if not 0 < len(word) <= LONGEST_WORD or not word.isprintable() or word != word.strip():
        raise ValueError(f"{where} cannot be {word!r:.60}")
