"""The page of conditions: a list of who wins or loses when, and a form for the chosen one.

A condition (``Condition``) is one row of a table in the files of Xconq; ``describe_condition``
makes a sentence of it, ``condition_form`` the form. A changed condition is written back to the
record of the map's globals, as one undo step (``_write``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.canvas.area_pick import AreaPick
from app.canvas.canvas import MapCanvas
from app.qt_guard import connect
from app.systems.xconq.scenario.condition_form import change_condition, settings_of_condition
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, adding, removing
from randomizer.systems.xconq.records import GLOBALS, MAX_CONDITIONS, Condition, ConditionKind
from randomizer.systems.xconq.scenario.condition_words import describe_condition
from randomizer.systems.xconq.scenario.conditions import EVERY_SIDE, with_number_for_each_type

if TYPE_CHECKING:
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords

NEW = Condition(
    wins=True,
    kind=ConditionKind.TERRITORY,
    start=0,
    end=1000,
    side=EVERY_SIDE,
    numbers=(30,),
)
"""The condition that *Add* makes: to hold territory that is worth 30.

``ConditionsPage.add`` replaces its end by the last turn of the game.
"""


class ConditionsPage(EntryEditor):
    """Lists the conditions as sentences, and shows the form of the chosen one.

    The code of an entry is the index of its condition.
    """

    def __init__(self, records: ScenarioRecords, canvas: MapCanvas) -> None:
        super().__init__(
            "Conditions",
            "Who wins or loses when",
            empty="No conditions: who has no units left is out of the game, and the last one wins.",
            wraps=True,
        )
        self._records = records
        self.area_pick = AreaPick(canvas, self)
        self.offer(
            adding("Add a condition", self.add, self.why_not_add),
            removing("Remove the chosen condition", self.remove),
            Operation(
                "Pick on the map",
                "Click the hex that has to be held (Esc: leave it)",
                lambda _code: self.area_pick.begin(),
                self.why_not_pick,
                of_form=True,
            ),
        )
        connect(self.area_pick.picked, self._set_picked_hex)
        self.follow(records.changed, records.replaced)
        self.refresh()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the current map."""
        return self._records.globals.conditions

    def _condition(self, code: int) -> Condition:
        """Return the condition with a number for each type of the period."""
        return with_number_for_each_type(self.conditions[code], self._records.names)

    # --- showing ----------------------------------------------------------------------------

    def is_offered(self) -> bool:
        return self._records.are_offered

    def entries(self) -> Iterable[Entry]:
        names = self._records.names
        for index, condition in enumerate(self.conditions):
            yield Entry(index, (f"{describe_condition(condition, names)}.",))

    def settings_of(self, code: int) -> Form:
        names = self._records.names
        grid = self._records.battlemap.grid
        return settings_of_condition(self._condition(code), names, grid)

    # --- changing ---------------------------------------------------------------------------

    def why_not_add(self) -> str:
        """Return the reason why no condition can be added; "" if one can."""
        is_full = len(self.conditions) >= MAX_CONDITIONS
        if is_full:
            return f"At most {MAX_CONDITIONS} conditions count."
        return ""

    def add(self) -> None:
        """Add a condition that lasts until the end of the game."""
        end = max(self._records.globals.end_time, 0)
        self._write((*self.conditions, replace(NEW, end=end)), "Add a condition")

    def remove(self, code: int) -> None:
        """Remove a condition."""
        conditions = self.conditions[:code] + self.conditions[code + 1 :]
        self._write(conditions, "Remove a condition")

    def change(self, code: int, name: str, value: object) -> bool:
        condition = change_condition(self._condition(code), name, value, self._records.names)
        return self._replace(code, condition, name)

    def why_not_pick(self, code: int | None) -> str:
        """Return the reason why no hex can be picked for a condition; "" if one can."""
        if code is not None and self.conditions[code].kind is ConditionKind.PLACE:
            return ""
        return "The condition is not about a hex."

    def _set_picked_hex(self, cell: int) -> None:
        """Write the picked hex into the chosen condition; -1: the user has picked none."""
        code = self.code
        if cell >= 0 and not self.why_not_pick(code):
            x, y = self._records.battlemap.grid.xy(cell)
            condition = self._condition(code)
            _old_x, _old_y, unit = condition.numbers  # ``HEX_FIELDS``
            self._replace(code, replace(condition, numbers=(x, y, unit)), "place")
        self.buttons["Pick on the map"].setFocus()

    def _replace(self, code: int, condition: Condition, what: str) -> bool:
        """Change a condition; return whether the map has changed.

        Changes of the same condition with the same ``what``, such as the name of a field, become
        one undo step if they follow each other.
        """
        conditions = (*self.conditions[:code], condition, *self.conditions[code + 1 :])
        return self._write(conditions, "Change a condition", f"xconq condition {code} {what}")

    def _write(self, conditions: Sequence[Condition], title: str, merge_key: str = "") -> bool:
        """Give the map these conditions, as an undo step called ``title``.

        Return whether the map has changed. Changes with the same ``merge_key`` in a row become one
        undo step; "": a step of its own.
        """
        value = replace(self._records.globals, conditions=tuple(conditions))
        return self._records.write(GLOBALS, value, title, merge_key)
