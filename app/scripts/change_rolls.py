"""Rolls changes of the script that the current map holds, and puts both into the map.

A *change* (``MapChange``) has new records of the map, such as another text of its script. It is
rolled before it goes into the map, so that text and roll are one undo step. At most two changes are
on their way::

    roll(change)
      |
    _next            the newest change: it waits for the roll under way, and a newer one replaces it
      | _roll_in_turn
    _under_way       the change that is being rolled
      | _put_with_roll
    the map          the records, the terrain set and the source layer, as one undo step

A slow roll (``ROLL_MS``) does not hold its text up::

    _under_way, rolled for longer than ROLL_MS
      | _put_if_roll_is_slow
    the map has the records; the roll is added to the same step when it ends (_put_with_roll)
      | a newer change comes
    the roll is cancelled (_drop_under_way)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from app.background import actions
from app.background.jobs import Job
from app.rolling.map_change import MapChange, SetupOf
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from app.scripts.script_record import ScriptRecord
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import chained
from randomizer.model.edits.terrain_codes import called_as_in
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.document.document import MapDocument

ROLL_MS = 250
"""A roll that takes longer is slow: its text goes into the map first, a newer text cancels it.

If it is larger, the map shows a text later; if it is smaller, more rolls are cancelled in vain.
"""


class ChangeRolls(QObject):
    """Rolls one change at a time; ``MapScript`` makes the changes.

    ``setup_of`` returns the setup of a text and the further files of the script.
    """

    ended = Signal()
    """A change is in the map, with its roll or without one."""

    failed = Signal(object)
    """The newest change cannot be rolled, for these problems: a tuple."""

    advanced = Signal()
    """A change has come, has ended or was dropped: another one may be rolled now."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        record: ScriptRecord,
        setup_of: SetupOf,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._record = record
        self._setup_of = setup_of
        self._next: MapChange | None = None
        """The newest change, until it is rolled; None if none waits."""
        self._under_way: MapChange | None = None
        """The change that is being rolled, None if none is; the next one waits for its end."""
        self.is_applying = False
        """True while a change is put into the map, so that others know who changes it."""

    # --- the changes on their way -----------------------------------------------------------

    @property
    def newest(self) -> MapChange | None:
        """The newest change that is not in the map yet, None if there is none."""
        if self._next is not None:
            return self._next
        return self._under_way

    @property
    def changes(self) -> list[MapChange]:
        """The changes that are not in the map yet."""
        return [change for change in (self._next, self._under_way) if change is not None]

    def roll(self, change: MapChange) -> None:
        """Roll a change after the one that is being rolled; the change that waits is dropped.

        The change has a merge key: texts that follow each other are one undo step.
        """
        assert change.merge is not None
        self._next = change
        self.advanced.emit()
        actions.run(self._roll_in_turn(change))

    def commit(self) -> None:
        """Put the newest change into the map now.

        If it is being rolled, its roll is added when it ends. If it waits, it is rolled next, since
        the roll before it is dropped.
        """
        if self.newest is not None:
            self._put_into_map(self.newest)
        if self._next is not None:
            self._drop_under_way()

    def drop(self) -> None:
        """Drop all changes, and the roll under way."""
        self._next = None
        self.advanced.emit()
        self._drop_under_way()

    # --- one roll at a time -----------------------------------------------------------------

    async def _roll_in_turn(self, change: MapChange) -> None:
        """Roll a change, once the roll before it has ended, and put both into the map.

        If the roll fails or is cancelled, the change goes into the map alone.
        """
        while self._next is change and (self._under_way is not None or self._rolling.busy):
            await actions.emitted(self, self.advanced, self._rolling.busy_changed)
        if self._next is not change:
            return  # a newer change has replaced it
        self._next = None
        self._under_way = change
        slow_roll_watch = self._put_if_roll_is_slow(change)
        actions.run(slow_roll_watch)
        try:
            await self._put_with_roll(change)
        except Exception:
            if isValid(self):  # else this object was deleted with its window
                self._put_without_roll(change)
            raise
        finally:
            actions.end(slow_roll_watch)
            if isValid(self):
                self._finish(change)

    async def _put_if_roll_is_slow(self, change: MapChange) -> None:
        """Put a change into the map after ``ROLL_MS``, before its slow roll has ended.

        From then on a newer change cancels the roll instead of waiting for it.
        """
        await actions.pause(self, ROLL_MS)
        self._put_without_roll(change)
        while self._under_way is change and self._next is None:
            await actions.emitted(self, self.advanced)
        if self._under_way is change:
            self._drop_under_way()

    async def _put_with_roll(self, change: MapChange) -> None:
        """Put a change with its roll into the map. Raises Stopped if that is dropped."""
        setup = self._setup_for(change)
        request = self._rolling.request_change(change, setup)
        try:
            if request is not None:
                await self._rolling.carry_out(request)
            else:
                terrain_set = await self._look_up_terrains(setup)
                if self._under_way is change:
                    self._put_into_map(change, terrain_set)
        except ProblemError as reason:
            self._put_without_roll(change)
            if self._under_way is change:
                self._finish(change)
                self.failed.emit(reason.problems)
            if request is not None:
                self._rolling.tell_failure(request, reason)

    def _put_without_roll(self, change: MapChange) -> None:
        """Put the change under way into the map without its roll, unless a newer one waits."""
        if self._under_way is change and self._next is None:
            self._put_into_map(change)

    def _drop_under_way(self) -> None:
        """Drop the roll under way, if there is one."""
        if self._under_way is not None:
            self._clear_under_way()
            self._rolling.cancel()

    def _finish(self, change: MapChange) -> None:
        """End a change and emit ``ended``, unless it was dropped or has ended."""
        if self._under_way is change:
            self._clear_under_way()
            self.ended.emit()

    def _clear_under_way(self) -> None:
        """Let no change be under way: it is in the map, or dropped."""
        self._under_way = None
        self.advanced.emit()

    def _setup_for(self, change: MapChange) -> RollSetup:
        """Return the setup of the script as it will be after a change."""
        text = self._record.text_after(change)
        if text is None:
            text = ""
        setup_of = self._setup_of
        if change.setup_of is not None:
            setup_of = change.setup_of
        return setup_of(text, self._record.texts_after(change))

    # --- maps that cannot be rolled ---------------------------------------------------------

    def _put_into_map(self, change: MapChange, terrain_set: TerrainSet | None = None) -> None:
        """Put a change, and a terrain set if there is one, into the map without a roll."""

        def make_edit(battlemap: BattleMap) -> Edit | None:
            def change_records() -> Edit | None:
                return change.edit(battlemap)

            def change_terrains() -> Edit | None:
                if terrain_set is None:
                    return None
                codes = called_as_in(battlemap.terrain_set, terrain_set)
                return change_terrain_set(battlemap, terrain_set, codes)

            return chained(battlemap, (change_records, change_terrains))

        assert change.merge is not None, "texts that follow each other are one step"
        self.is_applying = True
        try:
            self._document.push_on(make_edit, change.title, change.merge)
        finally:
            self.is_applying = False

    async def _look_up_terrains(self, setup: RollSetup) -> TerrainSet | None:
        """Return the terrain set of a setup, worked out on another thread. Raises ProblemError.

        None if its maps have that of their system.
        """

        def work(_progress: object, _cancelled: object) -> TerrainSet | None:
            return setup.make_generator().terrain_set()

        terrain_set: TerrainSet | None = await actions.result(Job(work))
        return terrain_set
