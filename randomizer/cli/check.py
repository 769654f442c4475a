"""``randomizer check``: the problems of scripts, metadata files and maps."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path, PurePath

from randomizer.catalog.file_kinds import is_metadata_file, is_script
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.script_files import read_further_texts
from randomizer.catalog.scripts import check_script, script_host
from randomizer.cli.files import read_input
from randomizer.cli.output import BAD_INPUT, FINE, Console
from randomizer.cli.terrains import SUFFIX, read_terrain_file
from randomizer.formats.checked import read_checked
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.settings.metadata import check_metadata


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Check every file, whatever is wrong with the others.

    The problems are what is asked for, so they go to standard output.
    """
    problems: list[Problem] = []
    for path in dict.fromkeys(arguments.files):  # each once, in their order
        # A script and its metadata file, both named, have some problems in common.
        new_problems = [
            problem for problem in _problems_of(path, console) if problem not in problems
        ]
        problems += new_problems
        if not arguments.json:
            console.put_problems(new_problems)
            if not new_problems:
                # Flushed, so that the message stands behind the problems of the files before.
                console.flush()
                console.say(f"{path}: no problems")
    if arguments.json:
        console.put_text(json.dumps([_record(problem) for problem in problems], indent=1))
    elif problems:
        console.flush()
        console.say(_summary(problems))
    if has_errors(problems):
        return BAD_INPUT
    return FINE


def _problems_of(path: str, console: Console) -> list[Problem]:
    """Return the problems of one file, all with the path ``path``."""
    try:
        if PurePath(path).suffix.lower() == SUFFIX:
            read_terrain_file(path, console)
            return []
        data = read_input(path, console)
        if is_metadata_file(data):
            result = _metadata_problems(data, path)
        elif is_script(PurePath(path).name, data):
            result = _script_problems(data, path)
        else:
            result = _map_problems(data, path)
    except ProblemError as failed:
        result = failed.problems
    problems = list[Problem]()
    for problem in result:
        if problem.path:
            problems.append(problem)
        else:
            problems.append(problem.at_path(path))
    return problems


def _script_problems(data: bytes, path: str) -> tuple[Problem, ...]:
    """Return the problems of a script, and of the texts that it includes."""
    name = PurePath(path).name
    text, problems = script_host(name, path, data).decode(data, path)
    if has_errors(problems):
        return problems
    texts = read_further_texts(Path(path), text)
    return (*problems, *check_script(text, name, texts=texts, path=path))


def _metadata_problems(data: bytes, path: str) -> tuple[Problem, ...]:
    """Return the problems of a metadata file, as the host of its script finds them."""
    metadata, problems = check_metadata(data, path)
    if metadata is None:
        return problems
    problems = script_host(metadata.script, path).check_metadata(data, path)
    if not (Path(path).parent / PurePath(metadata.script).name).is_file():
        message = f"{metadata.script} is not in this folder"
        return (*problems, Problem(Severity.ERROR, "script-missing", message, path))
    return problems


def _map_problems(data: bytes, path: str) -> tuple[Problem, ...]:
    """Return the problems of a map: of its file, for its format, and by its system's rules."""
    map_format = format_for(data, path)
    result = read_checked(map_format, data, path)
    battlemap = result.battlemap
    if battlemap is None:
        return result.problems
    # Hints of a format say what another file would lose or need: this one is there.
    problems_of_map = [
        problem for problem in map_format.check(battlemap) if problem.severity is not Severity.HINT
    ]
    problems_of_map += battlemap.system.check(battlemap, battlemap.composite())
    return (*result.problems, *_further_problems(result.problems, problems_of_map, path))


def _further_problems(
    problems_of_file: Sequence[Problem], problems_of_map: Sequence[Problem], path: str
) -> tuple[Problem, ...]:
    """Return the problems of a map that reading its file did not report, each once.

    A reader names the line of the first value that is wrong; the check of the map counts all wrong
    values. So a count, which has no line, adds nothing to a report with its code.
    """
    codes_of_file = {problem.code for problem in problems_of_file}
    reported = {problem.at_path(path) for problem in problems_of_file}
    further: dict[Problem, None] = {}  # a set that keeps the order
    for problem in problems_of_map:
        is_count = problem.line is None
        if is_count and problem.code in codes_of_file:
            continue
        if problem.at_path(path) not in reported:
            further[problem] = None
    return tuple(further)


def _record(problem: Problem) -> dict[str, object]:
    """Return a problem as the object that ``--json`` prints."""
    fix_title: str | None = None
    if problem.fix is not None:
        fix_title = problem.fix.title
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "severity": str(problem.severity),
        "code": problem.code,
        "message": problem.message,
        "fix": fix_title,
    }


def _summary(problems: list[Problem]) -> str:
    """Return the numbers of problems by severity, such as "2 errors, 1 hint"."""
    result = []
    for severity in Severity:
        count = sum(problem.severity is severity for problem in problems)
        if count:
            result.append(counted(count, severity))
    return ", ".join(result)
