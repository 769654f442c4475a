"""The period that the panel shows, and the words for its values.

A *slot* is one value of a period, such as the max-alt of plains. A slot is *shared* if the line
that sets it sets the values of several types, or stands in an included file: a change there would
change others, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import listed
from randomizer.systems.xconq.period.slots import Slot, names_of, value_of
from randomizer.systems.xconq.period.value_edits import Change, why_not_plain

if TYPE_CHECKING:
    from randomizer.model.problems import Problem
    from randomizer.systems.xconq.period.period import Period


@dataclass
class ShownPeriod:
    """What was read of the current map's period; ``PeriodController`` sets both fields."""

    last_read: Period | None = None
    """The period that was read last without errors, None before that."""

    error: Problem | None = None
    """The problem to mend first if the text has errors now, else None."""

    @property
    def period(self) -> Period:
        """The period of the pages, which a user can only change once one was read."""
        assert self.last_read is not None, "the pages are shown with a period only"
        return self.last_read


def describe_slot(period: Period, slot: Slot) -> str:
    """Return the name of a value for a sentence: “max-alt of plains”."""
    names = names_of(period, slot)
    if not names:
        return slot.word
    return f"{slot.word} of {', '.join(names)}"


def is_shared(period: Period, slot: Slot) -> bool:
    """Return whether what sets a value in the text sets others, too, or stands elsewhere."""
    return why_not_plain(period, slot) is not None


def question_about_own_lines(period: Period, changes: Sequence[Change]) -> str:
    """Return the question whether shared values get lines of their own; "" if none needs one.

    An example is "Give plains a max-wet of its own: 59?".
    """
    new_values = []
    for change in changes:
        is_new = value_of(period, change.slot) != change.value
        if is_new and is_shared(period, change.slot):
            new_values.append(change)
    if not new_values:
        return ""
    if len(new_values) == 1:
        slot = new_values[0].slot
        owner = ", ".join(names_of(period, slot))
        return f"Give {owner} a {slot.word} of its own: {new_values[0].value}?"
    texts = [f"{describe_slot(period, change.slot)} {change.value}" for change in new_values]
    return f"Give these limits values of their own: {listed(texts)}?"
