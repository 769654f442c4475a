"""Compares all of two maps: what they show, and their layers, terrain sets and records::

    differences = compare_maps(ours, theirs)
    print(differences.count)
    for part in differences.parts:
        print(part_text(part))

The command line compares two files so (``diff``); the desk compares what they show alone
(comparison.py). Left out is what nobody sees or sets: ids, which values are touched, the order of
terrains in lists, and the file that a map of another program was read from.

Layers and records are compared in layer_differences.py and record_differences.py, the rest here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.comparison import (
    Comparison,
    ShownMap,
    compare,
    existing_cells,
)
from randomizer.model.comparison.layer_differences import layer_differences
from randomizer.model.comparison.part_differences import (
    UNNAMED,
    PartDifference,
    PartKind,
    Values,
    compare_values,
)
from randomizer.model.comparison.record_differences import record_differences
from randomizer.model.records.map_records import ORIGINAL

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.terrain.terrain import TerrainSet

UNCOMPARED_FIELDS = ("name", "order")
"""The fields of terrains, hexsides and ways that are not compared: names pair them, and their order
in lists follows their numbers in maps of other programs."""


@dataclass(frozen=True, eq=False)
class MapDifferences:
    """All differences between two maps."""

    parts: tuple[PartDifference, ...]

    shown: Comparison | None
    """The differences of what they show.

    None where systems or grids differ, so that neither cells nor things can be compared.
    """

    @cached_property
    def count(self) -> int:
        """The number of differences; those in a layer are one."""
        if self.shown is None:
            return len(self.parts)
        return len(self.parts) + self.shown.count


def compare_maps(ours: BattleMap, theirs: BattleMap, *, shown_only: bool = False) -> MapDifferences:
    """Return all differences; with ``shown_only`` those alone that a person sees on the maps.

    Maps of different systems or grids can be compared, too: that is a difference then.
    """
    parts = list(_kind_differences(ours, theirs))
    are_of_one_kind = not parts
    shown = None
    if are_of_one_kind:
        shown = compare(ShownMap.of(ours), ShownMap.of(theirs))
    if ours.system is theirs.system and not shown_only:
        parts += layer_differences(ours, theirs, compares_contents=shown is not None)
        are_from_files = ORIGINAL in ours.records and ORIGINAL in theirs.records
        parts += _terrain_set_differences(
            ours.terrain_set, theirs.terrain_set, are_from_files=are_from_files
        )
        parts += record_differences(ours.records, theirs.records)
    return MapDifferences(tuple(parts), shown)


# --- systems and grids ----------------------------------------------------------------------------


def _kind_differences(ours: BattleMap, theirs: BattleMap) -> Iterator[PartDifference]:
    """Yield the differences because of which cells cannot be compared one by one."""
    if ours.system is not theirs.system:
        our_system = {UNNAMED: ours.system.title}
        their_system = {UNNAMED: theirs.system.title}
        yield PartDifference(PartKind.SYSTEM, "", our_system, their_system)
        return
    our_grid = _grid_values(ours.grid)
    their_grid = _grid_values(theirs.grid)
    yield from compare_values(PartKind.GRID, "", our_grid, their_grid)
    same_cells = np.array_equal(existing_cells(ours.grid), existing_cells(theirs.grid))
    if our_grid == their_grid and not same_cells:
        our_count = {UNNAMED: counted(len(ours.grid.cells), "cell")}
        their_count = {UNNAMED: counted(len(theirs.grid.cells), "cell")}
        yield PartDifference(PartKind.GRID, "", our_count, their_count)


def _grid_values(grid: Grid) -> Values:
    """Return size and layout of a grid, and whether it wraps, as ``PartDifference`` has them."""
    return {
        UNNAMED: f"{grid.width} x {grid.height} {grid.layout.name}",
        "wrapping": grid.wrap,
    }


# --- terrain sets ---------------------------------------------------------------------------------


def _terrain_set_differences(
    ours: TerrainSet, theirs: TerrainSet, *, are_from_files: bool
) -> Iterator[PartDifference]:
    """Yield the terrains, hexsides and ways that one set lacks, and those that differ.

    With ``are_from_files`` both sets were made for maps read from files of other programs. Such a
    set has just the entries and elevations that cells of its map have, so that entries which one
    set lacks are no difference of their own; nor are colours of entries with the same picture,
    which are worked out from it.
    """
    if ours == theirs:
        return
    our_values = _set_values(ours)
    their_values = _set_values(theirs)
    if are_from_files:
        del our_values["elevations"]
        del their_values["elevations"]
    yield from compare_values(PartKind.TERRAIN_SET, "", our_values, their_values)
    for kind, our_entries, their_entries in (
        (PartKind.TERRAIN, ours.terrains, theirs.terrains),
        (PartKind.HEXSIDE, ours.hexsides, theirs.hexsides),
        (PartKind.WAY, ours.ways, theirs.ways),
    ):
        our_values_by_name = {entry.name: _entry_values(entry) for entry in our_entries}
        their_values_by_name = {entry.name: _entry_values(entry) for entry in their_entries}
        for name in {**our_values_by_name, **their_values_by_name}:  # ours first, each once
            our_entry = our_values_by_name.get(name)
            their_entry = their_values_by_name.get(name)
            if are_from_files:
                if our_entry is None or their_entry is None:
                    continue
                _remove_colours_of_same_picture(our_entry, their_entry)
            yield from compare_values(kind, name, our_entry, their_entry)


def _remove_colours_of_same_picture(ours: dict[str, object], theirs: dict[str, object]) -> None:
    """Remove the colours from the values of two entries, in place, if both have one picture."""
    our_picture = ours.get("asset")
    if our_picture is not None and our_picture == theirs.get("asset"):
        # An entry of the default colour has none among its values.
        ours.pop("colour", None)
        theirs.pop("colour", None)


def _set_values(terrain_set: TerrainSet) -> dict[str, object]:
    """Return the values of a terrain set itself, without its entries."""
    return {
        "called": terrain_set.name,
        "elevations": list(terrain_set.elevations),
        "tactical": terrain_set.tactical,
    }


def _entry_values(entry: Any) -> dict[str, object]:
    """Return the fields of a terrain, hexside or way that differ from their defaults."""
    values = {}
    for entry_field in fields(entry):
        value = getattr(entry, entry_field.name)
        if entry_field.name not in UNCOMPARED_FIELDS and value != entry_field.default:
            values[entry_field.name] = value
    return values
