"""A map of any system as text, for systems without a format of text of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.plurals import counted

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

MOST_CELLS = 10_000
"""Of larger maps only the number of cells of each terrain is told, not each cell."""


def map_lines(battlemap: BattleMap) -> Iterator[str]:
    """What a map shows: size, properties, counts of terrains and things, cells and sides."""
    system, grid, shown = battlemap.system, battlemap.grid, battlemap.composite()
    yield f"{system.title}, {grid.width} x {grid.height}, terrain set {battlemap.terrain_set.name}"
    for known in system.properties:
        if known.name in shown.properties:
            yield f"{known.label}: {known.words(shown.properties[known.name])}"
    terrain = shown.plane(system.terrain)
    if terrain is not None:
        codes, counts = np.unique(terrain.reshape(-1)[grid.cells], return_counts=True)
        kinds = [battlemap.terrain_set.terrains[code] for code in codes.tolist()]
        for kind, count in zip(kinds, counts.tolist(), strict=True):
            yield f"{count:,} {kind.name}{' (missing)' if kind.missing else ''}"
    kinds_there = Counter(thing.kind for thing in battlemap.visible_things())
    titles = {known.name: known.title for known in system.thing_kinds(battlemap)}
    for name, number in sorted(kinds_there.items()):
        yield f"{number:,} {titles.get(name, name)}"
    if len(grid.cells) <= MOST_CELLS:
        for cell in grid.cells.tolist():
            yield from _cell_lines(battlemap, shown, cell)


def _cell_lines(battlemap: BattleMap, shown: Composite, cell: int) -> Iterator[str]:
    system, grid, known = battlemap.system, battlemap.grid, battlemap.terrain_set
    words = [system.cell_name(grid, cell)]
    terrain, elevation = shown.plane(system.terrain), shown.plane(system.elevation)
    if terrain is not None:
        words.append(known.terrains[terrain.flat[cell]].name)
    if elevation is not None and elevation.flat[cell]:
        words.append(str(elevation.flat[cell]))
    said = system.describe(battlemap, shown.planes, cell)
    if said or len(words) > 1:
        yield " ".join([words[0], said] if said else words)
    hexsides = shown.plane(system.hexside)
    for side in range(grid.degree) if hexsides is not None else ():
        code = hexsides.flat[cell * grid.degree + side] if hexsides is not None else 0
        if code:
            name = known.hexsides[code - 1].name.lower()
            yield f"{words[0]}: {name} {grid.layout.side_names[side]}"


def record_lines(battlemap: BattleMap) -> Iterator[str]:
    """The records of a map: name, kind, size, and whether a hand changed it."""
    for name, record in battlemap.records.items():
        kind = "JSON" if record.is_json else "text"
        size = counted(len(record.text.encode()), "byte")
        changed = ", changed by hand" if record.touched else ""
        yield f"record {name}: {kind}, {size}{changed}"
