"""``randomizer vary``: maps with the terrains of one map arranged otherwise."""

from __future__ import annotations

import argparse
from pathlib import Path

from randomizer.cli.arguments import build_parser
from randomizer.cli.file_formats import writable_format
from randomizer.cli.files import read_map
from randomizer.cli.output import Console, UsageError
from randomizer.cli.roll import run as roll
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.variations.generator import setting_to_keep_things, variations_of
from randomizer.variations.settings import FAIRNESS, NUMBER, SHARE


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll the variations onto the map; each is a file of its own in the folder."""
    path = Path(arguments.map)
    battlemap, problems = read_map(arguments.map, console)
    if has_errors(problems):
        raise ProblemError(problems)
    generator = variations_of(battlemap.system)
    if generator is None:
        title = with_article(battlemap.system.title)
        message = f"variations are made of battlelands and free maps; this is {title}"
        raise error("no-variations", message, path=arguments.map)
    chosen: dict[str, object] = {SHARE: arguments.share, NUMBER: arguments.number}
    if arguments.fair is not None:
        if all(setting.name != FAIRNESS for setting in generator.settings):
            raise UsageError(
                f"--fair: nobody knows how fair {with_article(generator.system.noun)} is"
            )
        chosen[FAIRNESS] = arguments.fair
    chosen |= setting_to_keep_things(battlemap)
    suffix = path.suffix
    if arguments.format is not None:
        suffix = writable_format(arguments.format, battlemap.system).suffixes[0]
    rolled = build_parser().parse_args(["roll", generator.name, "--onto", arguments.map])
    rolled.seed = arguments.seed
    rolled.lock = arguments.lock
    rolled.format = arguments.format
    rolled.count = arguments.number
    rolled.set = [f"{name}={value}" for name, value in chosen.items()]
    rolled.out = str(Path(arguments.out) / f"{path.stem}{suffix}")
    return roll(rolled, console)
