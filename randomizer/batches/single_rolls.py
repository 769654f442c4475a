"""Single maps of generators that make one after the other, in the shape of batches.

``MapStream`` uses them where a generator does not make many maps at once. ``roll_single`` rolls a
map and drops what only takes memory, and ``SingleRoll.batch`` makes a batch of one map of it, so
that filters and measures treat it like one of many.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import NO_VALUES, Batch, batch_of
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.installed import culprit_of
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.thing_kind import SCATTERED
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import NO_RECORDS, Base

LOCKS_NOT_KEPT = Problem(Severity.ERROR, "locks-not-found", "this map does not keep the locks")
"""The problem of a map that does not keep the locks of the base (``SingleRoll.misses_locks``).

Its generator has returned the map of another number instead, which keeps them.
"""

MAX_LANDMARKS = 300
"""The most landmarks that are held of a map; more would take much memory in a long gallery."""


@dataclass(frozen=True, eq=False)
class SingleRoll:
    """One map that was rolled, or the reason why it was not."""

    number: int
    """The number of the map in its seed."""

    generated: Generated | None = None
    """The map without its things; None if it could not be made, or rolling it was cancelled."""

    values: Mapping[str, float] = field(default_factory=lambda: NO_VALUES)
    """The values of the generator's own measures by name (``BatchGenerator.measure_map``)."""

    problems: tuple[Problem, ...] = ()
    """Why the map could not be made."""

    landmarks: tuple[Thing, ...] = ()
    """Its things that are seen from afar, such as towns: see ``Batch.landmarks``."""

    @property
    def misses_locks(self) -> bool:
        """True if a map was made, but of another number.

        A generator that cannot keep the locks with this number may go on to the next ones until it
        can. That map has its own place among the maps of the seed, so here there is none.
        """
        return self.generated is not None and self.generated.number != self.number

    def batch(self, base: Base, seed: int) -> Batch:
        """Return a batch of this map alone, rolled onto ``base``.

        If the map was not made, or ``misses_locks``, the batch is of the base, marked as failed.
        """
        if self.generated is None or self.misses_locks:
            return self._failed_batch(base, seed)
        base_on_grid = _base_on_grid_of(base, self.generated)
        base_of_roll, generated = _in_one_terrain_set(base_on_grid, self.generated)
        layers = [base_of_roll.as_layer(), *generated.layers]
        composite = compose(
            base_of_roll.system, base_of_roll.terrain_set, base_of_roll.grid, layers
        )
        return replace(
            batch_of(base_of_roll.system, base_of_roll.grid, composite),
            base=base_of_roll,
            seed=seed,
            numbers=np.array([self.number], np.uint64),
            measured=self._measured(),
            records=self.generated.records or NO_RECORDS,
            landmarks=self.landmarks,
        )

    def _failed_batch(self, base: Base, seed: int) -> Batch:
        """Return a batch of the base alone, marked as failed.

        Without problems of its own the map misses the locks. (Nobody asks for the batch of a roll
        that was cancelled.)
        """
        return replace(
            batch_of(base.system, base.grid, base.composite),
            base=base,
            seed=seed,
            numbers=np.array([self.number], np.uint64),
            failed=np.array([True]),
            measured=self._measured(),
            problems=self.problems or (LOCKS_NOT_KEPT,),
        )

    def _measured(self) -> dict[str, NDArray[np.float64]]:
        """Return ``values`` as those of a batch of one map."""
        return {name: np.array([value]) for name, value in self.values.items()}


