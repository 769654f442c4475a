"""The open maps, one of them current; the only code of the desk that applies edits.

Read the class docstring first, then ``push`` (a whole undo step at once), ``stroke`` (a step that
grows while the mouse is dragged) and ``go_to`` (undo and redo). All three end in ``_apply``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path, PurePath
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from app.background.actions import Stopped
from app.document.open_map import OpenMap
from app.document.recorder import Recorder
from app.document.selection import Selection
from app.document.stroke import Stroke
from app.document.undo_history import ActiveLayers, MergeKey, UndoStep
from app.qt_guard import report_fault
from app.render.viewport import Viewport
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import Assets
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.open_map import GameSource
    from app.document.undo_history import RollState, UndoHistory

NOTHING = Selection()
"""The selection of a map of which no cell is selected."""

Planned = TypeVar("Planned")
Awaited = TypeVar("Awaited")


class RefusedChangeError(Exception):
    """A change cannot be made of the map; the message is a sentence for the user."""


class _MadeEdit(NamedTuple):
    """The outcome of making an edit of the current map and applying it."""

    edit: Edit | None
    """The edit that is applied now; None if there is nothing to change, or it was refused."""

    is_refused: bool
    """True if there is no such edit for a reason that the user has been told."""


class MapDocument(QObject):
    """The open maps, the undo steps of each, and the selection. Lives on the UI thread.

    Only this class calls ``Edit.apply``. An edit gets here in one of three ways:

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

    All signals but ``maps_changed`` are about the current map.
    """

    changed = Signal(object)
    """An edit was applied; the ``Region`` that it changed."""

    map_leaving = Signal()
    """Another map is about to become the current one."""

    map_replaced = Signal()
    """Another map is current, or the grid of the current one is drawn in another way."""

    map_shown = Signal()
    """All listeners have been told of another current map, by ``map_replaced`` and the others."""

    maps_changed = Signal()
    """Maps were opened, closed or renamed."""

    active_layer_changed = Signal(int)
    """Another layer is active; its id."""

    selection_changed = Signal()
    """Other cells are selected."""

    picked_changed = Signal()
    """Other things are picked."""

    path_changed = Signal()
    """The file of the map, or its slot in a game, is another one."""

    modified_changed = Signal(bool)
    """There are unsaved changes now (True), or none any more (False)."""

    steps_changed = Signal()
    """Undo steps were added, removed, done or undone."""

    work_may_be_covered = Signal(str)
    """A message: a later roll of a layer above can cover what was painted just now."""

    work_refused = Signal(str)
    """A message with the reason why something was not done."""

    roll_state_restored = Signal(object)
    """A step of a roll was done, undone or redone; the ``RollState`` that counts now."""

    def __init__(self, battlemap: BattleMap) -> None:
        super().__init__()
        self.recorder: Recorder = Recorder()
        """Told of every undo step; ``Autosave`` puts itself here."""
        self.revision = 0
        """Grows with every edit that is applied to any map, or tried; never gets smaller."""
        self._stroke: Stroke | None = None
        """The stroke under way; None outside one."""
        self.current_map = OpenMap(battlemap)
        self._maps = [self.current_map]
        """The open maps in the order of their tabs; never empty."""
        self.is_replacing_map = False
        """True while signals tell of another current map, until ``map_shown``."""

    # --- the open maps ----------------------------------------------------------------------

    @property
    def maps(self) -> tuple[OpenMap, ...]:
        """The open maps in the order of their tabs."""
        return tuple(self._maps)

    def open_map(
        self, battlemap: BattleMap, path: Path | None = None, *, rolled: bool = False
    ) -> OpenMap:
        """Open one more map and make it the current one."""
        return self.add_map(OpenMap(battlemap, path, rolled=rolled), in_place=False)

    def replace_map(self, battlemap: BattleMap) -> None:
        """Open another map, without undo steps, in place of the current one."""
        self.add_map(OpenMap(battlemap), in_place=True)

    def show_map(
        self,
        battlemap: BattleMap,
        path: Path | None = None,
        source: GameSource | None = None,
        viewport: Viewport | None = None,
        *,
        rolled: bool = False,
        replaces: bool = False,
        backup_of: str = "",
    ) -> OpenMap:
        """Open a map in a tab of its own, or in place of the current one if that is untouched.

        ``replaces``: also in place of a rolled map that is as it was rolled. ``backup_of``: see
        ``OpenMap``.
        """
        opened = OpenMap(battlemap, path, source, viewport, rolled=rolled, backup_of=backup_of)
        in_place = self.current_map.untouched or (replaces and self.current_map.unchanged)
        return self.add_map(opened, in_place=in_place)

    def add_map(self, opened: OpenMap, *, in_place: bool) -> OpenMap:
        """Make one more map the current one, in the next tab or in place of the current map."""
        self._leave()
        old_map = self.current_map
        index = self._maps.index(old_map)
        if in_place:
            self._maps[index] = opened
        else:
            self._maps.insert(index + 1, opened)
        # Its recorder knows the new map before listeners can push a step of it.
        self.recorder.opened(opened)
        self._show(opened)
        if in_place:
            self.recorder.closed(old_map)
        self.maps_changed.emit()
        return opened

    def make_current(self, open_map: OpenMap) -> None:
        """Work on this open map from now on."""
        if open_map is not self.current_map:
            self._leave()
            self._show(open_map)

    def close_map(self, open_map: OpenMap) -> None:
        """Close one of several maps. Raises ValueError for the last one."""
        if len(self._maps) == 1:
            raise ValueError("one map stays open")
        self._leave()
        index = self._maps.index(open_map)
        self._maps.remove(open_map)
        if open_map is self.current_map:
            # The tab on the right takes over, or the last one where there is none on the right.
            index = min(index, len(self._maps) - 1)
            self._show(self._maps[index])
        self.recorder.closed(open_map)
        self.maps_changed.emit()

    async def while_open(self, open_map: OpenMap, waiting: Awaitable[Awaited]) -> Awaited:
        """Return what is awaited. Raises Stopped if this map was closed meanwhile."""
        value = await waiting
        if open_map not in self._maps:
            raise Stopped
        return value

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

    def move_map(self, start: int, end: int) -> None:
        """Move a tab that was dragged to another index."""
        self._maps.insert(end, self._maps.pop(start))

    def _leave(self) -> None:
        """End what is under way on the current map before another one takes its place."""
        self.cancel_stroke()
        self.map_leaving.emit()

    def _show(self, open_map: OpenMap) -> None:
        """Make an open map the current one, and emit the signals of all that changes with it."""
        self.current_map = open_map
        self.is_replacing_map = True
        self.map_replaced.emit()
        self.path_changed.emit()
        self.active_layer_changed.emit(open_map.active_layer_id)
        self.selection_changed.emit()
        self.picked_changed.emit()
        self.modified_changed.emit(self.modified)
        self.is_replacing_map = False
        self.map_shown.emit()

    # --- reading ----------------------------------------------------------------------------

    @property
    def battlemap(self) -> BattleMap:
        """The current map."""
        return self.current_map.battlemap

    @property
    def path(self) -> Path | None:
        """The file of the current map, None if it has none."""
        return self.current_map.path

    @property
    def source(self) -> GameSource | None:
        """The place in a game that the current map came from, None if it did not."""
        return self.current_map.source

    @property
    def history(self) -> UndoHistory:
        """The undo steps of the current map."""
        return self.current_map.history

    @property
    def composite(self) -> Composite:
        """The values that visible layers show. Live: later edits change it; ``copy()`` stays."""
        return self.composite_of(self.current_map)

    @staticmethod
    def composite_of(open_map: OpenMap) -> Composite:
        """Return what the visible layers of an open map show; live, see ``composite``."""
        if open_map.composite is None:
            open_map.composite = open_map.battlemap.composite(live=True)
        return open_map.composite

    @property
    def active_layer_id(self) -> int:
        """The id of the layer that tools paint into."""
        return self.current_map.active_layer_id

    @property
    def active_layer(self) -> Layer:
        """The layer that tools paint into."""
        return self.battlemap.layer(self.current_map.active_layer_id)

    @property
    def modified(self) -> bool:
        """True if there are changes that were not saved."""
        return self.current_map.unsaved

    @property
    def display_name(self) -> str:
        """The name of the current map for a title bar."""
        return self.name_of(self.current_map)

    def name_of(self, open_map: OpenMap) -> str:
        """Return the name of an open map for a title bar or a tab.

        That of its file, of the file of which it is a backup, or of the place in a game that it
        came from, else its title, else that of the file of a script that the map holds.
        """
        if open_map.path is not None:
            return open_map.path.name
        if open_map.backup_of:
            return f"Backup of {open_map.backup_of}"
        if open_map.source is not None and not open_map.source.is_export:
            return open_map.source.words
        return self._title_or_script(open_map) or self._untitled(open_map)

    @property
    def map_title(self) -> str:
        """The title of the current map; "" if it has none."""
        return self.title_of(self.current_map)

    def title_of(self, open_map: OpenMap) -> str:
        """Return the title of an open map; "" if it has none."""
        return open_map.battlemap.system.map_title(self.composite_of(open_map).properties)

    def _title_or_script(self, open_map: OpenMap) -> str:
        """Return the title of an open map, else the name of the file of a script that it holds.

        The name is without its suffix. "" for neither.
        """
        title = self.title_of(open_map)
        if title:
            return title
        system = open_map.battlemap.system
        if not system.script_record:
            return ""
        return PurePath(system.script_file(open_map.battlemap)).stem

    def file_name_of(self, open_map: OpenMap) -> str:
        """Return the name, without a suffix, that dialogs offer for a file of an open map.

        It is that of the map's file or of the one of which it is a backup, else the name in its tab
        (``name_of``), else the name of the script that it was rolled from, or of its system.
        """
        if open_map.path is not None:
            return open_map.path.stem
        if open_map.backup_of:
            return PurePath(open_map.backup_of).stem
        name = self._title_or_script(open_map)
        if name:
            return name
        layer = open_map.battlemap.source_layer
        if layer is not None and layer.roll is not None:
            script_name = PurePath(layer.roll.script_name).stem
            if script_name:
                return script_name
        return open_map.battlemap.system.title

    def _untitled(self, open_map: OpenMap) -> str:
        """Return ``Untitled``, ``Untitled 2`` ...

        At the first call the map gets the least number that no open map has; it keeps this number,
        even if others are closed.
        """
        if open_map.untitled == 0:
            used_numbers = {other_map.untitled for other_map in self._maps}
            free_numbers = (number for number in count(1) if number not in used_numbers)
            open_map.untitled = next(free_numbers)
        if open_map.untitled == 1:
            return "Untitled"
        return f"Untitled {open_map.untitled}"

    @property
    def selection(self) -> Selection:
        """The selected cells of the current map."""
        selection = self.current_map.selection
        if selection is None or len(selection) == 0:
            return NOTHING
        return selection

    @property
    def picked(self) -> list[Thing]:
        """The picked things of the current map that can be seen, by id."""
        visible_layers = [layer for layer in self.battlemap.layers if layer.visible]
        things: list[Thing] = []
        for thing_id in self.current_map.picked:
            for layer in visible_layers:
                if layer.things and thing_id in layer.things:
                    things.append(layer.things[thing_id])
        return things

    # --- changes without undo steps: selection, active layer, file --------------------------

    def select(self, cells: Iterable[int]) -> None:
        """Select exactly these cells."""
        selection = Selection.of(cells)
        if not selection.same_as(self.selection):
            self.current_map.selection = selection
            self.selection_changed.emit()

    def pick(self, thing_ids: Iterable[int]) -> None:
        """Pick exactly these things."""
        picked = tuple(sorted(set(thing_ids)))
        if picked != self.current_map.picked:
            self.current_map.picked = picked
            self.picked_changed.emit()

    def set_active_layer(self, layer_id: int) -> None:
        """Choose the layer that tools paint into.

        Raises KeyError if the current map has no such layer.
        """
        self.battlemap.layer(layer_id)  # only for its KeyError
        if layer_id != self.active_layer_id:
            self.current_map.active_layer_id = layer_id
            self.active_layer_changed.emit(layer_id)

    def set_path(
        self, path: Path | None, open_map: OpenMap | None = None, *, changed: bool = False
    ) -> None:
        """Note that an open map (None: the current one) was saved at ``path``.

        It was saved as it is now, unless it has ``changed`` since.
        """
        if open_map is None:
            open_map = self.current_map
        open_map.path = path
        if not changed:
            self.mark_saved(open_map)
        if open_map is self.current_map:
            self.path_changed.emit()
            self.modified_changed.emit(self.modified)
        self.maps_changed.emit()

    def mark_saved(self, open_map: OpenMap) -> None:
        """Note that the file of an open map needs no saving: it has all that matters of the map."""
        open_map.rolled = False
        open_map.history.mark_clean()
        self.recorder.saved(open_map)
        if open_map is self.current_map:
            self.modified_changed.emit(self.modified)
        self.maps_changed.emit()

    def set_source(self, source: GameSource | None, open_map: OpenMap | None = None) -> None:
        """Note the place in a game to which a map (None: the current one) is exported by default.

        Does nothing for a map that was closed.
        """
        if open_map is None:
            open_map = self.current_map
        if open_map not in self._maps:
            return
        open_map.source = source
        self.path_changed.emit()
        self.maps_changed.emit()

    def set_lean(self, lean: bool) -> None:
        """Show an oblique grid sheared, as its file has it, or upright."""
        self.battlemap.grid = replace(self.battlemap.grid, lean=lean)
        self.map_replaced.emit()

    def add_assets(self, assets: Assets) -> None:
        """Give the current map pictures that an edit will name; what none names is not saved."""
        self.battlemap.assets.update(assets)

    # --- undo steps -------------------------------------------------------------------------

    def push(
        self,
        edit: Edit | None,
        text: str,
        *,
        active: int | None = None,
        roll_states: tuple[RollState, RollState] | None = None,
        generated: bool = False,
        merge: MergeKey | None = None,
    ) -> bool:
        """Apply ``edit`` as one undo step called ``text``; False if it is None or refused.

        A ``generated`` edit may replace locked layers: they are locked against changes by hand.
        ``active`` is the id of the layer that becomes the active one; None: it stays.
        ``roll_states`` are the roll states before and after the step: ``roll_state_restored`` emits
        the first when it is undone, the second when it is done or redone. An action that follows
        ``merge`` goes on with the step (``push_on``); None: none does.
        """
        self.cancel_stroke()
        if edit is None:
            return False
        if not generated and self._refuse_locked(edit):
            return False
        if self._refuse_invalid(edit):
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
        if roll_states is not None:
            self.roll_state_restored.emit(roll_states[1])
        active_layers = ActiveLayers(old_active, new_active)
        self._append(edit, UndoStep(text, edit, active_layers, roll_states, merge))
        return True

    def push_on(
        self,
        make: Callable[[BattleMap], Edit | None],
        text: str,
        merge: MergeKey,
        *,
        roll_states: tuple[RollState, RollState] | None = None,
    ) -> bool:
        """Apply the edit that ``make`` returns for the map, merged with the last undo step.

        If the last step has a key that ``merge`` follows, it is taken back first, and the new edit
        replaces its edit: ``make`` gets the map as it was before that step. Otherwise it is a new
        step. Locked layers are no obstacle, as with ``generated`` in ``push``. Return False if the
        step changes nothing or is refused.
        """
        self.cancel_stroke()
        last = self.history.step_before(merge)
        if last is None:
            edit = self.plan(make)
            return self.push(edit, text, roll_states=roll_states, generated=True, merge=merge)
        last.merge = merge
        return self._push_again(last, make, text, roll_states)

    def change_map(
        self, make: Callable[[BattleMap], Edit | None], text: str, field: str = ""
    ) -> bool:
        """Change the map by hand, as one undo step; False if nothing changes or it is refused.

        ``make`` raises ValueError, with the reason, for values that no map can have; the user is
        told the reason. Changes of one ``field`` within a second are one step (``push_on``).
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
            return self.push(make_or_refuse(self.battlemap), text)
        except RefusedChangeError as refusal:
            self.refuse(str(refusal))
            return False

    def _push_again(
        self,
        last: UndoStep,
        make: Callable[[BattleMap], Edit | None],
        text: str,
        roll_states: tuple[RollState, RollState] | None,
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
        region = self._refreshed(inverse)

        # Go on from there by another edit, or by the old one if that is refused.
        edit, is_refused = self._make_and_apply(make, why)
        if is_refused:
            old_edit.apply(battlemap)
            self._tell(region.union(self._refreshed(old_edit)))
            return False
        if edit is None:
            self._tell(region)
            self._remove_last_step(last)
            return False
        region = region.union(self._refreshed(edit))

        # Put the edit into the step before listeners, who may read the history, are told.
        last.edit = edit
        if roll_states is not None:
            state_before = roll_states[0]
            if last.roll_states is not None:
                state_before = last.roll_states[0]
            last.roll_states = (state_before, roll_states[1])
        self._tell(region)
        if last.roll_states is not None:
            self.roll_state_restored.emit(last.roll_states[1])
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
                if self._refuse_invalid(edit):
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
        self._tell_of_steps(was_clean=False)  # ``push_on`` does not go on with a saved step
        if last.roll_states is not None:
            self.roll_state_restored.emit(last.roll_states[0])

    # --- undo and redo ----------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last step that is done; nothing happens if there is none."""
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
                if step is None or not self._do(step, done=True):
                    break
                history.index -= 1
            else:
                step = history.next_redo
                if step is None or not self._do(step, done=False):
                    break
                history.index += 1
        if history.index != start:
            self.recorder.moved(self.current_map)
            self._tell_of_steps(was_clean=was_clean)

    def _do(self, step: UndoStep, *, done: bool) -> bool:
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
        if step.roll_states is not None:
            state_before, state_after = step.roll_states
            if done:
                self.roll_state_restored.emit(state_before)
            else:
                self.roll_state_restored.emit(state_after)
        return True

    def _edit_of(self, step: UndoStep, *, done: bool) -> Edit:
        """Return the edit of a step, which is ``done`` or not.

        Raises ProblemError if it cannot be fetched.
        """
        if step.edit is not None:
            return step.edit
        return self.recorder.fetch(self.current_map, step, done=done)

    def plan(self, make: Callable[[BattleMap], Planned]) -> Planned:
        """Return the result of ``make`` for the current map, such as an edit.

        ``make`` may change the map while it works if it takes all of it back. ``revision`` grows,
        since other threads may have read the map in between.
        """
        self.cancel_stroke()
        self.revision += 1
        return make(self.battlemap)

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
        if edit is None or self._refuse_locked(edit) or self._refuse_invalid(edit):
            return
        self._apply(edit)
        self._stroke.edits.append(edit)

    def end_stroke(self) -> bool:
        """Make one undo step of the stroke; False if it changed nothing, or none has begun."""
        from randomizer.model.edits.value_edits import squash
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

    # --- shared by all of these -------------------------------------------------------------

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

    def refuse(self, why: str) -> None:
        """Tell the user why nothing is done (``work_refused``)."""
        self.work_refused.emit(why)

    def _report(self, fault: Exception, why: str) -> None:
        """Report what went wrong inside the program, and tell the user ``why`` nothing is done."""
        fault.add_note(why)
        report_fault(fault)
        self.refuse(f"{why}.")

    def _refuse_locked(self, edit: Edit) -> bool:
        """Tell the user if an edit would change a locked layer; return whether it would."""
        from randomizer.model.edits.value_edits import blocking_layer

        layer = blocking_layer(self.battlemap, edit)
        if layer is None:
            return False
        self.refuse(f"The layer {layer.name} is locked: unlock it to change it.")
        return True

    def _refuse_invalid(self, edit: Edit) -> bool:
        """Tell the user if an edit has values that no map can have; return whether it has."""
        from randomizer.model.edits.edit_gate import check_edit

        try:
            check_edit(self.battlemap, edit)
        except ProblemError as reason:
            self.refuse(f"Nothing was changed: {reason.problems[0].message}.")
            return True
        return False

    def _apply(self, edit: Edit, active: int | None = None) -> None:
        """Apply an edit to the current map and tell of it, see ``_tell``."""
        self.revision += 1  # before: a failing edit may have been seen by other threads
        edit.apply(self.battlemap)
        self._tell(self._refreshed(edit), active)

    def _tell(self, region: Region, active: int | None = None) -> None:
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
            self._keep_active_layer()
        if region.reshaped:  # only now: who listens may ask for the active layer
            self.selection_changed.emit()
        self.changed.emit(region)

    def _refreshed(self, edit: Edit) -> Region:
        """Bring the composite up to date with an applied edit, and return the edit's region.

        If the edit fails in this, it is applied all the same: then the region is everything, and
        the composite is made anew when it is asked for.
        """
        battlemap = self.battlemap
        current = self.current_map
        try:
            if current.composite is not None and not edit.refresh(battlemap, current.composite):
                current.composite = None
            return edit.region(battlemap)
        except Exception as fault:  # noqa: BLE001 - reported; the edit is applied
            report_fault(fault)
            current.composite = None
            return Region(everything=True, structure=True, locks=True, things=True)

    def _warn_of_rolls_above(self, edit: Edit) -> None:
        """Emit ``work_may_be_covered`` if rolled layers lie above what an edit painted."""
        from randomizer.model.hand.targets import rolls_that_may_cover

        names = [layer.name for layer in rolls_that_may_cover(self.battlemap, edit)]
        if names:
            self.work_may_be_covered.emit(
                f"Painted below {' and '.join(names)}, which can cover it when rolled again."
            )

    def _keep_active_layer(self) -> None:
        """Make the topmost layer the active one if the active one is gone."""
        layers = self.battlemap.layers
        if all(layer.id != self.active_layer_id for layer in layers):
            self.current_map.active_layer_id = layers[-1].id
            self.active_layer_changed.emit(self.active_layer_id)
