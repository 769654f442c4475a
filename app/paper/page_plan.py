"""The layout of a picture of a map on paper: on one page, or on the pages of a poster.

A *picture* is the map with the room around it, a ``Box`` in map units. ``own_page``, ``one_page``
and ``poster`` lay it out on paper as a ``PagePlan``, from which ``page_painter`` draws the pages::

    plan = poster(picture_box(grid, 0.1), grid.layout, sheets("A4", Orientation.AUTO, 10), 38, 10)
    for page in plan.pages(): ...

Lengths are millimetres unless they are said to be map units. The *size of a hex* is its width from
flat to flat, as tabletop hexes are sold: the distance between the centres of neighbours
(``Layout.neighbour_distance``). That of a square is its side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.problems import error

MM_PER_INCH = 25.4

MIN_INNER_MM = 40.0
"""The least width of a sheet between its margins."""

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
"""Width and height of papers in portrait orientation."""

MIN_HEX_MM = 0.05
"""The smallest size of a hex."""

MAX_HEX_MM = 500.0
"""The largest size of a hex."""

MAX_PAGES = 400
"""The most pages of a poster."""

MAX_PAGE_MM = 5000.0
"""The longest side of a page: that of a PDF may have 200 inches."""

TITLE_LINES_MM = (11.0, 6.0)
"""The heights of the lines of a title and of a subtitle at the top of a page."""

TITLE_GAP_MM = 4.0
"""The room between titles and the map; the frame of the map lies in it."""

LENGTH_TOLERANCE = 1e-6
"""The tolerance for rounding errors in lengths: less is no difference."""


class Box(NamedTuple):
    """A rectangle in map units, or in millimetres from the left top corner of the picture.

    y runs down.
    """

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The distance from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The distance from top to bottom."""
        return self.bottom - self.top


def picture_box(grid: Grid, room: float) -> Box:
    """Return the whole board and ``room`` around it, in map units."""
    left, top, right, bottom = grid.bounds
    return Box(left - room, top - room, right + room, bottom + room)


