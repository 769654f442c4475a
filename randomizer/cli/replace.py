"""``randomizer replace``: terrains, hexsides, elevations, ways and texts of maps, in place."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from randomizer.catalog.format_choice import format_for
from randomizer.cli.file_options import SUBJECTS
from randomizer.cli.files import maps_in, read_input, read_map
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.output_files import write_map_files
from randomizer.formats.checked import write_files_checked
from randomizer.geometry.replacement import replace_in_map
from randomizer.geometry.replacement_names import Replacement, Subject, split_at_equals
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.storage.disk.backups import Backups

BACKUPS = ".battlelands-backups"
"""The folder beside a map in which its older contents are kept."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Replace in every map; one that cannot be changed is named, and left as it is."""
    replacements = list(_replacements(arguments))
    if not replacements:
        raise UsageError("nothing to replace: say for instance --terrain OLD=NEW")
    code = FINE
    distinct_paths: dict[str, None] = {}
    for name in arguments.files:
        distinct_paths.update(dict.fromkeys(maps_in(name)))
    for path in distinct_paths:
        try:
            _replace_in_file(path, replacements, arguments, console)
        except ProblemError as failed:
            console.report(problem.at_path(problem.path or path) for problem in failed.problems)
            code = BAD_INPUT
    return code


def _replacements(arguments: argparse.Namespace) -> Iterator[Replacement]:
    """Yield the replacements of all options. Raises UsageError for one without OLD=NEW."""
    for subject in SUBJECTS:
        for text in getattr(arguments, subject):
            try:
                old, new = split_at_equals(text)
            except ValueError as failed:
                raise UsageError(f"--{subject}: {failed}") from failed
            yield Replacement(Subject(subject), old, new)


def _replace_in_file(
    path: str, replacements: list[Replacement], arguments: argparse.Namespace, console: Console
) -> None:
    """Replace in one map, and say how much. Raises ProblemError; the file is as it was then."""
    map_format = format_for(read_input(path, console), path)
    battlemap, problems = read_map(path, console, map_format)
    if has_errors(problems):
        raise ProblemError(problems)
    if not map_format.writable:
        raise error("not-written", f"a map of the format {map_format.name} cannot be written")
    result = replace_in_map(battlemap, replacements, add=arguments.add)
    for layer in result.locked:
        console.say(f"{path}: the layer {layer} is locked and stays as it is")
    if result.edit is not None:
        result.edit.apply(battlemap)
        files = write_files_checked(map_format, battlemap, Path(path).name)
        console.report(problem.at_path(path) for problem in map_format.check(battlemap))
        if not arguments.dry_run:
            target = Path(path)
            Backups(target.parent / BACKUPS).back_up(target, always=True)
            write_map_files(target, files, console)
    outcome = "replaced"
    if arguments.dry_run:
        outcome = "would be replaced"
    console.put_text(f"{path}: {counted(result.count, 'value')} {outcome}")
