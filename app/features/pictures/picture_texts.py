"""The sentences of the dialog for pictures: what will be made, what has no room, what was made.

The clauses about cells, notes and names follow the first text in the status of the dialog: "1 page;
the map is 180 x 250 mm, hexes 20.0 mm; no room for 2 names: Oxford, Ham". So each of them begins
with a semicolon, or is "".
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.paper.picture_request import PictureRequest
from app.render.level_of_detail import LABELS_FROM, cell_size
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan
    from app.paper.virtual_table import TableExport
    from randomizer.model.grid.layouts import Layout

MAX_NAMES_IN_STATUS = 6
"""The most names without room that stand in the status; its tool tip has them all."""

LETTERS_OF_LINE = 80
"""The length of the lines of that tool tip, in letters."""


def text_of_pages(request: PictureRequest, plan: PagePlan, layout: Layout) -> str:
    """Return on how many pages a map lies, and how; ``plan`` is that of the request."""
    count = plan.columns * plan.rows
    arrangement = ""
    if request.has_overview(plan):
        arrangement = f" ({plan.columns} x {plan.rows} plus an overview)"
        count += 1
    elif count > 1:
        arrangement = f" ({plan.columns} x {plan.rows})"
    pages = f"{counted(count, 'page')}{arrangement}"
    return (
        f"{pages}; the map is {plan.width:.0f} x {plan.height:.0f} mm, "
        f"{cell_words(layout).cells} {plan.hex_mm(layout):.1f} mm"
    )


def text_about_cells(request: PictureRequest, battlemap: BattleMap, cell_scale: float) -> str:
    """Return a warning if cells are too small for the texts that are asked for; else "".

    ``cell_scale`` is in logical pixels a map unit.
    """
    grid = battlemap.grid
    are_texts_asked_for = request.overlays.labels or request.overlays.names
    if are_texts_asked_for and cell_size(grid, cell_scale) < LABELS_FROM:
        return f"; {cell_words(grid.layout).cells} so small get no texts"
    return ""


def text_about_notes(request: PictureRequest, battlemap: BattleMap) -> str:
    """Return how many notes the players' map shows, and how to hide them; "" if none.

    ``battlemap`` is the map as players see it. A game master's note is shown to the players unless
    it is marked as secret.
    """
    if not (request.overlays.players and request.overlays.things):
        return ""
    count = len(notes_of(battlemap))
    if not count:
        return ""
    return f"; players see {counted(count, 'note')}: tick Secret at a note to hide it"


def text_about_names(left_out_names: Sequence[str]) -> str:
    """Return which names have no room; "" if all have."""
    if not left_out_names:
        return ""
    count = counted(len(left_out_names), "name")
    first_names = ", ".join(left_out_names[:MAX_NAMES_IN_STATUS])
    further = len(left_out_names) - MAX_NAMES_IN_STATUS
    if further <= 0:
        return f"; no room for {count}: {first_names}"
    return f"; no room for {count}: {first_names} and {further:,} more (point here to read all)"


def tip_with_names(left_out_names: Sequence[str]) -> str:
    """Return all names that have no room, in lines for a tool tip; "" if all have."""
    if not left_out_names:
        return ""
    # Tool tips of plain text do not wrap by themselves.
    return textwrap.fill(f"No room for: {', '.join(left_out_names)}", LETTERS_OF_LINE)


def text_about_table(written: TableExport) -> str:
    """Return the message about the files for a virtual table, and where to read what is next."""
    names = listed(written.names)
    instructions_name = written.names[-1]  # the last file says how to load the first
    text = (
        f"Exported {names} to {written.path.parent.name}: {instructions_name} says what to do next"
    )
    return ". ".join((text, *written.losses))
