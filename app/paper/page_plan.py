"""How a picture of a map lies on paper: on one page, or on the pages of a poster.

Lengths are millimetres unless they are said to be map units. The *size of a hex* is its width from
flat to flat, as tabletop hexes are sold: the distance between the centres of neighbours. That of a
square is its side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.problems import error

MM_PER_INCH = 25.4

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
"""Width and height of papers in portrait orientation."""

LEAST_MM = 0.05
MOST_MM = 500.0
"""The sizes a hex may have."""

MOST_PAGES = 400

MOST_PAGE_MM = 5000.0
"""The largest side of a PDF page: 200 inches."""

TITLE_LINES_MM = (11.0, 6.0)
"""The heights of the lines of a title and of a subtitle at the top of a page."""

TITLE_GAP_MM = 4.0
"""The room between titles and the map; the frame of the map lies in it."""

HAIR = 1e-6
"""Tolerance for rounding errors."""


class Box(NamedTuple):
    """A rectangle in map units, or in millimetres from the left top corner of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top


def across(layout: Layout) -> float:
    """Return the size of a hex, flat to flat, in map units."""
    (qx, qy), (rx, ry) = layout.basis
    q, r = layout.steps[0]
    return math.hypot(q * qx + r * rx, q * qy + r * ry)


def picture_box(grid: Grid, room: float) -> Box:
    """Return the whole board and ``room`` around it, in map units."""
    left, top, right, bottom = grid.bounds
    return Box(left - room, top - room, right + room, bottom + room)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper in its orientation; the map stays out of the ``margin``.

    ``head`` is kept free below the upper margin, for a title.
    """

    width: float
    height: float
    margin: float
    head: float = 0.0

    @property
    def inner_width(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def inner_height(self) -> float:
        """The height between the head and the lower margin."""
        return self.height - 2 * self.margin - self.head


def sheets(paper: str, orientation: str, margin: float, head: float = 0.0) -> tuple[Sheet, ...]:
    """Return sheets of a paper in an orientation: ``portrait``, ``landscape``, or ``auto`` for
    both.

    Raises KeyError for a paper that is none of ``PAPERS``, ProblemError for margins too wide.
    """
    width, height = PAPERS[paper]
    if not 0 <= margin <= min(width, height) / 2 - 20:
        raise error("paper-margin", f"{margin:g} mm of margin leave too little of {paper} paper")
    lying = {"portrait": [(width, height)], "landscape": [(height, width)]}
    chosen = lying.get(orientation) or lying["portrait"] + lying["landscape"]
    return tuple(Sheet(*size, margin, head) for size in chosen)


def title_room(titles: tuple[str, str]) -> float:
    """Return the height of a title and a subtitle at the top of a page, "" where there is none."""
    if not any(titles):
        return 0.0
    lines = (line for line, text in zip(TITLE_LINES_MM, titles, strict=True) if text)
    return sum(lines) + TITLE_GAP_MM


class Page(NamedTuple):
    """One page: its label (“B2 of C3”) and the part of the picture that it shows (mm)."""

    label: str
    box: Box


@dataclass(frozen=True, slots=True)
class PagePlan:
    """The layout of a picture on its pages, all of them on the same ``sheet``.

    ``box`` is the picture in map units, ``unit`` the length of a map unit on paper. Neighbouring
    pages have a strip of the width ``overlap`` in common. ``titles`` are the title and the subtitle
    in the head of a single page, "" where there is none.
    """

    box: Box
    unit: float
    sheet: Sheet
    columns: int = 1
    rows: int = 1
    overlap: float = 0.0
    titles: tuple[str, str] = ("", "")

    @property
    def width(self) -> float:
        """The size of the whole picture."""
        return self.box.width * self.unit

    @property
    def height(self) -> float:
        """The size of the whole picture."""
        return self.box.height * self.unit

    def hex_mm(self, layout: Layout) -> float:
        """Return the size of a hex."""
        return self.unit * across(layout)

    @property
    def steps(self) -> tuple[float, float]:
        """The distances from one page to the next: to the right, and down."""
        return self.sheet.inner_width - self.overlap, self.sheet.inner_height - self.overlap

    def pages(self) -> list[Page]:
        """Return the pages row by row. Columns have letters, rows numbers: B2 lies below B1."""
        step_x, step_y = self.steps
        last = f"{column_name(self.columns - 1)}{self.rows}"
        return [
            Page(
                f"{column_name(column)}{row + 1} of {last}",
                Box(
                    column * step_x,
                    row * step_y,
                    min(column * step_x + self.sheet.inner_width, self.width),
                    min(row * step_y + self.sheet.inner_height, self.height),
                ),
            )
            for row, column in product(range(self.rows), range(self.columns))
        ]

    def origin(self, page: Page) -> tuple[float, float]:
        """Return where on the sheet the page's part of the picture begins; a single page is
        centred.
        """
        if self.columns * self.rows > 1:
            return self.sheet.margin, self.sheet.margin + self.sheet.head
        return (
            (self.sheet.width - page.box.width) / 2,
            (self.sheet.height + self.sheet.head - page.box.height) / 2,
        )

    @property
    def cuts(self) -> tuple[list[float], list[float]]:
        """The lines along which pages are cut to lie edge to edge: xs and ys on the picture.

        They run through the middle of overlaps; the first and the last are the picture's edges.
        """
        (step_x, step_y) = self.steps
        half = self.overlap / 2
        return (
            [0.0, *(column * step_x + half for column in range(1, self.columns)), self.width],
            [0.0, *(row * step_y + half for row in range(1, self.rows)), self.height],
        )

    def cuts_of(self, page: Page) -> tuple[list[float], list[float]]:
        """Return the ``cuts`` that run through a page."""
        box = page.box
        (xs, ys) = self.cuts
        return _within(xs, box.left, box.right), _within(ys, box.top, box.bottom)

    def registration_marks(self, page: Page) -> list[tuple[float, float]]:
        """Return where cuts cross on a page: points of the picture that neighbouring pages
        share.
        """
        return list(product(*self.cuts_of(page)))


def _within(values: Iterable[float], low: float, high: float) -> list[float]:
    return [value for value in values if low - HAIR <= value <= high + HAIR]


def column_name(column: int) -> str:
    """Return a, B ... Z, AA, AB ... for columns from 0 on."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def check_hex_mm(hex_mm: float, layout: Layout) -> None:
    """Raise ProblemError unless hexes may have this size."""
    if not LEAST_MM <= hex_mm <= MOST_MM:
        cell = cell_words(layout).cell
        raise error(
            "hex-size",
            f"a {cell} of {hex_mm:g} mm cannot be drawn ({LEAST_MM:g} to {MOST_MM:g} mm)",
        )


