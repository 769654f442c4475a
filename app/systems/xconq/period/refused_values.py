"""Changes of a period's values that its text cannot have where it is: the banner tells them.

refused.show_question(changes, obstacle)    # "Give plains a max-wet of its own: 59? ..."
refused.changes                             # what the button *Set here* of the banner makes
refused.line                                # where its button *Go to line* goes
refused.close()                             # another change was made
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from app.systems.xconq.period.shown_period import (
    ShownPeriod,
    describe_slot,
    question_about_own_lines,
)
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import Change, why_not_plain

if TYPE_CHECKING:
    from app.systems.xconq.period.period_panel import PeriodPanel


class _Refusal(NamedTuple):
    """Values that cannot be changed in the line that sets them."""

    changes: tuple[Change, ...]
    """What *Set here* sets: several values if a corner was dragged or neighbours moved along."""

    line: int | None
    """The line of the period's own text that sets them.

    None if nothing sets them, or a line of an included file does.
    """


class RefusedValues:
    """The refusal that the banner of the panel told last."""

    def __init__(self, shown: ShownPeriod, panel: PeriodPanel) -> None:
        self._shown = shown
        self._panel = panel
        self._refusal: _Refusal | None = None
        """The refusal of values, None if none was told since ``close``, or one of types."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that were refused, () for none."""
        if self._refusal is None:
            return ()
        return self._refusal.changes

    @property
    def line(self) -> int | None:
        """The line of the text that sets what was refused; None if there is none."""
        if self._refusal is None:
            return None
        return self._refusal.line

    def show_question(self, changes: Sequence[Change], obstacle: NotPlain) -> None:
        """Tell why values cannot be changed, and ask whether they get lines of their own."""
        period = self._shown.period
        question = question_about_own_lines(period, changes)
        if not question:
            question = f"{describe_slot(period, changes[0].slot)}."
        self._refusal = _Refusal(tuple(changes), _line_in_own_text(obstacle))
        self._panel.show_refusal(question, obstacle)

    def show_place_of(self, slot: Slot) -> None:
        """Tell in which included file a value is set; *Set here* sets it to the same here."""
        period = self._shown.period
        obstacle = why_not_plain(period, slot)
        value = value_of(period, slot)
        if obstacle is not None and value is not None:
            self._refusal = _Refusal((Change(slot, value),), _line_in_own_text(obstacle))
            self._panel.show_refusal(f"{describe_slot(period, slot)}.", obstacle)

    def show_types_obstacle(self, obstacle: NotPlain) -> None:
        """Tell why types cannot be changed."""
        self._refusal = None
        # Without its line: the buttons of the banner would go there and set a value.
        self._panel.show_refusal("", NotPlain(obstacle.why))

    def close(self) -> None:
        """Hide the banner, and forget what it told."""
        self._refusal = None
        self._panel.close_refusal()


def _line_in_own_text(obstacle: NotPlain) -> int | None:
    """Return the line of an obstacle; None for one of an included file."""
    if obstacle.file is not None:
        return None
    return obstacle.line
