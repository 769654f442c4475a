"""Hypothesis strategies for battlelands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_EXTRAS, Layer
from randomizer.systems.colossus.board import HEX_COUNT, HEXES
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS

xml_text = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r \"'<>&"),
    max_size=20,
)
"""Whatever a title of a map can hold, and an XML attribute."""


@st.composite
def battlelands(draw: st.DrawFn) -> BattleMap:
    """Maps of one layer that sets all 27 hexes, with any properties."""
    hexes = st.integers(0, HEX_COUNT - 1)
    planes = {spec.name: spec.allocate(SYSTEM.new_grid()) for spec in SYSTEM.shown_planes}
    for x, y in HEXES:
        planes["terrain"][y, x] = 0
        planes["elevation"][y, x] = 0
        planes["hexside"][y, x] = 0
    terrains = st.integers(0, len(COLOSSUS.terrains) - 1)
    elevations = st.integers(0, 3) | st.integers(-0x7FFF, 0x7FFF)
    for number, terrain, elevation in draw(
        st.lists(st.tuples(hexes, terrains, elevations), max_size=27)
    ):
        x, y = HEXES[number]
        planes["terrain"][y, x] = terrain
        planes["elevation"][y, x] = elevation
    for number, side, code in draw(
        st.lists(st.tuples(hexes, st.integers(0, 5), st.integers(0, 5)), max_size=20)
    ):
        x, y = HEXES[number]
        planes["hexside"][y, x, side] = code
    layer = Layer(
        1,
        "A map",
        planes=planes,
        properties=draw(
            st.fixed_dictionaries(
                {"tower": st.booleans()},
                optional={
                    "title": xml_text,
                    "subtitle": xml_text,
                    "startlist": st.lists(st.just("D4") | xml_text, max_size=5).map(tuple),
                },
            )
        ),
    )
    return BattleMap.new(SYSTEM, layers=[layer])


def plain_map(extras: Mapping[str, object] = NO_EXTRAS, **properties: object) -> BattleMap:
    """Plains everywhere, nothing else set but ``properties``, in one layer."""
    layer = Layer(1, "A map", planes={s.name: s.allocate(SYSTEM.new_grid()) for s in SYSTEM.planes})
    return BattleMap.new(SYSTEM, layers=[layer.copy(properties=properties, extras=extras)])


def set_hex(
    battlemap: BattleMap, label: str, terrain: str = "Plains", elevation: int = 0, sides: str = ""
) -> None:
    """Set one hex of the lowest layer; ``sides`` are up to six hexside letters."""
    cell = SYSTEM.cell_of_name(battlemap.grid, label)
    assert cell is not None
    x, y = battlemap.grid.xy(cell)
    planes = battlemap.layers[0].planes
    planes["terrain"][y, x] = COLOSSUS.terrain_code(terrain)
    planes["elevation"][y, x] = elevation
    planes["hexside"][y, x] = np.array(
        [COLOSSUS.hexside_code(letter) for letter in sides.ljust(6)], np.uint8
    )
