"""Brushes for cells: terrain, a mixture of terrains, elevation, and the eraser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.places import Pointer, Reach, SidePlace, brush, is_side, reach, side_twins
from app.tools.tool import Preview, Tool
from randomizer.geometry.relief import raised, smoothed
from randomizer.model.dice import fresh_seed, streams, words_of_streams
from randomizer.model.edit import Edit, ThingsEdit
from randomizer.model.edit_making import set_values
from randomizer.model.erasing import erase_cells, unset
from randomizer.model.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.geometry.shapes import Cells
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.planes import PlaneSpec
    from randomizer.model.system import System
    from randomizer.model.things import Thing

BRUSH = frozenset({"radius", "symmetry"})


class BrushTool(Tool):
    """Works on the cells under the brush and their symmetric twins."""

    uses = BRUSH

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        """The cells that it would change here."""
        return reach(document, self.options, brush(document, self.options, pointer.cell))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The cells under the brush."""
        return Preview.of(self.reach(document, pointer))


class TerrainTool(BrushTool):
    """Paints the chosen terrain; elevation and hexsides stay."""

    name = "terrain"
    title = "Terrain brush"
    icon = "brush"
    shortcut = "B"
    tip = "Paint the chosen terrain: click or drag over {cells}. Escape takes the stroke back."
    text = "Paint terrain"
    needs = PlaneRole.TERRAIN

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Paint the chosen terrain."""
        cells = self.reach(document, pointer).cells
        return paint(document, self.plane(document.battlemap.system), cells, self.options.terrain)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The cells under the brush in the chosen terrain."""
        return Preview.of(self.reach(document, pointer), self.options.terrain)


def paint(document: MapDocument, plane: PlaneSpec, places: Cells, values: object) -> Edit | None:
    """The edit that sets values at places of a plane in the active layer; None for no change."""
    return set_values(document.battlemap, document.active_layer_id, plane.name, places, values)


class RandomTool(BrushTool):
    """Paints a mixture of terrains, each as often as its weight says.

    The seed of a stroke is drawn before it begins, so that the preview shows its result.
    """

    name = "random"
    title = "Random brush"
    icon = "roll"
    shortcut = "D"
    tip = "Paint a mixture of terrains; the bar of tool options says how much of each."
    text = "Paint mixture"
    needs = PlaneRole.TERRAIN
    uses = BRUSH | {"weights"}

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._seed = fresh_seed()

    def _terrains(self, document: MapDocument, cells: Cells) -> NDArray[np.integer]:
        """The terrain code for each cell, shape (n,); symmetric twins get the same."""
        grid = document.battlemap.grid
        symmetry = self.options.symmetry(grid)
        keys = cells
        if symmetry is not None:
            images = symmetry.images(grid, cells)
            keys = np.where(images < 0, grid.size, images).min(axis=0)
        codes = np.array([code for code, _ in self.options.weights])
        ends = np.cumsum([weight for _, weight in self.options.weights], dtype=np.uint64)
        draws = words_of_streams(streams(self._seed, keys.astype(np.uint64)), 0) >> np.uint64(16)
        found: NDArray[np.integer] = codes[np.searchsorted(ends, draws % ends[-1], side="right")]
        return found

    def why_not_here(self, document: MapDocument) -> str:
        """Also refuses a mixture whose weights are all 0."""
        if not any(weight for _, weight in self.options.weights):
            return "The mixture is empty: give a terrain some weight in the tool options."
        return super().why_not_here(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Paint terrains of the mixture; a cell gets the same one throughout a stroke."""
        cells = self.reach(document, pointer).cells
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, cells, self._terrains(document, cells))

    def forget(self) -> None:
        """Draw the seed of the next stroke."""
        self._seed = fresh_seed()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The terrains that would be painted."""
        found = self.reach(document, pointer)
        if not any(weight for _, weight in self.options.weights):
            return Preview.of(found)
        terrains = self._terrains(document, found.cells)
        return Preview(found.cells, terrains, lost=found.lost, words=found.words)


class ElevationTool(BrushTool):
    """Sets, raises, lowers or smooths the elevation; each cell once in a stroke."""

    name = "elevation"
    title = "Elevation brush"
    icon = "elevation"
    shortcut = "H"
    tip = "Paint the chosen elevation (keys 0 to 3 choose it), or raise, lower and smooth."
    text = "Paint elevation"
    needs = PlaneRole.HEIGHT
    uses = BRUSH | {"height"}
    _done: NDArray[np.bool_] | None = None

    def why_not(self, system: System) -> str:
        """Also refuses heights of corners."""
        if system.height is not None and system.elevation is None:
            return f"A {system.title.lower()} has heights at its corners, no elevations."
        return super().why_not(system)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Begin with no cell touched."""
        self._done = np.zeros(document.battlemap.grid.size, np.bool_)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Change the elevation of the cells that this stroke has not touched."""
        cells = self.reach(document, pointer).cells
        if self._done is not None:
            cells = cells[~self._done[cells]]
            self._done[cells] = True
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, cells, self._heights(document, cells))

    def forget(self) -> None:
        """Forget which cells were touched."""
        self._done = None

    def _heights(self, document: MapDocument, cells: Cells) -> object:
        options, grid = self.options, document.battlemap.grid
        shown = document.composite.planes[self.plane(document.battlemap.system).name]
        if options.height_mode == "set":
            return options.elevation
        if options.height_mode == "smooth":
            return smoothed(grid, shown, cells)
        by = options.step if options.height_mode == "raise" else -options.step
        known = document.battlemap.terrain_set.elevations
        return raised(shown, cells, by, min(known), max(known))


