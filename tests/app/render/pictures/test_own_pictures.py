"""Pictures of one's own: taken in safely, drawn in their cells."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from io import BytesIO
from threading import Thread

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.map_view import MapView
from app.render.pictures.own_pictures import (
    has_asset,
    own_colour,
    own_picture,
    register_assets_of,
)
from app.render.pictures.picture_files import decoded, decoded_colours, picture_of_file
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import asset_digest, picture_size
from randomizer.systems.free.system import SYSTEM, free_map
from tests.counting import watched_calls
from tests.randomizer.own_terrains import PNG, png

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 20 10">'
)
RED = '<rect width="20" height="10" fill="#ff0000"/>'


def svg(body: str) -> bytes:
    return f"{HEAD}{body}</svg>".encode()


def middle(data: bytes) -> str:
    image = decoded(data)
    return image.pixelColor(image.width() // 2, image.height() // 2).name()


def test_an_svg_is_drawn_1024_pixels_wide():
    data = picture_of_file(svg('<defs><rect id="r" width="20" height="10" fill="#ff0000"/></defs>'
                               '<use xlink:href="#r"/>'))  # fmt: skip
    image = decoded(data)
    assert (image.width(), image.height(), middle(data)) == (1024, 512, "#ff0000")


@pytest.mark.parametrize("reference", ["{path}", "file://{path}", "{data}", "&#47;{path}"])
def test_nothing_that_an_svg_refers_to_is_read(tmp_path, reference):
    path = tmp_path / "blue.png"
    path.write_bytes(png(4, 4, (0, 0, 255)))
    inner = svg(f'<image xlink:href="{path}" width="20" height="10"/>')
    data = f"data:image/png;base64,{b64encode(inner).decode()}"  # an SVG that says it is a PNG
    href = reference.format(path=path, data=data)
    body = f'{RED}<image xlink:href="{href}" width="20" height="10"/>'
    assert middle(picture_of_file(svg(body))) == "#ff0000"


def test_a_picture_inside_an_svg_is_drawn():
    content = b64encode(png(4, 2, (0, 0, 255))).decode()
    body = f'{RED}<image xlink:href="data:image/png;base64,{content}" width="20" height="10"/>'
    assert middle(picture_of_file(svg(body))) == "#0000ff"


def test_a_style_sheet_beside_an_svg_is_not_read(tmp_path):
    path = tmp_path / "own.css"
    path.write_text("rect { fill: #0000ff }")
    data = f'<?xml-stylesheet type="text/css" href="{path}"?>'.encode() + svg(RED)
    assert middle(picture_of_file(data)) == "#ff0000"


def _doubled(times: int) -> str:
    shapes = '<g id="g0"><rect width="1" height="1"/></g>'
    for number in range(times):
        use = f'<use xlink:href="#g{number}"/>'
        shapes += f'<g id="g{number + 1}">{use}{use}</g>'
    return shapes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (svg(_doubled(30)), "more than 50,000 shapes"),
        (svg('<g id="a"><use xlink:href="#a"/></g>'), "uses itself"),
        (svg("<g>" * 5000 + "</g>" * 5000), "cannot be drawn"),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + svg(RED), "defines entities"),
        (HEAD.encode(), "cannot be drawn"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 0"/>', "no size"),
        (svg(RED).replace(b"0 0 20 10", b"0 0 2000000 10"), "1,000,000 units wide or more"),
        (svg(RED + " " * 2**24), "are the most"),
        (png(60_000, 60_000), "pixels"),
        (png(5000, 5000), "cannot be decoded"),
        (PNG[:40], "cannot be decoded"),
        (b"GIF89a", "no picture"),
        (b"", "no picture"),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused(data: bytes, message: str):
    with pytest.raises(ProblemError, match=message):
        picture_of_file(data)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("scale", [4, 60])
def test_a_map_shows_the_picture_in_the_middle_of_its_cells(qapp, layout, scale):
    data = png(8, 8, (250, 0, 250))
    known = SYSTEM.terrain_set
    own = replace(known.terrains[0], asset=asset_digest(data))
    terrain_set = replace(known, terrains=(own, *known.terrains[1:]))
    battlemap = free_map(layout, 5, 5, terrain_set=terrain_set, assets={own.asset: data})
    spec = SYSTEM.terrain
    cells = np.arange(25)
    codes = np.where(cells == 12, 0, 4).astype(spec.dtype)
    PlaneEdit(1, "terrain", cells, np.full(25, spec.unset, spec.dtype), codes).apply(battlemap)
    x, y = battlemap.grid.centre(12)
    image = QImage(1000, 1000, QImage.Format.Format_ARGB32_Premultiplied)
    viewport = Viewport(scale, 500 - scale * x, 500 - scale * y)
    renderer = Renderer(theme("light"))
    painter = QPainter(image)
    renderer.paint(
        painter, MapView(battlemap, battlemap.composite(), viewport), QRectF(image.rect())
    )
    painter.end()
    assert image.pixelColor(500, 500) == QColor(250, 0, 250)
    assert own_colour(own.asset) == QColor(250, 0, 250)
    assert own_picture("0f" * 32) is None


def test_a_png_of_16_bits_keeps_its_upper_8():
    file = BytesIO()
    Image.fromarray(np.full((4, 6), 0x8040, np.uint16)).save(file, "PNG")
    assert middle(file.getvalue()) == "#808080"


def test_a_photograph_lies_as_its_camera_was_held():
    exif = Image.Exif()
    exif[0x0112] = 6  # turned a quarter clockwise
    file = BytesIO()
    Image.new("RGB", (60, 20), "#ff0000").save(file, "JPEG", exif=exif)
    image = decoded(file.getvalue())
    assert (image.width(), image.height()) == (20, 60)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_the_colours_of_a_picture_are_red_green_and_blue(mode):
    picture = Image.new("RGBA", (3, 2), (200, 100, 50, 255))
    if mode == "RGBA":
        picture.putpixel((1, 0), (200, 100, 50, 0))
    file = BytesIO()
    picture.convert(mode).save(file, "PNG")
    colours = decoded_colours(file.getvalue())
    assert (colours.shape, colours.dtype) == ((2, 3, 3), np.uint8)
    expected = np.array(picture.convert(mode).convert("RGB"))
    if mode == "RGBA":
        expected[0, 1] = 0  # it is not seen
    np.testing.assert_array_equal(colours, expected)


def test_a_large_picture_is_made_smaller_in_proportion():
    file = BytesIO()
    Image.new("RGB", (800, 400), "#00ff00").save(file, "JPEG")
    image = decoded(file.getvalue(), 100)
    assert (image.width(), image.height()) == (100, 50)


def test_pictures_are_looked_for_while_another_thread_makes_a_map_known():
    exported = free_map(FLAT, 1, 1)
    export = Thread(target=register_assets_of, args=[exported])

    class Assets(dict[str, bytes]):
        def get(self, digest: str, default: object = None) -> None:
            export.start()
            export.join(0.2)  # it has to wait until all maps were asked

    battlemap = free_map(FLAT, 1, 1)
    battlemap.assets = Assets()
    register_assets_of(battlemap)
    assert not has_asset("0" * 64)
    export.join()
    battlemap.assets = {}


def test_a_damaged_picture_is_decoded_only_once():
    battlemap = free_map(FLAT, 1, 1)
    data = PNG[:40]
    digest = asset_digest(data)
    battlemap.assets = {digest: data}
    register_assets_of(battlemap)
    with watched_calls(picture_size) as decodings:
        for _frame in range(3):
            assert own_picture(digest) is None
            assert own_colour(digest) is None
    assert len(decodings) == 1
