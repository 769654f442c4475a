"""All checks of a period against the advice of the document."""

from __future__ import annotations

from functools import lru_cache

from randomizer.model.problems import Problem
from randomizer.systems.xconq.advice.countries import country_advice
from randomizer.systems.xconq.advice.terrain import terrain_type_advice
from randomizer.systems.xconq.advice.units import unit_type_advice
from randomizer.systems.xconq.advice.words import word_advice
from randomizer.systems.xconq.period.period import Period


@lru_cache(maxsize=4)
def period_advice(period: Period) -> tuple[Problem, ...]:
    """What is likely a mistake of a period that was read without errors, in the order of its text.

    Problems of included files name them in ``path``; those of the period's own text have none.
    """
    found = [
        *word_advice(period),
        *terrain_type_advice(period),
        *unit_type_advice(period),
        *country_advice(period),
    ]
    return tuple(
        sorted(found, key=lambda each: (each.line is not None, each.line or 0, each.column or 0))
    )
