"""The list of each side's units, which goes to them, and their names on the map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.systems.xconq.scenario.units_page import MAX_UNITS
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.xconq.records import Side, Sides
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.canvas.updates import note_updates
from tests.randomizer.systems.xconq.tiny_period import TEXT, unit, world


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("xconq", "script", "tools", "view", "palette", "selection")


@pytest.fixture
def page(qtbot, window):
    """The page, with a small world as the current map."""
    desk = window.desk
    town = replace(unit(2, "town", 5, 5, 2), label="Rome")
    battlemap = world(40, 30, unit(1, "men", 3, 3, 1, hp=1), town, unit(3, "boat", 30, 20))
    battlemap.records["period"] = MapRecord(TEXT)
    change_value(battlemap, "sides", Sides((Side("Ann"), Side("Bob")))).apply(battlemap)
    desk.document.open_map(battlemap)
    desk.docks.open("scenario")
    qtbot.waitUntil(lambda: desk.docks.find_panel("scenario") is not None)
    panel = desk.docks.find_panel("scenario")
    panel.tabs.setCurrentWidget(panel.units)
    qtbot.waitUntil(lambda: panel.units.list.topLevelItemCount() == 3)
    return panel.units


def listed(page) -> dict[str, list[list[str]]]:
    groups = map(page.list.topLevelItem, range(page.list.topLevelItemCount()))
    return {
        group.text(0): [
            [group.child(at).text(column) for column in range(4)]
            for at in range(group.childCount())
        ]
        for group in groups
    }


def test_the_units_stand_by_side_with_name_hex_and_hits(page):
    assert listed(page) == {
        "Ann (1)": [["men", "", "3,3", "1"]],
        "Bob (1)": [["town", "Rome", "5,5", "1"]],
        "neutral (1)": [["boat", "", "30,20", "1"]],
    }


def test_a_search_looks_at_type_name_hex_and_side(page):
    for text, kind in (("rome", "town"), ("ann", "men"), ("30,20", "boat"), ("bob tow", "town")):
        page.search.setText(text)
        assert [row[0] for rows in listed(page).values() for row in rows] == [kind]


def test_a_click_picks_the_unit_and_brings_it_into_view(qtbot, window, page):
    desk = window.desk
    desk.canvas.zoom(6)
    rect = page.list.visualItemRect(page.list.topLevelItem(2).child(0))
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert [each.id for each in desk.document.picked] == [3]
    boat = desk.document.picked[0]
    grid = desk.document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.shown_points(np.array([[boat.x, boat.y]]))[0])
    assert desk.canvas.rect().contains(at.toPoint())


def test_the_list_follows_the_map(qtbot, window, page):
    document = window.desk.document
    town = replace(document.battlemap.thing(2), label="Ostia")
    document.push(change_things(document.battlemap, [town], [1]), "Change")
    qtbot.waitUntil(lambda: len(listed(page)) == 2)
    assert listed(page)["Bob (1)"][0][1] == "Ostia"


def test_names_are_on_the_map_unless_switched_off(window, page):
    canvas = window.desk.canvas
    canvas.zoom(3)
    canvas.overlays.show_place(window.desk.document.battlemap.grid.cell(5, 5))
    with_names = canvas.grab().toImage()
    assert window.desk.commands.action("view.names-of-things").isChecked()
    window.desk.commands.run("view.names-of-things")
    assert canvas.grab().toImage() != with_names


def test_a_name_that_gave_way_is_shown_when_the_other_goes(monkeypatch, window, page):
    """It may lie outside what else is painted again then."""
    canvas = window.desk.canvas
    document = window.desk.document
    town = replace(document.battlemap.thing(2), label="Rome, the eternal city on seven hills")
    document.push(change_things(document.battlemap, [town]), "Name the town")
    legion = document.battlemap.thing(1)
    legions = []
    for number, (dx, dy) in enumerate([(0.3, 0), (0, 0.3), (-0.3, 0), (0, -0.3)]):
        label = f"Legion {number}"
        legions.append(replace(legion, x=town.x + dx, y=town.y + dy, label=label))
    layer_id = document.battlemap.layers[0].id
    document.push(add_things(document.battlemap, layer_id, legions), "Place the legions")
    canvas.zoom(3)
    canvas.repaint()

    def names() -> set[str]:
        return set(canvas.renderer.names(document.battlemap, canvas.viewport.scale).texts)

    assert town.label in names()
    assert "Legion 1" not in names()
    updates = note_updates(monkeypatch, canvas)
    document.push(change_things(document.battlemap, [], [2]), "Remove the town")
    assert "Legion 1" in names()
    assert () in updates, "everything"


def test_units_come_in_the_order_of_their_hexes(window, page):
    battlemap = window.desk.document.battlemap
    layer = window.desk.document.active_layer_id
    things = [unit(0, "men", 12, 3, 1), unit(0, "men", 4, 3, 1)]
    window.desk.document.push(add_things(battlemap, layer, things), "Add")
    page.refresh()
    assert [row[2] for row in listed(page)["Ann (3)"]] == ["3,3", "4,3", "12,3"]


def test_a_list_that_is_cut_says_so(window, page):
    battlemap = window.desk.document.battlemap
    things = [unit(-1 - number, "men", 4, 3, 1) for number in range(MAX_UNITS)]
    window.desk.document.push(
        add_things(battlemap, window.desk.document.active_layer_id, things), "Add"
    )
    page.refresh()
    assert page.message.text() == "The first 5,000 of 5,003 units; search for the others."
    # The numbers beside the sides are those of all units, listed or not.
    headings = [page.list.topLevelItem(row).text(0) for row in range(page.list.topLevelItemCount())]
    assert headings == ["Ann (5,001)", "Bob (1)", "neutral (1)"]
