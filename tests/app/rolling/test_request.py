"""The request that is rolled: who provides its setup, seed, number, and two bars that show it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction

from app.rolling.roll_bar import RollBar
from app.rolling.roll_steps import NO_EARLIER, NO_ROLL
from app.rolling.rolling import Rolling
from randomizer.catalog.scripts import generator_for_script
from tests.app.rolling.conftest import Given, setup_of

LAKES = setup_of("AREA (anywhere) HAZARDS Lake Lake\n", "Lakes.rnd")


@pytest.fixture
def rolling(document) -> Rolling:
    return Rolling(document, choose_seed=lambda: 17)


@pytest.fixture
def bars(qtbot, rolling) -> tuple[RollBar, RollBar]:
    def bar() -> RollBar:
        made = RollBar(rolling, tuple(QAction(name) for name in ("Roll", "Back", "On")))
        qtbot.addWidget(made)
        return made

    return bar(), bar()


def test_the_last_provider_that_serves_the_map_gives_the_recipe(rolling):
    first = Given()
    second = Given()
    rolling.add_provider(first)
    rolling.add_provider(second)
    first.given = LAKES
    second.given = setup_of("TOWER\n")
    assert rolling.setup() is second.given
    second.serves = False
    assert rolling.setup() is LAKES


def test_a_provider_that_changes_is_heard_and_enabling_comes_last(rolling):
    heard: list[str] = []
    provider = Given()
    rolling.add_provider(provider)
    rolling.enabled_changed.connect(lambda: heard.append("enabled"))
    rolling.setup_changed.connect(lambda: heard.append("setup"))
    provider.setup_changed.emit()
    assert heard == ["setup", "enabled"]


def test_why_nothing_can_be_rolled_is_said_in_words(rolling, wait):
    provider = Given()
    rolling.add_provider(provider)
    provider.given = LAKES
    assert (rolling.next_roll.why_not(), rolling.steps.why_not_back()) == ("", NO_EARLIER)
    assert rolling.steps.why_not_forward() == NO_ROLL
    rolling.key_choice.type_number(3)
    wait(rolling.roll)
    assert (rolling.steps.why_not_back(), rolling.steps.why_not_forward()) == ("", "")
    provider.refusal = "The dice are entered by hand."
    assert rolling.next_roll.why_not() == rolling.steps.why_not_back() == provider.refusal


def test_a_new_seed_is_one_choice_that_every_bar_shows(rolling, bars):
    one, other = bars
    assert one.new_seed.isChecked()
    one.new_seed.click()
    assert not rolling.key_choice.new_seed
    assert not other.new_seed.isChecked()
    other.new_seed.click()
    assert rolling.key_choice.new_seed
    assert one.new_seed.isChecked()


def test_a_typed_seed_is_meant_and_no_new_one(document, rolling, bars, wait):
    one, other = bars
    one.seed.typed.emit(5)
    assert (other.seed.value, other.number.value) == (5, 0)
    wait(rolling.roll, LAKES, new_seed=True)
    assert (document.active_layer.roll.seed, document.active_layer.roll.number) == (5, 0)
    assert other.new_seed.isChecked()


def test_what_was_typed_and_left_is_not_rolled(document, rolling, bars, wait):
    one, other = bars
    one.number.typed.emit(5)
    one.number.left.emit()
    assert (one.number.value, other.number.value) == (0, 0)
    wait(rolling.roll, LAKES, new_seed=False)
    assert document.active_layer.roll.number == 0


def test_a_recipe_for_another_kind_of_map_is_refused(rolling, document):
    from app.document.document import MapDocument
    from randomizer.model.grid.layouts import SQUARE
    from randomizer.model.problems import ProblemError
    from randomizer.roll_base import Base
    from randomizer.systems.free.system import free_map

    table = MapDocument(free_map(SQUARE, 5, 5)).battlemap
    with pytest.raises(ProblemError, match="Lakes makes a "):
        LAKES.generator_for(Base.under(table, 1))
    generator, settings = LAKES.generator_for(Base.under(document.battlemap, 1))
    assert generator.text == LAKES.text
    assert settings == {}
    assert generator_for_script(LAKES.text, "Lakes.rnd").metadata == generator.metadata
