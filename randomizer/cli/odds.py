"""``randomizer odds``: the chances of every value of every hex of a script's maps."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice

from randomizer.batches.odds_table import OddsTable
from randomizer.batches.sampled_odds import odds_of
from randomizer.cli.output import FINE, Console
from randomizer.cli.roll_request import base_of, generator_of, settings_of
from randomizer.generator import Base, own_settings, symmetry_note
from randomizer.model.plurals import counted
from randomizer.model.problems import error
from randomizer.model.rarity import Rarity
from randomizer.model.terrain import Terrain

ENOUGH = 100_000
"""Odds sampled from this many maps have a standard error of at most 0.2 %."""

LINES = 1000
"""So many lines are written at once: a world of 24,000 hexes has 180,000."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the odds; the method goes to standard error."""
    generator = generator_of(arguments.script, console)
    settings = settings_of(generator, arguments.set)
    base, _onto = base_of(arguments, generator, settings, console)
    tables = odds_of(generator).odds(
        own_settings(base.system, settings),
        base,
        sides=arguments.sides or arguments.json,
        samples=arguments.samples or 0,
        seed=arguments.seed,
    )
    table = _first_good_enough(tables, console)
    if table.method == "sampled":
        if not table.samples:
            raise error(
                "locks-not-found",
                f"The locks are kept by {Rarity(0, table.tried).words()}.",
                path=arguments.script,
            )
        share = Rarity(table.samples, table.tried).words()
        which = f"; the locks are kept by {share}" if base.locked else ""
        maps = f"{counted(table.samples, 'map')} of seed {arguments.seed}"
        console.say(f"sampled: {maps}; {table.bound_text}{which}")
    if note := symmetry_note(base.system, settings):
        console.say(note)
    if arguments.json:
        console.put_text(json.dumps(_record(table, base), indent=1))
    else:
        lines = _lines(table, base)
        while some := list(islice(lines, LINES)):
            console.put_text("\n".join(some))
    return FINE


def _first_good_enough(tables: Iterator[OddsTable], console: Console) -> OddsTable:
    """The first table with ENOUGH maps, else the last."""
    for table in tables:
        console.progress(f"{counted(table.tried, 'map')} rolled, {table.samples:,} counted")
        if table.method == "exact" or table.samples >= ENOUGH:
            break
    return table


def _record(table: OddsTable, base: Base) -> dict[str, object]:
    return {
        "method": table.method,
        "samples": table.samples,
        "bound": table.bound,
        "hex": dict(_hexes(table, base)),
        "hexside": dict(_sides(table, base)),
    }


def _lines(table: OddsTable, base: Base) -> Iterator[str]:
    for places in (_hexes, _sides):
        for place, odds in places(table, base):
            for what, chance in odds.items():
                known_to = f" ±{table.error(chance):.2g}" if table.samples else ""
                yield f"{place} {what} {chance:.6g}{known_to}"


_Odds = Iterator[tuple[str, dict[str, float]]]
"""The name of a place, and the chance of each of its values, the likeliest first."""


def _hexes(table: OddsTable, base: Base) -> _Odds:
    terrains = base.terrain_set.terrains
    names = {base.system.cell_name(base.grid, cell): cell for cell in base.grid.cells.tolist()}
    for name in sorted(names):
        odds = table.of(names[name])
        yield name, {_words(terrains[code], height, base): p for (code, height), p in odds.items()}


def _words(terrain: Terrain, height: int, base: Base) -> str:
    """The terrain; and its elevation, if the system has any: ``Volcano/2``."""
    return terrain.name if base.system.elevation is None else f"{terrain.name}/{height}"


def _sides(table: OddsTable, base: Base) -> _Odds:
    hexsides = base.terrain_set.hexsides
    odds_by_side = {
        (base.system.cell_name(base.grid, cell), side): odds
        for (cell, side), odds in (table.sides or {}).items()
    }
    for (name, side), odds in sorted(odds_by_side.items()):
        likeliest = sorted(odds.items(), key=lambda pair: -pair[1])
        yield f"{name}:{side}", {hexsides[code - 1].letter: chance for code, chance in likeliest}
