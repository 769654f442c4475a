"""The status bar has no old name of a side or player once it has another one."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.systems.xconq.records import Side, Sides
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.end_to_end.test_entry_editors import Person


@pytest.fixture
def person(window, qtbot) -> Person:
    return Person(window, qtbot)


def message(person: Person) -> str:
    return person.window.statusBar().currentMessage()


def test_the_owner_of_new_units_is_not_told_by_its_old_name(person):
    person.document.show_map(new_map(system_named("xconq")))
    sides = Sides((Side("Ann"), Side("Bob")))
    person.document.push(change_value(person.document.battlemap, "sides", sides), "Sides")
    person.open_panel("scenario", "Sides")
    person.click_row("Bob")
    assert message(person) == "Units that you place from now on are Bob's."
    person.write(person.field("Name"), "Cleo")
    assert person.rows == ["Ann", "Cleo"]
    assert "Bob" not in message(person)


def test_the_owner_of_new_things_is_not_told_by_its_old_name(person):
    person.document.show_map(new_map(system_named("zeroad")))
    person.open_panel("setup", "Players")
    person.click_row("2: Player 2")
    assert message(person) == "What you place from now on is Player 2's."
    person.write(person.field("Name"), "Cleo")
    assert "2: Cleo" in person.rows
    assert "Player 2" not in message(person)
