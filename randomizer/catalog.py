"""Everything the desk can roll with and every format it knows. A new one is a line here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any

from randomizer.formats import Format
from randomizer.generator import MapGenerator
from randomizer.problems import error

GENERATORS = ("randomizer.colossus.generator",)
"""Modules with ``SUFFIX``, ``packaged()`` and ``from_text(text, script, path)``."""

FORMATS = (
    "randomizer.colossus.battleland_xml:XML",
    "randomizer.colossus.battleland_record:JSON",
    "randomizer.colossus.battleland_text:TEXT",
)
"""``module:name`` of ``formats.Format`` objects, the one to prefer first."""


@cache
def generators() -> tuple[MapGenerator, ...]:
    """Every packaged generator, in the order of the catalogue."""
    return tuple(generator for name in GENERATORS for generator in import_module(name).packaged())


def generator_named(name: str) -> MapGenerator | None:
    """The packaged generator with this name, in any case of letters; None if there is none."""
    for generator in generators():
        if generator.name.lower() == name.lower():
            return generator
    return None


def script_suffixes() -> tuple[str, ...]:
    """The suffixes of scripts that a generator of the catalogue hosts."""
    return tuple(import_module(name).SUFFIX for name in GENERATORS)


def generator_for_script(text: str, script: str, path: str | None = None) -> MapGenerator:
    """The generator that hosts a script of the user's own; its suffix picks the host.

    Raises ProblemError for a suffix that no system has.
    """
    suffix = PurePath(script).suffix.lower()
    for name in GENERATORS:
        module: Any = import_module(name)
        if suffix == module.SUFFIX:
            generator: MapGenerator = module.from_text(text, script, path)
            return generator
    known = ", ".join(script_suffixes())
    raise error(
        "script-suffix",
        f"no system has scripts that end in {suffix or 'nothing'} (known: {known})",
        path=path,
    )


@cache
def formats() -> tuple[Format, ...]:
    """Every file format."""
    found = []
    for entry in FORMATS:
        module, name = entry.split(":")
        found.append(getattr(import_module(module), name))
    return tuple(found)


def format_named(name: str) -> Format | None:
    """The format with this word, None if there is none."""
    for known in formats():
        if known.name == name:
            return known
    return None


def format_for(data: bytes, path: str) -> Format:
    """The format of a file: by its content, then by its suffix.

    Raises ProblemError if none fits.
    """
    for known in _readable():
        if known.recognises(data):
            return known
    for known in _readable():
        if Path(path).suffix.lower() in known.suffixes:
            return known
    titles = ", ".join(known.title for known in _readable())
    raise error(
        "format-unknown", f"this file is of no kind that can be read here ({titles})", path=path
    )


def _readable() -> Iterator[Format]:
    return (known for known in formats() if known.readable)
