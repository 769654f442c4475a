"""Hypothesis strategies for filters, and for batches of made-up maps to evaluate them on.

``conditions`` gives any filter, made of smaller parts from below: cells, terrains, counts of them,
comparisons of these. ``made_up_batch`` has maps on which filters are true as often as false.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import (
    CellShows,
    Combination,
    Comparison,
    Condition,
    MeasureIsTrue,
    Not,
)
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    Count,
    ElevationAt,
    ElevationKind,
    HexsideKind,
    Measured,
    Number,
    Quantity,
    Regions,
    Share,
    TerrainKind,
    WaterKind,
)
from randomizer.model.map.battlemap import BattleMap
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS

MEASURES = (
    Measure("fairness", "Fairness", "", lambda b: b.elevation[:, :5].mean(axis=1) * 7, unit="%"),
    Measure("share", "Share of the start", "", lambda b: b.terrain[:, 0] / 3.0),
    Measure(
        "connected",
        "Connected",
        "",
        lambda b: np.asarray(b.hexside[:, 3, 2] == 0, np.float64),
        needs_hexsides=True,
        yes_no=True,
    ),
)
"""Two measures that are numbers, and one that is true or false; of what does not matter."""

FEW = 4
"""So few different terrains, hexsides and elevations that filters are often passed."""

cells = st.sampled_from(
    [Cell(cell, label) for cell, label in zip(CELL_OF_HEX, LABELS, strict=True)]
)
heights = st.integers(-1, 3)
waters = st.builds(WaterKind, st.just((COLOSSUS.terrain_code("Lake"),)), st.booleans())
terrains = st.builds(
    lambda code, height: TerrainKind(code, COLOSSUS.terrains[code].name, height),
    st.integers(0, FEW),
    st.none() | heights,
)
grounds = terrains | waters
side_kinds = st.integers(1, FEW).map(
    lambda code: HexsideKind(code, COLOSSUS.hexsides[code - 1].name)
)
elevations = st.builds(ElevationKind, st.sampled_from([*COMPARISONS]), heights)
few_cells = st.lists(cells, max_size=4, unique=True).map(tuple)
counts = (
    st.builds(Count, grounds | side_kinds | elevations, few_cells)
    | st.builds(Share, grounds | elevations, few_cells)
    | st.builds(Regions, grounds | elevations)
)
values: st.SearchStrategy[Quantity] = (
    counts | st.builds(ElevationAt, cells) | st.sampled_from([*map(Measured, MEASURES[:2])])
)
numbers = st.builds(Number, st.sampled_from([0.0, 1.0, 2.0, 3.0, 7.0, -1.0, 0.25, 1e-7, 123456.5]))
comparisons = (
    st.builds(Comparison, values, st.sampled_from([*COMPARISONS]), numbers | values)
    | st.builds(Comparison, numbers, st.sampled_from([*COMPARISONS]), values)
    | st.builds(
        Comparison,
        st.just(Measured(MEASURES[0])),
        st.just("<="),
        st.just(Number(10.0, "%")),
    )
)
shows = st.builds(
    CellShows,
    cells,
    st.none(),
    st.lists(grounds, min_size=1, max_size=3).map(tuple),
    st.booleans(),
) | st.builds(
    CellShows,
    cells,
    st.integers(0, 5),
    st.lists(side_kinds | st.just(HexsideKind(0, "none")), min_size=1, max_size=3).map(tuple),
    st.booleans(),
)
conditions: st.SearchStrategy[Condition] = st.recursive(
    comparisons | shows | st.just(MeasureIsTrue(MEASURES[2])),
    lambda parts: (
        st.builds(Not, parts)
        | st.builds(Combination, st.lists(parts, min_size=2, max_size=4).map(tuple), st.booleans())
    ),
    max_leaves=8,
)


def made_up_batch(seed: int, maps: int = 60) -> Batch:
    """Return maps of few random terrains, elevations and hexsides; one in ten has failed."""
    draw = np.random.default_rng(seed)
    shape = (maps, len(CELL_OF_HEX))
    return Batch(
        base=Base.under(BattleMap.new(SYSTEM), 0),
        seed=seed,
        numbers=np.arange(maps, dtype=np.uint64),
        cells=np.array(CELL_OF_HEX),
        terrain=draw.integers(0, FEW, shape, np.uint8),
        elevation=draw.integers(-1, 3, shape, np.int16),
        hexside=draw.integers(0, FEW, (*shape, 6), np.uint8),
        failed=draw.random(maps) < 0.1,
    )
