"""Tables built from dice that were entered: how far they go, what they lack, how they are laid.

A table is built by the same code that lays tables with the dice of the program. It stops at the
first die whose score is not among the settings; that is the die to ask for next::

    table = build_known(dice, key, base, _progress, _cancelled)
    table.next_die            # None if no die is missing
    settings_with(dice, scores_of(table))   # lay this table

The functions that take ``_progress`` and ``_cancelled`` are works of jobs
(``app.background.jobs``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.choices import TYPED, Choices, fixed_text
from randomizer.systems.cordery.dice_log import BuiltTable, build_table, estimate_dice_count
from randomizer.systems.cordery.entered_dice import EnteredDice, ThrowScores
from randomizer.systems.cordery.page_parts import PARTS, part_of_die, part_of_step


class TableSoFar(NamedTuple):
    """A table that is built as far as its dice are known."""

    table: BuiltTable

    dice_count: int | None
    """About how many dice it will take beside the known ones; 0 if that cannot be told yet.

    None if no estimate was made, since the former one is good enough still.
    """


class ThrownRest(NamedTuple):
    """A table whose last dice the program has thrown."""

    settings: dict[str, object]
    """The settings that lay it."""

    dice_count: int
    """The number of dice that the program has thrown just now."""


def build_known(
    dice: EnteredDice, key: DrawKey, base: Base, _progress: object, _cancelled: object
) -> BuiltTable:
    """Return the table as far as its dice are known.

    Raises ProblemError for dice and choices that make no table.
    """
    return build_table(_settings_of_known(dice), key, base)


def build_so_far(
    dice: EnteredDice, key: DrawKey, base: Base, _progress: object, _cancelled: object
) -> TableSoFar:
    """Return the table as far as its dice are known, and about how many dice it takes.

    Raises ProblemError as ``build_known``.
    """
    settings = _settings_of_known(dice)
    table = build_table(settings, key, base)
    # Near the end the estimate becomes exact, and is worth its time with each die.
    if not dice.is_near_end and not _begins_step(table):
        return TableSoFar(table, None)
    return TableSoFar(table, estimate_dice_count(settings, key, base, dice.known_throws.keys()))


def _begins_step(table: BuiltTable) -> bool:
    """Return whether the log has no line yet of the step of the page that the next die belongs to.

    An estimate of the number of dice takes ten times as long as the table. It depends most on dice
    such as that for the number of hills, with which a step ends, so that it is made at the
    beginning of each step.
    """
    die = table.next_die
    if die is None:
        return True
    return all(entry.line.step != die.step for entry in table.entries)


def _settings_of_known(dice: EnteredDice) -> dict[str, object]:
    """Return the settings of a table of which only the known dice are fixed."""
    return settings_with(dice, {**dice.known_throws, **dice.throws})


def build_with_rest(
    dice: EnteredDice, key: DrawKey, base: Base, _progress: object, _cancelled: object
) -> BuiltTable:
    """Return the whole table, with the dice of map ``key`` where none was entered.

    Of a throw of which some dice were entered, only the others are thrown. Raises ProblemError as
    ``build_known``.
    """
    scores = {**dice.known_throws, **dice.throws}
    if dice.incomplete_throw:
        # The map's own dice of this throw are known only from a table that is laid with them.
        table = build_table({**settings_with(dice, scores), "dice": "thrown"}, key, base)
        throw = scores_of(table).get(dice.incomplete_name, ())
        further_scores = throw[len(dice.incomplete_throw) :]
        if further_scores:
            scores[dice.incomplete_name] = (*dice.incomplete_throw, *further_scores)
    return build_table({**settings_with(dice, scores), "dice": "thrown"}, key, base)


def thrown_rest(dice: EnteredDice, table: BuiltTable) -> ThrownRest:
    """Return how to lay a table of ``build_with_rest``, and how many dice were thrown for it."""
    scores = scores_of(table)
    settings = settings_with(dice, scores)
    thrown_names = [
        name for name in scores if name not in dice.throws and name not in dice.known_throws
    ]
    # Those of a part that is thrown again may be the program's already.
    names = dict.fromkeys((*Choices.of(settings).names_of_program_dice, *thrown_names))
    settings["program_dice"] = "; ".join(names)
    dice_count = sum(len(scores[name]) for name in thrown_names)
    dice_count -= len(dice.incomplete_throw)  # a person threw these dice of the last throw
    return ThrownRest(settings, dice_count)


def scores_of(table: BuiltTable) -> dict[str, tuple[int, ...]]:
    """Return the scores of all dice of a table by the names of the throws."""
    scores: dict[str, tuple[int, ...]] = {}
    for entry in table.entries:
        scores.update(entry.scores)
    return scores


def find_unused_dice(dice: EnteredDice, table: BuiltTable) -> tuple[str, ...]:
    """Return the names of the entered throws that nothing of the table so far has asked for.

    Those of the part whose die is asked for next, and of later parts, are left out: they may be
    asked for still.
    """
    finished_parts: Sequence[str] = PARTS
    if table.next_die is not None:
        finished_parts = PARTS[: PARTS.index(part_of_step(table.next_die.step))]
    used_names = scores_of(table)
    names = []
    for name in dice.throws:
        if part_of_die(name) in finished_parts and name not in used_names:
            names.append(name)
    return tuple(names)


def settings_with(dice: EnteredDice, scores: ThrowScores) -> dict[str, object]:
    """Return the settings of a table with these scores, and what is chosen with ``dice``.

    A die that was entered is none of the program's any more.
    """
    choices = Choices.of(dice.choices)
    texts = {name: scores_text(throw) for name, throw in scores.items()}
    program_dice = [
        name for name in choices.names_of_program_dice if name in scores and name not in dice.throws
    ]
    return {
        **dice.choices,
        "dice": TYPED,
        "fixed": "; ".join(filter(None, (choices.fixed, fixed_text(texts)))),
        "program_dice": "; ".join(program_dice),
    }


def scores_text(scores: Sequence[int]) -> str:
    """Return the scores of dice thrown together as ``fixed`` holds them, such as "3+5"."""
    return "+".join(map(str, scores))
