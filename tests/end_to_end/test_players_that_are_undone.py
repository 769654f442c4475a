"""Things of 0 A.D. are placed for the player that is highlighted, also after Undo and Redo."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.systems.zeroad.map.players import change_player_count
from tests.end_to_end.test_entry_editors import Person


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def person(window, qtbot) -> Person:
    """A person before the list of the three players of an empty map of 0 A.D."""
    battlemap = new_map(system_named("zeroad"))
    change_player_count(battlemap, 3).apply(battlemap)
    window.desk.document.show_map(battlemap)
    person = Person(window, qtbot)
    person.open_panel("setup", "Players")
    return person


def next_owner(person: Person) -> str:
    """Return the player that the next town will belong to, as the tool bar names it."""
    desk = person.desk
    desk.tools.choose("things")
    palette = desk.docks.panel("palette")
    person.qtbot.waitUntil(lambda: palette.things is not None)
    page = palette.things
    person.qtbot.waitUntil(lambda: page.kinds.count() > 1)
    page.choose_kind("structures/athen/civil_centre")
    person.settle()
    box = desk.tools.bar.owner.box
    assert desk.tools.options.thing.owner == box.currentData()
    return f"{box.currentData()}: {box.currentText()}"


def test_things_are_of_the_highlighted_player_after_added_players_are_undone(person: Person):
    person.click_button("Add")
    person.click_button("Add")
    assert next_owner(person) == person.chosen == person.rows[-1]
    person.undo(2)
    last_player = person.rows[-1]
    assert person.chosen == last_player
    assert next_owner(person) == last_player
    person.redo()
    assert person.chosen == person.rows[-1] != last_player
    assert next_owner(person) == person.chosen


def test_things_are_of_the_player_who_is_highlighted_after_another_was_removed(person: Person):
    person.click_button("Add")
    assert next_owner(person) == person.rows[-1]
    person.click_button("Remove")
    assert next_owner(person) == person.chosen == person.rows[-1]


def test_a_player_chosen_in_the_tool_bar_stays_chosen(person: Person):
    person.click_button("Add")
    first_player = person.rows[0]
    assert next_owner(person) == person.rows[-1]
    box = person.desk.tools.bar.owner.box
    box.setCurrentIndex(box.findData(1))
    box.activated.emit(box.currentIndex())
    person.undo()
    assert next_owner(person) == first_player
