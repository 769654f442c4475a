"""``randomizer odds``: the chances of every value of every hex of a script's maps."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import islice

from randomizer.batches.odds_table import OddsTable
from randomizer.batches.sampled_odds import odds_of
from randomizer.cli.output import FINE, Console
from randomizer.cli.roll_request import (
    base_above,
    generator_of,
    map_to_roll_onto,
    settings_of,
)
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.rarity import Rarity
from randomizer.model.problems import error
from randomizer.model.terrain.terrain import Terrain
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import symmetry_note, without_symmetry

ENOUGH_MAPS = 100_000
"""The number of maps at which the counting ends: chances then have a standard error of at most
0.2 %."""

LINES_AT_ONCE = 1000
"""The number of lines that are written at once: a world of 24,000 hexes has 180,000 lines."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the odds; how many maps they were counted on goes to standard error."""
    generator = generator_of(arguments.script, console)
    settings = settings_of(generator, arguments.set)
    battlemap = map_to_roll_onto(arguments, generator, settings, console)
    base = base_above(battlemap, arguments.lock)
    table = _table(arguments, generator, without_symmetry(base.system, settings), base, console)
    if not table.samples:
        raise error(
            "locks-not-found",
            f"The locks are kept by {Rarity(0, table.tried).words()}.",
            path=arguments.script,
        )
    locks = ""
    if base.locked:
        locks = f"; the locks are kept by {Rarity(table.samples, table.tried).words()}"
    maps = f"{counted(table.samples, 'map')} of seed {arguments.seed}"
    console.say(f"counted on {maps}; {table.bound_text}{locks}")
    if note := symmetry_note(base.system, settings):
        console.say(note)
    if arguments.json:
        console.put_text(json.dumps(_record(table, base), indent=1))
    else:
        lines = _lines(table, base)
        while next_lines := list(islice(lines, LINES_AT_ONCE)):
            console.put_text("\n".join(next_lines))
    return FINE


def _table(
    arguments: argparse.Namespace,
    generator: MapGenerator,
    settings: Mapping[str, object],
    base: Base,
    console: Console,
) -> OddsTable:
    """Return the odds of as many maps as ``--samples`` says; without it, of about enough."""
    sampler = odds_of(generator)
    sides = arguments.sides or arguments.json
    if arguments.samples is not None:
        return sampler.odds_of_maps(
            settings, base, arguments.samples, sides=sides, seed=arguments.seed
        )
    return _first_exact_enough(
        sampler.odds(settings, base, sides=sides, seed=arguments.seed), console
    )


def _first_exact_enough(tables: Iterator[OddsTable], console: Console) -> OddsTable:
    """Return the first table of at least ``ENOUGH_MAPS``, else the last one.

    Each table is counted on more maps than the one before it. There is one at least.
    """
    for table in tables:
        console.progress(f"{counted(table.tried, 'map')} rolled, {table.samples:,} counted")
        if table.samples >= ENOUGH_MAPS:
            break
    return table


def _record(table: OddsTable, base: Base) -> dict[str, object]:
    """Return the odds as the object that ``--json`` prints."""
    hexes = {name: odds for name, _cell, odds in _odds_of_cells(table, base)}
    return {
        "samples": table.samples,
        "bound": table.bound,
        "hex": hexes,
        "hexside": dict(_odds_of_sides(table, base)),
    }


def _lines(table: OddsTable, base: Base) -> Iterator[str]:
    """Yield a line for each chance, with its standard error unless it is certain."""
    for name, cell, odds in _odds_of_cells(table, base):
        for value, chance in odds.items():
            yield _line(name, value, chance, table.error(chance, cell))
    for name, odds in _odds_of_sides(table, base):
        for value, chance in odds.items():
            yield _line(name, value, chance, table.error(chance))


def _line(name: str, value: str, chance: float, standard_error: float) -> str:
    """Return a chance as a line of text: ``D4 Tree/0 0.25 ±0.001``."""
    line = f"{name} {value} {chance:.6g}"
    if standard_error:
        line += f" ±{standard_error:.2g}"
    return line


def _odds_of_cells(table: OddsTable, base: Base) -> Iterator[tuple[str, int, dict[str, float]]]:
    """Yield name, flat cell and the chances of each cell's values, in the order of ``table.of``.

    That is the likeliest first.
    """
    terrains = base.terrain_set.terrains
    cells = {base.system.cell_name(base.grid, cell): cell for cell in base.grid.cells.tolist()}
    for name in sorted(cells):
        odds: dict[str, float] = {}
        for (code, height), chance in table.of(cells[name]).items():
            odds[_state_text(terrains[code], height, base)] = chance
        yield name, cells[name], odds


def _state_text(terrain: Terrain, height: int, base: Base) -> str:
    """Return the terrain; and its elevation, if the system has any: ``Volcano/2``."""
    if base.system.elevation is None:
        return terrain.name
    return f"{terrain.name}/{height}"


def _odds_of_sides(table: OddsTable, base: Base) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the name of each side (``D4:0``) and the chances of its hexsides by letter."""
    hexsides = base.terrain_set.hexsides
    odds_by_side = {}
    if table.sides is not None:
        for (cell, side), odds in table.sides.items():
            odds_by_side[base.system.cell_name(base.grid, cell), side] = odds
    for (name, side), odds in sorted(odds_by_side.items()):
        likeliest_codes = sorted(odds, key=lambda code: odds[code], reverse=True)
        yield f"{name}:{side}", {hexsides[code - 1].letter: odds[code] for code in likeliest_codes}
