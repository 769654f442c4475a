"""Problems of the hazards of AREAs: names, probabilities, elevations, how many can be placed.

    AREA (inside) HAZARDS Bog Tree,75. Plains,2 Sand,50.,0.,50.,50.

A *hazard* is a terrain that a script places. Each that comes up takes one hex of the AREA's list.
``Tree,75.`` comes with a probability of 75 %, ``Plains,2`` has elevation 2, and ``Sand`` has a
probability of 50 % and *odds* of the elevations 0, 1 and 2. A number with a dot is a chance, a
number without one an elevation. ``lint`` calls ``hazard_problems``.
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.list_bounds import (
    is_certain,
    is_possible,
    statements_with_bounds,
)
from randomizer.systems.colossus.script.source import (
    Source,
    insert_after,
    replacement_edit,
    span_between,
)
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

HIGHEST_ELEVATION = 2
"""The highest elevation of the language. The game's map builder also has 3."""

SMALLEST_PROBABILITY = 5
"""From this value on a number without a dot was probably meant as a probability in percent.

If it were larger, probabilities without a dot would be taken for elevations that are too high.
"""

ODDS_TOLERANCE = 0.5
"""The difference from 100 below which the sum of odds is taken for correct, but rounded.

If it were larger, odds that were miscounted would pass without a warning.
"""


def hazard_problems(script: Script, source: Source, broken: frozenset[str]) -> Iterator[Problem]:
    """Yield all problems of the hazards of AREAs; ``broken`` as for ``list_problems``."""
    for statement, bounds in statements_with_bounds(script, broken):
        if not isinstance(statement, Area):
            continue
        largest_length = bounds.of_list(statement.items).largest_length
        yield from _problems_of_count(statement, largest_length, source)
        for hazard in statement.hazards:
            if not hazard.is_known:
                yield unknown_hazard(hazard, source)
            yield from probability_problems(hazard, source)
            yield from _elevation_problems(hazard, source)
            yield from _odds_problems(hazard, source)


def unknown_hazard(named: Hazard | PairEnd, source: Source) -> Problem:
    """Return the problem of a hazard that the game does not have.

    The roller reports it as well, when it is to place such a hazard.
    """
    span = _span_of_name(named, source)
    words = named.word.split()
    are_several_hazards = len(words) > 1 and all(map(COLOSSUS.has_terrain, words))
    if are_several_hazards and isinstance(named, Hazard):
        # ``"Bog Lake"``: quotes made one name of them. An end of a PAIR has room for only one.
        intended: str | None = named.word
    else:
        intended = _similar_hazard(named.word)
    edits: list[TextEdit] = []
    if intended:
        edits = [replacement_edit(span, intended)]
    return source.problem("unknown-hazard", span, edits, word=named.word, meant=intended)


def _span_of_name(named: Hazard | PairEnd, source: Source) -> Span:
    """Return the span of the name of a hazard, with its quotes if it has some."""
    span_start, span_end = source.offsets(named.span)
    start = source.text.index(named.word, span_start, span_end)
    end = start + len(named.word)
    is_quoted = source.text[start - 1] == '"'
    if is_quoted:
        return source.span(start - 1, end + 1)
    return source.span(start, end)


def _similar_hazard(word: str) -> str | None:
    """Return the name in the game of the hazard that is spelt almost like ``word``, if any."""
    hazard_names = [terrain.name for terrain in COLOSSUS.terrains]
    similar_name = nearest(word, [*hazard_names, *HAZARD_OF_ALIAS])
    if similar_name is None:
        return None
    return HAZARD_OF_ALIAS.get(similar_name, similar_name)


def probability_problems(entry: Hazard | HexsideChoice, source: Source) -> Iterator[Problem]:
    """Yield the problem of a probability above 100, or of 0, or of ``*``, which counts -1."""
    probability = entry.probability
    if probability is None or 0 < probability <= 100:
        return
    span, written = source.numbers(entry.span)[0]
    if probability > 100:
        yield source.problem("probability-above-100", span, [replacement_edit(span, "100.")])
    elif probability == STAR:
        yield source.problem("probability-star", span)
    else:
        yield source.problem("probability-zero", span, written=written)


