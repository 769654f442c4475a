"""Checks which terrain sets a map can have: ``check_terrain_set``.

Edits, files of terrain sets, and the gate (gate/gate.py, which checks whole maps from outside) call
it. A fault is a ``TerrainSetError`` with the path of
the value, so that a file can say on which line it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.terrain.terrain import (
    MAX_WAYS,
    WAY_STYLES,
    Hexside,
    Terrain,
    TerrainSet,
    Way,
)

MAX_TERRAINS = 16_000
"""The most terrains of a set; a map of Tiled brings one for each of its tiles."""

MAX_HEXSIDES = 200
"""The most hexsides of a set; each needs a letter of its own."""

MAX_ELEVATIONS = 1000
"""The most elevations of a set."""

MAX_COST = 1_000_000.0
"""The highest cost of entering a cell."""

MAX_WIDTH = 10.0
"""The largest ``Way.width``."""

LONGEST_WORD = 100
"""The most characters of a name."""

LONGEST_CODE = 1000
"""The most characters of a code, which can be all that another program has in a cell."""

LONGEST_TEXT = 2000
"""The most characters of a description."""

_LOWEST_NUMBER = -0x7FFF
"""The lowest elevation or order: of 16 bits the number below it means *unset*."""

_HIGHEST_NUMBER = 0x7FFF
"""The highest elevation or order: the highest whole number of 16 bits."""

HINDERS = ("", "slows", "ground", "all")
"""The values of ``Terrain.hinders``."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

_DIGEST = re.compile(r"([0-9a-f]{64})?")
"""The digest of an asset, or nothing."""


