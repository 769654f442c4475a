"""The banner above a script that tells that no roll could have what is locked on the map."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.widgets.layout.banner import Banner
from randomizer.forced_roll import can_be_forced
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem

MAX_NAMES = 2
"""The most cells and sides that the button names; more are counted, since the panel is narrow."""

MAX_MESSAGES = 2
"""The most problems whose messages the banner has: the problem list has all."""

LOCK_IMPOSSIBLE = "lock-impossible"
"""The code of a problem that says which lock no map can have."""


class LockedPlace(NamedTuple):
    """A locked cell, or a locked side of one, for which a roll has failed."""

    cell: int

    side: int | None
    """The number of the side; None for the cell itself."""

    def name(self, battlemap: BattleMap) -> str:
        """Return the name, such as "D4" or "north of D4"."""
        cell_name = battlemap.system.cell_name(battlemap.grid, self.cell)
        if self.side is None:
            return cell_name
        return f"{battlemap.grid.layout.side_names[self.side]} of {cell_name}"

    def unlocking_edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit that unlocks the cell or the side; None if it is not locked."""
        if self.side is None:
            return set_locks(battlemap, [self.cell], locked=False)
        # The index of the side among the sides of all cells.
        flat_side = self.cell * battlemap.grid.degree + self.side
        return set_locks(battlemap, [flat_side], locked=False, sides=True)


class LockBanner(Banner):
    """Tells that a roll has failed for locked cells or sides, until locks or layers change.

    Its button forces the roll; ``unlock`` unlocks the cells and sides that the problems name.
    """

    problems_outdated = Signal()
    """Locks or layers have changed, so that the problems of that roll are out of date."""

    def __init__(
        self, document: MapDocument, rolling: Rolling, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            "Force it",
            "Roll freely and put what is locked back: the problems then say what that breaks",
            parent,
            below=True,  # the buttons below the text
        )
        self._document = document
        self._rolling = rolling
        self._places: tuple[LockedPlace, ...] = ()
        """The locked cells and sides that the problems of the roll name, each once."""
        self.unlock = self.add_button("Unlock", "Let rolls change it again")
        connect(self.accepted, rolling.roll_by_force)
        connect(self.unlock.clicked, self._unlock)
        connect(rolling.reported, self._on_roll_reported)
        connect(rolling.key_choice.key_changed, self.hide_banner)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.hide_banner)

    def hide_banner(self) -> None:
        """Hide the banner, which is hidden while it has no text."""
        self._places = ()
        self.say("")

    def _on_roll_reported(self, problems: tuple[Problem, ...]) -> None:
        """Show the banner for the problems of a roll, or hide it if locks are not the reason."""
        if not problems or not can_be_forced(problems):
            self.hide_banner()
            return
        places = [
            LockedPlace(problem.cell, problem.side)
            for problem in problems
            if problem.cell is not None
        ]
        self._places = tuple(dict.fromkeys(places))
        # All problems of such a roll are of one kind: locks that nothing can have, or none tried.
        if problems[0].code == LOCK_IMPOSSIBLE:
            self.say(" ".join(problem.message for problem in problems[:MAX_MESSAGES]))
        else:
            self.say("None of the maps that were tried has what you locked.")
        self._show_unlock_button()

    def _show_unlock_button(self) -> None:
        """Show the names of the cells and sides on their button, or their number if it is large.

        The button is hidden if the problems name none.
        """
        names = [place.name(self._document.battlemap) for place in self._places]
        if len(names) > MAX_NAMES:
            text = f"Unlock {len(names)} places"
        else:
            text = f"Unlock {', '.join(names)}"
        self.unlock.setText(text)
        self.unlock.setAccessibleName(text)
        self.unlock.setVisible(bool(names))

    def _on_changed(self, region: Region) -> None:
        """Hide the banner when locks or layers have changed: the next roll may succeed."""
        if (region.locks or region.structure) and not self.isHidden():
            self.hide_banner()
            self.problems_outdated.emit()

    def _unlock(self) -> None:
        """Unlock what the problems name, as one undo step."""
        battlemap = self._document.battlemap
        edits = [place.unlocking_edit(battlemap) for place in self._places]
        self._document.push(compound(edits), self.unlock.text())
