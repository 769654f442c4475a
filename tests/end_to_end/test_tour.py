"""The tour in the real window: its keys, and its buttons, which stay in one place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.help.tour import STEPS, Tour

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def tour(qtbot, window) -> Tour:
    window.desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(lambda: tour.isVisible())
    return tour


def titles(tour) -> str:
    return tour.title.text().split("  (")[0]


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [(Qt.Key.Key_N, ALT), (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)],
    ids=["Alt+N", "Enter"],
)
def test_keys_take_the_next_step_and_the_last_one_ends_the_tour(qtbot, tour, key, modifiers):
    first = titles(tour)
    QTest.keyClick(tour.next_button, key, modifiers)
    assert titles(tour) != first
    for _ in range(len(STEPS)):
        if tour.next_button.text() == "&Done":
            break
        QTest.keyClick(tour.next_button, key, modifiers)
    closed = qtbot.waitSignal(tour.destroyed)
    with closed:
        QTest.keyClick(tour.next_button, Qt.Key.Key_D if modifiers else key, modifiers)


def test_alt_b_goes_back_and_alt_s_skips(qtbot, tour):
    first = titles(tour)
    QTest.keyClick(tour.next_button, Qt.Key.Key_N, ALT)
    QTest.keyClick(tour.next_button, Qt.Key.Key_B, ALT)
    assert titles(tour) == first
    with qtbot.waitSignal(tour.destroyed):
        QTest.keyClick(tour.next_button, Qt.Key.Key_S, ALT)


def test_the_buttons_stay_in_one_place(tour):
    def places():
        buttons = (tour.skip_button, tour.back_button, tour.next_button)
        return [(button.mapTo(tour, QPoint(0, 0)), button.size()) for button in buttons]

    tour.card.layout().activate()
    first = places()
    while tour.next_button.text() != "&Done":
        tour.next_button.click()
        tour.card.layout().activate()
        assert places() == first


def test_the_words_of_every_step_fit_on_the_card(tour):
    while True:
        assert tour.words.heightForWidth(tour.words.width()) <= tour.words.height()
        if tour.next_button.text() == "&Done":
            break
        tour.next_button.click()
