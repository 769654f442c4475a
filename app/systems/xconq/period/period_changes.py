"""Changes of a period's values by the panel: each becomes a change of the period's text.

A *slot* is one value, such as the max-alt of plains. Most values are set by a word and a number in
the text, which is replaced. A value is *shared* if its line sets the values of several types, or
stands in an included file: a change there would change others, too. Then a value can only get a
line of its own, at the end of the text::

    change_in_place       the number in its line; a shared value is refused
    set_by_own_line       a new line
    set_value             in place, a shared value by a new line

A *refusal* is shown in the panel's banner. Its button *Set here* makes the change after all, by
lines of their own (``give_own_lines``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.scripts.text_rewriter import Refused
from app.systems.xconq.period.chart_page import slot_of_edge
from app.systems.xconq.period.chart_words import describe_hidden_part
from app.systems.xconq.period.type_form import SINGLE_VALUE_WORDS
from randomizer.model.basics.plurals import listed
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import reading_of
from randomizer.systems.xconq.period.slots import Slot, assignment_of, names_of, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import Change, change_values, why_not_plain
from randomizer.systems.xconq.period.words import TERRAINS
from randomizer.systems.xconq.scenario.type_changes import follow_types
from randomizer.systems.xconq.terrain.world_terrain import limits_of
from randomizer.systems.xconq.world.coverage import Box, boxes_of_limits, coverage

if TYPE_CHECKING:
    from app.scripts.map_script import MapScript
    from app.systems.xconq.period.period_panel import PeriodPanel
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.world.shared_edges import Edge


class _Refusal(NamedTuple):
    """Values that cannot be changed in the line that sets them, as the banner tells."""

    changes: tuple[Change, ...]
    """What *Set here* sets: several values if a corner was dragged or neighbours moved along."""

    obstacle: NotPlain
    """Why the line cannot be changed, and where it is."""


@dataclass(frozen=True)
class _TypeChange:
    """A change of the types of a period: its text is made anew, and the map follows."""

    make: Callable[..., str | NotPlain]
    """Makes the text: ``make(text, further=texts of further files)``."""

    map_script: MapScript

    def make_text(self, text: str, further: Mapping[str, str]) -> str | Refused:
        """Return the new text, or why there is none; on another thread."""
        return _text_or_refused(self.make(text or packaged_text(MODERN), further=further))

    def follow(self, text: str, battlemap: BattleMap) -> Edit | None:
        """Return the edit that makes units, conditions and counters of a map follow the text."""
        period = reading_of(text, None, self.map_script.texts).period
        return follow_types(battlemap, period_of(battlemap), period)


class PeriodChanges(QObject):
    """Changes the period of the current map, and tells in the panel what cannot be changed."""

    refused = Signal()
    """A change cannot be made: previews of it end."""

    def __init__(self, desk: Desk, panel: PeriodPanel) -> None:
        super().__init__(panel)
        self._desk = desk
        self._panel = panel
        self._map_script = desk.scripts.map_script
        self.period: Period | None = None
        """The period that was read last without errors, None before that."""
        self.error: Problem | None = None
        """The problem to mend first if the period's text has errors, else None."""
        self._refusal: _Refusal | None = None
        """What the banner of the panel tells, None if it tells no refusal of values."""
        self._step_numbers = count()
        """Numbers for changes that are undo steps of their own."""
        self._terrain_with_new_limit: int | None = None
        """The terrain type of which a limit was typed that was not read again yet, else None."""

    def set_period(self, period: Period) -> None:
        """Set the period to the one that was read last.

        If a limit of a terrain type was typed, say which part of it has no effect, since an earlier
        type takes it.
        """
        self.period = period
        terrain = self._terrain_with_new_limit
        self._terrain_with_new_limit = None
        if terrain is None or terrain >= len(period.terrains):
            return
        names = [terrain_type.name for terrain_type in period.terrains]
        text = describe_hidden_part(names, coverage(boxes_of_limits(limits_of(period))), terrain)
        if text:
            self._desk.say(text)

    # --- changes of values ------------------------------------------------------------------

    def move_limits(
        self, edges: tuple[Edge, ...], boxes: tuple[Box, ...], *, is_by_key: bool
    ) -> None:
        """Give the limits of these edges of the chart the values that ``boxes`` have.

        ``boxes`` are those of all terrain types, in their order. Presses of an arrow key soon after
        each other are one undo step, each drag is its own.
        """
        changes = [Change(slot_of_edge(edge), boxes[edge.terrain][edge.limit]) for edge in edges]
        if is_by_key:
            step = f"chart {edges[0]}"
        else:
            step = self._unique_step("chart")
        if len(changes) == 1:
            title = f"Move {self._name_of(changes[0].slot)}"
        else:
            title = "Move limits"
        self._change(changes, step, title)

    def change_in_place(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set."""
        self._change([Change(slot, value)], f"inspector {slot}", f"Change {self._name_of(slot)}")

    def set_by_own_line(self, slot: Slot, value: int | str) -> None:
        """Set a value by a new line at the end of the text."""
        change = Change(slot, value, append=True)
        self._change([change], f"inspector {slot}", f"Set {self._name_of(slot)}")

    def set_value(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set, or by a line of its own where others share that."""
        if slot.word in SINGLE_VALUE_WORDS[TERRAINS]:
            self._terrain_with_new_limit = slot.owner
        if self._is_shared(slot):
            self.set_by_own_line(slot, value)
        else:
            self.change_in_place(slot, value)

    def give_own_lines(self) -> None:
        """Make the change that was refused, by a line for each value that is shared."""
        if self._refusal is None:
            return
        changes = []
        for change in self._refusal.changes:
            changes.append(replace(change, append=self._is_shared(change.slot)))
        title = f"Set {self._name_of(changes[0].slot)}"
        if len(changes) > 1:
            title = "Set limits"
        self._change(changes, self._unique_step("own lines"), title)

    def _change(self, changes: list[Change], step: str, title: str) -> None:
        """Give the period values. Changes with equal ``step`` within a second are one undo step."""
        self._panel.close_refusal()
        self._map_script.rewrite(
            partial(_change_text, changes),
            step,
            title=title,
            on_refused=partial(self._on_refused, tuple(changes)),
        )

    def change_types(self, make: Callable[..., str | NotPlain], title: str) -> None:
        """Change the types of the period by what ``make`` makes of its text.

        The map follows in the same undo step: its units, conditions and counters.
        """
        self._panel.close_refusal()
        change = _TypeChange(make, self._map_script)
        self._map_script.rewrite(
            change.make_text,
            self._unique_step("types"),
            title=title,
            on_refused=self._on_types_refused,
            make_further_edit=change.follow,
        )

    def _unique_step(self, name: str) -> str:
        """Return the name of an undo step that no other change is part of."""
        return f"{name} {next(self._step_numbers)}"

    # --- changes that are refused -----------------------------------------------------------

    def _on_types_refused(self, obstacle: NotPlain) -> None:
        """Tell why types cannot be changed, and show again those of the text."""
        self._refusal = None
        if self.period is not None:
            self._panel.show_types(self.period)
        # Without its line: the buttons of the banner would go there and set a value.
        self._panel.show_refusal("", NotPlain(obstacle.why))

    def _on_refused(self, changes: tuple[Change, ...], obstacle: NotPlain) -> None:
        """Tell why values cannot be changed, and show again what the text says."""
        self._terrain_with_new_limit = None
        self.refused.emit()
        if self.period is not None:
            self._panel.chart_page.show_period(self.period)
            self._panel.show_types(self.period)
        self._refusal = _Refusal(changes, obstacle)
        self._panel.show_refusal(self._question(changes), obstacle)

    def _question(self, changes: tuple[Change, ...]) -> str:
        """Return what *Set here* asks, such as "Give plains a max-wet of its own: 59?".

        It names the value alone if none of the changes can be made by a line of its own.
        """
        period = self.period
        new_values = []
        if period is not None:
            for change in changes:
                is_new = value_of(period, change.slot) != change.value
                if is_new and self._is_shared(change.slot):
                    new_values.append(change)
        if period is None or not new_values:
            return f"{self._name_of(changes[0].slot)}."
        if len(new_values) == 1:
            slot = new_values[0].slot
            owner = ", ".join(names_of(period, slot))
            return f"Give {owner} a {slot.word} of its own: {new_values[0].value}?"
        texts = [f"{self._name_of(change.slot)} {change.value}" for change in new_values]
        return f"Give these limits values of their own: {listed(texts)}?"

    def _name_of(self, slot: Slot) -> str:
        """Return the name of a value for a sentence: “max-alt of plains”."""
        if self.period is None:
            return slot.word
        names = names_of(self.period, slot)
        if not names:
            return slot.word
        return f"{slot.word} of {', '.join(names)}"

    def _is_shared(self, slot: Slot) -> bool:
        """Return whether what sets a value in the text sets others, too, or stands elsewhere."""
        return self.period is not None and why_not_plain(self.period, slot) is not None

    # --- lines ------------------------------------------------------------------------------

    def go_to(self, slot: Slot) -> None:
        """Show the line that sets a value; of one in an included file tell where it is."""
        if self.period is None:
            return
        assignment = assignment_of(self.period, slot)
        if assignment is None:
            return
        if assignment.file.name is None:
            self._show_line(assignment.place.line)
        else:
            self._tell_place_of(self.period, slot)

    def _tell_place_of(self, period: Period, slot: Slot) -> None:
        """Tell in which included file a value is set; *Set here* sets it to the same here."""
        obstacle = why_not_plain(period, slot)
        value = value_of(period, slot)
        if obstacle is not None and value is not None:
            self._refusal = _Refusal((Change(slot, value),), obstacle)
            self._panel.show_refusal(f"{self._name_of(slot)}.", obstacle)

    def go_to_refused_line(self) -> None:
        """Show the line of the error, or the one that sets the value whose change was refused."""
        line = None
        if self.error is not None:
            line = self.error.line
        elif self._refusal is not None:
            line = self._refusal.obstacle.line
        if line is not None:
            self._show_line(line)

    def _show_line(self, line: int) -> None:
        """Go to a line in the editor of the map's script."""
        self._desk.docks.show("randomize")
        self._desk.scripts.editor_link.go_to(line)


def _change_text(changes: list[Change], text: str, further: Mapping[str, str]) -> str | Refused:
    """Return the text of a period with changed values, or why it cannot be had."""
    return _text_or_refused(change_values(text or packaged_text(MODERN), changes, further))


def _text_or_refused(result: str | NotPlain) -> str | Refused:
    """Return the new text of a change, or the obstacle as the reason why there is none."""
    if isinstance(result, NotPlain):
        return Refused(result)
    return result
