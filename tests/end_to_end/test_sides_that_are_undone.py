"""Units are placed for the side that is highlighted, also after a side was undone or redone."""

from __future__ import annotations

import pytest

from app.features.new_map.dialog import NewMapDialog
from tests.end_to_end.test_entry_editors import Person
from tests.end_to_end.worlds import choose_kind, new_world

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def person(window, qtbot) -> Person:
    """A person before the list of the sides of a new world."""
    new_world(qtbot, window, "Modern")
    person = Person(window, qtbot)
    person.open_panel("scenario", "Sides")
    return person


def next_owner(person: Person) -> str:
    """Return the side that the next tanks will belong to, as the tool bar names it."""
    choose_kind(person.window, "tanks")
    person.settle()
    return person.desk.tools.bar.owner.box.currentText()


def test_units_are_of_the_highlighted_side_after_added_sides_are_undone(person: Person):
    person.click_button("Add")
    person.click_button("Add")
    assert next_owner(person) == person.chosen == person.rows[-1]
    person.undo(2)
    last_side = person.rows[-1]
    assert person.chosen == last_side
    assert next_owner(person) == last_side
    person.redo()
    assert person.chosen == person.rows[-1] != last_side
    assert next_owner(person) == person.chosen


def test_a_side_chosen_in_the_tool_bar_stays_chosen(person: Person):
    person.click_button("Add")
    first_side = person.rows[0]
    choose_kind(person.window, "tanks")
    box = person.desk.tools.bar.owner.box
    box.setCurrentIndex(box.findText(first_side))
    box.activated.emit(box.currentIndex())
    person.undo()
    assert next_owner(person) == first_side