# --- paper --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper in its orientation."""

    width: float
    height: float
    margin: float
    """The strip along each side that stays free of the map."""
    head: float = 0.0
    """The height that stays free below the upper margin, for a title."""

    @property
    def inner_width(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def inner_height(self) -> float:
        """The height between the head and the lower margin."""
        return self.height - 2 * self.margin - self.head


class Orientation(StrEnum):
    """How paper is turned."""

    PORTRAIT = "portrait"
    """Its short side is at the top."""

    LANDSCAPE = "landscape"
    """Its long side is at the top."""

    AUTO = "auto"
    """As is better for the picture: larger on one page, or fewer pages of a poster."""


def sheets_of_paper(
    paper: str, orientation: Orientation, margin: float, head: float = 0.0
) -> tuple[Sheet, ...]:
    """Return the sheets of a paper in an orientation: of ``AUTO`` both, from which to choose.

    Raises KeyError for a paper that is none of ``PAPERS``, ProblemError for margins too wide.
    """
    width, height = PAPERS[paper]
    widest_margin = min(width, height) / 2 - MIN_INNER_MM / 2
    if not 0 <= margin <= widest_margin:
        raise error("paper-margin", f"{margin:g} mm of margin leave too little of {paper} paper")
    portrait = Sheet(width, height, margin, head)
    landscape = Sheet(height, width, margin, head)
    if orientation is Orientation.PORTRAIT:
        return (portrait,)
    if orientation is Orientation.LANDSCAPE:
        return (landscape,)
    return (portrait, landscape)


def title_room(titles: tuple[str, str]) -> float:
    """Return the height of a title and a subtitle at the top of a page, "" where there is none."""
    if not any(titles):
        return 0.0
    lines = (line for line, text in zip(TITLE_LINES_MM, titles, strict=True) if text)
    return sum(lines) + TITLE_GAP_MM


# --- a plan -------------------------------------------------------------------------------------


class Page(NamedTuple):
    """One page of a plan."""

    label: str
    """Its name and that of the last page, such as “B2 of C3”."""
    box: Box
    """The part of the picture that it shows, in millimetres."""


class Cuts(NamedTuple):
    """The lines along which pages are cut, in millimetres on the picture."""

    xs: list[float]
    """The positions of the upright lines, from the left."""
    ys: list[float]
    """The positions of the lines from left to right, from the top."""


class PageStride(NamedTuple):
    """The distances from one page of a poster to the next, in millimetres on the picture."""

    right: float
    """To the page beside it."""

    down: float
    """To the page below it."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """The layout of a picture on its pages, all of them on the same ``sheet``."""

    box: Box
    """The picture, in map units."""
    unit: float
    """The scale: millimetres a map unit."""
    sheet: Sheet
    """The sheet of every page."""
    columns: int = 1
    """The number of pages side by side."""
    rows: int = 1
    """The number of pages one below the other."""
    overlap: float = 0.0
    """The width of the strip of the picture that neighbouring pages have in common."""
    titles: tuple[str, str] = ("", "")
    """The title and the subtitle in the head of a single page, "" where there is none."""

    @property
    def page_count(self) -> int:
        """The number of pages."""
        return self.columns * self.rows

    @property
    def width(self) -> float:
        """The width of the whole picture."""
        return self.box.width * self.unit

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        return self.box.height * self.unit

    def hex_mm(self, layout: Layout) -> float:
        """Return the size of a hex."""
        return self.unit * layout.neighbour_distance

    @property
    def stride(self) -> PageStride:
        """The distances from one page to the next."""
        return PageStride(
            right=self.sheet.inner_width - self.overlap,
            down=self.sheet.inner_height - self.overlap,
        )

    def pages(self) -> list[Page]:
        """Return the pages row by row. Columns have letters, rows numbers: B2 lies below B1."""
        step_x, step_y = self.stride
        last_name = f"{column_name(self.columns - 1)}{self.rows}"
        pages = []
        for row, column in product(range(self.rows), range(self.columns)):
            left = column * step_x
            top = row * step_y
            # The last pages of a row and of a column are seldom full.
            right = min(left + self.sheet.inner_width, self.width)
            bottom = min(top + self.sheet.inner_height, self.height)
            label = f"{column_name(column)}{row + 1} of {last_name}"
            pages.append(Page(label, Box(left, top, right, bottom)))
        return pages

    def origin(self, page: Page) -> tuple[float, float]:
        """Return the point of the sheet at which the page's part of the picture begins.

        That of a single page is centred, that of a page of a poster begins at the margins.
        """
        if self.page_count > 1:
            return self.sheet.margin, self.sheet.margin + self.sheet.head
        return (
            (self.sheet.width - page.box.width) / 2,
            (self.sheet.height + self.sheet.head - page.box.height) / 2,
        )

    @property
    def cuts(self) -> Cuts:
        """The lines along which all pages are cut, to lie edge to edge.

        They run through the middle of overlaps; the first and the last are the picture's edges.
        """
        step_x, step_y = self.stride
        half_overlap = self.overlap / 2
        inner_xs = [column * step_x + half_overlap for column in range(1, self.columns)]
        inner_ys = [row * step_y + half_overlap for row in range(1, self.rows)]
        return Cuts([0.0, *inner_xs, self.width], [0.0, *inner_ys, self.height])

    def cuts_of(self, page: Page) -> Cuts:
        """Return the ``cuts`` that run through a page."""
        box = page.box
        cuts = self.cuts
        return Cuts(
            _within(cuts.xs, box.left, box.right),
            _within(cuts.ys, box.top, box.bottom),
        )

    def registration_marks(self, page: Page) -> list[tuple[float, float]]:
        """Return the points at which cuts cross on a page, in millimetres on the picture.

        Neighbouring pages share them, and are laid on one another by them.
        """
        cuts = self.cuts_of(page)
        return [(x, y) for x in cuts.xs for y in cuts.ys]


def _within(values: Iterable[float], low: float, high: float) -> list[float]:
    """Return the values from ``low`` to ``high``, with a tolerance of ``LENGTH_TOLERANCE``."""
    return [value for value in values if low - LENGTH_TOLERANCE <= value <= high + LENGTH_TOLERANCE]


def column_name(column: int) -> str:
    """Return the name of a column of pages, counted from 0: A, B ... Z, AA, AB ..."""
    # Letters are digits from 1 (A) to 26 (Z), not from 0: hence the steps by one.
    name = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


# --- making a plan ------------------------------------------------------------------------------


def check_hex_mm(hex_mm: float, layout: Layout) -> None:
    """Raise ProblemError unless hexes may have this size."""
    if not MIN_HEX_MM <= hex_mm <= MAX_HEX_MM:
        cell = cell_words(layout).cell
        raise error(
            "hex-size",
            f"a {cell} of {hex_mm:g} mm cannot be drawn ({MIN_HEX_MM:g} to {MAX_HEX_MM:g} mm)",
        )


def own_page(box: Box, layout: Layout, hex_mm: float) -> PagePlan:
    """Return a plan of one page as large as the picture, or up to a typographic point larger.

    Raises ProblemError for an impossible size of a hex, and for too large a page.
    """
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / layout.neighbour_distance
    width = box.width * unit
    height = box.height * unit
    if max(width, height) > MAX_PAGE_MM:
        cells = cell_words(layout).cells
        raise error(
            "picture-too-large",
            f"with {cells} of {hex_mm:g} mm the picture is {width:,.0f} x {height:,.0f} mm, and a "
            f"page has at most {MAX_PAGE_MM:,.0f} mm a side; choose smaller {cells} or a poster",
        )
    return PagePlan(box, unit, Sheet(_whole_points(width), _whole_points(height), 0.0))


def _whole_points(length: float) -> float:
    """Return a length rounded up to whole points, as pages of a PDF have."""
    point = MM_PER_INCH / 72
    return math.ceil(length / point - LENGTH_TOLERANCE) * point


def one_page(
    box: Box,
    layout: Layout,
    sheets: Iterable[Sheet],
    hex_mm: float | None,
    titles: tuple[str, str] = ("", ""),
    *,
    condition: str = "",
) -> PagePlan:
    """Return a plan of one page: the picture below its ``titles``, on the best of ``sheets``.

    The best sheet is the one on which the picture can be largest. With ``hex_mm`` its hexes have
    that size, with None it is as large as fits. Raises ProblemError if hexes of that size do not
    fit or are impossible; ``condition`` follows the largest size that fits in its message.
    """
    plans = []
    for sheet in sheets:
        largest_unit = min(sheet.inner_width / box.width, sheet.inner_height / box.height)
        plans.append(PagePlan(box, largest_unit, sheet, titles=titles))
    best = max(plans, key=lambda plan: plan.unit)
    if hex_mm is None:
        return best
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / layout.neighbour_distance
    if unit > best.unit + LENGTH_TOLERANCE:
        cells = cell_words(layout).cells
        raise error(
            "does-not-fit",
            f"with {cells} of {hex_mm:g} mm the map does not fit on one page; the largest that fit "
            f"have {best.hex_mm(layout):.1f} mm{condition}. "
            "Choose a poster of several pages, or larger paper",
        )
    return PagePlan(box, unit, best.sheet, titles=titles)


def poster(
    box: Box, layout: Layout, sheets: Iterable[Sheet], hex_mm: float, overlap: float
) -> PagePlan:
    """Return a plan of many pages: the picture with hexes of ``hex_mm``, on the best of ``sheets``.

    The best sheet is the one of which it takes the fewest. Raises ProblemError for an impossible
    size of a hex or an overlap, and for more pages than ``MAX_PAGES``.
    """
    check_hex_mm(hex_mm, layout)
    unit = hex_mm / layout.neighbour_distance
    plans = [_tiled(PagePlan(box, unit, sheet, overlap=overlap)) for sheet in sheets]
    best = min(plans, key=lambda plan: plan.page_count)
    if best.page_count > MAX_PAGES:
        cells = cell_words(layout).cells
        raise error(
            "too-many-pages",
            f"with {cells} of {hex_mm:g} mm the poster has {best.page_count:,} pages, and "
            f"{MAX_PAGES} are the most; choose smaller {cells} or larger paper",
        )
    return best


def _tiled(plan: PagePlan) -> PagePlan:
    """Return a plan of one page with as many pages as its picture needs.

    Raises ProblemError for a negative overlap, or one of more than half a page.
    """
    step_x, step_y = plan.stride
    if plan.overlap < 0 or min(step_x, step_y) < plan.overlap:
        raise error("overlap", f"pages cannot overlap by {plan.overlap:g} mm")
    # n pages are n steps and one overlap wide.
    columns = max(1, math.ceil((plan.width - plan.overlap) / step_x - LENGTH_TOLERANCE))
    rows = max(1, math.ceil((plan.height - plan.overlap) / step_y - LENGTH_TOLERANCE))
    return replace(plan, columns=columns, rows=rows)
