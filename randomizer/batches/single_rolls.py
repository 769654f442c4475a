"""One map of a generator that makes one after the other: what of it is compared and shown."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import numpy as np

from randomizer.batches.batch import (
    NO_VALUES,
    Batch,
    batch_of,
    measured_values,
    single_batch,
)
from randomizer.generator import Base, DrawKey, Generated, MapGenerator, run
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things import Things


@runtime_checkable
class RollsOutside(Protocol):
    """A generator whose work is done by a process of its own (``rolls_outside`` is True)."""

    rolls_outside: bool


LOST = Problem(Severity.ERROR, "locks-not-found", "this map does not keep the locks")


@dataclass(frozen=True, eq=False)
class SingleRoll:
    """Map ``number``: ``made`` without its things, and ``values`` of its own measures by name.

    ``made`` is None if it could not be made, because of ``problems``, or was cancelled.
    """

    number: int
    made: Generated | None = None
    values: Mapping[str, float] = field(default_factory=lambda: NO_VALUES)
    problems: tuple[Problem, ...] = ()

    def batch(self, base: Base, seed: int) -> Batch:
        """The batch of this map alone; of one that was not made it is the base, marked failed.

        One that keeps the locks only by being another number's map was not made.
        """
        if self.made is not None and self.made.number == self.number:
            return single_batch(base, DrawKey(seed, self.number), self.made, self.values)
        return replace(
            batch_of(base.system, base.grid, base.composite),
            base=base,
            seed=seed,
            numbers=np.array([max(self.number, 0)], np.uint64),
            failed=np.ones(1, np.bool_),
            problems=self.problems or (LOST,),
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
        made = run(generator, settings, key, base, cancelled=cancelled)
        if made is None:
            return SingleRoll(key.number)
        values = measured_values(generator, made, base)
    except ProblemError as reason:
        return SingleRoll(key.number, problems=reason.problems)
    except Exception as reason:  # noqa: BLE001 - a generator may come from anywhere
        traceback.print_exc()
        words = f"{generator.metadata.name} failed: {type(reason).__name__}: {reason}"
        problem = Problem(Severity.ERROR, "generator-fault", words)
        return SingleRoll(key.number, problems=(problem,))
    layers = tuple(replace(layer, things=Things()) for layer in made.layers)
    return SingleRoll(key.number, replace(made, layers=layers), values)
