"""A picture under the map: laid, placed by mouse, numbers and three hexes, traced by a job."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from app.background.actions import run
from app.background.jobs import Job
from app.features.map_picture.feature import MapPictures
from app.features.map_picture.tracing import TracingState
from app.render.pictures.picture_files import png_of
from app.render.pictures.picture_levels import PictureLevels
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map_picture import MapPicture, picture_of
from randomizer.model.records.assets import asset_digest
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import free_map
from randomizer.tracing import alignment
from tests.app.conftest import finished_picture, mouse
from tests.randomizer.own_terrains import PNG

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
PURPLE = "#a000c8"

KNOWN = TerrainSet(
    "Moor",
    (Terrain("Bog", "#3060a0"), Terrain("Heath", "#c0a030"), Terrain("Fen", "#30a060")),
    elevations=(0, 1),
)


@pytest.fixture
def features():
    return "map_picture", "tools", "selection"


class Desk:
    """The window with a free map of three terrains, and the panel of its picture."""

    def __init__(self, window, qtbot, tmp_path) -> None:
        self.qtbot = qtbot
        self.folder = tmp_path
        self.desk = window.desk
        self.document = window.desk.document
        self.canvas = window.desk.canvas
        self.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
        self.canvas.fit()
        self.desk.docks.show("picture")
        self.panel = self.desk.docks.panel("picture")
        self.pictures = self.desk.findChild(MapPictures)

    @property
    def picture(self) -> MapPicture:
        picture = picture_of(self.document.battlemap.records)
        assert picture is not None
        return picture

    def take(self, data: bytes, name: str = "scan.png") -> None:
        """Lay a file under the map."""
        (self.folder / name).write_bytes(data)
        steps = self.document.history.index
        run(self.pictures.lay_file(self.document.current_map, self.folder / name))
        self.qtbot.waitUntil(lambda: self.document.history.index > steps)

    def at(self, x: float, y: float):
        return self.canvas.viewport.to_screen(x, y).toPoint()

    def drag(self, *places: tuple[float, float]) -> None:
        points = [self.at(*place) for place in places]
        mouse(self.canvas, "MouseButtonPress", points[0], LEFT, LEFT)
        for point in points[1:]:
            mouse(self.canvas, "MouseMove", point, NONE, LEFT)
        mouse(self.canvas, "MouseButtonRelease", points[-1], LEFT, NONE)

    def colour(self, cell: int) -> str:
        """What the middle of the upper part of a cell shows, without its name."""
        image = finished_picture(self.canvas, self.qtbot)
        x, y = self.document.battlemap.grid.centre(cell)
        return image.pixelColor(self.at(x - 0.4, y + 0.3)).name()

    def write(self, name: str, text: str) -> None:
        field = self.panel.form.field(name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    def paint(self, cells: list[int], codes: list[int]) -> None:
        from app.tools.painting import paint

        spec = self.document.battlemap.system.terrain
        where = np.array(cells)
        self.document.push(paint(self.document, spec, where, np.array(codes)), "Paint")


@pytest.fixture
def on(window, qtbot, tmp_path):
    return Desk(window, qtbot, tmp_path)


def plain(colour: str, width: int = 400, height: int = 300) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return png_of(image)


def of_cells(grid, codes) -> bytes:
    """A picture of a map in the colours of its terrains, with a grain."""
    left, top, right, bottom = grid.bounds
    unit = 30
    y, x = np.mgrid[: int((bottom - top) * unit), : int((right - left) * unit)] + 0.5
    cells = grid.cells_at(np.stack([x.ravel() / unit + left, y.ravel() / unit + top], axis=1))
    colours = np.array([QColor(terrain.colour).rgb() & 0xFFFFFF for terrain in KNOWN.terrains])
    pixels = np.where(cells >= 0, colours[codes[cells]], 0xFFFFFF).astype(np.uint32)
    pixels = np.ascontiguousarray(pixels.reshape(x.shape)) | np.uint32(0xFF000000)
    height, width = pixels.shape
    return png_of(QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32))


def test_a_picture_shows_where_no_cell_is_set(on, monkeypatch) -> None:
    threads = []
    decode = PictureLevels.of

    def noted(digest, data):
        threads.append(threading.current_thread())
        return decode(digest, data)

    # On which thread it runs is told by nothing else.
    monkeypatch.setattr(PictureLevels, "of", noted)
    before = on.colour(20)
    on.paint([21], [1])
    on.take(plain(PURPLE))
    assert threading.main_thread() not in threads
    assert on.colour(20) == PURPLE
    heath = on.colour(21)  # with the picture at its soft rim
    assert heath != PURPLE
    assert "scan.png: 400 x 300 pixels" in on.panel.about.text()
    on.write("opacity", "50")
    faded = on.colour(20)
    assert faded not in (PURPLE, before)
    on.panel.form.field("over").click()
    assert on.colour(21) != heath
    on.panel.form.field("shown").click()
    assert on.colour(20) not in (PURPLE, faded)
    assert on.colour(21) != PURPLE
    for _ in range(3):
        on.document.undo()
    assert on.colour(20) == PURPLE
    on.document.undo()
    assert on.colour(20) not in (PURPLE, faded)
    assert not on.panel.form.isVisibleTo(on.panel)


def test_a_map_seen_from_afar_shows_it_too(on) -> None:
    on.take(plain(PURPLE))
    on.canvas.zoom(0.2)
    on.paint([21], [1])
    assert on.colour(20) == PURPLE
    on.panel.form.field("over").click()
    assert on.colour(21) == PURPLE


def test_each_map_shows_its_own_picture(on) -> None:
    on.take(plain(PURPLE))
    first = on.document.current_map
    on.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
    bare = on.colour(20)
    on.take(plain("#00c8a0"), "other.png")
    assert on.colour(20) == "#00c8a0" != bare
    on.document.make_current(first)
    on.qtbot.waitUntil(lambda: on.colour(20) == PURPLE)


def test_what_is_no_picture_is_refused_in_words(on) -> None:
    (on.folder / "a.jpg").write_bytes(b"nothing")
    run(on.pictures.lay_file(on.document.current_map, on.folder / "a.jpg"))
    on.qtbot.waitUntil(lambda: on.desk.frame.findChild(ProblemDialog) is not None)
    assert "is no picture" in on.desk.frame.findChild(ProblemDialog).text.toPlainText()
    assert not on.document.history.steps


def test_an_asset_that_is_no_picture_is_said(on) -> None:
    data = b"GIF89a of another program"
    on.document.add_assets({asset_digest(data): data})
    on.pictures.push(MapPicture(asset_digest(data), "", (4, 3), (1, 0, 0, 1, 0, 0)), "Lay")
    said = on.desk.frame.statusBar().currentMessage
    on.qtbot.waitUntil(lambda: "this is no picture" in said())
    on.colour(20)  # is drawn without it


def test_the_button_asks_for_a_file(on, hand) -> None:
    (on.folder / "b.png").write_bytes(PNG)
    hand.expect("A picture under the map").type_path(on.folder / "b.png")
    on.panel.open_button.click()
    on.qtbot.waitUntil(lambda: picture_of(on.document.battlemap.records) is not None)
    assert on.picture.name == "b.png"
    on.panel.remove_button.click()
    assert picture_of(on.document.battlemap.records) is None


def test_a_drag_moves_it_in_one_step(on) -> None:
    on.take(plain(PURPLE))
    on.panel.place_button.click()
    steps = on.document.history.index
    start = on.picture
    on.drag((3.0, 3.0), (3.4, 3.1), (4.5, 3.6))
    assert on.document.history.index == steps + 1
    assert np.subtract(on.picture.middle, start.middle) == pytest.approx((1.5, 0.6), abs=0.1)
    assert on.picture.placed
    on.document.undo()
    assert on.picture == start
    on.drag((3.0, 3.0))
    assert on.document.history.index == steps  # a click moves nothing


def test_a_drag_turns_and_enlarges_it(on) -> None:
    on.take(plain(PURPLE))
    on.desk.tools.choose("picture")
    on.desk.tools.options.choose(picture_drag="turn")
    x, y = on.picture.middle
    before = on.picture
    on.drag((x + 2, y), (x + 1, y + 2), (x, y + 3))
    assert on.picture.turn == pytest.approx(90, abs=3)
    assert before.pixels_per_unit / on.picture.pixels_per_unit == pytest.approx(1.5, abs=0.1)
    assert on.picture.middle == pytest.approx(before.middle)


def test_numbers_move_it_and_a_lock_holds_it(on) -> None:
    on.take(plain(PURPLE))
    before = on.picture
    on.write("turn", "10")
    on.write("right", "2")
    assert on.picture.turn == pytest.approx(10)
    assert on.picture.middle[0] - before.middle[0] == pytest.approx(2 * 3**0.5)
    size = on.picture.pixels_per_unit
    on.write("pixels", "25")
    assert on.picture.pixels_per_unit * 3**0.5 == pytest.approx(25)
    assert size != on.picture.pixels_per_unit
    on.panel.form.field("locked").click()
    held = on.picture
    refusals = []
    on.document.work_refused.connect(refusals.append)
    on.write("turn", "40")
    on.desk.tools.choose("picture")
    on.drag((3.0, 3.0), (5.0, 3.0))
    assert on.picture == held
    assert on.panel.form.values()["turn"] == pytest.approx(10)
    assert len(refusals) == 2
    assert "locked" in refusals[0]


def test_a_picture_is_moved_back_to_the_middle_by_a_0(on) -> None:
    on.take(PNG)
    for name in ("right", "down", "turn"):
        on.write(name, "2")
        assert on.panel.form.values()[name] == pytest.approx(2)
        on.write(name, "0")
        assert on.panel.form.values()[name] == pytest.approx(0)


def test_three_hexes_and_where_they_are_in_the_picture_lay_it(on) -> None:
    on.take(plain(PURPLE))
    on.desk.tools.choose("picture")
    on.desk.tools.options.choose(picture_drag="cells")
    grid = on.document.battlemap.grid
    before = on.picture
    steps = on.document.history.index
    cells = (9, 14, 33)
    places = [(2.0, 2.5), (8.5, 3.0), (3.0, 7.0)]
    for cell, place in zip(cells[:2], places, strict=False):
        on.drag(grid.centre(cell))
        on.drag(place)
    assert on.document.history.index == steps
    on.drag(grid.centre(cells[2]), places[2])  # a drag tells both
    assert on.document.history.index == steps + 1
    for cell, place in zip(cells, places, strict=True):
        now = np.array([*grid.centre(cell), 1]) @ on.picture.matrix
        then = np.array([*place, 1]) @ before.matrix
        np.testing.assert_allclose(now, then, atol=2.0)  # mice point at whole pixels


def test_a_hex_whose_press_is_taken_back_is_not_told(on) -> None:
    on.take(plain(PURPLE))
    on.desk.tools.choose("picture")
    on.desk.tools.options.choose(picture_drag="cells")
    place = on.at(*on.document.battlemap.grid.centre(9))
    mouse(on.canvas, "MouseButtonPress", place, LEFT, LEFT)
    QTest.keyClick(on.canvas, Qt.Key.Key_Escape)
    mouse(on.canvas, "MouseButtonRelease", place, LEFT, NONE)
    before = on.picture
    places = [(2.0, 2.5), (8.5, 3.0), (3.0, 7.0)]
    for cell, point in zip((9, 14, 33), places, strict=True):
        on.drag(on.document.battlemap.grid.centre(cell))
        on.drag(point)
    now = np.array([*on.document.battlemap.grid.centre(9), 1]) @ on.picture.matrix
    then = np.array([*places[0], 1]) @ before.matrix
    np.testing.assert_allclose(now, then, atol=2.0)


def test_three_hexes_on_a_line_are_refused(on) -> None:
    on.take(plain(PURPLE))
    on.desk.tools.choose("picture")
    on.desk.tools.options.choose(picture_drag="cells")
    grid = on.document.battlemap.grid
    before = on.picture
    refusals = []
    on.document.work_refused.connect(refusals.append)
    for cell in (8, 24, 40):
        on.drag(grid.centre(cell), (grid.centre(cell)[0] + 3.0, grid.centre(cell)[1] + 0.2))
    assert on.picture == before
    assert refusals == ["Nothing is moved: the three hexes are on one line."]


def test_without_a_picture_the_tool_and_the_command_say_so(on) -> None:
    refusals = []
    on.document.work_refused.connect(refusals.append)
    on.desk.tools.choose("picture")
    on.drag((3.0, 3.0), (5.0, 3.0))
    on.pictures.tracing.begin()
    assert "Map > Picture under the map" in refusals[0]
    assert refusals[1] == on.pictures.tracing.why_not() == "The map has no picture."
    assert not on.panel.take_button.isEnabled()


@pytest.fixture
def traceable(on):
    """A picture of the map's terrains; three cells are painted, one as it is not in the picture."""
    grid = on.document.battlemap.grid
    on.codes = np.random.default_rng(3).integers(0, 3, grid.size)
    painted = [each for code in range(3) for each in np.flatnonzero(on.codes == code)[:2].tolist()]
    on.paint(painted, on.codes[painted].tolist())
    on.painted = np.array(painted)
    on.take(of_cells(grid, on.codes))
    on.pictures.push(on.picture._replace(placed=True), "Place")
    return on


