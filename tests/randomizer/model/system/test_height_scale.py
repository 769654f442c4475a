"""Heights are written in the scale of their system."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.system.height_scale import HeightScale
from randomizer.systems.zeroad.system import SYSTEM

METRES = SYSTEM.height_scale


def test_plain_heights_are_written_as_they_are():
    assert HeightScale().words(118) == "118"
    assert HeightScale().words(118.25) == "118.25"


def test_heights_of_scripts_count_from_the_sea_in_metres():
    assert METRES.words(1840) == "0"
    assert METRES.words(2116) == "3"
    assert METRES.words(0) == "-20"
    assert METRES.words(1839.9) == "0"
    assert METRES.words(1886) == "0.5"
    assert METRES.difference(46) == "0.5"


@given(st.integers(0, 65_535))
def test_what_is_shown_leads_back_to_the_value(value):
    assert METRES.stored(METRES.shown(value)) == value
    assert METRES.stored(round(METRES.shown(value), 2)) == value, "two decimals are enough"
