"""The option ``--terrains``: a terrain set from a file, or a packaged one."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from randomizer.cli.output import Console, UsageError
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import error
from randomizer.model.records.map_records import ORIGINAL
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.storage.files.terrain_files import OwnTerrains

SUFFIX = ".terrains"
"""Of files of terrain sets, as ``storage.terrain_files`` has it, which takes long to import."""


def terrains_of(
    arguments: argparse.Namespace, system: System, console: Console
) -> OwnTerrains | None:
    """Return what ``--terrains`` names for a map of a system; None without the option.

    Verbs that have no such option are as those without it. A file goes before a packaged set of its
    name. Raises UsageError for a system that has its own, and ProblemError.
    """
    name = getattr(arguments, "terrains", None)
    if name is None:
        return None
    if not system.own_terrain_sets:
        raise UsageError(
            f"--terrains: {with_article(system.title)} cannot have another terrain set"
        )
    from randomizer.storage.files.terrain_files import packaged_terrains

    if os.path.exists(name) and not os.path.isdir(name):  # noqa: PTH110, PTH112 - may be no path
        return read_terrain_file(name, console)
    own_terrains = packaged_terrains(system, name)
    if own_terrains is None:
        names = ", ".join(system.packaged_terrains)
        raise error("no-terrains", f"there is no file and no terrain set “{name}” ({names})")
    return own_terrains


def give_terrains(battlemap: BattleMap, arguments: argparse.Namespace, console: Console) -> None:
    """Give a map what ``--terrains`` names, if anything: by codes if it is of another program.

    Raises as ``terrains_of``.
    """
    own_terrains = terrains_of(arguments, battlemap.system, console)
    if own_terrains is None:
        return
    from randomizer.model.edits.terrain_edits import change_terrain_set
    from randomizer.storage.files.terrain_files import dress

    if ORIGINAL in battlemap.records:
        dress(battlemap, own_terrains)
        return
    battlemap.assets.update(own_terrains.assets)
    edit = change_terrain_set(battlemap, own_terrains.terrain_set)
    if edit is not None:
        edit.apply(battlemap)


def read_terrain_file(path: str, console: Console) -> OwnTerrains:
    """Return the terrain set of a file. Raises ProblemError, located in it."""
    from randomizer.reading.files import read_file
    from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, read_terrains

    data = read_file(path, LARGEST_TERRAINS, pipes=True)
    console.remember(path, data)
    return read_terrains(data, path)
