"""Tools that mark cells: start list and locks. Where a drag begins decides what all of it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.brushes import BrushTool, PlaceTool
from app.tools.places import Pointer
from randomizer.model.edit import Edit
from randomizer.model.edit_making import set_locks, set_property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.document.document import MapDocument
    from randomizer.model.battlemap import System


class StartListTool(BrushTool):
    """Puts hexes on the start list or takes them off; the first hex of a drag decides which."""

    name = "startlist"
    title = "Start list"
    icon = "startlist"
    shortcut = "T"
    tip = "Put hexes on the start list, or take them off: the first hex of a drag decides."
    text = "Change start list"
    _adding: bool = True

    def why_not(self, system: System) -> str:
        """Maps that no defender enters have no start list."""
        if "startlist" not in system.properties:
            return f"A {system.title.lower()} has no start list."
        return super().why_not(system)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """The first hex decides whether the drag adds or takes off."""
        name = document.battlemap.system.cell_name(document.battlemap.grid, pointer.cell)
        self._adding = name not in (document.composite.startlist or ())

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """The labels go to the end of the list, or all their entries go."""
        return startlist_edit(document, self.reach(document, pointer).cells.tolist(), self._adding)


def startlist_edit(document: MapDocument, cells: Iterable[int], adding: bool) -> Edit | None:
    """Put cells at the end of the start list that shows, or take them off."""
    battlemap = document.battlemap
    names = [battlemap.system.cell_name(battlemap.grid, cell) for cell in cells]
    shown = document.composite.startlist or ()
    if adding:
        known = set(shown)
        wanted = (*shown, *(name for name in names if name not in known))
    else:
        gone = set(names)
        wanted = tuple(entry for entry in shown if entry not in gone)
    if wanted == shown:
        return None
    return set_property(battlemap, document.property_layer("startlist").id, "startlist", wanted)


class LockTool(PlaceTool):
    """Locks or unlocks hexes (near an edge: hexsides); the first place of a drag decides which."""

    name = "lock"
    title = "Lock"
    icon = "lock"
    shortcut = "K"
    tip = (
        "Lock hexes, or near an edge hexsides: a re-roll keeps them as they are. The first place "
        "of a drag decides between locking and unlocking. A right click locks a hex as it was in "
        "an earlier roll."
    )
    text = "Lock"
    paints = False
    _locking: bool = True

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """The first place decides."""
        super().start(document, pointer)
        battlemap = document.battlemap
        if self._sides:
            self._locking = not battlemap.locked_sides.flat[self.sides(document, pointer)].all()
        else:
            self._locking = not battlemap.locked_cells.flat[pointer.cell]

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Lock or unlock the cells, or both sides of the edges."""
        if not self._sides:
            cells = self.reach(document, pointer).cells
            return set_locks(document.battlemap, cells, self._locking)
        sides = self.sides(document, pointer)
        return set_locks(document.battlemap, sides, self._locking, sides=True)
