"""Measures that maps of any system have: counts of terrains, elevations, hexsides; heights.

The gallery, the odds, the filters and the command line ask for them. ``measures_of`` returns all
measures by which the maps of a generator can be searched, sorted and compared, these among them::

    for measure in measures_of(generator):
        print(measure.title, measure.of(batch).mean())      # Tree 4.2, Bog 1.7 ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import NO_VALUES, Batch, Measure
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.filters.terms import (
    Count,
    ElevationKind,
    HexsideKind,
    Measured,
    Quantity,
    TerrainKind,
)
from randomizer.generator import MapGenerator
from randomizer.installed import Guard, installed
from randomizer.model.basics.caches import KB, registered
from randomizer.model.planes.corners import existing_corners
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

TERRAINS = "Terrains"
"""The group of the counts of terrains (``Measure.group``)."""

ELEVATIONS = "Elevations"
"""The group of the counts of elevations."""

SIDES = "On sides"
"""The group of the counts of hexsides."""

GROUPS_OF_COUNTS = (TERRAINS, ELEVATIONS, SIDES)
"""The groups of all counts of what stands on a map; other measures are in none of them."""


def measures_of(
    generator: MapGenerator,
    terrain_set: TerrainSet | None = None,
    settings: Mapping[str, object] = NO_VALUES,
) -> tuple[Measure, ...]:
    """Return measures of maps with a terrain set (None: a new map's).

    They are the generator's own, those of other packages, and the counts.
    """
    system = generator.system
    current_set = terrain_set or system.terrain_set
    measures: list[Measure] = []
    if isinstance(generator, BatchGenerator):
        measures += generator.measures(settings)
    for make_measures in installed("MEASURES"):
        with Guard(make_measures):
            measures += make_measures(system, current_set)
    measures += counts(system, current_set)
    return tuple(measures)


@registered(bytes_each=200 * KB)
@lru_cache(4)
def counts(system: System, terrain_set: TerrainSet | None = None) -> tuple[Measure, ...]:
    """Return the counts of everything that maps of a terrain set (None: a new map's) can show.

    Maps with heights at corners also have the lowest, the highest and the average of them.
    """
    current_set = terrain_set or system.terrain_set
    measures: list[Measure] = []
    if system.terrain is not None:
        measures += _terrain_counts(current_set)
    if system.elevation is not None and len(current_set.elevations) > 1:
        measures += _elevation_counts(current_set)
    if system.hexside is not None:
        measures += _hexside_counts(current_set)
    if system.corner_heights is not None:
        measures += _height_measures(system.corner_heights.name)
    return tuple(measures)


def _terrain_counts(terrain_set: TerrainSet) -> Iterator[Measure]:
    """Yield the number of cells of each terrain."""
    for code, terrain in enumerate(terrain_set.terrains):
        count = Count(TerrainKind(code, terrain.name))
        yield as_measure(
            count, terrain.name, f"How often {terrain.name} stands on a map.", TERRAINS
        )


def _elevation_counts(terrain_set: TerrainSet) -> Iterator[Measure]:
    """Yield the number of cells above 0, and of each elevation."""
    above_ground = Count(ElevationKind(">", 0))
    help_ = "How much of a map is higher than elevation 0."
    yield as_measure(above_ground, "Above ground", help_, ELEVATIONS)
    for height in terrain_set.elevations:
        count = Count(ElevationKind("=", height))
        help_ = f"How often elevation {height} is on a map."
        yield as_measure(count, f"Elevation {height}", help_, ELEVATIONS)


def _hexside_counts(terrain_set: TerrainSet) -> Iterator[Measure]:
    """Yield the number of sides with each hexside."""
    for code, hexside in enumerate(terrain_set.hexsides, 1):  # code 0 is no hexside
        count = Count(HexsideKind(code, hexside.name))
        help_ = f"How often a {hexside.name.lower()} stands on a map."
        yield as_measure(count, terrain_set.hexside_title(hexside), help_, SIDES)


def _height_measures(plane: str) -> Iterator[Measure]:
    """Yield the lowest, the highest and the average height of a plane of corners."""
    for name, title, summarize in (
        ("lowest", "Lowest corner", np.min),
        ("highest", "Highest corner", np.max),
        ("average", "Average height", np.mean),
    ):
        help_ = f"{title} of a map; only corners of cells that exist."
        yield Measure(
            name, title, help_, partial(_height_summaries, plane=plane, summarize=summarize)
        )


def _height_summaries(
    batch: Batch, plane: str, summarize: Callable[..., NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return one number for each map, (n,): a summary of its heights at existing corners."""
    heights = batch.others[plane][:, existing_corners(batch.base.grid)]
    return np.asarray(summarize(heights, axis=1), np.float64)


def as_measure(quantity: Quantity, title: str = "", help_: str = "", group: str = "") -> Measure:
    """Return a quantity of a filter as a measure of the same name.

    So maps can be sorted by "count(Tree)". Without a ``title`` the name is its title, too.
    """
    name = str(quantity)
    cost = ""
    if isinstance(quantity, Measured):
        cost = quantity.measure.cost
    return Measure(
        name,
        title or name,
        help_,
        partial(_quantity_values, quantity=quantity),
        needs_hexsides=quantity.needs_hexsides,
        group=group,
        cost=cost,
    )


def _quantity_values(batch: Batch, quantity: Quantity) -> NDArray[np.float64]:
    """Return a quantity of each map, (n,)."""
    return quantity.of(batch).astype(np.float64)
