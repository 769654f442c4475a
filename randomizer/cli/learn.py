"""``randomizer learn``: a randomizer script from battlelands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path, PurePath

from randomizer.cli.files import maps_in, read_map
from randomizer.cli.output import FINE, Console
from randomizer.cli.output_files import open_output, refuse_replacing_input
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.systems.colossus.learning.boards import Boards, boards_of
from randomizer.systems.colossus.learning.learner import LearningOptions, learn
from randomizer.systems.colossus.learning.result import ScriptVersion


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the script that was learned from the maps; Ctrl-C writes the best one so far.

    Maps with errors are left out and named.
    """
    distinct_paths: dict[str, None] = {}  # as an ordered set
    for name in arguments.maps:
        distinct_paths.update(dict.fromkeys(maps_in(name)))
    paths = list(distinct_paths)
    for path in paths:
        refuse_replacing_input(path, Path(arguments.out))
    boards, problems = boards_of(_read_maps(paths, console))  # reads one map after the other
    console.report(problems)
    if not len(boards):
        raise error("no-maps", "there is no battleland to learn from", path=arguments.maps[0])
    output = open_output(Path(arguments.out))  # before a minute of work
    try:
        version = _learn(boards, arguments, console)
        output.write(version.text.encode())
    except BaseException:
        output.discard()
        raise
    output.commit()
    maps = counted(len(boards), "map")
    console.say(
        f"learned from {maps}: {counted(version.statements, 'statement')} "
        f"(AREA, LABEL, PAIR), at a distance of {version.fit.total:.1f} from the maps"
    )
    return FINE


def _learn(boards: Boards, arguments: argparse.Namespace, console: Console) -> ScriptVersion:
    """Return the script that was learned, after an interruption the best so far.

    Without ``--name`` it is called as the one folder or map, or as the file that is written.
    """
    if arguments.name:
        name = arguments.name
    elif len(arguments.maps) == 1:
        name = PurePath(arguments.maps[0]).stem
    else:
        name = PurePath(arguments.out).stem
    options = LearningOptions(name, arguments.seed, float(arguments.seconds), arguments.closeness)
    steps = learn(boards, options)
    # The first step comes at once: from then on there is a script that can be written.
    learned = next(steps).learned
    try:
        for progress in steps:
            learned = progress.learned
            console.progress(f"{progress.percent} %: {progress.message}")
    except KeyboardInterrupt:
        console.say("interrupted: this is the best script so far")
    return learned.version


def _read_maps(paths: list[str], console: Console) -> Iterator[tuple[str, BattleMap]]:
    """Yield the path and the map of each file without errors; the others are reported."""
    for path in paths:
        try:
            battlemap, problems = read_map(path, console)
        except ProblemError as failed:
            console.report(problem.at_path(problem.path or path) for problem in failed.problems)
            continue
        console.report(problems)
        if not has_errors(problems):
            yield path, battlemap
