"""The card on an empty map."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from app.features.start.feature import EmptyMap
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.colossus.system import SYSTEM


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("start", "script", "cordery")


def test_it_stands_on_the_map_until_something_is_painted(window):
    document, card = window.desk.document, window.findChild(EmptyMap)
    assert not card.isVisible(), "the sample is not empty"
    document.show_map(new_map(SYSTEM))
    assert card.isVisible()
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    assert not card.isVisible()
