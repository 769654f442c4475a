"""The catalogue: the names of all systems, generators, script hosts, formats and games.

A *generator* rolls maps; a *script host* makes generators of the scripts of one game; a *game host*
finds the maps of an installed game. The lists here name what comes with this package as texts, such
as ``randomizer.systems.cordery.system:SYSTEM``: a module is imported only when it is needed. What
other installed packages bring along (``installed``) is looked for only where a name is not found
here, or where all are listed.

Modules that look things up in the lists::

    systems.py          system_named("cordery"), and a system's game and fairness model
    generators.py       generator_named("Cordery")
    map_formats.py      format_of_suffix("vale.battlemap", system)
    scripts.py          generator_for_script(text, "mainland.js")
    script_catalog.py   entry_named("0ad:islands")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from randomizer.installed import installed, load
from randomizer.model.system.system import System

SYSTEMS = (
    "randomizer.systems.colossus.system:SYSTEM",
    "randomizer.systems.free.system:SYSTEM",
    "randomizer.systems.cordery.system:SYSTEM",
    "randomizer.systems.xconq.system:SYSTEM",
    "randomizer.systems.zeroad.system:SYSTEM",
)
"""``module:name`` of every ``System``, in the order in which a new map offers them."""

GENERATORS_OF_SYSTEMS: Mapping[str, str] = {
    "colossus": "randomizer.systems.colossus.generator",
    "free": "randomizer.systems.free.landscape.generator",
    "cordery": "randomizer.systems.cordery.generator",
    "xconq": "randomizer.systems.xconq.rolling.generator",
    "zeroad": "randomizer.systems.zeroad.generators.packaged",
}
"""The modules whose ``packaged()`` returns the generators of a system, by the system's name.

A map asks only the module of its own system: the others would read all their scripts first.
"""

GENERATORS = tuple(GENERATORS_OF_SYSTEMS.values())
"""The modules of all generators of this package."""

SCRIPT_HOSTS = (
    "randomizer.systems.colossus.script_host:HOST",
    "randomizer.systems.xconq.script_host:HOST",
    "randomizer.systems.zeroad.script_host:HOST",
)
"""``module:name`` of ``ScriptHost`` objects, for systems whose generators are scripts."""

FORMATS = (
    "randomizer.systems.colossus.battleland.xml_format:XML",
    "randomizer.systems.colossus.battleland.record:JSON",
    "randomizer.systems.colossus.battleland.text:TEXT",
    "randomizer.systems.cordery.table_files:TEXT",
    "randomizer.systems.cordery.table_files:JSON",
    "randomizer.systems.xconq.mapfile.mapfile_format:XCONQ",
    "randomizer.systems.interchange.formats:PMP",
    "randomizer.systems.zeroad.map_format.map_json:JSON",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_27",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_28",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_26",
    "randomizer.storage.files.project:PROJECT",
    "randomizer.storage.files.cell_lines:CELLS",
    "randomizer.storage.files.notes_in_markdown:NOTES",
    "randomizer.systems.interchange.formats:BOARD",
    "randomizer.systems.interchange.formats:WESNOTH",
    "randomizer.systems.interchange.formats:TEXTMAPPER",
    "randomizer.systems.interchange.formats:WXX",
    "randomizer.systems.interchange.formats:AZGAAR",
    "randomizer.systems.interchange.formats:TMX",
    "randomizer.systems.interchange.formats:TMJ",
    "randomizer.systems.interchange.formats:FOUNDRY",
    "randomizer.systems.interchange.formats:UVTT",
)
"""``module:name`` of ``formats.Format`` objects, the preferred ones first."""

GAME_HOSTS = (
    "randomizer.systems.colossus.game.host:HOST",
    "randomizer.systems.xconq.game.host:HOST",
    "randomizer.systems.zeroad.game.host:HOST",
)
"""``module:name`` of ``games.GameHost`` objects: games that load maps from a directory."""

FAIRNESS_MODELS = ("randomizer.systems.colossus.fairness.fairness_model:FAIRNESS_MODEL",)
"""``module:name`` of ``FairnessModel`` objects, at most one a system."""

_OWN = {
    "SYSTEMS": SYSTEMS,
    "GENERATORS": GENERATORS,
    "SCRIPT_HOSTS": SCRIPT_HOSTS,
    "FORMATS": FORMATS,
    "GAME_HOSTS": GAME_HOSTS,
    "FAIRNESS_MODELS": FAIRNESS_MODELS,
}
"""The entries of this package by the name of their kind, by which other packages name theirs."""


loaded = cache(load)
"""Imports the object that ``module:name`` stands for, once."""


def own_entries(kind: str) -> Iterator[Any]:
    """Yield the entries of a kind, such as ``FORMATS``, that come with this package.

    Each is imported only when it is its turn.
    """
    return map(loaded, _OWN[kind])


def imports() -> Iterator[Callable[[], object]]:
    """Yield a function for each entry of this package, which imports it when it is called.

    So a program can import them one by one while it has nothing else to do.
    """
    for entries in _OWN.values():
        for entry in entries:
            yield partial(loaded, entry)


def all_entries(kind: str) -> Iterator[Any]:
    """Yield everything of a kind; other packages are looked at after the last of this one."""
    yield from own_entries(kind)
    yield from installed(kind)


def entries_for(kind: str, system: System) -> Iterator[Any]:
    """Return the entries of a kind that may be of a system.

    For a system of this package they are those of this package alone.
    """
    if system in own_entries("SYSTEMS"):
        return own_entries(kind)
    return all_entries(kind)
