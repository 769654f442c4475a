"""The request for a picture of a map: its kind, size, paper, colours and overlays.

The dialog and the command line make a ``PictureRequest`` of their settings (picture_settings.py);
``export`` draws it, and ``printing`` prints it::

    request = PictureRequest(pages=Poster("A4", hex_mm=38.0))
    plan = request.plan(battlemap, composite)       # how it lies on its pages

Lengths are millimetres.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from app.paper.page_plan import (
    MM_PER_INCH,
    Box,
    Orientation,
    PagePlan,
    check_hex_mm,
    one_page,
    own_page,
    picture_box,
    poster,
    sheets_of_paper,
    title_room,
)
from app.render.level_of_detail import MARGIN
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.legend import legend_of_picture
from app.render.style import style_of
from app.render.theme import COLOUR_SETS, Theme, theme
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError, error
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.property import PropertyKind
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

KINDS = {".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF to print"}
"""Suffixes and titles of the kinds of picture that can be written."""

TABLES = {".json": "Foundry scene", ".uvtt": "Universal VTT"}
"""Suffixes and titles of files for virtual tables, which hold a picture (``virtual_table``)."""

ON_PAPER = Overlays(locks=False)
"""The default overlays of a picture where the kind of map is not known."""

THEMES = {
    "light": "Pictures on light",
    "dark": "Pictures on dark",
    **{name: title for name, title in COLOUR_SETS if name != "pictures"},
}
"""Names and titles of the themes and colour sets that a picture can have."""

HEX_MM = 38.0
"""The default size of a hex: that of common tabletop hexes."""

HEX_PIXELS = 120
"""The default size of a hex of a PNG in pixels, flat to flat."""

DEFAULT_PNG_PIXELS = 32_000_000
"""The most pixels of a PNG of the default size, roughly: hexes of large maps are smaller."""

DOTS_PER_INCH = 300.0
"""The resolution of a PNG whose size is asked for in millimetres."""

MIN_HEX_PIXELS = 1.0
"""The smallest size of a hex in pixels."""

MAX_HEX_PIXELS = 4000.0
"""The largest size of a hex in pixels."""

BORDER = 0.1
"""Room around a map without names of entry sides, for the line of its edge, in map units."""


# --- the map ------------------------------------------------------------------------------------


def titles_of(system: System, composite: Composite) -> tuple[str, str]:
    """Return the title and the subtitle of a map, "" where it has none.

    The title is the first text among the properties of the map, the subtitle the further ones.
    """
    texts = []
    for text_property in system.properties:
        # The scale of a map is a text, too, and no title: it stands below the map.
        if text_property.kind is PropertyKind.TEXT and text_property.name != SCALE:
            text = text_property.of(composite.properties)
            if text:
                texts.append(text)
    if not texts:
        return "", ""
    return texts[0], " - ".join(texts[1:])


def paper_overlays(system: System, terrain_set: TerrainSet) -> Overlays:
    """Return the default overlays of pictures: those of the desk, but for the locks."""
    return replace(style_of(system).overlays(system, terrain_set), locks=ON_PAPER.locks)


def picture_theme(name: str) -> Theme:
    """Return the theme of one of ``THEMES``. Raises KeyError for another name."""
    if name in ("light", "dark"):
        return theme(name)
    return theme("light", name)


def usual_hex_pixels(cells: int) -> float:
    """Return the default size of a hex of a PNG of so many cells, in whole pixels."""
    largest_size = int((DEFAULT_PNG_PIXELS / cells) ** 0.5)
    return float(max(1, min(HEX_PIXELS, largest_size)))


# --- the request --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnPage:
    """One page that is as large as the picture. A PNG or SVG always has it."""

    hex_mm: float | None = HEX_MM
    """The size of a hex (see ``page_plan``).

    None where a PNG does not say how large it is printed; then it has so many pixels a hex.
    """


@dataclass(frozen=True, slots=True)
class FittedPage:
    """One page of paper, with hexes as large as fit."""

    paper: str
    """One of ``page_plan.PAPERS``."""


@dataclass(frozen=True, slots=True)
class ScaledPage:
    """One page of paper, with hexes of a chosen size."""

    paper: str
    """One of ``page_plan.PAPERS``."""

    hex_mm: float
    """The size of a hex."""


@dataclass(frozen=True, slots=True)
class Poster:
    """As many pages of paper as hexes of a chosen size need."""

    paper: str
    """One of ``page_plan.PAPERS``."""

    hex_mm: float = HEX_MM
    """The size of a hex."""


Pages = OwnPage | FittedPage | ScaledPage | Poster
"""How a picture lies on its pages."""


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """The choices for one picture of a map.

    Each field counts for some kinds of output:

    - all: ``pages``, ``name``, ``theme``, ``overlays``, ``pictures``
    - PNG and files for virtual tables: ``pixels``, ``flush``
    - PDF and print: ``orientation``, ``margin``, ``head``, ``key``
    - posters: ``overlap``, ``overview``
    - files for virtual tables: ``walls``
    """

    pages: Pages = OwnPage()
    """How the picture lies on its pages, and the size of a hex there."""

    pixels: float | None = None
    """The size of a hex of a PNG in pixels; None for that of ``hex_mm``."""

    orientation: Orientation = Orientation.AUTO

    margin: float = 10.0
    """The strip along each side of a page that stays free of the map."""

    overlap: float = 10.0
    """The width of the strip that neighbouring pages of a poster have in common."""

    overview: bool = True
    """True if a poster begins with a page that shows how the others lie."""

    key: bool = True
    """True if the notes of the map follow on pages of their own."""

    walls: bool = True
    """True if a file for a virtual table has walls where terrains and hexsides block sight."""

    head: float = 0.0
    """The height that stays free at the top of a page, for a title."""

    flush: bool = False
    """True if there is no room around the map, which begins at the first pixel of a PNG."""

    name: str = ""
    """The caption of a map without a title: the name of its file."""

    theme: Theme = field(default_factory=partial(picture_theme, "light"))
    """The theme with its colours of terrains."""

    overlays: Overlays = ON_PAPER
    """The overlays that are drawn, such as cell names and the legend."""

    pictures: Pictures = field(default_factory=Pictures)
    """The pictures of terrains that replace those of the program."""

    @property
    def hex_mm(self) -> float | None:
        """The size of a hex that is asked for; None if none is, as for hexes as large as fit."""
        if isinstance(self.pages, FittedPage):
            return None
        return self.pages.hex_mm

    @property
    def hex_mm_or_usual(self) -> float:
        """The size of a hex that is asked for, or the default size."""
        if self.hex_mm is None:
            return HEX_MM
        return self.hex_mm

    @property
    def _is_in_pixels(self) -> bool:
        """True if the picture is a PNG of so many pixels a hex, whatever paper it is for."""
        return self.pixels is not None

    @property
    def _has_heading(self) -> bool:
        """True if room is left at the top of a page, where whoever asks draws the titles."""
        return self.head > 0

    def page_titles(self, battlemap: BattleMap, composite: Composite) -> tuple[str, str]:
        """Return the title and the subtitle above the map of a single page, "" where it has none.

        Other pages have them in their heading.
        """
        is_single_page = isinstance(self.pages, FittedPage | ScaledPage)
        if not is_single_page or self._has_heading or self._is_in_pixels:
            return "", ""
        return titles_of(battlemap.system, composite)

    def box(self, battlemap: BattleMap, composite: Composite) -> Box:
        """Return the map with the room around it that belongs to the picture, in map units.

        The legend lies in that room.
        """
        overlays = self.overlays
        has_names = overlays.rulers or (overlays.entry_sides and battlemap.system.entry_sides)
        if self.flush:
            room = 0.0
        elif has_names:
            room = MARGIN
        else:
            room = BORDER
        box = picture_box(battlemap.grid, room)
        is_titled = any(self.page_titles(battlemap, composite))
        legend = legend_of_picture(battlemap, composite, overlays, is_titled=is_titled)
        if legend is None:
            return box
        return Box(
            box.left,
            box.top,
            max(box.right, legend.box.right() + room),
            max(box.bottom, legend.box.bottom() + room),
        )

    def plan(self, battlemap: BattleMap, composite: Composite) -> PagePlan:
        """Return the layout of the picture on its pages.

        Raises ProblemError if it does not fit on them.
        """
        box = self.box(battlemap, composite)
        layout = battlemap.grid.layout
        if isinstance(self.pages, OwnPage):
            return own_page(box, layout, self.hex_mm_or_usual)
        paper = self.pages.paper
        untitled_sheets = sheets_of_paper(paper, self.orientation, self.margin, self.head)
        if isinstance(self.pages, Poster):
            return poster(box, layout, untitled_sheets, self.pages.hex_mm, self.overlap)
        titles = self.page_titles(battlemap, composite)
        if any(titles):
            titled_sheets = sheets_of_paper(
                paper, self.orientation, self.margin, title_room(titles)
            )
            # With cells of the size that is asked for the page may have no room for titles. The
            # second try, without them, tells what is wrong if the map does not fit at all.
            with suppress(ProblemError):
                return one_page(box, layout, titled_sheets, self.hex_mm, titles)
        condition = ""
        if any(titles):
            condition = ", without the title"
        return one_page(box, layout, untitled_sheets, self.hex_mm, condition=condition)

    def has_overview(self, plan: PagePlan) -> bool:
        """Return whether a page that shows how the others lie comes before the pages of a plan."""
        return self.overview and len(plan.pages()) > 1

    def pixels_per_unit(self, layout: Layout) -> float:
        """Return the scale of a PNG: pixels a map unit.

        Raises ProblemError for hexes that are too small or too large.
        """
        pixels = self.pixels
        if pixels is None:
            check_hex_mm(self.hex_mm_or_usual, layout)
            pixels = self.hex_mm_or_usual * DOTS_PER_INCH / MM_PER_INCH
        if not MIN_HEX_PIXELS <= pixels <= MAX_HEX_PIXELS:
            raise error(
                "pixels",
                f"a {cell_words(layout).cell} of {pixels:g} pixels cannot be drawn "
                f"({MIN_HEX_PIXELS:g} to {MAX_HEX_PIXELS:g})",
            )
        return pixels / layout.neighbour_distance


# --- walls of virtual tables --------------------------------------------------------------------


OVERLAND_UNITS = frozenset({"mile", "miles", "mi", "km", "kilometres", "league", "leagues"})
"""The units of the width of a cell on maps of countries: there a wood is a region and no wall that
blocks sight."""


def has_usual_walls(battlemap: BattleMap, composite: Composite) -> bool:
    """Return the default of ``PictureRequest.walls`` for a map: False for a map of countries."""
    width = battlemap.system.cell_width(battlemap, composite.properties)
    return width is None or width.unit.casefold() not in OVERLAND_UNITS
