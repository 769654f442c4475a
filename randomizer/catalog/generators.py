"""The packaged generators, by name and by system.

    generator = generator_named("Cordery")
    generators_of(system)                      # those that come with a system of this package
    listed_generators(system)                  # the same, and those of other installed packages

The generators of a user's own scripts are made in ``scripts.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

from randomizer.catalog.catalog import GENERATORS_OF_SYSTEMS, all_entries, loaded, own_entries
from randomizer.generator import MapGenerator
from randomizer.installed import Guard
from randomizer.model.basics.caches import KB, registered
from randomizer.model.system.system import System

UNLISTED_GENERATORS = ("randomizer.variations.generator",)
"""Modules of generators that are found by their names but not listed: they need a map."""


def generators() -> tuple[MapGenerator, ...]:
    """Return all packaged generators, in the order of the catalogue."""
    return tuple(_generators())


def _generators() -> Iterator[MapGenerator]:
    """Yield all packaged generators; a module is imported when its first generator is due."""
    for module in all_entries("GENERATORS"):
        yield from _packaged(module)


_REQUIRED_OF_GENERATORS = attrgetter("name", "text", "system", "metadata", "settings", "generate")
"""Reads the attributes that every generator has."""


@registered(count=4, bytes_each=200 * KB)
@cache
def _packaged(module: Any) -> tuple[MapGenerator, ...]:
    """Return the generators of a module; none if the module, or one of them, is at fault."""
    with Guard(module):
        packaged_generators = tuple(module.packaged())
        for generator in packaged_generators:
            _REQUIRED_OF_GENERATORS(generator)  # AttributeError for what is no generator
        return packaged_generators
    return ()


def generator_named(name: str) -> MapGenerator | None:
    """Return the packaged generator with this name, None if there is none.

    Case is ignored; blanks, hyphens and underscores are the same, so that a name of several words
    can be typed as one.
    """
    name_to_find = _comparable_name(name)
    for candidate in chain(_generators(), _unlisted_generators()):
        if _comparable_name(candidate.name) == name_to_find:
            return candidate
    return None


def _comparable_name(name: str) -> str:
    """Return a name in small letters, with blanks for hyphens and underscores."""
    return name.lower().replace("_", " ").replace("-", " ")


def _unlisted_generators() -> Iterator[MapGenerator]:
    """Yield the generators that are found by their names only."""
    for entry in UNLISTED_GENERATORS:
        yield from _packaged(loaded(entry))


def listed_generators(system: System) -> tuple[MapGenerator, ...]:
    """Return all packaged generators of a system's maps, those of other packages too."""
    return tuple(generator for generator in _generators() if generator.system is system)


def generators_of(system: System) -> tuple[MapGenerator, ...]:
    """Return the packaged generators that come with a system."""
    if system in own_entries("SYSTEMS"):
        entry = GENERATORS_OF_SYSTEMS.get(system.name)
        if entry is None:
            return ()
        return _packaged(loaded(entry))
    return listed_generators(system)


def generator_without_script(system: System) -> MapGenerator | None:
    """Return the generator of a system's maps that needs no script, None if all need one."""
    return next((generator for generator in generators_of(system) if not generator.text), None)
