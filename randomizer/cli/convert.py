"""``randomizer convert``: a map from one format into another, or many."""

from __future__ import annotations

import argparse
from pathlib import Path

from randomizer.cli.files import (
    as_warnings,
    format_by_suffix,
    keep_input,
    maps_in,
    read_map,
    readable_format,
    writable_format,
    write_map_files,
)
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.terrains import give_terrains
from randomizer.formats import Format, write_files_checked
from randomizer.model.battlemap import BattleMap
from randomizer.model.players_view import players_view
from randomizer.model.problems import ProblemError, error, words_of


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert a map, or many, and report what is lost."""
    if arguments.folder is not None:
        return _convert_all(arguments, console)
    if len(arguments.files) != 2:
        raise UsageError("a map IN and a file OUT are needed; for many maps say --folder")
    source, target = arguments.files
    from_format = readable_format(arguments.from_format) if arguments.from_format else None
    battlemap = _read(source, from_format, arguments, console)
    if arguments.to_format:
        to_format = writable_format(arguments.to_format, battlemap.system)
    else:
        to_format = format_by_suffix(target, battlemap.system, "--to")
    keep_input(source, Path(target), to_format, from_format)
    _write(battlemap, Path(target), to_format, arguments, console)
    if arguments.dry_run:
        console.say(f"{Path(target).name} was not written (--dry-run)")
    return FINE


def _convert_all(arguments: argparse.Namespace, console: Console) -> int:
    """Convert each map by itself; one that cannot be is named, and the others follow."""
    if not arguments.to_format:
        raise UsageError("--folder: say --to FORMAT, too")
    from_format = readable_format(arguments.from_format) if arguments.from_format else None
    targets: set[Path] = set()
    code = FINE
    for name in dict.fromkeys(arguments.files):
        try:
            paths = maps_in(name)
        except ProblemError as failed:
            console.report(failed.problems)
            paths, code = [], BAD_INPUT
        for path in paths:
            try:
                target = _convert_into_folder(path, from_format, targets, arguments, console)
                result = f"would become {target}" if arguments.dry_run else f"written to {target}"
            except ProblemError as failed:
                console.report(problem.at_path(problem.path or path) for problem in failed.problems)
                result, code = "not converted", BAD_INPUT
            console.put_text(f"{path}: {result}")
    return code


def _convert_into_folder(
    source: str,
    from_format: Format | None,
    targets: set[Path],
    arguments: argparse.Namespace,
    console: Console,
) -> Path:
    """Convert one map into the folder; its file is added to ``targets``. Raises ProblemError."""
    battlemap = _read(source, from_format, arguments, console)
    to_format = writable_format(arguments.to_format, battlemap.system)
    folder = Path(arguments.folder)
    target = folder / f"{Path(source).stem}{to_format.suffixes[0]}"
    if target in targets:
        raise error("target-twice", f"another map was written to {target}", path=source)
    if target.exists() and not arguments.overwrite:
        raise error("target-there", f"{target} is there already (--overwrite)", path=source)
    keep_input(source, target, to_format, from_format)
    targets.add(target)
    if not arguments.dry_run:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as failed:
            raise error("not-written", words_of(failed), path=str(folder)) from failed
    _write(battlemap, target, to_format, arguments, console)
    return target


def _read(
    source: str, from_format: Format | None, arguments: argparse.Namespace, console: Console
) -> BattleMap:
    """The map of a file as it is to be written, with the looks of ``--terrains``."""
    battlemap, problems = read_map(source, console, from_format)
    console.report(as_warnings(problems))
    give_terrains(battlemap, arguments, console)
    return players_view(battlemap) if arguments.players else battlemap


def _write(
    battlemap: BattleMap,
    target: Path,
    to_format: Format,
    arguments: argparse.Namespace,
    console: Console,
) -> None:
    """Say what a file loses, then write it and what belongs beside it."""
    files = write_files_checked(to_format, battlemap, target.name)
    console.report(
        problem.at_path(problem.path or str(target)) for problem in to_format.check(battlemap)
    )
    if not arguments.dry_run:
        write_map_files(target, files, console)
