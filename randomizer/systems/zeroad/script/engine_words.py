"""Lists the functions and values that the game gives to random map scripts, with help on each.

    GLOBALS["log"].usage                      # "log(text)"
    OWNERS["Engine"]["LoadLibrary"].help      # "Runs the scripts of the folder ..., once."

``script_language`` completes and explains them in the editor. ``GLOBALS`` are the words that can
stand alone, ``OWNERS`` those behind a dot, by the name before the dot. Source: the game's page on
the internals of random maps, and the project's facts on 0 A.D.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Word(NamedTuple):
    """The help on a function or value."""

    usage: str
    """The word as a script writes it, with the parameters of a function."""
    help: str
    """A sentence on what it does or is."""


ENGINE: Mapping[str, Word] = {
    "LoadLibrary": Word(
        "LoadLibrary(name)", "Runs the scripts of the folder maps/random/name/, once."
    ),
    "ReadJSONFile": Word(
        "ReadJSONFile(path)", "A JSON file below maps/ or simulation/; null if there is none."
    ),
    "FileExists": Word("FileExists(path)", "Whether there is a file below maps/ or simulation/."),
    "ListDirectoryFiles": Word(
        "ListDirectoryFiles(path, filter, recurse)", "The paths of the files that fit “*.json”."
    ),
    "GetTemplate": Word(
        "GetTemplate(name)", "The data of a template, with those of its parents; numbers as texts."
    ),
    "TemplateExists": Word("TemplateExists(name)", "Whether there is such a template."),
    "FindTemplates": Word(
        "FindTemplates(path, recurse)", "The names of templates that begin with a path."
    ),
    "FindActorTemplates": Word(
        "FindActorTemplates(path, recurse)", "The names of actors, which are decoration only."
    ),
    "GetCivData": Word("GetCivData()", "The civilisations by their codes."),
    "LoadHeightmapImage": Word(
        "LoadHeightmapImage(path)", "The heights of a grey PNG file: (n + 1)² numbers."
    ),
    "LoadMapTerrain": Word(
        "LoadMapTerrain(path)", "Heights and textures of a scenario's PMP file."
    ),
    "GetMicroseconds": Word("GetMicroseconds()", "A clock, to measure how long something takes."),
    "MaybeGC": Word("MaybeGC()", "A chance to free memory."),
    "SetProgress": Word(
        "SetProgress(percent)", "Release 26: the progress. Newer scripts yield it."
    ),
    "ExportMap": Word("ExportMap(map)", "Release 26: the finished map. Newer scripts return it."),
}
"""The members of ``Engine``."""

SETTINGS: Mapping[str, Word] = {
    "Size": Word("Size", "Tiles along the map."),
    "Seed": Word("Seed", "The seed of Math.random."),
    "CircularMap": Word("CircularMap", "Whether the map is round."),
    "Biome": Word("Biome", "The biome, where the metadata have SupportedBiomes."),
    "PlayerData": Word("PlayerData", "The players; the first is Gaia. Each has Civ, Team, Name."),
    "Nomad": Word("Nomad", "Whether players start without a town."),
}
"""The members of the settings that every map has."""

GLOBALS: Mapping[str, Word] = {
    "Engine": Word("Engine", "What the game does for a script."),
    "log": Word("log(text)", "Writes on the console."),
    "warn": Word("warn(text)", "Writes a warning on the console; the script goes on."),
    "error": Word("error(text)", "Writes an error on the console; the script goes on."),
    "print": Word("print(text)", "Writes on the console."),
    "clone": Word("clone(value)", "A deep copy."),
    "deepfreeze": Word("deepfreeze(value)", "The value, which nothing can change any more."),
    "uneval": Word("uneval(value)", "The value as text."),
    "g_MapSettings": Word("g_MapSettings", "Release 26: the settings of the map."),
    "TERRAIN_TILE_SIZE": Word("TERRAIN_TILE_SIZE", "Metres along a tile: 4."),
    "MAP_BORDER_WIDTH": Word("MAP_BORDER_WIDTH", "Tiles at the edge that units cannot enter: 3."),
    "generateMap": Word("export function* generateMap(settings)", "Makes the map: release 28."),
    "GenerateMap": Word("function* GenerateMap(mapSettings)", "Makes the map: release 27."),
}

OWNERS: Mapping[str, Mapping[str, Word]] = {
    "Engine": ENGINE,
    "settings": SETTINGS,
    "mapSettings": SETTINGS,
    "g_MapSettings": SETTINGS,
}
"""The members of names that have some. The settings have a different name in each release."""
