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
"""The suffix of files of terrain sets.

It is repeated here, since ``storage.files.terrain_files`` takes long to import.
"""


def terrains_of(
    arguments: argparse.Namespace, system: System, console: Console
) -> OwnTerrains | None:
    """Return what ``--terrains`` names for a map of a system; None without the option.

    The option can name a file or a packaged set; a file is preferred to a set of the same name.
    Raises UsageError for a system whose terrain set cannot be changed, and ProblemError.
    """
    name = getattr(arguments, "terrains", None)  # not every verb has the option
    if name is None:
        return None
    if not system.users_edit_terrain_sets:
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


def apply_terrains(battlemap: BattleMap, arguments: argparse.Namespace, console: Console) -> None:
    """Give a map the terrain set that ``--terrains`` names, if the option was given.

    A map of another program knows its terrains by codes only, so that the new set is matched by
    code; otherwise terrains are matched by name. Raises as ``terrains_of``.
    """
    own_terrains = terrains_of(arguments, battlemap.system, console)
    if own_terrains is None:
        return
    from randomizer.model.edits.terrain_edits import change_terrain_set
    from randomizer.storage.files.combined_terrains import apply_looks

    is_of_other_program = ORIGINAL in battlemap.records
    if is_of_other_program:
        apply_looks(battlemap, own_terrains)  # takes the pictures (assets) over itself
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