def test_terrains_are_taken_in_one_step_and_painted_cells_stay(traceable, qtbot) -> None:
    on = traceable
    battlemap = traceable.document.battlemap
    wrong = int(np.setdiff1d(battlemap.grid.cells, on.painted)[0])
    on.paint([wrong], [(on.codes[wrong] + 1) % 3])
    steps = on.document.history.index
    layers = len(battlemap.layers)
    on.panel.take_button.click()
    assert on.panel.progress.isVisibleTo(on.panel)
    qtbot.waitUntil(lambda: on.pictures.tracing.state is not TracingState.UNDER_WAY)
    assert on.document.history.index == steps + 1
    shown = on.document.battlemap.values("terrain").ravel()
    expected = on.codes.copy()
    expected[wrong] = (on.codes[wrong] + 1) % 3
    certain = np.setdiff1d(battlemap.grid.cells, on.document.selection.cells)
    # The program draws these terrains otherwise: of 24 such pictures 60 to 95 % are told.
    assert (shown[certain] == expected[certain]).mean() > 0.6
    painted = np.append(on.painted, wrong)
    np.testing.assert_array_equal(shown[painted], expected[painted])
    assert battlemap.layers[0].name == "Traced"
    assert on.panel.take_button.isEnabled()
    unset = battlemap.system.terrain.unset
    assert (battlemap.layers[0].planes["terrain"].ravel()[on.painted] == unset).all()
    on.paint([wrong], [int(on.codes[wrong])])  # learned from the next time
    on.pictures.tracing.begin()
    qtbot.waitUntil(lambda: on.pictures.tracing.state is not TracingState.UNDER_WAY)
    assert len(battlemap.layers) == layers + 1
    on.document.undo()
    on.document.undo()
    on.document.undo()
    assert len(on.document.battlemap.layers) == layers


