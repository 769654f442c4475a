"""Dice thrown at a real table and entered: the record of a map whose table waits for more dice.

The record is there from the first die of a table until the table is laid, so that no die is lost
when another map becomes current, the file is closed or the program is killed. Once it is laid, the
dice are in the settings of the table's roll. The panel of the dice adds one after the other::

    dice = EnteredDice(choices={"dice": "typed"})
    dice = dice.with_die("hills die", dice_in_throw=1, score=4)
    dice = dice.with_die("hill 1 steps", dice_in_throw=3, score=6)
    record = dice.as_record()                   # read_entered_dice(record) == dice

The text of this record is JSON. ``together`` is the throw of which dice are still missing::

    {"choices": {"dice": "typed"}, "throws": {"hills die": [4]},
     "together": [6], "together_name": "hill 1 steps",
     "known": {}, "previous_choices": null, "expected": 0}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from randomizer.model.problems import ProblemError, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.setting import checked_settings
from randomizer.symmetric_rolls import settings_with_symmetry
from randomizer.systems.cordery.choices import SETTINGS
from randomizer.systems.cordery.dice.decisions import read_fixed
from randomizer.systems.cordery.dice.dice_names import rename_for_road
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.system import DICE_RECORD, SYSTEM

RECORD = DICE_RECORD
"""The name of the record."""

ThrowScores = Mapping[str, tuple[int, ...]]
"""The scores of throws by the name of the throw, in the order in which they were thrown."""

LAST_DICE = 10
"""If fewer dice than this are still expected, each new estimate replaces the one before.

With a larger number the figure that the user sees changes more often near the end.
"""

SMALL_DIFFERENCE = 0.07
"""The share of the expected number of dice by which a new estimate must differ to replace it.

