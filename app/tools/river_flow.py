"""The flow of rivers that are drawn: by which sides water leaves the cells, and how wide it is.

A river is drawn from its source to its mouth, so that the drag says which way the water flows. A
map stores it in two planes beside that of its links. The values of links and flow are bytes with
the same bits (planes/routes.py): ``PRESENT``, the bit 0b01_000000, and a bit for each side::

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
        """The width of the river where the drag is, in quarters; None before its first link."""

    def flow_along(
        self,
        document: MapDocument,
        links_by_side: Sequence[Sequence[Link]],
        former_links: NDArray[np.uint8],
    ) -> list[Edit | None]:
        """Return the edits that let water flow along new links, in the direction of the drag.

        The links of a side are that of the drag itself and those of its symmetric twins, from
        ``links_across``. ``former_links`` (size,) are those of the river before these. [] if the
        system has no flow.
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
            if not links:
                continue  # locked layers hold all of these cells
            # The drag goes on with the width of its own link alone: a twin may have joined a wide
            # river. If a locked layer holds that link, the first twin stands for it.
            drawn_link = links[0]
            next_width = new_flow.add_link(drawn_link, self._width)
            for twin in links[1:]:
                new_flow.add_link(twin, self._width)
            self._width = next_width
        flows = new_flow.complete_flows()
        widths = new_flow.widths
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
    """The flow of water in the cells that one edit links, and the widths of their rivers.

    Made for one edit; each link is added in the direction of the drag, then the results are read.
    """

    def __init__(self, former: _FormerRivers) -> None:
        self._former = former
        self._flows: dict[int, int] = {}
        """The new flow of each cell of a link, with ``PRESENT`` also where no water flows out."""
        self.widths: dict[int, int] = {}
        """The widths, in whole quarters, of cells that had no river before."""

    def add_link(self, link: Link, width: float | None) -> float:
        """Let water flow along a link; return the width in the cell that it enters, in quarters.

        ``width`` is that in the cell that it leaves; None if the drag begins with this link. A link
        that leads off the map enters no cell: the width is then that at the edge.
        """
        if link.near is None:
            assert link.far is not None, "a link has a cell"
            return self._enter_map(link.far.cell, width)
        if width is None:
            width = self._width_at_source(link.near.cell)
        self._flow_out_of(link.near, width)
        if link.far is None:
            return width
        return self._flow_into(link.far, width)

    def _enter_map(self, cell: int, width: float | None) -> float:
        """Let water come into a cell from beyond the map; return the width there.

        The cell gets water, and no side by which it flows out yet.
        """
        if width is None:
            # It may have flowed for long beyond the map, so that it is as wide as any river.
            width = self._former_width(cell)
        self._flows[cell] = self._flow_so_far(cell)
        self._set_width(cell, width)
        return width

    def _flow_out_of(self, cell_side: CellSide, width: float) -> None:
        """Let water flow out of a cell by one of its sides; the river is this wide there."""
        cell, side = cell_side
        self._flows[cell] = self._flow_so_far(cell) | (1 << side)
        self._set_width(cell, width)

    def _flow_into(self, cell_side: CellSide, width: float) -> float:
        """Let water flow into a cell by one of its sides; return the width of the river there.

        ``width`` is that in the cell from which the water comes.
        """
        cell, side = cell_side
        # Water that flowed the other way now flows this way.
        self._flows[cell] = self._flow_so_far(cell) & ~(1 << side)
        if self._former.has_river(cell):
            # A river that is joined keeps its width, and flows on with at least that.
            return _grown(max(width, self._former_width(cell)))
        next_width = _grown(width)
        self._set_width(cell, next_width)
        return next_width

    def complete_flows(self) -> dict[int, int]:
        """Return the new flows by cell; 0 for cells out of which no water flows by any side."""
        return {cell: without_bare_mark(flow) for cell, flow in self._flows.items()}

    def _width_at_source(self, cell: int) -> int:
        """Return the width in the cell where a drag begins: that of a river there, or a source."""
        if self._former.has_river(cell):
            return self._former_width(cell)
        return SOURCE_WIDTH

    def _former_width(self, cell: int) -> int:
        """Return the width of a cell before the edit; the usual one where none was stored."""
        return int(self._former.widths[cell]) or USUAL_WIDTH

    def _flow_so_far(self, cell: int) -> int:
        """Return the flow of a cell after the links so far, with the mark ``PRESENT``."""
        return self._flows.get(cell, int(self._former.flows[cell])) | PRESENT

    def _set_width(self, cell: int, width: float) -> None:
        """Set the width of a cell that has none yet, neither from before nor from this edit."""
        if not self._former.has_river(cell) and cell not in self.widths:
            self.widths[cell] = int(width)


def _grown(width: float) -> float:
    """Return the width of a river one cell further on, in quarters.

    A river wider than ``GREATEST_GROWN_WIDTH`` keeps its width.
    """
    return min(width + GROWTH, max(width, GREATEST_GROWN_WIDTH))


def edits_that_stop_flow(document: MapDocument, values: Mapping[int, int]) -> list[Edit | None]:
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
