"""``randomizer list``: packaged generators with their settings, the catalogue, the formats."""

from __future__ import annotations

import argparse
import json
import textwrap
from itertools import groupby

from randomizer.catalog.catalog import formats, generators, systems
from randomizer.catalog.script_catalog import CatalogEntry, entries
from randomizer.cli.output import FINE, Console
from randomizer.formats import Format
from randomizer.generator import MapGenerator, settings_for
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import Setting

_WIDTH = 100


def run(arguments: argparse.Namespace, console: Console) -> int:
    """List generators, scripts and formats, as text or (``--json``) for programs.

    What cannot be read is reported, and the rest listed.
    """
    listed: list[CatalogEntry] = []
    for each in entries():
        if isinstance(each, Problem):
            console.report([each])
        elif not each.hidden:
            listed.append(each)
    if arguments.json:
        record = {
            "generators": [_generator_record(generator) for generator in generators()],
            "scripts": [_script_record(entry) for entry in listed],
            "terrains": [
                {"name": name, "system": system.name}
                for system in systems()
                for name in system.packaged_terrains
            ],
            "formats": [_format_record(map_format) for map_format in formats()],
        }
        console.put_text(json.dumps(record, indent=1))
    else:
        for line in _lines(listed):
            console.put_text(line)
    return FINE


def _generator_record(generator: MapGenerator) -> dict[str, object]:
    return {
        "name": generator.name,
        "script": generator.metadata.script,
        "description": generator.metadata.description,
        "keywords": list(generator.metadata.keywords),
        "system": generator.system.name,
        "settings": [_setting_record(setting) for setting in _settings(generator)],
    }


def _setting_record(setting: Setting) -> dict[str, object]:
    return {
        "name": setting.name,
        "kind": setting.kind.__name__,
        "title": setting.title,
        "group": setting.group,
        "help": setting.help,
        "default": setting.default,
        "choices": list(setting.values),
        "labels": dict(setting.choices),
        "least": setting.least,
        "most": setting.most,
        "step": setting.step,
        "columns": [_setting_record(column) for column in setting.columns],
    }


def _script_record(entry: CatalogEntry) -> dict[str, object]:
    return {
        "name": entry.metadata.name,
        "system": entry.system.name,
        "origin": entry.origin,
        "script": entry.metadata.script,
        "path": entry.path,
        "description": entry.metadata.description,
        "keywords": list(entry.metadata.keywords),
    }


def _format_record(map_format: Format) -> dict[str, object]:
    return {
        "name": map_format.name,
        "title": map_format.title,
        "suffixes": list(map_format.suffixes),
        "readable": map_format.readable,
        "writable": map_format.writable,
    }


def _lines(listed: list[CatalogEntry]) -> list[str]:
    lines = ["Generators:"]
    by_settings: dict[tuple[Setting, ...], list[str]] = {}
    for generator in generators():
        lines += _entry(generator.name, generator.metadata.description)
        by_settings.setdefault(_settings(generator), []).append(generator.name)
    for settings, names in by_settings.items():
        if len(by_settings) == 1:
            whose = "all of them"
        else:
            whose = ", ".join(names)
        lines += ["", *textwrap.wrap(f"Settings (--set KEY=VALUE) of {whose}:", _WIDTH)]
        group = ""
        for setting in settings:
            if setting.group != group:
                group = setting.group
                lines.append(f" {group or 'Others'}:")
            lines += _entry(setting.name, f"{setting.help.removesuffix('.')} [{_values(setting)}]")
    order = [system.name for system in systems()]
    for system, of_system in groupby(
        sorted(listed, key=lambda entry: order.index(entry.system.name)),
        lambda entry: entry.system,
    ):
        lines += ["", f"Scripts, each makes {with_article(system.title)}:"]
        for entry in of_system:
            texts = (entry.origin, *entry.metadata.keywords)
            lines += _entry(entry.metadata.name, ", ".join(texts))
    for known_system in systems():
        if known_system.packaged_terrains:
            whose = with_article(known_system.title)
            lines += ["", f"Terrain sets (--terrains NAME) for {whose}:"]
            lines += [f"  {name}" for name in known_system.packaged_terrains]
    lines += ["", "Formats:"]
    for map_format in formats():
        uses = [
            word
            for word, can in (("read", map_format.readable), ("written", map_format.writable))
            if can
        ]
        suffixes = ", ".join(map_format.suffixes)
        lines += _entry(map_format.name, f"{map_format.title} ({suffixes}): {' and '.join(uses)}")
    return lines


def _settings(generator: MapGenerator) -> tuple[Setting, ...]:
    layout = generator.system.new_grid().layout
    return tuple(setting.filled(layout) for setting in settings_for(generator))


def _values(setting: Setting) -> str:
    """Return the permitted values of a setting and its default."""
    default = setting.default
    if default in (None, ""):
        return setting.expected
    text = {True: "yes", False: "no"}[default] if isinstance(default, bool) else default
    return f"{setting.expected}; {text} unless set"


def _entry(name: str, words: str) -> list[str]:
    return textwrap.wrap(
        f"{name:<11} {words}", _WIDTH, initial_indent="  ", subsequent_indent=" " * 14
    )
