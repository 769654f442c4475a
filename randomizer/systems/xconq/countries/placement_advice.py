"""What to say where not all countries find a place: why, and what would help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.model.settings.grid_settings import HEIGHT, WIDTH
from randomizer.systems.xconq.countries.country_centres import (
    CENTRE,
    FAR,
    FULL,
    NEAR,
    NoPlace,
    Reason,
    find_places,
)
from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import number_fix, problem_at

CODE = "countries"

SMALL_WORLD = 20_000
"""On worlds of at most so many hexes other sizes and distances are tried."""

SHOWN = 3
"""So many reasons are named."""

GROWTH = (1.25, 1.5, 2.0, 3.0)
"""How many times as wide and as high are the worlds that are tried."""

World = NDArray[np.uint8]


def placement_problems(
    failed: NoPlace,
    codes: World,
    rules: CountryRules,
    period: Period,
    count: int,
    key: DrawKey,
    world_of_size: Callable[[int, int], World | None],
) -> tuple[Problem, ...]:
    """Return a warning that names the rule that failed, and a hint for each way out.

    ``codes`` is the world, ``world_of_size`` makes that of another width and height; None for a
    size that no world has.
    """
    height, width = codes.shape
    placed = failed.country
    what = f"{_which(placed)} of {counted(count, 'country', 'countries')} finds no place"
    message = f"{what}: {_reasons(failed, rules, period, height)}. Only the terrain was made"
    size = _larger(rules, count, key, width, height, world_of_size)
    fewer = Fix(f"set countries to {placed}", settings=(("countries", placed),))
    hints = [
        Problem(Severity.HINT, CODE, f"Begin with {'fewer' if placed else 'no'} sides", fix=fewer),
        Problem(Severity.HINT, CODE, "Make the world larger"),
    ]
    if size is not None:
        fix = Fix(f"make it {size[0]} x {size[1]}", settings=((WIDTH, size[0]), (HEIGHT, size[1])))
        hints[1] = replace(hints[1], fix=fix)
    last = _of_the_period(failed, codes, rules, period, count, key)
    return (Problem(Severity.WARNING, CODE, message), *hints, last)


def _which(number: int) -> str:
    if number < 3:
        return ("The first", "The second", "The third")[number]
    return f"No. {number + 1}"


def _reasons(failed: NoPlace, rules: CountryRules, period: Period, height: int) -> str:
    """Return how many places were refused for what, in words."""
    reasons = failed.reasons
    if not reasons:
        least = 2 * rules.size + 2 if rules.size else 3
        return f"with {rules.size} country-size the world needs {least} rows, it has {height}"
    words = [
        f"{failed.refused[reason]:,} {_words(reason, rules, period, failed.refused[reason])}"
        for reason in reasons[:SHOWN]
    ]
    return f"of {counted(failed.tried, 'tried place')} {', '.join(words)}"


def _of_the_period(
    failed: NoPlace, codes: World, rules: CountryRules, period: Period, count: int, key: DrawKey
) -> Problem:
    """Return the way out that changes the period: what it says of distances, else of units."""
    word = "country-min-distance"
    hint = partial(Problem, Severity.HINT, CODE)
    closer = _closer(codes, rules, count, key)
    if closer is not None:
        way = f"Let countries lie closer together: {closer} instead of {rules.least_distance}"
        assignment = period.assigned(word)
        fix = number_fix(period, word, closer)
        return problem_at(Severity.HINT, CODE, way, assignment, fix)
    if NEAR in failed.refused and codes.size > SMALL_WORLD:
        return hint(f"Let countries lie closer together: less than {rules.least_distance} {word}")
    if FAR in failed.refused:
        most = rules.most_distance
        return hint(f"Let countries lie farther apart: more than {most} country-max-distance")
    return hint("Let countries be larger, have fewer units, or favor more terrain for their units")


def _words(reason: Reason, rules: CountryRules, period: Period, count: int) -> str:
    """Return why so many places are refused, as the end of a sentence about them."""
    are = many(count, "is", "are")
    have = many(count, "has", "have")
    if reason == NEAR:
        return f"{are} nearer than {rules.least_distance} hexes to another (country-min-distance)"
    if reason == FAR:
        return f"{are} {rules.most_distance} hexes or more from all others (country-max-distance)"
    if reason == CENTRE:
        name = period.units[rules.first_unit or 0].name
        return f"{have} no terrain for the first unit, {name}, in the middle (favored)"
    if reason == FULL:
        return f"{have} too few hexes for all units within {rules.size} hexes (in-country, favored)"
    assert isinstance(reason, int), "the other reasons are unit types"
    needed = int(rules.in_country[reason])
    name = period.units[reason].name
    return f"{have} terrain for fewer than {needed} {name} within {rules.size} hexes (favored)"


def _larger(
    rules: CountryRules,
    count: int,
    key: DrawKey,
    width: int,
    height: int,
    world_of_size: Callable[[int, int], World | None],
) -> tuple[int, int] | None:
    """Return a larger world of this seed with room for all countries; None if none was found
    soon.
    """
    for growth in GROWTH:
        wider = int(width * growth)
        higher = int(height * growth)
        if wider * higher > SMALL_WORLD:
            return None
        world = world_of_size(wider, higher)
        if world is not None and find_places(world, rules, count, key).failed is None:
            return wider, higher
    return None


def _closer(codes: World, rules: CountryRules, count: int, key: DrawKey) -> int | None:
    """Return the largest smaller distance at which this world has room; None if none was found
    soon.
    """
    if codes.size > SMALL_WORLD:
        return None
    for distance in range(rules.least_distance - 1, 0, -1):
        closer = rules.with_least_distance(distance)
        if find_places(codes, closer, count, key).failed is None:
            return distance
    return None
