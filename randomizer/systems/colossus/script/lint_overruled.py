"""AREAs of which nothing is seen, since later AREAs place hazards on all of their hexes again.

    AREA D4 HAZARDS Bog          # overruled: on every map the next line replaces the Bog
    AREA D4 D3 HAZARDS Lake Lake

An AREA is a statement that places *hazards* (terrains) on the hexes of a list. Whoever edits one of
which nothing is seen finds no change on the map, and looks for the mistake elsewhere. ``lint``
calls ``overruled_problems``.

The idea: going from the last AREA to the first, it collects the hexes on which later AREAs place a
hazard in every map. An AREA whose hexes are all among these is overruled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.list_bounds import (
    LabelBounds,
    is_certain,
    is_possible,
    statements_with_bounds,
)
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.syntax import (
    Area,
    LabelItem,
    Script,
    Statement,
    items_of,
    with_nested_items,
)
from randomizer.systems.colossus.script.words import LIVE_LABELS


class _AreaHexes(NamedTuple):
    """An AREA, and the hexes on which it places hazards."""

    area: Area
    possible_hexes: frozenset[int]
    """The hexes that it can hold."""
    certain_hexes: frozenset[int]
    """The hexes on which it places a hazard in every map."""


def overruled_problems(script: Script, source: Source, broken: frozenset[str]) -> Iterator[Problem]:
    """Yield a problem for each overruled AREA.

    ``broken`` are the labels whose contents are unknown, since their statements did not parse. An
    AREA whose labels ``usedup`` or ``leftover`` are read by the next statements has an effect, even
    if nothing is seen of it: it draws hexes for them.
    """
    areas: list[_AreaHexes] = []
    indices_of_needed_areas: set[int] = set()
    for statement, bounds in statements_with_bounds(script, broken):
        if areas and _reads_live_label(statement):
            indices_of_needed_areas.add(len(areas) - 1)
        if isinstance(statement, Area):
            areas.append(_hexes_of_area(statement, bounds))

    # The hexes on which the AREAs after the current one place hazards in every map.
    covered_hexes: frozenset[int] = frozenset()
    for index, area_hexes in reversed(list(enumerate(areas))):
        is_seen = not area_hexes.possible_hexes <= covered_hexes
        is_needed_by_label = index in indices_of_needed_areas
        # An AREA that can hold no hexes at all is reported by ``lint_lists``.
        if area_hexes.possible_hexes and not is_seen and not is_needed_by_label:
            yield source.problem("area-overruled", area_hexes.area.span)
        covered_hexes |= area_hexes.certain_hexes


def _hexes_of_area(area: Area, bounds: LabelBounds) -> _AreaHexes:
    """Return an AREA with its hexes; ``bounds`` are the bounds of labels just before it runs."""
    # How often the list holds each hex, at most and at least.
    pool = bounds.of_list(area.items)
    possible_hexes: frozenset[int] = frozenset()
    if any(is_possible(hazard) for hazard in area.hazards):
        possible_hexes = _hexes_in(pool.largest_counts)
    # Every hex of the list gets a hazard if there are enough that come on every map. A hazard that
    # the game does not know does not count, since it ends the roll.
    certain_hazards = [hazard for hazard in area.hazards if is_certain(hazard) and hazard.is_known]
    certain_hexes: frozenset[int] = frozenset()
    if len(certain_hazards) >= pool.largest_length:
        certain_hexes = _hexes_in(pool.smallest_counts)
    return _AreaHexes(area, possible_hexes, certain_hexes)


def _hexes_in(counts: Mapping[int, int]) -> frozenset[int]:
    """Return the hexes that a list holds at least once, from how often it holds each."""
    return frozenset(number for number, count in counts.items() if count > 0)


def _reads_live_label(statement: Statement) -> bool:
    """Return whether a statement reads what the AREA before it has used up or left over."""
    for item in with_nested_items(items_of(statement)):
        if isinstance(item, LabelItem) and item.name in LIVE_LABELS:
            return True
    return False
