"""Problems of PAIR statements: unknown hexsides, and statements or choices without effect.

    PAIR (Plains,*)(Bog,0) HEXSIDES d,50        a dune, with 50 %, from any Plains down to Bog 0

A PAIR is a rule of a script: it says which hexsides come between hexes of two terrains. It names
the higher and the lower hex, each with its terrain and its elevation, where ``*`` stands for any.
After HEXSIDES come *choices*, of which the first that its probability lets through is taken.

For two neighbouring hexes, here of elevations 2 and 1, the game looks for these four PAIRs of their
terrains, and uses the first that the script has::

    (2)(1)      (2)(*)      (*)(1)      (*)(*)

So one PAIR can *mask* another, which then has no effect. ``lint`` calls ``pair_problems``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.lint_hazards import (
    HIGHEST_ELEVATION,
    probability_problems,
    unknown_hazard,
)
from randomizer.systems.colossus.script.list_bounds import is_possible
from randomizer.systems.colossus.script.source import (
    Source,
    insert_before,
    replacement_edit,
    span_between,
)
from randomizer.systems.colossus.script.syntax import STAR, Area, HexsideChoice, Pair, Script
from randomizer.systems.colossus.script.words import nearest
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES

Elevations = tuple[int, int]
"""The elevations of the higher and of the lower hex of a PAIR, STAR for any."""

PairsByElevations = dict[Elevations, Pair]
"""The PAIRs of the same two terrains by their elevations; of repeated ones the last."""

HEX_ELEVATIONS = tuple(product(range(HIGHEST_ELEVATION + 1), range(HIGHEST_ELEVATION + 1)))
"""All pairs of elevations that a script can ask a PAIR for."""


def pair_problems(script: Script, source: Source) -> Iterator[Problem]:
    """Yield all problems of the PAIRs of ``script``."""
    # The terrains that hexes can have. Hexes without a hazard stay Plains, the first of the game.
    terrains = {COLOSSUS.terrains[0].name}
    for statement in script.statements:
        if isinstance(statement, Area):
            terrains |= {hazard.name for hazard in statement.hazards if is_possible(hazard)}
    pairs = [statement for statement in script.statements if isinstance(statement, Pair)]
    for pair in pairs:
        yield from _problems_of_ends(pair, terrains, source)
        yield from _problems_of_choices(pair, source)
    yield from _problems_of_effect(pairs, source)


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
    """Yield the problems of the choices; those after one that is always taken are never tried."""
    is_last_certain = False
    for index, choice in enumerate(pair.choices):
        if is_last_certain:
            # One problem for this choice and all behind it, which one fix deletes.
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
        edits.append(replacement_edit(span, intended))
    return source.problem("unknown-hexside", span, edits, word=word, meant=intended)


def _intended_hexsides(word: str) -> str | None:
    """Return the letters that were probably meant by a word, with blanks between; None for none."""
    if word.lower() in HEXSIDE_NAMES:  # ``D`` for ``d``
        return word.lower()
    letters = {name: letter for letter, name in HEXSIDE_NAMES.items()}
    similar_name = nearest(word, tuple(letters))
    if similar_name:  # ``dune`` for ``d``
        return letters[similar_name]
    if set(word) <= set(HEXSIDE_NAMES):  # ``cd``: the blank is missing
        return " ".join(word)
    return None


def _problems_of_effect(pairs: list[Pair], source: Source) -> Iterator[Problem]:
    """Yield PAIRs that a later one overrides, and those that more specific ones mask."""
    pairs_by_terrains: dict[tuple[str, str], PairsByElevations] = {}
    for pair in pairs:
        pairs_of_terrains = pairs_by_terrains.setdefault((pair.high.name, pair.low.name), {})
        elevations = (pair.high.elevation, pair.low.elevation)
        if elevations in pairs_of_terrains:
            yield _problem_of_repeated_pair(pairs_of_terrains[elevations], pair, source)
        pairs_of_terrains[elevations] = pair
    for pairs_of_terrains in pairs_by_terrains.values():
        yield from _problems_of_precedence(pairs_of_terrains, source)


def _problem_of_repeated_pair(pair: Pair, later_pair: Pair, source: Source) -> Problem:
    """Return the problem of a PAIR that is repeated.

    The first fix deletes it, so that the later one stays as it is. The second fix moves it to the
    line of the later one, which it replaces.
    """
    deletion = replacement_edit(pair.span, "")
    keep_earlier = [deletion, replacement_edit(later_pair.span, source.text_at(pair.span))]
    line = later_pair.span.line
    return source.problem("pair-repeated", pair.span, [deletion], keep_earlier, line=line)


def _problems_of_precedence(pairs: PairsByElevations, source: Source) -> Iterator[Problem]:
    """Yield problems of PAIRs of two terrains that the game never uses, or not for all hexes."""
    masked = _masked_elevations(pairs)
    for elevations, pair in pairs.items():
        high, low = elevations
        if elevations in masked:
            yield _problem_of_masked_pair(pairs, elevations, source)
        elif high == STAR and low != STAR:
            # PAIRs (2, *) are looked up before this one, (*, 1), so they are used for hexes of the
            # elevations 2 and 1, unless there is a PAIR (2, 1).
            preferred_highs = [
                number
                for number in range(HIGHEST_ELEVATION + 1)
                if (number, STAR) in pairs and (number, low) not in pairs
            ]
            if preferred_highs:
                yield _problem_of_preceded_pair(pairs, pair, preferred_highs, source)


def _problem_of_masked_pair(
    pairs: PairsByElevations, elevations: Elevations, source: Source
) -> Problem:
    """Return the problem of a PAIR that the game never uses.

    One fix deletes it. The other writes it for single elevations, which are looked up first.
    """
    pair = pairs[elevations]
    free_elevations = sorted(_covered_elevations(elevations) - set(pairs))
    text = None
    if free_elevations:
        other_elevations = set(pairs) - {elevations}
        text = _specific_pairs(
            pair, free_elevations, other_elevations=other_elevations, source=source
        )
    edits = [replacement_edit(pair.span, "")]
    specific_edits = []
    if text:
        specific_edits = [replacement_edit(pair.span, text)]
    return source.problem("pair-masked", pair.span, edits, specific_edits)


def _problem_of_preceded_pair(
    pairs: PairsByElevations, pair: Pair, higher_elevations: Sequence[int], source: Source
) -> Problem:
    """Return the problem of a PAIR (*, low) to which the game prefers PAIRs (high, *).

    ``higher_elevations`` are those of the higher hexes of these. The fix adds a copy of the PAIR
    for each of them.
    """
    low = pair.low.elevation
    elevations = [(high, low) for high in higher_elevations]
    text = _specific_pairs(pair, elevations, other_elevations=pairs, source=source)
    preferred_pair = pairs[higher_elevations[0], STAR]
    edits = []
    if text:
        edits.append(insert_before(pair.span, f"{text}{source.newline}"))
    return source.problem(
        "pair-precedence",
        pair.span,
        edits,
        high=higher_elevations[0],
        highs=" and ".join(map(str, higher_elevations)),
        low=low,
        line=preferred_pair.span.line,
    )


def _specific_pairs(
    pair: Pair,
    elevations: Sequence[Elevations],
    *,
    other_elevations: Collection[Elevations],
    source: Source,
) -> str | None:
    """Return the text of ``pair`` repeated for single elevations, one a line.

    ``other_elevations`` are those of the other PAIRs of the same terrains. None if the text would
    leave one of them without effect, and if a terrain is unknown.
    """
    masked = _masked_elevations({*other_elevations, *elevations})
    masks_another = bool(masked - _masked_elevations(other_elevations))
    if masks_another or not (pair.high.is_known and pair.low.is_known):
        return None
    choices = ""
    if pair.choices:
        choices = source.text_at(span_between(pair.choices[0].span, pair.span))
    lines = []
    for high, low in elevations:
        head = f"PAIR ({pair.high.name},{high})({pair.low.name},{low})"
        lines.append(f"{head} HEXSIDES {choices}".rstrip())
    return source.newline.join(lines)


def _masked_elevations(pairs: Collection[Elevations]) -> set[Elevations]:
    """Return those elevations of PAIRs of two terrains that the game uses for no hexes.

    PAIRs that are about no hexes at all, since an elevation is too high, are not among them.
    """
    used = set()
    for high, low in HEX_ELEVATIONS:
        # The game takes the first of these four that the script has.
        for candidate in ((high, low), (high, STAR), (STAR, low), (STAR, STAR)):
            if candidate in pairs:
                used.add(candidate)
                break
    masked = set()
    for elevations in pairs:
        if elevations not in used and _covered_elevations(elevations):
            masked.add(elevations)
    return masked


def _covered_elevations(elevations: Elevations) -> set[Elevations]:
    """Return the elevations of two hexes that a PAIR with these elevations is about."""
    pair_high, pair_low = elevations
    covered = set()
    for high, low in HEX_ELEVATIONS:
        if pair_high in (high, STAR) and pair_low in (low, STAR):
            covered.add((high, low))
    return covered
