"""Advice about a period: likely mistakes that the document warns of, for the list of problems.

``period_advice`` collects all of it. Here is what concerns single words, percentages, characters
and names; terrain, unit types and countries have files of their own.
"""

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
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.slots import Slot, names_of, value_of, values_of
from randomizer.systems.xconq.period.value_problems import list_names, number_fix, problem_at
from randomizer.systems.xconq.period.words import Shape, Word

FULL = {"n%": 100, "n.01%": 10_000}
"""The number that stands for always, by the kind of a value."""

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
    """Yield the problems of single words, and of characters and names."""
    for word in value_words():
        if word.not_implemented:
            yield from _check_effect(period, word)
        kind = word.arguments[0]
        if kind in FULL and word.name not in NO_SHARES:
            yield from _check_range(period, word, FULL[kind])
    yield from _check_characters(period)
    yield from _check_special_characters(period)
    yield from _check_names(period)
    yield from _check_replaced_period(period)


def _check_effect(period: Period, word: Word) -> Iterator[Problem]:
    """Yield a hint where a word without effect is used first."""
    for assignment in period.assignments:
        if assignment.word == word.name:
            message = f"“{word.name}” has no effect: the document marks it as not yet implemented"
            yield problem_at(Severity.HINT, "advice-not-implemented", message, assignment)
            return


def _check_range(period: Period, word: Word, full: int) -> Iterator[Problem]:
    """Yield a hint if a value of a word is not within 0 to ``full``, which stands for always.

    It is about the first such value, and counts the others.
    """
    slots = list(_slots_out_of_range(period, word, full))
    if not slots:
        return
    slot = slots[0]
    value = value_of(period, slot)
    assert isinstance(value, int), "shares are numbers"
    nearest = max(0, min(value, full))
    unit_of_value = "in hundredths of a percent"
    if full == 100:
        unit_of_value = "a percentage"
    relation = "below"
    if value > 0:
        relation = "above"
    message = f"“{word.name}” is {unit_of_value}: {value}"
    names = names_of(period, slot)
    if names:
        message += f" ({', '.join(names)})"
    message += f" is {relation} {nearest}"
    if len(slots) > 1:
        message += f", and {counted(len(slots) - 1, 'other value')} out of range"
    fix = None
    can_be_meant = word.name in REDUCED and value > 0
    if not can_be_meant:
        fix = number_fix(period, word.name, nearest, slot.unit, slot.inner)
    assignment = period.assigned(word.name, slot.unit, slot.inner)
    yield problem_at(Severity.HINT, "advice-percentage", message, assignment, fix)


def _slots_out_of_range(period: Period, word: Word, full: int) -> Iterator[Slot]:
    """Yield the values of a word that are not within 0 to ``full``."""
    if word.shape is Shape.NUMBER:
        if not 0 <= period.number(word.name) <= full:
            yield Slot(word.name)
        return
    values = values_of(period, word)
    for type_numbers in np.argwhere((values < 0) | (values > full)).tolist():
        yield Slot(word.name, *type_numbers)


def _check_characters(period: Period) -> Iterator[Problem]:
    """Yield a hint about units and terrains with the same character."""
    terrains = {terrain.char: terrain.name for terrain in period.terrains}
    clashes = list[str]()
    for unit in period.units:
        if unit.char in terrains:
            clashes.append(f"{unit.name} and {terrains[unit.char]} ({unit.char})")
    if clashes:
        message = (
            f"Units and terrains have the same character: {list_names(clashes)}. A map drawn in "
            "characters cannot tell them apart"
        )
        yield Problem(Severity.HINT, "advice-characters", message)


def _check_special_characters(period: Period) -> Iterator[Problem]:
    """Yield a warning about unit characters that periods or mapfiles read otherwise."""
    special = list[str]()
    for unit in period.units:
        if unit.char in SPECIAL or unit.char.isspace():
            special.append(f"{unit.name} (“{unit.char}”)")
    if special:
        message = (
            "Blanks, digits, signs, brackets, “;” and quotes do not work as unit characters: "
            f"periods and mapfiles read them otherwise. So it is with {list_names(special)}"
        )
        yield Problem(Severity.WARNING, "advice-special-character", message)


def _check_names(period: Period) -> Iterator[Problem]:
    """Yield warnings where a period clears the built-in names and has too few of its own."""
    name_count = len(set(period.side_names))
    if period.clears_side_names and name_count < USUAL_SIDES:
        names = counted(name_count, "side name")
        message = (
            f"“clear-side-names” leaves {names}; there should be one for each side, "
            f"{USUAL_SIDES} at least (sname)"
        )
        yield Problem(Severity.WARNING, "advice-side-names", message)
    if period.clears_unit_names and not period.unit_names and (period.row("named") > 0).any():
        message = "“clear-unit-names” leaves no names (uname), but there are named unit types"
        yield Problem(Severity.WARNING, "advice-unit-names", message)


def _check_replaced_period(period: Period) -> Iterator[Problem]:
    """Yield a warning if the period begins anew although an included file has one."""
    last_file = period.files[-1]
    if not _has_period_section(last_file):
        return
    included_names = [file.name or "" for file in period.files[:-1] if _has_period_section(file)]
    match = re.search(r"^Period[ \t]+(-?[0-9]+)", last_file.text, re.MULTILINE)
    # A number of zeros alone: others change the period that is included.
    if match is None or match[1].strip("-0") or not included_names:
        return
    message = (
        f"“Period 0” throws away the period of {list_names(included_names)}, "
        "which is included; “Period 1” would change it"
    )
    edit = TextEdit(*last_file.place(*match.span(1)), "1")
    fix = Fix("Write Period 1", (edit,))
    span = last_file.place(*match.span())
    yield Problem(Severity.WARNING, "advice-replaced", message, last_file.name, *span, fix)


def _has_period_section(file: PeriodFile) -> bool:
    """Return whether a file is a mapfile with a period section."""
    return "p" in (sections_of(file.text) or "")


@registered(bytes_each=30 * KB)
@lru_cache(maxsize=4)
def period_advice(period: Period) -> tuple[Problem, ...]:
    """Return the likely mistakes of a period without errors, in the order of its text.

    Problems of included files name them in ``path``; those of the period's own text have none.
    """
    problems = [
        *word_advice(period),
        *terrain_type_advice(period),
        *unit_type_advice(period),
        *country_advice(period),
    ]
    return tuple(sorted(problems, key=text_order))
