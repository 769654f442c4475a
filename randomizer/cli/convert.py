"""``randomizer convert``: a map from one format into another, or many."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

from randomizer.cli.file_formats import format_by_suffix, readable_format, writable_format
from randomizer.cli.files import as_warnings, maps_in, read_map
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.output_files import make_folder, refuse_replacing_other_format, write_map_files
from randomizer.cli.terrains import apply_terrains
from randomizer.formats.checked import write_files_checked
from randomizer.formats.format import Format
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError, error


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert a map, or many, and report what is lost."""
    from_format = None
    if arguments.from_format:
        from_format = readable_format(arguments.from_format)
    converter = _Converter(arguments, console, from_format)
    if arguments.folder is not None:
        return _convert_all(converter)
    if len(arguments.files) != 2:
        raise UsageError("a map IN and a file OUT are needed; for many maps say --folder")
    source, target = arguments.files
    converter.convert(source, Path(target))
    if arguments.dry_run:
        console.say(f"{Path(target).name} was not written (--dry-run)")
    return FINE


def _convert_all(converter: _Converter) -> int:
    """Convert each map by itself; one that cannot be is named, and the others follow."""
    arguments = converter.arguments
    console = converter.console
    if not arguments.to_format:
        raise UsageError("--folder: say --to FORMAT, too")
    code = FINE
    for name in dict.fromkeys(arguments.files):
        try:
            paths = maps_in(name)
        except ProblemError as failed:
            console.report(failed.problems)
            paths = []
            code = BAD_INPUT
        for path in paths:
            try:
                target = converter.convert(path)
                if arguments.dry_run:
                    result = f"would become {target}"
                else:
                    result = f"written to {target}"
            except ProblemError as failed:
                console.report(problem.at_path(problem.path or path) for problem in failed.problems)
                result = "not converted"
                code = BAD_INPUT
            console.put_text(f"{path}: {result}")
    return code


@dataclass
class _Converter:
    """Converts the maps of one command."""

    arguments: argparse.Namespace

    console: Console

    from_format: Format | None
    """The format of ``--from``; None: each map is read in the format that it has."""

    used_paths: set[Path] = field(default_factory=set)
    """The files that maps were converted into so far; with --dry-run, would have been."""

    def convert(self, source: str, target: Path | None = None) -> Path:
        """Convert one map, into the folder if there is no ``target``, and return its new file.

        Raises ProblemError.
        """
        arguments = self.arguments
        battlemap, problems = read_map(source, self.console, self.from_format)
        apply_terrains(battlemap, arguments, self.console)
        if arguments.players:
            battlemap = players_map(battlemap)
        if arguments.to_format:
            to_format = writable_format(arguments.to_format, battlemap.system)
        else:
            to_format = format_by_suffix(str(target), battlemap.system, "--to")
        if target is None:
            target = self._target_in_folder(source, to_format)
        refuse_replacing_other_format(source, target, to_format, self.from_format)
        files = write_files_checked(to_format, battlemap, target.name)
        self.console.report(as_warnings(problems))
        self.console.report(
            problem.at_path(problem.path or str(target)) for problem in to_format.check(battlemap)
        )
        if not arguments.dry_run:
            if arguments.folder is not None:
                make_folder(target.parent)
            write_map_files(target, files, self.console)
        self.used_paths.add(target)
        return target

    def _target_in_folder(self, source: str, to_format: Format) -> Path:
        """Choose the file in the folder for a map. Raises ProblemError if none may be written."""
        target = Path(self.arguments.folder) / f"{Path(source).stem}{to_format.suffixes[0]}"
        if target in self.used_paths:
            raise error("target-twice", f"another map was written to {target}", path=source)
        if target.exists() and not self.arguments.overwrite:
            raise error("target-there", f"{target} is there already (--overwrite)", path=source)
        return target
