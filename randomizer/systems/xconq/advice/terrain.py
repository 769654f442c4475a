"""Advice about the terrain types of a period: which of them rolled worlds have, and where.

A rolled world gives each hex an altitude and a moisture in percent. Each terrain type has *limits*
of both: ``min-alt``, ``max-alt``, ``min-wet`` and ``max-wet``, that is, a box in the square of all
pairs (altitude, moisture). Where the boxes leave a *gap*, the hexes get the terrain type of
``default-terrain``. The rows at the poles get that of ``edge-terrain``::

    moisture
      ^  +-------+--------+
      |  |       | forest |
      |  |  sea  +--------+
      |  |       |  gap   |
      |  +-------+--------+
      +--------------------> altitude

``terrain_type_advice`` is called by ``period_advice``; ``expected_shares`` by other advice, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import many, there_are
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import (
    list_names,
    number_fix,
    problem_at,
    swap_fix,
)
from randomizer.systems.xconq.terrain.world_terrain import limits_of
from randomizer.systems.xconq.world.coverage import Box, boxes_of_limits, coverage
from randomizer.systems.xconq.world.relief import PERCENTS
from randomizer.systems.xconq.world.shared_edges import LIMITS

PLENTIFUL_PERCENT = 25.0
"""The share of a rolled world above which the edge terrain does not mark the poles any more.

If it is smaller, more periods get the hint that their poles cannot be told from the rest.
"""

MAX_GAPS = 5
"""The most gaps that have a problem of their own; further ones are counted in one more."""


@registered(bytes_each=10 * KB)
@lru_cache(maxsize=4)
def expected_shares(period: Period) -> NDArray[np.float64]:
    """Return the percentage of a rolled world that each terrain type takes, float64 (terrains,).

    The edge rows do not count. All pairs of altitude and moisture are taken as equally likely. What
    no type takes counts for ``default-terrain``.
    """
    # The type of each pair, (PERCENTS, PERCENTS); below 0 in a gap.
    type_of_pair = limits_of(period).make_table()
    default_type = period.type_number_of("default-terrain") or 0
    type_of_pair = np.where(type_of_pair < 0, default_type, type_of_pair)
    pair_counts = np.bincount(type_of_pair.ravel(), minlength=len(period.terrains))
    return np.asarray(pair_counts * (100 / PERCENTS**2), np.float64)


def terrain_type_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of terrain types.

    Where a vector of limits has another number of values than there are types, the problems of
    limits, overlaps and gaps are marked as following from that: when a type is inserted between two
    others, all values behind it become those of the wrong types.
    """
    has_moved_limits = any(
        assignment.word in LIMITS and assignment.missing_values for assignment in period.assignments
    )
    for problem in (*_check_limits(period), *_check_hidden_types(period), *_check_gaps(period)):
        yield replace(problem, follows=has_moved_limits)
    yield from _check_edge_terrain(period)


def _check_limits(period: Period) -> Iterator[Problem]:
    """Yield minima that are above their maxima, and limits that are no percentages."""
    limits_of_altitude = LIMITS[:2]
    limits_of_moisture = LIMITS[2:]
    for low, high in (limits_of_altitude, limits_of_moisture):
        minima = period.row(low).tolist()
        maxima = period.row(high).tolist()
        for terrain, terrain_type in enumerate(period.terrains):
            lowest = minima[terrain]
            highest = maxima[terrain]
            if lowest > highest:
                message = (
                    f"{terrain_type.name}: {low} ({lowest}) is above {high} ({highest}), so no "
                    "rolled world has it"
                )
                assignment = period.assigned(low, terrain) or period.assigned(high, terrain)
                fix = swap_fix(period, (low, high), (lowest, highest), terrain)
                yield problem_at(Severity.WARNING, "advice-limits", message, assignment, fix)
            yield from _check_percentage(period, low, lowest, terrain)
            yield from _check_percentage(period, high, highest, terrain)


def _check_percentage(period: Period, word: str, value: int, terrain: int) -> Iterator[Problem]:
    """Yield a hint if a limit of a terrain type is no percentage."""
    nearest = max(0, min(value, 100))
    if value != nearest:
        name = period.terrains[terrain].name
        message = f"{name}: {word} is a percentage from 0 to 100, not {value}"
        assignment = period.assigned(word, terrain)
        fix = number_fix(period, word, nearest, terrain)
        yield problem_at(Severity.HINT, "advice-percentage", message, assignment, fix)


def _check_hidden_types(period: Period) -> Iterator[Problem]:
    """Yield a hint for each type whose whole box is covered by the types before it.

    The types of the poles and of gaps are left out: they come into the world in another way.
    """
    boxes = boxes_of_limits(limits_of(period))
    table = coverage(boxes).winners
    special_types = {
        period.type_number_of("default-terrain"),
        period.type_number_of("edge-terrain"),
    }
    for terrain, box in enumerate(boxes):
        limits = box.clipped()
        # A type that is to be painted only has a single altitude or moisture, as Modern's void.
        is_line = limits.min_alt >= limits.max_alt or limits.min_wet >= limits.max_wet
        if terrain in special_types or is_line or (table == terrain).any():
            continue
        # The first type that covers the box by itself is named alone. If there is none, all types
        # that take a part of it are named.
        covering_types = [
            earlier for earlier in range(terrain) if boxes[earlier].intersection(limits) == limits
        ][:1]
        if not covering_types:
            altitudes = slice(limits.min_alt, limits.max_alt + 1)
            moistures = slice(limits.min_wet, limits.max_wet + 1)
            covering_types = np.unique(table[altitudes, moistures]).tolist()
        names = list_names([period.terrains[covering].name for covering in covering_types])
        verb = many(len(covering_types), "covers", "cover")
        message = (
            f"{period.terrains[terrain].name} appears nowhere: {names}, defined before it, {verb} "
            "it in the chart"
        )
        assignment = period.assigned("min-alt", terrain) or period.assigned("min-wet", terrain)
        yield problem_at(Severity.HINT, "advice-taken", message, assignment)


