"""Problems of the hazards of AREAs: names, probabilities, elevations, how many can be placed."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.list_bounds import (
    is_certain,
    is_possible,
    statements_with_bounds,
)
from randomizer.systems.colossus.script.source import Source, insert_after, replace
from randomizer.systems.colossus.script.syntax import (
    STAR,
    Area,
    Hazard,
    HexsideChoice,
    PairEnd,
    Script,
    Span,
)
from randomizer.systems.colossus.script.words import nearest
from randomizer.systems.colossus.terrain_set import COLOSSUS, HAZARD_OF_ALIAS

HIGHEST = 2
"""The highest elevation of the language. The game's map builder also has 3."""

SURELY_NO_ELEVATION = 5
"""A number without a dot from here on was probably meant as a probability."""

TOLERANCE = 0.5
"""Odds whose sum differs from 100 by less were rounded."""


def hazard_problems(script: Script, source: Source, broken: frozenset[str]) -> Iterator[Problem]:
    """Yield all problems of the hazards of AREAs; ``broken`` as for ``list_problems``."""
    for statement, bounds in statements_with_bounds(script, broken):
        if not isinstance(statement, Area):
            continue
        yield from _area(statement, bounds.of_list(statement.items).largest_length, source)
        for hazard in statement.hazards:
            if not hazard.is_known:
                yield unknown_hazard(hazard, source)
            yield from probability_problems(hazard, source)
            yield from _elevation(hazard, source)
            yield from _odds(hazard, source)


def unknown_hazard(named: Hazard | PairEnd, source: Source) -> Problem:
    """Return the problem of a hazard that the game does not have; rolls give it, too."""
    start, end = source.offsets(named.span)
    start = source.text.index(named.word, start, end)
    quoted = source.text[start - 1] == '"'
    place = source.span(start - quoted, start + len(named.word) + quoted)
    edits: list[TextEdit] = []
    names = named.word.split()
    if len(names) > 1 and all(map(COLOSSUS.has_terrain, names)) and isinstance(named, Hazard):
        edits = [replace(place, named.word)]  # quotes around several names
    else:
        hazards = (*(terrain.name for terrain in COLOSSUS.terrains), *HAZARD_OF_ALIAS)
        similar = nearest(named.word, hazards)
        if similar:
            names = [HAZARD_OF_ALIAS.get(similar, similar)]
            edits = [replace(place, names[0])]
    meant = " ".join(names)
    return source.problem("unknown-hazard", place, edits, word=named.word, meant=meant)


def probability_problems(entry: Hazard | HexsideChoice, source: Source) -> Iterator[Problem]:
    """Yield a probability above 100, or one that never applies."""
    probability = entry.probability
    if probability is None or 0 < probability <= 100:
        return
    place, written = source.numbers(entry.span)[0]
    if probability > 100:
        yield source.problem("probability-above-100", place, [replace(place, "100.")])
    elif probability == STAR:
        yield source.problem("probability-star", place)
    else:
        yield source.problem("probability-zero", place, written=written)


def _area(area: Area, most: int, source: Source) -> Iterator[Problem]:
    hazards = area.hazards
    if not hazards:
        yield source.problem("area-without-hazards", area.span)
    if most == 0:
        return
    certain = 0
    for index, hazard in enumerate(hazards):
        if certain == most:
            place = _joined(hazard.span, hazards[-1].span)
            start = source.offsets(hazards[index - 1].span)[1]
            edits = [source.edit(start, source.offsets(place)[1], "")]
            yield source.problem("hazards-never-placed", place, edits, most=most)
            return
        certain += is_certain(hazard)
    possible = sum(map(is_possible, hazards))
    if possible > most:
        place = _joined(hazards[0].span, hazards[-1].span)
        yield source.problem("more-hazards-than-hexes", place, most=most, hazards=possible)


def _elevation(hazard: Hazard, source: Source) -> Iterator[Problem]:
    elevation = hazard.elevation
    if elevation is None or 0 <= elevation <= HIGHEST:
        return
    place, written = source.numbers(hazard.span)[-1]
    if elevation == STAR:
        yield source.problem("elevation-star", place, [replace(place, "0")])
    elif hazard.probability is None and elevation >= SURELY_NO_ELEVATION:
        edits = [insert_after(place, ".")]
        yield source.problem("elevation-looks-like-probability", place, edits, number=written)
    else:
        edits = [replace(place, str(HIGHEST))]
        yield source.problem("elevation-above-2", place, edits, number=written)


def _odds(hazard: Hazard, source: Source) -> Iterator[Problem]:
    if hazard.odds is None:
        return
    numbers = source.numbers(hazard.span)[-3:]
    place = _joined(numbers[0][0], numbers[2][0])
    total = sum(min(max(odd, 0.0), 100.0) for odd in hazard.odds)
    if not any(hazard.odds):
        yield source.problem("odds-all-zero", place, [replace(place, "100.,0.,0.")])
        return
    shares = _shares(hazard.odds, total)
    meant = ",".join(shares)
    edits = [replace(place, meant)]
    if STAR in hazard.odds:
        yield source.problem("odds-star", place, edits, meant=meant)
    elif abs(total - 100) >= TOLERANCE or max(hazard.odds) > 100:
        yield source.problem("odds-do-not-sum", place, edits, total=f"{total:g}", meant=meant)


def _shares(odds: tuple[float, float, float], total: float) -> list[str]:
    """Return the odds as the game normalises them, in percent; the sum is 100."""
    if total == 0:  # some are `*`: the game divides by zero and goes on
        if odds[0] == 0:
            return ["100.", "0.", "0."]
        if odds[1] < 0:
            return ["0.", "0.", "100."]
        return ["0.", "100.", "0."]
    zero = round(min(max(odds[0] * 100 / total, 0.0), 100.0), 2)
    one = round(min(max((odds[0] + odds[1]) * 100 / total, zero), 100.0) - zero, 2)
    two = max(0.0, round(100 - zero - one, 2))
    return [f"{share:.2f}".rstrip("0") for share in (zero, one, two)]


def _joined(first: Span, last: Span) -> Span:
    return Span(first.line, first.column, last.end_line, last.end_column)
