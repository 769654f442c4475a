"""The script that the current map holds in a record: new texts of it, and the map rolled again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.actions import Stopped, emitted
from app.background.jobs import Job
from app.document.undo_history import MergeKey
from app.qt_guard import connect, later
from app.rolling.roll_request import MapChange, RollRequest, SetupOf
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from app.scripts.script import with_lf
from app.scripts.text_rewriter import Follow, Rewrite, TextRewriter, Texts
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.edits.terrain_codes import called_as_in
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.value_edits import chained
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import (
    MapRecord,
    check_records,
    further_record,
    further_texts,
    script_records,
)
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.document.document import MapDocument

TYPING = "typing"
"""What is typed in the editor goes on with what was typed before."""

TYPING_DELAY_MS = 120
"""How long after the last key the map is rolled again."""

ROLL_MS = 250
"""A roll that takes longer is dropped for a newer text, and the text comes into the map first."""


class MapScript(QObject):
    """Gives the record of the map's script new texts, each together with the map rolled from it.

    Text, terrain set and the source layer, rolled with the same seed and number, are one undo step.
    A text with errors comes into the map alone: the map keeps what was rolled last. Only the newest
    of several texts is rolled. ``setup_of`` gives what is rolled from a text and the further files
    of the script. ``clock`` gives the seconds by which actions follow each other.

    ``changed()``: the record, or one of the script's further files, is another one.
    ``failed(problems)``: the newest text has errors.
    """

    changed = Signal()
    failed = Signal(object)
    _advanced = Signal()
    """A text that was on its way has arrived in the map, or was dropped for another one."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        setup_of: SetupOf,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._setup_of = setup_of
        self._typed: str | None = None
        self._next: MapChange | None = None
        self._under_way: MapChange | None = None
        self._request: RollRequest | None = None
        self._applying = False
        self._scripts = count()
        self.clock = time.monotonic
        self._job: Job | None = None
        self._rewriter = TextRewriter(self._newest_texts, self._put_rewritten, self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_DELAY_MS)
        self._slow = QTimer(self, singleShot=True, interval=ROLL_MS)
        connect(self._rewriter.ended, self._on_not_rewritten)
        connect(self._typing.timeout, self._take_typed)
        connect(self._slow.timeout, self._on_slow)
        connect(rolling.about_to_roll, self._leave)
        connect(rolling.finished, self._on_finished)
        connect(rolling.failed, self._on_failed)
        connect(rolling.busy_changed, self._on_busy)
        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self._leave)

    # --- the record -------------------------------------------------------------------------

    @property
    def in_map(self) -> bool:
        """Whether maps like the current one hold their script."""
        return bool(self._name)

    @property
    def _name(self) -> str:
        return self._document.battlemap.system.script_record

    @property
    def text(self) -> str | None:
        """The text that the map holds, None if it holds none."""
        record = self._document.battlemap.records.get(self._name)
        return None if record is None else record.text

    @property
    def texts(self) -> dict[str, str]:
        """The further files of the script, by name."""
        return further_texts(self._name, self._document.battlemap.records) if self._name else {}

    @property
    def pending(self) -> bool:
        """Whether a text is on its way into the map."""
        waits = self._typed is not None or self._waiting is not None
        return waits or self._rewriter.busy

    @property
    def loading(self) -> bool:
        """Whether another script is on its way into the map."""
        changes = (self._next, self._under_way)
        return any(change is not None and change.loads for change in changes)

    @property
    def _waiting(self) -> MapChange | None:
        return self._next or self._under_way

    @property
    def behind(self) -> bool:
        """Whether the map was rolled from another text than the one that it holds."""
        layer = self._document.battlemap.source_layer
        if not self.in_map or self.pending or layer is None or layer.roll is None:
            return False
        return self.text is not None and layer.roll.script != self.text

    # --- new texts --------------------------------------------------------------------------

    def type_text(self, text: str) -> None:
        """Put the typed text into the map after a pause in typing."""
        self._rewriter.drop()
        self._typed = text
        self._typing.start()

    def change_text(self, text: str, merge_key: str) -> None:
        """Give the map's script a new text and roll the map from it: one undo step.

        Calls with one ``merge_key`` within a second are one step. It takes effect a moment later;
        of texts that come faster than they are rolled the last one counts. A text that no map can
        hold is refused with a message.
        """
        self.set_records({self._name: MapRecord(text, touched=True)}, merge_key, "")

    def replace_text(self, text: str, title: str) -> None:
        """As ``change_text``, as an undo step of its own called ``title``."""
        self.set_records(
            {self._name: MapRecord(text, touched=True)}, f"replace {next(self._scripts)}", title
        )

    def rewrite(
        self,
        make: Callable[[str, Mapping[str, str]], object],
        merge_key: str,
        *,
        title: str,
        refused: Callable[[Any], None],
        follow: Callable[[str], Follow] | None = None,
    ) -> None:
        """Do as ``change_text`` with what ``make`` makes of the newest text, see ``Rewrite``.

        It gets "" where the map holds no text.
        """
        if self._typed is not None:
            self._take_typed()
        merge = MergeKey(merge_key, self.clock())
        self._rewriter.add(Rewrite(make, refused, merge, title, follow))

    def _put_rewritten(self, text: str, rewrite: Rewrite) -> None:
        records = {self._name: MapRecord(text, touched=True)}
        follow = None if rewrite.follow is None else rewrite.follow(text)
        self._set_records(records, rewrite.merge, rewrite.title, follow=follow)
        if not self.pending:  # it was refused
            self.changed.emit()

    def _on_not_rewritten(self, problems: tuple[Problem, ...]) -> None:
        if problems:
            self.failed.emit(problems)
        if not self.pending:
            self.changed.emit()  # who shows the text may have waited

    def holds(self, text: str, texts: Mapping[str, str], *, own: bool) -> bool:
        """Return whether the map holds this script, or will when what is on its way has come.

        ``own``: as the user's, so that a roll of a packaged script does not replace it.
        """
        if self._typed is not None or self._rewriter.busy:
            return False
        record = self._newest_record
        if record is None or (own and not record.touched):
            return False
        return (with_lf(record.text), self._further_after(self._waiting)) == (text, texts)

    async def arrival(self, text: str) -> None:
        """Wait until the map holds a text that is on its way; it may hold it already.

        Raises Stopped if the text does not come.
        """
        while self._brings(self._next, text) or self._brings(self._under_way, text):
            await emitted(None, self._advanced)
        if self.text is None or with_lf(self.text) != text:
            raise Stopped

    def _brings(self, change: MapChange | None, text: str) -> bool:
        """Return whether a change, if there is one, gives the map this text."""
        record = None if change is None else change.records.get(self._name)
        return record is not None and with_lf(record.text) == text

    def set_script(
        self,
        text: str,
        texts: Mapping[str, str],
        title: str,
        setup_of: SetupOf,
        *,
        own: bool,
        file_name: str = "",
    ) -> None:
        """Give the map another script with its further files, and roll the map from it.

        ``setup_of`` gives what is rolled from its text and further files. ``own``: it is the
        user's, so that a roll of a packaged script does not replace it. ``file_name`` is the name
        of the user's file with it, "" for none.
        """

        def name_file(battlemap: BattleMap) -> Edit | None:
            edit: Edit | None = battlemap.system.name_script_file(battlemap, file_name)
            return edit

        gone = (further_record(self._name, name) for name in self.texts)
        records: dict[str, MapRecord | None] = dict.fromkeys(gone)
        records |= script_records(self._name, text, texts, touched=own)
        self._rewriter.drop()
        merge = MergeKey(f"script {next(self._scripts)}", self.clock())
        self._set_records(records, merge, title, setup_of=setup_of, follow=name_file)

    def set_records(
        self, records: Mapping[str, MapRecord | None], merge_key: str, title: str
    ) -> None:
        """Change the records of the map's script, and roll the map from it.

        ``title`` is the text of the undo step, "" for the usual one.
        """
        self._rewriter.drop()
        self._set_records(records, MergeKey(merge_key, self.clock()), title)

    def _set_records(
        self,
        records: Mapping[str, MapRecord | None],
        merge: MergeKey,
        title: str,
        *,
        setup_of: SetupOf | None = None,
        follow: Follow | None = None,
    ) -> None:
        self._forget_typed()
        try:
            check_records({name: each for name, each in records.items() if each is not None})
        except ValueError as fault:
            self._document.refuse(f"{fault}.")
            return
        title = title or f"Change {self._setup_of('', {}).script_name}"
        self._next = MapChange(records, merge, title, setup_of, follow)
        self._advanced.emit()
        if not self._slow.isActive():  # what is under way has taken long already
            self._drop_older()
        self._go_on()

    def commit(self) -> None:
        """Put a text that is on its way into the map now; its roll follows."""
        if self._typed is not None:
            self._take_typed()
        self._rewriter.finish()
        if self._waiting is not None:
            self._put_records(self._waiting)
            self._drop_older()

    def roll_again(self) -> None:
        """Roll the map from the text that it holds."""
        self.change_text(self.text or "", TYPING)

    def _take_typed(self) -> None:
        if self._typed is not None and self._typed != self._newest_text:
            self.change_text(self._typed, TYPING)
        self._forget_typed()

    @property
    def _newest_record(self) -> MapRecord | None:
        """The record of the text that the map holds or will hold."""
        waiting = None if self._waiting is None else self._waiting.records.get(self._name)
        return waiting or self._document.battlemap.records.get(self._name)

    @property
    def _newest_text(self) -> str | None:
        return None if self._newest_record is None else self._newest_record.text

    def _newest_texts(self) -> Texts:
        """The script that the map holds or will hold."""
        return self._newest_text or "", self._further_after(self._waiting)

    def _forget_typed(self) -> None:
        self._typed = None
        self._typing.stop()

    def _leave(self) -> None:
        """Put the text into the map without a roll: another map comes, or a roll of the user's."""
        was_pending = self.pending
        self.commit()
        self._drop()
        if was_pending:
            self.changed.emit()  # whoever shows the text has waited for the roll

    def _drop(self) -> None:
        """Nothing is on its way any more."""
        self._forget_typed()
        self._rewriter.drop()
        self._next = None
        self._advanced.emit()
        if self._under_way is not None:
            self._end()
            self._rolling.cancel()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    # --- one roll at a time -----------------------------------------------------------------

    def _go_on(self) -> None:
        """Roll the newest text, unless a roll is under way."""
        if self._next is None or self._rolling.busy or self._job is not None:
            return
        change = self._next
        self._next = None
        record = change.records.get(self._name)
        text = self.text or "" if record is None else record.text
        self._under_way = change
        self._slow.start()
        try:
            setup = self._setup_for(text, change)
            self._request = self._rolling.roll_change(change, setup)
            if self._request is None:
                self._look_up_terrains(setup, change)
        except Exception:
            self._end()  # or all rolls would wait for this text
            raise

    def _setup_for(self, text: str, change: MapChange) -> RollSetup:
        """The setup of a new text with the further files as they will be."""
        setup_of = change.setup_of or self._setup_of
        return setup_of(text, self._further_after(change))

    def _further_after(self, change: MapChange | None) -> Mapping[str, str]:
        """The further files as they will be after a change (None: as they are)."""
        changed = {} if change is None else change.records
        records = {**self._document.battlemap.records, **changed}
        left = {name: record for name, record in records.items() if record is not None}
        return further_texts(self._name, left)

    def _on_slow(self) -> None:
        """The roll takes long: the text does not wait for it, and a newer text drops it."""
        if self._next is None and self._under_way is not None:
            self._put_records(self._under_way)
        self._drop_older()

    def _drop_older(self) -> None:
        """Drop the roll under way if a newer text waits."""
        if self._next is not None and self._under_way is not None:
            self._end()
            self._rolling.cancel()

    def _on_busy(self, busy: bool) -> None:
        if not busy:
            later(self, self._settle)  # what was rolled comes into the map first

    def _settle(self) -> None:
        if self._under_way is not None and not self._rolling.busy and self._job is None:
            try:
                self._put_records(self._under_way)  # the user has cancelled the roll
            finally:
                self._end()
            self.changed.emit()
        self._go_on()

    def _end(self) -> None:
        """Note that the text under way has arrived in the map, or is dropped."""
        self._slow.stop()
        self._under_way = None
        self._advanced.emit()

    def _on_finished(self, request: RollRequest) -> None:
        if request is self._request:
            self._end()
            self.changed.emit()

    def _on_failed(self, request: RollRequest, problems: tuple[Problem, ...]) -> None:
        if request is self._request:
            self._fail(self._under_way, problems)

    def _fail(self, change: MapChange | None, problems: tuple[Problem, ...]) -> None:
        if change is not None and change is self._under_way:
            try:
                if self._next is None:
                    self._put_records(change)
            finally:
                self._end()
            self.changed.emit()
            self.failed.emit(problems)

    def _on_changed(self, region: Region) -> None:
        """Others than this have changed the record: what is on its way there is out of date."""
        further = further_record(self._name, "")
        mine = (name == self._name or name.startswith(further) for name in region.records)
        if self.in_map and any(mine):
            if not self._applying and not self._rolling.applying:
                self._drop()
            self.changed.emit()

    # --- maps that cannot be rolled ---------------------------------------------------------

    def _put_records(self, change: MapChange, terrain_set: TerrainSet | None = None) -> None:
        """Put a new text into the map without a roll, as an undo step."""

        def other_terrains(battlemap: BattleMap) -> Edit | None:
            if terrain_set is None:
                return None
            called = called_as_in(battlemap.terrain_set, terrain_set)
            return change_terrain_set(battlemap, terrain_set, called)

        def make(battlemap: BattleMap) -> Edit | None:
            makes = (lambda: change.edit(battlemap), lambda: other_terrains(battlemap))
            return chained(battlemap, makes)

        assert change.merge is not None, "texts that follow each other are one step"
        self._applying = True
        try:
            self._document.push_on(make, change.title, change.merge)
        finally:
            self._applying = False

    def _look_up_terrains(self, setup: RollSetup, change: MapChange) -> None:
        """No layer is rolled from the script: the text still says which terrains there are."""

        def work(_progress: object, _cancelled: object) -> TerrainSet | None:
            generator = setup.generator()
            return generator.terrain_set()

        def put(terrain_set: TerrainSet | None) -> None:
            self._job = None
            try:
                self._put_records(change, terrain_set)
            finally:
                self._end()
                self._go_on()
            self.changed.emit()

        def fail(problems: tuple[Problem, ...]) -> None:
            self._job = None
            try:
                self._fail(change, problems)
            finally:
                self._go_on()

        self._job = Job(work)
        connect(self._job.finished, put)
        connect(self._job.failed, fail)
        self._job.start()
