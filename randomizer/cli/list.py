"""``randomizer list``: packaged generators with their settings, the catalogue, the formats."""

from __future__ import annotations

import argparse
import json
import textwrap

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.generators import generators
from randomizer.catalog.map_formats import formats
from randomizer.catalog.script_catalog import entries
from randomizer.catalog.systems import systems
from randomizer.cli.output import FINE, Console
from randomizer.formats.format import Format
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import Setting
from randomizer.symmetric_rolls import settings_for

_WIDTH = 100
"""The most characters of a line."""
_NAME_WIDTH = 11
"""The characters of a name, before the column of descriptions."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """List generators, scripts and formats, as text or (``--json``) for programs.

    What cannot be read is reported, and the rest listed.
    """
    listed: list[CatalogEntry] = []
    for entry in entries():
        if isinstance(entry, Problem):
            console.report([entry])
        elif not entry.hidden:
            listed.append(entry)
    if arguments.json:
        record = {
            "generators": [_generator_record(generator) for generator in generators()],
            "scripts": [_script_record(entry) for entry in listed],
            "terrains": _terrain_set_records(),
            "formats": [_format_record(map_format) for map_format in formats()],
        }
        console.put_text(json.dumps(record, indent=1))
    else:
        for line in _lines(listed):
            console.put_text(line)
    return FINE


def _generator_record(generator: MapGenerator) -> dict[str, object]:
    """Return a packaged generator as an object for JSON."""
    return {
        "name": generator.name,
        "script": generator.metadata.script,
        "description": generator.metadata.description,
        "keywords": list(generator.metadata.keywords),
        "system": generator.system.name,
        "settings": [_setting_record(setting) for setting in _settings(generator)],
    }


def _setting_record(setting: Setting) -> dict[str, object]:
    """Return a setting, with its columns if it is a table, as an object for JSON."""
    return {
        "name": setting.name,
        "kind": setting.kind.__name__,
        "title": setting.title,
        "group": setting.group,
        "help": setting.help,
        "default": setting.default,
        "choices": list(setting.values),
        "labels": dict(setting.choices),
        "least": setting.minimum,
        "most": setting.maximum,
        "step": setting.step,
        "columns": [_setting_record(column) for column in setting.columns],
    }


def _script_record(entry: CatalogEntry) -> dict[str, object]:
    """Return a script of the catalogue as an object for JSON."""
    return {
        "name": entry.metadata.name,
        "system": entry.system.name,
        "origin": entry.origin,
        "script": entry.metadata.script,
        "path": entry.path,
        "description": entry.metadata.description,
        "keywords": list(entry.metadata.keywords),
    }


def _terrain_set_records() -> list[dict[str, str]]:
    """Return the packaged terrain sets as objects for JSON."""
    records = []
    for system in systems():
        records += [{"name": name, "system": system.name} for name in system.packaged_terrains]
    return records


def _format_record(map_format: Format) -> dict[str, object]:
    """Return a format as an object for JSON."""
    return {
        "name": map_format.name,
        "title": map_format.title,
        "suffixes": list(map_format.suffixes),
        "readable": map_format.readable,
        "writable": map_format.writable,
    }


def _lines(listed: list[CatalogEntry]) -> list[str]:
    """Return the list as text, a section after the other with an empty line between them."""
    return [
        *_generator_lines(),
        *_setting_lines(),
        *_script_lines(listed),
        *_terrain_set_lines(),
        *_format_lines(),
    ]


def _generator_lines() -> list[str]:
    """Return the packaged generators with their descriptions."""
    lines = ["Generators:"]
    for generator in generators():
        lines += _entry_lines(generator.name, generator.metadata.description)
    return lines


def _setting_lines() -> list[str]:
    """Return the settings by group; generators with the same settings share a section."""
    names_by_settings: dict[tuple[Setting, ...], list[str]] = {}
    for generator in generators():
        names_by_settings.setdefault(_settings(generator), []).append(generator.name)
    lines = []
    for settings, names in names_by_settings.items():
        if len(names_by_settings) == 1:
            owners = "all of them"
        else:
            owners = ", ".join(names)
        lines += ["", *textwrap.wrap(f"Settings (--set KEY=VALUE) of {owners}:", _WIDTH)]
        group = ""  # settings without a group come first, without a heading
        for setting in settings:
            if setting.group != group:
                group = setting.group
                lines.append(f" {group or 'Others'}:")
            description = f"{setting.help.removesuffix('.')} [{_values_text(setting)}]"
            lines += _entry_lines(setting.name, description)
    return lines


def _script_lines(listed: list[CatalogEntry]) -> list[str]:
    """Return the scripts of the catalogue, a section for each kind of map that has some."""
    lines = []
    for system in systems():
        scripts = [entry for entry in listed if entry.system is system]
        if scripts:
            lines += ["", f"Scripts, each makes {with_article(system.title)}:"]
        for entry in scripts:
            texts = (entry.origin, *entry.metadata.keywords)
            lines += _entry_lines(entry.metadata.name, ", ".join(texts))
    return lines


def _terrain_set_lines() -> list[str]:
    """Return the packaged terrain sets, a section for each system that has some."""
    lines = []
    for system in systems():
        if system.packaged_terrains:
            lines += ["", f"Terrain sets (--terrains NAME) for {with_article(system.title)}:"]
            lines += [f"  {name}" for name in system.packaged_terrains]
    return lines


def _format_lines() -> list[str]:
    """Return the formats, with their suffixes and whether they are read and written."""
    lines = ["", "Formats:"]
    for map_format in formats():
        uses = []
        if map_format.readable:
            uses.append("read")
        if map_format.writable:
            uses.append("written")
        suffixes = ", ".join(map_format.suffixes)
        lines += _entry_lines(
            map_format.name, f"{map_format.title} ({suffixes}): {' and '.join(uses)}"
        )
    return lines


def _settings(generator: MapGenerator) -> tuple[Setting, ...]:
    """Return the settings of a generator; their help says hex or square, as on its maps."""
    layout = generator.system.new_grid().layout
    return tuple(setting.filled(layout) for setting in settings_for(generator))


def _values_text(setting: Setting) -> str:
    """Return the permitted values of a setting and its default."""
    if setting.default in (None, ""):
        return setting.expected
    default_text = str(setting.default)
    if setting.kind is bool:
        default_text = "yes" if setting.default else "no"
    return f"{setting.expected}; {default_text} unless set"


def _entry_lines(name: str, description: str) -> list[str]:
    """Return the lines of a name and its description, which stands in a column of its own."""
    indent = "  "
    column = len(indent) + _NAME_WIDTH + 1
    return textwrap.wrap(
        f"{name:<{_NAME_WIDTH}} {description}",
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=" " * column,
    )