def test_a_tracing_belongs_to_its_map(traceable, qtbot) -> None:
    on = traceable
    first = traceable.document.current_map
    on.pictures.tracing.begin()
    other = on.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
    qtbot.waitUntil(lambda: on.pictures.tracing.state is not TracingState.UNDER_WAY)
    assert not other.history.steps
    assert len(first.battlemap.layers) == 1
    on.document.make_current(first)
    assert len(first.battlemap.layers) == 2


def test_a_tracing_waits_for_the_end_of_a_stroke(traceable, qtbot) -> None:
    on = traceable
    on.document.begin_stroke("Paint")
    on.pictures.tracing.begin()
    qtbot.waitUntil(lambda: on.pictures.tracing.state is not TracingState.UNDER_WAY)
    assert on.document.in_stroke
    on.document.end_stroke()
    qtbot.waitUntil(lambda: len(on.document.battlemap.layers) == 2)


def test_a_tracing_of_a_map_that_was_closed_is_dropped(traceable, qtbot) -> None:
    on = traceable
    first = traceable.document.current_map
    on.pictures.tracing.begin()
    on.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
    on.document.close_map(first)
    assert on.pictures.tracing.state is not TracingState.UNDER_WAY
    on.take(plain(PURPLE))
    assert on.panel.take_button.isEnabled()


