"""Dice thrown at a real table and entered: the record of a map whose table waits for more dice.

The record is there from the first die of a table until the table is laid, so that no die is lost
when another map becomes current, the file is closed or the program is killed. Laid, the table has
its dice in the settings of its roll.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from randomizer.generator import settings_with_symmetry
from randomizer.model.problems import ProblemError, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.setting import checked_settings
from randomizer.systems.cordery.choices import SETTINGS
from randomizer.systems.cordery.dice.throws import SIDES, read_fixed
from randomizer.systems.cordery.system import SYSTEM

RECORD = "entered dice"
"""The name of the record."""

ThrowScores = Mapping[str, tuple[int, ...]]
"""The scores of throws by the name of the throw, in the order in which they were thrown."""


@dataclass(frozen=True)
class EnteredDice:
    """The dice of one table so far.

    ``choices`` are the settings of the table by name; its ``fixed`` has what was decided, without
    dice. ``throws`` are whole throws, ``together`` the first dice of a throw of several. ``known``
    are the dice of the table that lies already, if only something about it was decided; then
    ``previous_choices`` are what it was laid with, else None. ``expected`` is about how many dice
    the table takes beside the known ones; 0 if that is not known.
    """

    choices: Mapping[str, object] = field(default_factory=dict)
    throws: ThrowScores = field(default_factory=dict)
    together: tuple[int, ...] = ()
    known: ThrowScores = field(default_factory=dict)
    previous_choices: Mapping[str, object] | None = None
    expected: int = 0

    @property
    def changes_table(self) -> bool:
        """True for dice of a change of the table that lies, False for those of a new table."""
        return self.previous_choices is not None

    @property
    def count(self) -> int:
        """The number of dice entered."""
        return sum(map(len, self.throws.values())) + len(self.together)

    @property
    def progress(self) -> str:
        """The number of dice entered and expected: "14 of about 65", "14" if that is not known."""
        if self.expected:
            return f"{self.count} of about {self.expected}"
        return str(self.count)

    def with_die(self, name: str, dice_in_throw: int, score: int) -> EnteredDice:
        """Return them with one more die of the throw ``name``, which has so many dice."""
        scores = (*self.together, score)
        if len(scores) < dice_in_throw:
            return replace(self, together=scores)
        return replace(self, throws={**self.throws, name: scores}, together=())

    def without_last(self) -> EnteredDice:
        """Return them without the die that was entered last, of several ones the last throw."""
        if self.together:
            return replace(self, together=self.together[:-1])
        names = list(self.throws)[:-1]
        return replace(self, throws={name: self.throws[name] for name in names})

    def has_dice_of(self, other: EnteredDice) -> bool:
        """Return whether the same dice were entered, in the same order."""
        same_throws = list(self.throws.items()) == list(other.throws.items())
        return same_throws and self.together == other.together

    def as_record(self) -> MapRecord:
        """Return the record of a map."""
        data = {
            "choices": self.choices,
            "throws": self.throws,
            "together": self.together,
            "known": self.known,
            "previous_choices": self.previous_choices,
            "expected": self.expected,
        }
        return MapRecord(json.dumps(data, ensure_ascii=False), is_json=True)


def read_entered_dice(record: MapRecord) -> EnteredDice:
    """Return the dice of a record. Raises ProblemError for a record that has none."""
    try:
        data = json.loads(record.text)
    except (ValueError, RecursionError):
        raise _misread("it is no JSON") from None
    if not isinstance(data, dict):
        raise _misread("it is no JSON object")
    previous_choices = data.get("previous_choices")
    expected = data.get("expected")
    if type(expected) is not int or expected < 0:
        raise _misread("“expected” is no whole number")
    return EnteredDice(
        _choices(data.get("choices")),
        _throws(data.get("throws")),
        _scores(data.get("together")),
        _throws(data.get("known")),
        None if previous_choices is None else _choices(previous_choices),
        expected,
    )


def _choices(data: Any) -> dict[str, object]:
    if not isinstance(data, dict):
        raise _misread("its choices are no JSON object")
    try:
        choices = checked_settings(settings_with_symmetry(SYSTEM, SETTINGS), data)
        read_fixed(str(choices.get("fixed", "")))
        return choices
    except ProblemError as wrong:
        raise _misread(wrong.problems[0].message) from None


def _throws(data: Any) -> dict[str, tuple[int, ...]]:
    if not isinstance(data, dict):
        raise _misread("its throws are no JSON object")
    return {name: _scores(scores) for name, scores in data.items()}


def _scores(data: Any) -> tuple[int, ...]:
    if not isinstance(data, list):
        raise _misread("the scores of a throw are no JSON list")
    if not all(type(score) is int and 1 <= score <= SIDES for score in data):
        raise _misread(f"a score is no whole number from 1 to {SIDES}")
    return tuple(data)


def _misread(fault: str) -> ProblemError:
    message = f"the dice entered by hand cannot be read from the record “{RECORD}”: {fault:.200}"
    return error("entered-dice", message)
