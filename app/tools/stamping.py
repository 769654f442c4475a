"""The stamp tool: places what was copied, at each click.

A ``Stamp`` holds the values of some cells by their offsets from an *anchor*: it is placed by the
cell on which its anchor is to lie::

    offsets (0, 0), (1, 0), (0, 1)      the anchor and two cells beside it
    placed on the cell (5, 3)           covers the cells (5, 3), (6, 3) and (5, 4)

Where cells are selected, only the part of the stamp that lies on them is placed. ``Tool`` (tool.py)
explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.tools.pointer import Pointer
from app.tools.preview import Preview
from app.tools.stamp_preview import stamp_preview
from app.tools.tool import Tool
from randomizer.geometry.stamp import Stamp
from randomizer.geometry.stamp_placing import cells_at, place
from randomizer.geometry.turn import left_right, rotation, top_bottom
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.document.selection import Selection
    from app.tools.options import ToolOptions

MAX_CELLS_AT_ONCE = 20_000
"""A stamp of more cells is placed on another thread than the window's.

If this is larger, the window stands still for a moment at the click.
"""


class _PreviewSubject(NamedTuple):
    """What the preview of a stamp depends on. (The selection does not: all of it is previewed.)"""

    stamp: Stamp

    cell: int
    """The cell on which the anchor of the stamp lies."""

    open_map: OpenMap

    revision: int
    """The revision of the map (``MapDocument.revision``), which grows with each edit."""

    active_layer_id: int

    def is_same(self, other: _PreviewSubject) -> bool:
        """Return whether both have the same preview (``==`` of stamps would compare arrays)."""
        return (
            self.stamp is other.stamp
            and self.cell == other.cell
            and self.open_map is other.open_map
            and self.revision == other.revision
            and self.active_layer_id == other.active_layer_id
        )


class StampTool(Tool):
    """Places what was copied, at each click."""

    name = "stamp"
    title = "Stamp"
    words = "paste clone copy"
    icon = "stamp"
    shortcut = "V"
    tip = "Lay down what was copied: Z and Shift+Z turn it, X and Y flip it, Esc ends."
    text = "Stamp"
    escape_puts_away = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._last_preview: tuple[_PreviewSubject, Preview] | None = None
        """The preview that was made last, with what it is of; None before the first.

        The canvas asks for it at each movement of the mouse, also within a cell.
        """

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if nothing was copied, or if the stamp fits no map of this kind."""
        stamp = self.options.stamp
        if stamp is None:
            layout = document.battlemap.grid.layout
            return cell_text("Nothing was copied yet: select {cells} and copy them first.", layout)
        return _why_not_place(document, stamp) or super().why_not_here(document)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the same key for every pointer: the stamp is placed once in a drag."""
        return ()

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit that places the stamp; a large one is placed by ``large_work``."""
        stamp = self.options.stamp
        if stamp is None:
            return None
        return _placing_edit(
            document.battlemap,
            document.active_layer_id,
            document.selection,
            stamp,
            pointer.cell,
        )

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        """Return the work that places a large stamp, for which ``edit`` is not called then."""
        stamp = self.options.stamp
        if stamp is None or len(stamp.offsets) <= MAX_CELLS_AT_ONCE:
            return None
        # While this runs on another thread, the user may choose another layer or select other
        # cells: it gets those at the click. If the map itself changes, the result is dropped.
        return partial(
            _placing_edit,
            document.battlemap,
            document.active_layer_id,
            document.selection,
            stamp,
            pointer.cell,
        )

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        stamp = self.options.stamp
        map_layout = document.battlemap.grid.layout
        # A stamp of squares or of turned hexes fits no map of other cells (``why_not_here``).
        if stamp is None or stamp.layout.side_names != map_layout.side_names:
            return super().preview(document, pointer)
        subject = _PreviewSubject(
            stamp=stamp,
            cell=pointer.cell,
            open_map=document.current_map,
            revision=document.revision,
            active_layer_id=document.active_layer_id,
        )
        if self._last_preview is not None:
            last_subject, last_preview = self._last_preview
            if last_subject.is_same(subject):
                return last_preview
        preview = stamp_preview(document, stamp, pointer.cell)
        self._last_preview = (subject, preview)
        return preview

    def turn(self, steps: int) -> None:
        """Turn the stamp clockwise by so many sides."""
        stamp = self.options.stamp
        if stamp is not None:
            self.options.choose(stamp=stamp.turned(rotation(stamp.layout, steps)))

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp: exchange left and right, or with ``upside_down`` top and bottom."""
        stamp = self.options.stamp
        if stamp is None:
            return
        mirror = left_right
        if upside_down:
            mirror = top_bottom
        self.options.choose(stamp=stamp.turned(mirror(stamp.layout)))


def _why_not_place(document: MapDocument, stamp: Stamp) -> str:
    """Return why a stamp fits no map of this kind, as text; "" if it does.

    It is placed for trial, as only that finds values and names which the map cannot have; the cell
    does not matter. A large stamp would take too long for a press of the mouse: only its layout is
    looked at.
    """
    battlemap = document.battlemap
    some_cell = 0
    try:
        # One cell is enough to know whether the stamp has the layout of the map.
        cells_at(battlemap.grid, replace(stamp, offsets=stamp.offsets[:1]), some_cell)
        if len(stamp.offsets) <= MAX_CELLS_AT_ONCE:
            place(battlemap, stamp, some_cell, document.active_layer_id)
    except ProblemError as problem:
        return problem.problems[0].message
    return ""


def _placing_edit(
    battlemap: BattleMap, active_layer_id: int, selection: Selection, stamp: Stamp, cell: int
) -> Edit | None:
    """Return the edit that places a stamp with its anchor on a cell, where cells are selected."""
    if len(selection):
        is_selected = selection.contains(cells_at(battlemap.grid, stamp, cell))
        stamp = stamp.part(is_selected)
    return place(battlemap, stamp, cell, active_layer_id)