class TerrainSetError(ValueError):
    """A fault of a terrain set; ``path`` leads to the value, as ``json_places.JsonPath``."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


@registered(bytes_each=5 * MB)
@lru_cache(2)
def check_terrain_set(terrain_set: TerrainSet) -> None:
    """Raise TerrainSetError, with a message, for a set that no map can have.

    A set that passed lately passes at once: an edit and its gate look at the same one.
    """
    _check_word(terrain_set.name, "the name of the terrain set", "name")
    _check_counts(terrain_set)
    _check_elevations(terrain_set.elevations)
    _check_looks("terrain", terrain_set.terrains)
    _check_looks("hexside", terrain_set.hexsides)
    _check_looks("way", terrain_set.ways)
    for index, terrain in enumerate(terrain_set.terrains):
        _check_terrain(terrain, index)
    for index, way in enumerate(terrain_set.ways):
        _check_way(way, index)
    _check_hexsides(terrain_set)


def _check_counts(terrain_set: TerrainSet) -> None:
    """Check how many terrains, hexsides, elevations and ways a set has."""
    sizes = (
        ("terrains", len(terrain_set.terrains), 1, MAX_TERRAINS),
        ("hexsides", len(terrain_set.hexsides), 0, MAX_HEXSIDES),
        ("elevations", len(terrain_set.elevations), 1, MAX_ELEVATIONS),
        ("ways", len(terrain_set.ways), 0, MAX_WAYS),
    )
    for noun, count, lowest, highest in sizes:
        if not lowest <= count <= highest:
            raise TerrainSetError(
                f"a terrain set has {lowest} to {highest:,} {noun}, not {count:,}", noun
            )


def _check_elevations(elevations: Sequence[int]) -> None:
    """Check that a plane can hold the elevations."""
    for index, height in enumerate(elevations):
        if not _LOWEST_NUMBER <= height <= _HIGHEST_NUMBER:
            raise TerrainSetError("an elevation is out of range", "elevations", index)


def _check_terrain(terrain: Terrain, index: int) -> None:
    """Check what only terrains have; ``index`` is that of the terrain in its set."""
    name = terrain.name
    if terrain.hinders not in HINDERS:
        message = f"{name}: no terrain hinders {terrain.hinders!r:.40}"
        raise TerrainSetError(message, "terrains", index, "hinders")
    for number, word in enumerate(terrain.aliases):
        _check_word(word, f"another name of {name}", "terrains", index, "aliases", number)
    if terrain.letters:
        _check_word(terrain.letters, f"the letters of {name}", "terrains", index, "letters")
    for field in ("picture", "ground", "pattern"):
        word = getattr(terrain, field)
        if word:
            _check_word(word, f"the {field} of {name}", "terrains", index, field)
    if terrain.code:
        where = f"the code of {name}"
        _check_word(terrain.code, where, "terrains", index, "code", longest=LONGEST_CODE)
    if _DIGEST.fullmatch(terrain.asset) is None:
        message = f"{name}: {terrain.asset!r:.40} is no digest of a picture"
        raise TerrainSetError(message, "terrains", index, "asset")
    _check_cost(terrain.cost, name, "terrains", index, "cost")
    for field in ("priority", "order"):
        number = getattr(terrain, field) or 0  # a priority can be None
        if not _LOWEST_NUMBER <= number <= _HIGHEST_NUMBER:
            message = f"{name}: its {field} is out of range"
            raise TerrainSetError(message, "terrains", index, field)


def _check_way(way: Way, index: int) -> None:
    """Check what only ways have; ``index`` is that of the way in its set."""
    if way.style not in WAY_STYLES:
        message = f"{way.name}: no way is drawn as {way.style!r:.40}"
        raise TerrainSetError(message, "ways", index, "style")
    if not 0 < way.width <= MAX_WIDTH:
        message = f"{way.name}: its width is not above 0 and at most {MAX_WIDTH:g}"
        raise TerrainSetError(message, "ways", index, "width")
    _check_cost(way.cost, way.name, "ways", index, "cost")


def _check_hexsides(terrain_set: TerrainSet) -> None:
    """Check the letters of hexsides, and the terrains that they need in their cells."""
    used_letters: set[str] = set()
    for index, hexside in enumerate(terrain_set.hexsides):
        letter = hexside.letter
        is_printable = len(letter) == 1 and letter.isprintable() and letter != " "
        if not is_printable or letter in used_letters:
            message = "every hexside has a letter of its own"
            raise TerrainSetError(message, "hexsides", index, "letter")
        used_letters.add(letter)
        for field in ("ground", "beside"):
            terrain_name = getattr(hexside, field)
            if terrain_name and not terrain_set.has_terrain(terrain_name):
                message = f"{hexside.name} needs {terrain_name!r:.40}, which is no terrain"
                raise TerrainSetError(message, "hexsides", index, field)


def _check_cost(cost: float | None, name: str, *path: str | int) -> None:
    """Check the cost of a terrain or a way, which is called ``name``."""
    if cost is not None and not 0 < cost <= MAX_COST:
        message = f"{name}: its cost is not above 0 and at most {MAX_COST:,.0f}"
        raise TerrainSetError(message, *path)


def _check_looks(noun: str, entries: Sequence[Terrain | Hexside | Way]) -> None:
    """Check names, descriptions and colours of all terrains, of all hexsides or of all ways."""
    names: set[str] = set()
    for index, entry in enumerate(entries):
        path = (f"{noun}s", index)
        if _COLOUR.fullmatch(entry.colour) is None:
            raise TerrainSetError(
                f"{entry.colour!r:.40} is no colour like #80c080", *path, "colour"
            )
        _check_word(entry.name, f"the name of a {noun}", *path, "name")
        fault = fault_in_line(entry.description, LONGEST_TEXT)
        if fault:
            message = f"the description of the {noun} {entry.name} {fault}"
            raise TerrainSetError(message, *path, "description")
        if entry.name in names:
            raise TerrainSetError(f"two {noun}s have the same name, {entry.name}", *path, "name")
        names.add(entry.name)


def _check_word(word: str, where: str, *path: str | int, longest: int = LONGEST_WORD) -> None:
    """Check a name of one line; ``where`` says in the message what it is, ``path`` leads to it."""
    if not 0 < len(word) <= longest or not word.isprintable() or word != word.strip():
        raise TerrainSetError(f"{where} cannot be {word!r:.60}", *path)
