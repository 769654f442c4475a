"""Two clicks that lay the cheapest way of a route between their cells.

    clicks.click(document, pointer)     # None: the first click is noted
    clicks.click(document, pointer)     # the edit of the way from there to here

With Ctrl held the second click takes away the shortest way along existing links instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.tools.cheapest_way import Way, cheapest_way, shortest_along_links
from app.tools.river_flow import DrawnRiver
from app.tools.route_edits import chosen_route, crossing_of_edge, route_edit
from app.tools.route_links import crossings_along
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.document.undo_history import UndoStep
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer
    from randomizer.model.edits.edit import Edit

NO_WAY = "No way leads there: what lies between cannot be entered."


class _FirstClick(NamedTuple):
    """The first of the two clicks."""

    open_map: OpenMap
    cell: int
    last_step: UndoStep | None
    """The step that was done last at the click, None if none was."""

    @property
    def is_undone(self) -> bool:
        """True once the last step before the click is undone.

        Then the click counts no more: what the next piece was to go on from may be gone.
        """
        return self.last_step is not None and not self.open_map.history.is_done(self.last_step)


class TwoClicks:
    """The clicks that wait for a second one, and the way that the last two have laid."""

    def __init__(self, options: ToolOptions) -> None:
        self._options = options
        self._first_click: _FirstClick | None = None
        """The click that waits for a second one; None without one."""
        self._laid_way: Way | None = None
        """The way that the last two clicks have laid, for messages; None before, and once another
        stroke has begun."""

    # --- the first click --------------------------------------------------------------------

    @property
    def is_waiting(self) -> bool:
        """True if a first click was made that waits for the second one."""
        return self._first_click is not None and not self._first_click.is_undone

    def first_cell(self, document: MapDocument) -> int | None:
        """Return the cell of the first of two clicks, None without one on this map."""
        first_click = self._first_click
        if first_click is None or first_click.is_undone:
            return None
        # The tool outlives maps, and a map may have a smaller grid by now.
        is_on_map = document.battlemap.grid.exists(first_click.cell)
        if first_click.open_map is document.current_map and is_on_map:
            return first_click.cell
        return None

    def start_of_way_to(self, document: MapDocument, cell: int) -> int | None:
        """Return the cell where the way begins that a click on ``cell`` would end.

        None if this would not be the second of two clicks, or one on the same cell.
        """
        start = self.first_cell(document)
        if start == cell:
            return None
        return start

    def forget_first(self) -> None:
        """Let the next click be a first one."""
        self._first_click = None

    # --- the second click -------------------------------------------------------------------

    def click(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Note the first of two clicks and return None, or return the edit of the second one."""
        start = self.start_of_way_to(document, pointer.cell)
        if start is not None:
            return self.lay_way(document, start, pointer)
        if self.first_cell(document) is None:
            last_step = document.history.next_undo
            self._first_click = _FirstClick(document.current_map, pointer.cell, last_step)
        else:
            self._first_click = None  # a second click on the same cell gives up
        return None

    def lay_way(self, document: MapDocument, start: int, pointer: Pointer) -> Edit | None:
        """Find the way from ``start`` to the pointer, and return the edit that draws it.

        At the edge of the map it leads on off the map. The first click is forgotten, so that the
        next one begins another way; the way is stored for the messages. On large maps this runs on
        another thread, and the window reads neither of them before the edit is there.
        """
        way = self.find_way(document, start, pointer)
        self._first_click = None
        self._laid_way = way
        crossings = crossings_along(document.battlemap.grid, way.cells)
        if way.cells:
            crossings += crossing_of_edge(document, pointer)
        return route_edit(
            document, self._options, crossings, DrawnRiver(), erase=pointer.ctrl_or_alt
        )

    def find_way(self, document: MapDocument, start: int, pointer: Pointer) -> Way:
        """Return the way from ``start`` to the pointer: with Ctrl along existing links only."""
        route = chosen_route(document, self._options)
        if pointer.ctrl_or_alt:
            cells = shortest_along_links(document, route, start, pointer.cell)
            return Way(cells, bridged_count=0)
        return cheapest_way(document, route, start, pointer.cell)

    def forget_way(self) -> None:
        """Forget the way that was laid: another stroke has begun."""
        self._laid_way = None

    # --- messages ---------------------------------------------------------------------------

    @property
    def has_found_no_way(self) -> bool:
        """True if the last two clicks have laid nothing, since no way leads there."""
        return self._laid_way is not None and not self._laid_way.cells

    def result_text(self, document: MapDocument) -> str:
        """Return what the way that was laid crosses, as a sentence; "" for nothing."""
        if self._laid_way is None or not self._laid_way.bridged_count:
            return ""
        return f"{self.describe_water(document, self._laid_way)}."

    def describe_water(self, document: MapDocument, way: Way) -> str:
        """Return that a way crosses water, without a full stop; "" if it crosses none."""
        if not way.bridged_count:
            return ""
        name = chosen_route(document, self._options).name.lower()
        words = cell_words(document.battlemap.grid.layout)
        water = counted(way.bridged_count, f"{words.cell} of water", f"{words.cells} of water")
        return f"The {name} crosses {water}, as no way leads around"
