"""The hexes that a line of a Text Mapper file runs through.

A file names some hexes of a line only, and Text Mapper draws it through those between them::

    list(hexes_on([(3, 4), (3, 6)], pushes_odd=False))     # [(3, 4), (3, 5), (3, 6)]

Hexes stand in columns. Every second column is *pushed down* by half a hex, so that the neighbours
in the columns beside a hex lie in other rows than those of a hex in the next column::

    pushed down:     . N .        not pushed down:  a N b
                     a X b                          c X d
                     c S d                          . S .
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from randomizer.systems.interchange.textmapper_statements import Point

_STEPS_IF_PUSHED_DOWN = ((-1, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 1))
"""The steps (columns, rows) to the neighbours of a hex in a column that is pushed down.

They are in the order in which Text Mapper tries them: clockwise from the north-west.
"""

_STEPS_IF_NOT_PUSHED_DOWN = ((-1, -1), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0))
"""The steps to the neighbours of a hex in one of the other columns, in the same order."""


def hexes_on(points: Sequence[Point], *, pushes_odd: bool) -> Iterator[Point]:
    """Yield the points of a line and all hexes between them, as Text Mapper draws it.

    With ``pushes_odd`` the odd columns of the file are pushed down, else the even ones.
    """
    hex_now = points[0]
    yield hex_now
    for end in points[1:]:
        while hex_now != end:
            hex_now = _next_hex(hex_now, end, pushes_odd=pushes_odd)
            yield hex_now


def _next_hex(point: Point, end: Point, *, pushes_odd: bool) -> Point:
    """Return the neighbour of a hex by which Text Mapper goes on to ``end``."""
    x, y = point
    end_x, end_y = end
    is_odd = x % 2 == 1
    steps = _STEPS_IF_NOT_PUSHED_DOWN
    if is_odd == pushes_odd:
        steps = _STEPS_IF_PUSHED_DOWN
    neighbours = [(x + step_x, y + step_y) for step_x, step_y in steps]

    # Text Mapper measures as if columns and rows were a grid of squares, which is not the distance
    # of hexes. Of several neighbours equally near it takes the first: so does ``index``.
    distances = [(end_x - to_x) ** 2 + (end_y - to_y) ** 2 for to_x, to_y in neighbours]
    return neighbours[distances.index(min(distances))]
