"""The dice log of a table, computed again from the rolls of its layers.

    rolls = table_rolls(battlemap, lowest_layer_id)     # cheap, on the window's thread
    entries = log_entries(rolls)                        # throws all dice again, on any thread

A table is laid by the steps of Cordery's page, and each step that throws dice writes a line of the
log: "1.1 Hilly country: D6 = 3 + 4: 7 hills". A roll keeps these lines as text only. The panel of
the dice also shows the scores of a line, and the table as it was after the line. So the table is
built again with the dice of the roll, and each line becomes a ``LogEntry``::

    entry.line        "1.1 Hilly country: D6 = 3 + 4: 7 hills"
    entry.scores      (("hills die", (3,)),)
    entry.planes      the table after that line

A table whose dice a person enters is built the same way (``build_table``), up to the first die that
was not entered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import without_symmetry
from randomizer.systems.cordery.choices import SETTINGS, Choices
from randomizer.systems.cordery.dice.throws import LogLine
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.generator import page, start_table
from randomizer.systems.cordery.page_parts import part_of_step
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_words import Planes
from randomizer.systems.cordery.table_layers import planes_of_table, with_recorded_locks

Scores = tuple[tuple[str, tuple[int, ...]], ...]
"""The throws of a line, each with its name and the scores of its dice: ("hill 1 steps", (3, 6, 1)).
"""

ESTIMATED_TABLES = 6
"""The number of tables that are thrown to estimate the dice of one.

With more of them the estimate changes less from die to die, and the next question comes later.
"""


@dataclass(frozen=True, eq=False)
class LogEntry:
    """A line of the log, with its dice and the table after it."""

    line: LogLine

    scores: Scores = ()
    """The throws for the line, in the order in which they were made."""

    planes: Planes | None = None
    """The table after the line.

    None if the map below has changed since the roll: only the words of the line are known then.
    """

    @property
    def part(self) -> str:
        """The part of the page that the line belongs to."""
        return part_of_step(self.line.step)


@dataclass(frozen=True, eq=False)
class BuiltTable:
    """A table, built as far as its dice have been thrown or entered."""

    entries: tuple[LogEntry, ...]
    """The entries of its log, from the first line."""

    planes: Planes
    """The table after the last of these lines."""

    next_die: DieWantedError | None = None
    """The next die to enter, None if the table is complete."""


@dataclass(frozen=True, eq=False)
class TableRoll:
    """A roll of several layers, with what the table is built from again."""

    roll: Roll
    """The roll that all of its layers have in common; its ``part`` is ""."""

    base: Base
    """The map below its layers, with what was locked when they were rolled."""

    parts: frozenset[str]
    """The parts of the page whose layers are visible on the map."""


def build_table(settings: Mapping[str, object], key: DrawKey, base: Base) -> BuiltTable:
    """Build a table line by line, up to the first die that has not been entered.

    Raises ProblemError for an invalid choice, decision or die.
    """
    chosen = checked_settings(SETTINGS, without_symmetry(base.system, settings))
    builder = start_table(Choices.of(chosen), key.checked(), base)
    throws = builder.throws
    entries = list[LogEntry]()
    next_die = None

    def append_entry(line: LogLine) -> None:
        scores = tuple((name, throws.scores[name]) for name in line.throws)
        entries.append(LogEntry(line, scores, planes_of_table(builder, base)))

    # From here on each line that a part writes becomes an entry at once, with the table as it is.
    throws.on_line = append_entry
    try:
        _build_all_parts(builder)
    except DieWantedError as die:
        next_die = die
    return BuiltTable(tuple(entries), planes_of_table(builder, base), next_die)


def _build_all_parts(builder: TableBuilder) -> None:
    """Build the whole table. Raises DieWantedError at a die that must be entered first."""
    for _part, steps in page(builder):
        for _step in steps:
            pass  # the steps are a generator, which builds the table while it is iterated over


def estimate_dice_count(
    settings: Mapping[str, object], key: DrawKey, base: Base, known_throws: Collection[str] = ()
) -> int:
    """Estimate how many dice a table takes beside known throws, by throwing the rest a few times.

    The estimate is the mean of ``ESTIMATED_TABLES`` tables; 0 if none of them can be laid. Raises
    ProblemError for an invalid choice.
    """
    chosen = checked_settings(SETTINGS, without_symmetry(base.system, settings))
    choices = Choices.of({**chosen, "dice": "thrown"})
    counts = []
    for number in range(ESTIMATED_TABLES):
        builder = start_table(choices, DrawKey(key.seed, number).checked(), base)
        try:
            _build_all_parts(builder)
        except ProblemError:
            continue  # a decision does not fit this table
        dice_count = 0
        for name, scores in builder.throws.scores.items():
            if name not in known_throws:
                dice_count += len(scores)
        counts.append(dice_count)
    if not counts:
        return 0
    return round(sum(counts) / len(counts))


def table_rolls(battlemap: BattleMap, lowest_layer_id: int) -> tuple[TableRoll, ...]:
    """Return the rolls of the table whose lowest layer has an id, from the bottom up.

    There is one roll for all layers that were rolled at once. Parts that were thrown again alone
    have a roll of their own.
    """

    def shared_roll_at(position: int) -> Roll | None:
        return _roll_of_all_parts(battlemap.layers[position])

    result = []
    # Layers of one roll lie one above the other, so that each group of equal rolls is one table.
    for roll, group in groupby(parts_from(battlemap, lowest_layer_id), key=shared_roll_at):
        if roll is None:
            continue  # the layer was drawn by hand
        positions = list(group)
        visible_parts = set[str]()
        for position in positions:
            layer = battlemap.layers[position]
            if layer.visible and layer.roll is not None:
                visible_parts.add(layer.roll.part)
        lowest_layer = battlemap.layers[positions[0]]
        base = with_recorded_locks(Base.under(battlemap, positions[0]), lowest_layer)
        result.append(TableRoll(roll, base, frozenset(visible_parts)))
    return tuple(result)


def _roll_of_all_parts(layer: Layer) -> Roll | None:
    """Return the roll of a layer with no part: equal for all layers that were rolled at once."""
    if layer.roll is None:
        return None
    return replace(layer.roll, part="")


def log_entries(rolls: Iterable[TableRoll]) -> tuple[LogEntry, ...]:
    """Return all entries of a table's log, in the order in which the table was built."""
    entries = list[LogEntry]()
    for roll in rolls:
        entries += (entry for entry in _entries_of(roll) if entry.part in roll.parts)
    return tuple(entries)


def _entries_of(table_roll: TableRoll) -> tuple[LogEntry, ...]:
    """Return the entries of all parts of one roll.

    They have neither scores nor planes if the map below has changed since the roll, so that its
    dice lay another table now.
    """
    roll = table_roll.roll
    key = DrawKey(roll.seed, roll.number)
    try:
        entries = build_table(roll.settings, key, table_roll.base).entries
    except ProblemError:
        entries = ()  # a decision does not fit the map below any more
    # The lines name all areas and scores: if they are the same, the table is the same.
    if tuple(str(entry.line) for entry in entries) == roll.origins:
        return entries
    word_entries = []
    for origin in roll.origins:
        step, _space, text = origin.partition(" ")
        word_entries.append(LogEntry(LogLine(step, text)))
    return tuple(word_entries)
