"""The roll that a command asks for: the generator, its settings, the map below, and locks.

``roll``, ``odds`` and ``find`` call, in this order::

    generator = generator_of("Swamp", console)
    settings = settings_of(generator, ["Size=256"])
    battlemap = map_to_roll_onto(arguments, generator, settings, console)
    base = base_above(battlemap, ["D4=Volcano/2"])
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePath

from randomizer.catalog.file_kinds import is_map, is_metadata_file
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.script_files import read_further_texts
from randomizer.catalog.scripts import generator_for_script, script_host
from randomizer.cli.files import as_warnings, read_input, read_map
from randomizer.cli.locks import with_locks
from randomizer.cli.output import Console, UsageError
from randomizer.cli.terrains import terrains_of
from randomizer.generator import MapGenerator
from randomizer.generator_run import empty_map
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.model.settings.metadata import check_metadata
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import settings_for

OURS = "builder"
"""The prefix of packaged generators, as in ``builder:islands``."""


def generator_of(script: str, console: Console) -> MapGenerator:
    """Return the generator that ``script`` names.

    That is the script in a file, else a packaged generator, else the user's or a game's script of
    this name. With a prefix, as in ``builder:islands`` and ``0ad:islands``, it is the packaged one,
    or that of the game. Raises ProblemError.
    """
    # A file of that name.
    is_folder = os.path.isdir(script)  # noqa: PTH112 - the name may be no path at all
    if os.path.exists(script) and not is_folder:  # noqa: PTH110
        return _generator_in_file(script, console)
    # A packaged generator.
    packaged = _packaged_generator(script, console)
    if packaged is not None:
        return packaged
    # A name that is none.
    if is_folder:
        raise error("not-a-script", "this is a folder, not a script", path=script)
    if not script:
        raise error("not-a-script", "an empty name names no script")
    from randomizer.catalog.script_catalog import entry_named

    # A script of the user or of a game. Asked before its look as a path: the name of a script can
    # have a dot, too ("Hills 1.2").
    entry = entry_named(script)
    if entry is not None:
        return entry.generator()
    if PurePath(script).suffix or PurePath(script).name != script:
        read_input(script, console)  # the path of no file: this raises, with the system's reason
    raise error(
        "no-generator",
        f"there is no script and no generator “{script}” ({_advice_on_name(script)})",
    )


def _generator_in_file(path: str, console: Console) -> MapGenerator:
    """Return the generator of a script file, or of the script that a metadata file names."""
    data = read_input(path, console)
    if is_metadata_file(data):
        from randomizer.catalog.metadata_files import metadata_entry

        entry = metadata_entry(Path(path))
        if entry is None:
            _metadata, problems = check_metadata(data, path)
            raise ProblemError(problems)
        return entry.generator()
    name = PurePath(path).name
    if is_map(name, data) and not format_for(data, path).version:
        message = f"this is a map, not a script; show it: randomizer show {path}"
        raise error("is-a-map", message, path=path)
    text, problems = script_host(name, path, data).decode(data, path)
    if has_errors(problems):
        raise ProblemError(problems)
    texts = read_further_texts(Path(path), text)
    return generator_for_script(text, name, texts=texts, path=path)


def _packaged_generator(name: str, console: Console) -> MapGenerator | None:
    """Return the packaged generator of this name, with or without its prefix.

    If the installed game has a script of this name, too, it says how that is named.
    """
    prefix, _colon, name_behind_prefix = name.partition(":")
    if prefix.lower() == OURS:
        return generator_named(name_behind_prefix)
    generator = generator_named(name)
    has_prefix = bool(name_behind_prefix)
    if generator is not None and not has_prefix and generator.system.script_prefix:
        _tell_of_namesake(name, generator.system.script_prefix, console)
    return generator


def _advice_on_name(name: str) -> str:
    """Return the packaged generator that is probably meant, or all there are."""
    names = [generator.name for generator in generators()]
    matches = get_close_matches(name.title(), names, 1)
    if matches:
        return f"did you mean {matches[0]}?"
    return f"there are: {', '.join(names)}"


def _tell_of_namesake(script: str, prefix: str, console: Console) -> None:
    """Say that a name is that of a script of the installed game as well."""
    from randomizer.catalog.script_catalog import entry_named

    if entry_named(f"{prefix}:{script}") is not None:
        name = script.lower()
        console.say(f"{OURS}:{name}, which is packaged; {prefix}:{name} names that of the game")


def settings_of(generator: MapGenerator, texts: Iterable[str]) -> dict[str, object]:
    """Return the settings of ``KEY=VALUE`` texts. Raises UsageError for a syntax error."""
    chosen: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set: “{text}” is not KEY=VALUE")
        chosen[key.strip()] = value.strip()
    try:
        return checked_settings(settings_for(generator), chosen)
    except ProblemError as wrong:
        raise UsageError(f"--set: {wrong}") from wrong


def map_to_roll_onto(
    arguments: argparse.Namespace,
    generator: MapGenerator,
    settings: Mapping[str, object],
    console: Console,
    grid: Grid | None = None,
) -> BattleMap:
    """Return the map of ``--onto``, else a new one without layers.

    A new one has the terrain set of ``--terrains`` and the grid ``grid``; with None that which the
    settings choose. Raises ProblemError, and UsageError for options that exclude each other.
    """
    own_terrains = terrains_of(arguments, generator.system, console)
    if own_terrains is not None and arguments.onto is not None:
        raise UsageError(
            "--terrains: the map of --onto has its own (randomizer convert changes it)"
        )
    if arguments.onto is not None:
        return _map_of_file(arguments.onto, generator, console)
    battlemap = empty_map(generator, settings, grid)
    if own_terrains is not None:
        battlemap.terrain_set = own_terrains.terrain_set
        battlemap.assets = dict(own_terrains.assets)
    return battlemap


def _map_of_file(path: str, generator: MapGenerator, console: Console) -> BattleMap:
    """Return the map in a file. Raises ProblemError if the generator makes other maps."""
    battlemap, problems = read_map(path, console)
    console.report(as_warnings(problems))
    if battlemap.system is not generator.system:
        raise error(
            "other-system",
            f"this is {with_article(battlemap.system.title)}, "
            f"but the script makes {with_article(generator.system.title)}",
            path=path,
        )
    return battlemap


def base_above(battlemap: BattleMap, locks: Sequence[str]) -> Base:
    """Return the base of a roll above all layers of a map, with the locks of ``--lock``.

    Raises as ``with_locks``.
    """
    base = Base.under(battlemap, len(battlemap.layers))
    return with_locks(base, locks)
