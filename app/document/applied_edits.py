"""Applies edits to the current map, and tells the desk what they changed.

``MapDocument`` is made from it and adds undo steps and strokes. ``_apply`` is where every change of
a map ends: it applies the edit, brings the composite, the active layer and the view in line with
it, and emits ``changed``. An edit that must not be applied is refused first, and the user is told
the reason (``work_refused``).
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from PySide6.QtCore import Signal

from app.background.actions import Stopped
from app.document.open_maps import OpenMaps
from app.qt_guard import report_fault
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError

Awaited = TypeVar("Awaited")


class AppliedEdits(OpenMaps):
    """The open maps, and the one way in which an edit gets into the current one.

    It is one of three layers of ``MapDocument``, and used by nobody else.
    """

    changed = Signal(object)
    """An edit was applied; the ``Region`` that it changed."""

    work_may_be_covered = Signal(str)
    """A message: a later roll of a layer above can cover what was painted just now."""

    work_refused = Signal(str)
    """A message with the reason why something was not done."""

    def __init__(self, battlemap: BattleMap) -> None:
        super().__init__(battlemap)
        self.revision = 0
        """Grows with every edit that is applied to any map, or tried; never gets smaller."""

    # --- applying ---------------------------------------------------------------------------

    def _apply(self, edit: Edit, active: int | None = None) -> None:
        """Apply an edit to the current map and tell of it, see ``_follow_edit``."""
        self.revision += 1  # before: a failing edit may have been seen by other threads
        edit.apply(self.battlemap)
        self._follow_edit(self._refresh_composite(edit), active)

    def _refresh_composite(self, edit: Edit) -> Region:
        """Bring the composite up to date with an applied edit, and return the edit's region.

        If the edit fails in this, it is applied all the same: then the region is everything, and
        the composite is made anew when it is asked for.
        """
        battlemap = self.battlemap
        current = self.current_map
        try:
            if current.composite is not None:
                could_update = edit.refresh(battlemap, current.composite)
                if not could_update:
                    current.composite = None
            return edit.region(battlemap)
        except Exception as fault:  # noqa: BLE001 - reported; the edit is applied
            report_fault(fault)
            current.composite = None
            return Region(
                everything=True, structure=True, locks=True, things=True, terrain_set=True
            )

    def _follow_edit(self, region: Region, active: int | None = None) -> None:
        """Bring what belongs to the current map in line with an applied edit, and tell of it.

        ``region`` is what the edit changed. ``active`` is the id of the layer that the undo step
        makes the active one; None, or one that is gone: the active layer stays if it still exists.
        """
        current = self.current_map
        if region.reshaped:  # cells have other numbers, and lie elsewhere, than before
            current.viewport = None
            current.selection = None
        has_active = any(layer.id == active for layer in current.battlemap.layers)
        if active is not None and has_active and active != current.active_layer_id:
            current.active_layer_id = active
            self.active_layer_changed.emit(active)
        elif region.structure:
            self._ensure_active_layer()
        if region.reshaped:  # only now: who listens may ask for the active layer
            self.selection_changed.emit()
        self.changed.emit(region)

    def _ensure_active_layer(self) -> None:
        """Make the topmost layer the active one if the active one is gone."""
        layers = self.battlemap.layers
        if all(layer.id != self.active_layer_id for layer in layers):
            self.current_map.active_layer_id = layers[-1].id
            self.active_layer_changed.emit(self.active_layer_id)

    def _warn_of_rolls_above(self, edit: Edit) -> None:
        """Emit ``work_may_be_covered`` if rolled layers lie above what an edit painted."""
        from randomizer.model.hand.targets import rolls_that_may_cover

        names = [layer.name for layer in rolls_that_may_cover(self.battlemap, edit)]
        if names:
            self.work_may_be_covered.emit(
                f"Painted below {' and '.join(names)}, which can cover it when rolled again."
            )

    # --- refusing ---------------------------------------------------------------------------

    def refuse(self, why: str) -> None:
        """Tell the user why nothing is done (``work_refused``)."""
        self.work_refused.emit(why)

    def _report(self, fault: Exception, why: str) -> None:
        """Report what went wrong inside the program, and tell the user ``why`` nothing is done."""
        fault.add_note(why)
        report_fault(fault)
        self.refuse(f"{why}.")

    def _is_refused_as_locked(self, edit: Edit) -> bool:
        """Tell the user if an edit would change a locked layer; return whether it would."""
        from randomizer.model.edits.locked_layers import blocking_layer

        layer = blocking_layer(self.battlemap, edit)
        if layer is None:
            return False
        self.refuse(f"The layer {layer.name} is locked: unlock it to change it.")
        return True

    def _is_refused_as_invalid(self, edit: Edit) -> bool:
        """Tell the user if an edit has values that no map can have; return whether it has."""
        from randomizer.model.edits.edit_gate import check_edit

        try:
            check_edit(self.battlemap, edit)
        except ProblemError as reason:
            self.refuse(f"Nothing was changed: {reason.problems[0].message}.")
            return True
        return False

    # --- waiting ----------------------------------------------------------------------------

    async def while_unchanged(self, text: str, waiting: Awaitable[Awaited]) -> Awaited:
        """Return what is awaited. Raises Stopped if the current map was changed meanwhile.

        So it does if another map is current then. The user is told that the action called ``text``
        has done nothing.
        """
        open_map = self.current_map
        revision = self.revision
        value = await waiting
        if self.current_map is not open_map or self.revision != revision:
            self.refuse(f"{text}: the map was changed meanwhile, so nothing was done.")
            raise Stopped
        return value
