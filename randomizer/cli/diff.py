"""``randomizer diff``: what differs between two maps, for people, programs and git.

    randomizer diff a.xml b.xml             D4: plains | bog
    randomizer diff --brief a.xml b.xml     a.xml and b.xml differ
    randomizer diff --format json ...       {"ours": "a.xml", ..., "differences": [

It has the exit codes of ``diff``: 0 for equal maps, 1 for different ones, 2 for trouble. Git calls
such a program with seven arguments or more, which name two versions of one file, and stops at any
exit code but 0. The first of two maps is called *ours* here, the second *theirs*.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple

from randomizer.catalog.file_kinds import is_script
from randomizer.catalog.format_choice import format_for
from randomizer.cli.files import read_input, script_error
from randomizer.cli.output import (
    FINE,
    NOBODY_READS,
    WRONG_USE,
    Console,
    OutputError,
    UsageError,
)
from randomizer.formats.checked import read_checked
from randomizer.formats.format import Format
from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.difference_texts import (
    difference_name,
    difference_text,
    difference_values,
)
from randomizer.model.comparison.map_differences import MapDifferences, compare_maps
from randomizer.model.comparison.part_differences import UNNAMED, PartDifference, part_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error

EQUAL = FINE
"""The exit code for maps without a difference."""

DIFFERENT = 1
"""The exit code for maps with differences."""

TROUBLE = WRONG_USE
"""The exit code for maps that cannot be compared."""

NO_FILES = ("/dev/null", os.devnull)
"""What stands for the file of a side that has none; git says /dev/null on Windows, too."""

GIT_ARGUMENTS = 7
"""The number of arguments with which git calls a program that compares files.

They are a path, then file, digest and mode of both sides.
"""

GIT_ARGUMENTS_OF_RENAMED = 9
"""The number for a renamed file: behind those the new path, and how alike the files are."""

GIT_NOT_MERGED = "GIT_DIFF_PATH_TOTAL"
"""An environment variable that git sets for a program that compares files.

For a file with conflicts the program gets the path alone; the variable tells this from a user who
forgot the second map.
"""


@dataclass(frozen=True)
class Side:
    """One of the maps that are compared."""

    name: str
    """The name of its file."""

    battlemap: BattleMap | None
    """None where there is no file: git compares a map that was added, or removed."""

    data: bytes = b""
    """The content of the file."""

    map_format: Format | None = None
    """The format of the file; None where there is none."""


class _Versions(NamedTuple):
    """Two versions of a map, as git hands them out: in files of its own, with other names."""

    our_path: str
    """The path of the map in the older version."""

    our_file: str
    """The file with that version, one of ``NO_FILES`` if the map is new."""

    their_path: str
    """The path of the map in the newer version; another one if it was renamed."""

    their_file: str
    """The file with that version, one of ``NO_FILES`` if the map was removed."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Compare two maps. Returns one of the three exit codes, or that of a pipe nobody reads."""
    try:
        code = _compare_files(arguments, console)
        console.flush()
    except ProblemError as failed:
        console.report(failed.problems)
        return TROUBLE
    except OutputError as failed:
        code = console.give_up(failed)
        if code != NOBODY_READS:
            code = TROUBLE
    return code


def _compare_files(arguments: argparse.Namespace, console: Console) -> int:
    """Compare the two files that the arguments of a user or of git name; returns the exit code."""
    files = arguments.files
    if len(files) == GIT_ARGUMENTS:
        path, our_file, _our_digest, _our_mode, their_file, _their_digest, _their_mode = files
        versions = _Versions(path, our_file, path, their_file)
        return _compare_versions(versions, arguments, console)
    if len(files) == GIT_ARGUMENTS_OF_RENAMED:
        old_path, our_file, _, _, their_file, _, _, new_path, _similarity = files
        versions = _Versions(old_path, our_file, new_path, their_file)
        return _compare_versions(versions, arguments, console)
    if len(files) == 1 and GIT_NOT_MERGED in os.environ:
        console.put_text(f"{files[0]}: not merged yet")
        return EQUAL
    if len(files) != 2:
        raise UsageError("two maps are compared: say A and B")
    path = arguments.path
    sides = [_read_side(file, path or file, console) for file in files]
    return _compare(sides[0], sides[1], path, arguments, console)


def _compare_versions(versions: _Versions, arguments: argparse.Namespace, console: Console) -> int:
    """Compare the two versions of a map that git names.

    What is no map is named, and git goes on with the next file. The exit code says that maps differ
    only with ``--exit-code``, for git's own trustExitCode.
    """
    try:
        ours = _read_side(versions.our_file, versions.our_path, console)
        theirs = _read_side(versions.their_file, versions.their_path, console)
    except ProblemError as failed:
        problem = failed.problems[0]
        console.put_text(f"{versions.their_path}: not compared, {problem.message}")
        code = TROUBLE
    else:
        code = _compare(ours, theirs, versions.their_path, arguments, console)
    if arguments.exit_code:
        return code
    return EQUAL


def _read_side(file: str, path: str, console: Console) -> Side:
    """Read one of the maps. Raises ProblemError.

    ``path`` is where the map belongs, which is another place than ``file`` for the copies of old
    versions that git hands out: there the files lie that the map names, such as its tilesets.
    """
    if file in NO_FILES:
        return Side(file, None)
    if Path(file).is_dir():
        raise error("not-read", "this is a folder; two maps are compared", path=file)
    data = read_input(file, console)
    if is_script(PurePath(path).name, data):
        raise script_error(file)
    map_format = format_for(data, path)
    result = read_checked(map_format, data, path)
    problems = [_located_in_file(problem, path, file) for problem in result.problems]
    if result.battlemap is None:
        raise ProblemError(problems)
    # What is lost of a damaged map is not compared: that is told. Warnings are left out.
    console.report(problem for problem in problems if problem.severity is Severity.ERROR)
    return Side(file, result.battlemap, data, map_format)


