"""The page of sides: add, remove and rename them, their attitudes, and what they have seen.

``SidesPage`` is a list of the sides with a form of the chosen one. While its box is ticked, a
``SideView`` shows on the canvas what that side has seen. Sides count from 0, as in files; the
owners of units count from 1, since the owner 0 is neutral (``_owner_of``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from app.background.actions import run
from app.desk.highlighted_owner import HighlightedOwner
from app.qt_guard import connect
from app.render.scene.things.looks import colour_of
from app.widgets.dialogs.choice import choose
from app.widgets.layout.builders import described
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import adding, removing
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.thing_owners import things_of_owner
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.countries.naming import side_names
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import MAX_SIDES
from randomizer.systems.xconq.scenario.side_edits import (
    ALLY,
    ENEMY,
    NEITHER,
    add_side,
    change_side,
    new_name,
    remove_side,
    set_attitude,
)

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from app.systems.xconq.scenario.side_view import SideView
    from randomizer.systems.xconq.records import Sides


def _owner_of(side: int) -> int:
    """Return the owner of the units of a side, which is given by its number from 0."""
    return side + 1


NAME = Setting("name", str, "What the side is called", "", title="Name")
"""The setting of a side's name."""

ATTITUDE = Setting(
    "towards",
    int,
    "How it stands to this side when the game begins",
    NEITHER,
    choices=((ENEMY, "enemy"), (NEITHER, "neutral"), (ALLY, "ally")),
    group="Attitude towards",
)
"""The setting of an attitude; that towards side 2 has the name "towards2"."""


class SidesPage(EntryEditor):
    """The sides, by their numbers; the form has name and attitudes of the chosen one."""

    def __init__(self, desk: Desk, records: ScenarioRecords, view: SideView) -> None:
        super().__init__(
            "Sides",
            "The sides of the game, with the colours of their units",
            empty="No sides: the game makes them up, and every unit is neutral.",
        )
        self._desk = desk
        self._records = records
        self._view = view
        self._owner = HighlightedOwner(desk.tools.options)
        self.view_box = described(
            QCheckBox("Show what this side has &seen"),
            tip="Darkens the hexes that it has not seen, and names the units that it knows of",
        )
        self.below_form.addWidget(self.view_box)
        self.offer(
            adding("Add a side", self.add, self.why_not_add),
            removing("Remove the side: its units become neutral, its conditions go", self.remove),
        )
        connect(self.view_box.toggled, self._show_view)
        self.follow(records.changed, records.replaced)
        self.refresh()

    # --- showing ----------------------------------------------------------------------------

    def is_offered(self) -> bool:
        return self._records.are_offered

    def entries(self) -> Iterable[Entry]:
        for index, side in enumerate(self._records.sides.sides):
            yield Entry(index, (side.name,), colour_of(None, _owner_of(index)))

    def settings_of(self, code: int) -> Form:
        return _form_of_side(self._records.sides, code)

    def on_entry_shown(self, code: int | None) -> None:
        """Offer to show what the side has seen, and go on placing units of the side highlighted.

        If the view of another side is on the canvas, that of this side takes its place.
        """
        if code is not None:
            self._owner.follow(_owner_of(code))
        has_view = code is not None and bool(self._records.sides.sides[code].view)
        self.view_box.setVisible(has_view)
        self._follow_view(code, has_view=has_view)
        with QSignalBlocker(self.view_box):
            self.view_box.setChecked(has_view and self._view.side == code)

    def refresh_all(self) -> None:
        """Show the sides of another map, where the owner of new units stays as it is."""
        self._owner.forget()
        super().refresh_all()

    def _follow_view(self, code: int | None, *, has_view: bool) -> None:
        """Show the view of this side in place of that of another one, or none if it has none."""
        if self._view.side is None:
            return
        if has_view:
            self._view.show_side(code)
        else:
            self._view.show_side(None)

    def on_entry_chosen(self, code: int) -> None:
        """Place units of this side from now on."""
        self._place_units_of(code)

    def _place_units_of(self, code: int) -> None:
        """Let a side own the units that are placed from now on, and say so."""
        self._owner.choose(_owner_of(code))
        name = self._records.sides.sides[code].name
        # The next step can give the side another name.
        self._desk.say_until_next_step(f"Units that you place from now on are {name}'s.")

    def _show_view(self, is_checked: bool) -> None:
        """Show what the chosen side has seen, or the whole map again."""
        if is_checked:
            self._view.show_side(self.code)
        else:
            self._view.show_side(None)

    # --- changing ---------------------------------------------------------------------------

    def why_not_add(self) -> str:
        """Return the reason why no side can be added; "" if one can."""
        is_full = len(self._records.sides.sides) >= MAX_SIDES
        if is_full:
            return f"A game has at most {MAX_SIDES} sides."
        return ""

    def add(self) -> None:
        """Add a side with a name of the period; units that are placed next belong to it."""
        period = period_of(self._records.battlemap)
        names = list(period.side_names)
        if not period.clears_side_names:
            names += side_names()  # those that are built into the game
        name = new_name(self._records.sides, names)
        if self._records.document.change_map(partial(add_side, name=name), "Add a side"):
            self._place_units_of(len(self._records.sides.sides) - 1)

    def remove(self, index: int) -> None:
        """Remove a side; the user is asked about one with units or conditions."""
        run(self._remove(index))

    async def _remove(self, index: int) -> None:
        """Remove a side, after a question that tells what would be lost with it."""
        document = self._records.document
        name = self._records.sides.sides[index].name
        unit_count = len(things_of_owner(self._records.battlemap, _owner_of(index)))
        conditions = self._records.globals.conditions
        condition_count = sum(condition.side == index for condition in conditions)
        losses = []
        if unit_count:
            losses.append(f"{counted(unit_count, 'unit')} of {name} will be neutral.")
        if condition_count:
            losses.append(f"{counted(condition_count, 'condition')} of {name} will be removed.")
        title = f"Remove the side {name}"
        if losses:
            text = " ".join(losses)
            question = choose(self, "Remove the side?", text, "Undo brings all back.", ("Remove",))
            # None: the user has cancelled, or the map has changed during the question.
            if await document.while_unchanged(title, question) is None:
                return
        document.change_map(partial(remove_side, index=index), title)

    def change(self, code: int, name: str, value: object) -> bool:
        document = self._records.document
        if name == NAME.name:
            rename = partial(change_side, index=code, name=str(value or "").strip())
            return document.change_map(rename, "Rename a side", f"xconq name of side {code}")
        towards = int(name.removeprefix(ATTITUDE.name))
        make = partial(set_attitude, index=code, towards=towards, attitude=int(str(value)))
        return document.change_map(make, "Change attitude", f"xconq attitude {code} {towards}")


def _form_of_side(sides: Sides, index: int) -> Form:
    """Return the settings of one side, and its values."""
    side = sides.sides[index]
    settings = [NAME]
    values: dict[str, object] = {"name": side.name}
    for number, other_side in enumerate(sides.sides):
        if number == index:
            continue
        attitude = NEITHER
        if number < len(side.attitudes):
            attitude = side.attitudes[number]
        name = f"{ATTITUDE.name}{number}"
        setting = replace(ATTITUDE, name=name, title=other_side.name)
        if attitude not in setting.values:
            # A file can have any number as an attitude, which then is a choice, too.
            setting = replace(setting, choices=(*setting.choices, (attitude, str(attitude))))
        settings.append(setting)
        values[name] = attitude
    return tuple(settings), values
