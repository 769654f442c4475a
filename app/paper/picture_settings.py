"""The settings of a picture of a map: what its dialog, the command line and the settings file ask.

``picture_settings`` and ``overlay_settings`` are the settings of the dialog; ``make_request`` makes
a ``PictureRequest`` of their values::

    values = form.values()      # {"kind": ".pdf", "way": "poster", "size": 38.0, ...}
    request = make_request(".pdf", values, overlays)

Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from app.paper.page_plan import MAX_HEX_MM, PAPERS, Orientation
from app.paper.picture_request import (
    HEX_MM,
    HEX_PIXELS,
    KINDS,
    MAX_HEX_PIXELS,
    ON_PAPER,
    TABLES,
    THEMES,
    FittedPage,
    OwnPage,
    Pages,
    PictureRequest,
    Poster,
    ScaledPage,
    picture_theme,
)
from app.render.overlay_choices import CONTOUR_STEP, CONTOUR_STEPS
from app.render.overlay_options import OVERLAYS, Overlays
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting


class WayOntoPaper(StrEnum):
    """The layout of a picture on the pages of a print or a PDF."""

    FIT = "fit"
    """On one page, with cells as large as fit."""

    PAGE = "page"
    """On one page, with cells of a chosen size."""

    POSTER = "poster"
    """On as many pages as cells of a chosen size need."""

    OWN = "own"
    """On one page that is as large as the picture, with cells of a chosen size."""


KIND = Setting(
    "kind",
    str,
    help="",
    default=".png",
    choices=tuple((KINDS | TABLES).items()),
    title="&Kind",
)
FOLDER = Setting(
    "folder",
    str,
    help="Where in the data of Foundry the picture will lie",
    default="",
    title="&Folder in Foundry",
    unset="may be empty; such as worlds/moor",
)
WALLS = Setting(
    "walls",
    bool,
    help="Nobody at the table looks through woods, mountains, houses, walls and cliffs",
    default=True,
    title="&Walls where the ground blocks sight",
)
UNIT = Setting(
    "unit",
    str,
    help="",
    default="mm",
    choices=(("mm", "mm"), ("inches", "inches")),
    title="Unit of the size",
    beside=True,
)
"""The unit that the dialog shows the size in; the value of the size is in millimetres in each."""
PAPER = Setting(
    "paper",
    str,
    help="",
    default="A4",
    choices=tuple((name, name) for name in PAPERS),
    title="Paper",
)
ORIENTATION = Setting(
    "orientation",
    str,
    help="How the paper lies",
    default=PictureRequest().orientation.value,
    choices=(
        (Orientation.AUTO.value, "As suits the map"),
        (Orientation.PORTRAIT.value, "Upright"),
        (Orientation.LANDSCAPE.value, "Lying"),
    ),
    title="How the paper lies",
    beside=True,
)
PAPER_MARGIN = Setting(
    "margin",
    float,
    help="On every side of a page; printers leave out about 6 mm",
    default=PictureRequest().margin,
    minimum=0,
    maximum=60,
    title="&Margin",
    unit="mm",
    decimals=1,
)
OVERLAP = Setting(
    "overlap",
    float,
    help="What neighbouring pages of a poster have in common, for glue",
    default=PictureRequest().overlap,
    minimum=0,
    maximum=60,
    title="&Overlap",
    unit="mm",
    decimals=1,
)
OVERVIEW = Setting(
    "overview",
    bool,
    help="Begin a poster with a page that shows how the others lie",
    default=PictureRequest().overview,
    title="&Begin with a page that shows how the others lie",
)
KEY = Setting(
    "key",
    bool,
    help="After the map: pages with all notes, numbered as on the map",
    default=PictureRequest().key,
    title="&Key of the notes on pages of their own",
)
COLOURS = Setting(
    "colours",
    str,
    help="The colours",
    default="light",
    choices=tuple(THEMES.items()),
    title="&Colours",
)


def _contour_title(step: int) -> str:
    """Return the title of the choice of contour lines every ``step`` of height; 0: none."""
    if step == 0:
        return "No contour lines"
    return f"Contour lines every {step}"


CONTOURS = Setting(
    CONTOUR_STEP,
    int,
    help="A line wherever the land passes a multiple of so much height",
    default=0,
    choices=tuple((step, _contour_title(step)) for step in CONTOUR_STEPS),
    title="Contour lines",
)


def overlay_settings(
    layout: Layout, overlays: Overlays = ON_PAPER, battlemap: BattleMap | None = None
) -> tuple[Setting, ...]:
    """Return a setting for each of ``OVERLAYS``, whose defaults are ``overlays``.

    With a map only for the overlays that it can show, whose titles are those of the menu *View*.
    """
    settings = []
    for name, overlay in OVERLAYS.items():
        title = overlay.title
        if battlemap is not None:
            if not overlay.offered(battlemap):
                continue
            title = overlay.title_of(battlemap)
        title = cell_text(title, layout).replace("&", "")  # the & marks a letter for the menu
        about = cell_text(overlay.help, layout)
        settings.append(Setting(name, bool, help=about, default=overlays.shows(name), title=title))
    return tuple(settings)


def picture_settings(layout: Layout, *, paged: bool) -> tuple[Setting, ...]:
    """Return the settings of a dialog for pictures but for the overlays.

    Their texts have the words for the cells of a layout. ``paged`` is True for a print or a PDF of
    tables: for both the kind is known, and no page as large as the map is offered.
    """
    cell = cell_words(layout).cell
    cells = cell_words(layout).cells
    measured_where = ""
    measured_how = ""
    if layout.degree == 6:
        measured_where = ", from flat to flat"
        measured_how = ", as tabletop hexes are measured"
    pixels = Setting(
        "pixels",
        int,
        help=f"How wide a {cell} is in the picture{measured_where}",
        default=HEX_PIXELS,
        minimum=1,
        maximum=int(MAX_HEX_PIXELS),
        title=f"&Pixels a {cell}",
    )
    ways_onto_paper = [
        (WayOntoPaper.FIT.value, f"One page, {cells} as large as fit"),
        (WayOntoPaper.PAGE.value, f"One page, {cells} of this size"),
        (WayOntoPaper.POSTER.value, "A poster of several pages"),
    ]
    if not paged:
        ways_onto_paper.append((WayOntoPaper.OWN.value, "A page as large as the map"))
    way = Setting(
        "way",
        str,
        help="",
        default=WayOntoPaper.FIT.value,
        choices=tuple(ways_onto_paper),
        title="O&n paper",
    )
    size = Setting(
        "size",
        float,
        help=f"How wide a {cell} is on paper{measured_where}{measured_how}",
        default=HEX_MM,
        minimum=0,
        maximum=int(MAX_HEX_MM),
        title=f"Size of a {cell}",
    )
    paper = (PAPER, ORIENTATION, PAPER_MARGIN, OVERLAP, OVERVIEW, KEY)
    settings = (FOLDER, WALLS, pixels, way, size, UNIT, *paper, COLOURS)
    if paged:
        return settings
    return (KIND, *settings)


def make_request(
    kind: str, values: Mapping[str, Any], overlays: Overlays = ON_PAPER, **more: Any
) -> PictureRequest:
    """Return the request for a picture of ``KINDS`` or ``TABLES``.

    ``more`` are further fields of the request. ``values`` are those of the settings, by name; other
    names are left alone. ``key`` and ``walls`` may be missing. ``size``, in millimetres whatever
    ``UNIT`` says, and ``pixels`` can be None. A PNG with both has so many pixels, and its file says
    that a hex is so many millimetres wide.
    """
    hex_mm = values["size"]
    pages: Pages = OwnPage(hex_mm)
    pixels = None
    match kind:
        case ".pdf":
            pages = _pages(WayOntoPaper(values["way"]), values["paper"], hex_mm)
        case ".svg":
            pass
        case _:  # a PNG, or a file for a virtual table, which holds one
            pixels = values["pixels"]
    return PictureRequest(
        pages=pages,
        pixels=pixels,
        orientation=Orientation(values["orientation"]),
        margin=values["margin"],
        overlap=values["overlap"],
        overview=values["overview"],
        key=values.get(KEY.name, KEY.default),
        walls=values.get(WALLS.name, WALLS.default),
        theme=picture_theme(values["colours"]),
        overlays=overlays,
        **more,
    )


def _pages(way: WayOntoPaper, paper: str, hex_mm: float | None) -> Pages:
    """Return the pages of a PDF; ``hex_mm`` None stands for the default size of a hex."""
    if hex_mm is None:
        hex_mm = HEX_MM
    match way:
        case WayOntoPaper.FIT:
            return FittedPage(paper)
        case WayOntoPaper.PAGE:
            return ScaledPage(paper, hex_mm)
        case WayOntoPaper.POSTER:
            return Poster(paper, hex_mm)
        case WayOntoPaper.OWN:
            return OwnPage(hex_mm)
