"""Advice about a *period* (the rules of a game): likely mistakes, for the list of problems.

The document is Xconq's manual for designers of periods, which warns of them. ``period_advice``
collects all advice. The checks of single words of the language, percentages, characters and names
are here; those of terrain, unit types and countries have modules of their own. Each ``_check_...``
yields the problems of one kind, such as::

    “hit” is a percentage: 120 (tank) is above 100
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.advice.countries import country_advice
from randomizer.systems.xconq.advice.terrain import terrain_type_advice
from randomizer.systems.xconq.advice.units import unit_type_advice
from randomizer.systems.xconq.header import sections_of
from randomizer.systems.xconq.period.faults import text_order_key
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.slots import Slot, names_of, value_of, values_of
from randomizer.systems.xconq.period.value_problems import list_names, number_fix, problem_at
from randomizer.systems.xconq.period.words import Shape, Word

FULL = {"n%": 100, "n.01%": 10_000}
"""The number that stands for 100 %, by the kind of a value: percent, or hundredths of a percent."""

UNCHECKED_PERCENTAGES = {
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
"""The words of percentages that are not checked here.

They are ratios or are added to others, so that any number makes sense; or they are the limits of
terrain, which ``advice.terrain`` checks.
"""

REDUCED_CHANCES = {"capture", "hit", "see-best", "see-worst"}
"""The words of chances from which others are subtracted: more than 100 % can be meant."""

SPECIAL_CHARACTERS = frozenset(' +-;"[]0123456789')
"""The characters that mean something else in periods or in mapfiles."""

MIN_SIDE_NAMES = 7
"""The least number of side names for a period that clears the built-in ones, by the document."""


def word_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of single words, and of characters and names."""
    for word in value_words():
        if word.not_implemented:
            yield from _check_effect(period, word)
        value_kind = word.arguments[0]
        if value_kind in FULL and word.name not in UNCHECKED_PERCENTAGES:
            yield from _check_range(period, word, FULL[value_kind])
    yield from _check_characters(period)
    yield from _check_special_characters(period)
    yield from _check_names(period)
    yield from _check_replaced_period(period)


def _check_effect(period: Period, word: Word) -> Iterator[Problem]:
    """Yield a hint at the first use of a word that has no effect."""
    for assignment in period.assignments:
        if assignment.word == word.name:
            message = f"“{word.name}” has no effect: the document marks it as not yet implemented"
            yield problem_at(Severity.HINT, "advice-not-implemented", message, assignment)
            return


def _check_range(period: Period, word: Word, full: int) -> Iterator[Problem]:
    """Yield a hint if a value of a word is not within 0 to ``full``, which stands for 100 %.

    It is about the first such value, and counts the others.
    """
    slots = list(_slots_out_of_range(period, word, full))
    if not slots:
        return
    slot = slots[0]
    value = value_of(period, slot)
    assert isinstance(value, int), "percentages are numbers"
    nearest = max(0, min(value, full))
    fix = None
    # A value that can be meant gets the hint, but no fix that would change it.
    can_be_meant = word.name in REDUCED_CHANCES and value > 0
    if not can_be_meant:
        fix = number_fix(period, word.name, nearest, slot.owner, slot.inner)
    message = _range_message(word, value, full, names_of(period, slot))
    if len(slots) > 1:
        message += f", and {counted(len(slots) - 1, 'other value')} out of range"
    assignment = period.assigned(word.name, slot.owner, slot.inner)
    yield problem_at(Severity.HINT, "advice-percentage", message, assignment, fix)


def _range_message(word: Word, value: int, full: int, type_names: Sequence[str]) -> str:
    """Return the message on a value out of range: "“hit” is a percentage: 120 (tank) is above 100".

    ``type_names`` are the names of the types whose value it is.
    """
    unit_of_value = "in hundredths of a percent"
    if full == FULL["n%"]:
        unit_of_value = "a percentage"
    message = f"“{word.name}” is {unit_of_value}: {value}"
    if type_names:
        message += f" ({', '.join(type_names)})"
    if value > 0:
        return f"{message} is above {full}"
    return f"{message} is below 0"


def _slots_out_of_range(period: Period, word: Word, full: int) -> Iterator[Slot]:
    """Yield the values of a word that are not within 0 to ``full``."""
    if word.shape is Shape.NUMBER:
        if not 0 <= period.number(word.name) <= full:
            yield Slot(word.name)
        return
    values = values_of(period, word.name)
    for type_numbers in np.argwhere((values < 0) | (values > full)).tolist():
        yield Slot(word.name, *type_numbers)


def _check_characters(period: Period) -> Iterator[Problem]:
    """Yield a hint about unit types and terrain types with the same character."""
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
        if unit.char in SPECIAL_CHARACTERS or unit.char.isspace():
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
    if period.clears_side_names and name_count < MIN_SIDE_NAMES:
        names = counted(name_count, "side name")
        message = (
            f"“clear-side-names” leaves {names}; there should be one for each side, "
            f"{MIN_SIDE_NAMES} at least (sname)"
        )
        yield Problem(Severity.WARNING, "advice-side-names", message)
    if period.clears_unit_names and not period.unit_names and (period.row("named") > 0).any():
        message = "“clear-unit-names” leaves no names (uname), but there are named unit types"
        yield Problem(Severity.WARNING, "advice-unit-names", message)


def _check_replaced_period(period: Period) -> Iterator[Problem]:
    """Yield a warning if the period begins anew although an included file has one."""
    last_file = period.files[-1]  # the period's own text; the others are included
    if not _has_period_section(last_file):
        return
    included_names = [file.name or "" for file in period.files[:-1] if _has_period_section(file)]
    match = re.search(r"^Period[ \t]+(-?[0-9]+)", last_file.text, re.MULTILINE)
    # ``Period 0`` begins anew; with any other number the included period is changed.
    begins_anew = match is not None and int(match[1]) == 0
    if match is None or not begins_anew or not included_names:
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
    return tuple(sorted(problems, key=text_order_key))
