"""What the gallery found is kept by its size: the oldest go first, too large ones at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.features.gallery.candidates import candidates_of
from app.features.gallery.finished_searches import MAX_BYTES, FinishedSearch, FinishedSearches
from app.features.gallery.search import Ended
from randomizer.model.map.battlemap import BattleMap
from randomizer.roll_base import Base
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.batches.rolled import roll_batch

GENERATOR = from_text("AREA D4 HAZARDS Bog,50.\n", "Bog.rnd")


def search(asked: object, size: int) -> FinishedSearch:
    """A search with maps of about ``size`` bytes."""
    base = Base.under(BattleMap.new(SYSTEM), 0)
    batch = roll_batch(GENERATOR, {}, 1, np.arange(2, dtype=np.uint64), base)
    padding = np.zeros((2, (size - batch.nbytes) // 2), np.uint8)
    batch = replace(batch, others={"padding": padding})
    found = tuple(candidates_of(GENERATOR, {}, batch))
    return FinishedSearch((asked,), (), base, (), found, (), Ended(2, 2, 2), 48)


def test_the_oldest_searches_go_when_all_are_too_large():
    kept = FinishedSearches()
    for number in range(4):
        kept.add(search(number, MAX_BYTES // 3))
    assert kept.find((0,), ()) is None
    assert all(kept.find((number,), ()) for number in (1, 2, 3))


def test_a_search_that_is_too_large_is_not_kept_and_drops_no_other():
    kept = FinishedSearches()
    kept.add(search("small", 10_000))
    kept.add(search("large", 2 * MAX_BYTES))
    assert kept.find(("large",), ()) is None
    assert kept.find(("small",), ()) is not None


def test_a_search_with_other_pins_is_another():
    kept = FinishedSearches()
    one = search("same", 10_000)
    kept.add(one)
    assert kept.find(("same",), (one.unpinned[0].roll,)) is None
    again = search("same", 20_000)
    kept.add(again)
    assert kept.find(("same",), ()) is again
