"""``randomizer learn``: a randomizer script from battlelands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path, PurePath

from randomizer.cli.files import maps_in, read_map, write_bytes
from randomizer.cli.output import FINE, Console
from randomizer.model.battlemap import BattleMap
from randomizer.model.plurals import counted
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.systems.colossus.learning.boards import boards_of
from randomizer.systems.colossus.learning.learner import LearningOptions, learn


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the script; Ctrl-C writes the best so far. Maps that are left out are named."""
    paths = list(dict.fromkeys(path for name in arguments.maps for path in maps_in(name)))
    boards, problems = boards_of(_read(paths, console))
    console.report(problems)
    if not len(boards):
        raise error("no-maps", "there is no battleland to learn from", path=arguments.maps[0])
    folder = PurePath(arguments.maps[0])
    name = arguments.name or (
        folder.stem if len(arguments.maps) == 1 else PurePath(arguments.out).stem
    )
    options = LearningOptions(name, arguments.seed, float(arguments.seconds), arguments.closeness)
    steps = learn(boards, options)
    learned = next(steps).learned
    try:
        for progress in steps:
            learned = progress.learned
            console.progress(f"{progress.percent} %: {progress.message}")
    except KeyboardInterrupt:
        console.say("interrupted: this is the best script so far")
    version = learned.version
    write_bytes(Path(arguments.out), version.text.encode())
    maps, differ = counted(len(boards), "map"), version.fit.total
    console.say(
        f"learned from {maps}: {counted(version.statements, 'statement')} "
        f"(AREA, LABEL, PAIR); script and maps differ by {differ:.1f} bits a map"
    )
    return FINE


def _read(paths: list[str], console: Console) -> Iterator[tuple[str, BattleMap]]:
    """The maps without errors; the others are reported."""
    for path in paths:
        try:
            battlemap, problems = read_map(path, console)
        except ProblemError as failed:
            console.report(problem.at_path(problem.path or path) for problem in failed.problems)
            continue
        console.report(problems)
        if not has_errors(problems):
            yield path, battlemap
