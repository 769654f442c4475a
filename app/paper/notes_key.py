"""The key: all notes of a map, and its regions, on numbered pages after the map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.paper.columns import Section, columns_by_page, paint_columns
from app.paper.page_painter import SheetPage
from app.paper.page_plan import Orientation, sheets_of_paper
from app.paper.picture_request import OwnPage, PictureRequest
from app.paper.picture_settings import PAPER, PAPER_MARGIN
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of, region_lines
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan

HEAD_MM = 9.0
"""The room for the title at the top of a page."""


def key_pages(
    request: PictureRequest,
    plan: PagePlan,
    battlemap: BattleMap,
    composite: Composite,
    heading: str,
) -> list[SheetPage]:
    """Return the pages of the key with their sheets; none for a map without notes.

    None either where things, which the notes belong to, are not drawn. The sheets are like those of
    the map; where the map has a page of its own size (``OwnPage``), usual paper.
    """
    if not request.key or not request.overlays.things:
        return []
    notes = notes_of(battlemap)
    if not notes:
        return []

    if isinstance(request.pages, OwnPage):
        paper = str(PAPER.default)
        margin = float(str(PAPER_MARGIN.default))
    else:
        paper = request.pages.paper
        margin = request.margin
    if plan.sheet.width > plan.sheet.height:
        orientation = Orientation.LANDSCAPE
    else:
        orientation = Orientation.PORTRAIT
    (sheet,) = sheets_of_paper(paper, orientation, margin, HEAD_MM)

    sections = [Section(note.heading, note.lines) for note in notes]
    regions = list(region_lines(battlemap, composite))
    if regions:
        sections.append(Section("Regions", regions))
    pages = columns_by_page(sections, sheet)
    pages_on_sheet = []
    for number, columns in enumerate(pages, 1):
        page_heading = f"{heading}: key, page {number} of {len(pages)}"
        paint = partial(paint_columns, columns=columns, sheet=sheet, heading=page_heading)
        pages_on_sheet.append(SheetPage(sheet, paint))
    return pages_on_sheet
