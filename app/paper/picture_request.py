"""What is asked for when a map is exported as a picture or printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from app.paper.page_plan import (
    MM_PER_INCH,
    Box,
    PagePlan,
    across,
    check_hex_mm,
    one_page,
    own_page,
    picture_box,
    poster,
    sheets,
)
from app.render.detail import MARGIN
from app.render.overlay_options import Overlays
from app.render.picture_source import OwnPictures, Pictures
from app.render.theme import COLOUR_SETS, Theme, theme
from randomizer.model.cell_words import cell_words
from randomizer.model.problems import error

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.layouts import Layout

KINDS = {".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF to print"}
"""Suffixes and titles of the kinds of picture that can be written."""

ON_PAPER = Overlays(locks=False)
"""The overlays unless others are asked for."""

THEMES = {
    "light": "Pictures on light",
    "dark": "Pictures on dark",
    **{name: title for name, title in COLOUR_SETS if name != "pictures"},
}
"""Names and titles of the themes and colour sets that a picture can have."""

HEX_MM = 38.0
"""The size of a hex if none is asked for: that of common tabletop hexes."""

HEX_PIXELS = 120
"""The pixels of a hex of a PNG, flat to flat, if no size is asked for."""

USUAL_PIXELS = 32_000_000
"""A PNG whose size nobody asks for has about as many pixels at most."""

DOTS_PER_INCH = 300.0
"""The resolution of a PNG of a size in millimetres."""

LEAST_PIXELS, MOST_HEX_PIXELS = 1.0, 4000.0
"""The pixels that a hex may have."""

BORDER = 0.1
"""Room around a map without names of entry sides, for the line of its edge, in map units."""


def picture_theme(name: str) -> Theme:
    """The theme of one of ``THEMES``. Raises KeyError for another name."""
    return theme(name) if name in ("light", "dark") else theme("light", name)


def usual_hex_pixels(cells: int) -> float:
    """The pixels of a hex of a PNG of so many cells, if no size is asked for."""
    return float(max(1, min(HEX_PIXELS, int((USUAL_PIXELS / cells) ** 0.5))))


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """How a picture is to be made.

    ``hex_mm`` is the size of a hex, see ``page_plan``; None: as large as one page holds. ``pixels``
    is the same in pixels, for PNGs; None: from ``hex_mm``. ``paper`` is one of
    ``page_plan.PAPERS``; None: a page as large as the picture. ``orientation`` is that of
    ``page_plan.sheets``. ``margin``, ``overlap`` (of the pages of a ``poster``) and ``head`` (room
    for a title at the top of a page) are millimetres. ``overview``: a poster begins with a page
    that shows how the others lie.
    """

    hex_mm: float | None = HEX_MM
    pixels: float | None = None
    paper: str | None = None
    orientation: str = "auto"
    margin: float = 10.0
    poster: bool = False
    overlap: float = 10.0
    overview: bool = True
    head: float = 0.0
    theme: Theme = field(default_factory=partial(picture_theme, "light"))
    overlays: Overlays = ON_PAPER
    pictures: Pictures = field(default_factory=OwnPictures)

    @property
    def size_mm(self) -> float:
        """The size of a hex on a picture that has no paper."""
        return HEX_MM if self.hex_mm is None else self.hex_mm

    def box(self, battlemap: BattleMap) -> Box:
        """The map with the room around it that belongs to the picture, in map units."""
        named = self.overlays.entry_sides and battlemap.system.entry_sides
        return picture_box(battlemap.grid, MARGIN if named else BORDER)

    def plan(self, battlemap: BattleMap) -> PagePlan:
        """How the picture lies on its pages. Raises ProblemError if it does not fit on them."""
        box, layout = self.box(battlemap), battlemap.grid.layout
        if self.paper is None:
            return own_page(box, layout, self.size_mm)
        lying = sheets(self.paper, self.orientation, self.margin, self.head)
        if self.poster:
            return poster(box, layout, lying, self.size_mm, self.overlap)
        return one_page(box, layout, lying, self.hex_mm)

    def pixels_per_unit(self, layout: Layout) -> float:
        """The scale of a PNG. Raises ProblemError for hexes that are too small or too large."""
        pixels = self.pixels
        if pixels is None:
            check_hex_mm(self.size_mm, layout)
            pixels = self.size_mm * DOTS_PER_INCH / MM_PER_INCH
        if not LEAST_PIXELS <= pixels <= MOST_HEX_PIXELS:
            raise error(
                "pixels",
                f"a {cell_words(layout).cell} of {pixels:g} pixels cannot be drawn "
                f"({LEAST_PIXELS:g} to {MOST_HEX_PIXELS:g})",
            )
        return pixels / across(layout)
