"""``randomizer convert``: a map from one format into another."""

from __future__ import annotations

import argparse
from pathlib import Path

from randomizer.cli.files import (
    as_warnings,
    format_by_suffix,
    keep_input,
    read_map,
    readable_format,
    writable_format,
    write_map_files,
)
from randomizer.cli.output import FINE, Console
from randomizer.cli.terrains import terrains_of
from randomizer.formats import Format, write_files_checked
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.map_records import ORIGINAL
from randomizer.model.players_view import players_view
from randomizer.model.system import System
from randomizer.storage.terrain_files import fitted


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert a map, and report what is lost."""
    from_format = readable_format(arguments.from_format) if arguments.from_format else None
    battlemap, problems = read_map(arguments.source, console, from_format)
    own = terrains_of(arguments, battlemap.system, console)
    if own is not None:
        if ORIGINAL in battlemap.records:
            own = fitted(battlemap.terrain_set, own)
            battlemap.terrain_set = own.terrain_set
        battlemap.assets.update(own.assets)
        edit = change_terrain_set(battlemap, own.terrain_set)
        if edit is not None:
            edit.apply(battlemap)
    if arguments.players:
        battlemap = players_view(battlemap)
    to_format = _to_format(arguments, battlemap.system)
    target = Path(arguments.target)
    keep_input(arguments.source, target, to_format, from_format)
    files = write_files_checked(to_format, battlemap, target.name)
    console.report(as_warnings(problems))
    console.report(
        problem.at_path(problem.path or arguments.target) for problem in to_format.check(battlemap)
    )
    if arguments.dry_run:
        console.say(f"{target.name} was not written (--dry-run)")
    else:
        write_map_files(target, files, console)
    return FINE


def _to_format(arguments: argparse.Namespace, system: System) -> Format:
    if arguments.to_format:
        return writable_format(arguments.to_format, system)
    return format_by_suffix(arguments.target, system, "--to")
