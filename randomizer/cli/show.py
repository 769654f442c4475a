"""``randomizer show``: a map as text to read, or in a format; what a script sets.

Of scripts only *periods* can be shown, those that define a game of Xconq: they set values of the
game, one after the other.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from randomizer.catalog.file_kinds import is_script_file
from randomizer.catalog.map_formats import format_named
from randomizer.catalog.script_files import read_further_texts
from randomizer.catalog.scripts import check_script, script_host
from randomizer.cli.file_formats import writable_format
from randomizer.cli.files import read_input, read_map, script_error
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.terrains import apply_terrains
from randomizer.languages.language import Language, SourceText
from randomizer.model.basics.plurals import counted
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError, has_errors

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
    apply_terrains(battlemap, arguments, console)
    if arguments.players:
        battlemap = players_map(battlemap)
    as_text = arguments.format == "text"
    has_text_format = format_named("text", battlemap.system) is not None
    if as_text and not has_text_format:
        console.report(problems)
        for line in map_lines(battlemap):
            console.put_text(line)
    else:
        map_format = writable_format(arguments.format, battlemap.system)
        console.report(problems)
        if map_format.foreign:
            console.report(map_format.check(battlemap))
        console.put(map_format.write(battlemap))
    if as_text:
        for line in record_lines(battlemap):
            console.put_text(line)
    return _exit_code(problems)


def _exit_code(problems: Iterable[Problem]) -> int:
    """Return the exit code for a file with these problems."""
    if has_errors(problems):
        return BAD_INPUT
    return FINE


def _show_script(arguments: argparse.Namespace, console: Console) -> int:
    """Show what a script sets, as far as it can be read; the exit code says whether it can."""
    path = arguments.file
    name = PurePath(path).name
    data = read_input(path, console)
    host = script_host(name, path, data)
    if not host.language.offers(Language.values):
        raise script_error(path)
    if arguments.format != "text":
        raise UsageError(f"--format: a period is shown as text, not as {arguments.format}")
    text, problems = host.decode(data, path)
    if has_errors(problems):
        raise ProblemError(problems)
    texts = read_further_texts(Path(path), text)
    problems += check_script(text, name, texts=texts, path=path)
    console.report(problems)
    source = SourceText(text, name, texts)
    if arguments.trace:
        lines = host.language.trace(source)
    else:
        lines = host.language.values(source)
    console.put_text("\n".join(lines))
    return _exit_code(problems)


MAX_CELLS = 10_000
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
    yield from _terrain_lines(battlemap, composite)
    thing_counts = Counter(thing.kind for thing in battlemap.visible_things())
    titles = {kind.name: kind.title for kind in system.thing_kinds(battlemap)}
    for name, count in sorted(thing_counts.items()):
        yield f"{count:,} {titles.get(name, name)}"
    if len(grid.cells) <= MAX_CELLS:
        for cell in grid.cells.tolist():
            yield from _cell_lines(battlemap, composite, cell)


def _terrain_lines(battlemap: BattleMap, composite: Composite) -> Iterator[str]:
    """Yield how many cells each terrain has, in the order of the terrain set."""
    terrain = composite.plane(battlemap.system.terrain)
    if terrain is None:
        return
    codes, counts = np.unique(terrain.reshape(-1)[battlemap.grid.cells], return_counts=True)
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        kind = battlemap.terrain_set.terrains[code]
        line = f"{count:,} {kind.name}"
        if kind.missing:
            line += " (missing)"
        yield line


def _cell_lines(battlemap: BattleMap, composite: Composite, cell: int) -> Iterator[str]:
    """Yield a line for a cell, unless it has nothing but its name, and one for each hexside."""
    system = battlemap.system
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    cell_name = system.cell_name(grid, cell)
    text = system.describe(battlemap, composite.planes, cell)
    if not text:  # it has a terrain and an elevation at most
        texts = list[str]()
        terrain = composite.plane(system.terrain)
        elevation = composite.plane(system.elevation)
        if terrain is not None:
            texts.append(terrain_set.terrains[terrain.flat[cell]].name)
        if elevation is not None and elevation.flat[cell]:
            texts.append(str(elevation.flat[cell]))
        text = " ".join(texts)
    if text:
        yield f"{cell_name} {text}"
    hexsides = composite.plane(system.hexside)
    if hexsides is None:
        return
    hexsides_of_cell = hexsides.reshape(-1, grid.degree)[cell].tolist()
    for side, code in enumerate(hexsides_of_cell):
        if code:
            name = terrain_set.hexsides[code - 1].name.lower()
            yield f"{cell_name}: {name} {grid.layout.side_names[side]}"


def record_lines(battlemap: BattleMap) -> Iterator[str]:
    """Yield the records of a map: name, kind, size, and whether a hand changed it."""
    for name, record in battlemap.records.items():
        kind = "text"
        if record.is_json:
            kind = "JSON"
        size = counted(len(record.text.encode()), "byte")
        line = f"record {name}: {kind}, {size}"
        if record.touched:
            line += ", changed by hand"
        yield line
