"""Texts of pictures: a preview has those of the file, none is cut, thumbnails have none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage

from app.paper.bitmaps import png, png_size
from app.paper.documents import heading
from app.paper.picture_request import OwnPage, PictureRequest, ScaledPage
from app.paper.preview import preview, thumbnail
from app.paper.steps import run
from app.paper.virtual_table import table_request
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.region_names import region_names
from app.render.scene.things.loads import loads_of
from app.render.scene.things.names import NO_NAMES
from app.render.scene.things.thing_labels import names_of
from app.render.theme import theme
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.render.vector import overlay_batches
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_property
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import RECORD, MapRegion, record_of
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.app.render.vector.test_vector_map import pixels
from tests.counting import watched_calls
from tests.daily import deep_but

LEGEND = Overlays(legend=True)


def country(width: int = 24, height: int = 20, *, label: str = "Wilhaven upon Stour") -> BattleMap:
    """A map with towns at two of its rims and in the middle, and a region in a corner."""
    battlemap = free_map(FLAT, width, height)
    left, top, right, bottom = battlemap.grid.bounds
    towns = (
        Thing(1, "town", left + 0.8, top + 0.8, label=label),
        Thing(2, "town", right - 0.8, bottom - 0.8, label=label),
        Thing(3, "town", (left + right) / 2, (top + bottom) / 2, label=label),
        Thing(4, "label", right - 0.5, (top + bottom) / 2, label=label),
    )
    ThingsEdit(1, (), towns).apply(battlemap)
    return battlemap


def with_region(battlemap: BattleMap) -> BattleMap:
    record = battlemap.system.regions
    plane = record.allocate(battlemap.grid)
    plane[:4, :3] = 0
    battlemap.layers[0].planes[record.name] = plane
    region = MapRegion("The Archduchy of the Marches", "#aa3333")
    battlemap.records[RECORD] = record_of([region])
    return battlemap


def texts_drawn(draw) -> set[tuple[str, float]]:
    """The texts that are drawn upon the map, each with its size in map units."""
    with watched_calls(overlay_batches.draw_text) as calls:
        draw()
    return {(call["text"], round(call["batch"].size, 6)) for call in calls}


def difference(small: QImage, large: QImage) -> float:
    """How much a picture differs from a larger one that is made smaller, in levels of colour."""
    exact = large.scaled(
        small.size(),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    return float(np.abs(pixels(small).astype(int) - pixels(exact).astype(int)).mean())


@pytest.mark.parametrize("hex_pixels", deep_but([14.0, 60.0, 120.0], 14.0))
def test_a_preview_has_the_texts_of_the_file_in_their_sizes(qapp, hex_pixels):
    battlemap = country()
    shown = battlemap.composite()
    request = PictureRequest(pages=OwnPage(None), pixels=hex_pixels, overlays=LEGEND)
    in_file = texts_drawn(lambda: run(png(request, battlemap, shown)))
    assert in_file
    assert texts_drawn(lambda: run(preview(request, battlemap, shown, 200))) == in_file


@pytest.mark.deep
def test_names_of_a_large_picture_are_read_where_the_whole_is_seen(qapp):
    battlemap = country(48, 40)
    shown = battlemap.composite()
    sizes = {}
    for hex_pixels in (60.0, 120.0, 240.0):
        request = PictureRequest(pages=OwnPage(None), pixels=hex_pixels)
        drawn = texts_drawn(partial(run, preview(request, battlemap, shown, 200)))
        sizes[hex_pixels] = {size for text, size in drawn if text.startswith("Wilhaven")}
    assert len(set(map(frozenset, sizes.values()))) == 1, "as large beside the hexes"
    whole = max(request.box(battlemap, shown).width, request.box(battlemap, shown).height)
    assert min(sizes[120.0]) / whole * 1200 >= 10


def test_a_preview_of_a_page_is_on_white_paper(qapp):
    battlemap = country()
    shown = battlemap.composite()
    request = PictureRequest(pages=ScaledPage("A4", 20.0), overlays=LEGEND)
    on_page = run(preview(request, battlemap, shown, 300, scale_on_paper=20.0))
    # Within the frame of the legend, which lies at the lower edge.
    legend = np.s_[-9:-4, 20:-20]
    assert (pixels(on_page)[legend] == 255).all(axis=2).mean() > 0.5
    on_screen = run(preview(replace(request, pixels=60.0), battlemap, shown, 300))
    background = request.theme.background
    channels = (background.blue(), background.green(), background.red())
    assert (pixels(on_screen)[legend] == channels).all(axis=2).mean() > 0.5


def test_a_map_without_a_title_is_called_like_its_file_on_paper(qapp):
    battlemap = country()
    shown = battlemap.composite()
    assert heading(battlemap.system, shown, "island") == "island"
    set_property(battlemap, 1, "scale", "6 miles").apply(battlemap)
    assert heading(battlemap.system, battlemap.composite(), "island") == "island"
    set_property(battlemap, 1, "title", "The Island").apply(battlemap)
    assert heading(battlemap.system, battlemap.composite(), "island") == "The Island"


def test_a_preview_is_the_file_made_smaller(qapp):
    battlemap = with_region(country())
    shown = battlemap.composite()
    overlays = Overlays(legend=True, labels=False, grid_lines=False)
    request = PictureRequest(pages=OwnPage(None), pixels=60.0, overlays=overlays)
    in_file = QImage.fromData(run(png(request, battlemap, shown)))
    small = run(preview(request, battlemap, shown, 400))
    small_picture = run(preview(replace(request, pixels=None), battlemap, shown, 400))
    assert difference(small, in_file) < 0.7 * difference(small_picture, in_file)


@pytest.mark.parametrize("size", [(24, 10), (8, 20)])
def test_the_legend_covers_nothing_of_the_map(qapp, size):
    battlemap = country(*size)
    shown = battlemap.composite()
    with_legend = PictureRequest(pages=OwnPage(None), pixels=30.0, overlays=LEGEND)
    without = PictureRequest(pages=OwnPage(None), pixels=30.0, overlays=Overlays())
    large = QImage.fromData(run(png(with_legend, battlemap, shown)))
    small = QImage.fromData(run(png(without, battlemap, shown)))
    assert (large.width(), large.height()) == png_size(with_legend, battlemap, shown)
    # One row or column of pixels less: there the picture of the map ends within a pixel.
    width = small.width() - 1
    height = small.height() - 1
    assert large.copy(0, 0, width, height) == small.copy(0, 0, width, height)
    wide = size[0] > size[1]
    assert (large.height() > small.height() + 20) == wide
    assert (large.width() > small.width() + 20) == (not wide)


def test_a_table_has_no_legend_over_its_cells():
    request = PictureRequest(pixels=100.0, overlays=LEGEND)
    assert not table_request(request).overlays.legend


@pytest.mark.parametrize("scale", [8.0, 20.0, 60.0])
def test_no_name_reaches_out_of_the_map(qapp, scale):
    battlemap = country()
    left, top, right, bottom = battlemap.grid.bounds
    whole = QRectF(left, top, right - left, bottom - top).adjusted(-1e-6, -1e-6, 1e-6, 1e-6)
    names = names_of(battlemap, scale, loads_of(battlemap))
    assert len(names.names) >= 3  # the others have no room among them
    for (x, y), (half_width, half_height) in zip(
        names.points.tolist(), (names.halves / scale).tolist(), strict=True
    ):
        assert whole.contains(
            QRectF(x - half_width, y - half_height, 2 * half_width, 2 * half_height)
        )
    with_region(battlemap)
    regions = region_names(battlemap, battlemap.composite())
    for name in regions.placed(scale, NO_NAMES):
        x = float(name.point[0])
        half_width = float(name.half_extent[0])
        assert left - 1e-6 <= x - half_width
        assert x + half_width <= right + 1e-6


def test_a_name_wider_than_the_map_is_centred_on_it(qapp):
    battlemap = country(3, 3, label="A name that no map of three cells has room for")
    names = names_of(battlemap, 8.0, loads_of(battlemap))
    left, _top, right, _bottom = battlemap.grid.bounds
    assert names.points[0, 0] == pytest.approx((left + right) / 2)


def test_thumbnails_have_no_texts(qapp):
    overlays = Overlays(legend=True, labels=True, names=True, rulers=True)
    request = PictureRequest(overlays=overlays)
    battlemap = with_region(country())
    assert texts_drawn(lambda: run(preview(request, battlemap, battlemap.composite(), 128)))
    assert not texts_drawn(lambda: run(thumbnail(request, battlemap, 128)))


def test_thumbnails_of_the_desk_look_alike_whatever_things_are_called(qtbot):
    thumbnails = MapThumbnails(QSize(160, 120), Renderer(theme("light")))
    drawn = {}
    thumbnails.drawn.connect(lambda key, pixmap: drawn.__setitem__(key, pixmap.toImage()))
    for label in ("", "Wilhaven upon Stour"):
        thumbnails.request(label, country(label=label))
    qtbot.waitUntil(lambda: len(drawn) == 2)
    assert drawn[""] == drawn["Wilhaven upon Stour"]
