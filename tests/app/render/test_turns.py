"""What is drawn bit by bit so that the window answers: shown when it is whole, and never stale."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QImage

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.thumbnails.roll_thumbnails import RollThumbnails
from randomizer.batches.batch import roll_batch
from randomizer.generator import Base
from randomizer.model.edit import LayerInsert
from randomizer.systems.cordery.generator import CorderyGenerator
from tests.app.cordery_tables import bare_table, rolled_table

SIZE = QSize(90, 90)


class Paints(QObject):
    """How many pieces were drawn before each frame of a canvas began."""

    def __init__(self, canvas: MapCanvas, symbols: dict) -> None:
        super().__init__()
        self.symbols, self.before = symbols, list[int]()
        canvas.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        if event.type() == QEvent.Type.Paint:
            self.before.append(len(self.symbols))
        return False


@pytest.fixture
def canvas(qtbot, monkeypatch):
    """Shows a bare table; of what is laid on it every turn draws one piece."""
    canvas = MapCanvas(MapDocument(bare_table("square", 8, 8)), Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(500, 500)
    canvas.show()
    qtbot.waitExposed(canvas)
    qtbot.waitUntil(lambda: not canvas._progressive)
    canvas.repaint()  # now, so that no frame is due that was asked for before
    monkeypatch.setattr("app.canvas.map_widget.TURN_MS", 0)
    return canvas


def hills():
    """The layer of hills of a table that was thrown."""
    layers = rolled_table("square", relief="hilly").layers
    layer = next(each for each in layers if each.roll and each.roll.part == "hills")
    assert np.count_nonzero(layer.planes["elevation"])
    return layer.copy()


def lay(canvas) -> None:
    layer = hills()
    layer.id = 77
    canvas.document.push(LayerInsert(1, layer), "Throw")


def test_another_table_is_shown_when_all_that_lies_on_it_is_drawn(canvas, qtbot):
    symbols = canvas.renderer.sprites(
        canvas.document.battlemap, canvas.viewport.scale, 1.0
    )._symbols
    paints = Paints(canvas, symbols)
    lay(canvas)
    before = len(symbols)
    qtbot.waitUntil(lambda: bool(paints.before))
    assert paints.before[0] > before + 1
    shown = canvas.grab().toImage()
    assert len(symbols) == paints.before[0], "no frame had to draw a piece"
    assert shown == fresh(canvas)


def test_a_table_that_went_out_of_sight_is_not_prepared(canvas, qtbot, monkeypatch):
    lay(canvas)
    assert canvas._lay_timer.isActive()
    monkeypatch.undo()
    canvas.document.open_map(bare_table("square", 6, 6))
    assert not canvas._lay_timer.isActive()
    qtbot.waitUntil(lambda: not canvas._progressive)
    assert canvas.grab().toImage() == fresh(canvas)


def test_what_is_undone_meanwhile_is_not_shown(canvas, qtbot):
    bare = canvas.grab().toImage()
    lay(canvas)
    canvas.document.undo_stack.undo()
    qtbot.waitUntil(lambda: not canvas._lay_timer.isActive())
    assert canvas.grab().toImage() == bare


def fresh(canvas) -> QImage:
    """What a canvas shows that has been there from the start."""
    other = MapCanvas(MapDocument(canvas.document.battlemap), Renderer(theme("light")))
    other.resize(canvas.size())
    other.grab()  # it is given its size now; what takes time it only drafts
    other._progressive = False
    return other.grab().toImage()


# --- pictures of many rolls -----------------------------------------------------------------


@pytest.fixture
def batch():
    table = bare_table("square", 8, 8)
    numbers = np.arange(3, dtype=np.uint64)
    return roll_batch(CorderyGenerator(), {"relief": "hilly"}, 5, numbers, Base.under(table, 1))


def ask(pictures: RollThumbnails, batch) -> None:
    for row in range(3):
        pictures.request(str(row), batch, row)


def images(pictures: RollThumbnails) -> list[QImage]:
    """All three, drawn to the end."""
    while pictures.waiting:  # a turn draws little, or nothing, on a busy machine
        pictures.draw_some()
    found = [pictures.cached(str(row)) for row in range(3)]
    assert all(found)
    return [picture.toImage() for picture in found]


def drawn_at_once(batch, colours: str, size: QSize) -> list[QImage]:
    pictures = RollThumbnails(Renderer(theme(colours)), size)
    ask(pictures, batch)
    return images(pictures)


@pytest.fixture
def begun(qapp, batch, monkeypatch):
    """Pictures of which some pieces are drawn, and no picture yet."""
    monkeypatch.setattr("app.render.thumbnails.roll_thumbnails.TURN_MS", 2)
    like = Renderer(theme("light"))
    pictures = RollThumbnails(like, SIZE)
    ask(pictures, batch)
    while pictures._next is None:
        pictures.draw_some()
    pictures.draw_some()
    return pictures, like


def test_a_picture_that_was_begun_has_the_size_wanted_last(begun, batch):
    pictures, _like = begun
    size = QSize(140, 140)
    pictures.set_size(size, 1.0)
    assert images(pictures) == drawn_at_once(batch, "light", size)


def test_a_picture_that_was_begun_has_the_colours_of_the_map(begun, batch):
    pictures, like = begun
    like.set_theme(theme("dark"), like.pictures)
    pictures.cached("0")
    ask(pictures, batch)
    assert images(pictures) == drawn_at_once(batch, "dark", SIZE)
