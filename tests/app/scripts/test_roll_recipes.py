"""Recipes on the desk: copied from the panel Layers or the gallery, pasted with the keyboard."""

from __future__ import annotations

import re
from random import random

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from app.document.map_files import new_map
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.layer import Layer
from randomizer.storage.files.roll_recipe import read_recipe
from tests.app.conftest import cell
from tests.app.saves import finished


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("tools", "layers", "selection")


@pytest.fixture
def roll(window, qtbot) -> Layer:
    """A roll of the script shown onto an empty battleland."""
    document = window.desk.document
    document.open_map(new_map(system_named("colossus")))
    window.desk.rolling.roll()
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    return document.active_layer


def copy(window) -> str:
    window.desk.commands.run("layer.copy-as-recipe")
    return QGuiApplication.clipboard().text()


def paste(window, qtbot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    qtbot.keyClick(window.desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def same(one: Layer, other: Layer) -> bool:
    planes = one.planes.keys() | other.planes.keys()
    return (one.name, one.roll, one.properties) == (other.name, other.roll, other.properties) and (
        all(np.array_equal(one.planes[name], other.planes[name]) for name in planes)
    )


def test_a_recipe_pasted_with_the_keyboard_is_the_same_layer_in_one_step(window, qtbot, roll):
    document = window.desk.document
    text = copy(window)
    assert re.fullmatch(r"battlelands:1:[\w.-]+-17-0:\S+", text)
    document.open_map(new_map(system_named("colossus")))
    paste(window, qtbot)
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    assert same(document.active_layer, roll)
    assert document.history.next_undo.text == f"Paste {roll.name}"
    assert len(document.history.steps) == 1
    document.undo()
    assert [layer.roll for layer in document.battlemap.layers] == [None]


def test_a_new_map_takes_a_recipe_that_was_rolled_onto_nothing(window, qtbot, roll):
    document = window.desk.document
    text = copy(window)
    document.open_map(new_map(system_named("cordery")))
    QGuiApplication.clipboard().setText(f"  {text[:60]}\n{text[60:]}\n")  # as mails fold lines
    paste(window, qtbot)
    qtbot.waitUntil(lambda: document.battlemap.system.name == "colossus")
    assert same(document.battlemap.layers[-1], roll)


def question(window, qtbot) -> QMessageBox:
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    (box,) = window.findChildren(QMessageBox)
    return box


def test_what_differs_is_named_and_the_user_chooses(window, qtbot, roll):
    document = window.desk.document
    ground = document.battlemap.layers[0]
    painted = set_values(
        document.battlemap, ground.id, "elevation", np.array([cell("D4")]), np.array([3])
    )
    document.push(painted, "Paint")
    window.desk.rolling.roll_onto_new_layer()
    qtbot.waitUntil(lambda: len(document.battlemap.layers) == 3)
    copy(window)
    document.open_map(new_map(system_named("colossus")))
    paste(window, qtbot)
    box = question(window, qtbot)
    assert "another map" in box.informativeText()
    box.reject()
    assert len(document.battlemap.layers) == 1
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
    paste(window, qtbot)
    box = question(window, qtbot)
    box.buttons()[0].click()
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)


def test_a_paste_during_a_roll_is_refused_in_words(window, qtbot, roll):
    copy(window)
    rolling = window.desk.rolling
    told = []
    rolling.message.connect(told.append)
    rolling.roll()
    assert rolling.busy
    destination = rolling.next_roll.destination()
    rolling.roll_onto(rolling.next_base(), destination, rolling.setup(), rolling.key_choice.key)
    assert "A roll is under way" in told[-1]
    qtbot.waitUntil(lambda: not rolling.busy)


def test_locks_set_after_the_roll_are_none_of_it_and_those_of_the_user_stay(window, qtbot, roll):
    document = window.desk.document
    document.push(set_locks(document.battlemap, np.array([cell("C3")]), True), "Lock")
    assert not read_recipe(copy(window)).locked
    window.desk.rolling.roll_chosen(
        window.desk.rolling.key_choice.key
    )  # now it is rolled with the lock
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    recipe = read_recipe(copy(window))
    assert recipe.locked["terrain"][0] == (cell("C3"),)
    document.open_map(new_map(system_named("colossus")))
    document.push(set_locks(document.battlemap, np.array([cell("A1")]), True), "Lock")
    paste(window, qtbot)
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    assert same(document.active_layer, roll)
    assert np.flatnonzero(document.battlemap.locked_cells).tolist() == [cell("A1")]


def test_a_script_that_is_nowhere_is_asked_for(window, qtbot, roll, tmp_path, hand):
    script = tmp_path / "own.rnd"
    remarks = "".join(f"# {random():.16f}\n" for _ in range(200))  # too long to go along
    script.write_text(remarks + generator_named("Swamp").text, "utf-8")
    document = window.desk.document
    document.undo()
    finished(window.desk.scripts.opening.open(script))
    window.desk.rolling.roll()
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    copy(window)
    document.open_map(new_map(system_named("colossus")))
    hand.expect("Where is own.rnd?").type_path(script)
    paste(window, qtbot)
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    assert document.active_layer.roll.script_name == "own.rnd"
