from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.paper import png as png_file
from app.paper.bitmaps import image, png_size
from app.paper.export import export_work
from app.paper.picture_request import (
    THEMES,
    FittedPage,
    OwnPage,
    PictureRequest,
    Poster,
    ScaledPage,
    picture_theme,
)
from app.paper.preview import preview
from app.paper.qt_svg import svg_of
from app.paper.steps import run
from app.render.overlay_options import Overlays
from app.render.pictures.mean_colours import mean_colour
from app.render.theme import theme
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.problems import ProblemError
from randomizer.systems.free.system import free_map
from tests.app.paper.conftest import hex_centres, media_boxes, table

NEVER = lambda: False  # noqa: E731


def image_of(data: bytes) -> QImage:
    image = QImage.fromData(data)
    assert not image.isNull()
    return image


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), np.uint8)
    return raw.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].copy()


# --- PNG ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_png_has_so_many_pixels_from_cell_to_cell(make, layout):
    plain = Overlays(entry_sides=False)
    one = image_of(make(".png", table(4, 3, layout), pixels=50, overlays=plain))
    more = image_of(make(".png", table(4, 7, layout), pixels=50, overlays=plain))
    apart = {"flat": 50, "square": 50}.get(layout.name, 50 * math.sqrt(3) / 2)
    assert more.height() - one.height() == pytest.approx(4 * apart, abs=1)


def test_a_png_in_strips_is_the_same_picture(make, monkeypatch):
    battlemap = table(9, 7)
    whole = make(".png", battlemap, pixels=40)
    # A picture of several real strips takes a minute.
    monkeypatch.setattr(png_file, "STRIP_BYTES", 4 * 400 * 13)
    in_strips = make(".png", battlemap, pixels=40)
    apart = np.abs(pixels(image_of(whole)).astype(int) - pixels(image_of(in_strips)))
    assert apart.max() <= 3  # a letter that is cut may be rounded otherwise


def test_a_png_of_a_true_size_says_so(make, battleland):
    image = image_of(make(".png", battleland, pages=OwnPage(38.0)))
    assert image.dotsPerMeterX() == pytest.approx(300 / 0.0254, rel=0.001)
    assert image.width() / image.dotsPerMeterX() * 1000 == pytest.approx(241.3, abs=0.2)


def test_a_picture_shows_the_terrain_of_every_cell(make):
    battlemap = free_map(FLAT, 5, 4)
    battlemap.layers[0].planes["terrain"] = np.arange(20).reshape(4, 5).astype(np.uint16) % 12
    plain = Overlays(labels=False, grid_lines=False)
    image = image_of(make(".png", battlemap, pixels=8, overlays=plain))
    unit = 8 / math.sqrt(3)
    left, top, _, _ = battlemap.grid.bounds
    for cell in range(20):
        x, y = battlemap.grid.centre(cell)
        at = image.pixelColor(round((x - left + 0.1) * unit), round((y - top + 0.1) * unit))
        terrain = battlemap.system.terrain_set.terrains[cell % 12]
        assert at.name() == mean_colour(theme("light"), terrain).name()


@pytest.mark.parametrize("name", THEMES)
def test_every_set_of_colours_draws(make, battleland, name):
    image = image_of(make(".png", battleland, pixels=30, theme=picture_theme(name)))
    assert image.pixelColor(0, 0) == picture_theme(name).background


@pytest.mark.parametrize(
    "size", [(0.5, "0.5 pixels"), (5000, "5000 pixels"), (500, "pixels a hex")]
)
def test_pixels_that_no_picture_has_are_refused(make, size):
    with pytest.raises(ProblemError, match=size[1]):
        make(".png", free_map(FLAT, 200, 200), pixels=size[0])


def test_the_words_for_too_large_a_picture_say_what_would_fit(make):
    battlemap = free_map(FLAT, 1000, 1000)
    shown = battlemap.composite()
    with pytest.raises(ProblemError) as refused:
        png_size(PictureRequest(pixels=100), battlemap, shown)
    most = int(re.search(r"at most (\d+) pixels a hex", str(refused.value))[1])
    assert png_size(PictureRequest(pixels=most), battlemap, shown)
    with pytest.raises(ProblemError):
        png_size(PictureRequest(pixels=most + 2), battlemap, shown)


