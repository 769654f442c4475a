"""Problems of PAIRs: unknown hexsides, and statements or choices without effect."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.lint_hazards import (
    HIGHEST,
    probability_problems,
    unknown_hazard,
)
from randomizer.systems.colossus.script.list_bounds import is_possible
from randomizer.systems.colossus.script.source import Source, insert_before, replace
from randomizer.systems.colossus.script.syntax import STAR, Area, HexsideChoice, Pair, Script, Span
from randomizer.systems.colossus.script.words import nearest
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES

Elevations = tuple[int, int]
"""Of the two hexes of a PAIR, STAR for any."""


def pair_problems(script: Script, source: Source) -> Iterator[Problem]:
    """Yield all problems of the PAIRs of ``script``."""
    placed = {COLOSSUS.terrains[0].name}
    for statement in script.statements:
        if isinstance(statement, Area):
            placed |= {hazard.name for hazard in statement.hazards if is_possible(hazard)}
    pairs = [statement for statement in script.statements if isinstance(statement, Pair)]
    for pair in pairs:
        yield from _ends(pair, placed, source)
        yield from _choices(pair, source)
    yield from _never_looked_up(pairs, source)


def _ends(pair: Pair, placed: set[str], source: Source) -> Iterator[Problem]:
    for end in (pair.high, pair.low):
        if not end.is_known:
            yield unknown_hazard(end, source)
        if end.elevation > HIGHEST:
            place, number = source.numbers(end.span)[-1]
            yield source.problem("pair-elevation-above-2", place, number=number)
        if end.is_known and end.name not in placed:
            yield source.problem("pair-of-terrain-never-placed", end.span, name=end.name)


def _choices(pair: Pair, source: Source) -> Iterator[Problem]:
    certain = False
    for index, choice in enumerate(pair.choices):
        if certain:
            rest = Span(
                choice.span.line,
                choice.span.column,
                pair.choices[-1].span.end_line,
                pair.choices[-1].span.end_column,
            )
            start = source.offsets(pair.choices[index - 1].span)[1]
            edits = [source.edit(start, source.offsets(rest)[1], "")]
            yield source.problem("hexsides-never-tried", rest, edits)
            return
        if choice.letter not in HEXSIDE_NAMES:
            yield unknown_hexside(choice, source)
        yield from probability_problems(choice, source)
        certain = choice.probability is None or choice.probability >= 100


def unknown_hexside(choice: HexsideChoice, source: Source) -> Problem:
    """Return the problem of a hexside that the game does not have; rolls give it, too."""
    word = choice.letter
    start, _ = source.offsets(choice.span)
    place = source.span(start, start + len(word))
    letters = {name: letter for letter, name in HEXSIDE_NAMES.items()}
    name = nearest(word, tuple(letters))
    if word.lower() in HEXSIDE_NAMES:
        meant = word.lower()
    elif name:
        meant = letters[name]
    elif set(word) <= set(HEXSIDE_NAMES):
        meant = " ".join(word)
    else:
        meant = ""
    edits = [replace(place, meant)] if meant else []
    return source.problem("unknown-hexside", place, edits, word=word, meant=meant)


def _never_looked_up(pairs: list[Pair], source: Source) -> Iterator[Problem]:
    """PAIRs that a later PAIR overrides, or that more specific ones cover completely."""
    last: dict[tuple[str, str], dict[Elevations, Pair]] = {}
    for pair in pairs:
        rules = last.setdefault((pair.high.name, pair.low.name), {})
        elevations = (pair.high.elevation, pair.low.elevation)
        if elevations in rules:
            earlier = rules[elevations]
            line = pair.span.line
            edits = [replace(earlier.span, "")]
            moved = [*edits, replace(pair.span, source.text_at(earlier.span))]
            yield source.problem("pair-repeated", earlier.span, edits, moved, line=line)
        rules[elevations] = pair
    for rules in last.values():
        yield from _masked(rules, source)


def _said_first(
    pair: Pair, rules: Collection[Elevations], elevations: Sequence[Elevations], source: Source
) -> str:
    """Return the text of ``pair`` for these elevations, which is looked up first.

    "" where that would leave another PAIR without effect.
    """
    masks = _unused({*rules, *elevations}) - _unused(rules)
    if masks or not (pair.high.is_known and pair.low.is_known):
        return ""
    choices = source.text_at(pair.span).split("HEXSIDES", 1)[1].strip()
    return source.newline.join(
        f"PAIR ({pair.high.name},{high})({pair.low.name},{low}) HEXSIDES {choices}".rstrip()
        for high, low in elevations
    )


def _wanted(rule: Elevations) -> set[Elevations]:
    """Return the elevations that a PAIR is about."""
    return {
        (high, low)
        for high, low in product(range(HIGHEST + 1), repeat=2)
        if rule[0] in (high, STAR) and rule[1] in (low, STAR)
    }


def _unused(rules: Collection[Elevations]) -> set[Elevations]:
    """PAIRs without effect, because others that are looked up first cover them."""
    used = set()
    for high, low in product(range(HIGHEST + 1), repeat=2):
        levels = ((high, low), (high, STAR), (STAR, low), (STAR, STAR))
        used |= set([level for level in levels if level in rules][:1])
    return {rule for rule in rules if _wanted(rule) and rule not in used}


def _masked(rules: dict[Elevations, Pair], source: Source) -> Iterator[Problem]:
    unused = _unused(rules)
    for elevations, pair in rules.items():
        if elevations in unused:
            single = sorted(_wanted(elevations) - set(rules))
            if single:
                first = _said_first(pair, set(rules) - {elevations}, single, source)
            else:
                first = ""
            moved = [replace(pair.span, first)] if first else []
            yield source.problem("pair-masked", pair.span, [replace(pair.span, "")], moved)
        elif elevations[0] == STAR != elevations[1]:
            low = elevations[1]
            lost = [
                high
                for high in range(HIGHEST + 1)
                if (high, STAR) in rules and (high, low) not in rules
            ]
            if lost:
                first = _said_first(pair, rules, [(high, low) for high in lost], source)
                if first:
                    edits = [insert_before(pair.span, f"{first}{source.newline}")]
                else:
                    edits = []
                yield source.problem(
                    "pair-precedence",
                    pair.span,
                    edits,
                    high=lost[0],
                    highs=" and ".join(map(str, lost)),
                    low=low,
                    line=rules[lost[0], STAR].span.line,
                )
