"""All advice about a period; here that about single words, percentages, characters and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.advice.countries import country_advice
from randomizer.systems.xconq.advice.terrain import terrain_type_advice
from randomizer.systems.xconq.advice.units import unit_type_advice
from randomizer.systems.xconq.header import sections_of
from randomizer.systems.xconq.period.faults import text_order
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.value_edits import Slot, names_of
from randomizer.systems.xconq.period.value_problems import list_names, number_fix, problem_at
from randomizer.systems.xconq.period.words import Shape, Word

FULL = {"n%": 100, "n.01%": 10_000}
"""By the kind of a value: the number that stands for always."""

NO_SHARES = {
    "alter-mobility",
    "conceal",
    "defense",
    "max-alt",
    "max-wet",
    "min-alt",
    "min-wet",
    "neutrality",
    "productivity",
    "research",
    "research-contrib",
    "startup",
    "veteran",
}
"""Percentages that are ratios or are added to others, so that any number makes sense; and the
limits of terrain, which ``terrain`` checks."""

REDUCED = {"capture", "hit", "see-best", "see-worst"}
"""Chances from which others are subtracted: more than 100 % can be meant."""

SPECIAL = frozenset(' +-;"[]0123456789')
"""Characters that mean something else in periods or in mapfiles."""

USUAL_SIDES = 7
"""As many side names the document wants at least, where a period clears the others."""


def word_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of single words."""
    for word in value_words():
        if word.not_implemented:
            yield from _without_effect(period, word)
        kind = word.arguments[0]
        if kind in FULL and word.name not in NO_SHARES:
            yield from _out_of_range(period, word, FULL[kind])
    yield from _characters(period)
    yield from _special_characters(period)
    yield from _names(period)
    yield from _replaced(period)


def _without_effect(period: Period, word: Word) -> Iterator[Problem]:
    place = next(
        (assignment for assignment in period.assignments if assignment.word == word.name), None
    )
    if place is not None:
        message = f"“{word.name}” has no effect: the document marks it as not yet implemented"
        yield problem_at(Severity.HINT, "advice-not-implemented", message, place)


def _out_of_range(period: Period, word: Word, full: int) -> Iterator[Problem]:
    unit: int | None
    inner: int | None
    if word.shape is Shape.NUMBER:
        value = period.number(word.name)
        unit = None
        inner = None
        many = 1
        if 0 <= value <= full:
            return
    else:
        if word.shape is Shape.ROW:
            values = period.row(word.name)
        else:
            values = period.table(word.name)
        wrong = np.argwhere((values < 0) | (values > full))
        if not len(wrong):
            return
        first = tuple(wrong[0].tolist())
        value = int(values[first])
        many = len(wrong)
        unit = first[0]
        inner = first[1] if len(first) > 1 else None
    assignment = period.assigned(word.name, unit, inner)
    nearest = max(0, min(value, full))
    unit_of_value = "a percentage" if full == 100 else "in hundredths of a percent"
    if many > 1:
        more = f", and {counted(many - 1, 'other value')} out of range"
    else:
        more = ""
    which = _index_words(period, word, unit, inner)
    message = (
        f"“{word.name}” is {unit_of_value}: {value}{which} is {'above' if value > 0 else 'below'} "
        f"{nearest}{more}"
    )
    reduced = word.name in REDUCED and value > 0
    if reduced:
        fix = None
    else:
        fix = number_fix(period, word.name, nearest, unit, inner)
    yield problem_at(Severity.HINT, "advice-percentage", message, assignment, fix)


def _index_words(period: Period, word: Word, unit: int | None, inner: int | None) -> str:
    """For which types a value is, in brackets."""
    names = names_of(period, Slot(word.name, unit, inner))
    if names:
        return f" ({', '.join(names)})"
    return ""


def _characters(period: Period) -> Iterator[Problem]:
    terrains = {terrain.char: terrain.name for terrain in period.terrains}
    clashes = [
        f"{unit.name} and {terrains[unit.char]} ({unit.char})"
        for unit in period.units
        if unit.char in terrains
    ]
    if clashes:
        message = (
            f"Units and terrains have the same character: {list_names(clashes)}. A map drawn in "
            "characters cannot tell them apart"
        )
        yield Problem(Severity.HINT, "advice-characters", message)


def _special_characters(period: Period) -> Iterator[Problem]:
    special = [
        f"{unit.name} (“{unit.char}”)"
        for unit in period.units
        if unit.char in SPECIAL or unit.char.isspace()
    ]
    if special:
        message = (
            "Blanks, digits, signs, brackets, “;” and quotes do not work as unit characters: "
            f"periods and mapfiles read them otherwise. So it is with {list_names(special)}"
        )
        yield Problem(Severity.WARNING, "advice-special-character", message)


def _names(period: Period) -> Iterator[Problem]:
    names = len(set(period.side_names))
    if period.clears_side_names and names < USUAL_SIDES:
        message = (
            f"“clear-side-names” leaves {counted(names, 'side name')}; there should be one for "
            f"each side, {USUAL_SIDES} at least (sname)"
        )
        yield Problem(Severity.WARNING, "advice-side-names", message)
    if period.clears_unit_names and not period.unit_names and (period.row("named") > 0).any():
        message = "“clear-unit-names” leaves no names (uname), but there are named unit types"
        yield Problem(Severity.WARNING, "advice-unit-names", message)


def _replaced(period: Period) -> Iterator[Problem]:
    """Yield whether the own section begins anew although an included file has a period."""
    last_file = period.files[-1]
    match = re.search(r"^Period[ \t]+(-?[0-9]+)", last_file.text, re.MULTILINE)
    included = [file.name for file in period.files[:-1] if "p" in (sections_of(file.text) or "")]
    if (
        match
        and not match[1].strip("-0")
        and included
        and "p" in (sections_of(last_file.text) or "")
    ):
        edit = TextEdit(*last_file.place(*match.span(1)), "1")
        names = list_names([name or "" for name in included])
        message = (
            f"“Period 0” throws away the period of {names}, "
            "which is included; “Period 1” would change it"
        )
        fix = Fix("Write Period 1", (edit,))
        span = last_file.place(*match.span())
        yield Problem(Severity.WARNING, "advice-replaced", message, last_file.name, *span, fix)


@registered(bytes_each=30 * KB)
@lru_cache(maxsize=4)
def period_advice(period: Period) -> tuple[Problem, ...]:
    """Return what is likely a mistake of a period that was read without errors, in the order of
    its text.

    Problems of included files name them in ``path``; those of the period's own text have none.
    """
    problems = [
        *word_advice(period),
        *terrain_type_advice(period),
        *unit_type_advice(period),
        *country_advice(period),
    ]
    return tuple(sorted(problems, key=text_order))
