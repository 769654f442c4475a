"""The odds of the script as it is being written: where they are worked out, and what is said."""

from __future__ import annotations

import threading

import pytest

from app.features.odds.live_odds import LOADING, LiveOdds
from app.rolling.layers_above_switch import LayersAbove
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from randomizer.catalog.scripts import generator_for_script
from tests.app.rolling.conftest import Given, setup_of

BOG = "AREA (inside) HAZARDS Bog Sand,50.\n"


@pytest.fixture
def provider() -> Given:
    return Given()


@pytest.fixture
def odds(qtbot, document, provider) -> LiveOdds:
    rolling = Rolling(document)
    above = LayersAbove("")
    rolling.setParent(above)
    qtbot.addWidget(above)
    rolling.add_provider(provider)
    return LiveOdds(document, rolling, above, above)


def test_the_generator_is_made_on_a_jobs_thread(qtbot, odds, provider) -> None:
    threads = []

    def generator():
        threads.append(threading.current_thread())
        return generator_for_script(BOG, "Bog.rnd")

    provider.given = RollSetup(BOG, generator, {}, "Bog.rnd")
    odds.set_watched(True)
    qtbot.waitUntil(lambda: odds.is_final)
    assert threads
    assert threading.main_thread() not in threads


def test_without_a_generator_there_are_no_odds_and_it_is_said_why(qtbot, odds, provider) -> None:
    provider.given = setup_of(BOG, "Bog.rnd")
    odds.set_watched(True)
    qtbot.waitUntil(lambda: odds.table is not None)
    provider.given = setup_of(BOG, "Bog.txt")
    provider.setup_changed.emit()
    qtbot.waitUntil(lambda: odds.table is None)
    assert ".txt" in odds.reason
    assert not odds.problems


def test_the_reason_of_one_map_is_not_said_of_the_next(qtbot, odds, provider, document) -> None:
    provider.given = setup_of(BOG, "Bog.txt")
    odds.set_watched(True)
    qtbot.waitUntil(lambda: ".txt" in odds.reason)
    document.replace_map(document.battlemap)
    assert odds.reason == LOADING
