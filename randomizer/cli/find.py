"""``randomizer find``: maps of a script that pass a filter, and their rarity."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from randomizer.batches.batch import Measure
from randomizer.batches.counts import as_measure, measures_of
from randomizer.batches.filters.conditions import Condition, costs
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.batches.map_stream import MapStream
from randomizer.batches.search import SearchResult, search_maps
from randomizer.cli.output import BAD_INPUT, FINE, INTERRUPTED, WRONG_USE, Console, UsageError
from randomizer.cli.roll_request import (
    base_above,
    generator_of,
    map_to_roll_onto,
    settings_of,
)
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import symmetry_note


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the numbers of the maps; their rarity goes to standard error.

    Returns the exit code: BAD_INPUT also if no map fulfils the filter, so that a shell script
    notices.
    """
    _check(arguments)

    # What is searched for, and in which maps.
    generator = generator_of(arguments.script, console)
    settings = settings_of(generator, arguments.set)
    battlemap = map_to_roll_onto(arguments, generator, settings, console)
    base = base_above(battlemap, arguments.lock)
    try:
        condition, order = _filter_and_order(arguments, generator, base, console)
    except ProblemError as wrong:
        console.report(wrong.problems)
        return WRONG_USE
    for cost in _costs(condition, order):
        console.say(cost)

    # The search, until it has enough maps, its budget is used up, or Ctrl+C interrupts it.
    # A search finds the least values first: the greatest are found as the least of the negated.
    order_by = order
    if order is not None and arguments.descending:
        order_by = _negated(order)
    results = search_maps(
        MapStream(generator, settings, base, arguments.seed),
        condition,
        arguments.number,
        budget=arguments.budget,
        limit=arguments.limit,
        order_by=order_by,
    )
    result, is_interrupted = _last_result(results, arguments, console)

    # The maps, and how rare they are.
    _print_maps(result, condition, order, arguments, console)
    summary = f"seed {arguments.seed}: {result.summary}"
    if is_interrupted:
        summary = f"interrupted; {summary}"
    console.say(summary)
    note = symmetry_note(base.system, settings)
    if note:
        console.say(note)
    if is_interrupted:
        return INTERRUPTED
    if not result.numbers:
        return BAD_INPUT
    return FINE


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for an empty filter, and for ``--descending`` without an order."""
    if not arguments.where.strip():
        raise UsageError('--where: this filter is empty; one is "count(Tree) >= 2"')
    if arguments.descending and arguments.sort is None:
        raise UsageError("--descending: --sort MEASURE says of what there is to be most")


def _filter_and_order(
    arguments: argparse.Namespace, generator: MapGenerator, base: Base, console: Console
) -> tuple[Condition, Measure | None]:
    """Return the filter of ``--where`` and the measure of ``--sort``, None without it.

    Raises ProblemError for what cannot be read, with the option as its path.
    """
    measures = measures_of(generator, base.terrain_set)
    with _at_option("--where", arguments.where, console):
        condition = parse_filter(
            arguments.where, base.system, measures, base.grid, base.terrain_set
        )
    if arguments.sort is None:
        return condition, None
    with _at_option("--sort", arguments.sort, console):
        quantity = parse_quantity(
            arguments.sort, base.system, measures, base.grid, base.terrain_set
        )
    return condition, as_measure(quantity)


@contextmanager
def _at_option(option: str, text: str, console: Console) -> Iterator[None]:
    """Give the problems that are raised within the ``with`` an option as their path.

    ``text`` is that of the option: the report of a problem quotes its line.
    """
    try:
        yield
    except ProblemError as wrong:
        console.remember(option, text.encode())
        raise ProblemError(problem.at_path(option) for problem in wrong.problems) from wrong


def _costs(condition: Condition, order: Measure | None) -> list[str]:
    """Return sentences on what of the filter and the order takes long, each once."""
    sentences = [*costs(condition)]
    if order is not None and order.cost:
        sentences.append(order.cost)
    return list(dict.fromkeys(sentences))


def _negated(measure: Measure) -> Measure:
    """Return a measure with the other sign."""
    return replace(measure, of=lambda batch: -measure.of(batch))


def _last_result(
    results: Iterable[SearchResult], arguments: argparse.Namespace, console: Console
) -> tuple[SearchResult, bool]:
    """Show how far the search is; return its last result, and whether Ctrl-C interrupted it.

    Each of ``results`` is that of the search so far.
    """
    result = SearchResult(arguments.seed)
    try:
        for result in results:
            text = f"{result.tried:,} of {counted(arguments.budget, 'map')} tried"
            console.progress(f"{text}, {result.matching:,} found (Ctrl-C ends it)")
    except KeyboardInterrupt:
        return result, True
    return result, False


def _print_maps(
    result: SearchResult,
    condition: Condition,
    order: Measure | None,
    arguments: argparse.Namespace,
    console: Console,
) -> None:
    """Print the numbers of the maps, with the values by which they are sorted."""
    values = list(result.values)
    if arguments.descending:
        values = [-value for value in values]  # those of the negated measure
    if arguments.json:
        record: dict[str, object] = {"where": str(condition), "numbers": result.numbers}
        if order is not None:
            record[order.name] = values
        console.put_text(json.dumps(record | _record(result), indent=1))
    elif values:
        for number, value in zip(result.numbers, values, strict=True):
            console.put_text(f"{number}\t{value:.6g}")
    else:
        for number in result.numbers:
            console.put_text(str(number))


def _record(result: SearchResult) -> dict[str, object]:
    """Return the entries of ``--json`` on the search itself."""
    low, high = result.rarity.interval
    return {
        "seed": result.seed,
        "tried": result.tried,
        "kept": result.eligible,
        "found": result.matching,
        "chance": result.rarity.chance,
        "interval": [low, high],
    }
