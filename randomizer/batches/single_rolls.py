"""One map of a generator that makes one after the other: what of it is compared and shown."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from randomizer.batches.batch import NO_VALUES, Batch, batch_of
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.generator import NO_RECORDS, Base, DrawKey, MapGenerator, run
from randomizer.installed import culprit_of
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.things import Things

LOST = Problem(Severity.ERROR, "locks-not-found", "this map does not keep the locks")


@dataclass(frozen=True, eq=False)
class SingleRoll:
    """Map ``number``: ``generated`` without its things, and ``values`` of its own measures by name.

    ``generated`` is None if it could not be made, because of ``problems``, or was cancelled.
    """

    number: int
    generated: Generated | None = None
    values: Mapping[str, float] = field(default_factory=lambda: NO_VALUES)
    problems: tuple[Problem, ...] = ()

    def batch(self, base: Base, seed: int) -> Batch:
        """Return batch of this map alone; of one that was not made it is the base, marked failed.

        One that keeps the locks only by being another number's map was not made.
        """
        if self.generated is not None and self.generated.number == self.number:
            generated = self.generated
        else:
            generated = None
        composite = base.composite
        if generated is not None:
            base, composite = _composed(_on_grid_of(base, generated), generated)
        return replace(
            batch_of(base.system, base.grid, composite),
            base=base,
            seed=seed,
            numbers=np.array([self.number], np.uint64),
            failed=np.array([generated is None]),
            measured={name: np.array([value]) for name, value in self.values.items()},
            records=NO_RECORDS if generated is None else generated.records or NO_RECORDS,
            problems=() if generated is not None else self.problems or (LOST,),
        )


def roll_single(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    cancelled: Callable[[], bool] = lambda: False,
) -> SingleRoll:
    """Roll one map. What goes wrong, a fault of the generator included, is a problem of it."""
    try:
        generated = run(generator, settings, key, base, cancelled=cancelled)
        if generated is None:
            return SingleRoll(key.number)
        values = measured_values(generator, generated, base)
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
    return SingleRoll(key.number, replace(generated, layers=layers), values)


def measured_values(
    generator: MapGenerator, generated: Generated, base: Base
) -> Mapping[str, float]:
    """Return what a generator measures of a map that it has just made; nothing for most generators.

    The things above the roll count among those of its first layer; one of the roll with the key of
    one above does not come (``place_things``).
    """
    if not isinstance(generator, BatchGenerator):
        return NO_VALUES
    if base.above is not None and base.above.things:
        above = base.above.things.values()
        first = generated.layers[0]
        keys = {thing.key for thing in above} - {""}
        things = (*(thing for thing in first.things.values() if thing.key not in keys), *above)
        numbered = Things(replace(thing, id=id_) for id_, thing in enumerate(things, 1))
        generated = replace(
            generated, layers=(replace(first, things=numbered), *generated.layers[1:])
        )
    return generator.measure_map(generated, base)


def _on_grid_of(base: Base, generated: Generated) -> Base:
    """Return the base of a roll that brings a grid of its own: an empty map; else the base
    itself.
    """
    if generated.grid is None or generated.grid.same_as(base.grid):
        return base
    empty = BattleMap.new(base.system, generated.grid, terrain_set=base.terrain_set)
    return Base.under(empty, 0)


def _composed(base: Base, generated: Generated) -> tuple[Base, Composite]:
    """Return a base of the same grid with the terrains of a roll added, and what the roll shows on
    it.
    """
    base, generated = _in_one_set(base, generated)
    layers = [base.as_layer(), *generated.layers]
    return base, compose(base.system, base.terrain_set, base.grid, layers)


def _in_one_set(base: Base, generated: Generated) -> tuple[Base, Generated]:
    """Base and roll in codes of the base's terrain set, to which the roll's terrains are added.

    The codes of the base stay, so that maps composed with it before are still right.
    """
    if generated.terrain_set is None or generated.terrain_set == base.terrain_set:
        return base, generated
    system = base.system
    terrain_set = base.terrain_set
    terrain_set = with_missing(system, generated.layers, generated.terrain_set, terrain_set)
    layers = tuple(
        translated_layer(system, layer, generated.terrain_set, terrain_set)
        for layer in generated.layers
    )
    composite, shown = (
        replace(each, terrain_set=terrain_set) for each in (base.composite, base.shown)
    )
    return (
        replace(base, composite=composite, shown=shown),
        replace(generated, layers=layers, terrain_set=None),
    )
