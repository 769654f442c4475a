"""Open from game: groups, slots with their pictures, what is opened, what goes wrong."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.document.open_map import GameSource
from app.features.game.game_folder import GameFolder
from app.features.game.level_choice import GroupChoice
from app.features.game.open_dialog import OpenGameDialog
from randomizer.catalog.map_formats import format_named
from randomizer.catalog.systems import game_host
from randomizer.formats.checked import write_files_checked
from randomizer.systems.zeroad.system import SYSTEM
from tests.app.made_up_game import host, places, settings_in, thumbnails
from tests.randomizer.systems.colossus.game_on_disk import make_files
from tests.randomizer.systems.interchange.scenario_files import FLAT_SCENARIO, SCENARIO, terrain
from tests.randomizer.systems.zeroad.made_game import install


@pytest.fixture
def opened(qtbot, tmp_path: Path):
    """Opens the dialog on a directory and waits until it has looked there."""

    def open_dialog(game_dir: Path | None, source: GameSource | None = None) -> OpenGameDialog:
        settings = settings_in(tmp_path, game_dir)
        dialog = OpenGameDialog(GameFolder(host(), settings), thumbnails(), source)
        qtbot.addWidget(dialog)
        dialog.settings = settings
        dialog.open()
        qtbot.waitUntil(lambda: not dialog.chooser.status.busy and not dialog.status.busy)
        return dialog

    return open_dialog


def rows(view) -> list[str]:
    return [view.item(row).text() for row in range(view.count())]


def choose(dialog: OpenGameDialog, qtbot, group: str, slot: str) -> None:
    names = [text.split("  ")[0] for text in rows(dialog.groups)]
    dialog.groups.setCurrentRow(names.index(group))
    qtbot.waitUntil(lambda: not dialog.status.busy)
    slots = [text.splitlines()[0] for text in rows(dialog.slots)]
    dialog.slots.setCurrentRow(slots.index(slot))


def picture(dialog: OpenGameDialog, row: int) -> QImage:
    return dialog.slots.item(row).icon().pixmap(dialog.slots.iconSize()).toImage()


def test_variants_come_with_the_number_of_their_terrains(opened, game: Path) -> None:
    dialog = opened(game)
    assert rows(dialog.groups) == [
        "Default  (3 terrains)",
        "Badlands  (3 terrains)",
        "BadlandsJDG  (3 terrains)",
    ]


def test_terrains_say_where_their_battleland_comes_from(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    assert rows(dialog.slots) == [
        "Brush\nin the jar",
        "Plains\nfrom a file",
        "Tower\nno battleland",
    ]
    choose(dialog, qtbot, "BadlandsJDG", "Fort")
    assert rows(dialog.slots) == [
        "Plains\nfrom a file",
        "Fort\nfrom Badlands, in the jar",
        "Dry Hills\nfrom Badlands, in the jar",
    ]
    choose(dialog, qtbot, "Badlands", "Plains")
    assert rows(dialog.slots)[0] == "Plains\nfrom a file of Default"


def test_a_terrain_without_a_battleland_cannot_be_chosen(opened, game: Path) -> None:
    dialog = opened(game)
    assert not dialog.slots.item(2).flags() & Qt.ItemFlag.ItemIsEnabled
    assert dialog.chosen_slot_name == "Brush"
    dialog.slots.setCurrentRow(2)
    assert dialog.chosen_slot_name is None
    assert not dialog.open_button.isEnabled()


def test_the_pictures_of_the_maps_appear_one_after_another(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    blank = picture(dialog, 2)
    qtbot.waitUntil(lambda: picture(dialog, 0) != blank and picture(dialog, 1) != blank)
    assert picture(dialog, 0) != picture(dialog, 1)


def test_a_picture_drawn_once_is_there_at_once_the_next_time(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    blank = picture(dialog, 2)
    qtbot.waitUntil(lambda: picture(dialog, 1) != blank)
    choose(dialog, qtbot, "BadlandsJDG", "Plains")
    choose(dialog, qtbot, "Default", "Plains")
    assert picture(dialog, 1) != blank


def test_open_reads_the_map_and_says_where_it_belongs(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    choose(dialog, qtbot, "Default", "Plains")
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    result, source, merge = chosen.args
    assert result.battlemap.composite().properties.get("subtitle") == "with a volcano"
    assert source == GameSource(game, "Default", "Plains")
    assert merge is False
    assert not dialog.isVisible()


def test_enter_on_a_terrain_opens_it_and_the_box_merges_instead(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    choose(dialog, qtbot, "Badlands", "Fort")
    dialog.merge.click()
    assert dialog.open_button.text() == "Merge"
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(dialog.slots, Qt.Key.Key_Return)
    assert chosen.args[1].slot == "Fort"
    assert chosen.args[2] is True


def test_a_double_click_opens(opened, game: Path, qtbot) -> None:
    dialog = opened(game)
    at = dialog.slots.visualItemRect(dialog.slots.item(1)).center()
    viewport = dialog.slots.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args[1].slot == "Plains"


def test_the_place_that_the_open_map_came_from_is_chosen(opened, game: Path) -> None:
    dialog = opened(game, GameSource(game, "Badlands", "Fort"))
    assert dialog.group.name == "Badlands"
    assert dialog.chosen_slot_name == "Fort"


def test_a_directory_that_is_not_the_games_gives_words(opened, tmp_path: Path) -> None:
    folder = tmp_path / "holiday"
    folder.mkdir()
    dialog = opened(folder)
    assert "not the game's directory" in dialog.chooser.status.text
    assert rows(dialog.groups) == []
    assert not dialog.open_button.isEnabled()
    assert dialog.isVisible()


def test_without_a_directory_it_asks_for_one_and_remembers_it(opened, game: Path, qtbot) -> None:
    dialog = opened(None)
    assert dialog.chooser.status.text.startswith("Choose where Colossus is")
    dialog.chooser.line.setText(str(game))
    QTest.keyClick(dialog.chooser.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.groups.count() == 3)
    assert dialog.settings.game_dir("colossus") == game
    assert dialog.isVisible()


def test_a_folder_near_the_game_leads_to_it_and_elsewhere_it_says_what_to_choose(
    opened, game: Path, tmp_path: Path, qtbot
) -> None:
    dialog = opened(None)
    line = dialog.chooser.line
    far = tmp_path / "a" / "b" / "c" / "d"
    far.mkdir(parents=True)
    for path, words in (
        (far, "Choose the directory that holds Colossus.jar"),
        (game / "Default", f"Colossus was found in {game}, with 3 variants."),
        (game.parent, f"Colossus was found in the subfolder “{game.name}”, with 3 variants."),
        (game, "Colossus is there, with 3 variants."),
    ):
        line.setText(str(path))
        QTest.keyClick(line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda words=words: words in dialog.chooser.status.text)
    assert line.text() == str(game)


def test_the_jar_is_as_good_as_its_directory(opened, game: Path) -> None:
    dialog = opened(game / "Colossus.jar")
    assert dialog.groups.count() == 3


def test_a_variant_with_a_bad_file_is_marked_and_says_why(opened, game: Path, qtbot) -> None:
    make_files(game, {"Odd/OddVar.xml": "<variant name='Odd'/>"})
    dialog = opened(game)
    choose(dialog, qtbot, "Odd", "Plains")
    item = dialog.groups.currentItem()
    assert not item.icon().isNull()
    assert "creatures" in item.toolTip()
    assert "creatures" in dialog.status.text


def test_a_map_that_cannot_be_read_is_told_in_the_dialog(opened, game: Path, qtbot) -> None:
    make_files(game, {"Default/Battlelands/Brush.xml": "<battlemap"})
    dialog = opened(game)
    choose(dialog, qtbot, "Default", "Brush")
    told = dialog.status.text
    assert len(told.splitlines()) == 2
    dialog.open_chosen()
    qtbot.waitUntil(lambda: not dialog.status.busy)
    assert dialog.isVisible()
    assert dialog.status.text


def test_closing_while_it_looks_is_quiet(qtbot, tmp_path: Path, game: Path) -> None:
    found = places(tmp_path, game)
    dialog = OpenGameDialog(found, thumbnails())
    dialog.open()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.deleteLater()
    with qtbot.waitSignals([dialog.destroyed, found.opened]):
        assert found.busy


def test_scenarios_of_the_installed_game_are_read_one_by_one(
    tmp_path: Path, qtbot, monkeypatch
) -> None:
    public = install(tmp_path, monkeypatch)
    maps = {"maps/scenarios/hill.xml": SCENARIO, "maps/scenarios/hill.pmp": terrain()}
    maps |= {"maps/scenarios/flat.xml": FLAT_SCENARIO, "maps/skirmishes/bad.xml": b"<Scenario"}
    with ZipFile(public / "public.zip", "w") as archive:
        for name, data in maps.items():
            archive.writestr(name, data)
    mods = tmp_path / "home" / "mods"
    (mods / "user").mkdir(parents=True)
    settings = settings_in(tmp_path, None)
    settings.set_game_dir("zeroad", mods)
    places_of_game = GameFolder(game_host(SYSTEM), settings)
    dialog = OpenGameDialog(places_of_game, thumbnails())
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.groups.count() == 3)
    assert rows(dialog.groups)[1:] == ["0 A.D.: scenarios  (2 maps)", "0 A.D.: skirmishes  (1 map)"]
    assert dialog.chooser.status.text.endswith("with 1 mod.")
    dialog.groups.setCurrentRow(1)
    name = dialog.group.name
    qtbot.waitUntil(lambda: list(places_of_game.maps(name) or ()) == ["flat"])
    chosen = []
    dialog.chosen.connect(lambda *given: chosen.append(given))
    dialog.slots.setCurrentRow(1)
    dialog.open_chosen()
    qtbot.waitUntil(lambda: bool(chosen))
    result, source, _merge = chosen[0]
    assert (result.problems, source.slot, len(result.battlemap.layers[0].things)) == ((), "hill", 3)
    files = write_files_checked(format_named("pmp"), result.battlemap, "my.pmp")
    assert files == {"my.pmp": terrain(), "my.xml": SCENARIO}
    export = GroupChoice(places_of_game, "", dialog)
    export.show_groups()
    names = [export.box.itemText(row) for row in range(export.box.count())]
    assert names == ["user", "", "New mod..."]
