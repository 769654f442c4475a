"""The tour in the real window: its keys, and its buttons, which stay in one place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)

from app.features.help.tour import Tour
from app.features.help.tour_steps import STEPS
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM as WARGAMES
from randomizer.systems.cordery.system import table_grid
from tests.daily import deep_but

ALT = Qt.KeyboardModifier.AltModifier

AT_THE_RIGHT = ("randomize", "layers")
"""What steps speak of where the card stands otherwise."""


@pytest.fixture
def tour(qtbot, window) -> Tour:
    window.desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(lambda: tour.isVisible())
    return tour


def titles(tour) -> str:
    return tour.card.title.text().split("  (")[0]


@pytest.mark.parametrize(
    ("key", "modifiers"),
    deep_but(
        [(Qt.Key.Key_N, ALT), (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)],
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    ),
    ids=["Alt+N", "Enter"],
)
def test_keys_take_the_next_step_and_the_last_one_ends_the_tour(qtbot, tour, key, modifiers):
    first = titles(tour)
    QTest.keyClick(tour.card.next_button, key, modifiers)
    assert titles(tour) != first
    for _ in range(len(STEPS)):
        if tour.card.next_button.text() == "&Done":
            break
        QTest.keyClick(tour.card.next_button, key, modifiers)
    closed = qtbot.waitSignal(tour.destroyed)
    with closed:
        QTest.keyClick(tour.card.next_button, Qt.Key.Key_D if modifiers else key, modifiers)


@pytest.mark.deep
def test_alt_b_goes_back_and_alt_s_skips(qtbot, tour):
    first = titles(tour)
    QTest.keyClick(tour.card.next_button, Qt.Key.Key_N, ALT)
    QTest.keyClick(tour.card.next_button, Qt.Key.Key_B, ALT)
    assert titles(tour) == first
    with qtbot.waitSignal(tour.destroyed):
        QTest.keyClick(tour.card.next_button, Qt.Key.Key_S, ALT)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((1280, 860), marks=pytest.mark.deep),
        (1280, 800),
        pytest.param((1600, 1000), marks=pytest.mark.deep),
    ],
)
def test_the_card_covers_nothing_that_it_speaks_of(qtbot, window, size):
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    qtbot.wait(50)  # the sides get their widths in the turn that follows
    window.desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(lambda: tour.isVisible())
    subjects = 0
    while tour.card.next_button.text() != "&Done":
        subject = window.findChild(QWidget, tour.step.widget) or window.desk.canvas
        place = QRect(subject.mapTo(window, QPoint(0, 0)), subject.size())
        assert not tour.card.geometry().intersects(place), tour.step.title
        subjects += 1
        tour.card.next_button.click()
    assert subjects > 6


@pytest.mark.deep
def test_the_buttons_stay_in_one_place_but_beside_panels_at_the_right(tour):
    def places():
        buttons = (tour.card.skip_button, tour.card.back_button, tour.card.next_button)
        return [(button.mapTo(tour, QPoint(0, 0)), button.size()) for button in buttons]

    tour.card.layout().activate()
    first = places()
    while tour.card.next_button.text() != "&Done":
        tour.card.next_button.click()
        tour.card.layout().activate()
        if tour.step.widget not in AT_THE_RIGHT:
            assert places() == first


@pytest.mark.deep
def test_the_map_is_neither_hidden_nor_dark(qtbot, window):
    window.resize(1280, 860)
    canvas = window.desk.canvas
    qtbot.waitUntil(lambda: canvas.is_sharp)
    place = QRect(canvas.mapTo(window, QPoint(0, 0)), canvas.size())
    plain = window.grab(place).toImage()
    window.desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(lambda: tour.isVisible())
    while tour.card.next_button.text() != "&Done":
        assert not tour.card.geometry().intersects(place)
        if tour.step.widget != "map":
            seen = window.grab(place).toImage()
            middle = place.translated(-place.topLeft()).center()
            assert seen.pixelColor(middle) == plain.pixelColor(middle)
        tour.card.next_button.click()


def test_the_first_step_says_what_can_be_done(tour):
    text = tour.card.message.text()
    assert text.index("Paint") < text.index("Roll") < text.index("game")
    assert "{" not in text


def test_the_words_of_every_step_fit_on_the_card(tour):
    while True:
        assert (
            tour.card.message.heightForWidth(tour.card.message.width())
            <= tour.card.message.height()
        )
        if tour.card.next_button.text() == "&Done":
            break
        tour.card.next_button.click()


def test_it_begins_when_asked_for_points_at_real_widgets_and_ends_after_its_last_step(
    active, qtbot, settings
):
    window = active
    assert window.findChild(Tour) is None  # never by itself but in the program
    window.desk.commands.run("help.tour")
    assert settings.tour_seen
    tour = window.findChild(Tour)
    seen = []
    before = window.desk.document.history.index
    while len(seen) < len(STEPS):
        seen.append(tour.step)
        # The hole in the shade is painted, and nowhere told.
        assert tour._hole().width() > 20
        assert "{" not in tour.card.message.text()
        assert tour.rect().contains(tour.card.geometry())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert tuple(seen) == STEPS
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)
    assert window.desk.document.history.index == before
    assert window.desk.canvas.hasFocus()


def test_no_tool_hears_its_keys_it_covers_the_window_and_escape_ends_it(active, tour, qtbot):
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_E)
    assert active.desk.canvas.tool.name == "terrain"
    active.resize(active.width() - 40, active.height())
    assert tour.size() == active.size()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: active.findChild(Tour) is None)


@pytest.mark.deep
def test_the_tour_stays_in_front_of_panels_that_come_with_a_table(active, qtbot):
    window = active
    window.desk.commands.run("help.tour")
    tour = window.findChild(Tour)
    table = BattleMap.new(WARGAMES, table_grid("square", 8, 8), [Layer(1, "Table")])
    window.desk.document.show_map(table)
    qtbot.waitUntil(lambda: not window.desk.docks["dice"].isHidden())
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("dice") is not None)
    for part in (window.desk.docks["dice"], window.desk.canvas):
        qtbot.waitUntil(
            lambda part=part: (
                window.childAt(part.mapTo(window, part.rect().center()))
                in (tour, *tour.findChildren(QWidget))
            )
        )
    tour.close()


@pytest.mark.deep
def test_a_step_about_a_closed_panel_is_left_out(window):
    window.desk.docks["palette"].hide()
    window.desk.commands.run("help.tour")
    tour = window.findChild(Tour)
    # The steps that are left out are not shown.
    assert "palette" not in [step.widget for step, _ in tour._steps]
    tour.close()


@pytest.mark.deep
def test_the_panel_and_the_view_in_front_come_back(qtbot, window):
    desk = window.desk
    desk.docks.show("history")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("history"))
    desk.docks.show("gallery")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("gallery"))
    desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(tour.isVisible)
    with qtbot.waitSignal(tour.destroyed):
        for _step in STEPS:
            QTest.keyClick(tour.card.next_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.docks.is_in_front("history"))
    assert desk.docks.is_in_front("gallery")


@pytest.mark.parametrize("part", ["map", "palette"])
def test_a_click_beside_the_card_ends_the_tour_and_changes_nothing(qtbot, window, tour, part):
    assert "A click beside this card ends the tour" in tour.card.message.text()
    target = window.findChild(QWidget, part) or window.desk.canvas
    point = target.mapTo(window, target.rect().center())
    before = window.desk.document.history.index
    assert not tour.card.geometry().contains(point)
    with qtbot.waitSignal(tour.destroyed):
        QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=point)
    assert "The tour has ended" in window.statusBar().currentMessage()
    assert window.desk.document.history.index == before
    canvas = window.desk.canvas
    point = canvas.mapTo(window, canvas.rect().center())
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=point)
    qtbot.waitUntil(lambda: window.desk.document.history.index == before + 1)
