"""Pages to look at: titles, a frame, the legend below the map, and files that are not large."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting
from app.paper.map_drawing import page_map
from app.paper.page_painter import map_pages
from app.paper.picture_request import (
    FittedPage,
    OwnPage,
    PictureRequest,
    Poster,
    ScaledPage,
    paper_overlays,
    picture_theme,
)
from randomizer.catalog.generators import generators_of
from randomizer.generator_run import run
from randomizer.model.edits.value_edits import set_property
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from randomizer.systems.free.system import SYSTEM, free_map
from tests.app.cordery_tables import rolled_table
from tests.app.paper.conftest import table

DOTS_PER_MM = 4


def titled(title: str = "The Moor", subtitle: str = "") -> BattleMap:
    battlemap = free_map(FLAT, 12, 9)
    for name, text in (("title", title), ("subtitle", subtitle)):
        edit = set_property(battlemap, 1, name, text)
        if edit is not None:
            edit.apply(battlemap)
    return battlemap


def page_image(battlemap: BattleMap, request: PictureRequest) -> tuple[np.ndarray, QRectF]:
    """The darkness (0 to 255) of the first page, and where the map lies on it, in millimetres."""
    composite = battlemap.composite()
    plan = request.plan(battlemap, composite)
    drawn = page_map(request, plan, battlemap, composite)
    size = (plan.sheet.width * DOTS_PER_MM, plan.sheet.height * DOTS_PER_MM)
    image = QImage(*map(round, size), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    (page, *_more) = map_pages(drawn, plan, "", overview=False)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(DOTS_PER_MM, DOTS_PER_MM)
        for _ in page(painter):
            pass
    left, top = plan.origin(plan.pages()[0])
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)
    return 255 - pixels[:, : grey.width()], QRectF(left, top, plan.width, plan.height)


def part(darkness: np.ndarray, left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """A part of a page, in millimetres."""
    ends = (round(end * DOTS_PER_MM) for end in (top, bottom, left, right))
    first_row, last_row, first, last = ends
    return darkness[first_row:last_row, first:last]


PAGE = PictureRequest(pages=FittedPage("A4"))


def test_a_page_has_the_title_and_the_subtitle_above_the_map(qapp):
    plain, plain_map = page_image(titled(""), PAGE)
    with_title, below_title = page_image(titled(), PAGE)
    with_both, below_both = page_image(titled("The Moor", "at dawn"), PAGE)
    assert plain_map.top() < below_title.top() < below_both.top()
    for darkness, box, count in ((plain, plain_map, 0), (with_title, below_title, 1)):
        above = part(darkness, 20, 1, 277, box.top() - 3)
        assert bool((above > 200).any()) == bool(count)
    rows = (part(with_both, 20, 1, 277, below_both.top() - 3) > 100).any(axis=1)
    assert np.count_nonzero(np.diff(rows.astype(int)) == 1) == 2, "two lines of text"


def test_the_map_keeps_inside_the_margins_below_its_titles(qapp):
    battlemap = titled("The Moor", "at dawn")
    plan = PAGE.plan(battlemap, battlemap.composite())
    left, top = plan.origin(plan.pages()[0])
    assert left >= plan.sheet.margin - 1e-6
    assert top >= plan.sheet.margin + plan.sheet.head - 1e-6
    assert top + plan.height <= plan.sheet.height - plan.sheet.margin + 1e-6


def test_where_a_title_has_no_room_beside_cells_of_a_size_there_is_none(qapp):
    battlemap = titled()
    without = titled("")
    largest = PAGE.plan(without, without.composite()).hex_mm(FLAT)
    request = PictureRequest(pages=ScaledPage("A4", largest))
    plan = request.plan(battlemap, battlemap.composite())
    assert plan.titles == ("", "")
    assert plan.hex_mm(FLAT) == pytest.approx(largest)


def test_posters_and_pages_as_large_as_the_map_have_no_titles(qapp):
    battlemap = titled()
    for request in (
        PictureRequest(pages=Poster("A4", 38.0)),
        PictureRequest(pages=OwnPage(38.0)),
    ):
        assert request.plan(battlemap, battlemap.composite()).titles == ("", "")


def test_a_frame_lies_around_the_map_where_the_margin_has_room(qapp):
    for margin, is_framed in ((10.0, True), (3.0, False)):
        request = PictureRequest(pages=FittedPage("A4"), margin=margin)
        darkness, box = page_image(titled(""), request)
        beside = part(darkness, box.left() - 2.6, box.top() + 20, box.left() - 1.4, box.top() + 60)
        assert bool((beside > 200).any(axis=1).all()) == is_framed


def test_the_legend_of_a_titled_page_does_not_say_the_title_again(qapp):
    overlays = paper_overlays(SYSTEM, titled().terrain_set).having("legend", is_shown=True)
    request = PictureRequest(pages=FittedPage("A4"), overlays=overlays)
    on_page = request.box(titled(), titled().composite())
    in_picture = PictureRequest(pixels=40.0, overlays=overlays).box(titled(), titled().composite())
    assert on_page.height < in_picture.height
    assert on_page == request.box(titled(""), titled("").composite())


def test_the_legend_below_a_map_is_as_wide_as_the_map(qapp):
    battlemap = table(12, 9)
    overlays = paper_overlays(SYSTEM, battlemap.terrain_set).having("legend", is_shown=True)
    request = PictureRequest(pages=FittedPage("A4"), overlays=overlays)
    darkness, box = page_image(battlemap, request)
    rows = part(darkness, box.left(), box.bottom() - 12, box.right(), box.bottom() - 2)
    dark = np.flatnonzero((rows > 100).mean(axis=0) > 0.5) / DOTS_PER_MM  # upright lines
    assert dark.min() < 3
    assert dark.max() > box.width() - 3


def images_in(pdf: bytes) -> int:
    return pdf.count(b"/Subtype /Image")


@pytest.mark.deep
def test_the_ground_of_a_page_is_stored_as_one_picture(make):
    battlemap = table(16, 12)
    overlays = paper_overlays(SYSTEM, battlemap.terrain_set)
    bare = overlays.having("things", is_shown=False).having("entry_sides", is_shown=False)
    for name in ("elevation", "elevation_numbers", "labels", "cell_list", "hexsides"):
        bare = bare.having(name, is_shown=False)
    # In bands of a million pixels, none of which has a transparent part.
    assert images_in(make(".pdf", battlemap, pages=FittedPage("A4"), overlays=bare)) < 12


@pytest.mark.deep
def test_a_large_poster_is_stored_piece_by_piece(make):
    battlemap = table(16, 12)
    overlays = paper_overlays(SYSTEM, battlemap.terrain_set)
    data = make(".pdf", battlemap, pages=Poster("A4", 60.0), overlays=overlays)
    assert images_in(data) > 40


@pytest.mark.deep
def test_a_landscape_on_a_page_takes_less_than_four_megabytes(make):
    generator = next(iter(generators_of(SYSTEM)))
    empty = BattleMap.new(SYSTEM, Grid(FLAT, 60, 40), [Layer(1, "Ground")])
    base = Base.under(empty, 1)
    rolled = run(generator, {}, DrawKey(7, 0), base)
    assert rolled is not None
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, rolled)
    overlays = paper_overlays(SYSTEM, battlemap.terrain_set).having("legend", is_shown=True)
    data = make(".pdf", battlemap, pages=FittedPage("A4"), overlays=overlays)
    assert len(data) < 4_000_000


def test_a_small_map_with_pictures_takes_less_than_four_megabytes(make, battleland):
    """As shapes a table had 16 MB: each tuft of grass is some, and they lie on every hex."""
    wargame_table = rolled_table("hex", 7)
    sizes = {}
    for name, battlemap in (("table", wargame_table), ("battleland", battleland)):
        overlays = paper_overlays(battlemap.system, battlemap.terrain_set)
        request = {"pages": FittedPage("A4"), "overlays": overlays}
        data = make(".pdf", battlemap, **request)
        assert len(data) < 4_000_000, name
        assert images_in(data) > 0
        plan = overlays.having("plan", is_shown=True)
        request |= {"overlays": plan, "theme": picture_theme("print")}
        sizes[name] = len(make(".pdf", battlemap, **request))
    assert max(sizes.values()) < 1_000_000, "plans are shapes, which are small"
