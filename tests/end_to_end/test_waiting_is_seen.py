"""What takes time is said wherever one looks, and is not done twice."""

from __future__ import annotations

from threading import Event

import pytest
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.background.actions import any_running
from app.background.jobs import Job
from app.document.map_files import new_map
from app.features.files.reading_progress import ReadingProgress
from app.features.gallery import search_work
from app.features.status_bar.feature import StatusBarController
from app.render.level_of_detail import PIXELS_AT_100
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.widgets.layout.dock_visibility import can_be_seen
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import system_named
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_layers import put_layers
from randomizer.roll_base import Base
from randomizer.storage.files.project import PROJECT
from tests.end_to_end.test_layers_above_a_roll import settled
from tests.end_to_end.test_walking_desk import paint

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def rolled_table() -> BattleMap:
    """A table whose pieces were not drawn in this session."""
    table = new_map(system_named("cordery"))
    generator = generator_named("Cordery")
    made = run(generator, {}, DrawKey(1, 0), Base.under(table, 1))
    put_layers(table, table.layers[0].id, made.layers, replaces=False).edit.apply(table)
    return table


@pytest.mark.deep
def test_a_map_whose_pieces_are_being_drawn_is_said_to_be(window, qtbot, monkeypatch):
    canvas = window.desk.canvas
    words = window.findChild(QLabel, "drawing")
    # The status bar waits before it tells of drawing.
    window.findChild(StatusBarController)._drawing_timer.setInterval(0)
    qtbot.waitUntil(lambda: not canvas.drafted and not words.isVisible())
    hold = Event()
    # Slow drawing.
    prepare = canvas.sharpening._draw_missing
    monkeypatch.setattr(canvas.sharpening, "_draw_missing", lambda: hold.is_set() and prepare())
    window.desk.document.show_map(rolled_table())
    qtbot.waitUntil(lambda: words.isVisible())
    assert words.text() == "Drawing the map..."
    scale = window.desk.canvas.viewport.scale
    assert window.findChild(QLabel, "zoom").text() == f"Zoom {scale / PIXELS_AT_100:.0%}"
    hold.set()
    qtbot.waitUntil(lambda: not words.isVisible())
    assert not canvas.drafted


@pytest.fixture
def slow_rolls(monkeypatch):
    """Rolls take until the event is set, and tell 30 % meanwhile."""
    let_go = Event()
    real = RollRequest.roll

    def roll(request, progress, cancelled):
        progress(30)
        while not let_go.wait(0.01):
            if cancelled():
                return None
        return real(request, progress, cancelled)

    # A slow roll.
    monkeypatch.setattr(RollRequest, "roll", roll)
    yield let_go
    let_go.set()


def test_a_slow_roll_shows_its_progress_behind_any_tab_and_is_cancelled_there(
    window, qtbot, slow_rolls
):
    desk = window.desk
    progress = window.findChild(StatusBarController).progress
    desk.docks.show("layers")
    before = len(desk.document.history.steps)
    size = desk.canvas.size()
    assert not progress.isVisible()
    desk.commands.action("script.roll").trigger()
    qtbot.waitUntil(lambda: progress.isVisible() and progress.bar.value() == 30)
    assert not can_be_seen(desk.docks["randomize"])
    qtbot.wait(20)
    assert desk.canvas.size() == size, "the map would be drawn at another size"
    QTest.mouseClick(progress.cancel, Qt.MouseButton.LeftButton)
    assert not desk.rolling.busy
    assert not progress.isVisible()
    assert len(desk.document.history.steps) == before


@pytest.mark.deep
def test_the_progress_goes_when_the_roll_is_there(window, qtbot, slow_rolls):
    progress = window.findChild(StatusBarController).progress
    rolling: Rolling = window.desk.rolling
    rolling.roll()
    qtbot.waitUntil(lambda: progress.isVisible())
    slow_rolls.set()
    qtbot.waitUntil(lambda: not rolling.busy)
    assert not progress.isVisible()


@pytest.fixture
def slow_reads():
    """No thread is free to read a file until the event is set."""
    let_go = Event()
    for _thread in range(QThreadPool.globalInstance().maxThreadCount()):
        Job(lambda _progress, _cancelled: let_go.wait()).start()
    yield let_go
    let_go.set()


