"""Hypothesis strategies for the text of randomizer scripts, and for maps to roll them onto."""

from __future__ import annotations

from hypothesis import strategies as st

from randomizer.systems.colossus.board import HEX_COUNT, LABELS, PARTS
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES

HAZARD_NAMES = [terrain.name for terrain in COLOSSUS.terrains][:5]
"""A few, so that they meet and PAIRs apply."""

NAMES = ["one", "two", "three"]

percents = st.sampled_from(["0.", "100.", "50.", "33.3", "5.", "*", "250."])
hazard_names = st.sampled_from(HAZARD_NAMES)
coordinates = st.sampled_from(["*", "0", "1", "2", "3", "4", "5"])
bounds = st.one_of(coordinates, st.builds("{}-{}".format, coordinates, coordinates))


def _functions(lists: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    count = st.sampled_from(["0", "1", "2", "6", "9", "*"])
    return st.lists(
        st.one_of(
            st.builds("SOMEOF({},{})".format, count, lists),
            st.builds("SUBSTRACT({},{})".format, lists, lists),
            st.builds("SURROUNDINGSOF({})".format, lists),
            st.sampled_from([f"({name})" for name in (*NAMES, "usedup", "leftover")]),
        ),
        max_size=3,
    ).map(" ".join)


items = st.one_of(
    st.sampled_from(LABELS),
    st.builds("({},{})".format, bounds, bounds),
    st.sampled_from([f"({name})" for name in (*PARTS, *NAMES, "usedup", "leftover")]),
)
hex_lists = st.recursive(st.lists(items, max_size=4).map(" ".join), _functions, max_leaves=5)

elevations = st.sampled_from(["0", "1", "2", "*", "7"])
hazards = st.one_of(
    hazard_names,
    st.builds("{},{}".format, hazard_names, percents),
    st.builds("{},{}".format, hazard_names, elevations.filter(lambda text: text != "*")),
    st.builds("{},{},{}".format, hazard_names, percents, elevations.filter(lambda t: t != "*")),
    st.builds("{},{},{},{},{}".format, hazard_names, percents, percents, percents, percents),
)
areas = st.builds(
    "AREA {} HAZARDS {}".format, hex_lists, st.lists(hazards, max_size=6).map(" ".join)
)
labels = st.builds("LABEL {}={}".format, st.sampled_from([*NAMES, "inside"]), hex_lists)
start_lists = st.builds("STARTLIST {}".format, hex_lists)

letters = st.sampled_from(list(HEXSIDE_NAMES))
choices = st.one_of(letters, st.builds("{},{}".format, letters, percents))
ends = st.builds("({},{})".format, hazard_names, elevations)
pairs = st.builds(
    "PAIR {}{} HEXSIDES {}".format, ends, ends, st.lists(choices, max_size=3).map(" ".join)
)
titles = st.sampled_from(['TITLE "Land!"', "SUBTITLE low", "TOWER"])

statements = st.one_of(areas, areas, areas, labels, labels, pairs, pairs, start_lists, titles)
script_lines = st.lists(statements, max_size=9)
scripts = script_lines.map(lambda lines: "".join(line + "\n" for line in lines))


def _per_hex(values: st.SearchStrategy[int]) -> st.SearchStrategy[list[int]]:
    return st.lists(values, min_size=HEX_COUNT, max_size=HEX_COUNT)


bases = st.builds(
    HexBase,
    _per_hex(st.integers(0, len(HAZARD_NAMES) - 1)),
    _per_hex(st.integers(0, 3)),
    st.lists(
        st.lists(st.integers(0, len(HEXSIDE_NAMES)), min_size=6, max_size=6),
        min_size=HEX_COUNT,
        max_size=HEX_COUNT,
    ),
)
"""Maps below a roll; hexsides at the rim occur too."""
