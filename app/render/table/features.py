"""What is laid out on a table's plain ground: hills, bodies of water, features, routes, crossings.

Everything is a ``Symbol`` that fits those of the cells around it, so that the canvas can stamp it
and a picture of shapes can have it as shapes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.raster.fragments import groups
from app.render.table.parallel_routes import lanes, offsets
from app.render.table.rounded_areas import (
    Shape,
    apothem,
    going_on,
    part,
    side_masks,
    variants,
)
from app.render.table.route_lines import (
    ROADSIDE,
    WIDTHS,
    Course,
    crossing_box,
    draw_crossings,
    draw_long_bridge,
    draw_route,
)
from app.render.vector.symbol_painter import Symbol
from randomizer.model.routes import MARKS, SIDES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from app.render.picture_source import Pictures
    from app.render.theme import Theme
    from randomizer.model.battlemap import Plane, System
    from randomizer.model.grid import Grid
    from randomizer.model.layouts import Layout
    from randomizer.model.routes import CrossingSpec, RouteSpec
    from randomizer.model.terrain import TerrainSet

HILLS = (Shape(0.86, 0.62, 0.07), Shape(0.56, 0.36, 0.09))
"""The contours, from below."""

BODY = Shape(0.84, 0.72, 0.09)

OUTLINE = 0.035
"""How wide the outlines are, as a part of the way from a cell's centre to a side."""

LOWERED = 0.07
"""Features stand a little below the middle: above it is the area's name."""

SEAM, SEAM_STRENGTH = 0.02, 0.7
"""How wide the grid's lines are within hills and waters, as ``OUTLINE`` is, and how opaque, as a
part of the others."""

BROAD_FORD = 1.7
"""How much of a cell a ford through a broad river spans."""

BENDS = (-1, 0, 1, 0)
"""How rivers bend in the variants of a cell."""

BESIDE = 24
"""From this bit of a route's key on it holds the lanes of its cell."""

ROOM = 0.05
"""How far pieces may reach over a cell's box, in map units."""

if TYPE_CHECKING:
    Found = tuple[Symbol, NDArray[np.intp]]
    Body = tuple[Shape, QColor]


class Table(NamedTuple):
    """What is drawn: ``cells`` (n,) of a map that shows ``planes``.

    ``seams``: what lies over several cells has the grid's lines on it, faintly.
    """

    system: System
    grid: Grid
    planes: Mapping[str, Plane]
    cells: NDArray[np.intp]
    seams: bool = False

    def all(self, plane: str) -> Plane:
        """The values of a plane, shape (size,)."""
        return self.planes[plane].reshape(-1)

    def here(self, plane: str) -> Plane:
        """Those of ``cells``."""
        return np.asarray(self.all(plane)[self.cells])


