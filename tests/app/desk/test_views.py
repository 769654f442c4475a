"""Views in the middle of the window, on the maps that they are for."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from tests.randomizer.systems.colossus.few_battles import fight_few


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("fairness",)


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)


def test_a_view_has_a_tab_on_the_maps_that_it_is_for_and_the_chosen_map_is_in_front(window):
    document = window.desk.document
    views = window.desk.docks.views
    fairness = window.desk.docks.view("fairness")
    first = document.current_map
    window.desk.docks.show("fairness")
    assert views.front_view is fairness
    document.open_map(new_map(system_named("free")))
    assert views.open_views == ()
    assert window.desk.canvas.isVisible()
    assert not window.desk.commands.action("panel.fairness").isVisible()
    document.make_current(first)
    assert views.open_views == (fairness,)
    assert views.front_view is None


def test_the_row_of_the_menu_opens_and_closes_a_view(window):
    views = window.desk.docks.views
    action = window.desk.commands.action("panel.fairness")
    action.trigger()
    assert views.front_view is window.desk.docks.view("fairness")
    window.desk.commands.refresh()  # as its menu does when it opens
    assert action.isChecked()
    action.trigger()
    assert views.open_views == ()
    window.desk.commands.refresh()
    assert not action.isChecked()