# --- SVG ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [FLAT, POINTY, SQUARE], ids=lambda layout: layout.name)
def test_an_svg_is_as_large_as_its_hexes_say(make, layout):
    data = make(".svg", table(4, 3, layout), pages=OwnPage(25.4))
    root = ElementTree.fromstring(data)
    left, top, right, bottom = table(4, 3, layout).grid.bounds
    flat = 1.0 if layout is SQUARE else math.sqrt(3)
    assert float(root.get("width").removesuffix("mm")) == pytest.approx(
        (right - left + 0.2) / flat * 25.4, abs=0.01
    )
    assert float(root.get("height").removesuffix("mm")) == pytest.approx(
        (bottom - top + 0.2) / flat * 25.4, abs=0.01
    )


def test_text_in_an_svg_stays_text(make, battleland):
    text = make(".svg", battleland).decode()
    assert ">D4</text>" in text
    assert ">Left defence</text>" in text
    assert ">D4</text>" not in make(".svg", battleland, overlays=Overlays(labels=False)).decode()


@pytest.mark.deep
def test_the_halo_of_a_name_in_an_svg_is_the_name_stroked(make, battleland):
    text = make(".svg", battleland).decode()
    (halo, name) = re.findall(r"<text ([^<>]*)>D4</text>", text)
    rest = text.split(">D4</text>")
    assert len(rest) == 3
    assert 'fill="none"' in halo
    assert 'stroke-width="6.4"' in halo
    assert "stroke" not in name
    without = make(".svg", battleland, overlays=Overlays(labels=False))
    assert len(text) - len(without) < 600 * len(battleland.grid.cells)


def test_a_svg_shows_what_the_png_shows(make, battleland):
    """Also that shapes without a stroke have none: Qt would give them a black one."""
    png = image_of(make(".png", battleland, pages=OwnPage(None), pixels=60))
    drawn = QImage(png.size(), QImage.Format.Format_RGB32)
    drawn.fill(picture_theme("light").background)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(make(".svg", battleland))).render(painter, QRectF(drawn.rect()))
    painter.end()
    apart = np.abs(pixels(png).astype(int) - pixels(drawn)).max(axis=2)
    # Qt's own reader knows no clipping, so some pixels at the rim are others.
    assert (apart > 60).mean() < 0.1


@pytest.mark.deep
def test_a_svg_of_many_cells_holds_each_kind_once(make):
    small, large = (len(make(".svg", table(size, size))) for size in (12, 24))
    assert large < 3 * small


def test_too_many_cells_for_an_svg_are_refused(make):
    with pytest.raises(ProblemError, match="choose PNG or PDF"):
        make(".svg", free_map(FLAT, 400, 400))


# --- PDF ----------------------------------------------------------------------------------------


def test_hexes_on_a_pdf_have_their_size(make, battleland):
    shapes = picture_theme("print")  # terrains drawn with pictures are one picture
    for pages in (OwnPage(38.0), ScaledPage("A4", 25.0)):
        data = make(".pdf", battleland, theme=shapes, pages=pages)
        (painted,) = hex_centres(data)
        centres = sorted({(round(x, 3), round(y, 3)) for x, y in painted})
        assert len(centres) == 27
        nearest = min(math.dist(centres[0], other_centre) for other_centre in centres[1:])
        assert nearest == pytest.approx(pages.hex_mm, abs=0.1)


@pytest.mark.parametrize(
    ("paper", "size"), [("A4", (210, 297)), ("Letter", (215.9, 279.4)), ("A3", (297, 420))]
)
def test_the_pages_of_a_pdf_are_as_large_as_the_paper(make, battleland, paper, size):
    (box,) = media_boxes(make(".pdf", battleland, pages=FittedPage(paper)))
    half_a_point = 25.4 / 72 / 2  # Qt writes whole ones
    assert sorted(box) == pytest.approx(sorted(size), abs=half_a_point)


def test_without_paper_a_page_is_as_large_as_the_map(make, battleland):
    plan = PictureRequest(pages=OwnPage(38)).plan(battleland, battleland.composite())
    (box,) = media_boxes(make(".pdf", battleland, pages=OwnPage(38.0)))
    assert box == pytest.approx((plan.sheet.width, plan.sheet.height), abs=0.05)
    assert box == pytest.approx((plan.width, plan.height), abs=0.4)


def test_a_poster_has_its_pages_and_one_that_shows_how_they_lie(make, battleland):
    request = {"pages": Poster("A4", 38.0)}
    plan = PictureRequest(**request).plan(battleland, battleland.composite())
    assert (plan.columns, plan.rows) == (2, 1)
    assert len(media_boxes(make(".pdf", battleland, **request))) == 3
    assert len(media_boxes(make(".pdf", battleland, overview=False, **request))) == 2


