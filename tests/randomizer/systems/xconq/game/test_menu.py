"""The menu of a library: where a line goes, and what stays as it is."""

from __future__ import annotations

import pytest

from randomizer.systems.xconq.game.menu import (
    MAPS,
    PERIODS,
    SCENARIOS,
    empty_menu,
    entries,
    with_entry,
)

MENU = "Scenarios\nwar  The war\nPeriods\nold  Old times\nMaps\nearth  The earth\nEnd\n"


@pytest.mark.parametrize("heading", [SCENARIOS, PERIODS, MAPS])
def test_a_line_goes_to_the_end_of_its_heading(heading):
    before = entries(MENU, heading)
    menu = with_entry(MENU, heading, "new", "A  new one")
    assert entries(menu, heading) == (*before, "new")
    assert "new  A new one\n" in menu
    assert [line for line in menu.splitlines() if not line.startswith("new")] == MENU.splitlines()


def test_a_name_that_is_there_stays():
    assert with_entry(MENU, MAPS, "earth", "Another") == MENU
    assert with_entry(MENU, SCENARIOS, "earth", "Another") != MENU


def test_a_name_with_a_blank_is_added_once():
    menu = with_entry(MENU, MAPS, "my isle", "An isle")
    assert with_entry(menu, MAPS, "my isle", "An isle") == menu


def test_a_missing_heading_comes_before_the_end():
    menu = with_entry("Periods\nold  Old times\nEnd\n", MAPS, "new", "")
    assert menu == "Periods\nold  Old times\nMaps\nnew\nEnd\n"
    assert with_entry("", MAPS, "new", "") == "Maps\nnew\n"


def test_a_new_menu_has_all_headings():
    assert entries(with_entry(empty_menu(), SCENARIOS, "a", "b"), SCENARIOS) == ("a",)
    assert empty_menu() == "Scenarios\nPeriods\nMaps\nEnd\n"


def test_line_ends_stay():
    menu = with_entry(MENU.replace("\n", "\r\n"), MAPS, "new", "One")
    assert menu.replace("\r\n", "") == menu.replace("\r\n", "").replace("\n", "")
    assert "new  One\r\n" in menu


@pytest.mark.parametrize("end", ["", "\n", " \n"])
def test_a_heading_at_the_end_of_a_menu_is_not_written_twice(end):
    menu = with_entry(f"Periods\nold  Old times\nMaps{end}", MAPS, "new", "One")
    assert menu.split() == ["Periods", "old", "Old", "times", "Maps", "new", "One"]
