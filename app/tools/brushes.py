"""Brushes for cells: terrain, a mixture of terrains, elevation, and the eraser.

``BrushTool`` is the base of all tools that work on the cells under the brush; ``CellOrSideTool``
of those that work on hexsides where a drag begins near an edge.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import (
    CellSide,
    Pointer,
    Reach,
    brush,
    is_side,
    reach,
    side_twins,
    sides_can_be_aimed_at,
)
from app.tools.tool import Preview, Tool
from randomizer.geometry.areas import Cells
from randomizer.geometry.cell_elevations import (
    raise_elevations,
    roughen_elevations,
    smooth_elevations,
)
from randomizer.model.basics.dice import fresh_seed, streams, words_of_streams
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.edits.edit import Edit, PlaneEdit
from randomizer.model.edits.value_edits import compound, parts
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.erasing import (
    erase_cells,
    left_out_of_erasing,
    painted_over_rolls,
)
from randomizer.model.hand.targets import erase
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element, PlaneRole, PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.geometry.symmetry import Symmetry

BRUSH = frozenset({"radius", "bar", "symmetry"})
"""The tool options that matter to every brush (``Tool.uses``)."""


def first_twins(symmetry: Symmetry | None, grid: Grid, cells: Cells) -> Cells:
    """Return for each of ``cells`` (n,) the lowest number among it and its symmetric twins, (n,).

    Twins get the same number: what is drawn by chance from it is symmetric.
    """
    if symmetry is None:
        return cells
    # Twins outside the map are -1: a number above all cells keeps them from being the lowest.
    images = symmetry.images(grid, cells)
    return np.asarray(np.where(images < 0, grid.size, images).min(axis=0))


class BrushTool(Tool):
    """Works on the cells under the brush and their symmetric twins."""

    uses = BRUSH

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        """Return the cells that the tool would change with its brush here."""
        return reach(document, self.options, brush(document, self.options, pointer.cell))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview.of(self.reach(document, pointer))


class TerrainTool(BrushTool):
    """Paints the chosen terrain; elevation and hexsides stay."""

    name = "terrain"
    title = "Terrain brush"
    words = "paint pencil draw hex"
    icon = "brush"
    shortcut = "B"
    tip = "Paint the chosen terrain: click or drag over {cells}. Escape takes the stroke back."
    text = "Paint terrain"
    needs = PlaneRole.TERRAIN

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        cells = self.reach(document, pointer).cells
        return paint(document, self.plane(document.battlemap.system), cells, self.options.terrain)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return self.preview_of(document, self.reach(document, pointer))

    def preview_of(self, document: MapDocument, reached: Reach) -> Preview:
        """Return the preview of cells that get the chosen terrain."""
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, Preview.of(reached, self.options.terrain), barred)


class RandomTool(BrushTool):
    """Paints a mixture of terrains, each as often as its weight says.

    The seed of a stroke is drawn before it begins, so that the preview shows its result.
    """

    name = "random"
    title = "Random brush"
    words = "mixture spray noise scatter"
    icon = "roll"
    shortcut = "D"
    tip = "Paint a mixture of terrains; the bar of tool options says how much of each."
    text = "Paint mixture"
    needs = PlaneRole.TERRAIN
    uses = BRUSH | {"weights"}

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._seed = fresh_seed()
        """The seed of the stroke under way, or of the next one."""

    def _terrains(self, document: MapDocument, cells: Cells) -> NDArray[np.integer]:
        """Return the terrain code for each cell, shape (n,); symmetric twins get the same.

        Every cell has a stream of random numbers of its own, so that its terrain does not depend on
        the other cells of the stroke. Its number is a point on a line as long as the sum of the
        weights, on which each terrain has a stretch as long as its weight.
        """
        grid = document.battlemap.grid
        keys = first_twins(self.options.symmetry(grid), grid, cells)
        codes = np.array([code for code, _ in self.options.weights])
        ends = np.cumsum([weight for _, weight in self.options.weights], dtype=np.uint64)
        words = words_of_streams(streams(self._seed, keys.astype(np.uint64)), 0)
        draws = words >> np.uint64(16)
        result: NDArray[np.integer] = codes[np.searchsorted(ends, draws % ends[-1], side="right")]
        return result

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if all weights of the mixture are 0."""
        if not any(weight for _, weight in self.options.weights):
            return "The mixture is empty: give a terrain some weight in the tool options."
        return super().why_not_here(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Paint terrains of the mixture; a cell gets the same one throughout a stroke."""
        cells = self.reach(document, pointer).cells
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, cells, self._terrains(document, cells))

    def forget(self) -> None:
        self._seed = fresh_seed()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        reached = self.reach(document, pointer)
        if not any(weight for _, weight in self.options.weights):
            return Preview.of(reached)
        terrains = self._terrains(document, reached.cells)
        preview = Preview(reached.cells, terrains, lost=reached.lost, note=reached.note)
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, preview, barred)


class ElevationTool(BrushTool):
    """Sets, raises, lowers or smooths the elevation; each cell once in a stroke."""

    name = "elevation"
    title = "Elevation brush"
    words = "height raise lower level paint"
    icon = "elevation"
    shortcut = "H"
    tip = (
        "Paint the chosen elevation (keys 0 to 3 choose it), or raise, lower, smooth, roughen, or "
        "spread the elevation under the press."
    )
    text = "Paint elevation"
    needs = PlaneRole.HEIGHT
    uses = BRUSH | {"height"}
    _done: NDArray[np.bool_] | None = None
    """The cells that the stroke has changed, shape (size,); None between strokes."""
    _pressed = 0
    """The elevation of the cell where the stroke began, which a plateau gets."""

    def suits(self, system: System) -> bool:
        """Return whether heights of a system are those of cells; corners have the height brush."""
        return system.height is None or system.elevation is not None

    def why_not(self, system: System) -> str:
        if system.height is not None and system.elevation is None:
            return f"{with_article(system.noun, 'A')} has heights at its corners, no elevations."
        return super().why_not(system)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._done = np.zeros(document.battlemap.grid.size, np.bool_)
        elevations = document.composite.planes[self.plane(document.battlemap.system).name]
        self._pressed = int(elevations.flat[pointer.cell])

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Change the elevation of the cells that this stroke has not touched."""
        cells = self.reach(document, pointer).cells
        if self._done is not None:
            cells = cells[~self._done[cells]]
            self._done[cells] = True
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, cells, self._heights(document, cells))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        reached = self.reach(document, pointer)
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, Preview.of(reached), barred)

    def result_text(self, document: MapDocument) -> str:
        """Return a text about the new elevations: maps seen from afar show none."""
        if self._done is None:
            return ""
        battlemap = document.battlemap
        cells = np.flatnonzero(self._done)
        elevations = document.composite.planes[self.plane(battlemap.system).name].flat[cells]
        lowest = int(elevations.min())
        highest = int(elevations.max())
        words = cell_words(battlemap.grid.layout)
        if len(cells) == 1:
            name = battlemap.system.cell_name(battlemap.grid, int(cells[0]))
            return f"{name} is at elevation {lowest} now"
        cells_text = counted(len(cells), words.cell, words.cells)
        if lowest == highest:
            return f"{cells_text} are at elevation {lowest} now"
        return f"{cells_text} are at elevations {lowest} to {highest} now"

    def forget(self) -> None:
        self._done = None

    def _heights(self, document: MapDocument, cells: Cells) -> object:
        """Return the new elevations of cells: an array (n,), or one number for all of them."""
        options = self.options
        grid = document.battlemap.grid
        visible_elevations = document.composite.planes[self.plane(document.battlemap.system).name]
        if options.height_mode == "set":
            return options.elevation
        if options.height_mode == "smooth":
            return smooth_elevations(grid, visible_elevations, cells)
        if options.height_mode == "plateau":
            return self._pressed
        elevations = document.battlemap.terrain_set.elevations
        if options.height_mode == "roughen":
            keys = first_twins(options.symmetry(grid), grid, cells)
            rough = roughen_elevations(visible_elevations, cells, keys, options.step)
            return np.clip(rough, min(elevations), max(elevations)).astype(visible_elevations.dtype)
        step = options.step
        if options.height_mode == "lower":
            step = -step
        return raise_elevations(visible_elevations, cells, step, min(elevations), max(elevations))