def _check_gaps(period: Period) -> Iterator[Problem]:
    """Yield warnings of the gaps, each at the word in the text that set a limit last."""
    boxes = boxes_of_limits(limits_of(period))
    gaps = coverage(boxes).gaps

    # What the messages tell: which type fills the gaps, and why.
    substitute_type = period.type_number_of("default-terrain")
    reason = "default-terrain"
    if substitute_type is None:
        substitute_type = 0
        reason = "the first type"
    substitute = period.terrains[substitute_type].name

    last_assignment = None
    for assignment in period.assignments:
        if assignment.word in LIMITS:
            last_assignment = assignment
    for gap in gaps[:MAX_GAPS]:
        message = (
            f"No terrain type takes altitude {_range(gap.min_alt, gap.max_alt)} with moisture "
            f"{_range(gap.min_wet, gap.max_wet)} (min-alt, max-alt, min-wet, max-wet), "
            f"{gap.size * 100 / PERCENTS**2:.2g} % of all pairs: there it is {substitute}, {reason}"
        )
        problem = problem_at(Severity.WARNING, "advice-gap", message, last_assignment)
        fixes = _gap_fixes(period, boxes, gap)
        if fixes:
            problem = replace(problem, fix=fixes[0], other_fixes=tuple(fixes[1:]))
        yield problem
    if len(gaps) > MAX_GAPS:
        more = there_are(len(gaps) - MAX_GAPS, "more gap").capitalize()
        message = f"{more} between the percentages of terrain"
        yield problem_at(Severity.WARNING, "advice-gap", message, last_assignment)


def _gap_fixes(period: Period, boxes: Sequence[Box], gap: Box) -> list[Fix]:
    """Return the fixes that fill a gap, and nothing else, by moving one limit of a type beside it.

    ``boxes`` are those of the types, by their numbers.
    """
    # A box can be stretched over the gap if its side has the length of that side of the gap. A type
    # above the gap comes before one below it: below most gaps in altitude lies the sea, so that the
    # first fix gives the world more land.
    fixes_above: list[Fix | None] = []
    fixes_below: list[Fix | None] = []
    for terrain, type_box in enumerate(boxes):
        box = type_box.clipped()
        is_as_wet = (box.min_wet, box.max_wet) == (gap.min_wet, gap.max_wet)
        if is_as_wet and box.min_alt == gap.max_alt + 1:
            fixes_above.append(_limit_fix(period, "min-alt", gap.min_alt, terrain))
        if is_as_wet and box.max_alt == gap.min_alt - 1:
            fixes_below.append(_limit_fix(period, "max-alt", gap.max_alt, terrain))
        is_as_high = (box.min_alt, box.max_alt) == (gap.min_alt, gap.max_alt)
        if is_as_high and box.min_wet == gap.max_wet + 1:
            fixes_above.append(_limit_fix(period, "min-wet", gap.min_wet, terrain))
        if is_as_high and box.max_wet == gap.min_wet - 1:
            fixes_below.append(_limit_fix(period, "max-wet", gap.max_wet, terrain))
    return [fix for fix in fixes_above + fixes_below if fix is not None]


def _limit_fix(period: Period, word: str, value: int, terrain: int) -> Fix | None:
    """Return the fix that gives a terrain type another limit, with the type's name in its title.

    None unless a number in the period's own text sets that limit alone (``number_fix``).
    """
    fix = number_fix(period, word, value, terrain)
    if fix is None:
        return None
    return replace(fix, title=f"Write {value} for {word} of {period.terrains[terrain].name}")


def _range(low: int, high: int) -> str:
    """Return a range of percentages for a sentence: "30 to 40", or "30" for one alone."""
    if low == high:
        return str(low)
    return f"{low} to {high}"


def _check_edge_terrain(period: Period) -> Iterator[Problem]:
    """Yield a hint if the rows at the poles have no terrain of their own, or a common one."""
    edge = period.type_number_of("edge-terrain")
    if len(period.terrains) < 2:
        return
    if edge is None:
        message = (
            "Without “edge-terrain” the rows at the poles, where no unit can stand, look like any "
            "other"
        )
        yield Problem(Severity.HINT, "advice-poles", message)
        return
    share = expected_shares(period)[edge]
    name = period.terrains[edge].name
    if share > PLENTIFUL_PERCENT:
        message = (
            f"“edge-terrain” should be scarce elsewhere, but {name} takes about {share:.0f} % of a "
            "rolled world"
        )
        yield problem_at(Severity.HINT, "advice-poles", message, period.assigned("edge-terrain"))