class PlaceTool(BrushTool):
    """A brush for cells or, where a drag begins near an edge, for hexsides.

    A brush wider than one cell always means cells.
    """

    _sides: bool | None = None

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Decide between cells and hexsides for the whole drag."""
        self._sides = self.means_side(document, pointer)

    def forget(self) -> None:
        """Forget the decision."""
        self._sides = None

    def means_side(self, document: MapDocument, pointer: Pointer) -> bool:
        """Whether a click here means the hexsides of an edge."""
        return not self.options.radius and is_side(document.battlemap, pointer.hit)

    def place(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """The cell, or the edge, the same from both of its sides."""
        if not self._sides:
            return (pointer.cell,)
        twin = battlemap.grid.twin(pointer.cell, pointer.side)
        here = (pointer.cell, pointer.side)
        return here if twin is None else min(here, twin)

    def sides(self, document: MapDocument, pointer: Pointer) -> list[int]:
        """Flat indices of the edge's hexsides and its symmetric twins', both sides of each.

        Ascending; [] at the edge of the map.
        """
        battlemap = document.battlemap
        if not is_side(battlemap, pointer.hit):
            return []
        grid = battlemap.grid
        found = set()
        for place in side_twins(document, self.options, SidePlace(pointer.cell, pointer.side)):
            found.add(place.cell * grid.degree + place.side)
            other = grid.twin(*place)
            if other is not None:
                found.add(other[0] * grid.degree + other[1])
        return sorted(found)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The edge with its symmetric twins, or the cells."""
        as_sides = self.means_side(document, pointer) if self._sides is None else self._sides
        if not as_sides:
            return super().preview(document, pointer)
        if not is_side(document.battlemap, pointer.hit):
            return Preview()
        places = side_twins(document, self.options, SidePlace(pointer.cell, pointer.side))
        return Preview(sides=tuple((place, None) for place in places))


class EraserTool(PlaceTool):
    """Makes places of the active layer *not set*, so that the layers below show.

    Routes around that led there are cut off (``randomizer.model.erasing``).
    """

    name = "eraser"
    title = "Eraser"
    icon = "eraser"
    shortcut = "E"
    tip = (
        "Erase what the active layer sets: the {cell} and its {sides}, or near an edge only the "
        "{sides} of that edge. What lies below shows again."
    )
    text = "Erase"

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Unset the cells and their hexsides, or both sides of one edge."""
        battlemap, layer = document.battlemap, document.active_layer_id
        if not self._sides:
            return erase_cells(battlemap, layer, self.reach(document, pointer).cells)
        hexside = battlemap.system.hexside
        if hexside is None:
            return None
        return unset(battlemap, layer, hexside.name, self.sides(document, pointer))


def remove_things(battlemap: BattleMap, cells: Cells) -> Edit | None:
    """The edit that removes the things on these cells, None if there are none."""
    if not battlemap.things:
        return None
    arrays = battlemap.things.arrays()
    on = np.isin(battlemap.grid.cells_at(arrays.points), cells)
    gone: tuple[Thing, ...] = tuple(battlemap.things[int(which)] for which in arrays.ids[on])
    return ThingsEdit(gone, ()) if gone else None
