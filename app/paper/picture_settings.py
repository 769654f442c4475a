"""The settings of a picture or a print: for the dialog, the command line and the settings file.

Lengths are millimetres.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.paper.page_plan import PAPERS
from app.paper.picture_request import (
    HEX_PIXELS,
    KINDS,
    MOST_HEX_PIXELS,
    ON_PAPER,
    THEMES,
    PictureRequest,
)
from app.render.overlay_options import OVERLAYS
from randomizer.model.cell_words import cell_text, cell_words
from randomizer.model.setting import Setting

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout

_USUAL = PictureRequest()

KIND = Setting("kind", str, "", ".png", tuple(KINDS.items()), title="Kind of picture")
UNIT = Setting(
    "unit", str, "", "mm", (("mm", "mm"), ("inches", "inches")), title="Unit of the size"
)
PAPER = Setting("paper", str, "", "A4", tuple((name, name) for name in PAPERS), title="Paper")
ORIENTATION = Setting(
    "orientation",
    str,
    "How the paper lies",
    _USUAL.orientation,
    (("auto", "As suits the map"), ("portrait", "Upright"), ("landscape", "Lying")),
    title="How the paper lies",
)
MARGIN = Setting(
    "margin",
    float,
    "On every side of a page; printers leave out about 6 mm",
    _USUAL.margin,
    least=0,
    most=60,
    title="Margin",
)
OVERLAP = Setting(
    "overlap",
    float,
    "What neighbouring pages of a poster have in common, for glue",
    _USUAL.overlap,
    least=0,
    most=60,
    title="Overlap",
)
OVERVIEW = Setting(
    "overview",
    bool,
    "Begin a poster with a page that shows how the others lie",
    _USUAL.overview,
    title="&Begin with a page that shows how the others lie",
)
COLOURS = Setting("colours", str, "The colours", "light", tuple(THEMES.items()), title="Colours")


def shown(layout: Layout) -> tuple[Setting, ...]:
    """The fields of ``Overlays``."""
    return tuple(
        Setting(
            name,
            bool,
            cell_text(words, layout),
            getattr(ON_PAPER, name),
            title=cell_text(title, layout).replace("&", ""),  # its letter is for the menu
        )
        for name, (title, words) in OVERLAYS.items()
    )


def pixels(layout: Layout) -> Setting:
    """How many pixels a cell of a PNG has."""
    cell = cell_words(layout).cell
    return Setting(
        "pixels",
        int,
        f"How wide a {cell} is in the picture{flat_to_flat(layout)}",
        HEX_PIXELS,
        least=1,
        most=int(MOST_HEX_PIXELS),
        title=f"Pixels a {cell}",
    )


def way(layout: Layout, *, printing: bool) -> Setting:
    """How a map comes onto paper; a printer has no paper as large as the map."""
    cells = cell_words(layout).cells
    choices = (
        ("fit", f"One page, {cells} as large as fit"),
        ("page", f"One page, {cells} of this size"),
        ("poster", "A poster of several pages"),
        ("own", "A page as large as the map"),
    )
    return Setting(
        "way",
        str,
        "",
        "fit",
        tuple(each for each in choices if not (printing and each[0] == "own")),
        title="How the map comes onto paper",
    )


def flat_to_flat(layout: Layout) -> str:
    """How the width of a cell is measured, as the end of a sentence; "" for squares."""
    return ", from flat to flat" if layout.degree == 6 else ""
