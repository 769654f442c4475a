"""The eraser: it unsets cells or hexsides in the layer that shows there, so that lower ones show.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.tools.cell_or_side import CellOrSideTool
from app.tools.painting import left_out, mark_left_out
from app.tools.pointer import Pointer
from app.tools.tool import Preview
from randomizer.geometry.areas import Cells
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit, PlaneEdit
from randomizer.model.edits.value_edits import compound, parts
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.hand.erasing import (
    erase_cells,
    left_out_of_erasing,
    painted_over_rolls,
)
from randomizer.model.hand.targets import erase
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element, PlaneSpec

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class _EffectOnRolls(NamedTuple):
    """What erasing has done to the rolled layers of a map."""

    erases_rolled: bool = False
    """True if values that a roll made are erased."""

    uncovers_rolled: bool = False
    """True if paint is erased that lay over a roll, which shows again."""

    def joined(self, effect: _EffectOnRolls) -> _EffectOnRolls:
        """Return the effect of two edits together."""
        return _EffectOnRolls(
            self.erases_rolled or effect.erases_rolled,
            self.uncovers_rolled or effect.uncovers_rolled,
        )


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
        self._erased: set[int] = set()
        """The cells, or the flat indices of the sides, that the stroke has erased."""
        self._effect_on_rolls = _EffectOnRolls()
        """What the stroke has done to rolled layers so far."""

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Unset the cells and their hexsides, or both sides of one edge."""
        battlemap = document.battlemap
        layer = document.active_layer_id
        new_elements = self._new_elements(document, pointer)
        if self.changes_sides:
            side_planes = _side_planes(battlemap)
            edit = compound(
                erase(battlemap, layer, spec.name, new_elements) for spec in side_planes
            )
        else:
            erased_before = np.array(sorted(self._erased), np.intp)
            cells_with_paint = painted_over_rolls(battlemap, layer, new_elements)
            edit = erase_cells(
                battlemap, layer, new_elements, erased_before, paint_cells=cells_with_paint
            )
        self._erased.update(new_elements.tolist())
        if edit is not None:
            effect = _effect_on_rolls(battlemap, edit)
            self._effect_on_rolls = self._effect_on_rolls.joined(effect)
        return edit

    def result_text(self, document: MapDocument) -> str:
        """Return a text about a roll that was changed, which later rolls keep, or shows again."""
        if self._effect_on_rolls.erases_rolled:
            return (
                f"{self._erased_text(document)}: what the roll made is erased, in later rolls too"
            )
        if self._effect_on_rolls.uncovers_rolled:
            return (
                f"{self._erased_text(document)}: what was painted is erased, the roll shows again"
            )
        return ""

    def _erased_text(self, document: MapDocument) -> str:
        """Return what the stroke has erased, as the beginning of a sentence."""
        battlemap = document.battlemap
        words = cell_words(battlemap.grid.layout)
        if self.changes_sides:
            return f"The {words.sides} here"
        if len(self._erased) == 1:
            (cell,) = self._erased
            return battlemap.system.cell_name(battlemap.grid, cell)
        return counted(len(self._erased), words.cell, words.cells)

    def why_nothing(self, document: MapDocument) -> str:
        layer = document.active_layer.name
        return f"Nothing was erased: neither {layer} nor a layer above it sets anything there."

    def forget(self) -> None:
        super().forget()
        self._erased.clear()
        self._effect_on_rolls = _EffectOnRolls()

    def _new_elements(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return the cells, or flat indices of sides, (n,) that the stroke has not erased yet."""
        if self.changes_sides:
            elements = np.array(self.sides(document, pointer), np.intp)
        else:
            elements = self.reach(document, pointer).cells
        is_new = [element not in self._erased for element in elements.tolist()]
        return elements[is_new]

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        preview = super().preview(document, pointer)
        if preview.sides:
            for spec in _side_planes(document.battlemap):
                barred = left_out(document, spec, self.sides(document, pointer), erasing=True)
                preview = mark_left_out(document, preview, barred, sides=True)
            return preview
        active = document.active_layer_id
        cells_with_paint = painted_over_rolls(document.battlemap, active, preview.cells)
        barred = left_out_of_erasing(
            document.battlemap, active, preview.cells, paint_cells=cells_with_paint
        )
        return mark_left_out(document, preview, barred)


def _side_planes(battlemap: BattleMap) -> list[PlaneSpec]:
    """Return the planes of the system that have a value for each hexside."""
    return [spec for spec in battlemap.system.shown_planes if spec.element is Element.SIDE]


def _effect_on_rolls(battlemap: BattleMap, edit: Edit) -> _EffectOnRolls:
    """Return what an edit of the eraser does to rolled layers.

    A hand paints over a roll in two ways: in a layer above it, or in the rolled layer itself. There
    the plane ``TOUCHED + name`` marks the elements of the plane ``name`` that are painted, and the
    plane ``ROLLED + name`` keeps what the roll had made.
    """
    rolled_positions = [
        position
        for position, layer in enumerate(battlemap.layers)
        if layer.visible and layer.roll is not None
    ]
    plane_edits = [part for part in parts(edit) if isinstance(part, PlaneEdit)]

    # Where marks of paint are removed, the value of the roll has come back.
    restored_planes = set()
    for part in plane_edits:
        if part.plane.startswith(TOUCHED) and not part.new_values.any():
            restored_planes.add((part.layer_id, part.plane.removeprefix(TOUCHED)))

    effect = _EffectOnRolls()
    for part in plane_edits:
        position = battlemap.index_of(part.layer_id)
        if position in rolled_positions:
            # In a rolled layer either its paint goes, and the roll shows again; or what the roll
            # made goes. That is marked like paint: the hand has decided that nothing is set.
            plane = part.plane.removeprefix(TOUCHED).removeprefix(ROLLED)
            adds_marks = part.plane.startswith(TOUCHED) and part.new_values.any()
            loses_paint = (part.layer_id, plane) in restored_planes and not adds_marks
            if loses_paint:
                effect = effect.joined(_EffectOnRolls(uncovers_rolled=True))
            else:
                effect = effect.joined(_EffectOnRolls(erases_rolled=True))
            continue
        lies_over_a_roll = bool(rolled_positions) and position > min(rolled_positions)
        if lies_over_a_roll:
            effect = effect.joined(_EffectOnRolls(uncovers_rolled=True))
    return effect