def own_page(box: Box, layout: Layout, hex_mm: float) -> PagePlan:
    """Return one page as large as the picture, or up to a typographic point larger.

    Raises ProblemError for an impossible size of a hex, and for too large a page.
    """
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / across(layout)
    width = box.width * unit
    height = box.height * unit
    if max(width, height) > MOST_PAGE_MM:
        cells = cell_words(layout).cells
        raise error(
            "picture-too-large",
            f"with {cells} of {hex_mm:g} mm the picture is {width:,.0f} x {height:,.0f} mm, and a "
            f"page has at most {MOST_PAGE_MM:,.0f} mm a side; choose smaller {cells} or a poster",
        )
    return PagePlan(box, unit, Sheet(_whole_points(width), _whole_points(height), 0.0))


def _whole_points(length: float) -> float:
    """Return a length rounded up to whole points, as pages of a PDF have."""
    point = MM_PER_INCH / 72
    return math.ceil(length / point - HAIR) * point


def one_page(
    box: Box,
    layout: Layout,
    sheets: Iterable[Sheet],
    hex_mm: float | None,
    titles: tuple[str, str] = ("", ""),
) -> PagePlan:
    """Return the picture on that of ``sheets`` on which it is largest, below its ``titles``.

    It is as large as it fits, or has hexes of ``hex_mm``. Raises ProblemError if hexes of that size
    do not fit or are impossible.
    """
    plans = [
        PagePlan(
            box,
            min(sheet.inner_width / box.width, sheet.inner_height / box.height),
            sheet,
            titles=titles,
        )
        for sheet in sheets
    ]
    best = max(plans, key=lambda plan: plan.unit)
    if hex_mm is None:
        return best
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / across(layout)
    if unit > best.unit + HAIR:
        cells = cell_words(layout).cells
        raise error(
            "does-not-fit",
            f"with {cells} of {hex_mm:g} mm the map does not fit on one page; the largest that fit "
            f"have {best.hex_mm(layout):.1f} mm. Choose a poster of several pages, or larger paper",
        )
    return PagePlan(box, unit, best.sheet, titles=titles)


def poster(
    box: Box, layout: Layout, sheets: Iterable[Sheet], hex_mm: float, overlap: float
) -> PagePlan:
    """Return picture with hexes of ``hex_mm`` on that of ``sheets`` of which it takes the fewest.

    Raises ProblemError for an impossible size of a hex or an overlap, and for more pages than
    ``MOST_PAGES``.
    """
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / across(layout)
    plans = [_tiled(PagePlan(box, unit, sheet, overlap=overlap)) for sheet in sheets]
    best = min(plans, key=lambda plan: plan.columns * plan.rows)
    count = best.columns * best.rows
    if count > MOST_PAGES:
        cells = cell_words(layout).cells
        raise error(
            "too-many-pages",
            f"with {cells} of {hex_mm:g} mm the poster has {count:,} pages, and {MOST_PAGES} are "
            f"the most; choose smaller {cells} or larger paper",
        )
    return best


def _tiled(plan: PagePlan) -> PagePlan:
    step_x, step_y = plan.steps
    if plan.overlap < 0 or min(step_x, step_y) < plan.overlap:
        raise error("overlap", f"pages cannot overlap by {plan.overlap:g} mm")
    columns = max(1, math.ceil((plan.width - plan.overlap) / step_x - HAIR))
    rows = max(1, math.ceil((plan.height - plan.overlap) / step_y - HAIR))
    return PagePlan(plan.box, plan.unit, plan.sheet, columns, rows, plan.overlap)
