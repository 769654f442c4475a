"""New map: which kind, which layout, how large; said in words where it cannot be."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.features.new_map import dialog as module
from app.features.new_map.catalogue import EMPTY
from app.features.new_map.dialog import NewMapDialog
from app.features.new_map.grid_picture import MAX_CELLS_DRAWN, coarse_grid
from app.features.new_map.grid_settings import usual_grid
from app.features.new_map.thumbnails import EntryThumbnails
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.catalog import script_catalog
from randomizer.catalog.script_catalog import packaged_entries
from randomizer.catalog.systems import systems
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE
from randomizer.scripts import script_folders
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.colossus.generator import RndGenerator
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import SYSTEM as FREE_MAPS
from tests.daily import deep_but
from tests.systems import system_like

FREE = 1


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
    dialog.choose("Empty map")
    dialog.form.field("layout").setCurrentIndex(LAYOUTS.index(layout))
    dialog.form.field("width").setValue(width)
    dialog.form.field("height").setValue(height)
    dialog.form.field("wrap").setChecked(wrap)


def size_shown(dialog) -> tuple[int, int]:
    return dialog.form.field("width").value(), dialog.form.field("height").value()


def test_a_battleland_is_one_enter_away(dialog):
    assert not dialog.form.isVisible()
    QTest.keyClick(dialog.kinds, Qt.Key.Key_Return)
    (battlemap,) = dialog.made
    assert battlemap.system is SYSTEM
    assert [layer.name for layer in battlemap.layers] == ["Ground"]
    assert not dialog.isVisible()


@pytest.mark.parametrize("layout", deep_but(LAYOUTS, SQUARE), ids=lambda layout: layout.name)
def test_a_free_map_has_the_layout_and_the_size_that_were_chosen(dialog, layout):
    choose(dialog, layout, 12, 7, wrap=True)
    dialog.grab()  # its picture
    dialog.make()
    grid = dialog.made[0].grid
    assert (grid.layout, grid.width, grid.height, grid.wrap) == (layout, 12, 7, True)
    assert dialog.made[0].system.name == "free"


def test_a_million_cells_are_made_and_more_are_refused_in_words(dialog):
    choose(dialog, SQUARE, 1001, 1000)
    assert dialog.status.text == "1,001 x 1,000 are 1,001,000 cells. A map has at most 1,000,000."
    assert not dialog.make_button.isEnabled()
    dialog.make()
    assert dialog.made == []
    dialog.form.field("width").setValue(1000)
    assert "1,000,000 squares" in dialog.status.text
    dialog.make()
    assert dialog.made[0].grid.size == 1_000_000


def test_a_seam_that_would_not_fit_is_refused_in_words(dialog):
    choose(dialog, FLAT, 25, 9, wrap=True)
    assert "take 24 or 26" in dialog.status.text
    assert not dialog.make_button.isEnabled()
    dialog.form.field("wrap").setChecked(False)
    assert dialog.make_button.isEnabled()


def test_layout_and_size_are_remembered(dialog, settings, qtbot):
    choose(dialog, OBLIQUE, 360, 122, wrap=True)
    dialog.make()
    grid = usual_grid(FREE_MAPS, settings)
    assert (grid.layout, grid.width, grid.height, grid.wrap) == (OBLIQUE, 360, 122, True)
    again = NewMapDialog(settings)
    qtbot.addWidget(again)
    assert again.kinds.currentRow() == 0  # a battleland stays one Enter away
    again.kinds.setCurrentRow(FREE)
    grid = again.form.chosen_grid()
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
    world = system_like(
        FREE_MAPS,
        title="World",
        layouts=(OBLIQUE.name,),
        wraps=True,
        new_grid=lambda: Grid(OBLIQUE, 60, 30, wrap=True, lean=True),
    )
    # No system that comes with the program has one layout, and leans.
    monkeypatch.setattr(module, "systems", lambda: (world,))
    dialog = NewMapDialog(settings)
    qtbot.addWidget(dialog)
    made = dialog.form.chosen_grid()
    assert (made.layout, made.width, made.height, made.wrap, made.lean) == (
        OBLIQUE,
        60,
        30,
        True,
        True,
    )
    assert world.why_not_grid(made) == ""
    assert world.why_not_grid(Grid(SQUARE, 4, 4)) == "no World has such a grid"
    assert system_like(world, wraps=False).why_not_grid(made) == "no World has such a grid"
    dialog.form.field("wrap").setChecked(False)
    assert not dialog.form.chosen_grid().wrap


@pytest.mark.parametrize("layout", deep_but([FLAT, SQUARE], FLAT))
def test_the_picture_is_of_the_map_that_will_be_made(dialog, layout):
    pictures = set()
    for width, height in ((7, 4), (24, 18)):
        choose(dialog, layout, width, height)
        assert coarse_grid(dialog.form.chosen_grid()).size == width * height
        picture = (
            dialog.entries.scripts.currentItem()
            .icon()
            .pixmap(dialog.entries.scripts.iconSize())
            .toImage()
        )
        pictures.add(bytes(picture.constBits()))
    assert len(pictures) == 2
    choose(dialog, layout, 900, 300)
    drawn = coarse_grid(dialog.form.chosen_grid())
    assert drawn.width / drawn.height == pytest.approx(3, rel=0.1)
    assert drawn.size <= 2 * MAX_CELLS_DRAWN


# --- the catalogue ------------------------------------------------------------------------------


def names(dialog) -> list[str]:
    return [
        dialog.entries.scripts.item(row).text() for row in range(dialog.entries.scripts.count())
    ]


def choose_kind(dialog, name: str) -> None:
    dialog.kinds.setCurrentRow([system.name for system in systems()].index(name))


@pytest.fixture
def folder(tmp_path):
    """A folder with two entries of one script, added by the user."""
    added = tmp_path / "added"
    added.mkdir()
    (added / "meadow.rnd").write_text("# nothing\n")
    for name, keywords in (("Meadow", ["dry", "grass"]), ("Secret", ["hidden"])):
        said = {"Name": name, "Script": "meadow.rnd", "Keywords": keywords, "Description": "Mine."}
        (added / f"{name}.json").write_text(json.dumps({"settings": said}))
    script_folders.choose_folders(lambda: [added])
    yield added
    script_folders.choose_folders()


def test_scripts_are_searched_and_filtered_by_keyword(dialog):
    assert names(dialog)[:2] == [EMPTY, "Beach"]
    dialog.choose("Swamp")
    QTest.keyClicks(dialog.entries.filter.words, "TREES")
    assert names(dialog) == ["Hills", "Jungle", "Swamp", "Woods"]
    assert dialog.entry.metadata.name == "Swamp", "what is chosen stays"
    dialog.entries.filter.keywords.setCurrentText("bog")
    assert names(dialog) == ["Swamp"]
    QTest.keyClicks(dialog.entries.filter.words, " nowhere")
    assert names(dialog) == []
    assert not dialog.make_button.isEnabled()
    dialog.entries.filter.words.clear()
    dialog.entries.filter.keywords.setCurrentIndex(0)
    assert len(names(dialog)) == 13
    assert dialog.make_button.isEnabled()


def test_a_script_of_that_name_is_found_first_and_chosen(dialog):
    dialog.choose("Hills")
    QTest.keyClicks(dialog.entries.filter.words, "wood")
    assert names(dialog) == ["Woods", "Hills", "Swamp"]
    assert dialog.entry.metadata.name == "Woods"


def test_the_empty_map_can_be_made_again_after_a_search_without_a_match(dialog):
    choose(dialog, FLAT, 5, 5)
    dialog.entries.filter.words.setText("zzz")
    assert not dialog.make_button.isEnabled()
    dialog.entries.filter.words.clear()
    assert dialog.entry is None
    assert dialog.make_button.isEnabled()


def test_the_kind_of_the_current_map_is_chosen_first(qtbot, settings):
    dialog = NewMapDialog(settings, system=FREE_MAPS)
    qtbot.addWidget(dialog)
    assert dialog.kinds.currentItem().text() == FREE_MAPS.title_in_lists


def test_a_field_entered_from_outside_by_the_keyboard_is_scrolled_to(qtbot, dialog):
    choose_kind(dialog, "zeroad")
    dialog.resize(800, 500)
    qtbot.waitUntil(dialog.make_button.isEnabled)  # the form is that of the script from now on
    dialog.activateWindow()
    dialog.make_button.setFocus()
    scroll_bar = dialog.below.verticalScrollBar()
    qtbot.waitUntil(lambda: dialog.make_button.hasFocus() and scroll_bar.maximum() > 0)
    assert scroll_bar.value() == 0
    QTest.keyClick(dialog.make_button, Qt.Key.Key_Backtab)
    field = dialog.focusWidget()
    assert dialog.below.isAncestorOf(field)
    qtbot.waitUntil(lambda: not field.visibleRegion().isEmpty())


def test_a_script_is_rolled_with_the_settings_of_its_form(dialog):
    rolled = []
    dialog.roll_chosen.connect(rolled.append)
    choose_kind(dialog, "xconq")
    assert names(dialog) == ["Modern", "Fantasy", "New period", EMPTY]
    QTest.keyClick(dialog.entries.scripts, Qt.Key.Key_Right)
    assert dialog.entry.metadata.name == "Fantasy"
    assert dialog.form.values()["width"] == 60
    dialog.form.field("width").setValue(30)
    dialog.form.field("height").setValue(15)
    dialog.form.field("countries").setValue(3)
    QTest.keyClick(dialog.entries.scripts, Qt.Key.Key_Return)
    (new_roll,) = rolled
    battlemap = new_roll.battlemap
    assert new_roll.script_file is None
    assert (battlemap.grid.width, battlemap.grid.height) == (30, 15)
    assert new_roll.generator.metadata.name == "Fantasy"
    assert new_roll.settings == {"width": 30, "height": 15, "countries": 3}
    assert dialog.made == []


def test_a_typed_size_stays_when_another_script_of_the_kind_is_chosen(dialog):
    dialog.kinds.setCurrentRow(FREE)
    dialog.choose("Landscape")
    dialog.form.field("width").setValue(40)
    dialog.form.field("height").setValue(30)
    dialog.choose("Inland landscape")
    assert dialog.entry.metadata.name == "Inland landscape"
    assert size_shown(dialog) == (40, 30)
    dialog.choose("Islands landscape")
    assert size_shown(dialog) == (40, 30)


def test_a_size_that_nobody_typed_is_that_of_the_script(dialog):
    choose_kind(dialog, "xconq")
    dialog.choose("Modern")
    dialog.choose("Fantasy")
    assert size_shown(dialog) == (60, 30)


def test_scripts_of_the_user_come_while_the_dialog_is_used(folder, dialog, qtbot):
    dialog.choose("Swamp")
    qtbot.waitUntil(lambda: "Meadow" in names(dialog))
    assert "Secret" not in names(dialog), "it is hidden"
    assert dialog.entry.metadata.name == "Swamp"
    dialog.choose("Meadow")
    assert "From Your scripts." in dialog.about.text()
    qtbot.waitUntil(dialog.make_button.isEnabled)
    assert dialog.status.text.endswith("rolled by Meadow.")
    (folder / "meadow.rnd").unlink()
    dialog.choose("Swamp")
    dialog.choose("Meadow")
    qtbot.waitUntil(lambda: "no such file" in dialog.status.text)
    assert not dialog.make_button.isEnabled()


def test_a_script_whose_file_was_edited_is_listed_as_it_is_now(folder, dialog, qtbot):
    qtbot.waitUntil(lambda: "Meadow" in names(dialog))
    dialog.choose("Meadow")
    assert dialog.about.text().startswith("Mine.")
    metadata = folder / "Meadow.json"
    edited = metadata.read_text().replace("Mine.", "Wet in spring.")
    metadata.write_text(edited)
    dialog.entries.catalogue.read_again()
    qtbot.waitUntil(lambda: dialog.about.text().startswith("Wet in spring."))
    metadata.write_text(edited.replace('"Meadow"', '"Water meadow"'))
    dialog.entries.catalogue.read_again()
    qtbot.waitUntil(lambda: "Water meadow" in names(dialog))
    assert dialog.entry.metadata.name == "Water meadow", "it is still chosen"


def test_a_folder_is_added_and_stays_added(dialog, settings, folder, qtbot, hand):
    catalogue = dialog.entries.catalogue
    hand.hold(type(dialog))
    script_folders.choose_folders()
    catalogue.read_again()
    qtbot.waitUntil(lambda: not catalogue.busy)
    assert "Meadow" not in names(dialog)

    hand.expect("Add a folder of scripts or a game").type_path(folder)
    dialog.entries.filter.folders_button.click()
    qtbot.waitUntil(lambda: "Meadow" in names(dialog) and not catalogue.busy)
    assert settings.script_folders == (folder,)
    assert not dialog.entries.problem_status.isVisible()

    (folder / "broken.json").write_text('{"settings": ')
    hand.expect("Add a folder of scripts or a game").type_path(folder)
    dialog.entries.filter.folders_button.click()
    qtbot.waitUntil(dialog.entries.problem_status.isVisible)
    assert "broken.json" in dialog.entries.problem_status.text
    assert settings.script_folders == (folder,)

    dialog.entries.filter.folders_button.folders.aboutToShow.emit()
    (remove,) = dialog.entries.filter.folders_button.folders.actions()
    remove.trigger()
    assert settings.script_folders == ()
    qtbot.waitUntil(
        lambda: "Meadow" not in names(dialog) and not dialog.entries.problem_status.isVisible()
    )


def test_what_a_kind_of_map_lacks_is_said_on_a_card(dialog, qtbot, monkeypatch):
    words = "No game was found."
    # What is missing depends on what is installed.
    monkeypatch.setattr(
        script_catalog,
        "reason_without_scripts",
        lambda system: words if system.name == "xconq" else "",
    )
    dialog.entries.catalogue.read_again()
    qtbot.waitUntil(lambda: not dialog.entries.catalogue.busy)
    assert not dialog.entries.missing_game_banner.isVisible()
    choose_kind(dialog, "xconq")
    assert dialog.entries.missing_game_banner.isVisible()
    assert dialog.entries.missing_game_banner.label.text() == words


def test_a_script_that_cannot_be_run_says_why(dialog, monkeypatch):
    words = "The engine is missing."
    # What is missing depends on what is installed.
    monkeypatch.setattr(RndGenerator, "why_not", lambda _generator: words)
    dialog.choose("Swamp")
    assert dialog.status.text == words
    assert not dialog.make_button.isEnabled()
    dialog.choose(EMPTY)
    assert dialog.make_button.isEnabled()


def test_thumbnails_are_previews_or_rolled_once_and_stored(qtbot, settings, tmp_path):
    def thumbnails() -> EntryThumbnails:
        return EntryThumbnails(QSize(40, 30), Renderer(theme("light")), tmp_path, dialog)

    dialog = NewMapDialog(settings)
    qtbot.addWidget(dialog)
    swamp = next(
        packaged_entry
        for packaged_entry in packaged_entries()
        if packaged_entry.metadata.name == "Swamp"
    )
    modern = next(
        packaged_entry
        for packaged_entry in packaged_entries()
        if packaged_entry.metadata.name == "Modern"
    )
    first = thumbnails()
    first.show([swamp, modern])
    qtbot.waitUntil(lambda: first.of(swamp) is not None and first.of(modern) is not None)
    (stored,) = tmp_path.glob("*.png")
    assert QImage(str(stored)).size() == QSize(40, 30)
    unrollable = replace(modern, preview=lambda: None)
    again = thumbnails()
    again.show([unrollable])
    qtbot.waitUntil(lambda: again.of(unrollable) is not None)
    assert list(tmp_path.glob("*.png")) == [stored]


def test_the_smallest_dialog_shows_all_and_names_all(dialog, qtbot):
    dialog.resize(800, 500)
    qtbot.wait(1)
    assert (dialog.width(), dialog.height()) == (800, 500)
    for row in range(dialog.kinds.count()):
        dialog.kinds.setCurrentRow(row)
        visible = dialog.entries.scripts.viewport().rect()
        assert visible.contains(
            dialog.entries.scripts.visualItemRect(dialog.entries.scripts.currentItem())
        )
        assert dialog.make_button.isVisible()
    assert dialog.form.field("PlayerData").cellWidget(0, 1).accessibleName() == "Civilisation 1"


def test_the_keyboard_alone_chooses_and_makes(dialog, qtbot):
    QTest.keyClick(dialog.kinds, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.entries.filter.words
    for expected in (
        dialog.entries.filter.keywords,
        dialog.entries.filter.folders_button,
        dialog.entries.scripts,
    ):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        assert dialog.focusWidget() is expected
    QTest.keyClick(dialog.entries.scripts, Qt.Key.Key_Right)
    assert dialog.entry.metadata.name == "Beach"
    QTest.keyClick(dialog.entries.scripts, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.form.field("BaseTerrain")
    choose_kind(dialog, "zeroad")
    dialog.form.field("Nomad").setFocus()
    table = dialog.form.field("PlayerData")
    qtbot.waitUntil(table.cellWidget(1, table.columnCount() - 1).isVisible)
    for row in range(2):
        for column in range(table.columnCount()):
            QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
            assert dialog.focusWidget() is table.cellWidget(row, column)


SMALL_SCREEN = QSize(720, 450)

FIRST_FIELDS = ("width", "Size", "BaseTerrain")
"""The first field of the form, of whatever kind of map."""


def position_of_first_field(dialog) -> QPoint | None:
    """Return where the first field of the form begins; None if nothing is asked."""
    for name in FIRST_FIELDS:
        if name in dialog.form.values():
            field = dialog.form.field(name)
            return field.mapTo(dialog, field.rect().topLeft())
    return None


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(SMALL_SCREEN, id="small"),
        pytest.param(QSize(1120, 780), id="large", marks=pytest.mark.deep),
    ],
)
def test_the_form_stays_where_it_is_for_each_script_of_a_kind(dialog, qtbot, size):
    """That of another kind has the height that the pictures of that kind leave."""
    dialog.resize(size)
    choose_kind(dialog, "free")
    qtbot.waitUntil(lambda: dialog.form.field("width").visibleRegion().boundingRect().height() > 20)
    for row in range(dialog.kinds.count()):
        dialog.kinds.setCurrentRow(row)
        dialog.choose(names(dialog)[-1])
        qtbot.wait(300)  # until the layout has the heights of this kind
        first_position = position_of_first_field(dialog)

        def is_in_place(position=first_position) -> bool:
            return position_of_first_field(dialog) in (None, position)

        for name in names(dialog):
            dialog.choose(name)
            if first_position is not None:
                qtbot.waitUntil(is_in_place)
    assert dialog.entry is None, "the last one is the empty map of 0 A.D."


def test_the_scripts_of_a_whole_game_have_most_of_the_dialog(dialog, qtbot):
    """Those that are found after the dialog was opened, too."""
    choose_kind(dialog, "zeroad")
    dialog.resize(1120, 780)
    dialog.entries.catalogue.set_content(dialog.entries.catalogue.content._replace(entries=()))
    qtbot.wait(1)
    known = packaged_entries(systems()[dialog.kinds.currentRow()])[0]
    many = [
        replace(known, metadata=replace(known.metadata, name=f"Map {n}"), path=f"map_{n}")
        for n in range(80)
    ]
    dialog.entries.catalogue.set_content(
        dialog.entries.catalogue.content._replace(entries=tuple(many))
    )
    qtbot.waitUntil(lambda: dialog.entries.scripts.count() > 80)
    scripts = dialog.entries.scripts

    def count_seen() -> int:
        seen = scripts.viewport().rect()
        items = [scripts.visualItemRect(scripts.item(row)) for row in range(80)]
        return sum(seen.contains(item) for item in items)

    qtbot.waitUntil(lambda: count_seen() >= 21)
    assert dialog.form.field("Size").isVisible()


def test_the_rows_of_four_players_are_seen_without_scrolling(dialog, qtbot):
    dialog.resize(1120, 780)
    choose_kind(dialog, "zeroad")
    dialog.form.field("Players").setValue(4)
    table = dialog.form.field("PlayerData")
    qtbot.waitUntil(lambda: table.rowCount() == 4)
    last_field = table.cellWidget(3, 0)
    qtbot.waitUntil(lambda: last_field.visibleRegion().boundingRect() == last_field.rect())


def test_a_narrow_grid_is_drawn_with_few_cells_too():
    for width, height in ((1, 150_000), (150_000, 1)):
        assert coarse_grid(Grid(FLAT, width, height)).size <= MAX_CELLS_DRAWN


def test_one_column_that_goes_round_is_told_of_the_one_way_out(dialog):
    choose(dialog, FLAT, 1, 8, wrap=True)
    assert "take 2." in dialog.status.label.text()


def test_a_terrain_set_that_cannot_be_read_stays_told_and_is_tried_again(
    dialog, settings, tmp_path, qtbot
):
    dialog.kinds.setCurrentRow(FREE)
    dialog.choose("Empty map")
    path = tmp_path / "moor.terrains.json"
    path.write_text("nothing")
    choice = dialog.form.terrain_choice
    with qtbot.waitSignal(choice.failed):
        choice.choose(FREE_MAPS, str(path))
    reason = dialog.status.label.text()
    assert reason
    dialog.form.field("width").setValue(12)
    assert dialog.status.label.text() == reason
    path.write_bytes(write_terrains(FREE_MAPS.terrain_set))
    with qtbot.waitSignal(choice.read):
        choice.choose(FREE_MAPS, str(path))
    assert choice.terrains is not None
