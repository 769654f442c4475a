"""Children of XML elements alternate as they did in the file, and new ones find their place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from randomizer.reading.xml_order import arrange_children

RANKS = {"properties": 0, "tileset": 1, "layer": 2}


@pytest.mark.parametrize(
    ("groups", "slots", "order"),
    [
        ({"layer": "CABD", "tileset": "T"}, ["layer", "tileset", "layer"], "CTABD"),
        ({"layer": "AB", "tileset": "T"}, ["tileset", "layer", "layer"], "TAB"),
        ({"layer": "AB", "properties": "P"}, ["layer", "layer"], "PAB"),
        ({"properties": "P", "layer": "A"}, ["properties"], "PA"),
        ({"layer": "AB", "tileset": "T", "properties": "P"}, [], "PTAB"),
        ({}, [], ""),
    ],
    ids=["inserted", "as it was", "new group before", "new group behind", "all new", "none"],
)
def test_children_take_the_slots_of_their_group(
    groups: Mapping[str, str], slots: list[str], order: str
) -> None:
    assert "".join(arrange_children(groups, slots, RANKS.__getitem__)) == order
