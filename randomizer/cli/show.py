"""``randomizer show``: a map as text to read, or in a format."""

from __future__ import annotations

import argparse

from randomizer.cli.files import read_map, writable_format
from randomizer.cli.output import BAD_INPUT, FINE, Console
from randomizer.model.problems import has_errors


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show a map. One that its game would reject is shown, too, with the exit code of bad input."""
    battlemap, problems = read_map(arguments.file, console)
    known = writable_format(arguments.format, battlemap.system)
    console.report(problems)
    console.put(known.write(battlemap))
    return BAD_INPUT if has_errors(problems) else FINE
