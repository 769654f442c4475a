"""The base of a roll: what it starts from, and what it must keep.

    base = Base.under(battlemap, len(battlemap.layers))    # a new layer on top of all
    base = Base.under(battlemap, 2, 2, 3)                  # in place of the layers 2 and 3
    generated = run(generator, settings, DrawKey(seed, 0), base)

A roll takes a place in the stack of a map's layers. Its ``Base`` has each part of the stack, as
visible layers show it together::

    layers above the roll       above; covered: where they hide the roll
    layers that it replaces     with those below: shown, whose locked values must be kept
    layers below the roll       composite

A base does not change with the map, so that a roll can run on another thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import locks_of
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, is_blank
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.layers_above_roll import (
    layer_above,
    layer_above_first_roll,
    layer_above_reroll,
)
from randomizer.model.rolls.stack_masks import (
    cells_of_locked_parts,
    covered_masks,
    names_on_locked_cells,
    not_rolled_masks,
)
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing

# Defaults of ``Base``. A dataclass takes a read-only mapping as a default only from a factory.
NO_MASKS: Mapping[str, NDArray[np.bool_]] = MappingProxyType({})
NO_RECORDS: Mapping[str, MapRecord] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Base:
    """The base of a roll: the visible layers below it, and the locked values that it must keep.

    A value is *kept* if it is locked and not covered: rolls must have the value of ``shown`` there
    (``locked_mask``). So ``shown``, the locks, ``covered``, ``not_rolled`` and the two layers above
    belong together: ``Base.under`` makes them, and base_locks.py changes them together.
    """

    system: System
    grid: Grid

    composite: Composite
    """What the visible layers below the roll show."""

    # What must be kept.

    shown: Composite
    """What the layers below show together with those that a re-roll replaces.

    Locked elements keep these values.
    """

    locked_cells: NDArray[np.bool_]
    """True for the locked cells, shape (height, width); a lock counts where nothing covers it."""

    locked_sides: NDArray[np.bool_]
    """True for the locked sides of cells, shape (height, width, degree)."""

    covered: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NO_MASKS)
    """A mask of each plane, in its shape: True where a visible layer above the roll covers it.

    Whatever is rolled there, locked or not, is not seen. Planes that nothing covers are absent.
    """

    not_rolled: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NO_MASKS)
    """A mask of each plane, in its shape: True where the value of ``shown`` comes from no roll.

    A person has painted it, it came with a file, or it is not set. Only ``with_paint_above``
    (base_locks.py) reads it, and only where something is locked: {} without locks.
    """

    kept_names: tuple[str, ...] = ()
    """The labels of the things on locked cells, which stay there, in alphabetical order."""

    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records of the map that the user set or changed, by name: a roll keeps them."""

    # What lies above.

    above: Layer | None = None
    """The layers that will lie above the roll, as one (layers_above_roll.py); None for none.

    The planes of a roll do not depend on it. Measures of the finished map do, and so do the units
    of a new world of Xconq: they leave the hexes with things of these layers.
    """

    paint_above: Layer | None = None
    """Locked values that the user has painted below the roll, and that are to be seen above it.

    ``above`` shows them, too, but no layer of the map has them: whoever puts the roll into the map
    puts them above it. None for a base that ``with_paint_above`` has not made, or without any.
    """

    assets: Assets = field(default_factory=lambda: NO_ASSETS)
    """The assets of the map, for a new one with the same terrain set."""

    @classmethod
    def under(
        cls,
        battlemap: BattleMap,
        position: int,
        *replaced_positions: int,
        copies_paint: bool = True,
    ) -> Base:
        """Return the base of a roll at a position of the stack of layers, 0 for the lowest.

        ``replaced_positions`` are those of the rolled layers that a re-roll replaces, none for a
        first roll. If these are parts of one roll, everything that a locked part sets is locked,
        covered or not. ``copies_paint`` is False for a first roll that is to cover what was
        painted below it (``Generated.rearranges_map``).
        """
        layers_below = battlemap.layers[:position]
        composite_below = battlemap.composite(position)
        if replaced_positions:
            above = layer_above_reroll(battlemap, replaced_positions)
            first_above = max(position, max(replaced_positions) + 1)
        else:
            first_above = position
            if copies_paint:
                above = layer_above_first_roll(battlemap, position)
            else:
                above = layer_above(battlemap, position)

        # What the map shows without the layers above.
        replaced_layers = [battlemap.layers[replaced] for replaced in replaced_positions]
        composite_shown = composite_below
        if replaced_layers:
            layers = [*layers_below, *replaced_layers]
            composite_shown = compose(
                battlemap.system, battlemap.terrain_set, battlemap.grid, layers
            )

        # What of that is locked, and what is covered. Locked parts bind the roll in any case.
        is_in_locked_part = cells_of_locked_parts(battlemap, replaced_layers)
        covered = covered_masks(battlemap, first_above)
        for name, mask in covered.items():
            if battlemap.system.plane(name).element is Element.CELL:
                mask &= ~is_in_locked_part
        return cls(
            system=battlemap.system,
            grid=battlemap.grid,
            composite=composite_below,
            shown=composite_shown,
            locked_cells=battlemap.locked_cells | is_in_locked_part,
            locked_sides=battlemap.locked_sides.copy(),
            covered=covered,
            not_rolled=not_rolled_masks(battlemap, [*layers_below, *replaced_layers]),
            kept_names=names_on_locked_cells(battlemap),
            records={name: record for name, record in battlemap.records.items() if record.touched},
            above=above,
            assets=battlemap.assets,
        )

    # --- what it says -----------------------------------------------------------------------

    @property
    def terrain_set(self) -> TerrainSet:
        """The terrain set of the map."""
        return self.composite.terrain_set

    @property
    def is_blank_below(self) -> bool:
        """True if no layer below the roll sets a value of a plane; it may set properties."""
        return all(map(is_blank, self.composite.planes.values()))

    def as_layer(self) -> Layer:
        """Return the composite below as one layer; the arrays of its planes are no copies."""
        layer = layer_of(self.composite.planes)
        layer.properties = dict(self.composite.properties)
        return layer

    @property
    def locked(self) -> bool:
        """True if any value has to be kept."""
        return any(self.locked_mask(spec).any() for spec in self.system.shown_planes)

    def locked_mask(self, spec: PlaneSpec) -> NDArray[np.bool_]:
        """Return a mask of a plane, in its shape: True where the value of ``shown`` must be kept.

        These elements are locked, and no layer above the roll covers them.
        """
        locks = self.locks(spec.element)
        covered = self.covered.get(spec.name)
        if covered is None:
            return locks
        return locks & ~covered

    def locks(self, element: Element) -> NDArray[np.bool_]:
        """Return the locks of elements of one kind, True where locked.

        The shape is (height, width) for cells, (height, width, degree) for sides and
        (height + 1, width + 1) for corners.
        """
        return locks_of(element, self.grid, self.locked_cells, self.locked_sides)

    # --- comparison with another base -------------------------------------------------------

    def has_same_rolls(self, other: Base) -> bool:
        """Return whether the same maps are rolled onto both bases, with the same things on them.

        The planes above, ``not_rolled`` and the assets may differ: no roll depends on them.
        """
        if (self.system, self.grid, self.records) != (other.system, other.grid, other.records):
            return False
        if _things_above(self) != _things_above(other) or self.kept_names != other.kept_names:
            return False
        if self.system.game_has_more_terrains and _is_bare(self) and _is_bare(other):
            # Each map brings a terrain set of its own, so the codes of these two say nothing.
            return True
        if not self.composite.same_as(other.composite):
            return False
        return all(self._locks_same_values(other, spec) for spec in self.system.shown_planes)

    def _locks_same_values(self, other: Base, spec: PlaneSpec) -> bool:
        """Return whether both bases lock the same elements of a plane, with the same values."""
        mask = self.locked_mask(spec)
        if not np.array_equal(mask, other.locked_mask(spec)):
            return False
        values = self.shown.planes[spec.name]
        other_values = other.shown.planes[spec.name]
        return np.array_equal(values[mask], other_values[mask])

    def has_same_layers_above(self, other: Base) -> bool:
        """Return whether the same values and properties will lie above a roll onto either."""
        if self.above is None or other.above is None:
            return self.above is other.above
        if self.above.properties != other.above.properties:
            return False
        planes = self.above.planes
        other_planes = other.above.planes
        if planes.keys() != other_planes.keys():
            return False
        return all(np.array_equal(plane, other_planes[name]) for name, plane in planes.items())

    # --- other bases made of it -------------------------------------------------------------

    def without_layers_above(self) -> Base:
        """Return the same base for rolls that are looked at alone.

        Only what is seen of them changes. The rolls are the same, so ``covered`` stays: a lock
        below a layer above does not bind them.
        """
        return replace(self, above=None)

    def unlocked(self) -> Base:
        """Return the same base without locks; ``covered`` and ``not_rolled`` do not matter then."""
        return replace(
            self,
            locked_cells=np.zeros_like(self.locked_cells),
            locked_sides=np.zeros_like(self.locked_sides),
            kept_names=(),
        )


def layer_of(planes: Mapping[str, Plane]) -> Layer:
    """Return a layer that is on no map, to hold planes for functions that take a layer.

    Its id and name do not matter; the arrays are no copies.
    """
    return Layer(0, "", planes=dict(planes))


def _is_bare(base: Base) -> bool:
    """Return whether nothing below the roll, no layer above it and no lock tells it anything."""
    if base.composite.properties:
        return False
    return base.is_blank_below and base.above is None and not base.locked


def _things_above(base: Base) -> dict[int, Thing]:
    """Return the things of the layers above a roll, by id."""
    if base.above is None:
        return {}
    return dict(base.above.things)
