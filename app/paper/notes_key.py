"""The key: all notes of a map, and its regions, on numbered pages after the map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.paper.columns import Section, paint_columns, set_in_columns
from app.paper.page_plan import sheets
from app.paper.picture_request import PAPER, PAPER_MARGIN
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of, region_lines
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.paper.page_painter import PaintPage
    from app.paper.page_plan import PagePlan, Sheet
    from app.paper.picture_request import PictureRequest

HEAD_MM = 9.0
"""The room for the title at the top of a page."""


def key_pages(
    request: PictureRequest,
    plan: PagePlan,
    battlemap: BattleMap,
    composite: Composite,
    heading: str,
) -> list[tuple[Sheet, PaintPage]]:
    """Return the pages of the key with their sheets; none for a map without notes.

    They are as the map's pages; where that is one as large as the map, usual paper.
    """
    if request.key and request.overlays.things:
        notes = notes_of(battlemap)
    else:
        notes = []
    if not notes:
        return []
    paper = request.paper or str(PAPER.default)
    margin = request.margin
    if request.paper is None:
        margin = float(str(PAPER_MARGIN.default))
    if plan.sheet.width > plan.sheet.height:
        way = "landscape"
    else:
        way = "portrait"
    (sheet,) = sheets(paper, way, margin, HEAD_MM)
    sections = [Section(note.heading, note.lines) for note in notes]
    regions = list(region_lines(battlemap, composite))
    if regions:
        sections.append(Section("Regions", regions))
    pages = set_in_columns(sections, sheet)
    return [
        (
            sheet,
            partial(
                paint_columns,
                columns=columns,
                sheet=sheet,
                heading=f"{heading}: key, page {number} of {len(pages)}",
            ),
        )
        for number, columns in enumerate(pages, 1)
    ]
