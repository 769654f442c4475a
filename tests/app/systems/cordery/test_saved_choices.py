"""Campaign squares and boxes of pieces that are saved under a name."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QInputDialog

from app.systems.cordery.box_dialog import HAVE, MISSING, BoxDialog
from randomizer.systems.cordery.table.pieces import PIECES


def test_a_campaign_square_is_saved_chosen_and_forgotten(player, qtbot):
    player.desk.throwing.map_choices.choose(relief="mountainous", lakes=True)
    player.panel.squares.save_button.click()
    dialog = player.panel.findChild(QInputDialog)
    dialog.setTextValue("The pass")
    dialog.accept()
    squares = player.panel.squares.list
    assert squares.currentText() == "The pass"
    player.desk.throwing.map_choices.replace({})
    assert squares.currentIndex() == -1
    squares.setCurrentIndex(0)
    squares.activated.emit(0)
    assert player.desk.throwing.map_choices.choices.relief == "mountainous"
    assert player.panel.form.field("lakes").isChecked()
    player.panel.squares.delete_button.click()
    assert squares.count() == 0
    assert player.window.desk.settings.saved_texts("squares") == {}


def test_the_dice_respect_the_terrain_box_and_the_dialog_says_what_is_missing(player):
    player.throw(relief="hilly")
    player.panel.edit_box.click()
    dialog = player.window.findChild(BoxDialog)
    hills = PIECES.index("hill")
    dialog.name.setText("Attic")
    dialog.table.item(hills, HAVE).setText("1")
    dialog.table.item(PIECES.index("two-contour hill"), HAVE).setText("0")
    assert int(dialog.table.item(hills, MISSING).text()) > 0
    assert "Missing for this table" in dialog.message.text()
    assert "x hill  (missing: " in dialog.packing_list()
    dialog.use_button.click()
    assert player.panel.dice_form.field("box").currentText() == "Attic"
    player.throw_again()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == 1
    assert "the box holds 1" in player.log()[0]


def test_a_box_that_is_not_saved_here_is_not_called_no_end_of_pieces(player):
    player.desk.throwing.map_choices.choose(box="hill = 1")
    assert player.panel.dice_form.field("box").currentText() == "A box that is not saved"
    player.panel.dice_form.field("box").setCurrentIndex(0)
    assert player.desk.throwing.map_choices.choices.box == ""


def test_a_box_is_forgotten(player):
    # The box, without the dialog that names it.
    player.desk.saved._save_box("Attic", "hill = 1")
    assert player.panel.dice_form.field("box").currentText() == "Attic"
    player.panel.edit_box.click()
    player.window.findChild(BoxDialog).delete_button.click()
    assert player.panel.dice_form.field("box").count() == 1
    assert player.desk.throwing.map_choices.choices.box == ""


def test_a_square_keeps_a_box_of_several_lines(player):
    player.desk.throwing.map_choices.choose(box="hill = 1\nbridge = 2")
    player.panel.squares.save_wanted.emit("The pass")
    player.desk.throwing.map_choices.replace({})
    player.panel.squares.chosen.emit("The pass")
    assert player.desk.throwing.map_choices.choices.box == "hill = 1; bridge = 2"
