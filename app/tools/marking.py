"""The tools for the cell list and for locks.

The cell under the press decides what the whole drag does: if it is on the list, or locked, the drag
takes cells off the list, or unlocks them.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.tools.brushes import BrushTool
from app.tools.cell_or_side import CellOrSideTool, Target
from app.tools.pointer import Pointer
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.hand.targets import change_property, why_not_property
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class CellListTool(BrushTool):
    """Adds cells to the cell list of the system (``System.cell_list``) or removes them."""

    name = "cell-list"
    title = "Start list"
    words = "cell list tower mark"
    icon = "cell-list"
    shortcut = "T"
    tip = "Put {cells} on the start list, or take them off: the first {cell} of a drag decides."
    text = "Change list of {cells}"

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._adds = True
        """True if the stroke under way adds cells, False if it removes them."""

    def title_on(self, system: System) -> str:
        if system.cell_list is None:
            return self.title
        return system.cell_list.label

    def tip_on(self, system: System) -> str:
        return self.tip.replace("start list", self.title_on(system).lower())

    def lacks(self, system: System) -> str:
        if system.cell_list is not None:
            return super().lacks(system)
        return "start list"

    def why_layer_refuses(self, document: MapDocument) -> str:
        cell_list = document.battlemap.system.cell_list
        if cell_list is None:
            return ""
        return why_not_property(document.battlemap, document.active_layer_id, cell_list.name)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Decide between adding and removing by the first cell."""
        system = document.battlemap.system
        name = system.cell_name(document.battlemap.grid, pointer.cell)
        self._adds = name not in system.listed_cells(document.composite.properties)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        cells = self.reach(document, pointer).cells.tolist()
        return cell_list_edit(document, cells, adding=self._adds)


def cell_list_edit(document: MapDocument, cells: Iterable[int], *, adding: bool) -> Edit | None:
    """Return the edit that adds cells to the end of the cell list, or removes them from it.

    None if that changes nothing, or if maps of the system have no cell list.
    """
    battlemap = document.battlemap
    cell_list = battlemap.system.cell_list
    if cell_list is None:
        return None
    names = [battlemap.system.cell_name(battlemap.grid, cell) for cell in cells]
    listed_names: tuple[str, ...] = cell_list.of(document.composite.properties)
    if adding:
        already_listed = set(listed_names)
        unlisted_names = [name for name in names if name not in already_listed]
        new_names = (*listed_names, *unlisted_names)
    else:
        removed_names = set(names)
        new_names = tuple(name for name in listed_names if name not in removed_names)
    if new_names == listed_names:
        return None
    return change_property(battlemap, document.active_layer_id, cell_list.name, new_names)


class LockTool(CellOrSideTool):
    """Locks or unlocks cells, or near an edge hexsides."""

    name = "lock"
    title = "Lock"
    words = "keep protect freeze pin"
    icon = "lock"
    shortcut = "K"
    tip = (
        "Lock {cells}: rolls keep what they show. A drag that begins on what is locked unlocks. "
        "A right click locks a {cell} as it was in an earlier roll."
    )
    text = "Lock"
    changes_planes = False

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._locks = True
        """True if the last stroke locks, or has locked; False if it unlocks.

        It stays after the stroke: ``result_text`` is asked for then.
        """
        self._elements: set[int] = set()
        """The cells of the last stroke, or the flat indices of its sides if it was along edges."""

    def tip_on(self, system: System) -> str:
        if system.hexside is None:
            return self.tip
        return self.tip.replace("Lock {cells}", "Lock {cells}, or {sides} near an edge")

    def begin(self, document: MapDocument, pointer: Pointer, target: Target) -> None:
        """Decide between locking and unlocking by the cell, or the edge, where the drag begins."""
        super().begin(document, pointer, target)
        battlemap = document.battlemap
        self._elements = set()
        if self.changes_sides:
            self._locks = not battlemap.locked_sides.flat[self.sides(document, pointer)].all()
        else:
            self._locks = not battlemap.locked_cells.flat[pointer.cell]

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        if not self.changes_sides:
            cells = self.reach(document, pointer).cells
            self._elements.update(cells.tolist())
            return set_locks(document.battlemap, cells, self._locks)
        sides = self.sides(document, pointer)
        self._elements.update(sides)
        return set_locks(document.battlemap, sides, self._locks, sides=True)

    def result_text(self, document: MapDocument) -> str:
        """Return a text about what was locked or unlocked: padlocks are easily missed."""
        battlemap = document.battlemap
        words = cell_words(battlemap.grid.layout)
        pronoun = "them"
        if self.changes_sides:
            locked_text = f"the {words.sides} here"
        elif len(self._elements) == 1:
            (cell,) = self._elements
            locked_text = battlemap.system.cell_name(battlemap.grid, cell)
            pronoun = "it"
        else:
            locked_text = counted(len(self._elements), words.cell, words.cells)
        if not self._locks:
            return f"Unlocked {locked_text}"
        return f"Locked {locked_text}: rolls keep {pronoun}"
