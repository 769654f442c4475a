"""What a child process needs to roll the maps of a seed: the recipe as a ``Roll``, and the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.catalog import generator_for_script, generator_named
from randomizer.generator import Base, MapGenerator, texts_of
from randomizer.model.layer import Roll
from randomizer.model.problems import ProblemError


@dataclass(frozen=True, eq=False)
class Setup:
    """All maps of one seed of a generator on ``base``; the number of ``roll`` means nothing."""

    roll: Roll
    base: Base

    def generator(self) -> MapGenerator:
        """The generator, made again. Raises ProblemError if that cannot be done."""
        roll = self.roll
        named = generator_named(roll.generator) if roll.generator else None
        if named is not None and (named.text, texts_of(named)) == (roll.script, roll.texts):
            return named
        return generator_for_script(roll.script, roll.script_name, None, roll.texts)


def setup_of(
    generator: MapGenerator, settings: Mapping[str, object], seed: int, base: Base
) -> Setup | None:
    """What another process needs to roll a generator; None if it cannot be made again there."""
    roll = Roll(
        generator.name,
        generator.metadata.script,
        generator.text,
        dict(settings),
        seed,
        0,
        texts=texts_of(generator),
    )
    setup = Setup(roll, base)
    try:
        return setup if type(setup.generator()) is type(generator) else None
    except ProblemError:  # no host knows its script
        return None
