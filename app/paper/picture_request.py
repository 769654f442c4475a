"""What is asked for when a map is exported as a picture or printed.

The settings are for the dialog, the command line and the settings file; ``make_request`` turns
their values into a request. Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from app.paper.page_plan import (
    MM_PER_INCH,
    MOST_MM,
    PAPERS,
    Box,
    PagePlan,
    across,
    check_hex_mm,
    one_page,
    own_page,
    picture_box,
    poster,
    sheets,
    title_room,
)
from app.render.level_of_detail import MARGIN
from app.render.overlay_choices import CONTOUR_STEP, CONTOUR_STEPS
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.legend import legend_of_picture
from app.render.style import style_of
from app.render.theme import COLOUR_SETS, Theme, theme
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError, error
from randomizer.model.settings.setting import Setting
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.property import PropertyKind
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

KINDS = {".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF to print"}
"""Suffixes and titles of the kinds of picture that can be written."""

TABLES = {".json": "Foundry scene", ".uvtt": "Universal VTT"}
"""The same of files for virtual tables, which have a picture (``virtual_table``)."""

ON_PAPER = Overlays(locks=False)
"""The overlays unless others are asked for, of a map of no known kind."""

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

LEAST_PIXELS = 1.0
MOST_HEX_PIXELS = 4000.0
"""The pixels that a hex may have."""

BORDER = 0.1
"""Room around a map without names of entry sides, for the line of its edge, in map units."""


def titles_of(system: System, composite: Composite) -> tuple[str, str]:
    """Return the title and the subtitle of a map, "" where it has none.

    The scale of a map is a text, too, and no title: it stands below the map.
    """
    texts = []
    for text_property in system.properties:
        if text_property.kind is PropertyKind.TEXT and text_property.name != SCALE:
            texts.append(text_property.of(composite.properties))
    given = [text for text in texts if text]
    if not given:
        return "", ""
    return given[0], " - ".join(given[1:])


def paper_overlays(system: System, terrain_set: TerrainSet) -> Overlays:
    """Return the overlays of pictures of a kind of map, unless others are asked for."""
    return replace(style_of(system).overlays(system, terrain_set), locks=ON_PAPER.locks)


def picture_theme(name: str) -> Theme:
    """Return the theme of one of ``THEMES``. Raises KeyError for another name."""
    if name in ("light", "dark"):
        return theme(name)
    return theme("light", name)


def usual_hex_pixels(cells: int) -> float:
    """Return the pixels of a hex of a PNG of so many cells, if no size is asked for."""
    return float(max(1, min(HEX_PIXELS, int((USUAL_PIXELS / cells) ** 0.5))))


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """The choices for one picture of a map.

    ``hex_mm`` is the size of a hex, see ``page_plan``; None: as large as one page holds. ``pixels``
    is the same in pixels, for PNGs; None: from ``hex_mm``. ``paper`` is one of
    ``page_plan.PAPERS``; None: a page as large as the picture. ``orientation`` is that of
    ``page_plan.sheets``. ``margin``, ``overlap`` (of the pages of a ``poster``) and ``head`` (room
    for a title at the top of a page) are millimetres. ``overview``: a poster begins with a page
    that shows how the others lie. ``key``: notes follow a PDF's map on pages of their own.
    ``flush``: a PNG has no room around the map, which begins at its first pixel. ``name`` is the
    caption of a map without a title: that of its file.
    """

    hex_mm: float | None = HEX_MM
    pixels: float | None = None
    paper: str | None = None
    orientation: str = "auto"
    margin: float = 10.0
    poster: bool = False
    overlap: float = 10.0
    overview: bool = True
    key: bool = True
    walls: bool = True
    """Whether a file for a virtual table has walls where terrains and hexsides block sight."""

    head: float = 0.0
    flush: bool = False
    name: str = ""
    theme: Theme = field(default_factory=partial(picture_theme, "light"))
    overlays: Overlays = ON_PAPER
    pictures: Pictures = field(default_factory=Pictures)

    @property
    def size_mm(self) -> float:
        """The size of a hex on a picture that has no paper."""
        return HEX_MM if self.hex_mm is None else self.hex_mm

    def page_titles(self, battlemap: BattleMap, composite: Composite) -> tuple[str, str]:
        """Return the title and the subtitle above the map of a single page, "" where it has none.

        Other pages have them in their heading.
        """
        has_heading = self.poster or self.head > 0
        if self.paper is None or self.pixels is not None or has_heading:
            return "", ""
        return titles_of(battlemap.system, composite)

    def box(self, battlemap: BattleMap, composite: Composite) -> Box:
        """Return the map with the room around it that belongs to the picture, in map units.

        The legend lies in that room.
        """
        shown = self.overlays
        has_names = shown.rulers or (shown.entry_sides and battlemap.system.entry_sides)
        if self.flush:
            room = 0.0
        elif has_names:
            room = MARGIN
        else:
            room = BORDER
        box = picture_box(battlemap.grid, room)
        is_titled = any(self.page_titles(battlemap, composite))
        legend = legend_of_picture(battlemap, composite, shown, is_titled=is_titled)
        if legend is None:
            return box
        return Box(
            box.left,
            box.top,
            max(box.right, legend.box.right() + room),
            max(box.bottom, legend.box.bottom() + room),
        )

    def plan(self, battlemap: BattleMap, composite: Composite) -> PagePlan:
        """Return how the picture lies on its pages.

        Raises ProblemError if it does not fit on them.
        """
        box = self.box(battlemap, composite)
        layout = battlemap.grid.layout
        if self.paper is None:
            return own_page(box, layout, self.size_mm)
        lying = sheets(self.paper, self.orientation, self.margin, self.head)
        if self.poster:
            return poster(box, layout, lying, self.size_mm, self.overlap)
        titles = self.page_titles(battlemap, composite)
        if any(titles):
            below = sheets(self.paper, self.orientation, self.margin, title_room(titles))
            # With cells of the size that is asked for the page may have no room for titles.
            with suppress(ProblemError):
                return one_page(box, layout, below, self.hex_mm, titles)
        return one_page(box, layout, lying, self.hex_mm)

    def pixels_per_unit(self, layout: Layout) -> float:
        """Return scale of a PNG. Raises ProblemError for hexes that are too small or too large."""
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


OVERLAND_UNITS = frozenset({"mile", "miles", "mi", "km", "kilometres", "league", "leagues"})
"""Where a cell is counted in these, a wood is a country and no wall between two rooms."""


def has_walls_at_first(battlemap: BattleMap, composite: Composite) -> bool:
    """Return whether walls are usual for a map on a virtual table: not on a map of countries."""
    width = battlemap.system.cell_width(battlemap, composite.properties)
    return width is None or width.unit.casefold() not in OVERLAND_UNITS


KIND = Setting("kind", str, "", ".png", tuple((KINDS | TABLES).items()), title="&Kind")
FOLDER = Setting(
    "folder",
    str,
    "Where in the data of Foundry the picture will lie, such as worlds/moor",
    "",
    title="&Folder in Foundry",
)
WALLS = Setting(
    "walls",
    bool,
    "Nobody at the table looks through woods, mountains, houses, walls and cliffs",
    True,
    title="&Walls where the ground blocks sight",
)
UNIT = Setting(
    "unit",
    str,
    "",
    "mm",
    (("mm", "mm"), ("inches", "inches")),
    title="Unit of the size",
    beside=True,
)
PAPER = Setting("paper", str, "", "A4", tuple((name, name) for name in PAPERS), title="Paper")
ORIENTATION = Setting(
    "orientation",
    str,
    "How the paper lies",
    PictureRequest().orientation,
    (("auto", "As suits the map"), ("portrait", "Upright"), ("landscape", "Lying")),
    title="How the paper lies",
    beside=True,
)
PAPER_MARGIN = Setting(
    "margin",
    float,
    "On every side of a page; printers leave out about 6 mm",
    PictureRequest().margin,
    least=0,
    most=60,
    title="&Margin",
    unit="mm",
    decimals=1,
)
OVERLAP = Setting(
    "overlap",
    float,
    "What neighbouring pages of a poster have in common, for glue",
    PictureRequest().overlap,
    least=0,
    most=60,
    title="&Overlap",
    unit="mm",
    decimals=1,
)
OVERVIEW = Setting(
    "overview",
    bool,
    "Begin a poster with a page that shows how the others lie",
    PictureRequest().overview,
    title="&Begin with a page that shows how the others lie",
)
KEY = Setting(
    "key",
    bool,
    "After the map: pages with all notes, numbered as on the map",
    PictureRequest().key,
    title="&Key of the notes on pages of their own",
)
COLOURS = Setting("colours", str, "The colours", "light", tuple(THEMES.items()), title="&Colours")


CONTOURS = Setting(
    CONTOUR_STEP,
    int,
    "A line wherever the land passes a multiple of so much height",
    0,
    tuple(
        (step, f"Contour lines every {step}" if step else "No contour lines")
        for step in CONTOUR_STEPS
    ),
    title="Contour lines",
)


def overlay_settings(
    layout: Layout, overlays: Overlays = ON_PAPER, battlemap: BattleMap | None = None
) -> tuple[Setting, ...]:
    """Return a setting for each of ``OVERLAYS``, whose defaults are ``overlays``.

    With a map only for those that it can show, called as in the menu *View* of that map.
    """
    settings = []
    for name, overlay in OVERLAYS.items():
        title = overlay.title
        if battlemap is not None:
            if not overlay.offered(battlemap):
                continue
            title = overlay.title_of(battlemap)
        title = cell_text(title, layout).replace("&", "")  # its letter is for the menu
        about = cell_text(overlay.help, layout)
        settings.append(Setting(name, bool, about, overlays.shows(name), title=title))
    return tuple(settings)


def picture_settings(layout: Layout, *, paged: bool) -> tuple[Setting, ...]:
    """Return what a dialog asks, beside the overlays, in the words for the cells of a layout.

    ``paged``: the picture is a print or a PDF of pages, so that neither its kind is asked nor a
    page as large as the map is offered.
    """
    cell = cell_words(layout).cell
    cells = cell_words(layout).cells
    flat = ""
    like = ""
    if layout.degree == 6:
        flat = ", from flat to flat"
        like = ", as tabletop hexes are measured"
    pixels = Setting(
        "pixels",
        int,
        f"How wide a {cell} is in the picture{flat}",
        HEX_PIXELS,
        least=1,
        most=int(MOST_HEX_PIXELS),
        title=f"&Pixels a {cell}",
    )
    ways = (
        ("fit", f"One page, {cells} as large as fit"),
        ("page", f"One page, {cells} of this size"),
        ("poster", "A poster of several pages"),
        *(() if paged else (("own", "A page as large as the map"),)),
    )
    way = Setting("way", str, "", "fit", ways, title="O&n paper")
    size = Setting(
        "size",
        float,
        f"How wide a {cell} is on paper{flat}{like}",
        HEX_MM,
        least=0,
        most=int(MOST_MM),
        title=f"Size of a {cell}",
    )
    paper = (PAPER, ORIENTATION, PAPER_MARGIN, OVERLAP, OVERVIEW, KEY)
    return (*(() if paged else (KIND,)), FOLDER, WALLS, pixels, way, size, UNIT, *paper, COLOURS)


def make_request(
    kind: str, values: Mapping[str, Any], overlays: Overlays = ON_PAPER, **more: Any
) -> PictureRequest:
    """Return the request for a picture of ``KINDS`` or ``TABLES``; ``more`` are further fields.

    ``values`` are those of the settings, by name; ``size`` and ``pixels`` can be None. A PNG with
    both has so many pixels, and says how large it is. ``overlays`` are drawn.
    """
    on_pages = kind == ".pdf"
    return PictureRequest(
        hex_mm=None if on_pages and values["way"] == "fit" else values["size"],
        pixels=values["pixels"] if kind not in (".svg", ".pdf") else None,
        paper=values["paper"] if on_pages and values["way"] != "own" else None,
        orientation=values["orientation"],
        margin=values["margin"],
        poster=values["way"] == "poster",
        overlap=values["overlap"],
        overview=values["overview"],
        key=values.get(KEY.name, KEY.default),
        walls=values.get(WALLS.name, WALLS.default),
        theme=picture_theme(values["colours"]),
        overlays=overlays,
        **more,
    )
