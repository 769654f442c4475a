"""Copies, cuts, deletes and duplicates the picked things, and picks those like them.

A *thing* stands on the map, such as a unit or a name; things are *picked* by a click with their
tool. ``feature.py`` makes a ``PickedThings``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.selection import clipboard
from randomizer.geometry.stamp_cutting import cut_things
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.thing_edits import add_things, remove_things
from randomizer.model.hand.targets import topmost_part, why_not
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import thing_text, things_of_kinds
from randomizer.model.things.things import Thing

NOTHING_PICKED = "No thing is picked: click one with the tool Things."
"""The message of a command that needs picked things."""


class PickedThings(QObject):
    """Does what commands say with the picked things of a desk."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document

    def commands(self) -> tuple[Command, ...]:
        """Return the commands that are for things alone."""
        return (
            Command(
                "things.duplicate",
                "&Duplicate",
                self.duplicate,
                tip="Place copies of the picked things beside them",
                keys="Ctrl+D",
                offered=self._has_things,
                words="copy clone units",
            ),
            Command(
                "things.pick-alike",
                "Pick a&like",
                self.pick_alike,
                tip="Pick all things of the kinds that are picked",
                offered=self._has_things,
                words="select same kind similar units",
            ),
        )

    def _has_things(self) -> bool:
        """Return whether the current map can have things."""
        return self._desk.tools.suits("things")

    @property
    def is_any_picked(self) -> bool:
        """True if the commands are about things, since some are picked on the map."""
        return bool(self._document.picked)

    def copy(self) -> bool:
        """Copy the picked things, of which there must be some, to the clipboard, and tell the user.

        Return False if all lie off the map: nothing is copied then, since a copy is put down on the
        cells of its things.
        """
        battlemap = self._document.battlemap
        things = self._document.picked
        assert things, "the caller has looked"
        points = np.array([(thing.x, thing.y) for thing in things])
        cells = battlemap.grid.cells_at(points)
        cells = np.unique(cells[cells >= 0])
        if not len(cells):
            self._desk.say("What is picked lies off the map.")
            return False
        clipboard.copy_stamp(battlemap, cut_things(battlemap, things), cells)
        self._desk.say(f"{counted(len(things), 'thing')} copied. Paste takes them in hand.")
        return True

    def cut(self) -> None:
        """Copy the picked things, of which there must be some, and remove them."""
        if self.copy():
            self._push_removal(self._document.picked, "Cut")

    def delete(self) -> None:
        """Remove the picked things, and tell the user."""
        self.remove(self._document.picked)

    def remove(self, things: Sequence[Thing]) -> None:
        """Remove things, and tell the user."""
        if not self._push_removal(things, "Delete"):
            return  # the document has told why
        if len(things) == 1:
            name = thing_text(things[0], kinds_by_name(self._document.battlemap))
            self._desk.say(f"{name} deleted. Undo brings it back.")
        else:
            self._desk.say(f"{len(things):,} things deleted. Undo brings them back.")

    def _push_removal(self, things: Sequence[Thing], verb: str) -> bool:
        """Remove things in an undo step such as "Delete a thing"; return whether it was done."""
        edit = remove_things(self._document.battlemap, [thing.id for thing in things])
        return self._document.push(edit, f"{verb} {_counted_things(things)}")

    def duplicate(self) -> None:
        """Place copies of the picked things beside them, in the active layer, and pick these."""
        document = self._document
        things = self._document.picked
        if not things:
            self._desk.say(NOTHING_PICKED)
            return
        battlemap = document.battlemap
        active = document.active_layer_id
        refusal = why_not(battlemap, active)
        if refusal:
            document.refuse(refusal)
            return
        # The map gives new things the next free ids, one after the other: so the copies are known.
        first_id = battlemap.next_thing_id
        layer = topmost_part(battlemap, active)  # a roll of several parts has its things on top
        edit = add_things(battlemap, layer.id, self._moved_aside_if_possible(things))
        if document.push(edit, f"Duplicate {_counted_things(things)}"):
            document.pick(range(first_id, first_id + len(things)))

    def _moved_aside_if_possible(self, things: list[Thing]) -> list[Thing]:
        """Return things moved by one cell, all to the same side, so that they stay on the map.

        If no side has room for all of them, they are returned where they are.
        """
        grid = self._document.battlemap.grid
        for q, r in grid.layout.steps:
            shift_x, shift_y = grid.layout.point(q, r)
            moved_things = [
                replace(thing, x=thing.x + shift_x, y=thing.y + shift_y) for thing in things
            ]
            # Off the map ``cell_at`` returns -1.
            if all(grid.cell_at(thing.x, thing.y) >= 0 for thing in moved_things):
                return moved_things
        return things

    def pick_alike(self) -> None:
        """Pick all visible things of the kinds that are picked, or of the kind that is placed."""
        document = self._document
        next_thing = self._desk.tools.options.thing
        kinds = {thing.kind for thing in document.picked}
        if not kinds and next_thing is not None:
            kinds = {next_thing.kind}
        if not kinds:
            self._desk.say(NOTHING_PICKED)
            return
        self._desk.tools.choose("things")
        document.pick(thing.id for thing in things_of_kinds(document.battlemap, kinds))
        self._desk.say(f"{counted(len(document.picked), 'thing')} picked.")


def _counted_things(things: Sequence[Thing]) -> str:
    """Return "a thing" or "3 things", for the text of an undo step."""
    if len(things) == 1:
        return "a thing"
    return f"{len(things):,} things"
