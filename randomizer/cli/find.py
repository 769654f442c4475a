"""``randomizer find``: maps of a script that pass a filter, and their rarity."""

from __future__ import annotations

import argparse
import json
from collections.abc import Generator
from dataclasses import replace

from randomizer.batches.batch import Measure
from randomizer.batches.counts import as_measure, measures_of
from randomizer.batches.filters.conditions import Condition, costs
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.batches.map_stream import MapStream
from randomizer.batches.search import SearchResult, search_maps
from randomizer.cli.output import BAD_INPUT, FINE, INTERRUPTED, WRONG_USE, Console, UsageError
from randomizer.cli.roll_request import base_of, generator_of, settings_of
from randomizer.generator import Base, MapGenerator, symmetry_note
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the numbers of the maps; their rarity goes to standard error."""
    _check(arguments)
    generator = generator_of(arguments.script, console)
    settings = settings_of(generator, arguments.set)
    base, _onto = base_of(arguments, generator, settings, console)
    try:
        condition, by = _filter(arguments, generator, base, console)
    except ProblemError as wrong:
        console.report(wrong.problems)
        return WRONG_USE
    for cost in dict.fromkeys((*costs(condition), *([by.cost] if by and by.cost else ()))):
        console.say(cost)
    least = by
    if by is not None and arguments.descending:
        least = replace(by, of=lambda batch: -by.of(batch))
    seed = arguments.seed
    search = search_maps(
        MapStream(generator, settings, base, seed),
        condition,
        arguments.number,
        budget=arguments.budget,
        limit=arguments.limit,
        least=least,
    )
    result, interrupted = _end_of(search, arguments, console)
    listed = result.numbers
    values = [-value if arguments.descending else value for value in result.values]
    if arguments.json:
        measured = {} if by is None else {by.name: values}
        record = {"where": str(condition), "numbers": listed, **measured, **_record(result)}
        console.put_text(json.dumps(record, indent=1))
    else:
        for row, number in enumerate(listed):
            console.put_text(f"{number}\t{values[row]:.6g}" if values else str(number))
    console.say(f"{'interrupted; ' if interrupted else ''}seed {seed}: {result.summary}")
    if note := symmetry_note(base.system, settings):
        console.say(note)
    if interrupted:
        return INTERRUPTED
    return FINE if listed else BAD_INPUT


def _check(arguments: argparse.Namespace) -> None:
    if not arguments.where.strip():
        raise UsageError('--where: this filter is empty; one is "count(Tree) >= 2"')
    if arguments.descending and arguments.sort is None:
        raise UsageError("--descending: --sort MEASURE says of what there is to be most")


def _filter(
    arguments: argparse.Namespace, generator: MapGenerator, base: Base, console: Console
) -> tuple[Condition, Measure | None]:
    """Return the filter, and the measure that sorts the maps rolled onto ``base``.

    Raises ProblemError.
    """
    system = base.system
    grid = base.grid
    terrain_set = base.terrain_set
    measures = measures_of(generator, terrain_set)
    option = "--where"
    text = arguments.where
    try:
        condition = parse_filter(text, system, measures, grid, terrain_set)
        if arguments.sort is None:
            return condition, None
        option = "--sort"
        text = arguments.sort
        return condition, as_measure(parse_quantity(text, system, measures, grid, terrain_set))
    except ProblemError as wrong:
        console.remember(option, text.encode())
        raise ProblemError(problem.at_path(option) for problem in wrong.problems) from wrong


def _end_of(
    search: Generator[SearchResult, None, SearchResult],
    arguments: argparse.Namespace,
    console: Console,
) -> tuple[SearchResult, bool]:
    """Return the result of the search, and whether Ctrl-C interrupted it."""
    result = SearchResult(arguments.seed, (), 0, 0, 0)
    try:
        for result in search:
            text = f"{result.tried:,} of {counted(arguments.budget, 'map')} tried"
            console.progress(f"{text}, {result.matching:,} found (Ctrl-C ends it)")
    except KeyboardInterrupt:
        return result, True
    return result, False


def _record(result: SearchResult) -> dict[str, object]:
    low, high = result.rarity.interval
    return {
        "seed": result.seed,
        "tried": result.tried,
        "kept": result.eligible,
        "found": result.matching,
        "chance": result.rarity.chance,
        "interval": [low, high],
    }
