"""The options of the tools, chosen in the palette and in the bar of tool options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from randomizer.geometry.height_brush import HeightMode
from randomizer.geometry.symmetry import NONE, Symmetry, best_centre, centred_on, kinds

if TYPE_CHECKING:
    from randomizer.geometry.stamp import Stamp
    from randomizer.model.grid import Grid
    from randomizer.model.things import Thing

MOST_RADIUS = 60
"""The widest brush: 10,981 hexes."""

HEIGHT_MODES = ("set", "raise", "lower", "smooth")


class ToolOptions(QObject):
    """Read the attributes, write them with ``choose``; ``changed()``: an option has changed.

    ``terrain`` is an index into the terrain set, ``hexside`` 0 for none, else index + 1;
    ``flipped``: hexsides go to the other hex than the rule would choose. ``route`` is an index into
    the system's routes. ``radius`` 0 is one cell, ``bar`` a row of cells instead of a hexagon.
    ``height_mode`` says what the elevation brush does, ``step`` by how much it raises and lowers.
    ``corner_mode`` is a ``HeightMode`` of the height brush, ``corner_amount`` by how much that
    raises and lowers, ``corner_strength`` how many percent of the way the others go,
    ``corner_level`` the height that it levels to, ``corner_soft`` how much of its radius fades, in
    percent.
    ``everywhere``: a fill takes all cells of the same terrain. ``slanted``: rectangles follow the
    axes of the hexes. ``weights`` are (terrain, weight) of the random brush. ``symmetry_kind`` is
    one of ``randomizer.geometry.symmetry.kinds``, ``centre`` its cell, None for the middle of the
    map. ``stamp``: what the stamp tool places. ``thing``: what the tool of things places, copied;
    None: it picks only.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.terrain = 1
        self.elevation = 1
        self.hexside = 3
        self.route = 0
        self.flipped = False
        self.radius = 0
        self.bar = False
        self.height_mode = "set"
        self.step = 1
        self.corner_mode = HeightMode.RAISE
        self.corner_amount = 100
        self.corner_strength = 100
        self.corner_level = 0
        self.corner_soft = 50
        self.everywhere = False
        self.slanted = False
        self.weights: tuple[tuple[int, int], ...] = ((0, 2), (1, 1))
        self.symmetry_kind = NONE
        self.centre: int | None = None
        self.stamp: Stamp | None = None
        self.thing: Thing | None = None
        self._symmetry: tuple[Grid, str, int | None, Symmetry] | None = None

    def choose(self, **changes: object) -> None:
        """Set options by name. Raises AttributeError for an unknown one."""
        different = {name: new for name, new in changes.items() if getattr(self, name) != new}
        for name, new in different.items():
            setattr(self, name, new)
        if different:
            self.changed.emit()

    def set_terrain(self, code: int) -> None:
        """Choose the code of the terrain to paint."""
        self.choose(terrain=code)

    def set_elevation(self, elevation: int) -> None:
        """Choose the elevation to paint; the brush sets it from now on."""
        self.choose(elevation=elevation, height_mode="set")

    def set_hexside(self, code: int) -> None:
        """Choose the hexside to paint."""
        self.choose(hexside=code)

    def set_route(self, number: int) -> None:
        """Choose the route to lay."""
        self.choose(route=number)

    def set_flipped(self, flipped: bool) -> None:
        """Choose whether hexsides go to the other hex."""
        self.choose(flipped=flipped)

    def widen(self, by: int) -> None:
        """Make the brush wider, or narrower for a negative number."""
        self.choose(radius=min(max(self.radius + by, 0), MOST_RADIUS))

    def symmetry(self, grid: Grid) -> Symmetry | None:
        """The chosen symmetry on ``grid``; None for none, or if the grid lacks its kind."""
        if self.symmetry_kind == NONE:
            return None
        known = self._symmetry
        if known is None or known[0] is not grid or known[1:3] != (self.symmetry_kind, self.centre):
            if self.symmetry_kind not in dict(kinds(grid)):
                return None
            if self.centre is None or not grid.exists(self.centre):
                found = best_centre(grid, self.symmetry_kind)
            else:
                found = centred_on(grid, self.symmetry_kind, self.centre)
            known = self._symmetry = (grid, self.symmetry_kind, self.centre, found)
        return known[3]