class CellOrSideTool(BrushTool):
    """A brush for cells or, where a drag begins near an edge, for hexsides.

    A brush wider than one cell always means cells, and so does one on a map whose sides are too
    short to be aimed at.
    """

    _sides: bool | None = None
    """True if the stroke is for hexsides, False if it is for cells; None between strokes."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Decide between cells and hexsides for the whole drag."""
        self._sides = self.means_side(document, pointer)

    def forget(self) -> None:
        self._sides = None

    def means_side(self, document: MapDocument, pointer: Pointer) -> bool:
        """Return whether a click here means the hexsides of an edge."""
        grid = document.battlemap.grid
        if self.options.radius or not sides_can_be_aimed_at(grid, pointer.scale):
            return False
        return is_side(document.battlemap, pointer.hit)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the cell, or the edge, the same from both of its sides."""
        if not self._sides:
            return (pointer.cell,)
        twin = battlemap.grid.twin(pointer.cell, pointer.side)
        cell_and_side = (pointer.cell, pointer.side)
        if twin is None:
            return cell_and_side
        return min(cell_and_side, twin)

    def sides(self, document: MapDocument, pointer: Pointer) -> list[int]:
        """Return the flat indices of both hexsides of the edge here and of its symmetric twins.

        They are ascending; [] at the edge of the map.
        """
        battlemap = document.battlemap
        if not is_side(battlemap, pointer.hit):
            return []
        grid = battlemap.grid
        result = set()
        for cell_side in side_twins(document, self.options, CellSide(pointer.cell, pointer.side)):
            result.add(cell_side.cell * grid.degree + cell_side.side)
            twin = grid.twin(*cell_side)
            if twin is not None:
                result.add(twin[0] * grid.degree + twin[1])
        return sorted(result)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        means_side = self._sides
        if means_side is None:
            means_side = self.means_side(document, pointer)
        if not means_side:
            return super().preview(document, pointer)
        if not is_side(document.battlemap, pointer.hit):
            return Preview()
        cell_sides = side_twins(document, self.options, CellSide(pointer.cell, pointer.side))
        return Preview(sides=tuple((cell_side, None) for cell_side in cell_sides))


class EraserTool(CellOrSideTool):
    """Makes cells or hexsides *not set* in the layer that shows there, so that lower ones show.

    A cell that was painted over a roll loses the paint alone: what the roll made there goes by a
    further stroke.

    Each is erased once in a stroke, however often the drag comes by: else the second time would
    erase the layer below. Routes that led to an erased cell from its neighbours are cut off
    (``randomizer.model.hand.erasing``).
    """

    name = "eraser"
    title = "Eraser"
    words = "delete clear rubber remove"
    icon = "eraser"
    shortcut = "E"
    tip = (
        "Erase what the active layer sets, or a layer above it that covers it there: the {cell} "
        "and its {sides}, or near an edge only the {sides} of that edge. What lies below shows "
        "again, first the roll under your paint."
    )
    text = "Erase"
    erases = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._done: set[int] = set()
        """The cells, or the flat indices of the sides, that the stroke has erased."""
        self._erases_rolls = False
        """True if the stroke has erased anything that a roll made."""
        self._uncovers_rolls = False
        """True if the stroke has erased paint that lay over a roll."""

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Unset the cells and their hexsides, or both sides of one edge."""
        battlemap = document.battlemap
        layer = document.active_layer_id
        elements = self._elements(document, pointer)
        erased = np.array(sorted(self._done), np.intp)
        self._done.update(elements.tolist())
        if self._sides:
            sides = _side_planes(battlemap)
            edit = compound(erase(battlemap, layer, spec.name, elements) for spec in sides)
        else:
            paint_cells = painted_over_rolls(battlemap, layer, elements)
            edit = erase_cells(battlemap, layer, elements, erased, paint_cells=paint_cells)
        self._note_layers(battlemap, edit)
        return edit

    def _note_layers(self, battlemap: BattleMap, edit: Edit | None) -> None:
        """Note whether an edit erases what a roll made, or paint above a roll."""
        if edit is None:
            return
        rolled_positions = [
            position
            for position, layer in enumerate(battlemap.layers)
            if layer.visible and layer.roll is not None
        ]
        plane_edits = [part for part in parts(edit) if isinstance(part, PlaneEdit)]
        # What a roll made comes back where marks of paint are removed, and goes where one is set.
        restored_planes = set()
        for part in plane_edits:
            if part.plane.startswith(TOUCHED) and not part.new_values.any():
                restored_planes.add((part.layer_id, part.plane.removeprefix(TOUCHED)))
        for part in plane_edits:
            position = battlemap.index_of(part.layer_id)
            if position in rolled_positions:
                plane = part.plane.removeprefix(TOUCHED).removeprefix(ROLLED)
                marks_erased = part.plane.startswith(TOUCHED) and part.new_values.any()
                if (part.layer_id, plane) in restored_planes and not marks_erased:
                    self._uncovers_rolls = True
                else:
                    self._erases_rolls = True
            elif rolled_positions and position > rolled_positions[0]:
                self._uncovers_rolls = True

    def result_text(self, document: MapDocument) -> str:
        """Return a text about a roll that was changed, which later rolls keep, or shows again."""
        if self._erases_rolls:
            return f"{self._done_text(document)}: what the roll made is erased, in later rolls too"
        if self._uncovers_rolls:
            return f"{self._done_text(document)}: what was painted is erased, the roll shows again"
        return ""

    def _done_text(self, document: MapDocument) -> str:
        """Return what the stroke has erased, as the beginning of a sentence."""
        battlemap = document.battlemap
        words = cell_words(battlemap.grid.layout)
        if self._sides:
            return f"The {words.sides} here"
        if len(self._done) == 1:
            (cell,) = self._done
            return battlemap.system.cell_name(battlemap.grid, cell)
        return counted(len(self._done), words.cell, words.cells)

    def why_nothing(self, document: MapDocument) -> str:
        layer = document.active_layer.name
        return f"Nothing was erased: neither {layer} nor a layer above it sets anything there."

    def forget(self) -> None:
        super().forget()
        self._done.clear()
        self._erases_rolls = False
        self._uncovers_rolls = False

    def _elements(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return the cells (n,), or the flat indices of the sides (n,), that are still to erase."""
        if self._sides:
            elements = np.array(self.sides(document, pointer), np.intp)
        else:
            elements = self.reach(document, pointer).cells
        is_new = [element not in self._done for element in elements.tolist()]
        return elements[is_new]

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        preview = super().preview(document, pointer)
        if preview.sides:
            for spec in _side_planes(document.battlemap):
                barred = left_out(document, spec, self.sides(document, pointer), erasing=True)
                preview = mark_left_out(document, preview, barred, sides=True)
            return preview
        active = document.active_layer_id
        paint_cells = painted_over_rolls(document.battlemap, active, preview.cells)
        barred = left_out_of_erasing(
            document.battlemap, active, preview.cells, paint_cells=paint_cells
        )
        return mark_left_out(document, preview, barred)


def _side_planes(battlemap: BattleMap) -> list[PlaneSpec]:
    """Return the planes of the system that have a value for each hexside."""
    return [spec for spec in battlemap.system.shown_planes if spec.element is Element.SIDE]
