"""The hexside brush: a click paints the nearest side, a drag follows the edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.tools.places import Pointer, SidePlace, side_index, side_twins
from app.tools.tool import Preview, Tool
from randomizer.geometry.auto_edges import along_path, rightful_owner
from randomizer.model.edit import Edit
from randomizer.model.edit_making import compound, set_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.battlemap import BattleMap

NEAR_CORNER = 0.3
"""A press nearer to a corner than this (map units) waits for the way that the drag takes."""


class HexsideTool(Tool):
    """Paints the chosen hexside, each to the hex that owns it by the rules (or flipped)."""

    name = "hexside"
    title = "Hexside brush"
    icon = "hexside"
    shortcut = "G"
    tip = (
        "Paint the chosen hexside on the side that lights up, or drag along edges. It goes to the "
        "higher hex (a dune to the sand); X gives it to the other one."
    )
    text = "Paint hexside"
    needs = "hexside"
    heeds = frozenset({"symmetry", "flipped"})

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._last: tuple[float, float] | None = None
        self._waits = False

    def place(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Where the drag is near another corner, it has come farther."""
        return (pointer.cell, _nearest_corner(battlemap, pointer))

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """The edges between the corner where the drag was and the one where it is now."""
        here, before = (pointer.x, pointer.y), self._last
        self._last = here
        if before is None:  # the press
            grid = document.battlemap.grid
            corner = grid.corner(pointer.cell, _nearest_corner(document.battlemap, pointer))
            self._waits = math.dist(corner, here) < NEAR_CORNER
            return (
                None
                if self._waits
                else self._paint(document, SidePlace(pointer.cell, pointer.side))
            )
        edges = along_path(document.battlemap.grid, (before, here))
        self._waits = self._waits and not edges
        return compound(self._paint(document, SidePlace(*edge)) for edge in edges)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """A click near a corner that led nowhere means the nearest side after all."""
        if self._waits:
            yield self._paint(document, SidePlace(pointer.cell, pointer.side))

    def forget(self) -> None:
        """The drag is over."""
        self._last, self._waits = None, False

    def _owners(self, document: MapDocument, place: SidePlace) -> list[SidePlace]:
        """Whose side is painted, here and at every twin."""
        battlemap, planes = document.battlemap, document.composite.planes
        grid, terrain_set = battlemap.grid, battlemap.system.terrain_set
        owners = []
        for at in side_twins(document, self.options, place):
            owner = rightful_owner(planes, terrain_set, grid, *at, self.options.hexside)
            twin = grid.twin(*owner)
            if twin is not None:
                owners.append(SidePlace(*(twin if self.options.flipped else owner)))
        return owners

    def _paint(self, document: MapDocument, place: SidePlace) -> Edit | None:
        """The owners' sides get the hexside; choosing none clears both sides of the edge."""
        battlemap = document.battlemap
        owners = self._owners(document, place)
        index = [side_index(battlemap, owner) for owner in owners]
        if not self.options.hexside:
            twins = (battlemap.grid.twin(*owner) for owner in owners)
            index += [side_index(battlemap, SidePlace(*twin)) for twin in twins if twin is not None]
        layer = document.active_layer_id
        return set_values(battlemap, layer, "hexside", index, self.options.hexside)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Where the hexsides would go."""
        owners = self._owners(document, SidePlace(pointer.cell, pointer.side))
        return Preview(sides=tuple((owner, self.options.hexside) for owner in owners))


def _nearest_corner(battlemap: BattleMap, pointer: Pointer) -> int:
    """Which corner of the cell is nearest: one of the two ends of its nearest side."""
    grid = battlemap.grid
    x = pointer.x - grid.centre(pointer.cell)[0]
    if grid.wrap:
        x -= round(x / grid.period) * grid.period
    y = pointer.y - grid.centre(pointer.cell)[1]
    ends = (pointer.side, (pointer.side + 1) % grid.degree)
    return min(ends, key=lambda corner: math.dist(grid.layout.corners[corner], (x, y)))
