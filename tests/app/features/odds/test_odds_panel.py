"""The panel of odds: what the map shows is read back from its pixels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QThreadPool
from PySide6.QtTest import QTest

from app.features.odds import counting
from app.features.odds.feature import OddsController
from app.features.odds.odds_heat import Choice, ChoiceKind
from app.features.odds.row_list import ROW_ROLE
from app.features.odds.rows import HexsideRow, ReasonRow, StateRow
from app.render.cell_values.heat import heat_colours
from randomizer.batches.odds_table import OddsTable
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.grid.grid import Hit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.board import LABELS
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import free_map
from tests.app.conftest import cell, finished_picture
from tests.app.saves import agree, finished
from tests.daily import deep_but_last
from tests.systems import TILES
from tests.ui_work import UiWork

SCRIPT = """\
LABEL middle = SOMEOF(1,D3 D4 C3)
AREA (middle) HAZARDS Volcano,100.,2
AREA D1 D2 HAZARDS Bog,50. Tree,25.
"""
STEP = 1 / 64
"""The map shows so many colours."""


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("odds", "script", "gallery", "tools", "layers", "cordery")


class Odds:
    """The panel of odds of a window, and what is seen of it."""

    def __init__(self, qtbot, window, folder: Path) -> None:
        self.qtbot = qtbot
        self.window = window
        self.folder = folder
        window.desk.tools.choose("pan")  # whose preview covers no hex
        window.desk.docks.show("odds")
        self.panel = window.desk.docks.panel("odds")
        self.desk = self.panel.findChild(OddsController)
        self.live = self.desk.live
        self.editor = window.desk.docks.panel("randomize").editor

    @property
    def table(self) -> OddsTable:
        assert self.live.table is not None
        return self.live.table

    def open(self, text: str) -> None:
        path = self.folder / "Script.rnd"
        path.write_text(text)
        self.window.resize(1280, 860)  # colours are read beside the words of a hex
        assert finished(self.window.desk.scripts.opening.open(path))
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: self.live.is_settled)

    def choose(self, kind: ChoiceKind, code: int = 0) -> None:
        self.panel.combo.setCurrentIndex(self.panel.combo.offered.index(Choice(kind, code)))
        self.settle()

    def colours(self, points: list[tuple[float, float]]) -> list[int]:
        """The colours of the map at points in map units."""
        image = finished_picture(self.window.desk.canvas, self.qtbot)
        view = self.window.desk.canvas.viewport
        return [image.pixelColor(view.to_screen(*point).toPoint()).rgb() for point in points]

    def read(self, points: list[tuple[float, float]]) -> list[float]:
        """The chances that the colours of these points say."""
        ramp = heat_colours().view(np.uint8).reshape(256, 4).astype(int)
        found = []
        for colour in self.colours(points):
            pixel = np.array([colour], np.uint32).view(np.uint8).astype(int)
            away = np.abs(ramp - pixel).sum(axis=1)
            assert away.min() < 12, f"{colour:x} is no colour of the ramp"
            found.append(float(away.argmin()) / 255)
        return found

    def beside_the_words(self, label: str) -> tuple[float, float]:
        x, y = self.window.desk.document.battlemap.grid.centre(cell(label))
        return x - 0.7, y

    def seen(self) -> dict[str, float]:
        """What every hex of the map shows."""
        return dict(zip(LABELS, self.read([*map(self.beside_the_words, LABELS)]), strict=True))

    def rows(self) -> list[StateRow | HexsideRow | ReasonRow]:
        tree = self.panel.rows
        tops = [tree.topLevelItem(place) for place in range(tree.topLevelItemCount())]
        items = [item for top in tops for item in (top, *(map(top.child, range(top.childCount()))))]
        return [item.data(0, ROW_ROLE) for item in items]

    def point_at(self, label: str) -> None:
        x, y = self.window.desk.document.battlemap.grid.centre(cell(label))
        QTest.mouseMove(
            self.window.desk.canvas, self.window.desk.canvas.viewport.to_screen(x, y).toPoint()
        )


@pytest.fixture
def odds(qtbot, window, tmp_path):
    window.desk.scripts.files.ask_about_edits = agree  # nobody is asked about edits
    yield Odds(qtbot, window, tmp_path)
    window.desk.docks["odds"].hide()
    QThreadPool.globalInstance().waitForDone(20_000)


def chances(table: OddsTable, terrain: int) -> dict[str, float]:
    columns = [place for place, state in enumerate(table.states) if state[0] == terrain]
    return {label: float(table.chances[cell(label), columns].sum()) for label in LABELS}


@pytest.mark.deep
def test_odds_of_a_map_that_is_not_in_front_any_more_are_neither_told_nor_asked_for(odds, qtbot):
    odds.open(SCRIPT)
    odds.point_at("D4")
    window = odds.window
    with qtbot.capture_exceptions() as raised:
        for width in (30, 6):
            window.desk.document.open_map(free_map(FLAT, width, width))
            assert odds.live.table is None
            assert odds.rows() == []
            odds.window.desk.canvas.hovered.emit(Hit(width * width - 1, 0, 0.0))
            window.desk.document.make_current(
                window.desk.document.maps[0]
            )  # before its odds are there
            odds.point_at("D4")
            qtbot.wait(30)
        qtbot.waitUntil(lambda: odds.live.is_final)
    assert raised == []
    odds.point_at("A1")
    qtbot.waitUntil(lambda: bool(odds.rows()))


def test_the_map_shows_the_recorded_odds(odds, shared):
    recorded = json.loads(
        (shared / "reference/colossus/exact_odds/Mountains.json").read_text("utf-8")
    )
    odds.open((shared / "corpus/colossus/rnd/Mountains.rnd").read_text("latin-1"))
    for terrain in ("Volcano", "Plains"):
        odds.choose(ChoiceKind.TERRAIN, COLOSSUS.terrain_code(terrain))
        for label, shown in odds.seen().items():
            states = recorded["hex"][label].items()
            there = sum(chance for name, chance in states if name.split("/")[0] == terrain)
            assert shown == pytest.approx(there, abs=STEP), label
    odds.choose(ChoiceKind.ELEVATION, 2)
    for label, shown in odds.seen().items():
        states = recorded["hex"][label].items()
        there = sum(chance for name, chance in states if name.endswith("/2"))
        assert shown == pytest.approx(there, abs=STEP), label


@pytest.mark.deep
def test_the_bars_on_the_sides_show_the_recorded_odds(odds, shared):
    recorded = json.loads(
        (shared / "reference/colossus/exact_odds/Mountains.json").read_text("utf-8")
    )
    odds.open((shared / "corpus/colossus/rnd/Mountains.rnd").read_text("latin-1"))
    grid = odds.window.desk.document.battlemap.grid
    for letter in ("c", "s"):
        odds.choose(ChoiceKind.HEXSIDE, COLOSSUS.hexside_code(letter))
        points = []
        expected = []
        for place, found in recorded["hexside"].items():
            if found.get(letter, 0) > 0.01:
                label, side = place.split(":")
                at = np.array(grid.centre(cell(label)))
                ends = [np.array(grid.corner(cell(label), int(side) + more)) for more in (0, 1)]
                bar = at + ((0.8 * ends[0] + 0.2 * ends[1]) - at) * 0.87
                points.append((float(bar[0]), float(bar[1])))
                expected.append(found[letter])
        assert odds.read(points) == pytest.approx(expected, abs=0.02)


def test_the_map_shows_the_chance_of_the_likeliest_hazard_and_says_which(odds):
    odds.open(SCRIPT)
    seen = odds.seen()
    assert seen["D4"] == pytest.approx(2 / 3, abs=STEP)
    assert seen["A1"] == pytest.approx(1, abs=STEP)
    assert odds.window.desk.renderer.heat_map.texts[cell("D4")] == "Plains\n67 %"
    both = chances(odds.table, COLOSSUS.terrain_code("Bog"))
    odds.choose(ChoiceKind.TERRAIN, COLOSSUS.terrain_code("Bog"))
    assert odds.seen() == pytest.approx(both, abs=STEP)


@pytest.mark.deep
def test_hidden_or_not_wanted_the_map_is_as_before(odds, qtbot):
    canvas = odds.window.desk.canvas
    canvas.show_viewport(canvas.viewport)  # docks that come and go would fit the map anew
    points = [*map(odds.beside_the_words, LABELS)]
    odds.window.desk.docks["odds"].hide()
    qtbot.waitUntil(lambda: odds.window.desk.renderer.heat is None)
    before = odds.colours(points)
    odds.window.desk.docks.show("odds")
    odds.settle()
    assert odds.colours(points) != before
    odds.panel.map_box.setChecked(False)
    assert odds.colours(points) == before
    odds.panel.map_box.setChecked(True)
    docks = odds.window.desk.docks
    odds.window.tabifyDockWidget(docks["odds"], docks["layers"])
    docks["layers"].raise_()  # another tab in front of it
    qtbot.waitUntil(lambda: odds.window.desk.renderer.heat is None)
    assert odds.colours(points) == before


def test_a_key_brings_fresh_odds(odds, qtbot):
    odds.open(SCRIPT)
    odds.choose(ChoiceKind.TERRAIN, COLOSSUS.terrain_code("Bog"))
    at = odds.editor.toPlainText().index("50.")
    cursor = odds.editor.textCursor()
    cursor.setPosition(at)
    cursor.deleteChar()
    with qtbot.waitSignal(odds.live.odds_changed):
        cursor.insertText("8")
    odds.settle()
    base = odds.window.desk.rolling.next_base()
    script = from_text(odds.editor.text(), "Script.rnd")
    expected = script.odds_of_maps({}, base, 1 << 17)
    bog = chances(expected, COLOSSUS.terrain_code("Bog"))
    assert max(bog.values()) == pytest.approx(0.4, abs=0.05)  # it was 0.25
    assert odds.seen() == pytest.approx(bog, abs=STEP)


def test_while_the_text_has_errors_the_last_picture_stays_and_is_dimmed(odds, qtbot):
    odds.open(SCRIPT)
    bright = odds.colours([odds.beside_the_words("A1")])
    table = odds.table
    odds.editor.textCursor().insertText("AREA A1 HAZARDS Brush\nAREA (nowhere ")  # a warning first
    qtbot.waitUntil(lambda: bool(odds.live.problems))
    assert odds.table is table
    assert odds.window.desk.renderer.heat_map.faded
    assert odds.colours([odds.beside_the_words("A1")]) != bright
    assert odds.panel.message.text().startswith("The script cannot be rolled: see line 2.")
    odds.editor.undo()
    qtbot.waitUntil(lambda: odds.live.is_final)
    assert odds.colours([odds.beside_the_words("A1")]) == bright


def test_the_slider_steps_through_the_script(odds):
    odds.open(SCRIPT)
    odds.choose(ChoiceKind.TERRAIN, COLOSSUS.terrain_code("Bog"))
    odds.point_at("D1")
    assert "Bog, elevation 0" in [row.label for row in odds.rows()]
    odds.panel.stages.slider.setValue(0)
    assert max(odds.seen().values()) < STEP  # the bogs come with the next statement
    assert odds.panel.stages.label.text() == "After line 2: AREA (middle)"
    marked = [each.cursor.selectedText() for each in odds.editor.extraSelections()]
    assert "AREA (middle) HAZARDS Volcano,100.,2" in marked
    assert odds.rows()[0].label == "Plains, elevation 0"
    assert odds.rows()[0].chance.value == 1.0
    odds.choose(ChoiceKind.ELEVATION, 2)
    assert odds.seen()["D4"] == pytest.approx(1 / 3, abs=STEP)
    odds.panel.stages.slider.setValue(odds.panel.stages.slider.maximum())
    assert odds.panel.stages.label.text() == "After the whole script"
    assert np.nanmax(odds.window.desk.renderer.heat) == pytest.approx(1 / 3, abs=STEP)


@pytest.mark.deep
def test_hexsides_have_odds_at_the_end_only_and_none_are_told_where_none_can_be(odds):
    odds.open(SCRIPT)
    assert not odds.panel.pin.isVisible()  # no hex was pointed at
    odds.point_at("D2")
    odds.panel.stages.slider.setValue(0)
    assert odds.rows()[0].label == "Plains, elevation 0"
    assert odds.rows()[0].chance.value == 1.0
    odds.choose(ChoiceKind.HEXSIDE, COLOSSUS.hexside_code("c"))
    assert odds.panel.stages.label.text() == "Hexsides: only at the end"
    assert not odds.panel.stages.slider.isEnabled()
    assert "Bog, elevation 0" in [
        row.label for row in odds.rows()
    ]  # of the finished maps, as on the map
    assert odds.panel.message.text().endswith("Cliff (hexside): on none of them.")
    odds.open(f"{SCRIPT}PAIR (Volcano,2)(Plains,0) HEXSIDES c\n")
    odds.choose(ChoiceKind.HEXSIDE, COLOSSUS.hexside_code("c"))
    assert odds.panel.message.text().endswith("points (99 % sure).")
    assert "Cliff on the north" not in [row.label for row in odds.rows()]
    odds.panel.show_cell(cell("D4"))
    assert "Cliff on the north" in [row.label for row in odds.rows()]


def test_a_hex_tells_what_it_can_become_and_who_is_responsible(odds):
    odds.open(SCRIPT)
    odds.point_at("D4")
    rows = odds.rows()
    assert [row.label for row in rows] == [
        "Plains, elevation 0",
        "the map below",
        "Volcano, elevation 2",
        "line 2: AREA (middle)",
    ]
    _plains, map_below, _volcano, statement = rows
    assert map_below.line is None
    assert statement.line == 2
    chances = [row.chance.value for row in rows]
    assert chances == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1 / 3], abs=0.003)
    assert not any(row.chance.has_error for row in rows)
    odds.panel.pin.click()
    odds.point_at("A1")
    assert odds.panel.hex_label.text() == "D4"
    odds.panel.pin.click()
    odds.point_at("A2")
    assert odds.panel.hex_label.text() == "A2"
    odds.point_at("D4")
    tree = odds.panel.rows
    tree.itemClicked.emit(tree.topLevelItem(1).child(0), 0)
    assert odds.editor.cursor_place()[0] == 2


def test_maps_with_a_chance_are_one_click_away_in_the_gallery(odds, qtbot):
    odds.open(SCRIPT)
    odds.panel.show_cell(cell("D4"))
    volcano = odds.panel.rows.topLevelItem(1)
    line = volcano.child(0)
    assert odds.panel.rows.gallery_menu(line) is None, "a line of the script is gone to"
    menu = odds.panel.rows.gallery_menu(volcano)
    (action,) = menu.actions()
    action.trigger()
    gallery = odds.window.desk.docks.panel("gallery")
    assert gallery.form.filter.text() == "D4 = Volcano/2"
    assert gallery.isVisible()
    qtbot.waitUntil(lambda: gallery.finder.has_ended and bool(gallery.maps.model.candidates))


@pytest.mark.deep
def test_rare_maps_have_error_bars_and_under_locks_there_are_no_steps(odds):
    odds.open(
        "AREA D1 D2 HAZARDS Bog,50. Tree,25.\nAREA A1 HAZARDS Lake,1.\nAREA A2 HAZARDS Bog,1.\n"
    )
    odds.point_at("D1")
    document = odds.window.desk.document
    lake = COLOSSUS.terrain_code("Lake")
    bog = COLOSSUS.terrain_code("Bog")
    layer = document.active_layer
    assert layer.roll is not None
    locked = np.array([cell("A2"), cell("A1")])  # ascending, as edits want them
    # As if a roll had made both: a lock on what is painted would not bind the script.
    old_values = layer.planes["terrain"].ravel()[locked]
    edit = PlaneEdit(layer.id, "terrain", locked, old_values, np.array([bog, lake], "u2"))
    document.push(edit, "Roll")
    document.push(set_locks(document.battlemap, locked, True), "Lock")
    odds.qtbot.waitUntil(lambda: odds.table.tried > odds.table.samples > 0)
    rows = odds.rows()
    assert all(row.chance.has_error for row in rows)
    assert "\N{PLUS-MINUS SIGN}" in rows[0].chance.text
    assert odds.panel.message.text().startswith("Counted on ")
    assert not odds.panel.stages.slider.isEnabled()
    assert odds.panel.stages.label.text() == "Line by line: not under locks"
    assert "only finished maps are counted" in odds.panel.stages.slider.toolTip()


def test_odds_are_worked_out_off_the_ui_thread(odds, qtbot):
    odds.open(SCRIPT)
    with UiWork() as work:
        for _ in range(6):
            odds.editor.textCursor().insertText("#")
            odds.settle()
    assert work.where(Sample.roll_up_to) == {"job"}


@pytest.mark.deep
def test_the_pictures_of_hazards_have_the_colours_of_the_map(odds, qtbot):
    odds.open(SCRIPT)
    place = odds.panel.combo.findText("Volcano")

    def picture():
        return odds.panel.combo.itemIcon(place).pixmap(16, 16).toImage()

    before = picture()
    odds.window.desk.theme.set_colour_set("colour-blind")
    qtbot.waitUntil(lambda: picture() != before)


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "noun"), deep_but_last([("hex", "hex"), ("square", "square")]))
def test_a_wargame_table_has_odds_in_its_own_words(odds, qtbot, kind, noun):
    """They are counted on its maps, since its generator makes one map after the other."""
    table = BattleMap.new(TABLE, table_grid(kind, 8, 8), [Layer(1, "Table")])
    odds.window.desk.document.open_map(table)
    qtbot.waitUntil(lambda: odds.window.desk.docks.find_panel("dice") is not None)
    odds.window.desk.docks.show("odds")
    qtbot.waitUntil(lambda: odds.live.is_final and odds.live.table is not None)
    panel = odds.panel
    assert panel.message.text().startswith("Counted on 400 maps")
    assert panel.tabs.tabText(0) == f"One {noun}"
    assert noun in panel.combo.toolTip()
    names = [panel.combo.itemText(place) for place in range(panel.combo.count())]
    assert names[0] == "Likeliest terrain"
    assert {"Open", "1 contour", "Field"} <= set(names)
    assert odds.window.desk.renderer.heat is None  # the colours belong to the map before
    panel.map_box.click()
    assert odds.window.desk.renderer.heat is not None
    panel.show_cell(12)
    assert any(row.label == "Open, no hill" for row in odds.rows())


def test_on_a_map_of_another_kind_nothing_of_the_last_one_stays(odds, qtbot):
    odds.open(SCRIPT)
    window = odds.window
    page = odds.desk.histogram
    window.desk.docks.show("gallery")
    gallery = window.desk.docks.panel("gallery")
    odds.panel.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.bars_shown is not None)
    qtbot.waitUntil(lambda: gallery.maps.model.rowCount() >= 48)
    window.desk.document.open_map(BattleMap.new(TILES, layers=[Layer(1, "Ground")]))
    docks = window.desk.docks
    assert docks["odds"].isHidden()
    assert not docks.view("gallery").is_open
    assert not window.desk.commands.action("randomize.odds").isVisible()
    for name in ("odds", "gallery"):
        docks.show(name)
    why = "Script.rnd makes a Colossus battleland; this is a Tiles with heights."
    qtbot.waitUntil(lambda: page.message.text() == gallery.status.message.text() == why)
    assert page.bars_shown is None
    assert gallery.maps.model.rowCount() == 0
    assert odds.panel.message.text() == why


def test_a_histogram_counts_maps_and_has_the_current_map_in_it(odds, qtbot, monkeypatch):
    monkeypatch.setattr(counting, "LONGEST_S", float("inf"))  # all maps, on a busy machine, too
    odds.open(SCRIPT)
    odds.panel.tabs.setCurrentIndex(1)
    page = odds.desk.histogram
    qtbot.waitUntil(lambda: page.measure is not None)
    names = [measure.title for measure in page.measures]
    page.combo.setCurrentIndex(names.index("Bog"))
    # The measure shown first, a share, may have been shown meanwhile: Bog is a whole number.
    qtbot.waitUntil(lambda: page.message.text().startswith("This map: 0. "))
    edges, counts, _one_per_number = page.bars_shown.bars
    assert edges.tolist() == [-0.5, 0.5, 1.5, 2.5][: len(edges)]
    assert counts.sum() == 10_000
    # Each of the two hexes is a bog in at most half of the maps.
    assert counts[0] > 2000
    assert "10,000 maps" in page.message.text()
    assert page.grab(page.rect()).toImage().pixelColor(QPoint(2, 60)).isValid()
