"""The base of a roll: what it starts from, and what it must keep.

A roll takes a place in the stack of a map's layers. Its ``Base`` has each part of the stack, as
visible layers show it together::

    layers above the roll       above; covered: where they hide the roll
    layers that it replaces     with those below: shown, whose locked values must be kept
    layers below the roll       composite

``Base.under`` makes one from a map. A base does not change with the map, so that a roll can run on
another thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import locks_of
from randomizer.model.planes.planes import TOUCHED, Element, Plane, PlaneSpec, is_blank
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.layers_above_roll import (
    layer_above,
    layer_above_first_roll,
    layer_above_reroll,
)
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing

# Defaults of ``Base``. A dataclass takes a read-only mapping as a default only from a factory.
NOTHING_COVERED: Mapping[str, NDArray[np.bool_]] = MappingProxyType({})
NO_RECORDS: Mapping[str, MapRecord] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Base:
    """The base of a roll: the visible layers below it, and the locked values that it must keep.

    base = Base.under(battlemap, len(battlemap.layers))    # onto all layers
    generated = run(generator, settings, DrawKey(seed, 0), base)

    A value is *kept* if it is locked and not covered: rolls must have the value of ``shown`` there
    (``locked_mask``). So ``shown``, the locks, ``covered``, ``unrolled`` and the two layers above
    belong together; ``Base.under`` and ``with_paint_above`` make them.
    """

    system: System
    grid: Grid
    composite: Composite
    """What the visible layers below the roll show."""
    shown: Composite
    """The same with the layers that a re-roll replaces: locked elements keep the values of these.
    """
    locked_cells: NDArray[np.bool_]
    """True for the locked cells, shape (height, width); a lock counts where nothing covers it."""
    locked_sides: NDArray[np.bool_]
    """True for the locked sides of cells, shape (height, width, degree)."""
    covered: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NOTHING_COVERED)
    """A mask of each plane, in its shape: True where a visible layer above the roll covers it.

    Whatever is rolled there, locked or not, is not seen. Planes that nothing covers are absent.
    """
    unrolled: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NOTHING_COVERED)
    """A mask of each plane: True where no roll has made the value of ``shown``; {} without locks.

    It was painted, came with a file, or nothing was set there. Only ``with_paint_above`` reads it:
    it lays such values above the roll where they are locked. A search for a roll that has them by
    itself, such as a lake that a person has painted, would go on for ever (docs/adr/0005-targets.md
    says which generators search).
    """
    paint_above: Layer | None = None
    """Locked values that the user has painted below the roll, and that are to be seen above it.

    ``above`` shows them, too, but no layer of the map has them: whoever puts the roll into the map
    puts them above it. None for a base that ``with_paint_above`` has not made, or without any.
    """
    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records of the map that the user set or changed, by name: a roll keeps them."""
    above: Layer | None = None
    """The layers that will lie above the roll, as one (layers_above_roll.py); None for none.

    The planes of a roll do not depend on it. Measures of the finished map do, and so do the units
    of a new world of Xconq: they leave the hexes with things of these layers.
    """
    kept_names: tuple[str, ...] = ()
    """The labels of the things on locked cells, which stay there, in alphabetical order."""
    assets: Assets = field(default_factory=lambda: NO_ASSETS)
    """The assets of the map, for a new one with the same terrain set."""

    @property
    def terrain_set(self) -> TerrainSet:
        """The terrain set of the map."""
        return self.composite.terrain_set

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

    def has_same_rolls(self, other: Base) -> bool:
        """Return whether the same maps are rolled onto both bases, with the same things on them.

        The planes above, ``unrolled`` and the assets may differ: no roll depends on them.
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

    def without_layers_above(self) -> Base:
        """Return the same base for rolls that are looked at alone.

        Only what is seen of them changes. The rolls are the same, so ``covered`` stays: a lock
        below a layer above does not bind them.
        """
        return replace(self, above=None)

    @property
    def is_blank_below(self) -> bool:
        """True if no layer below the roll sets a value of a plane; it may set properties."""
        return all(map(is_blank, self.composite.planes.values()))

    def locks(self, element: Element) -> NDArray[np.bool_]:
        """Return the locks of elements of one kind, True where locked.

        The shape is (height, width) for cells, (height, width, degree) for sides and
        (height + 1, width + 1) for corners.
        """
        return locks_of(element, self.grid, self.locked_cells, self.locked_sides)

    def unlocked(self) -> Base:
        """Return the same base without locks; what is covered or unrolled does not matter then."""
        return replace(
            self,
            locked_cells=np.zeros_like(self.locked_cells),
            locked_sides=np.zeros_like(self.locked_sides),
            kept_names=(),
        )

    def with_paint_above(self) -> Base:
        """Return this base with all locked values above the roll that no roll has made.

        The roll may then have any value below them, as below a layer that covers it: a person who
        paints a hex and locks it does not ask for one map in a million that has it of its own.
        """
        above = _layer_of({})
        if self.above is not None:
            above = self.above.copy(planes=dict(self.above.planes))
        covered = dict(self.covered)
        paint_above = _layer_of({})
        for name in self.unrolled:
            spec = self.system.plane(name)
            is_freed = self.locked_mask(spec) & self.unrolled[name]
            if not is_freed.any():
                continue
            covered[name] = is_freed | covered.get(name, False)
            # What a layer above sets already stays on top of the paint.
            values_above = above.planes.get(name, spec.allocate(self.grid))
            is_painted = is_freed & (values_above == spec.unset)
            if is_painted.any():
                shown_values = self.shown.planes[name]
                paint_above.planes[name] = np.where(is_painted, shown_values, spec.unset)
                above.planes[name] = np.where(is_painted, shown_values, values_above)
        if not paint_above.planes:
            return replace(self, covered=covered)
        return replace(self, covered=covered, paint_above=paint_above, above=above)

    def with_locked_values(
        self,
        shown_planes: Mapping[str, NDArray[Any]],
        masks: Mapping[str, NDArray[np.bool_]],
    ) -> Base:
        """Return this base with other locks: a roll must keep certain values of some planes.

        Where the mask of a plane is True, the value of ``shown_planes`` must be kept; elsewhere
        nothing binds the roll. Both have all shown planes by name, in their shapes.
        """
        locked_cells = np.zeros_like(self.locked_cells)
        locked_sides = np.zeros_like(self.locked_sides)
        for spec in self.system.shown_planes:
            # Locks of corners follow from those of cells.
            if spec.element is Element.CELL:
                locked_cells |= masks[spec.name]
            elif spec.element is Element.SIDE:
                locked_sides |= masks[spec.name]
        # The lock of a cell is one of all its planes, so these two lock too much: a cell of which
        # only the elevation is to be kept would keep its terrain, too. But a lock does not bind a
        # roll where something covers the plane, so the terrain is marked as covered.
        covered = {name: ~mask for name, mask in masks.items()}
        return replace(
            self,
            shown=replace(self.shown, planes=dict(shown_planes)),
            locked_cells=locked_cells,
            locked_sides=locked_sides,
            covered=covered,
        )

    def in_terms_of(self, generated: Generated) -> tuple[Base, Generated]:
        """Return this base and a roll onto it with the values of both as codes of one terrain set.

        That is the terrain set of the roll. Terrains that the base shows and the roll lacks are
        added at its end, as missing; one that is only renamed in it (``called_as_in``) is not.
        """
        if generated.terrain_set is None or generated.terrain_set == self.terrain_set:
            return self, generated
        system = self.system
        base_terrain_set = called_as_in(self.terrain_set, generated.terrain_set)
        layer_below = _layer_of(self.composite.planes)
        shown_layer = _layer_of(self.shown.planes)
        layers = [layer_below, shown_layer]
        layers += [layer for layer in (self.above, self.paint_above) if layer is not None]
        terrain_set = with_missing(system, layers, base_terrain_set, generated.terrain_set)

        def translated(layer: Layer) -> Layer:
            return translated_layer(system, layer, base_terrain_set, terrain_set)

        planes_below = translated(layer_below).planes
        shown_planes = translated(shown_layer).planes
        base = replace(
            self,
            composite=replace(self.composite, terrain_set=terrain_set, planes=planes_below),
            shown=replace(self.shown, terrain_set=terrain_set, planes=shown_planes),
        )
        if self.above is not None:
            base = replace(base, above=translated(self.above))
        if self.paint_above is not None:
            base = replace(base, paint_above=translated(self.paint_above))
        return base, replace(generated, terrain_set=terrain_set)

    def as_layer(self) -> Layer:
        """Return the composite below as one layer; the arrays of its planes are no copies."""
        layer = _layer_of(self.composite.planes)
        layer.properties = dict(self.composite.properties)
        return layer

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
        # The layers below, what is shown with those that are replaced, and the layers above.
        if replaced_positions:
            above = layer_above_reroll(battlemap, replaced_positions)
        elif copies_paint:
            above = layer_above_first_roll(battlemap, position)
        else:
            above = layer_above(battlemap, position)
        composite_below = battlemap.composite(position)
        layers_below = battlemap.layers[:position]
        replaced_layers = [battlemap.layers[replaced] for replaced in replaced_positions]
        composite_shown = composite_below
        if replaced_layers:
            layers = [*layers_below, *replaced_layers]
            composite_shown = compose(
                battlemap.system, battlemap.terrain_set, battlemap.grid, layers
            )

        # What the layers above cover; locked parts count there as well.
        cells_of_locked_parts = _cells_of_locked_parts(battlemap, replaced_layers)
        first_above = max([position, *(replaced + 1 for replaced in replaced_positions)])
        covered = _covered(battlemap, first_above)
        for name, mask in covered.items():
            if battlemap.system.plane(name).element is Element.CELL:
                mask &= ~cells_of_locked_parts
        return cls(
            system=battlemap.system,
            grid=battlemap.grid,
            composite=composite_below,
            shown=composite_shown,
            locked_cells=battlemap.locked_cells | cells_of_locked_parts,
            locked_sides=battlemap.locked_sides.copy(),
            covered=covered,
            unrolled=_unrolled(battlemap, [*layers_below, *replaced_layers]),
            records={name: record for name, record in battlemap.records.items() if record.touched},
            above=above,
            kept_names=_names_on_locked_cells(battlemap),
            assets=battlemap.assets,
        )


def _layer_of(planes: Mapping[str, Plane]) -> Layer:
    """Return a layer that is on no map, to hold planes for functions that take a layer.

    Its id and name do not matter; the arrays are no copies.
    """
    return Layer(0, "", planes=dict(planes))


def _is_bare(base: Base) -> bool:
    """Return whether nothing below the roll, no layer above it and no lock tells it anything."""
    if base.composite.properties:
        return False
    return base.is_blank_below and base.above is None and not base.locked


def _names_on_locked_cells(battlemap: BattleMap) -> tuple[str, ...]:
    """Return the labels of visible things on locked cells, in alphabetical order."""
    is_locked = battlemap.locked_cells.reshape(-1)
    if not is_locked.any():
        return ()
    names = set()
    for thing in battlemap.visible_things():
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if thing.label and cell >= 0 and is_locked[cell]:
            names.add(thing.label)
    return tuple(sorted(names))


def _things_above(base: Base) -> dict[int, Thing]:
    """Return the things of the layers above a roll, by id."""
    if base.above is None:
        return {}
    return dict(base.above.things)


def _cells_of_locked_parts(
    battlemap: BattleMap, replaced_layers: Sequence[Layer]
) -> NDArray[np.bool_]:
    """Return a mask (height, width) of the cells that locked layers of a roll in parts set.

    A roll of one layer has no parts, so its lock counts for nothing here.
    """
    mask = np.zeros_like(battlemap.locked_cells)
    if len(replaced_layers) < 2:
        return mask
    for layer in replaced_layers:
        if not layer.locked:
            continue
        for spec in battlemap.system.shown_planes:
            if spec.element is Element.CELL and spec.name in layer.planes:
                mask |= layer.planes[spec.name] != spec.unset
    return mask


def _unrolled(battlemap: BattleMap, layers: Sequence[Layer]) -> dict[str, NDArray[np.bool_]]:
    """Return ``Base.unrolled`` for what these layers show, the lowest first."""
    if not battlemap.locked_cells.any() and not battlemap.locked_sides.any():
        return {}  # only locked values are asked for
    masks: dict[str, NDArray[np.bool_]] = {}
    for spec in battlemap.system.shown_planes:
        is_rolled = np.zeros(spec.shape(battlemap.grid), np.bool_)
        for layer in layers:
            values = layer.planes.get(spec.name)
            if not layer.visible or values is None:
                continue
            is_set = values != spec.unset
            is_rolled &= ~is_set  # this layer hides what a lower one has rolled
            if layer.roll is None:
                continue
            # Of a rolled layer the values count that nobody has changed since.
            marks = layer.planes.get(TOUCHED + spec.name)
            if marks is not None:
                is_set &= marks == 0
            is_rolled |= is_set
        masks[spec.name] = ~is_rolled
    return masks


def _covered(battlemap: BattleMap, first_above: int) -> dict[str, NDArray[np.bool_]]:
    """Return ``Base.covered``: masks of what visible layers from a stack position on set."""
    masks: dict[str, NDArray[np.bool_]] = {}
    for layer in battlemap.layers[first_above:]:
        if not layer.visible:
            continue
        for spec in battlemap.system.shown_planes:
            values = layer.planes.get(spec.name)
            if values is None:
                continue
            is_set = values != spec.unset
            if is_set.any():
                mask = masks.setdefault(spec.name, np.zeros(values.shape, np.bool_))
                mask |= is_set
    return masks
