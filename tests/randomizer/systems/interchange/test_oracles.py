"""The real programs take what is written for them (``oracles``; all of the corpus by --deep)."""

from __future__ import annotations

import pytest

from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from tests.randomizer.systems.interchange import oracles
from tests.randomizer.systems.interchange.samples import WESNOTH

needs_wesnoth = pytest.mark.skipif(oracles.WESNOTH is None, reason="Wesnoth is not installed")


@needs_wesnoth
@pytest.mark.deep
def test_wesnoth_draws_a_landscape_of_ours_in_its_size() -> None:
    assert oracles.ask("wesnoth", oracles.rolled(1), "hills") == ("drawn, 26 x 20 with the border")


@needs_wesnoth
@pytest.mark.deep
def test_a_map_that_wesnoth_does_not_know_is_refused() -> None:
    known = format_named("wesnoth")
    battlemap = read_checked(known, WESNOTH.replace(b"Ke", b"Kzzz")).battlemap
    with pytest.raises(oracles.RefusedError):
        oracles.ask("wesnoth", battlemap, "unknown")


@pytest.mark.deep
@pytest.mark.parametrize("name", oracles.PROGRAMS)
def test_every_map_of_the_corpus_written_anew_is_taken(name: str) -> None:
    if oracles.PROGRAMS[name][0] is None or format_named(name) is None:
        pytest.skip("the program is not installed")
    assert oracles.main([name]) == 0
