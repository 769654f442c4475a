"""Problems of PAIRs: unknown hexsides, and statements or choices without effect.

    PAIR (Plains,*)(Bog,0) HEXSIDES d,50        a dune, with 50 %, from any Plains down to Bog 0

A PAIR says which hexsides come between hexes of two terrains. Its elevations can be ``*`` for any.
For two hexes the game looks for a PAIR with both elevations, then with ``*`` for the lower, then
for the higher, then for both, and uses the first that the script has: so one PAIR can *mask*
another, which then has no effect. ``pair_problems`` is what ``lint`` calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.lint_hazards import (
    HIGHEST_ELEVATION,
    probability_problems,
    span_between,
    unknown_hazard,
)
from randomizer.systems.colossus.script.list_bounds import is_possible
from randomizer.systems.colossus.script.source import Source, insert_before, replace
from randomizer.systems.colossus.script.syntax import STAR, Area, HexsideChoice, Pair, Script
from randomizer.systems.colossus.script.words import nearest
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES

Elevations = tuple[int, int]
"""The elevations of the high and of the low hex of a PAIR, STAR for any."""

PairsByElevations = dict[Elevations, Pair]
"""PAIRs of the same two terrains by their elevations: of repeated ones the last."""

HEX_ELEVATIONS = tuple(product(range(HIGHEST_ELEVATION + 1), range(HIGHEST_ELEVATION + 1)))
"""The elevations that two neighbouring hexes can have, as pairs (high, low)."""


def pair_problems(script: Script, source: Source) -> Iterator[Problem]:
    """Yield all problems of the PAIRs of ``script``."""
    # The terrains that hexes can have: hexes without a hazard stay Plains.
    terrains = {COLOSSUS.terrains[0].name}
    for statement in script.statements:
        if isinstance(statement, Area):
            terrains |= {hazard.name for hazard in statement.hazards if is_possible(hazard)}
    pairs = [statement for statement in script.statements if isinstance(statement, Pair)]
    for pair in pairs:
        yield from _problems_of_ends(pair, terrains, source)
        yield from _problems_of_choices(pair, source)
    yield from _pairs_without_effect(pairs, source)


def _problems_of_ends(pair: Pair, terrains: set[str], source: Source) -> Iterator[Problem]:
    """Yield the problems of the two terrains; ``terrains`` are those that hexes can have."""
    for end in (pair.high, pair.low):
        if not end.is_known:
            yield unknown_hazard(end, source)
        if end.elevation > HIGHEST_ELEVATION:
            span, number = source.numbers(end.span)[-1]
            yield source.problem("pair-elevation-above-2", span, number=number)
        if end.is_known and end.name not in terrains:
            yield source.problem("pair-of-terrain-never-placed", end.span, name=end.name)


def _problems_of_choices(pair: Pair, source: Source) -> Iterator[Problem]:
    """Yield the problems of the hexsides; those after one that is always taken are never tried."""
    is_last_certain = False
    for index, choice in enumerate(pair.choices):
        if is_last_certain:
            span = span_between(choice.span, pair.choices[-1].span)
            # The blank in front of the first choice goes as well.
            start = source.offsets(pair.choices[index - 1].span)[1]
            edits = [source.edit(start, source.offsets(span)[1], "")]
            yield source.problem("hexsides-never-tried", span, edits)
            return
        if choice.letter not in HEXSIDE_NAMES:
            yield unknown_hexside(choice, source)
        yield from probability_problems(choice, source)
        is_last_certain = choice.probability is None or choice.probability >= 100


def unknown_hexside(choice: HexsideChoice, source: Source) -> Problem:
    """Return the problem of a hexside that the game does not have.

    The compiler of scripts reports it as well, since a roll would give maps that the game rejects.
    """
    word = choice.letter
    start, _ = source.offsets(choice.span)
    span = source.span(start, start + len(word))
    intended = _intended_hexsides(word)
    edits = []
    if intended:
        edits.append(replace(span, intended))
    return source.problem("unknown-hexside", span, edits, word=word, meant=intended)


def _intended_hexsides(word: str) -> str:
    """Return the letters, with blanks, that were probably meant by a word; "" for none."""
    letters = {name: letter for letter, name in HEXSIDE_NAMES.items()}
    similar_name = nearest(word, tuple(letters))
    if word.lower() in HEXSIDE_NAMES:
        return word.lower()
    if similar_name:
        return letters[similar_name]
    if set(word) <= set(HEXSIDE_NAMES):  # ``cd``: the blank is missing
        return " ".join(word)
    return ""


def _pairs_without_effect(pairs: list[Pair], source: Source) -> Iterator[Problem]:
    """Yield PAIRs that a later one overrides, and those that more specific ones mask."""
    pairs_by_terrains: dict[tuple[str, str], PairsByElevations] = {}
    for pair in pairs:
        rules = pairs_by_terrains.setdefault((pair.high.name, pair.low.name), {})
        elevations = (pair.high.elevation, pair.low.elevation)
        if elevations in rules:
            yield _overridden_pair(rules[elevations], pair, source)
        rules[elevations] = pair
    for rules in pairs_by_terrains.values():
        yield from _masked_pairs(rules, source)


def _overridden_pair(pair: Pair, later_pair: Pair, source: Source) -> Problem:
    """Return the problem of a PAIR that is repeated; its fixes keep the later or the earlier."""
    deletion = replace(pair.span, "")
    keep_earlier = [deletion, replace(later_pair.span, source.text_at(pair.span))]
    line = later_pair.span.line
    return source.problem("pair-repeated", pair.span, [deletion], keep_earlier, line=line)


def _masked_pairs(rules: PairsByElevations, source: Source) -> Iterator[Problem]:
    """Yield the PAIRs of two terrains that are never looked up, or not for all their hexes."""
    masked = _masked_elevations(rules)
    for elevations, pair in rules.items():
        high, low = elevations
        if elevations in masked:
            yield _masked_pair(rules, elevations, source)
        elif high == STAR and low != STAR:
            # PAIRs (elevation, *) are looked up before this one, (*, elevation). With some of the
            # first this one has no effect where both would apply.
            preferred_highs = [
                number
                for number in range(HIGHEST_ELEVATION + 1)
                if (number, STAR) in rules and (number, low) not in rules
            ]
            if preferred_highs:
                yield _preceded_pair(rules, pair, preferred_highs, source)


def _masked_pair(rules: PairsByElevations, elevations: Elevations, source: Source) -> Problem:
    """Return the problem of a PAIR that is never looked up.

    One fix deletes it. The other writes it for single elevations, which are looked up first.
    """
    pair = rules[elevations]
    free_elevations = sorted(_covered_elevations(elevations) - set(rules))
    text = ""
    if free_elevations:
        text = _specific_pairs(pair, set(rules) - {elevations}, free_elevations, source)
    edits = [replace(pair.span, "")]
    specific_edits = []
    if text:
        specific_edits = [replace(pair.span, text)]
    return source.problem("pair-masked", pair.span, edits, specific_edits)


def _preceded_pair(
    rules: PairsByElevations, pair: Pair, highs: Sequence[int], source: Source
) -> Problem:
    """Return the problem of a PAIR (*, low) to which PAIRs (high, *) are preferred.

    The fix writes it for these elevations in front of it.
    """
    low = pair.low.elevation
    text = _specific_pairs(pair, rules, [(high, low) for high in highs], source)
    edits = []
    if text:
        edits.append(insert_before(pair.span, f"{text}{source.newline}"))
    return source.problem(
        "pair-precedence",
        pair.span,
        edits,
        high=highs[0],
        highs=" and ".join(map(str, highs)),
        low=low,
        line=rules[highs[0], STAR].span.line,
    )


def _specific_pairs(
    pair: Pair, rules: Collection[Elevations], elevations: Sequence[Elevations], source: Source
) -> str:
    """Return the text of ``pair`` repeated for single elevations, one a line.

    It is "" where these would leave another PAIR without effect, or a terrain is unknown.
    """
    newly_masked = _masked_elevations({*rules, *elevations}) - _masked_elevations(rules)
    if newly_masked or not (pair.high.is_known and pair.low.is_known):
        return ""
    choices = source.text_at(pair.span).split("HEXSIDES", 1)[1].strip()
    lines = []
    for high, low in elevations:
        head = f"PAIR ({pair.high.name},{high})({pair.low.name},{low})"
        lines.append(f"{head} HEXSIDES {choices}".rstrip())
    return source.newline.join(lines)


def _masked_elevations(rules: Collection[Elevations]) -> set[Elevations]:
    """Return the elevations of PAIRs that are never looked up, since others are looked up first.

    PAIRs that are about no hexes at all (an elevation is too high) are not among them.
    """
    looked_up = set()
    for high, low in HEX_ELEVATIONS:
        # The game takes the first of these four that the script has.
        for candidate in ((high, low), (high, STAR), (STAR, low), (STAR, STAR)):
            if candidate in rules:
                looked_up.add(candidate)
                break
    masked = set()
    for elevations in rules:
        if elevations not in looked_up and _covered_elevations(elevations):
            masked.add(elevations)
    return masked


def _covered_elevations(elevations: Elevations) -> set[Elevations]:
    """Return the elevations of hexes that a PAIR with these elevations is about."""
    pair_high, pair_low = elevations
    covered = set()
    for high, low in HEX_ELEVATIONS:
        if pair_high in (high, STAR) and pair_low in (low, STAR):
            covered.add((high, low))
    return covered