def test_a_tracing_can_be_cancelled_and_ends_when_the_picture_moves(traceable) -> None:
    on = traceable
    steps = traceable.document.history.index
    on.pictures.tracing.begin()
    on.panel.cancel_button.click()
    assert on.pictures.tracing.state is not TracingState.UNDER_WAY
    assert on.document.history.index == steps
    on.pictures.tracing.begin()
    on.write("right", "1")
    assert on.pictures.tracing.state is not TracingState.UNDER_WAY
    assert len(on.document.battlemap.layers) == 1


def test_the_search_for_the_grid_can_be_cancelled(traceable, qtbot, monkeypatch) -> None:
    on = traceable
    scores = []
    score = alignment.score

    def counted(*arguments):
        scores.append(1)
        return score(*arguments)

    # It runs on another thread, whose calls are not watched.
    monkeypatch.setattr(alignment, "score", counted)
    on.pictures.push(on.picture._replace(placed=False), "Not placed")
    on.pictures.tracing.begin()
    qtbot.waitUntil(lambda: len(scores) > 5)
    on.panel.cancel_button.click()
    qtbot.waitUntil(lambda: not Job.any_running())
    assert len(scores) < 13 * 37  # not half of the first round


def test_the_traced_layer_is_not_changed_when_locked(traceable, qtbot) -> None:
    on = traceable
    battlemap = traceable.document.battlemap
    refusals = []
    on.document.work_refused.connect(refusals.append)
    battlemap.layers[0].name = "Traced"
    battlemap.layers[0].locked = True
    on.pictures.tracing.begin()
    assert on.pictures.tracing.state is not TracingState.UNDER_WAY
    assert "locked" in refusals[0]


