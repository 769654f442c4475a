"""Sprites that an earlier start drew: the same picture without drawing, or none of them."""

from __future__ import annotations

import json
import zlib

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.render.piece import Piece
from app.render.raster.stored_sprites import HEAD, pack_images, program_stamp, read_images
from app.render.renderer import Renderer
from app.render.scene.icons import Badge
from app.render.theme import theme
from randomizer.model.basics.caches import empty_caches
from tests.app.render.drawing import SIZE, blank_image, draw, middle_viewport
from tests.counting import watched_calls

SCALE = 32.0


@pytest.fixture
def file(tmp_path):
    return tmp_path / "sprites"


@pytest.fixture
def drawn():
    """The pieces that are drawn from now on, each as ``{"self": piece, ...}``."""
    with watched_calls(Piece.draw_clipped) as draws:
        yield draws


def start(file, name="light", scale=SCALE) -> tuple[QImage, bytes | None]:
    """The first picture of a start, and the file that it leaves for the next one."""
    document = MapDocument(sample_map())
    renderer = Renderer(theme(name))
    renderer.sprite_sets.file = file
    image = blank_image(1.0)
    viewport = middle_viewport(document.battlemap.grid, scale)
    draw(renderer, document, viewport, image, QRectF(0, 0, *SIZE))
    return image, renderer.sprite_sets.pack()


def test_a_second_start_shows_the_same_picture_and_draws_no_piece(qapp, file, drawn):
    first, content = start(file)
    assert content is not None
    file.write_bytes(content)
    assert len(drawn) > 20
    drawn.clear()
    again, content = start(file)
    assert again == first
    keys = [draw["self"].key for draw in drawn]
    assert [key for key in keys if not isinstance(key[0], Badge)] == [], "icons are not sprites"
    assert content is None, "the file holds all of it"


@pytest.mark.parametrize(("name", "scale"), [("dark", SCALE), ("light", SCALE + 1)])
def test_another_theme_or_scale_is_drawn(qapp, file, drawn, name, scale):
    plain, _content = start(None, name, scale)
    file.write_bytes(start(file)[1])
    drawn.clear()
    image, content = start(file, name, scale)
    assert image == plain
    assert len(drawn) > 20
    assert content is not None


def test_a_damaged_file_is_not_used(qapp, file):
    first, content = start(file)
    for at in (0, 5, HEAD.size, HEAD.size + 40, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert start(file)[0] == first
    for length in (0, 3, HEAD.size, len(content) // 2):
        file.write_bytes(content[:length])
        assert start(file)[0] == first


@pytest.mark.parametrize(
    "table",
    [
        [],
        {},
        {"inputs": "same", "sprites": [["key", 1 << 20, 1 << 20]]},
        {"inputs": "same", "sprites": [["key", -1, -1]]},
        {"inputs": "same", "sprites": [["key", "1", None]]},
        {"inputs": "same", "sprites": [[[], 1, 1]]},
        {"inputs": "same", "sprites": 5},
    ],
)
def test_a_table_that_does_not_fit_gives_no_sprites(qapp, file, table):
    text = json.dumps(table).encode()
    content = text + bytes(64)
    file.write_bytes(HEAD.pack(zlib.crc32(content), len(text)) + content)
    assert read_images(file, "same") == {}


def test_what_is_packed_is_read(qapp, file):
    image = QImage(3, 2, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0x80402010)
    file.write_bytes(pack_images("same", {"key": image}))
    assert read_images(file, "same") == {"key": image}
    assert read_images(file, "other") == {}
    assert read_images(file.parent, "same") == {}


@pytest.mark.parametrize("suffix", [".py", ".pyc"])  # of the checkout, of the bundle
def test_another_version_of_the_program_draws_anew(tmp_path, suffix):
    code = tmp_path / f"render/scene{suffix}"
    code.parent.mkdir()
    programs = []
    for text in ("one", "other"):
        code.write_text(text, "ascii")
        programs.append(program_stamp(f"{tmp_path}/render/raster/sprites{suffix}"))
        empty_caches(program_stamp.__module__)  # a program asks once
    assert programs[0] != programs[1]
