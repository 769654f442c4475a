"""The problems of a world on which not all countries find a place: why not, and what would help.

The generator of worlds calls ``placement_problems`` after ``find_centres`` has failed. It is a
warning with the reasons, and a hint for each way out: fewer countries, a larger world, and another
period. Sizes and distances are only proposed after they were tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.grid_settings import HEIGHT, WIDTH
from randomizer.systems.xconq.countries.country_centres import (
    NoCentre,
    Reason,
    Rule,
    TooFewHexesFor,
    fewest_rows,
    find_centres,
)
from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import number_fix, problem_at

CODE = "countries"
"""The code of these problems."""

SMALL_WORLD = 20_000
"""On worlds of at most so many hexes other sizes and distances are tried: each costs a world."""

MAX_REASONS = 3
"""The most reasons that a message names."""

GROWTH = (1.25, 1.5, 2.0, 3.0)
"""How many times as wide and as high are the worlds that are tried."""

World = NDArray[np.uint8]
"""The terrain types of a world, (h, w)."""


@dataclass(frozen=True, eq=False)
class FailedPlacement:
    """A world on which not all countries have found a place, and how it was made."""

    codes: World
    """The terrain types of the world."""

    rules: CountryRules
    """The rules by which places were looked for."""

    period: Period
    """The period that has these rules."""

    count: int
    """The number of countries that were to be placed."""

    key: DrawKey
    """The key of the world, from which the random numbers of the search are drawn."""

    world_of_size: Callable[[int, int], World | None]
    """Makes the world of this key with another width and height; None if no world has that size."""

    failure: NoCentre
    """The first country without a place, and what each rule refused."""

    def would_succeed(self, world: World, rules: CountryRules) -> bool:
        """Return whether all countries find a place on another world, or by other rules."""
        return find_centres(world, rules, self.count, self.key).failure is None


def placement_problems(placement: FailedPlacement) -> tuple[Problem, ...]:
    """Return a warning that names the rules that failed, and a hint for each way out."""
    country = placement.failure.country
    countries = counted(placement.count, "country", "countries")
    message = (
        f"{_ordinal(country)} of {countries} finds no place: {_reasons(placement)}. Only the "
        "terrain was made"
    )
    return (
        Problem(Severity.WARNING, CODE, message),
        _hint_about_count(country),  # the number of countries before it, which found places
        _hint_about_size(_larger_size(placement)),
        _hint_about_period(placement),
    )


def _hint_about_count(placed: int) -> Problem:
    """Return the hint to begin with so many countries, which have found a place."""
    if placed:
        message = "Begin with fewer sides"
    else:
        message = "Begin with no sides"
    fix = Fix(f"set countries to {placed}", settings=(("countries", placed),))
    return Problem(Severity.HINT, CODE, message, fix=fix)


def _hint_about_size(size: tuple[int, int] | None) -> Problem:
    """Return the hint to make the world larger; ``size`` is that which has room, if it is known."""
    fix = None
    if size is not None:
        width, height = size
        fix = Fix(f"make it {width} x {height}", settings=((WIDTH, width), (HEIGHT, height)))
    return Problem(Severity.HINT, CODE, "Make the world larger", fix=fix)


def _ordinal(number: int) -> str:
    """Return the name of a country by its number from 0, for the start of a sentence."""
    if number < 3:
        return ("The first", "The second", "The third")[number]
    return f"No. {number + 1}"


def _reasons(placement: FailedPlacement) -> str:
    """Return how many positions were refused for what, as the end of a sentence."""
    failure = placement.failure
    rules = placement.rules
    reasons = failure.reasons
    if not reasons:
        height = len(placement.codes)
        # Nothing was tried, since no row can have a centre.
        rows = fewest_rows(rules.size)
        return f"with {rules.size} country-size the world needs {rows} rows, it has {height}"
    texts = []
    for reason in reasons[:MAX_REASONS]:
        refused = failure.refused[reason]
        texts.append(f"{refused:,} {_reason_text(reason, rules, placement.period, refused)}")
    return f"of {counted(failure.refusal_count, 'tried place')} {', '.join(texts)}"


def _hint_about_period(placement: FailedPlacement) -> Problem:
    """Return the hint to change the period: its distance between countries, or else their units."""
    word = "country-min-distance"
    rules = placement.rules
    period = placement.period
    refused = placement.failure.refused
    distance = _smaller_distance(placement)
    if distance is not None:
        message = f"Let countries lie closer together: {distance} instead of {rules.min_distance}"
        assignment = period.assigned(word)
        fix = number_fix(period, word, distance)
        return problem_at(Severity.HINT, CODE, message, assignment, fix)
    if Rule.NEAR in refused and placement.codes.size > SMALL_WORLD:
        message = f"Let countries lie closer together: less than {rules.min_distance} {word}"
    elif Rule.FAR in refused:
        limit = f"{rules.max_distance} country-max-distance"
        message = f"Let countries lie farther apart: more than {limit}"
    else:
        message = "Let countries be larger, have fewer units, or favor more terrain for their units"
    return Problem(Severity.HINT, CODE, message)


def _reason_text(reason: Reason, rules: CountryRules, period: Period, count: int) -> str:
    """Return why so many places are refused, as the end of a sentence about them."""
    are = many(count, "is", "are")
    have = many(count, "has", "have")
    if isinstance(reason, TooFewHexesFor):
        needed = int(rules.in_country[reason.unit_type])
        name = period.units[reason.unit_type].name
        return f"{have} terrain for fewer than {needed} {name} within {rules.size} hexes (favored)"
    if reason is Rule.NEAR:
        return f"{are} nearer than {rules.min_distance} hexes to another (country-min-distance)"
    if reason is Rule.FAR:
        return f"{are} {rules.max_distance} hexes or more from all others (country-max-distance)"
    if reason is Rule.CENTRE:
        assert rules.first_unit is not None, "only a first unit is refused in the middle"
        name = period.units[rules.first_unit].name
        return f"{have} no terrain for the first unit, {name}, in the middle (favored)"
    return f"{have} too few hexes for all units within {rules.size} hexes (in-country, favored)"


def _larger_size(placement: FailedPlacement) -> tuple[int, int] | None:
    """Return the width and height of a larger world of this key with room for all countries.

    None if there is none among those that are tried.
    """
    height, width = placement.codes.shape
    for growth in GROWTH:
        wider = int(width * growth)
        higher = int(height * growth)
        if wider * higher > SMALL_WORLD:
            return None
        world = placement.world_of_size(wider, higher)
        if world is not None and placement.would_succeed(world, placement.rules):
            return wider, higher
    return None


def _smaller_distance(placement: FailedPlacement) -> int | None:
    """Return the largest least distance, below the present one, at which this world has room.

    None if there is none, or if the world is too large to try.
    """
    if placement.codes.size > SMALL_WORLD:
        return None
    for distance in range(placement.rules.min_distance - 1, 0, -1):
        closer_rules = placement.rules.with_least_distance(distance)
        if placement.would_succeed(placement.codes, closer_rules):
            return distance
    return None
