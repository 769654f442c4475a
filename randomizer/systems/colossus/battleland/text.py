"""A battleland as text for reading: the board in letters, hexsides and start list in words.

    Hexsides:
      D4: slope north, slope north-east

    Start list (*): D3 D4

The format ``text`` writes ``text_of`` a map; nothing reads it back.
"""

from __future__ import annotations

from randomizer.formats.text_format import TextFormat
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.board import GRID, HEXES, LABELS
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS

_CELL_WIDTH = 16
"""The width of a column in characters: ``D4 Brambles 2``, and the mark of the start list."""


def text_of(composite: Composite) -> str:
    """Return a map as text: title, board, hexsides, start list."""
    properties = composite.properties
    title = TITLE.of(properties) or "Battleland"
    if SUBTITLE.name in properties:
        title += f" - {SUBTITLE.of(properties)}"
    tower = "no"
    if TOWER.of(properties):
        tower = "yes"
    rows = [title, f"tower: {tower}", ""]
    rows += _board(composite)
    hexsides = _hexsides(composite) or ["  none"]
    rows += ["", "Hexsides:", *hexsides]
    if START_LIST.name in properties:
        labels = " ".join(START_LIST.of(properties)) or "empty"
        rows += ["", f"Start list (*): {labels}"]
    return "\n".join(rows) + "\n"


def _board(composite: Composite) -> list[str]:
    """Return the lines of the board.

    There are two for each row of hexes, because odd columns are half a hex lower: the hex at
    (x, y) stands in line 2 * y, and one lower in odd columns.
    """
    lines = [[" " * _CELL_WIDTH] * GRID.width for _ in range(2 * GRID.height + 1)]
    start = START_LIST.of(composite.properties)
    for label, (x, y) in zip(LABELS, HEXES, strict=True):
        terrain = COLOSSUS.terrains[int(composite.planes["terrain"][y, x])].name
        elevation = int(composite.planes["elevation"][y, x])
        mark = " "
        if label in start:
            mark = "*"
        cell_text = f"{mark}{label} {terrain}"
        if elevation:
            cell_text += f" {elevation}"
        lines[2 * y + x % 2][x] = cell_text.ljust(_CELL_WIDTH)
    # The board is no rectangle: the first and the last lines can be empty, and are left out.
    text = "\n".join("".join(line).rstrip() for line in lines)
    return text.strip("\n").split("\n")


def _hexsides(composite: Composite) -> list[str]:
    """Return a line for each hex with hexsides."""
    rows = []
    for label, (x, y) in zip(LABELS, HEXES, strict=True):
        hexsides = []
        for side, code in enumerate(composite.planes["hexside"][y, x]):
            if code:  # 0 is no hexside
                name = COLOSSUS.hexsides[int(code) - 1].name.lower()
                hexsides.append(f"{name} {GRID.layout.side_names[side]}")
        if hexsides:
            rows.append(f"  {label}: {', '.join(hexsides)}")
    return rows


TEXT = TextFormat(
    "Battleland as text",
    (SYSTEM.name,),
    lambda battlemap: text_of(battlemap.composite()),
    lambda battlemap: check_battleland(battlemap.composite()),
)
"""The format of the catalogue."""
