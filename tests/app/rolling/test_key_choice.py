"""Seed and number of the next roll: typed, displayed, and those of several maps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject

from app.rolling.key_choice import KeyChoice
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.colossus.system import SYSTEM


@pytest.fixture
def key_choice(document):
    parent = QObject()
    choice = KeyChoice(document.current_map, parent)
    choice.set_displayed(DrawKey(17, 3))
    yield choice
    parent.deleteLater()


def test_what_is_typed_counts_until_the_field_is_left(key_choice):
    key_choice.type_number(8)
    assert key_choice.key == (17, 8)
    assert key_choice.displayed_key == (17, 3)
    assert key_choice.typed_key == DrawKey(17, 8)
    key_choice.type_seed(20)
    assert key_choice.key == DrawKey(20, 0), "another seed begins with its map 0"
    key_choice.forget_typed()
    assert key_choice.key == (17, 3)
    assert key_choice.typed_key is None


def test_what_is_entered_is_displayed(key_choice):
    key_choice.type_number(8)
    key_choice.enter_typed()
    assert key_choice.displayed_key == (17, 8)
    assert key_choice.typed_key is None


def test_a_change_is_told_once_and_only_if_it_is_one(key_choice):
    states = []
    key_choice.key_changed.connect(lambda: states.append(key_choice.key))
    key_choice.type_number(8)
    key_choice.type_number(8)
    key_choice.enter_typed()
    key_choice.forget_typed()
    assert states == [(17, 8)]


def test_each_map_gets_its_seed_and_number_back(document, key_choice):
    first_map = document.current_map
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    second_map = document.current_map
    assert second_map is not first_map
    key_choice.type_number(5)
    key_choice.change_map(second_map)
    assert key_choice.key == (17, 3), "it begins with those of the map before, none being typed"
    key_choice.set_displayed(DrawKey(21, 0))
    key_choice.change_map(first_map)
    assert key_choice.key == (17, 3)
    key_choice.change_map(second_map)
    assert key_choice.key == (21, 0)
