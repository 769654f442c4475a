"""Measures that maps of any system have: counts of terrains, elevations, hexsides; heights."""

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


def measures_of(
    generator: MapGenerator,
    terrain_set: TerrainSet | None = None,
    settings: Mapping[str, object] = NO_VALUES,
) -> tuple[Measure, ...]:
    """Return measures of maps with a terrain set (None: a new map's).

    They are the generator's own, those of other packages, and the counts.
    """
    if isinstance(generator, BatchGenerator):
        own_measures = generator.measures(settings)
    else:
        own_measures = ()
    system = generator.system
    current_set = terrain_set or system.terrain_set
    more: list[Measure] = []
    for make in installed("MEASURES"):
        with Guard(make):
            more += make(system, current_set)
    return (*own_measures, *more, *counts(system, current_set))


@registered(bytes_each=200 * KB)
@lru_cache(4)
def counts(system: System, terrain_set: TerrainSet | None = None) -> tuple[Measure, ...]:
    """Return the counts of everything that maps of a terrain set (None: a new map's) can show."""
    return tuple(_counts(system, terrain_set or system.terrain_set))


def _counts(system: System, terrain_set: TerrainSet) -> Iterator[Measure]:
    for code, terrain in enumerate(terrain_set.terrains if system.terrain is not None else ()):
        count = Count(TerrainKind(code, terrain.name))
        yield as_measure(count, terrain.name, f"How often {terrain.name} stands on a map.")
    if system.elevation is not None and len(terrain_set.elevations) > 1:
        above = Count(ElevationKind(">", 0))
        yield as_measure(above, "Above ground", "How much of a map is higher than elevation 0.")
        for height in terrain_set.elevations:
            title = f"Elevation {height}"
            help_ = f"How often elevation {height} is on a map."
            yield as_measure(Count(ElevationKind("=", height)), title, help_)
    for code, hexside in enumerate(terrain_set.hexsides if system.hexside is not None else (), 1):
        help_ = f"How often a {hexside.name.lower()} stands on a map."
        yield as_measure(Count(HexsideKind(code, hexside.name)), hexside.name, help_)
    if system.corner_heights is not None:
        plane = system.corner_heights.name
        for name, title, of in (
            ("lowest", "Lowest corner", np.min),
            ("highest", "Highest corner", np.max),
            ("average", "Average height", np.mean),
        ):
            help_ = f"{title} of a map; only corners of cells that exist."
            yield Measure(name, title, help_, partial(_of_heights, plane=plane, of=of))


def _of_heights(
    batch: Batch, plane: str, of: Callable[..., NDArray[np.float64]]
) -> NDArray[np.float64]:
    """``of`` the heights at the existing corners of each map, (n,)."""
    heights = batch.others[plane][:, existing_corners(batch.base.grid)]
    return np.asarray(of(heights, axis=1), np.float64)


def as_measure(quantity: Quantity, title: str = "", help_: str = "") -> Measure:
    """Return a quantity of a filter as a measure of the same name."""
    return Measure(
        str(quantity),
        title or str(quantity),
        help_,
        lambda batch: quantity.of(batch).astype(np.float64),
        sides=quantity.sides,
        cost=quantity.measure.cost if isinstance(quantity, Measured) else "",
    )
