from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.paper.page_plan import (
    PAPERS,
    Box,
    Orientation,
    PagePlan,
    Sheet,
    column_name,
    one_page,
    own_page,
    picture_box,
    poster,
    sheets_of_paper,
)
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.problems import ProblemError

BOTH = sheets_of_paper("A4", Orientation.AUTO, 10)
UPRIGHT = sheets_of_paper("A4", Orientation.PORTRAIT, 10)

plans = st.builds(
    lambda width, height, hex_mm, paper, orientation, margin, overlap: poster(
        Box(-1.0, -2.0, width, height),
        FLAT,
        sheets_of_paper(paper, orientation, margin),
        hex_mm,
        overlap,
    ),
    st.floats(1, 60),
    st.floats(1, 60),
    st.floats(2, 60),
    st.sampled_from(sorted(PAPERS)),
    st.sampled_from(Orientation),
    st.floats(0, 30),
    st.floats(0, 40),
)


def test_the_size_of_a_hex_is_flat_to_flat_and_that_of_a_square_its_side():
    assert FLAT.neighbour_distance == POINTY.neighbour_distance == pytest.approx(math.sqrt(3))
    assert SQUARE.neighbour_distance == 1


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_page_of_its_own_gives_hexes_their_size(layout):
    box = picture_box(Grid(layout, 4, 3), 0.5)
    plan = own_page(box, layout, 38)
    assert plan.hex_mm(layout) == pytest.approx(38)
    assert plan.width == pytest.approx(box.width * 38 / layout.neighbour_distance)
    assert 0 <= plan.sheet.width - plan.width < 25.4 / 72
    assert 0 <= plan.sheet.height - plan.height < 25.4 / 72


def test_a_battleland_column_is_as_high_as_its_hexes():
    """Six hexes of 38 mm in a column are 228 mm high, by ruler."""
    grid = Grid(FLAT, 1, 6)
    assert own_page(picture_box(grid, 0), FLAT, 38).height == pytest.approx(228)


@given(plans)
def test_the_pages_of_a_poster_cover_the_picture_once_and_share_the_overlap(plan: PagePlan):
    boxes = [page.box for page in plan.pages()]
    for axis, count in ((0, plan.columns), (1, plan.rows)):
        ends = sorted({(box[axis], box[axis + 2]) for box in boxes})
        assert len(ends) == count
        assert ends[0][0] == 0
        assert ends[-1][1] == pytest.approx((plan.width, plan.height)[axis])
        for (_, end), (begin, _) in pairwise(ends):
            assert end - begin == pytest.approx(plan.overlap, abs=1e-6)
    for box in boxes:
        assert 0 < box.width <= plan.sheet.inner_width + 1e-6
        assert 0 < box.height <= plan.sheet.inner_height + 1e-6


@given(plans)
def test_pages_cut_along_their_cuts_lie_edge_to_edge(plan: PagePlan):
    area = 0.0
    for page in plan.pages():
        xs, ys = plan.cuts_of(page)
        assert len(xs) >= 2
        assert len(ys) >= 2
        area += (xs[-1] - xs[0]) * (ys[-1] - ys[0])
    if plan.overlap == 0:
        assert area >= plan.width * plan.height - 1e-3
    inner = sum(
        (b - a) * (d - c) for a, b in pairwise(plan.cuts[0]) for c, d in pairwise(plan.cuts[1])
    )
    assert inner == pytest.approx(plan.width * plan.height)


@given(plans)
def test_neighbouring_pages_have_their_marks_at_the_same_points_of_the_map(plan: PagePlan):
    pages = plan.pages()
    for index, page in enumerate(pages):
        if (index + 1) % plan.columns:
            right = pages[index + 1]
            shared = set(plan.registration_marks(page)) & set(plan.registration_marks(right))
            assert len(shared) >= 2
            for x, y in shared:
                assert right.box.left - 1e-6 <= x <= page.box.right + 1e-6
                assert page.box.top - 1e-6 <= y <= page.box.bottom + 1e-6
        if index + plan.columns < len(pages):
            assert (
                len(
                    set(plan.registration_marks(page))
                    & set(plan.registration_marks(pages[index + plan.columns]))
                )
                >= 2
            )


def test_pages_are_named_by_column_and_row():
    plan = PagePlan(Box(0, 0, 300, 500), 1.0, Sheet(210, 297, 10), 2, 2, 10.0)
    assert [page.label for page in plan.pages()] == ["A1 of B2", "B1 of B2", "A2 of B2", "B2 of B2"]
    assert [column_name(i) for i in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_a_poster_has_as_many_pages_as_the_paper_needs():
    """Two A4 sheets with margins of 10 mm and 10 mm in common hold 370 mm, not more."""
    for width, columns in ((190, 1), (191, 2), (370, 2), (371, 3)):
        plan = poster(Box(0, 0, width, 100), SQUARE, UPRIGHT, 1, 10)
        assert (plan.columns, plan.rows) == (columns, 1)


def test_the_orientation_that_needs_fewer_pages_is_taken_and_the_one_with_larger_hexes():
    wide = Box(0, 0, 250, 150)
    assert poster(wide, SQUARE, BOTH, 1, 10).sheet.width == 297
    assert one_page(wide, SQUARE, BOTH, None).sheet.width == 297
    assert one_page(wide, SQUARE, UPRIGHT, None).unit == pytest.approx(0.76)


def test_a_single_page_lies_in_the_middle_of_its_sheet():
    plan = one_page(Box(0, 0, 10, 10), SQUARE, UPRIGHT, 10)
    (page,) = plan.pages()
    assert plan.origin(page) == pytest.approx((55, 98.5))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: own_page(Box(0, 0, 9, 9), FLAT, 0), "0 mm"),
        (lambda: own_page(Box(0, 0, 9, 9), FLAT, math.nan), "nan mm"),
        (lambda: own_page(Box(0, 0, 900, 9), FLAT, 38), "smaller hexes or a poster"),
        (lambda: sheets_of_paper("A4", Orientation.AUTO, 90), "90 mm of margin"),
        (
            lambda: one_page(Box(0, 0, 9, 9), SQUARE, BOTH, 38),
            "21.1 mm",
        ),
        (
            lambda: poster(Box(0, 0, 9, 9), SQUARE, BOTH, 38, 150),
            "150 mm",
        ),
        (
            lambda: poster(Box(0, 0, 9, 9), SQUARE, BOTH, 38, -1),
            "-1 mm",
        ),
        (
            lambda: poster(Box(0, 0, 999, 999), SQUARE, BOTH, 38, 10),
            "pages",
        ),
    ],
)
def test_what_no_paper_can_hold_is_refused_in_words(make, words):
    with pytest.raises(ProblemError, match=words):
        make()
