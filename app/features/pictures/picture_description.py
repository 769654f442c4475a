"""What a request for a picture makes of a map, as the dialog for pictures describes it.

    describer = PictureDescriber(open_map)
    description = describer.describe(request, ".pdf")
    description.text        # "1 page; the map is 180 x 250 mm, hexes 20.0 mm"

Nothing is drawn here. A ``TablesDescriber`` (tables_dialog.py) describes many maps instead of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.features.pictures.picture_texts import (
    text_about_cells,
    text_about_names,
    text_about_notes,
    text_of_pages,
)
from app.paper.bitmaps import png_size
from app.paper.detail import text_scale
from app.paper.map_part import CELL_DETAIL, SCREEN_DOTS_PER_MM
from app.paper.picture_request import TABLES, PictureRequest
from app.paper.virtual_table import cannot_draw_grid
from app.render.vector.picture_names import names_without_room
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of
from randomizer.model.planes.composite import Composite
from randomizer.model.players_view import players_view

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.paper.page_plan import PagePlan

MEASURED_KINDS = (".svg", ".pdf")
"""The kinds of pictures whose size is in millimetres; that of the others is in pixels."""

SQUARES_ONLY = "Universal VTT has squares only: turn the table's grid off, keep Grid lines here"
"""The hint about a map of hexes for a virtual table that can draw squares only."""


class ShownMap(NamedTuple):
    """The map of a picture; one for players is without secrets."""

    battlemap: BattleMap
    composite: Composite


class Description(NamedTuple):
    """What the dialog tells and shows of a picture before it is made."""

    text: str
    """Its size or its pages, and what is noteworthy about its cells, notes and names."""

    left_out_names: tuple[str, ...]
    """The names that the picture has no room for, the most important first."""

    plan: PagePlan | None
    """The plan of its pages; None for a picture whose size is in pixels."""

    scale_on_paper: float | None
    """The scale of names on the pages of ``plan``, in dots of a screen a map unit.

    None for a picture in pixels, whose names are scaled with its cells.
    """


class PictureDescriber:
    """Describes pictures of one map."""

    has_key_pages = True
    """True if pages with the key of the notes can follow the map in a PDF.

    ``TablesDescriber`` has False: its lists follow.
    """

    def __init__(self, open_map: OpenMap) -> None:
        self._open_map = open_map

    def describe(self, request: PictureRequest, kind: str) -> Description:
        """Return the description of a picture, which is written as a file of this kind (".pdf").

        Raises ProblemError if the values of the request cannot be used.
        """
        shown_map = self._shown_map(request)
        if kind in MEASURED_KINDS:
            description = self._describe_on_paper(request, kind, shown_map)
        else:
            description = self._describe_in_pixels(request, kind, shown_map)
        notes = text_about_notes(request, shown_map.battlemap)
        names = text_about_names(description.left_out_names)
        return description._replace(text=f"{description.text}{notes}{names}")

    def _describe_on_paper(
        self, request: PictureRequest, kind: str, shown_map: ShownMap
    ) -> Description:
        """Return the description of a picture with a size in millimetres, without notes and names.

        Raises ProblemError if the map does not fit on the pages.
        """
        battlemap, composite = shown_map
        plan = self.plan(request, shown_map)
        names_scale = plan.unit * SCREEN_DOTS_PER_MM
        cells_scale = names_scale * CELL_DETAIL  # paper shows finer details than a screen
        cells = text_about_cells(request, battlemap, cells_scale)
        text = f"{self.text_of_plan(request, plan)}{cells}"
        if kind == ".pdf" and self._is_key_asked_for(request) and notes_of(battlemap):
            text = f"{text}; pages with the key of the notes follow"
        names = names_without_room(battlemap, composite, request.overlays, names_scale)
        return Description(text, names, plan, names_scale)

    def _describe_in_pixels(
        self, request: PictureRequest, kind: str, shown_map: ShownMap
    ) -> Description:
        """Return the description of a picture with a size in pixels, without notes and names.

        Raises ProblemError if it is too large.
        """
        battlemap, composite = shown_map
        width, height = png_size(request, battlemap, composite)
        # Such a picture is drawn at the scale of the request, however large that is.
        cells_scale = request.pixels_per_unit(battlemap.grid.layout)
        names_scale = text_scale(request.box(battlemap, composite), cells_scale)
        cells = text_about_cells(request, battlemap, cells_scale)
        text = f"{width:,} x {height:,} pixels{cells}"
        if kind in TABLES and cannot_draw_grid(kind, battlemap.grid):
            text = f"{text}. {SQUARES_ONLY}"
        names = names_without_room(battlemap, composite, request.overlays, names_scale)
        return Description(text, names, plan=None, scale_on_paper=None)

    def _is_key_asked_for(self, request: PictureRequest) -> bool:
        """Return whether pages with the texts of the map's notes follow, if it has any."""
        return self.has_key_pages and request.key and request.overlays.things

    def _shown_map(self, request: PictureRequest) -> ShownMap:
        """Return the map that the picture shows, with its composite."""
        battlemap = self._open_map.battlemap
        if request.overlays.players:
            view = players_view(battlemap)
            if view is not battlemap:  # it is the same if nothing on the map is secret
                return ShownMap(view, view.composite())
        return ShownMap(battlemap, self._open_map.live_composite())

    def plan(self, request: PictureRequest, shown_map: ShownMap) -> PagePlan:
        """Return how a map lies on its pages. Raises ProblemError if it does not fit on them."""
        return request.plan(shown_map.battlemap, shown_map.composite)

    def text_of_plan(self, request: PictureRequest, plan: PagePlan) -> str:
        """Return how the map lies on its pages, as text."""
        return text_of_pages(request, plan, self._open_map.battlemap.grid.layout)