With a larger one the number that the user sees changes less often, and is less exact.
"""


@dataclass(frozen=True)
class EnteredDice:
    """The dice that were entered for one table so far; it never changes."""

    choices: Mapping[str, object] = field(default_factory=dict)
    """The settings of the table by name; ``fixed`` among them has the decisions, without dice."""

    throws: ThrowScores = field(default_factory=dict)
    """The throws of which all dice were entered."""

    incomplete_throw: tuple[int, ...] = ()
    """The scores so far of a throw of several dice; () between two throws."""

    incomplete_name: str = ""
    """The name of that throw; "" between two throws."""

    known_throws: ThrowScores = field(default_factory=dict)
    """The dice of the table that lies already, if the entered ones are for a change of it."""

    previous_choices: Mapping[str, object] | None = None
    """The settings that the table that lies was laid with; None for dice of a new table."""

    expected_count: int = 0
    """About how many dice the table takes beside the known ones; 0 if that is not known."""

    @property
    def changes_table(self) -> bool:
        """True for dice of a change of the table that lies, False for those of a new table."""
        return self.previous_choices is not None

    @property
    def count(self) -> int:
        """The number of dice entered."""
        return sum(map(len, self.throws.values())) + len(self.incomplete_throw)

    @property
    def progress(self) -> str:
        """The number of dice entered and expected: "14 of about 65", "14" if that is not known."""
        if self.expected_count:
            return f"{self.count} of about {self.expected_count}"
        return str(self.count)

    @property
    def is_near_end(self) -> bool:
        """True if fewer than ``LAST_DICE`` dice are still expected, or if no estimate is known."""
        return self.expected_count - self.count < LAST_DICE

    def with_die(self, name: str, dice_in_throw: int, score: int) -> EnteredDice:
        """Return the dice with one more, of the throw ``name`` of ``dice_in_throw`` dice.

        An incomplete throw of another name is dropped. A throw that was complete already is
        replaced, and is the last one then.
        """
        scores = (*self.without_other_incomplete_throw(name).incomplete_throw, score)
        if len(scores) < dice_in_throw:
            return replace(self, incomplete_throw=scores, incomplete_name=name)
        throws = dict(self.throws)
        throws.pop(name, None)  # a throw that is entered again is the last one
        throws[name] = scores
        return replace(self, throws=throws, incomplete_throw=(), incomplete_name="")

    def without_last(self) -> EnteredDice:
        """Return the dice without the last one; a throw of several loses one die."""
        throws = dict(self.throws)
        scores = self.incomplete_throw
        name = self.incomplete_name
        if not scores and throws:
            name, scores = throws.popitem()
        scores = scores[:-1]
        if not scores:
            name = ""
        return replace(self, throws=throws, incomplete_throw=scores, incomplete_name=name)

    def with_estimate(self, estimate: int) -> EnteredDice:
        """Return the dice with a new estimate of how many the table takes; 0: it cannot be told.

        They are returned as they are if the estimate is ignored. An estimate that differs little
        from the last one is ignored, so that the number which the user sees does not change with
        each die. Near the end every estimate counts.
        """
        difference = abs(estimate - self.expected_count)
        is_small_difference = difference <= self.expected_count * SMALL_DIFFERENCE
        dice_with_estimate = replace(self, expected_count=estimate)
        if is_small_difference and not dice_with_estimate.is_near_end:
            return self
        return dice_with_estimate

    def without_other_incomplete_throw(self, name: str) -> EnteredDice:
        """Return the dice without the incomplete throw, unless that is the throw ``name``."""
        if self.incomplete_name == name:
            return self
        return replace(self, incomplete_throw=(), incomplete_name="")

    def for_road(self, road: str) -> EnteredDice:
        """Return the dice named for roads or for tracks; ``road`` is "road" or "track"."""

        def rename(throws: ThrowScores) -> ThrowScores:
            return {rename_for_road(name, road): scores for name, scores in throws.items()}

        return replace(
            self,
            throws=rename(self.throws),
            incomplete_name=rename_for_road(self.incomplete_name, road),
            known_throws=rename(self.known_throws),
        )

    def has_dice_of(self, dice: EnteredDice) -> bool:
        """Return whether the same dice were entered, in the same order."""
        # As lists: two dicts are equal in whatever order their items are.
        is_same_order = list(self.throws.items()) == list(dice.throws.items())
        return is_same_order and self.incomplete_throw == dice.incomplete_throw

    def as_record(self) -> MapRecord:
        """Return the record to keep in a map; ``read_entered_dice`` reads it."""
        data = {
            "choices": self.choices,
            "throws": self.throws,
            # These names are older than those of the fields; files have them.
            "together": self.incomplete_throw,
            "together_name": self.incomplete_name,
            "known": self.known_throws,
            "previous_choices": self.previous_choices,
            "expected": self.expected_count,
        }
        return MapRecord(json.dumps(data, ensure_ascii=False), is_json=True)


def read_entered_dice(record: MapRecord) -> EnteredDice:
    """Return the dice of a record. Raises ProblemError if ``as_record`` cannot have written it.

    Records come from files, so every value is checked.
    """
    try:
        data = json.loads(record.text)
    except (ValueError, RecursionError):
        raise _misread("it is no JSON") from None
    if not isinstance(data, dict):
        raise _misread("it is no JSON object")
    incomplete_name = data.get("together_name")
    if not isinstance(incomplete_name, str):
        raise _misread("“together_name” is no text")
    expected = data.get("expected")
    if type(expected) is not int or expected < 0:
        raise _misread("“expected” is no whole number")
    return EnteredDice(
        choices=_choices(data.get("choices")),
        throws=_throws(data.get("throws")),
        incomplete_throw=_scores(data.get("together")),
        incomplete_name=incomplete_name,
        known_throws=_throws(data.get("known")),
        previous_choices=_previous_choices(data.get("previous_choices")),
        expected_count=expected,
    )


def count_entered_dice(records: Mapping[str, MapRecord]) -> int:
    """Return how many dice were entered for a table that is not laid; 0 if they cannot be read.

    ``records`` are those of its map, by name.
    """
    record = records.get(RECORD)
    if record is None:
        return 0
    try:
        return read_entered_dice(record).count
    except ProblemError:
        return 0


def _choices(data: Any) -> dict[str, object]:
    """Return the settings of a table, checked. Raises ProblemError."""
    if not isinstance(data, dict):
        raise _misread("its choices are no JSON object")
    try:
        choices = checked_settings(settings_with_symmetry(SYSTEM, SETTINGS), data)
        read_fixed(str(choices.get("fixed", "")))
        return choices
    except ProblemError as error_of_setting:
        raise _misread(error_of_setting.problems[0].message) from None


def _previous_choices(data: Any) -> dict[str, object] | None:
    """Return the settings of the table that lies, checked; None for dice of a new table."""
    if data is None:
        return None
    return _choices(data)


def _throws(data: Any) -> dict[str, tuple[int, ...]]:
    """Return throws by name, checked. Raises ProblemError."""
    if not isinstance(data, dict):
        raise _misread("its throws are no JSON object")
    return {name: _scores(scores) for name, scores in data.items()}


def _scores(data: Any) -> tuple[int, ...]:
    """Return the scores of one throw, checked. Raises ProblemError."""
    if not isinstance(data, list):
        raise _misread("the scores of a throw are no JSON list")
    # Not isinstance: True and False are ints, too.
    if not all(type(score) is int and 1 <= score <= SIDES for score in data):
        raise _misread(f"a score is no whole number from 1 to {SIDES}")
    return tuple(data)


def _misread(fault: str) -> ProblemError:
    """Return the error of a record that cannot be read; ``fault`` says why."""
    message = f"the dice entered by hand cannot be read from the record “{RECORD}”: {fault:.200}"
    return error("entered-dice", message)