def test_f4_walks_the_selected_cells(on) -> None:
    on.document.select([5, 11, 30])
    walked = []
    for key in ("select.next", "select.next", "select.next", "select.next", "select.previous"):
        on.desk.commands.run(key)
        walked.append(on.canvas.keyboard_cursor.cell)
    assert walked == [5, 11, 30, 5, 30]
    on.drag((3.0, 3.0))  # the mouse hides the cursor; the walk goes on
    on.desk.commands.run("select.next")
    assert on.canvas.keyboard_cursor.cell == 5
    assert "1 of 3" in on.desk.frame.statusBar().currentMessage()


def test_f4_begins_with_the_first_selected_cell_of_another_map(on) -> None:
    on.document.select([5, 11, 30])
    on.desk.commands.run("select.previous")
    on.drag((3.0, 3.0))  # the mouse hides the cursor
    on.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
    on.document.select([2, 40])
    on.desk.commands.run("select.next")
    assert on.canvas.keyboard_cursor.cell == 2


def test_the_picture_of_a_map_that_was_current_for_a_moment_is_not_drawn_below_another(on):
    on.take(plain("#ff0000"), "red.png")
    red_map = on.document.current_map
    on.document.open_map(free_map(FLAT, 8, 6, terrain_set=KNOWN))
    on.take(plain("#0000ff"), "blue.png")
    blue_map = on.document.current_map
    on.document.make_current(red_map)
    on.qtbot.waitUntil(lambda: on.colour(0) == "#ff0000")
    on.document.make_current(blue_map)  # its picture is decoded ...
    on.document.make_current(red_map)  # ... but nobody waits for it
    on.qtbot.wait(200)
    assert on.colour(0) == "#ff0000"
