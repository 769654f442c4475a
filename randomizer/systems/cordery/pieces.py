"""The pieces that a table is laid with, by kind and shape, and the box they come from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from randomizer.model.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.areas import TERRAINS
from randomizer.systems.cordery.features import MOUNTAIN, RAIL, RIVER, ROAD
from randomizer.systems.cordery.table_words import Planes, area_record, crossings
from randomizer.systems.cordery.throws import read_fixed

HILL, HIGH_HILL = "hill", "two-contour hill"
SHAPES = ("end", "straight", "bend", "sharp bend", "fork", "crossing")
PIECES = (
    HILL,
    HIGH_HILL,
    *(terrain.name.lower() for terrain in TERRAINS.terrains[1:]),
    *(f"{route} {shape}" for route in (RIVER, ROAD, "track", RAIL) for shape in SHAPES),
    "ford",
    "bridge",
    "level crossing",
)
"""Everything that can lie in a box, in the order of a list to fetch it by."""

MOST = 999


def shape_of(grid: Grid, sides: int) -> str:
    """The shape of a route's piece, by the sides (how many, how far apart) that it joins."""
    ends = [side for side in range(grid.degree) if sides >> side & 1]
    if len(ends) < 2:
        return "end"
    if len(ends) > 2:
        return "fork" if len(ends) == 3 else "crossing"
    apart = min(ends[1] - ends[0], grid.degree - ends[1] + ends[0])
    if apart * 2 == grid.degree:
        return "straight"
    return "sharp bend" if grid.degree == 6 and apart == 1 else "bend"


def parts_of(grid: Grid, planes: Planes) -> dict[str, int]:
    """How many pieces of each kind a table takes, in the order of ``PIECES``."""
    found: Counter[str] = Counter()
    for cell in grid.cells.tolist():
        found.update(_pieces(grid, planes, cell))
    return {piece: found[piece] for piece in PIECES if found[piece]}


def _pieces(grid: Grid, planes: Planes, cell: int) -> Iterator[str]:
    record = area_record(grid, planes, cell)
    if not record:
        return
    if "contours" in record:
        yield HILL if record["contours"] == 1 else HIGH_HILL
    if "ground" in record:
        yield record["ground"].lower()
    for route in (RIVER, ROAD, "track", RAIL):
        if route in record:
            plane = ROAD if route == "track" else route
            yield f"{route} {shape_of(grid, int(planes[plane].flat[cell]))}"
    # A road and a railway over one river are on one bridge.
    yield from dict.fromkeys(kind.removeprefix("railway ") for kind in crossings(planes, cell))


def read_box(text: str) -> dict[str, int]:
    """A box as people write it: ``hill = 5; bridge = 2``. What it does not name is no matter.

    Raises ProblemError, with its line and column, for what is no piece or no number.
    """
    box: dict[str, int] = {}
    for name, value in read_fixed(text).items():
        if name not in PIECES:
            raise error("no-piece", f"a box has no “{name}” (there are: {', '.join(PIECES)})")
        if not re.fullmatch("[0-9]{1,9}", value) or int(value) > MOST:
            raise error("piece-number", f"{name}: a number from 0 to {MOST}, not {value}")
        box[name] = int(value)
    return box


def missing(parts: Mapping[str, int], box: Mapping[str, int]) -> dict[str, int]:
    """What a table takes beyond what the box holds."""
    return {
        piece: count - box[piece]
        for piece, count in parts.items()
        if piece in box and count > box[piece]
    }


def room_for(box: Mapping[str, int], *pieces: str) -> int | None:
    """How many of these pieces the box holds together.

    None where it says nothing of the first, which is the plain one: there is no end of that.
    """
    return sum(box.get(piece, 0) for piece in pieces) if pieces[0] in box else None


HILLS = (HILL, HIGH_HILL, MOUNTAIN.lower())
