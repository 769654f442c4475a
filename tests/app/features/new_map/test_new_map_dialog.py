"""New map: which kind, which layout, how large; said in words where it cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from app.features.new_map import dialog as module
from app.features.new_map.dialog import MOST_SHOWN, NewMapDialog
from app.settings import NewMap, Settings
from randomizer.catalog import systems
from randomizer.model.grid import Grid
from randomizer.model.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import SYSTEM as FREE_MAPS

FREE = 1


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def dialog(qtbot, settings) -> NewMapDialog:
    dialog = NewMapDialog(settings)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.made = []
    dialog.chosen.connect(dialog.made.append)
    return dialog


def choose(dialog, layout, width: int, height: int, wrap: bool = False) -> None:
    dialog.kinds.setCurrentRow(FREE)
    dialog.form.field("layout").setCurrentIndex(LAYOUTS.index(layout))
    dialog.form.field("width").setValue(width)
    dialog.form.field("height").setValue(height)
    dialog.form.field("wrap").setChecked(wrap)


def size_shown(dialog) -> tuple[int, int]:
    return dialog.form.field("width").value(), dialog.form.field("height").value()


def test_a_battleland_is_one_enter_away(dialog):
    assert dialog.form.isHidden()
    QTest.keyClick(dialog.kinds, Qt.Key.Key_Return)
    (battlemap,) = dialog.made
    assert battlemap.system is SYSTEM
    assert [layer.name for layer in battlemap.layers] == ["Ground"]
    assert not dialog.isVisible()


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_free_map_has_the_layout_and_the_size_that_were_chosen(dialog, layout):
    choose(dialog, layout, 12, 7, wrap=True)
    dialog.grab()  # its picture
    dialog.make()
    grid = dialog.made[0].grid
    assert (grid.layout, grid.width, grid.height, grid.wrap) == (layout, 12, 7, True)
    assert dialog.made[0].system.name == "free"


def test_a_million_cells_are_made_and_more_are_refused_in_words(dialog):
    choose(dialog, SQUARE, 1001, 1000)
    assert dialog.words.text == "1,001 x 1,000 are 1,001,000 cells. A map has at most 1,000,000."
    assert not dialog.make_button.isEnabled()
    dialog.make()
    assert dialog.made == []
    dialog.form.field("width").setValue(1000)
    assert "1,000,000 cells" in dialog.words.text
    dialog.make()
    assert dialog.made[0].grid.size == 1_000_000


def test_a_seam_that_would_not_fit_is_refused_in_words(dialog):
    choose(dialog, FLAT, 25, 9, wrap=True)
    assert "take 24 or 26" in dialog.words.text
    assert not dialog.make_button.isEnabled()
    dialog.form.field("wrap").setChecked(False)
    assert dialog.make_button.isEnabled()


def test_layout_and_size_are_remembered(dialog, settings, qtbot):
    choose(dialog, OBLIQUE, 360, 122, wrap=True)
    dialog.make()
    assert settings.new_map == NewMap("oblique", 360, 122, True)
    again = NewMapDialog(settings)
    qtbot.addWidget(again)
    assert again.kinds.currentRow() == 0  # a battleland stays one Enter away
    again.kinds.setCurrentRow(FREE)
    grid = again.grid()
    assert (grid.layout, grid.width, grid.height, grid.wrap) == (OBLIQUE, 360, 122, True)


def test_a_wargame_table_has_squares_or_hexes_and_a_usual_size(dialog):
    row = next(i for i, system in enumerate(systems()) if system.name == "cordery")
    dialog.kinds.setCurrentRow(row)
    layouts = dialog.form.field("layout")
    words = [layouts.itemText(i) for i in range(layouts.count())]
    assert words == ["Hexes in rows (pointed top)", "Squares"]
    assert size_shown(dialog) == (9, 8)
    assert "wrap" not in dialog.form.values()
    for layout, size in ((1, (8, 8)), (0, (9, 8))):
        layouts.setCurrentIndex(layout)
        assert size_shown(dialog) == size
    dialog.form.field("height").setValue(6)
    layouts.setCurrentIndex(1)
    assert size_shown(dialog) == (9, 6), "a size that is chosen stays"
    dialog.form.field("width").setValue(10_000)
    assert dialog.form.field("width").value() == 60
    dialog.kinds.setCurrentRow(1)
    assert dialog.form.field("layout").count() == len(LAYOUTS)


def test_a_system_of_one_layout_may_wrap_and_lean(qtbot, settings, monkeypatch):
    world = replace(
        FREE_MAPS,
        title="World",
        layouts=(OBLIQUE.name,),
        wraps=True,
        new_grid=lambda: Grid(OBLIQUE, 60, 30, wrap=True, lean=True),
    )
    monkeypatch.setattr(module, "systems", lambda: (world,))
    dialog = NewMapDialog(settings)
    qtbot.addWidget(dialog)
    made = dialog.grid()
    assert (made.layout, made.width, made.height, made.wrap, made.lean) == (
        OBLIQUE,
        60,
        30,
        True,
        True,
    )
    assert world.why_not_grid(made) == ""
    assert world.why_not_grid(Grid(SQUARE, 4, 4)) == "no World has such a grid"
    assert replace(world, wraps=False).why_not_grid(made) == "no World has such a grid"
    dialog.form.field("wrap").setChecked(False)
    assert not dialog.grid().wrap


@pytest.mark.parametrize("layout", [FLAT, SQUARE])
def test_the_picture_is_of_the_map_that_will_be_made(dialog, layout):
    for width, height in ((7, 4), (24, 18)):
        choose(dialog, layout, width, height)
        drawn = dialog.picture._grid
        assert (drawn.layout, drawn.width, drawn.height) == (layout, width, height)
    choose(dialog, layout, 900, 300)
    drawn = dialog.picture._grid
    assert drawn.width / drawn.height == pytest.approx(3, rel=0.1)
    assert drawn.size <= 2 * MOST_SHOWN
    dialog.grab()
