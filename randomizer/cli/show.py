"""``randomizer show``: a map as text to read, or in a format; what a script sets."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from randomizer.catalog.catalog import (
    check_script,
    format_named,
    read_further_texts,
    script_host,
)
from randomizer.catalog.file_kinds import is_script_file
from randomizer.cli.files import read_bytes, read_map, script_refused, writable_format
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.terrains import give_terrains
from randomizer.languages.language import Language, SourceText
from randomizer.model.basics.plurals import counted
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError, has_errors

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show a map. One that its game would reject is shown, too, with the exit code of bad input."""
    if is_script_file(arguments.file):
        return _show_script(arguments, console)
    if arguments.trace:
        raise UsageError("--trace: this is a map, not a period")
    battlemap, problems = read_map(arguments.file, console)
    give_terrains(battlemap, arguments, console)
    if arguments.players:
        battlemap = players_map(battlemap)
    as_text = arguments.format == "text"
    if as_text and format_named("text", battlemap.system) is None:
        console.report(problems)
        for line in map_lines(battlemap):
            console.put_text(line)
    else:
        map_format = writable_format(arguments.format, battlemap.system)
        console.report((*problems, *(map_format.check(battlemap) if map_format.foreign else ())))
        console.put(map_format.write(battlemap))
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


MOST_CELLS = 10_000
"""Of larger maps only the number of cells of each terrain is told, not each cell."""


def map_lines(battlemap: BattleMap) -> Iterator[str]:
    """Yield what a map shows: size, properties, counts of terrains and things, cells and sides."""
    system = battlemap.system
    grid = battlemap.grid
    composite = battlemap.composite()
    yield f"{system.title}, {grid.width} x {grid.height}, terrain set {battlemap.terrain_set.name}"
    for prop in system.properties:
        if prop.name in composite.properties:
            yield f"{prop.label}: {prop.words(composite.properties[prop.name])}"
    terrain = composite.plane(system.terrain)
    if terrain is not None:
        codes, counts = np.unique(terrain.reshape(-1)[grid.cells], return_counts=True)
        kinds = [battlemap.terrain_set.terrains[code] for code in codes.tolist()]
        for kind, count in zip(kinds, counts.tolist(), strict=True):
            yield f"{count:,} {kind.name}{' (missing)' if kind.missing else ''}"
    kinds_there = Counter(thing.kind for thing in battlemap.visible_things())
    titles = {kind.name: kind.title for kind in system.thing_kinds(battlemap)}
    for name, number in sorted(kinds_there.items()):
        yield f"{number:,} {titles.get(name, name)}"
    if len(grid.cells) <= MOST_CELLS:
        for cell in grid.cells.tolist():
            yield from _cell_lines(battlemap, composite, cell)


def _cell_lines(battlemap: BattleMap, composite: Composite, cell: int) -> Iterator[str]:
    system = battlemap.system
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    texts = [system.cell_name(grid, cell)]
    terrain = composite.plane(system.terrain)
    elevation = composite.plane(system.elevation)
    if terrain is not None:
        texts.append(terrain_set.terrains[terrain.flat[cell]].name)
    if elevation is not None and elevation.flat[cell]:
        texts.append(str(elevation.flat[cell]))
    description = system.describe(battlemap, composite.planes, cell)
    if description or len(texts) > 1:
        yield " ".join([texts[0], description] if description else texts)
    hexsides = composite.plane(system.hexside)
    for side in range(grid.degree) if hexsides is not None else ():
        if hexsides is not None:
            code = hexsides.flat[cell * grid.degree + side]
        else:
            code = 0
        if code:
            name = terrain_set.hexsides[code - 1].name.lower()
            yield f"{texts[0]}: {name} {grid.layout.side_names[side]}"


def record_lines(battlemap: BattleMap) -> Iterator[str]:
    """Yield the records of a map: name, kind, size, and whether a hand changed it."""
    for name, record in battlemap.records.items():
        kind = "JSON" if record.is_json else "text"
        size = counted(len(record.text.encode()), "byte")
        changed = ", changed by hand" if record.touched else ""
        yield f"record {name}: {kind}, {size}{changed}"
