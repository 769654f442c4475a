"""The flow of rivers that are drawn: by which sides water leaves the cells, and how wide it is.

A river is drawn from its source to its mouth, so that the drag says which way the water flows. A
map stores it in two planes beside the links of the river: the flow, a bit mask of the sides by
which water leaves a cell, and the width, in quarters of the width of an ordinary river. A river of
five cells that begins at a source gets the widths 2, 2, 3, 3, 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import paint
from app.tools.pointer import CellSide
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
        former_rivers: NDArray[np.uint8],
        *,
        flows_in: bool,
    ) -> list[Edit | None]:
        """Return the edits that let water flow along new links, in the direction of the drag.

        The links of a side are its own and those of its symmetric twins, from ``links_across``.
        ``former_rivers`` (size,) are the links of rivers before these. With ``flows_in`` they lie
        at the edge of the map, and water comes in by them. [] if the system has no flow.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return []
        flow = _NewFlow(
            former_rivers,
            former_flows=planes[system.flow.name].reshape(-1),
            former_widths=planes[system.flow_width.name].reshape(-1),
            flows_in=flows_in,
        )
        for links in links_by_side:
            self._flow_across(flow, links, flows_in=flows_in)
        flows = flow.complete_flows()
        widths = flow.widths
        return [
            paint(document, system.flow, list(flows), list(flows.values())),
            paint(document, system.flow_width, list(widths), list(widths.values())),
        ]

    def _flow_across(self, flow: _NewFlow, links: Sequence[Link], *, flows_in: bool) -> None:
        """Let water flow across a side and its symmetric twins, and note the width behind it.

        That is the width behind the first link, the one of the drag: a twin may have joined a wide
        river.
        """
        next_widths = []
        for link in links:
            width = self._width
            if width is None:
                # The drag begins here: in a river, at the edge of the map or at a source.
                width = flow.first_width(link.near.cell)
            flow.leave(link.near, width)
            if link.far is not None:
                width = flow.enter(link.far, width)
            next_widths.append(width)
        if not next_widths:
            return  # locked layers hold all of these cells
        self._width = next_widths[0]
        if not flows_in:
            self._width = _grown(self._width)


class _NewFlow:
    """The flow of water in the cells that one edit links, and the widths of their rivers.

    For each link in the direction of the drag: ``leave`` its near cell, then ``enter`` its far one.
    The new flows and widths are ``complete_flows`` and ``widths``.
    """

    def __init__(
        self,
        former_rivers: NDArray[np.uint8],
        former_flows: NDArray[np.integer],
        former_widths: NDArray[np.integer],
        *,
        flows_in: bool,
    ) -> None:
        self._former_rivers = former_rivers
        """The links of rivers before the edit, by cell."""
        self._former_flows = former_flows
        """The sides by which water flowed out before the edit, as bit masks, by cell."""
        self._former_widths = former_widths
        """The widths before the edit in quarters, by cell; 0 where none is known."""
        self._flows_in = flows_in
        """True if the first cell gets its water from beyond the map."""
        self._flows: dict[int, int] = {}
        """The new sides of the cells by which water flows out, with the mark ``PRESENT``."""
        self.widths: dict[int, int] = {}
        """The widths, in quarters, of cells that had no river before."""

    def first_width(self, cell: int) -> int:
        """Return the width at which a river begins that is drawn from a cell on."""
        former_width = int(self._former_widths[cell])
        if former_width:
            return former_width
        is_source = not self._flows_in and not self._had_river(cell)
        if is_source:
            return SOURCE_WIDTH
        return USUAL_WIDTH

    def leave(self, end: CellSide, width: float) -> None:
        """Let water flow out of a cell by a side; its river becomes ``width`` quarters wide.

        If water comes in from beyond the map, the side is where it comes in: the cell gets water,
        but none flows out there.
        """
        flow = self._flow_of(end.cell)
        if not self._flows_in:
            flow |= 1 << end.side
        self._flows[end.cell] = flow
        if not self._had_river(end.cell) and end.cell not in self.widths:
            self.widths[end.cell] = int(width)

    def enter(self, end: CellSide, width: float) -> float:
        """Let water flow into a cell by a side, and return the width with which it flows on.

        A river that is joined keeps its width, and the water flows on with at least that width.
        """
        # Water that flowed the other way now flows this way.
        self._flows[end.cell] = self._flow_of(end.cell) & ~(1 << end.side)
        if self._had_river(end.cell):
            joined_width = int(self._former_widths[end.cell]) or USUAL_WIDTH
            return max(width, joined_width)
        self.widths[end.cell] = int(_grown(width))
        return width

    def complete_flows(self) -> dict[int, int]:
        """Return the flows by cell; 0 for cells out of which no water flows by any side.

        While links are added a cell has the mark ``PRESENT`` also without such a side.
        """
        return {cell: without_bare_mark(flow) for cell, flow in self._flows.items()}

    def _had_river(self, cell: int) -> bool:
        """Return whether the cell had a river before the edit."""
        return bool(self._former_rivers[cell] & MARKS)

    def _flow_of(self, cell: int) -> int:
        """Return the flow of a cell after the links so far, with the mark ``PRESENT``."""
        return self._flows.get(cell, int(self._former_flows[cell])) | PRESENT


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
        flows.append(without_bare_mark(int(former_flows[cell]) & value))
    dry_cells = [cell for cell, value in values.items() if not value]
    return [
        paint(document, system.flow, list(values), flows),
        paint(document, system.flow_width, dry_cells, system.flow_width.unset),
    ]
