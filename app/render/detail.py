"""How much of a map is drawn: what its scale has room for, and what a person wants to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.grid import Grid

HEXES_FROM = 2.5
"""From this scale (hex radius in logical pixels) on hexes have six corners."""

SPRITES_FROM = 10.0
"""From this scale on cells are pictures."""

SIDES_FROM = 12.0
"""From this scale on hexsides are drawn."""

LABELS_FROM = 16.0
"""From this scale on there are labels, badges and marks."""

SQUARE_SIZE = 0.6
"""A square of side 1 has about as much room as a hex of this radius."""

MARGIN = 0.75
"""Room around the board for the names of the entry sides, in map units."""


@dataclass(frozen=True, slots=True)
class Overlays:
    """What is drawn besides the ground."""

    labels: bool = True
    names: bool = False
    grid_lines: bool = True
    elevation: bool = True
    shading: bool = False
    hexsides: bool = True
    passability: bool = False
    start_list: bool = True
    locks: bool = True
    things: bool = True
    entry_sides: bool = True
    seam: bool = True


def cell_size(grid: Grid, scale: float) -> float:
    """How large cells are at a scale, as the radius of a hex."""
    return scale * (SQUARE_SIZE if grid.degree == 4 else 1.0)


def sprites_from(battlemap: BattleMap) -> float:
    """From which size on cells are pictures: routes say more than colours, however small."""
    return SPRITES_FROM / 2 if battlemap.system.routes else SPRITES_FROM