def _problems_of_count(area: Area, largest_length: int, source: Source) -> Iterator[Problem]:
    """Yield the problem of an AREA with no hazards, or with more than its list has hexes.

    The list has at most ``largest_length`` hexes, and each hex takes one hazard.
    """
    hazards = area.hazards
    if not hazards:
        yield source.problem("area-without-hazards", area.span)
    if largest_length == 0:  # the list is empty, which ``lint_lists`` reports
        return
    certain_count = 0
    for index, hazard in enumerate(hazards):
        if certain_count == largest_length:
            span = span_between(hazard.span, hazards[-1].span)
            # The comma or blank in front of the first hazard goes as well.
            start = source.offsets(hazards[index - 1].span)[1]
            edits = [source.edit(start, source.offsets(span)[1], "")]
            yield source.problem("hazards-never-placed", span, edits, most=largest_length)
            return
        if is_certain(hazard):
            certain_count += 1
    possible_count = sum(is_possible(hazard) for hazard in hazards)
    if possible_count > largest_length:
        span = span_between(hazards[0].span, hazards[-1].span)
        yield source.problem(
            "more-hazards-than-hexes", span, most=largest_length, hazards=possible_count
        )


def _elevation_problems(hazard: Hazard, source: Source) -> Iterator[Problem]:
    """Yield the problem of an elevation that is no number or too high."""
    elevation = hazard.elevation
    if elevation is None or 0 <= elevation <= HIGHEST_ELEVATION:
        return
    span, written = source.numbers(hazard.span)[-1]
    if elevation == STAR:
        yield source.problem("elevation-star", span, [replacement_edit(span, "0")])
    elif hazard.probability is None and elevation >= SMALLEST_PROBABILITY:
        edits = [insert_after(span, ".")]
        yield source.problem("elevation-looks-like-probability", span, edits, number=written)
    else:
        edits = [replacement_edit(span, str(HIGHEST_ELEVATION))]
        yield source.problem("elevation-above-2", span, edits, number=written)


def _odds_problems(hazard: Hazard, source: Source) -> Iterator[Problem]:
    """Yield the problem of odds whose sum is not 100; the fix writes what the game makes of it."""
    if hazard.odds is None:
        return
    numbers = source.numbers(hazard.span)[-3:]  # the odds stand last
    first_span, _text = numbers[0]
    last_span, _text = numbers[2]
    span = span_between(first_span, last_span)
    # In the sum the game takes odds below 0 for 0, and those above 100 for 100. It then divides the
    # odds as they are written by the sum.
    total = sum(min(max(odds, 0.0), 100.0) for odds in hazard.odds)
    if not any(hazard.odds):
        yield source.problem("odds-all-zero", span, [replacement_edit(span, "100.,0.,0.")])
        return
    normalised = ",".join(_normalised_odds(hazard.odds, total))
    edits = [replacement_edit(span, normalised)]
    if STAR in hazard.odds:
        yield source.problem("odds-star", span, edits, meant=normalised)
    elif abs(total - 100) >= ODDS_TOLERANCE or max(hazard.odds) > 100:
        written_total = f"{total:g}"
        yield source.problem("odds-do-not-sum", span, edits, total=written_total, meant=normalised)


def _normalised_odds(odds: tuple[float, float, float], total: float) -> list[str]:
    """Return the odds as the game normalises them, in percent; their sum is 100.

    ``total`` is the sum of the odds, each between 0 and 100.
    """
    if total == 0:
        # No odds are above 0, and some are ``*``, which counts -1. The game divides by zero and
        # goes on: -1 / 0 is below every drawn number, and none is above 0 / 0, which is no number.
        if odds[0] == 0:
            return ["100.", "0.", "0."]  # the drawn number is not above 0 / 0
        if odds[1] < 0:
            return ["0.", "0.", "100."]  # it is above both sums
        return ["0.", "100.", "0."]  # it is above the first sum, not above the second, 0 / 0
    # The game compares one drawn number with sums of odds: that of 0, that of 0 and 1.
    up_to_0 = min(max(odds[0] * 100 / total, 0.0), 100.0)
    odds_of_0 = round(up_to_0, 2)
    up_to_1 = min(max((odds[0] + odds[1]) * 100 / total, odds_of_0), 100.0)
    odds_of_1 = round(up_to_1 - odds_of_0, 2)
    odds_of_2 = max(0.0, round(100 - odds_of_0 - odds_of_1, 2))
    return [f"{percent:.2f}".rstrip("0") for percent in (odds_of_0, odds_of_1, odds_of_2)]