def _located_in_file(problem: Problem, path: str, file: str) -> Problem:
    """Return a problem of a map that belongs at ``path`` with the file that it was read from."""
    if problem.path == path:
        return problem.at_path(file)
    return problem  # of a file that the map names


def _compare(
    ours: Side, theirs: Side, heading: str, arguments: argparse.Namespace, console: Console
) -> int:
    """Print what differs; ``heading`` is the path of both, "" where they are different files.

    The output is JSON (``--format json``), or with ``--brief`` one line, else a line a difference.
    Returns ``EQUAL`` or ``DIFFERENT``.
    """
    if ours.battlemap is None or theirs.battlemap is None:
        return _tell_missing(ours, theirs, heading, arguments, console)
    differences = compare_maps(ours.battlemap, theirs.battlemap, shown_only=arguments.shown)
    if arguments.format == "json":
        _print_json(ours, theirs, differences, console)
    elif arguments.brief:
        _print_brief(ours, theirs, differences.count, heading, console)
    else:
        _print_lines(differences, heading, console)
    if differences.count:
        return DIFFERENT

    is_complete = not arguments.shown  # else layers, records and the like were left out
    is_same_format = ours.map_format is theirs.map_format
    if is_complete and is_same_format and ours.data != theirs.data:
        console.flush()
        console.say("The files differ, though only in details that are not read here")
    return EQUAL


def _print_json(
    ours: Side, theirs: Side, differences: MapDifferences | None, console: Console
) -> None:
    """Print all that differs as one JSON object; None: one of the sides has no map."""
    for text in _json_texts(ours, theirs, differences):
        console.put_text(text)


def _print_brief(ours: Side, theirs: Side, count: int, heading: str, console: Console) -> None:
    """Print whether the maps differ; of equal files without a heading nothing is printed."""
    if heading:
        console.put_text(f"{heading}: {_sum_text(count)}")
    elif count:
        console.put_text(f"{ours.name} and {theirs.name} differ")


def _print_lines(differences: MapDifferences, heading: str, console: Console) -> None:
    """Print a line a difference, below a line with the heading and their number if it has one."""
    indent = ""
    if heading:
        console.put_text(f"{heading}: {_sum_text(differences.count)}")
        indent = "  "
    for text in _texts(differences):
        console.put_text(f"{indent}{text}")


def _sum_text(count: int) -> str:
    """Return the number of differences as text."""
    if count == 0:
        return "no difference"
    return counted(count, "difference")


def _tell_missing(
    ours: Side, theirs: Side, heading: str, arguments: argparse.Namespace, console: Console
) -> int:
    """Print that only one side has a map, and which."""
    if ours.battlemap is None and theirs.battlemap is None:
        raise UsageError("both sides are no file")
    if arguments.format == "json":
        _print_json(ours, theirs, None, console)
        return DIFFERENT
    if ours.battlemap is None:
        side = theirs
        state = "only there"
    else:
        side = ours
        state = "only here"
    battlemap = side.battlemap
    assert battlemap is not None
    grid = battlemap.grid
    console.put_text(
        f"{heading or side.name}: {state}, {battlemap.system.title.lower()}, "
        f"{grid.width} x {grid.height}, {counted(len(battlemap.layers), 'layer')}"
    )
    return DIFFERENT


def _texts(differences: MapDifferences) -> Iterator[str]:
    """Yield a line a difference: first those of the whole map, then those of cells and things."""
    for part in differences.parts:
        yield part_text(part)
    shown = differences.shown
    if shown is not None:
        for difference in shown.listed(shown.count):
            yield difference_text(shown, difference)


def _json_texts(ours: Side, theirs: Side, differences: MapDifferences | None) -> Iterator[str]:
    """Yield the lines of one JSON object, a line a difference.

    They are yielded one by one: there can be as many as the maps have cells.
    """
    if differences is None:
        count = None
    else:
        count = differences.count
    head = {"ours": ours.name, "theirs": theirs.name, "equal": count == 0, "count": count}
    # The object begins with the head, and is left open for its last member.
    open_head = json.dumps(head, ensure_ascii=False).removesuffix("}")
    yield f'{open_head}, "differences": ['
    # A comma ends each line but the last, so each one waits until there is another behind it.
    previous_line = ""
    if differences is not None:
        for record in _records(differences):
            if previous_line:
                yield f"{previous_line},"
            previous_line = json.dumps(record, ensure_ascii=False)
    if previous_line:
        yield previous_line
    yield "]}"


def _records(differences: MapDifferences) -> Iterator[dict[str, object]]:
    """Yield the objects of the list ``differences`` in the JSON."""
    for part in differences.parts:
        yield _part_record(part)
    shown = differences.shown
    if shown is None:
        return
    for difference in shown.listed(shown.count):
        our_values, their_values = difference_values(shown, difference)
        yield {
            "kind": difference.kind.value,
            "name": difference_name(shown, difference),
            "ours": our_values,
            "theirs": their_values,
        }


def _part_record(part: PartDifference) -> dict[str, object]:
    """Return a difference of the whole map as an object for JSON.

    A value without a name, which is the only one of its part, gets the name "value".
    """
    record: dict[str, object] = {"kind": part.kind, "name": part.name}
    for name, values in (("ours", part.ours), ("theirs", part.theirs)):
        if values is None:
            record[name] = None
        else:
            members = dict(values)
            if UNNAMED in members:
                members["value"] = members.pop(UNNAMED)
            record[name] = members
    if part.counts:
        record["counts"] = dict(part.counts)
    return record
