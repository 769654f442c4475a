"""Generators of a package that is installed for a test: a script that is watched while it rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.generator import Generating
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata
from randomizer.roll_base import Base
from randomizer.systems.colossus.generator import RndGenerator
from tests.randomizer.cli.conftest import SCRIPT

FIRST_ROLLS: dict[int, Callable[[], None]] = {}
"""What a test does before the map of a number is rolled by ``WatchedPond``."""


class WatchedPond(RndGenerator):
    """Calls what stands in ``FIRST_ROLLS`` before it rolls a map, once each."""

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        before_roll = FIRST_ROLLS.pop(key.number, None)
        if before_roll is not None:
            before_roll()
        return (yield from super().generate(settings, key, base))


class InterruptedPond(RndGenerator):
    """Ctrl-C is pressed when its second block of maps is rolled."""

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[Any],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        if numbers[0] > 1:
            raise KeyboardInterrupt
        return super().roll_batch(settings, seed, numbers, base, hexsides=hexsides)


class NotedPond(RndGenerator):
    """Each of its maps comes with the same warning."""

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        generated = yield from super().generate(settings, key, base)
        note = Problem(Severity.WARNING, "odd", "this is odd", "Pond.rnd")
        return replace(generated, notes=(note,))


KINDS = {
    "Watched pond": WatchedPond,
    "Interrupted pond": InterruptedPond,
    "Noted pond": NotedPond,
}


def packaged() -> tuple[RndGenerator, ...]:
    return tuple(kind(name, Metadata(name, "", ""), SCRIPT) for name, kind in KINDS.items())
