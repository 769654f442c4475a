"""Doubtful PAIRs: hexsides that are none, and statements or choices that never come to bear."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from randomizer.colossus.script.lint_hazards import HIGHEST, name_problems, probability_problems
from randomizer.colossus.script.list_bounds import is_possible
from randomizer.colossus.script.source import Source, replace
from randomizer.colossus.script.syntax import STAR, Area, HexsideChoice, Pair, Script, Span
from randomizer.colossus.script.words import nearest
from randomizer.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES
from randomizer.problems import Problem

Elevations = tuple[int, int]
"""Of the two hexes of a PAIR, STAR for any."""


def pair_problems(script: Script, source: Source) -> Iterator[Problem]:
    """Everything doubtful about the PAIRs of ``script``."""
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
        yield from name_problems(end, source)
        if end.elevation > HIGHEST:
            place, number = source.numbers(end.span)[-1]
            yield source.problem("pair-elevation-above-2", place, number=number)
        if end.known and end.name not in placed:
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
        yield from _letter(choice, source)
        yield from probability_problems(choice, source)
        certain = choice.probability is None or choice.probability >= 100


def _letter(choice: HexsideChoice, source: Source) -> Iterator[Problem]:
    word = choice.letter
    if word in HEXSIDE_NAMES:
        return
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
    yield source.problem("unknown-hexside", place, edits, word=word, meant=meant)


def _never_looked_up(pairs: list[Pair], source: Source) -> Iterator[Problem]:
    """PAIRs that a later one overrules, or that more specific ones leave nothing to do."""
    last: dict[tuple[str, str], dict[Elevations, Pair]] = {}
    for pair in pairs:
        rules = last.setdefault((pair.high.name, pair.low.name), {})
        elevations = (pair.high.elevation, pair.low.elevation)
        if elevations in rules:
            earlier, line = rules[elevations], pair.span.line
            edits = [replace(earlier.span, "")]
            yield source.problem("pair-repeated", earlier.span, edits, line=line)
        rules[elevations] = pair
    for rules in last.values():
        yield from _masked(rules, source)


def _masked(rules: dict[Elevations, Pair], source: Source) -> Iterator[Problem]:
    used: dict[Elevations, set[Elevations]] = {elevations: set() for elevations in rules}
    wanted: dict[Elevations, set[Elevations]] = {elevations: set() for elevations in rules}
    for high, low in product(range(HIGHEST + 1), repeat=2):
        levels = [(high, low), (high, STAR), (STAR, low), (STAR, STAR)]
        found = [level for level in levels if level in rules]
        for level in found:
            wanted[level].add((high, low))
        if found:
            used[found[0]].add((high, low))
    for elevations, pair in rules.items():
        if wanted[elevations] and not used[elevations]:
            yield source.problem("pair-masked", pair.span, [replace(pair.span, "")])
        elif elevations[0] == STAR != elevations[1]:
            low = elevations[1]
            for high in range(HIGHEST + 1):
                if (high, STAR) in rules and (high, low) not in rules:
                    line = rules[high, STAR].span.line
                    yield source.problem(
                        "pair-precedence", pair.span, high=high, low=low, line=line
                    )
                    break
