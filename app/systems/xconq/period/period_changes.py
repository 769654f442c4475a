"""Changes of a period's values by the panel: each becomes a change of the period's text.

A *slot* is one value, such as the max-alt of plains. Most values are set by a word and a number in
the text, which is replaced. A value is *shared* if its line sets the values of several types, or
stands in an included file: a change there would change others, too. Then a value can only get a
line of its own, at the end of the text::

    change_in_place       the number in its line; a shared value is refused
    set_by_own_line       a new line
    set_value             in place, a shared value by a new line

A refusal is shown in the panel's banner (``RefusedValues``). Its button *Set here* makes the change
after all, by lines of their own (``give_own_lines``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.scripts.text_rewriter import Refused
from app.systems.xconq.period.chart_page import slot_of_edge
from app.systems.xconq.period.chart_words import describe_hidden_part
from app.systems.xconq.period.refused_values import RefusedValues
from app.systems.xconq.period.shown_period import ShownPeriod, describe_slot, is_shared
from app.systems.xconq.period.type_form import SINGLE_VALUE_WORDS
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import reading_of
from randomizer.systems.xconq.period.slots import Slot, assignment_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import Change, change_values
from randomizer.systems.xconq.period.words import TERRAINS
from randomizer.systems.xconq.scenario.type_changes import follow_types
from randomizer.systems.xconq.terrain.world_terrain import limits_of
from randomizer.systems.xconq.world.coverage import Box, boxes_of_limits, coverage

if TYPE_CHECKING:
    from app.scripts.map_script import MapScript
    from app.systems.xconq.period.period_panel import PeriodPanel
    from randomizer.systems.xconq.world.shared_edges import Edge


class MakeTypes(Protocol):
    """Makes the text of a period with other types."""

    def __call__(self, text: str, *, further: Mapping[str, str]) -> str | NotPlain:
        """Return the new text, or why there is none; ``further`` are the included files by name."""


class PeriodChanges(QObject):
    """Changes the period of the current map, and tells in the panel what cannot be changed."""

    refused = Signal()
    """A change cannot be made: previews of it end."""

    def __init__(self, desk: Desk, shown: ShownPeriod, panel: PeriodPanel) -> None:
        super().__init__(panel)
        self._desk = desk
        self._shown = shown
        self._panel = panel
        self._map_script = desk.scripts.map_script
        self._refused_values = RefusedValues(shown, panel)
        """What the banner of the panel tells."""
        self._step_numbers = count()
        """Numbers for changes that are undo steps of their own."""
        self._terrain_with_new_limit: int | None = None
        """The terrain type of which the last change has typed a limit.

        None if it has typed none, and once its text is read or refused.
        """

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
        title = "Move limits"
        if len(changes) == 1:
            title = f"Move {self._name_of(changes[0].slot)}"
        self._change(changes, step, title)

    def change_in_place(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set."""
        title = f"Change {self._name_of(slot)}"
        self._change([Change(slot, value)], _step_of_slot(slot), title)

    def set_by_own_line(self, slot: Slot, value: int | str) -> None:
        """Set a value by a new line at the end of the text."""
        title = f"Set {self._name_of(slot)}"
        self._change([Change(slot, value, append=True)], _step_of_slot(slot), title)

    def set_value(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set, or by a line of its own where others share that."""
        if is_shared(self._shown.period, slot):
            self.set_by_own_line(slot, value)
        else:
            self.change_in_place(slot, value)
        if slot.word in SINGLE_VALUE_WORDS[TERRAINS]:
            self._terrain_with_new_limit = slot.owner

    def give_own_lines(self) -> None:
        """Make the change that was refused, by a line for each value that is shared."""
        period = self._shown.period
        changes = []
        for change in self._refused_values.changes:
            changes.append(replace(change, append=is_shared(period, change.slot)))
        if not changes:
            return
        title = "Set limits"
        if len(changes) == 1:
            title = f"Set {self._name_of(changes[0].slot)}"
        self._change(changes, self._unique_step("own lines"), title)

    def _change(self, changes: Sequence[Change], step: str, title: str) -> None:
        """Give the period values. Changes with equal ``step`` within a second are one undo step."""
        self._refused_values.close()
        self._terrain_with_new_limit = None
        # The text is made on another thread; ``refused`` is called on that of the window.
        self._map_script.rewrite(
            partial(_change_text, changes),
            step,
            title=title,
            on_refused=partial(self._on_refused, changes),
        )

    def _on_refused(self, changes: Sequence[Change], obstacle: NotPlain) -> None:
        """Tell why values cannot be changed, and show again what the text says."""
        self._terrain_with_new_limit = None
        self.refused.emit()
        self._panel.chart_page.show_period(self._shown.period)
        self._panel.show_types(self._shown.period)
        self._refused_values.show_question(changes, obstacle)

    def report_hidden_part(self) -> None:
        """Say which part of a limit that was typed has no effect, since an earlier type takes it.

        It is called when the period was read from its new text.
        """
        terrain = self._terrain_with_new_limit
        self._terrain_with_new_limit = None
        period = self._shown.period
        if terrain is None or terrain >= len(period.terrains):
            return
        names = [terrain_type.name for terrain_type in period.terrains]
        text = describe_hidden_part(names, coverage(boxes_of_limits(limits_of(period))), terrain)
        if text:
            self._desk.say(text)

    # --- changes of types -------------------------------------------------------------------

    def change_types(self, make: MakeTypes, title: str) -> None:
        """Change the types of the period by what ``make`` makes of its text.

        The map follows in the same undo step: its units, conditions and counters.
        """
        self._refused_values.close()
        change = _TypeChange(make, self._map_script)
        # As in ``_change``; ``follow`` is called on the thread of the window, too.
        self._map_script.rewrite(
            change.make_text,
            self._unique_step("types"),
            title=title,
            on_refused=self._on_types_refused,
            make_further_edit=change.follow,
        )

    def _on_types_refused(self, obstacle: NotPlain) -> None:
        """Tell why types cannot be changed, and show again those of the text."""
        self._panel.show_types(self._shown.period)
        self._refused_values.show_types_obstacle(obstacle)

    # --- lines ------------------------------------------------------------------------------

    def go_to(self, slot: Slot) -> None:
        """Show the line that sets a value; of one in an included file tell where it is."""
        assignment = assignment_of(self._shown.period, slot)
        if assignment is None:
            return
        if assignment.file.name is None:
            self._show_line(assignment.place.line)
        else:
            self._refused_values.show_place_of(slot)

    def go_to_refused_line(self) -> None:
        """Show the line of the error, or the one that sets the value whose change was refused."""
        line = self._refused_values.line
        if self._shown.error is not None:
            line = self._shown.error.line
        if line is not None:
            self._show_line(line)

    def _show_line(self, line: int) -> None:
        """Go to a line in the editor of the map's script."""
        self._desk.docks.show("randomize")
        self._desk.scripts.editor_link.go_to(line)

    # --- undo steps -------------------------------------------------------------------------

    def _name_of(self, slot: Slot) -> str:
        """Return the name of a value for the title of an undo step."""
        return describe_slot(self._shown.period, slot)

    def _unique_step(self, name: str) -> str:
        """Return the name of an undo step that no other change is part of."""
        return f"{name} {next(self._step_numbers)}"


def _step_of_slot(slot: Slot) -> str:
    """Return the name of the undo step of all changes of a value that follow each other soon."""
    return f"inspector {slot}"


def _change_text(changes: Sequence[Change], text: str, further: Mapping[str, str]) -> str | Refused:
    """Return the text of a period with changed values, or why it cannot be had."""
    return _text_or_refused(change_values(text or packaged_text(MODERN), changes, further))


@dataclass(frozen=True)
class _TypeChange:
    """A change of the types of a period: its text is made anew, and the map follows."""

    make: MakeTypes

    map_script: MapScript

    def make_text(self, text: str, further: Mapping[str, str]) -> str | Refused:
        """Return the new text, or why there is none; on another thread."""
        return _text_or_refused(self.make(text or packaged_text(MODERN), further=further))

    def follow(self, text: str, battlemap: BattleMap) -> Edit | None:
        """Return the edit that makes units, conditions and counters of a map follow the text."""
        period = reading_of(text, None, self.map_script.texts).period
        return follow_types(battlemap, period_of(battlemap), period)


def _text_or_refused(result: str | NotPlain) -> str | Refused:
    """Return the new text of a change, or the obstacle as the reason why there is none."""
    if isinstance(result, NotPlain):
        return Refused(result)
    return result
