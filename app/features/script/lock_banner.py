"""The texts above a script when a roll is refused for what is locked, and the ways out."""

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
from randomizer.model.edits.edit import Edit, LayerField, Region
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem


class LockBanner(Banner):
    """Shown from a roll that failed for its locks until something is done about it.

    Its button forces the roll, ``unlock`` unlocks the places that the problems name. ``ended()``:
    locks or layers have changed, so the problems of that roll are out of date.
    """

    ended = Signal()

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
        self.unlock = self.add_button("Unlock", "Let rolls change it again")
        connect(self.accepted, rolling.force)
        connect(self.unlock.clicked, self._unlock)
        connect(rolling.reported, self._show)
        connect(rolling.state_changed, self.clear)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.clear)

    def clear(self) -> None:
        """Hide the banner."""
        self._show(())

    def _show(self, problems: tuple[Problem, ...]) -> None:
        if not problems or not can_be_forced(problems):
            self._problems = ()
            self.say("")
            return
        self._problems = tuple(problem for problem in problems if problem.cell is not None)
        if problems[0].code == "lock-impossible":
            self.say(" ".join(problem.message for problem in problems[:2]))
        else:
            self.say("None of the maps that were tried has what you locked.")
        names = dict.fromkeys(map(self._name, self._problems))
        if len(names) > 2:
            few = f"{len(names)} places"
        else:
            few = ", ".join(names)
        self.unlock.setText(f"Unlock {few}")
        self.unlock.setAccessibleName(self.unlock.text())
        self.unlock.setVisible(bool(names))

    def _name(self, problem: Problem) -> str:
        assert problem.cell is not None
        battlemap = self._document.battlemap
        name = battlemap.system.cell_name(battlemap.grid, problem.cell)
        if problem.side is None:
            return name
        return f"{battlemap.grid.layout.side_names[problem.side]} of {name}"

    def _on_changed(self, region: Region) -> None:
        if (region.locks or region.structure) and not self.isHidden():
            self.clear()
            self.ended.emit()

    def _unlock(self) -> None:
        battlemap = self._document.battlemap
        edits: list[Edit | None] = []
        for problem in self._problems:
            assert problem.cell is not None
            if problem.side is None:
                edits.append(set_locks(battlemap, [problem.cell], False))
            else:
                element = problem.cell * battlemap.grid.degree + problem.side
                edits.append(set_locks(battlemap, [element], False, sides=True))
        self._document.push(compound(edits), self.unlock.text())


class LockedLayerBanner(Banner):
    """Shown from a roll that a locked layer would not take, until layers or script are others.

    Its button unlocks the layer and does that roll, ``onto_new_layer`` rolls above it.
    """

    def __init__(self, document: MapDocument, rolling: Rolling) -> None:
        super().__init__("Unlock it and roll", "Unlock the layer and roll in its place", below=True)
        self._document = document
        self._rolling = rolling
        self._layer_id: int | None = None
        self._retry: Callable[[], object] = rolling.roll
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
        self._layer_id = layer.id
        self._retry = retry
        self.onto_new_layer.setVisible(not self._rolling.why_not_new_layer())
        self.say(locked_message(layer))

    def _clear(self) -> None:
        self.say("")

    def _unlock(self) -> None:
        battlemap = self._document.battlemap
        layer = next(
            (candidate for candidate in battlemap.layers if candidate.id == self._layer_id), None
        )
        if layer is not None:
            unlock = LayerField(layer.id, "locked", True, False)
            self._document.push(unlock, f"Unlock {layer.name}")
            self._retry()
