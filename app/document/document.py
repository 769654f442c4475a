"""The document of the desk: the open maps with their undo steps.

The work is done in three layers, each a class made from the one below it:

1. ``OpenMaps`` (open_maps.py): which maps are open, and what is selected in the current one.
2. ``AppliedEdits`` (applied_edits.py): how an edit gets into the current map.
3. ``MapDocument``, here: undo steps. Read its docstring first, then ``push`` (a whole step at
   once), ``stroke`` (a step that grows while the mouse is dragged) and ``go_to`` (undo and redo).
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Signal

from app.document.applied_edits import AppliedEdits
from app.document.stroke import Stroke
from app.document.undo_history import ActiveLayers, MergeKey, RollKeys, UndoStep
from app.qt_guard import report_fault
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import Assets

Planned = TypeVar("Planned")


class RefusedChangeError(Exception):
    """A change cannot be made of the map; the message is a sentence for the user."""


class _MadeEdit(NamedTuple):
    """The outcome of ``_make_and_apply``."""

    edit: Edit | None
    """The edit that is applied now; None if there is nothing to change, or it was refused."""

    is_refused: bool
    """True if there is no such edit for a reason that the user has been told."""


class MapDocument(AppliedEdits):
    """The open maps and the undo steps of each. Lives on the UI thread.

    Nothing else in the desk calls ``Edit.apply``. An edit gets here in one of three ways:

    - ``push(edit, text)`` applies it as one undo step, ``push_on`` as a step that may take the
      place of the one before (keys typed quickly), and ``change_map`` does either for values that
      a person gave in a form;
    - a stroke: ``begin_stroke(text)``, ``stroke(edit)`` any number of times (each edit is applied
      at once), then ``end_stroke()`` makes one undo step of them or ``cancel_stroke()`` takes them
      back. Whatever else changes or exchanges the map cancels a stroke under way first;
    - ``undo``, ``redo`` and ``go_to``.

    Edits by hand to locked layers, and all with values that no map has, are refused. ``revision``
    grows before every applied edit, those of strokes included. Work on other threads gets
    ``battlemap.snapshot()`` or ``composite.copy()``, or reads the live map and drops its result if
    ``revision`` has grown meanwhile. ``recorder`` has stored a committed step before the call that
    made it returns.
    """

    steps_changed = Signal()
    """Undo steps were added, removed, done or undone."""

    roll_key_restored = Signal(object)
    """A step of a roll was done, undone or redone; the ``DrawKey`` that counts now."""

    def __init__(self, battlemap: BattleMap) -> None:
        super().__init__(battlemap)
        self._stroke: Stroke | None = None
        """The stroke under way; None outside one."""

    def _leave(self) -> None:
        """Cancel a stroke under way before another map becomes current."""
        self.cancel_stroke()
        super()._leave()

    # --- undo steps -------------------------------------------------------------------------

    def push(
        self,
        edit: Edit | None,
        text: str,
        *,
        active: int | None = None,
        roll_keys: RollKeys | None = None,
        generated: bool = False,
        merge: MergeKey | None = None,
        is_preparation: bool = False,
    ) -> bool:
        """Apply ``edit`` as one undo step called ``text``; False if it is None or refused.

        - ``active`` is the id of the layer that becomes the active one; None: it stays the same.
        - ``roll_keys`` are the keys on display before and after the step: ``roll_key_restored``
          emits the first when it is undone, the second when it is done or redone.
        - A ``generated`` edit may change locked layers, which are locked against changes by hand.
        - A later ``push_on`` with a key that follows ``merge`` replaces this step; None: none does.
        - A saved map is not unsaved by an edit that ``is_preparation`` only.
        """
        self.cancel_stroke()
        if edit is None:
            return False
        if not generated and self._is_refused_as_locked(edit):
            return False
        if self._is_refused_as_invalid(edit):
            return False

        old_active = self.active_layer_id
        new_active = active
        if new_active is None:
            new_active = old_active
        try:
            self._apply(edit, new_active)
        except Exception as fault:  # noqa: BLE001 - reported; the map is as it was
            self._report(fault, f"“{text}” could not be done")
            return False
        if roll_keys is not None:
            self.roll_key_restored.emit(roll_keys.after)
        active_layers = ActiveLayers(old_active, new_active)
        step = UndoStep(text, edit, active_layers, roll_keys, merge, is_preparation)
        self._append(edit, step)
        return True

    def push_on(
        self,
        make: Callable[[BattleMap], Edit | None],
        text: str,
        merge: MergeKey,
        *,
        roll_keys: RollKeys | None = None,
    ) -> bool:
        """Apply the edit that ``make`` returns for the map, as part of the last step if it can be.

        If the last step has a key that ``merge`` follows, it is undone first, and the new edit
        replaces its edit: ``make`` gets the map as it was before that step. So "P", "Pl", "Pla"
        typed as a name are one step. Otherwise the edit is a new step. It may change locked layers,
        as a ``generated`` one of ``push``. Return False if the step changes nothing, or is refused
        (``work_refused`` says why), also because of a fault of the program.
        """
        self.cancel_stroke()
        last = self.history.step_to_merge_into(merge)
        if last is None:
            edit = self.plan(make)
            return self.push(edit, text, roll_keys=roll_keys, generated=True, merge=merge)
        if not self._push_again(last, make, text, roll_keys):
            return False
        last.merge = merge
        return True

    def change_map(
        self, make: Callable[[BattleMap], Edit | None], text: str, field: str = ""
    ) -> bool:
        """Change the map by hand, as one undo step; False if nothing changes or it is refused.

        ``make`` raises ValueError, with the reason, for values that no map can have; the user is
        told the reason. Changes of one ``field`` within a second are one step (``push_on``); they
        change records or the terrain set, which the lock of a layer does not protect.
        """

        def make_or_refuse(battlemap: BattleMap) -> Edit | None:
            """Return the edit; raise a ValueError as the error whose message is shown."""
            try:
                return make(battlemap)
            except ValueError as reason:
                # Reasons are written as the second half of a sentence: a small letter, no full
                # stop. ``capitalize`` would also make small letters of the names in them.
                why = str(reason)
                raise RefusedChangeError(f"{why[:1].upper()}{why[1:]}.") from reason

        try:
            if field:
                return self.push_on(make_or_refuse, text, MergeKey(field, monotonic()))
            return self.push(self.plan(make_or_refuse), text)
        except RefusedChangeError as refusal:
            self.refuse(str(refusal))
            return False

    def plan(self, make: Callable[[BattleMap], Planned]) -> Planned:
        """Return the result of ``make`` for the current map, such as an edit.

        ``make`` may change the map while it works if it takes all of it back. ``revision`` grows,
        since other threads may have read the map in between.
        """
        self.cancel_stroke()
        self.revision += 1
        return make(self.battlemap)

    def add_assets(self, assets: Assets) -> None:
        """Give the current map pictures that an edit will name; what none names is not saved."""
        self.battlemap.assets.update(assets)

    # --- a step that takes the place of the one before it -----------------------------------

    def _push_again(
        self,
        last: UndoStep,
        make: Callable[[BattleMap], Edit | None],
        text: str,
        roll_keys: RollKeys | None,
    ) -> bool:
        """Replace the edit of the last step by what ``make`` makes of the map before that step.

        Return False if no edit is left, and the step is removed, or if the new edit is refused, and
        the step stays as it is. Listeners hear of the map only when it is complete: taking back one
        edit and applying another is one change to them.
        """
        battlemap = self.battlemap
        why = f"“{text}” could not be done"
        self.revision += 1  # before: other threads may see the map between the two edits

        # Go back to the map before the step.
        try:
            old_edit = self._edit_of(last, done=True)
            inverse = old_edit.inverse()
            inverse.apply(battlemap)
        except Exception as fault:  # noqa: BLE001 - reported; the map is as it was
            self._report(fault, why)
            return False
        region = self._refresh_composite(inverse)

        # Go on from there by another edit, or by the old one if that is refused.
        edit, is_refused = self._make_and_apply(make, why)
        if is_refused:
            old_edit.apply(battlemap)
            self._follow_edit(region.union(self._refresh_composite(old_edit)))
            return False
        if edit is None:
            self._follow_edit(region)
            self._remove_last_step(last)
            return False
        region = region.union(self._refresh_composite(edit))

        # Put the edit into the step before listeners, who may read the history, are told.
        last.edit = edit
        last.edit_count += 1
        if roll_keys is not None:
            # Undo leads to the key before the first of the merged rolls.
            state_before = roll_keys.before
            if last.roll_keys is not None:
                state_before = last.roll_keys.before
            last.roll_keys = RollKeys(state_before, roll_keys.after)
        self._follow_edit(region)
        if last.roll_keys is not None:
            self.roll_key_restored.emit(last.roll_keys.after)
        self.recorder.pushed(self.current_map)
        return True

    def _make_and_apply(self, make: Callable[[BattleMap], Edit | None], why: str) -> _MadeEdit:
        """Apply what ``make`` makes of the current map.

        If it is refused the map is unchanged, and the user has been told the reason: ``why`` where
        the program itself is at fault.
        """
        battlemap = self.battlemap
        try:
            edit = make(battlemap)
            if edit is not None:
                if self._is_refused_as_invalid(edit):
                    return _MadeEdit(None, is_refused=True)
                edit.apply(battlemap)
        except RefusedChangeError as refusal:
            self.refuse(str(refusal))
            return _MadeEdit(None, is_refused=True)
        except Exception as fault:  # noqa: BLE001 - reported; the caller puts the map back
            self._report(fault, why)
            return _MadeEdit(None, is_refused=True)
        return _MadeEdit(edit, is_refused=False)

    def _remove_last_step(self, last: UndoStep) -> None:
        """Remove the last undo step, whose edit was taken back: the map is as it was before it."""
        self.history.remove_last()
        self.recorder.moved(self.current_map)
        # Nothing is merged into a saved step: so the map was not clean before.
        self._tell_of_steps(was_clean=False)
        if last.roll_keys is not None:
            self.roll_key_restored.emit(last.roll_keys.before)

    # --- undo and redo ----------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last step that is done; nothing happens if there is none.

        In the middle of a stroke, which is no step yet, only the stroke is taken back.
        """
        if self._stroke is not None and self._stroke.edits and not self._stroke.is_preview:
            self.cancel_stroke()
        else:
            self.go_to(self.history.index - 1)

    def redo(self) -> None:
        """Do the next step that was undone again; nothing happens if there is none."""
        self.go_to(self.history.index + 1)

    def go_to(self, index: int) -> None:
        """Undo or redo steps until ``index`` are done, or one cannot be (``work_refused``)."""
        history = self.history
        start = history.index
        was_clean = history.is_clean
        while history.index != index:
            if index < history.index:
                step = history.next_undo
                if step is None or not self._undo_or_redo(step, done=True):
                    break
                history.index -= 1
            else:
                step = history.next_redo
                if step is None or not self._undo_or_redo(step, done=False):
                    break
                history.index += 1
        if history.index != start:
            self.recorder.moved(self.current_map)
            self._tell_of_steps(was_clean=was_clean)

    def _undo_or_redo(self, step: UndoStep, *, done: bool) -> bool:
        """Undo a step that is ``done``, or do it again if it is not.

        False if that is impossible: the map is unchanged, and the user is told the reason.
        """
        self.cancel_stroke()
        if done:
            why = f"“{step.text}” cannot be undone"
            active = step.active.old_id
        else:
            why = f"“{step.text}” cannot be redone"
            active = step.active.new_id
        try:
            edit = self._edit_of(step, done=done)
            if done:
                edit = edit.inverse()
            self._apply(edit, active)
        except ProblemError as reason:
            self.refuse(f"{why}: {reason.problems[0].message}.")
            return False
        except Exception as fault:  # noqa: BLE001 - reported; the map is as it was
            self._report(fault, why)
            return False
        if step.roll_keys is not None:
            if done:
                self.roll_key_restored.emit(step.roll_keys.before)
            else:
                self.roll_key_restored.emit(step.roll_keys.after)
        return True

    def _edit_of(self, step: UndoStep, *, done: bool) -> Edit:
        """Return the edit of a step, which is ``done`` or not.

        Raises ProblemError if it cannot be fetched.
        """
        if step.edit is not None:
            return step.edit
        return self.recorder.fetch(self.current_map, step, done=done)

    # --- strokes ----------------------------------------------------------------------------

    @property
    def in_stroke(self) -> bool:
        """True if a stroke has begun and not ended."""
        return self._stroke is not None

    @property
    def in_preview(self) -> bool:
        """True if the stroke under way is a preview (``begin_stroke``)."""
        return self._stroke is not None and self._stroke.is_preview

    def begin_stroke(self, text: str, *, preview: bool = False) -> None:
        """Begin a stroke whose edits will become one undo step called ``text``.

        A ``preview`` is to be cancelled, not ended; rolls do not wait for it, and cancel it.
        """
        self.cancel_stroke()
        self._stroke = Stroke(text, self.active_layer_id, is_preview=preview)

    def stroke(self, edit: Edit | None) -> None:
        """Apply one more edit of the stroke at once. Raises RuntimeError outside a stroke."""
        if self._stroke is None:
            raise RuntimeError("no stroke has begun")
        if edit is None or self._is_refused_as_locked(edit) or self._is_refused_as_invalid(edit):
            return
        self._apply(edit)
        self._stroke.edits.append(edit)

    def end_stroke(self) -> bool:
        """Make one undo step of the stroke; False if it changed nothing, or none has begun.

        A preview is never ended but cancelled.
        """
        from randomizer.model.edits.merged_edits import squash
        from randomizer.model.hand.step_texts import step_text

        stroke = self._stroke
        if stroke is None:
            return False
        try:
            edit = squash(stroke.edits)
        except Exception:
            self.cancel_stroke()  # what has no undo step must not stay
            raise
        self._stroke = None
        if edit is None:
            return False
        active = ActiveLayers(stroke.active_layer_id, self.active_layer_id)
        text = step_text(stroke.text, self.battlemap, stroke.edits)
        self._append(edit, UndoStep(text, edit, active))
        return True

    def cancel_stroke(self) -> None:
        """Take back the edits of the stroke and end it; nothing happens outside a stroke."""
        stroke = self._stroke
        # Before the edits are taken back: who listens may call this method again.
        self._stroke = None
        if stroke is not None:
            self._take_back(stroke.edits)

    def restart_stroke(self) -> None:
        """Take back the edits of the stroke and go on with it (a slider while it is dragged).

        Nothing happens outside a stroke.
        """
        stroke = self._stroke
        if stroke is not None:
            edits = stroke.edits
            stroke.edits = []
            self._take_back(edits)

    def _take_back(self, edits: list[Edit]) -> None:
        """Apply the inverses of the edits of a stroke; a fault in one stops no other."""
        for edit in reversed(edits):
            try:
                self._apply(edit.inverse())
            except Exception as fault:  # noqa: BLE001 - reported
                fault.add_note("A part of a stroke cannot be taken back")
                report_fault(fault)

    # --- the end of every undo step ---------------------------------------------------------

    def _append(self, edit: Edit, step: UndoStep) -> None:
        """Add the undo step of an edit that is applied."""
        was_clean = self.history.is_clean
        self.history.append(step)
        self.recorder.pushed(self.current_map)
        self._tell_of_steps(was_clean=was_clean)
        self._warn_of_rolls_above(edit)

    def _tell_of_steps(self, *, was_clean: bool) -> None:
        """Emit that the steps have changed, and whether the map is unsaved if that has, too."""
        self.steps_changed.emit()
        if self.history.is_clean != was_clean:
            self.modified_changed.emit(self.modified)
