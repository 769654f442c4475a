"""The flow of rivers that are drawn: by which sides water leaves the cells, and how wide it is.

A river is drawn from its source to its mouth, so that the drag says which way the water flows. A
map stores it in two planes beside that of its links. The values of links and flow have the same
bits (planes/routes.py)::

    link    PRESENT | sides that the river crosses        0b01_001001: sides 0 and 3
    flow    PRESENT | sides by which water flows out      0b01_001000: from side 0 to side 3
            0 where water flows out by no side: the river ends here
    width   in quarters of the width of an ordinary river; 0 if it is not known

A river of five cells that begins at a source gets the widths 2, 2, 3, 3, 4: it grows by half a
quarter a cell, of which the map stores the whole quarters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import paint
from app.tools.route_links import Link
from randomizer.model.edits.edit import Edit
from randomizer.model.planes.routes import MARKS, PRESENT, without_bare_mark

if TYPE_CHECKING:
    from app.document.document import MapDocument

SOURCE_WIDTH = 2
"""The width of a river at its source, in quarters."""

USUAL_WIDTH = 4
"""The width in quarters of a river for which no width is stored: that of an ordinary one."""

GREATEST_GROWN_WIDTH = 8
"""A river that is drawn grows up to this width, in quarters."""

GROWTH = 0.5
"""The growth of a river that is drawn, in quarters of width a cell.

If it is larger, a river is at its greatest width after fewer cells.
"""


class DrawnRiver:
    """The river of one drag, which several edits draw, each a piece of it.

    A piece begins with the width with which the one before has ended.
    """

    def __init__(self) -> None:
        self._width: float | None = None
        """The width with which the river goes on, in quarters; None before its first link."""

    def flow_along(
        self,
        document: MapDocument,
        links_by_side: Sequence[Sequence[Link]],
        former_links: NDArray[np.uint8],
    ) -> list[Edit | None]:
        """Return the edits that let water flow along new links, in the direction of the drag.

        The links of a side are its own and those of its symmetric twins, from ``links_across``.
        ``former_links`` (size,) are those of the river before these. [] if the system has no flow.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return []
        former = _FormerRivers(
            former_links,
            flows=planes[system.flow.name].reshape(-1),
            widths=planes[system.flow_width.name].reshape(-1),
        )
        new_flow = _NewFlow(former)
        for links in links_by_side:
            next_widths = [new_flow.add_link(link, self._width) for link in links]
            if next_widths:  # otherwise locked layers hold all of these cells
                # The drag goes on with the width of its own link, which is the first: a twin may
                # have joined a wide river. (Where a locked layer holds it, the next twin counts.)
                self._width = next_widths[0]
        flows = new_flow.complete_flows()
        widths = new_flow.stored_widths
        return [
            paint(document, system.flow, list(flows), list(flows.values())),
            paint(document, system.flow_width, list(widths), list(widths.values())),
        ]


class _FormerRivers(NamedTuple):
    """The rivers of the map before an edit: the values of their planes by cell, each (size,)."""

    links: NDArray[np.uint8]
    flows: NDArray[np.integer]
    widths: NDArray[np.integer]

    def has_river(self, cell: int) -> bool:
        """Return whether the cell had a river."""
        return bool(self.links[cell] & MARKS)


class _NewFlow:
    """The flow of water in the cells that one edit links, and the widths of their rivers."""

    def __init__(self, former: _FormerRivers) -> None:
        self._former = former
        self._flows: dict[int, int] = {}
        """The new flow of each cell of a link, with ``PRESENT`` also where no water flows out."""
        self.stored_widths: dict[int, int] = {}
        """The widths, in whole quarters, of cells that had no river before."""

    def add_link(self, link: Link, width: float | None) -> float:
        """Let water flow along a link, and return the width with which it flows on, in quarters.

        ``width`` is that with which it arrives; None if the drag begins with this link.
        """
        if link.near is None:
            # The river comes in from beyond the map, where it may have flowed for long: it is no
            # source. Its first cell gets water, and no side by which it flows out yet.
            assert link.far is not None
            entered_cell = link.far.cell
            if width is None:
                width = self._first_width(entered_cell, is_source=False)
            self._flows[entered_cell] = self._flow_so_far(entered_cell)
            self._store_width(entered_cell, width)
            return width

        if width is None:
            width = self._first_width(link.near.cell, is_source=True)
        cell, side = link.near
        self._flows[cell] = self._flow_so_far(cell) | (1 << side)
        self._store_width(cell, width)
        if link.far is not None:
            next_cell, opposite_side = link.far
            # Water that flowed the other way now flows this way.
            self._flows[next_cell] = self._flow_so_far(next_cell) & ~(1 << opposite_side)
            if self._former.has_river(next_cell):
                # A river that is joined keeps its width, and flows on with at least that.
                joined_width = int(self._former.widths[next_cell]) or USUAL_WIDTH
                width = max(width, joined_width)
            else:
                self.stored_widths[next_cell] = int(_grown(width))
        return _grown(width)

    def complete_flows(self) -> dict[int, int]:
        """Return the new flows by cell; 0 for cells out of which no water flows by any side."""
        return {cell: without_bare_mark(flow) for cell, flow in self._flows.items()}

    def _first_width(self, cell: int, *, is_source: bool) -> int:
        """Return the width of a river that the drag begins in a cell.

        It goes on as wide as a river that is there already. Otherwise it begins at a source, or
        with ``is_source`` False at the edge of the map.
        """
        former_width = int(self._former.widths[cell])
        if former_width:
            return former_width
        if is_source and not self._former.has_river(cell):
            return SOURCE_WIDTH
        return USUAL_WIDTH

    def _flow_so_far(self, cell: int) -> int:
        """Return the flow of a cell after the links so far, with the mark ``PRESENT``."""
        return self._flows.get(cell, int(self._former.flows[cell])) | PRESENT

    def _store_width(self, cell: int, width: float) -> None:
        """Set the width of a cell that has none yet, neither from before nor from this edit."""
        if not self._former.has_river(cell) and cell not in self.stored_widths:
            self.stored_widths[cell] = int(width)


def _grown(width: float) -> float:
    """Return the width of a river one cell further on, in quarters.

    A river wider than ``GREATEST_GROWN_WIDTH`` keeps its width.
    """
    return min(width + GROWTH, max(width, GREATEST_GROWN_WIDTH))


def edits_without_flow(document: MapDocument, values: Mapping[int, int]) -> list[Edit | None]:
    """Return the edits that stop the flow by the sides that a river no longer crosses.

    ``values`` are the new links of its cells, by cell; 0 where no river is left. [] if the system
    has no flow.
    """
    system = document.battlemap.system
    if system.flow is None or system.flow_width is None:
        return []
    former_flows = document.composite.planes[system.flow.name].reshape(-1)
    flows = []
    for cell, value in values.items():
        # Links and flow have the same bits: water flows on only by sides that are still crossed.
        flows.append(without_bare_mark(int(former_flows[cell]) & value))
    dry_cells = [cell for cell, value in values.items() if not value]
    return [
        paint(document, system.flow, list(values), flows),
        paint(document, system.flow_width, dry_cells, system.flow_width.unset),
    ]
