"""What the window tells a newcomer is true, and leads on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from app.features.files.open_dialog import OpenDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.__main__ import main
from randomizer.catalog.systems import system_named
from randomizer.geometry.shapes import disc
from tests.app.conftest import opened
from tests.end_to_end.test_opening_desk import open_by_dialog

DRIVEN_DIALOGS = (ProblemDialog, OpenDialog)


def status(window) -> str:
    return window.statusBar().currentMessage()


def test_a_picture_that_is_named_like_a_map_file_is_called_a_picture(qtbot, window, tmp_path):
    path = tmp_path / "Moor.battlemap"
    assert window.desk.canvas.grab().save(str(path), "PNG")
    open_by_dialog(qtbot, window, path)
    dialog = opened(window, qtbot, ProblemDialog)
    text = dialog.text.toPlainText()
    assert "this is a picture (PNG), not a map file" in text
    assert "damaged" not in text
    dialog.close()


def test_the_status_tells_of_a_piece_in_hand_until_it_is_laid(qtbot, active):
    desk = active.desk
    grid = desk.document.battlemap.grid
    middle = grid.cell(grid.width // 2, grid.height // 2)
    desk.document.select(disc(grid, middle, 1))
    desk.canvas.setFocus()
    QTest.keySequence(active.windowHandle(), QKeySequence.StandardKey.Copy)
    qtbot.waitUntil(lambda: "copied. Paste takes them in hand." in status(active))

    QTest.keySequence(active.windowHandle(), QKeySequence.StandardKey.Paste)
    qtbot.waitUntil(lambda: desk.canvas.tool.name == "stamp")
    assert status(active) == "The copied piece is in hand: a click lays it down."

    revision = desk.document.revision
    point = desk.canvas.viewport.to_screen(*grid.centre(middle + 1)).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=point)
    qtbot.waitUntil(lambda: desk.document.revision != revision)
    assert "in hand" not in status(active)


GIF = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
SVG = b'<?xml version="1.0"?>\n<!-- a flag -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize("name", ["Moor.battlemap", "Moor.xml", "Moor.tmx", "Moor.map", "Moor.gif"])
@pytest.mark.parametrize(("data", "kind"), [(GIF, "GIF"), (SVG, "SVG"), (b"II*\0\x08\0", "TIFF")])
def test_a_picture_is_called_one_whatever_its_name_and_told_what_takes_it(
    qtbot, window, hand, tmp_path, name, data, kind
):
    path = tmp_path / name
    path.write_bytes(data)
    hand.hold(ProblemDialog)
    window.desk.files.open_path(path)
    dialog = opened(window, qtbot, ProblemDialog)
    text = dialog.text.toPlainText()
    assert f"this is a picture ({kind}), not a map file" in text.lower().replace(kind.lower(), kind)
    assert "Map > Picture under the map" in text
    assert ("save it as PNG" in text) == (kind != "SVG")
    dialog.close()


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8 "


@pytest.mark.deep
@pytest.mark.parametrize("command", ["show", "check"])
@pytest.mark.parametrize(
    ("suffix", "data"), [("png", PNG), ("jpg", JPEG), ("gif", GIF), ("webp", WEBP), ("bmp", b"BM")]
)
def test_the_command_line_calls_a_picture_one_in_the_words_of_the_window(
    qtbot, window, capsys, tmp_path, suffix, data, command
):
    path = tmp_path / f"picture.{suffix}"
    path.write_bytes(data.ljust(64, b"\0"))
    window.desk.files.open_path(path)
    dialog = opened(window, qtbot, ProblemDialog)
    text = dialog.text.toPlainText()
    dialog.close()
    assert "this is a picture (" in text
    assert "Map > Picture under the map" in text
    main([command, str(path)])
    output = capsys.readouterr()
    assert text in output.out + output.err


def test_a_picture_that_is_named_like_a_script_is_called_a_picture(qtbot, window, capsys, tmp_path):
    path = tmp_path / "Moor.rnd"
    path.write_bytes(PNG.ljust(64, b"\0"))
    text = "this is a picture (PNG), which is neither a script nor a map"
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: status(window) == f"Not opened: {text}")
    main(["roll", str(path)])
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".gif", ".png"])
def test_a_map_that_is_to_be_saved_as_a_picture_is_told_what_writes_one(
    qtbot, window, hand, tmp_path, suffix
):
    hand.expect("Save map as").type_path(tmp_path / f"Moor{suffix}")
    window.desk.commands.run("file.save-as")
    dialog = opened(window, qtbot, ProblemDialog)
    text = dialog.text.toPlainText()
    assert "map can be saved as .xml" in text
    assert "exported as .txt, .cells" in text
    assert "File > Export picture writes a picture of it" in text
    dialog.close()


@pytest.mark.parametrize("kind", ["xconq", "free"])
def test_the_odds_of_a_script_without_dice_speak_of_none(qtbot, window, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    window.desk.docks.show("odds")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("odds") is not None)
    label = window.desk.docks.panel("odds").stages.label
    qtbot.waitUntil(lambda: label.text() == "Line by line: not here")
    assert "dice" not in label.toolTip().lower()
