"""``randomizer show``: a map as text to read, or in a format."""

from __future__ import annotations

import argparse

from randomizer.catalog import format_named
from randomizer.cli.files import read_map, writable_format
from randomizer.cli.map_text import map_lines, record_lines
from randomizer.cli.output import BAD_INPUT, FINE, Console
from randomizer.model.problems import has_errors


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show a map. One that its game would reject is shown, too, with the exit code of bad input."""
    battlemap, problems = read_map(arguments.file, console)
    as_text = arguments.format == "text"
    if as_text and format_named("text", battlemap.system) is None:
        console.report(problems)
        for line in map_lines(battlemap):
            console.put_text(line)
    else:
        known = writable_format(arguments.format, battlemap.system)
        console.report(problems)
        console.put(known.write(battlemap))
    for line in record_lines(battlemap) if as_text else ():
        console.put_text(line)
    return BAD_INPUT if has_errors(problems) else FINE
