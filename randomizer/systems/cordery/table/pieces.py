"""The pieces that a table is set up with, by kind and shape, and the box that they come from.

A wargamer lays out the table with pieces of terrain: one for each hill, and one for each area that
a road runs through, in the shape of the road there.

    count_pieces(grid, planes)             # {"hill": 4, "road straight": 7, "ford": 1}
    read_box("hill = 3; bridge = 2")       # {"hill": 3, "bridge": 2}

A box limits what the dice may place (``count_in_box``); a packing list says what a table needs, and
``missing_pieces`` what the box lacks of that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import SIDES
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import read_fixed
from randomizer.systems.cordery.table.areas import TERRAINS
from randomizer.systems.cordery.table.features import HABITATION, MOUNTAIN, RAIL, RIVER, ROAD
from randomizer.systems.cordery.table.table_words import Planes, area_record, crossings_in_area

HILL = "hill"
HIGH_HILL = "two-contour hill"

SHAPES = ("end", "straight", "bend", "sharp bend", "fork", "crossing")
"""The shapes of the pieces of a route (``shape_of``); a sharp bend is on hexes only."""

PIECES = (
    HILL,
    HIGH_HILL,
    *(terrain.name.lower() for terrain in TERRAINS.terrains[1:]),  # all but open ground
    *(f"{RIVER} {shape}" for shape in SHAPES),
    *(f"{ROAD} {shape}" for shape in SHAPES),
    *(f"track {shape}" for shape in SHAPES),
    *(f"{RAIL} {shape}" for shape in SHAPES),
    "ford",
    "bridge",
    "level crossing",
)
"""All kinds of pieces, in the order of a packing list."""

LARGEST_NUMBER = 999
"""The largest number of pieces of a kind in a box."""

HILLS = (HILL, HIGH_HILL, MOUNTAIN.lower())
"""The kinds of pieces that make high ground, the plain one first (``count_in_box``)."""

HABITATIONS = tuple(kind.lower() for kind in HABITATION)
"""The kinds of pieces of inhabited areas, the plain one first (``count_in_box``)."""


def shape_of(grid: Grid, sides: int) -> str:
    """Return the shape of a route's piece (``SHAPES``), by the number and angle of its sides.

    ``sides`` has bit i for each side i that the piece links: on hexes 0b001001, sides 0 and 3, is
    "straight". A piece that links no side is an "end", too.
    """
    linked_sides = [side for side in range(grid.degree) if sides >> side & 1]
    if len(linked_sides) < 2:
        return "end"
    if len(linked_sides) == 3:
        return "fork"
    if len(linked_sides) > 3:
        return "crossing"
    # Sides are numbered around the area: the angle is the shorter way from one to the other.
    first_side, second_side = linked_sides
    clockwise_steps = second_side - first_side
    sides_apart = min(clockwise_steps, grid.degree - clockwise_steps)
    if sides_apart * 2 == grid.degree:
        return "straight"
    if grid.degree == 6 and sides_apart == 1:
        return "sharp bend"
    return "bend"


def count_pieces(grid: Grid, planes: Planes) -> dict[str, int]:
    """Return the number of pieces of each kind that a table needs, in the order of ``PIECES``."""
    counter: Counter[str] = Counter()
    for cell in grid.cells.tolist():
        counter.update(_pieces_in_area(grid, planes, cell))
    return {piece: counter[piece] for piece in PIECES if counter[piece]}


def _pieces_in_area(grid: Grid, planes: Planes, cell: int) -> Iterator[str]:
    """Yield the kind of every piece in an area."""
    record = area_record(grid, planes, cell)
    if not record:
        return
    if record.get("contours") == 1:
        yield HILL
    elif "contours" in record:
        yield HIGH_HILL
    if "ground" in record:
        yield record["ground"].lower()
    for route in (RIVER, ROAD, "track", RAIL):
        if route not in record:
            continue
        plane = route
        if route == "track":  # a road with a mark
            plane = ROAD
        sides = int(planes[plane].flat[cell]) & SIDES
        yield f"{route} {shape_of(grid, sides)}"
    # A railway bridge is a bridge. A road and a railway that cross the river in the same area share
    # one: ``dict.fromkeys`` yields each kind once, in order.
    crossings = crossings_in_area(grid, planes, cell)
    kinds = ["bridge" if crossing == "railway bridge" else crossing for crossing in crossings]
    yield from dict.fromkeys(kinds)


def read_box(text: str) -> dict[str, int]:
    """Parse the contents of a box: ``hill = 5; bridge = 2``. Pieces not named are unlimited.

    Raises ProblemError for an unknown piece or a bad number; with its line and column for a text
    that is no list of names and values.
    """
    box: dict[str, int] = {}
    for name, value in read_fixed(text).items():
        if name not in PIECES:
            raise error("no-piece", f"a box has no “{name:.60}” (there are: {', '.join(PIECES)})")
        # Nine digits are more than any box holds, and few enough for int() to be quick.
        if not re.fullmatch("[0-9]{1,9}", value) or int(value) > LARGEST_NUMBER:
            raise error(
                "piece-number", f"{name}: a number from 0 to {LARGEST_NUMBER}, not {value:.20}"
            )
        box[name] = int(value)
    return box


def missing_pieces(pieces: Mapping[str, int], box: Mapping[str, int]) -> dict[str, int]:
    """Return the pieces that a table needs beyond those in the box."""
    missing: dict[str, int] = {}
    for piece, count in pieces.items():
        if piece in box and count > box[piece]:
            missing[piece] = count - box[piece]
    return missing


def count_in_box(box: Mapping[str, int], pieces: Sequence[str]) -> int | None:
    """Return the number of pieces of these kinds in the box together; None if unlimited.

    The first of ``pieces`` is the plain kind. If the box does not name it, all are unlimited. If it
    does, the box has none of the kinds that it does not name: with "hill = 3" alone there are no
    hills of two contours.
    """
    if pieces[0] not in box:
        return None
    return sum(box.get(piece, 0) for piece in pieces)


def implied_counts(box: Mapping[str, int]) -> dict[str, int]:
    """Return a count of 0 for each kind that a box does not name and so lacks (``count_in_box``).

    With "hill = 3" alone: {"two-contour hill": 0, "mountain": 0}.
    """
    counts = {}
    for pieces in (HILLS, HABITATIONS):
        if pieces[0] in box:
            for piece in pieces[1:]:
                if piece not in box:
                    counts[piece] = 0
    return counts