class TableFeatures:
    """What lies on maps of one layout and terrain set under one look."""

    def __init__(
        self,
        layout: Layout,
        terrain_set: TerrainSet,
        pictures: Pictures,
        theme: Theme,
        feature_size: float,
    ) -> None:
        self._layout, self._terrain_set = layout, terrain_set
        self._pictures, self._theme = pictures, theme
        self._feature_size = feature_size
        self._unit = apothem(layout)
        xs = [x for x, _ in layout.corners]
        ys = [y for _, y in layout.corners]
        self._box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).adjusted(
            -ROOM, -ROOM, ROOM, ROOM
        )

    def symbols(self, table: Table) -> Iterator[Found]:
        """Each piece, from below, with the places in ``table.cells`` where it lies."""
        for level in range(1, len(self._terrain_set.contours) + 1):
            yield from self._joined(table, table.all("elevation") >= level, self._hill(level))
        yield from self._seams(table, _inner_sides(table, table.all("elevation") >= 1))
        codes = groups(table.here("terrain").astype(np.int64))
        for code, _ in codes:
            body = self._body(code)
            if body is not None:
                inside = table.all("terrain") == code
                yield from self._joined(table, inside, body)
                yield from self._seams(table, _inner_sides(table, inside))
        for code, places in codes:
            if code:
                yield self._feature(code), places
        crossings = [(each, each.at(table.planes, table.cells)) for each in table.system.crossings]
        crossed = np.zeros(len(table.cells), np.bool_)
        for _, kinds in crossings:
            crossed |= kinds > 0
        beside = _lanes(table)
        for route in table.system.routes:
            yield from self._route(table, route, crossed, beside)
        for crossing, kinds in crossings:
            yield from self._crossing(table, crossing, kinds, beside)

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Symbol]:
        """A cell by itself."""
        bodies = [self._hill(level) for level in range(1, elevation + 1)]
        for body in (*bodies, self._body(terrain)):
            if body is not None:
                yield self._part(body, 0)
        if terrain:
            yield self._feature(terrain)

    def sample(self, route: RouteSpec) -> Symbol:
        """A route from side to side."""
        half = self._layout.degree // 2
        course = Course(1 << half - 1 | 1 << 2 * half - 1)
        return self._course(route, course, ("sample", route.name))

    # --- bodies and features ----------------------------------------------------------------

    def _hill(self, level: int) -> Body:
        return HILLS[level - 1], contour_colour(self._theme, self._terrain_set, level)

    def _body(self, code: int) -> Body | None:
        terrain = self._terrain_set.terrains[code]
        return (BODY, self._theme.terrain_colour(terrain)) if terrain.body else None

    def _joined(self, table: Table, inside: NDArray[np.bool_], body: Body) -> Iterator[Found]:
        there = np.flatnonzero(inside[table.cells])
        if len(there):
            masks = side_masks(table.grid, going_on(table.grid, inside))
            kinds = masks << 2 | variants(table.grid)
            for kind, places in groups(kinds[table.cells[there]]):
                yield self._part(body, kind), there[places]

    def _part(self, body: Body, kind: int) -> Symbol:
        shape, colour = body

        def draw(painter: QPainter) -> None:
            drawn = part(self._layout, shape, kind >> 2, kind & 3)
            painter.fillPath(drawn.area, colour)
            painter.strokePath(drawn.outline, QPen(colour.darker(155), OUTLINE * self._unit))

        return Symbol((shape, kind, colour.rgb()), self._box, draw)

    def _seams(self, table: Table, sides: NDArray[np.int64]) -> Iterator[Found]:
        """The grid's lines on the ``sides`` (bit masks, shape (size,)) that a body goes across."""
        if not table.seams:
            return
        half = (1 << table.grid.degree // 2) - 1  # the others are those of neighbours
        here = sides[table.cells] & half
        there = np.flatnonzero(here)
        for mask, places in groups(here[there]):
            draw = partial(self._draw_seams, sides=mask)
            yield Symbol(("seam", mask), self._box, draw), there[places]

    def _draw_seams(self, painter: QPainter, sides: int) -> None:
        ink = QColor(self._theme.grid_line)
        ink.setAlphaF(ink.alphaF() * SEAM_STRENGTH)
        painter.setPen(QPen(ink, SEAM * self._unit))
        corners = [QPointF(x, y) for x, y in self._layout.corners]
        for side in range(len(corners)):
            if sides >> side & 1:
                painter.drawLine(corners[side], corners[(side + 1) % len(corners)])

    def _feature(self, code: int) -> Symbol:
        def draw(painter: QPainter) -> None:
            painter.translate(0, LOWERED * self._unit)
            painter.scale(self._feature_size, self._feature_size)
            self._pictures.feature(painter, self._terrain_set.terrains[code])

        return Symbol(("feature", code), self._box, draw)

    # --- routes -----------------------------------------------------------------------------

    def _route(
        self,
        table: Table,
        route: RouteSpec,
        crossed: NDArray[np.bool_],
        beside: NDArray[np.int64],
    ) -> Iterator[Found]:
        values = table.here(route.plane)
        there = np.flatnonzero(route.runs(values))
        if not len(there):
            return
        keys = (values[there] & SIDES).astype(np.int64) | (crossed[there] << 8)
        if route.look == "water":
            keys |= variants(table.grid)[table.cells[there]] << 10
            keys |= _broad(table, route)[table.cells[there]] << 12
        keys |= beside[there] << BESIDE
        for key, places in groups(keys):
            bend = BENDS[key >> 10 & 3] if route.look == "water" else 0
            course = Course(key & SIDES, bool(key >> 8 & 1), bend)
            course = self._in_lanes(table, route, course, key >> BESIDE)
            broad = key >> 12 & (1 << BESIDE - 12) - 1
            yield self._course(route, course, (route.name, key), broad), there[places]
        if route.look == "water":
            yield from self._seams(table, _broad(table, route))

    def _in_lanes(self, table: Table, route: RouteSpec, course: Course, beside: int) -> Course:
        """How a route runs beside others; the same as alone where it shares no side."""
        looks = _looks(table.system)
        place = list(looks).index(route.plane)
        found = offsets(beside, place, self._layout.degree, list(looks.values()))
        found = tuple(lane if course.sides >> side & 1 else 0.0 for side, lane in enumerate(found))
        return Course(course.sides, lanes=found) if any(found) else course

    def _course(self, route: RouteSpec, course: Course, key: object, broad: int = 0) -> Symbol:
        draw = partial(
            draw_route,
            layout=self._layout,
            look=route.look,
            colour=self._theme.colour(route.name, route.colour),
            course=course,
            broad=broad,
        )
        return Symbol(key, self._box, draw)

    def _crossing(
        self,
        table: Table,
        crossing: CrossingSpec,
        kinds: NDArray[np.int64],
        beside: NDArray[np.int64],
    ) -> Iterator[Found]:
        there = np.flatnonzero(kinds)
        if not len(there):
            return
        below = next(route for route in table.system.routes if route.plane == crossing.under)
        keys = kinds[there] | table.here(crossing.over)[there].astype(np.int64) << 8
        if below.look == "water":
            keys |= (_broad(table, below)[table.cells[there]] > 0).astype(np.int64) << 16
        sides = table.here(crossing.under)[there].astype(np.int64) & SIDES
        keys |= np.where(beside[there], sides | beside[there] << 6, 0) << 17
        for key, places in groups(keys):
            above = next(
                route
                for route in table.system.routes
                if route.plane == crossing.over and route.mark == key >> 8 & MARKS
            )
            course, under = (Course(key >> bit & SIDES, middle=True) for bit in (8, 17))
            course = self._in_lanes(table, above, course, key >> 23)
            under = self._in_lanes(table, below, under, key >> 23)
            kind = crossing.kinds[(key & 0xFF) - 1]
            colour = self._theme.colour(above.name, above.colour)
            if key >> 16 & 1 and "bridge" in kind:
                draw = partial(
                    draw_long_bridge,
                    layout=self._layout,
                    look=above.look,
                    colour=colour,
                    course=course,
                )
            else:
                draw = partial(
                    draw_crossings,
                    layout=self._layout,
                    kind=kind,
                    over=course,
                    under=under if key >> 17 else None,
                    width=WIDTHS[above.look],
                    length=BROAD_FORD if key >> 16 & 1 else WIDTHS[below.look] + 0.1,
                )
            box = crossing_box(self._layout)
            yield Symbol((crossing.over, crossing.under, key), box, draw), there[places]


def _looks(system: System) -> dict[str, str]:
    """The planes of the routes, and the look of the first on each."""
    looks: dict[str, str] = {}
    for route in system.routes:
        looks.setdefault(route.plane, route.look)
    return looks


def _inner_sides(table: Table, inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The sides, as bit masks of shape (size,), beyond which a body goes on."""
    joined = going_on(table.grid, inside)
    return np.asarray(joined @ (1 << np.arange(table.grid.degree)), np.int64)


def _lanes(table: Table) -> NDArray[np.int64]:
    """The lanes of ``table.cells``, shape (n,). Broad rivers are no lanes."""
    linked = []
    for plane in _looks(table.system):
        sides = np.zeros(table.grid.size, np.int64)
        for route in table.system.routes:
            if route.plane == plane:
                sides |= np.where(route.runs(table.all(plane)), table.all(plane) & SIDES, 0)
                if route.look == "water":
                    sides &= ~_broad(table, route)
        linked.append(sides[:, None] >> np.arange(table.grid.degree) & 1 > 0)
    found = lanes(table.grid, linked) if linked else np.zeros(table.grid.size, np.int64)
    return found[table.cells]


def route_colour(theme: Theme, route: RouteSpec) -> QColor:
    """The colour of cells through which a route runs, where they are but a few pixels."""
    return QColor(ROADSIDE) if route.look == "road" else theme.colour(route.name, route.colour)


def contour_colour(theme: Theme, terrain_set: TerrainSet, level: int) -> QColor:
    """The colour of hills of so many contours (1 ...)."""
    level = min(level, len(terrain_set.contours))
    return theme.colour(f"Contour {level}", terrain_set.contours[level - 1])


def _broad(table: Table, route: RouteSpec) -> NDArray[np.int64]:
    """Across which sides and corners a river is as wide as its cells: ``side_masks``, (size,)."""
    grid, values = table.grid, table.all(route.plane)
    around = grid.neighbour_table
    runs = route.runs(values)
    linked = (values[:, None] >> np.arange(grid.degree) & 1 > 0) & runs[:, None]
    beside = going_on(grid, runs) & ~linked
    # So it is, too, where it flows into two areas side by side, and at a second area by itself.
    on, ways = linked & (around >= 0), linked.sum(axis=1)
    spur = on & (ways >= 3)[:, None] & (ways[around] == 1)
    wedge = on & np.roll(on, 1, axis=1) if grid.degree == 6 else np.zeros_like(on)
    broad = np.asarray((beside | spur | wedge).any(axis=1))
    broad |= (ways == 1) & (on & spur.any(axis=1)[around]).any(axis=1)
    if grid.degree == 4:  # and where four squares meet at a corner
        near = going_on(grid, runs)
        pair = near & np.roll(near, 1, axis=1)
        corner = [pair[:, side] & near[around[:, side - 1], side] for side in range(4)]
        broad |= np.any(corner, axis=0)
    joined = beside | (linked & broad[:, None] & ((around < 0) | broad[around]))
    return side_masks(grid, joined)
