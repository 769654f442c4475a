"""``randomizer show``: a map as text to read, or in a format; what a script sets."""

from __future__ import annotations

import argparse
from pathlib import Path, PurePath

from randomizer.catalog import (
    check_script,
    format_named,
    is_script_file,
    read_further_texts,
    script_host,
)
from randomizer.cli.files import read_bytes, read_map, script_refused, writable_format
from randomizer.cli.map_text import map_lines, record_lines
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import ProblemError, has_errors


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show a map. One that its game would reject is shown, too, with the exit code of bad input."""
    if is_script_file(arguments.file):
        return _show_script(arguments, console)
    if arguments.trace:
        raise UsageError("--trace: this is a map, not a period")
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


def _show_script(arguments: argparse.Namespace, console: Console) -> int:
    """Show what a script sets, as far as it can be read; the exit code says whether it can."""
    path = arguments.file
    name = PurePath(path).name
    data = read_bytes(path, console)
    host = script_host(name, path, data)
    if not host.language.offers(Language.values):
        raise script_refused(path)
    if arguments.format != "text":
        raise UsageError(f"--format: a period is shown as text, not as {arguments.format}")
    text, problems = host.decode(data, path)
    if has_errors(problems):
        raise ProblemError(problems)
    texts = read_further_texts(Path(path), text)
    problems += check_script(text, name, texts, path)
    console.report(problems)
    lines = host.language.trace if arguments.trace else host.language.values
    console.put_text("\n".join(lines(SourceText(text, name, texts))))
    return BAD_INPUT if has_errors(problems) else FINE