@pytest.mark.deep
def test_a_hex_in_the_overlap_lies_at_the_same_point_of_the_map_on_both_pages(make, battleland):
    shapes = picture_theme("print")  # terrains drawn with pictures are one picture
    request = {"pages": Poster("A4", 38.0), "overlap": 45.0, "overview": False}
    request["theme"] = shapes
    plan = PictureRequest(**request).plan(battleland, battleland.composite())
    first, second = hex_centres(make(".pdf", battleland, **request))[:2]
    step = plan.stride[0]
    shared = [
        centre for centre in first if any(math.dist(centre, (x + step, y)) < 0.1 for x, y in second)
    ]
    assert len(shared) >= 5


@pytest.mark.deep
def test_a_large_map_makes_a_pdf_of_images_that_is_not_large(make):
    data = make(".pdf", table(60, 40), pages=FittedPage("A4"))
    assert len(data) < 6_000_000
    assert b"/Subtype /Image" in data


@pytest.mark.deep
def test_numbers_of_small_hexes_stand_on_paper_if_they_are_asked_for(make):
    request = {"pages": FittedPage("A4")}
    landscape = table(40, 30)
    with_labels = make(".pdf", landscape, overlays=Overlays(labels=True), **request)
    without = make(".pdf", landscape, overlays=Overlays(labels=False), **request)
    assert len(with_labels) - len(without) > 40 * 30, "each number takes some bytes"


# --- as a job -----------------------------------------------------------------------------------


def test_an_export_is_of_the_map_as_it_was(make, tmp_path):
    battleland = table(5, 4)
    before = make(".png", battleland, pixels=20)
    work = export_work(
        tmp_path / "map.png", PictureRequest(pixels=20), battleland, battleland.composite()
    )
    battleland.layers[0].planes["terrain"][:] = 0
    told: list[int] = []
    assert work(told.append, NEVER) == tmp_path / "map.png"
    assert (tmp_path / "map.png").read_bytes() == before
    assert told[-1] == 100


@pytest.mark.parametrize("kind", [".png", ".svg", ".pdf"])
def test_a_cancelled_export_leaves_the_old_file(battleland, tmp_path, kind):
    path = tmp_path / f"map{kind}"
    path.write_bytes(b"old")
    calls = iter(range(100))
    work = export_work(path, PictureRequest(pixels=20), battleland, battleland.composite())
    assert work(lambda _percent: None, lambda: next(calls) > 0) is None
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_suffix_that_means_no_picture_is_refused(battleland, tmp_path):
    with pytest.raises(ProblemError, match=r"\.png, \.svg or \.pdf"):
        export_work(tmp_path / "map.bmp", PictureRequest(), battleland, battleland.composite())


SMOOTHLY = (Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def signed_pixels(image: QImage) -> np.ndarray:
    return pixels(image).astype(int)


@pytest.mark.deep
def test_a_preview_shows_the_pictures_of_cells_that_are_small_in_it(qapp):
    rng = np.random.default_rng(4)
    battlemap = free_map(FLAT, 40, 30)
    terrains = np.kron(rng.integers(1, 12, (6, 8)), np.ones((5, 5), np.int64))
    battlemap.layers[0].planes["terrain"] = terrains.astype("u2")
    shown = battlemap.composite()
    request = PictureRequest(overlays=Overlays(labels=False, grid_lines=False))
    flat = signed_pixels(run(image(request, battlemap, shown, 140)))
    small = run(preview(request, battlemap, shown, 140))
    assert (small.width(), small.height()) == flat.shape[1::-1][:2]
    whole = run(image(request, battlemap, shown, 1600))
    exact = whole.scaled(small.size(), *SMOOTHLY)
    difference = np.abs(signed_pixels(small) - signed_pixels(exact)).mean()
    assert difference < 0.6 * np.abs(flat - signed_pixels(exact)).mean()
    on_a_stamp = run(preview(request, battlemap, shown, 140, scale_on_paper=1.0))
    flat_on_paper = signed_pixels(run(image(request, battlemap, shown, 140, on_paper=True)))
    assert (signed_pixels(on_a_stamp) == flat_on_paper).all(), (
        "what it is a preview of has no pictures either"
    )


def test_the_letters_of_texts_stay_as_they_are_in_a_svg(qapp):
    def draw(painter):
        painter.drawText(QPointF(1.23456789, 2), "3.14159")

    body = svg_of(draw).body
    assert "3.14159" in body
    assert "1.23456" not in body