def roll_single(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    cancelled: Callable[[], bool] = lambda: False,
) -> SingleRoll:
    """Roll one map. Errors and faults of the generator are not raised but become its problems."""
    try:
        generated = run(generator, settings, key, base, cancelled=cancelled)
        if generated is None:
            return SingleRoll(key.number)
        values = measured_values(generator, generated, base)
        landmarks = _landmarks(generated, base)
    except ProblemError as reason:
        return SingleRoll(key.number, problems=reason.problems)
    except Exception as reason:  # noqa: BLE001 - a generator may come from anywhere
        traceback.print_exc()
        name = generator.metadata.name
        culprit = culprit_of(reason)
        text = f"{name} failed by a fault in {culprit}: {type(reason).__name__}: {reason}"
        problem = Problem(Severity.ERROR, "generator-fault", text)
        return SingleRoll(key.number, problems=(problem,))
    layers = tuple(replace(layer, things=Things()) for layer in generated.layers)
    return SingleRoll(key.number, replace(generated, layers=layers), values, landmarks=landmarks)


def _landmarks(generated: Generated, base: Base) -> tuple[Thing, ...]:
    """Return the things that have a sign of their own on a map that is seen from afar.

    Things that cover whole areas, such as trees, are left out: they would take most of the memory.
    """
    if not any(layer.things for layer in generated.layers):
        return ()
    battlemap = BattleMap.new(base.system, generated.grid or base.grid, generated.layers)
    kinds = kinds_by_name(battlemap)
    landmarks = []
    for thing in battlemap.visible_things():
        kind = kinds.get(thing.kind)
        if kind is not None and kind.sign and kind.icon not in SCATTERED:
            landmarks.append(thing)
    return tuple(landmarks[:MAX_LANDMARKS])


def measured_values(
    generator: MapGenerator, generated: Generated, base: Base
) -> Mapping[str, float]:
    """Return what a generator measures of a map that it has just made; nothing for most generators.

    The generator is shown the map as it will be on the desk, with the things that lie above it.
    """
    if not isinstance(generator, BatchGenerator):
        return NO_VALUES
    return generator.measure_map(_with_things_above(generated, base), base)


def _with_things_above(generated: Generated, base: Base) -> Generated:
    """Return a roll with the things that lie above it on the base, added to its first layer.

    A *key* names a thing across rolls. What lies above may be a thing of an earlier roll that was
    moved by hand: then the thing with its key is left out of the roll, as by ``place_things``.
    """
    if base.above is None or not base.above.things:
        return generated
    things_above = base.above.things.values()
    keys_above = {thing.key for thing in things_above} - {""}  # "" is no key
    first_layer = generated.layers[0]
    things = [thing for thing in first_layer.things.values() if thing.key not in keys_above]
    things += things_above
    # The things get new ids, since those of the two layers can be the same.
    numbered = Things(replace(thing, id=id_) for id_, thing in enumerate(things, 1))
    first_layer = replace(first_layer, things=numbered)
    return replace(generated, layers=(first_layer, *generated.layers[1:]))


def _base_on_grid_of(base: Base, generated: Generated) -> Base:
    """Return an empty map as the base of a roll that brings another grid; else the base itself."""
    if generated.grid is None or generated.grid.same_as(base.grid):
        return base
    # What lies below and above the roll has the size of the old grid, and is left out.
    empty = BattleMap.new(base.system, generated.grid, terrain_set=base.terrain_set)
    return Base.under(empty, position=0)


def _in_one_terrain_set(base: Base, generated: Generated) -> tuple[Base, Generated]:
    """Return base and roll in codes of one set: that of the base, with the roll's terrains added.

    The codes of the base stay, so that maps composed with it before are still right.
    """
    if generated.terrain_set is None or generated.terrain_set == base.terrain_set:
        return base, generated
    system = base.system
    rolled_set = generated.terrain_set
    joint_set = with_missing(system, generated.layers, rolled_set, base.terrain_set)
    layers = [translated_layer(system, layer, rolled_set, joint_set) for layer in generated.layers]
    base = replace(
        base,
        composite=replace(base.composite, terrain_set=joint_set),
        shown=replace(base.shown, terrain_set=joint_set),
    )
    # None: the roll is in the codes of its base.
    return base, replace(generated, layers=tuple(layers), terrain_set=None)