@pytest.fixture
def file_of_a_table(tmp_path):
    path = tmp_path / "Table.battlemap"
    path.write_bytes(PROJECT.write(new_map(system_named("cordery"))))
    return path


def test_a_file_that_is_read_slowly_is_said_to_be_opened(
    window, qtbot, slow_reads, file_of_a_table
):
    progress = window.findChild(ReadingProgress)
    size = window.desk.canvas.size()
    window.desk.files.open_path(file_of_a_table)
    qtbot.waitUntil(progress.isVisible)
    assert window.statusBar().currentMessage() == "Opening Table.battlemap ..."
    assert window.desk.canvas.size() == size, "the map would be drawn at another size"
    slow_reads.set()
    qtbot.waitUntil(lambda: window.desk.document.path == file_of_a_table)
    assert not progress.isVisible()
    assert window.statusBar().currentMessage() == "Opened Table.battlemap"


@pytest.mark.deep
def test_a_file_that_is_read_slowly_need_not_be_waited_for(
    window, qtbot, slow_reads, file_of_a_table
):
    desk = window.desk
    progress = window.findChild(ReadingProgress)
    desk.files.open_path(file_of_a_table)
    qtbot.waitUntil(progress.isVisible)
    QTest.mouseClick(progress.cancel_button, Qt.MouseButton.LeftButton)
    assert not progress.isVisible()
    assert not any_running()
    slow_reads.set()
    qtbot.waitUntil(lambda: not Job.any_running())
    assert [open_map.path for open_map in desk.document.maps] == [None]
    desk.files.open_path(file_of_a_table)
    qtbot.waitUntil(lambda: desk.document.path == file_of_a_table)


@pytest.fixture
def gallery(window, qtbot, monkeypatch):
    """The gallery of the sample map, and how often it began to search."""
    began = []
    real = search_work.search

    def search(request, *rest):
        began.append(request)
        return real(request, *rest)

    # A slow search.
    monkeypatch.setattr(search_work, "search", search)
    window.resize(1280, 860)
    window.desk.docks.open("gallery")
    gallery = window.desk.docks.panel("gallery")
    gallery.began = began
    qtbot.waitUntil(lambda: len(gallery.maps.model.unpinned) == 48 and settled(gallery))
    return gallery


@pytest.mark.deep
def test_the_gallery_rolls_nothing_again_behind_the_map(gallery, window, qtbot):
    docks = window.desk.docks
    began = len(gallery.began)
    for _ in range(2):
        docks.views.show_map()
        qtbot.waitUntil(lambda: not gallery.finder.watched)
        docks.show("gallery")
        qtbot.waitUntil(lambda: gallery.finder.watched and settled(gallery))
    assert len(gallery.began) == began
    assert len(gallery.maps.model.unpinned) == 48


@pytest.mark.deep
def test_the_gallery_rolls_nothing_again_for_a_map_that_is_current_again(gallery, window, qtbot):
    document = window.desk.document
    first = document.current_map
    digests = [each.digest for each in gallery.maps.model.unpinned]
    table = new_map(system_named("cordery"))
    document.open_map(table)
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 48)
    second = document.current_map
    tables = [each.digest for each in gallery.maps.model.unpinned]
    assert tables != digests
    began = len(gallery.began)
    for open_map, shown in ((first, digests), (second, tables), (first, digests)):
        document.make_current(open_map)
        window.desk.docks.show("gallery")
        qtbot.waitUntil(
            lambda shown=shown: [each.digest for each in gallery.maps.model.unpinned] == shown
        )
        qtbot.waitUntil(lambda: settled(gallery))
        assert gallery.finder.has_ended
        assert gallery.status.message.text()
    assert len(gallery.began) == began


@pytest.mark.deep
def test_what_is_painted_meanwhile_is_rolled_again(gallery, window, qtbot):
    document = window.desk.document
    first = document.current_map
    document.open_map(new_map(system_named("cordery")))
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 48)
    document.make_current(first)
    began = len(gallery.began)
    window.desk.tools.options.choose(terrain=3)
    paint(window, "terrain", "A1")
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: len(gallery.began) == began + 1 and settled(gallery))
