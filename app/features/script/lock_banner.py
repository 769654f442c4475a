"""The banners above a script that tell why a roll was refused, and offer a way out.

A ``LockBanner`` shows if no map has what is locked on this one, a ``LockedLayerBanner`` if the
layer that would take the roll is locked. ``ScriptNotices`` has both.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.destination import locked_message
from app.rolling.rolling import Rolling
from app.widgets.layout.banner import Banner
from randomizer.forced_roll import can_be_forced
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem

MOST_NAMES = 2
"""The button names so many cells and sides; more are counted, since the panel is narrow."""

MOST_MESSAGES = 2
"""The banner has the messages of so many problems at most: the problem list has all."""


class LockBanner(Banner):
    """Tells that a roll has failed for locked cells or sides, until locks or layers change.

    Its button forces the roll; ``unlock`` unlocks the cells and sides that the problems name.
    """

    ended = Signal()
    """Locks or layers have changed, so that the problems of that roll are out of date."""

    def __init__(
        self, document: MapDocument, rolling: Rolling, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            "Force it",
            "Roll freely and put what is locked back: the problems then say what that breaks",
            parent,
            below=True,
        )
        self._document = document
        self._rolling = rolling
        self._problems: tuple[Problem, ...] = ()
        """The problems of the roll that name a locked cell, or a side of one."""
        self.unlock = self.add_button("Unlock", "Let rolls change it again")
        connect(self.accepted, rolling.roll_by_force)
        connect(self.unlock.clicked, self._unlock)
        connect(rolling.reported, self._show)
        connect(rolling.key_choice.key_changed, self.clear)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.clear)

    def clear(self) -> None:
        """Hide the banner."""
        self._show(())

    def _show(self, problems: tuple[Problem, ...]) -> None:
        """Show the banner for the problems of a roll, or hide it if locks are not the reason."""
        if not problems or not can_be_forced(problems):
            self._problems = ()
            self.say("")
            return
        self._problems = tuple(problem for problem in problems if problem.cell is not None)
        if problems[0].code == "lock-impossible":
            self.say(" ".join(problem.message for problem in problems[:MOST_MESSAGES]))
        else:
            self.say("None of the maps that were tried has what you locked.")
        self._show_unlock_button()

    def _show_unlock_button(self) -> None:
        """Show the names of the cells and sides on their button, or their number if it is large.

        The button is hidden if the problems name none.
        """
        names = dict.fromkeys(self._name_of(problem) for problem in self._problems)
        if len(names) > MOST_NAMES:
            text = f"Unlock {len(names)} places"
        else:
            text = f"Unlock {', '.join(names)}"
        self.unlock.setText(text)
        self.unlock.setAccessibleName(text)
        self.unlock.setVisible(bool(names))

    def _name_of(self, problem: Problem) -> str:
        """Return the name of the cell or side that a problem names: "D4" or "north of D4"."""
        assert problem.cell is not None
        battlemap = self._document.battlemap
        name = battlemap.system.cell_name(battlemap.grid, problem.cell)
        if problem.side is None:
            return name
        return f"{battlemap.grid.layout.side_names[problem.side]} of {name}"

    def _on_changed(self, region: Region) -> None:
        """Hide the banner when locks or layers have changed: the next roll may succeed."""
        if (region.locks or region.structure) and not self.isHidden():
            self.clear()
            self.ended.emit()

    def _unlock(self) -> None:
        """Unlock what the problems name, as one undo step."""
        battlemap = self._document.battlemap
        edits: list[Edit | None] = []
        for problem in self._problems:
            assert problem.cell is not None
            if problem.side is None:
                edits.append(set_locks(battlemap, [problem.cell], locked=False))
            else:
                # The index of the side among the sides of all cells.
                flat_side = problem.cell * battlemap.grid.degree + problem.side
                edits.append(set_locks(battlemap, [flat_side], locked=False, sides=True))
        self._document.push(compound(edits), self.unlock.text())


class LockedLayerBanner(Banner):
    """Tells that a locked layer would not take a roll, until layers or the script change.

    Its button unlocks the layer and rolls again; ``onto_new_layer`` rolls above the locked layer.
    """

    def __init__(self, document: MapDocument, rolling: Rolling) -> None:
        super().__init__("Unlock it and roll", "Unlock the layer and roll in its place", below=True)
        self._document = document
        self._rolling = rolling
        self._layer_id: int | None = None
        """The id of the locked layer; None before a roll was refused."""
        self._retry: Callable[[], object] = rolling.roll
        """Asks again for the roll that was refused; it is set together with ``_layer_id``."""
        self.onto_new_layer = self.add_button(
            "Roll onto a new layer", "The locked layer stays as it is, below the roll"
        )
        connect(self.accepted, self._unlock)
        connect(self.onto_new_layer.clicked, rolling.roll_onto_new_layer)
        connect(rolling.locked, self._show)
        connect(rolling.layers_changed, self._clear)
        connect(rolling.started, self._clear)
        connect(rolling.setup_changed, self._clear)

    def _show(self, layer: Layer, retry: Callable[[], object]) -> None:
        """Show that a layer is locked; ``retry`` asks for its roll again."""
        self._layer_id = layer.id
        self._retry = retry
        self.onto_new_layer.setVisible(not self._rolling.why_not_new_layer())
        self.say(locked_message(layer))

    def _clear(self) -> None:
        """Hide the banner."""
        self.say("")

    def _unlock(self) -> None:
        """Unlock the layer, if it is still there, and roll again."""
        for layer in self._document.battlemap.layers:
            if layer.id == self._layer_id:
                unlock = LayerField(layer.id, "locked", old_value=True, new_value=False)
                self._document.push(unlock, f"Unlock {layer.name}")
                self._retry()
                return
