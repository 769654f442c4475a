from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.paper.campaign import (
    HEAD_MM,
    Campaign,
    TableLists,
    campaign_of,
    plan_of,
    sections,
    table_pages,
    tables_pdf,
)
from app.paper.page_painter import paint_map_page
from app.paper.page_plan import PAPERS
from app.paper.picture_request import FittedPage, PictureRequest, Poster
from app.paper.steps import run, write_work
from app.rolling.roll_setup import RollSetup
from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run as roll
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.rolled_layers import rolled_layer
from randomizer.roll_base import Base
from randomizer.systems.cordery.table.table_words import table_text
from tests.app.paper.conftest import media_boxes
from tests.counting import watched_calls

A4 = PictureRequest(pages=FittedPage("A4"), head=HEAD_MM)
SQUARES_60 = PictureRequest(pages=Poster("A4", 60.0), head=HEAD_MM)


def campaign(count: int, name: str = "cordery", first: int = 0, **settings: object) -> Campaign:
    generator = generator_named(name)
    assert generator is not None
    choose = getattr(generator, "grid", None)
    grid = choose(settings) if choose else None
    base = Base.under(BattleMap.new(generator.system, grid), 0)
    setup = RollSetup(generator.text, lambda: generator, settings)
    return Campaign(setup, DrawKey(7, first), base, count)


def rolled_table(number: int = 3, **settings: object) -> BattleMap:
    asked = campaign(1, first=number, **settings)
    made = roll(asked.setup.make_generator(), settings, asked.key, asked.base)
    assert made is not None
    layers = (layer.copy(id=index + 2) for index, layer in enumerate(made.layers))
    return BattleMap.new(asked.base.system, asked.base.grid, [Layer(1, "Ground"), *layers])


def pdf(asked: Campaign, request: PictureRequest = A4, lists: TableLists = TableLists()) -> bytes:  # noqa: B008
    data = run(tables_pdf(asked, request, lists), lambda _percent: None, lambda: False)
    assert data is not None
    return data


def lists(
    number: int, lists: TableLists, name: str = "cordery", **settings: object
) -> dict[str, list[str]]:
    asked = campaign(1, name, number, **settings)
    made = roll(asked.setup.make_generator(), settings, asked.key, asked.base)
    assert made is not None
    battlemap = BattleMap.new(asked.base.system, asked.base.grid, made.layers)
    return {title: list(lines) for title, lines in sections(made, battlemap, lists)}


@pytest.mark.deep
def test_each_table_has_its_map_and_a_page_of_lists(qapp):
    boxes = media_boxes(pdf(campaign(3, grid="square")))
    assert len(boxes) == 6
    assert all(sorted(box) == pytest.approx(PAPERS["A4"], abs=0.2) for box in boxes)


@pytest.mark.deep
def test_nothing_goes_along_that_was_not_asked_for(qapp):
    assert len(media_boxes(pdf(campaign(2), lists=TableLists(log=False, parts=False)))) == 2


@pytest.mark.deep
def test_areas_of_60_mm_take_several_sheets_and_one_that_shows_how_they_lie(qapp):
    plan = plan_of(SQUARES_60, *blank_map(grid="square"), 2)
    assert plan.hex_mm(campaign(1, grid="square").base.grid.layout) == pytest.approx(60)
    pages = 1 + plan.columns * plan.rows + 1
    assert len(media_boxes(pdf(campaign(1, grid="square"), SQUARES_60))) == pages
    assert plan.columns * plan.rows == 6


def blank_map(**settings: object):
    base = campaign(1, **settings).base
    battlemap = BattleMap.new(base.system, base.grid)
    return battlemap, battlemap.composite()


def test_the_lists_are_those_of_the_table():
    found = lists(3, TableLists(areas=True))
    battlemap = rolled_table()
    rows = [line for line in table_text(battlemap).splitlines() if line]
    dice = rows.index("Dice")
    assert found["What stands where"] == rows[:dice]
    assert found["Dice"] == [line.strip() for line in rows[dice + 1 :]]
    parts = battlemap.system.pieces(battlemap.grid, battlemap.composite().planes)
    assert found["To fetch"] == [f"{count} x {piece}" for piece, count in parts.items()]


def test_what_the_box_lacks_is_noted():
    noted = lists(0, TableLists(), box="river straight = 0")["To be noted"]
    assert noted[0].startswith("the box lacks ")
    assert "To be noted" not in lists(0, TableLists())


def test_battlelands_have_no_dice_and_no_pieces(qapp):
    assert lists(0, TableLists(areas=True), "Swamp") == {}
    assert len(media_boxes(pdf(campaign(3, "Swamp")))) == 3


def test_the_maps_are_like_the_one_that_was_rolled(qapp):
    battlemap = rolled_table(grid="square", relief="hilly", rivers=0)
    layer = rolled_layer(battlemap)
    asked = campaign_of(battlemap, layer, 3, 2)
    assert (asked.key, asked.count) == (DrawKey(7, 3), 2)
    made = roll(asked.setup.make_generator(), asked.setup.settings, asked.key, asked.base)
    again = BattleMap.new(battlemap.system, battlemap.grid, made.layers)
    assert table_text(again) == table_text(battlemap)


def test_a_page_is_named_by_its_roll(qapp):
    asked = campaign(4, first=5)
    made = roll(asked.setup.make_generator(), {}, asked.key, asked.base)
    _sheet, page = next(table_pages(made, asked, A4, TableLists(), 2))
    with (
        watched_calls(paint_map_page) as pages,
        painting(QImage(10, 10, QImage.Format.Format_RGB32)) as painter,
    ):
        next(page(painter), None)
    (head,) = [each["heading"] for each in pages]
    assert head == f"3 of 4: {roll_name(made.layers[0])}"
    assert head.endswith("seed 7 no. 5")


def test_too_many_pages_are_refused(qapp):
    request = PictureRequest(pages=Poster("A4", 200.0))
    with pytest.raises(ProblemError, match=r"100 such posters have 6,600 pages, and 2,000"):
        plan_of(request, *blank_map(), 100)


def test_a_cancelled_campaign_leaves_no_file(qapp, tmp_path):
    calls = iter(range(1000))
    work = write_work(tmp_path / "out.pdf", tables_pdf(campaign(20), A4, TableLists()))
    assert work(lambda _percent: None, lambda: next(calls) > 100) is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_cancelled_in_its_last_step_is_not_written(tmp_path):
    is_cancelled = False

    def steps():
        nonlocal is_cancelled
        yield 50
        is_cancelled = True
        return b"whole"

    work = write_work(tmp_path / "out.pdf", steps())
    assert work(lambda _percent: None, lambda: is_cancelled) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.deep
def test_a_folder_that_cannot_be_written_is_told(qapp, tmp_path):
    work = write_work(tmp_path / "nowhere" / "out.pdf", tables_pdf(campaign(1), A4, TableLists()))
    with pytest.raises(ProblemError, match="the folder is not there"):
        work(lambda _percent: None, lambda: False)
    folder = tmp_path / "shut"
    folder.mkdir()
    (folder / "out.pdf").mkdir()
    work = write_work(folder / "out.pdf", tables_pdf(campaign(1), A4, TableLists()))
    with pytest.raises(ProblemError, match="there is a folder of that name"):
        work(lambda _percent: None, lambda: False)


@pytest.mark.deep
def test_the_progress_goes_table_by_table(qapp):
    told: list[int] = []
    run(tables_pdf(campaign(3), A4, TableLists()), told.append, lambda: False)
    assert told == [33, 66]
