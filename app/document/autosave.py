"""A journal on the disk for every open map, so that a crash loses no finished undo step.

A journal is a *base* (the whole map as it was after some step) and the steps before and after it.
It is read back by replaying steps from the base. ``pushed`` and ``moved`` come from the document
with each step and end in ``_keep_up``, which makes the journal agree with the undo history::

    step 1, step 2 | base: the map after step 2 | step 3, step 4     two steps are replayed

A journal that lacks steps, since the disk refused them, is *behind*.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.journal_records import (
    about,
    encode_step,
    file_and_source,
    restore_attributes,
    roll_states_of,
)
from app.document.open_map import OpenMap
from app.document.recorder import Recorder
from app.document.undo_history import ActiveLayers, UndoHistory, UndoStep
from app.document.undo_memory import LIMIT, bound_memory, exchanged_layers
from app.qt_guard import connect, later, report_fault
from randomizer.installed import culprit_of
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error
from randomizer.storage.disk.known_file import FileChange
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_bases import BaseFile
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.encoding import decode_edit, encode_map

if TYPE_CHECKING:
    from app.document.document import MapDocument

BEGIN_MS = 700
"""The time from the opening of a map to the beginning of its journal, if no step needs it before.

In milliseconds: the window can show the map first.
"""

RETRY_MS = 5000
"""How often writing is tried again after the disk refused it, in milliseconds."""

REPLAY_STEPS = 300
"""After more steps than this since its base a journal gets a newer one: replaying takes time."""

REPLAY_BYTES = 4 * 1024 * 1024
"""After more bytes of steps than this since its base a journal gets a newer one."""


@dataclass(eq=False)
class _Record:
    """The journal of an open map, and the steps that it has and lacks."""

    beginning: Future[Journal] | None = None
    """The journal while it is being begun on the worker thread."""

    journal: Journal | None = None
    """The journal once it has been begun."""

    steps: list[UndoStep] = field(default_factory=list)
    """The steps that are in the journal, in its order."""

    waiting: dict[UndoStep, StepRecord | Exception] = field(default_factory=dict)
    """The steps that are not in the journal yet, encoded for it; or why encoding failed."""

    grown: int = 0
    """The size of the steps that were written since the last base, in bytes."""

    renewing: Future[BaseFile] | None = None
    """A newer base while it is being written on the worker thread."""

    renewed_at: UndoStep | None = None
    """The last step that the newer base contains; None if that step has got another edit since."""


class Autosave(QObject, Recorder):
    """The recorder of a document: writes a journal for each open map to the folder ``journals``.

    Journals are begun on a worker thread; all else is done on the UI thread, before the reporting
    call returns: a million cells of a stroke are encoded in 40 ms, those of whole layers in 8 to
    15, since the jobs that made them have deflated them (``deflate_layers``). While the disk
    refuses, painting goes on and writing is tried again until the journals have caught up.
    Undo steps take at most ``memory`` bytes; older ones are fetched from here. After more than
    ``replay_steps`` steps, or many bytes of steps, a journal gets a newer base.
    """

    reported = Signal(str)
    """The disk began to refuse, or accepts again: a message, once for each of the two."""

    def __init__(
        self,
        document: MapDocument,
        journals: Path,
        parent: QObject | None = None,
        *,
        memory: int = LIMIT,
        replay_steps: int = REPLAY_STEPS,
    ) -> None:
        super().__init__(parent)
        self.journals = journals
        """The folder of the journals."""
        self.memory = memory
        """The memory of the undo steps of all maps, in bytes."""
        self._replay_steps = replay_steps
        self._document = document
        self._records: dict[OpenMap, _Record] = {}
        """The journals of the open maps."""
        self._behind: set[OpenMap] = set()
        """The maps whose journals are behind."""
        self._worker = ThreadPoolExecutor(1, "journal")
        """One thread, so that journals are begun, renewed and deleted in the order of the calls."""
        self._retry = QTimer(self)
        """Runs while a journal is behind."""
        self._retry.setInterval(RETRY_MS)
        connect(self._retry.timeout, self.try_again)
        document.recorder = self
        for open_map in document.maps:
            self.opened(open_map)

    # --- called by the document -------------------------------------------------------------

    def opened(self, open_map: OpenMap) -> None:
        """Begin a journal for an opened map a moment later, unless it was restored with one."""
        if open_map in self._records:
            return
        record = _Record()
        self._records[open_map] = record
        for step in open_map.history.steps:
            _encode(record, step)
        delay_ms = BEGIN_MS
        if open_map.rolled:
            delay_ms = 0  # a roll is in no file: it would be lost by a crash
        later(self, partial(self._begin_soon, open_map), delay_ms)

    def pushed(self, open_map: OpenMap) -> None:
        """Store the last undo step, which is new or holds another edit than before."""
        record = self._records[open_map]
        history = open_map.history
        step = history.steps[-1]
        del record.steps[history.index - 1 :]
        if record.renewed_at is step:
            record.renewed_at = None  # that base has the step as it was
        _encode(record, step)
        self._keep_up(open_map)
        bound_memory(history, [record.history for record in self._records], self.memory)

    def moved(self, open_map: OpenMap) -> None:
        """Store which steps there are, and which of them are done."""
        self._keep_up(open_map)

    def saved(self, open_map: OpenMap) -> None:
        """Note in the journal that the map was saved."""
        record = self._records[open_map]
        if record.journal is not None and self._keep_up(open_map):
            try:
                record.journal.note_saved(self._about(open_map))
            except ProblemError as reason:
                self._report_trouble(open_map, reason)

    def closed(self, open_map: OpenMap) -> None:
        """Delete the journal of a map that its user has closed."""
        record = self._records.pop(open_map)
        self._behind.discard(open_map)
        self._worker.submit(_delete, record)

    def end(self) -> None:
        """Delete all journals: the program ends as its user wished."""
        self._document.recorder = Recorder()
        self._retry.stop()
        for open_map in list(self._records):
            self.closed(open_map)
        self._worker.shutdown()

    @property
    def behind(self) -> bool:
        """True if the journal of any map lacks steps, since they could not be written."""
        return bool(self._behind)

    def journal_of(self, open_map: OpenMap) -> Journal | None:
        """Return the journal of a map, None until it has been begun on the worker thread."""
        record = self._records[open_map]
        if record.journal is None and record.beginning is not None and record.beginning.done():
            return record.beginning.result()
        return record.journal

    # --- writing ----------------------------------------------------------------------------

    def _begin_soon(self, open_map: OpenMap) -> None:
        """Begin the journal of a map that was opened, unless it was closed or a step began it."""
        record = self._records.get(open_map)
        if record is not None and record.journal is None and record.beginning is None:
            self._begin(open_map, record)

    def _begin(self, open_map: OpenMap, record: _Record) -> None:
        """Begin a journal with the map as it is now, on the worker thread."""
        record.steps = list(open_map.history.steps)
        begin = partial(
            _begin_journal,
            self.journals,
            self._about(open_map),
            open_map.battlemap.snapshot(),
            [self._encoded(record, step) for step in record.steps],
            open_map.history.index,
        )
        record.beginning = self._worker.submit(begin)

    def _journal_of(self, open_map: OpenMap, record: _Record) -> Journal:
        """Return the map's journal, waiting for it if it is being begun; begin one if it has none.

        A journal whose files were deleted is begun again. Raises ProblemError.
        """
        if record.journal is not None and record.journal.is_gone():
            self._begin_again(open_map, record, record.journal)
        if record.journal is None:
            if record.beginning is None:
                self._begin(open_map, record)
            assert record.beginning is not None
            try:
                record.journal = record.beginning.result()
            except Exception:
                record.steps = []
                raise
            finally:
                record.beginning = None
        return record.journal

    def _begin_again(self, open_map: OpenMap, record: _Record, gone: Journal) -> None:
        """Begin another journal for one whose files were deleted: this program still reads them.

        Raises ProblemError, and then the record is unchanged.
        """
        steps = list(open_map.history.steps)
        common = self._count_common_steps(open_map, record)
        begin = partial(
            _begin_journal_again,
            gone,
            self.journals,
            self._about(open_map),
            open_map.battlemap.snapshot(),
            common,
            [self._encoded(record, step) for step in steps[common:]],
            open_map.history.index,
        )
        record.journal = self._worker.submit(begin).result()
        record.steps = steps
        record.renewing = None
        record.renewed_at = None
        record.grown = 0
        gone.close()
        self.reported.emit(
            "The folder where your work is kept for a crash was deleted: another one keeps it now."
        )

    @staticmethod
    def _count_common_steps(open_map: OpenMap, record: _Record) -> int:
        """Return how many steps at the start of the journal are still those of the map.

        If one step is the same, so are all before it, since a history only changes at its end. So
        the search goes from the end, where it nearly always stops at once, to the start.
        """
        steps = open_map.history.steps
        common = min(len(record.steps), len(steps))
        while common and record.steps[common - 1] is not steps[common - 1]:
            common -= 1
        return common

    def _keep_up(self, open_map: OpenMap) -> bool:
        """Make the journal agree with the undo steps; False if it cannot be written.

        Steps that could not be written stay ``waiting``, and a timer tries again. The user is told
        when the first journal falls behind, and when the last one has caught up.
        """
        record = self._records[open_map]
        try:
            journal = self._journal_of(open_map, record)
            self._write_steps(open_map, record, journal)
            self._renew_base(open_map, record, journal)
        except ProblemError as reason:
            self._report_trouble(open_map, reason)
            return False
        except Exception as fault:  # noqa: BLE001 - reported; the step is done, and tried again
            fault.add_note("The journal could not be written")
            report_fault(fault)
            self._report_trouble(open_map, error("fault", f"{culprit_of(fault)} made a mistake"))
            return False
        if self._behind:
            self._behind.discard(open_map)
            if not self._behind:
                self._retry.stop()
                self.reported.emit("Your work is being kept again: the journal has caught up.")
        return True

    def _write_steps(self, open_map: OpenMap, record: _Record, journal: Journal) -> None:
        """Write the steps that the journal lacks, and which steps are done. Raises ProblemError.

        Steps of the journal that the map no longer has are replaced.
        """
        history = open_map.history
        common = self._count_common_steps(open_map, record)
        new_steps = history.steps[common:]
        if new_steps or common < len(record.steps) or journal.position != history.index:
            records = [self._encoded(record, step) for step in new_steps]
            journal.write(
                keep=common,
                steps=records,
                position=history.index,
                about=self._about(open_map),
                encode_base=partial(encode_map, open_map.battlemap),
                assets=open_map.battlemap.assets,
            )
            record.grown += sum(len(step_record.edit) for step_record in records)
        record.steps[common:] = new_steps
        record.waiting.clear()

    def _encoded(self, record: _Record, step: UndoStep) -> StepRecord:
        """Return the journal's record of a step that is ``waiting``.

        If encoding it has failed it is tried again, but not for a step that exchanges layers: later
        edits may have changed these layers. Raises what encoding raises.
        """
        if isinstance(record.waiting[step], Exception) and not exchanged_layers(step.edit):
            _encode(record, step)
        encoded = record.waiting[step]
        if isinstance(encoded, Exception):
            raise encoded
        return encoded

    def _renew_base(self, open_map: OpenMap, record: _Record, journal: Journal) -> None:
        """Use a newer base if one is written by now; begin one if it is due.

        Raises ProblemError.
        """
        if record.renewing is not None and record.renewing.done():
            renewing = record.renewing
            record.renewing = None
            base = renewing.result()
            # While it was written its last step may have been undone and replaced by others: then
            # the base is of no use. The slice is empty where there are fewer steps now.
            if record.steps[base.position - 1 : base.position] == [record.renewed_at]:
                journal.use_base(base)

        index = open_map.history.index
        steps_since_base = index - journal.base_position
        is_due = record.grown > REPLAY_BYTES or steps_since_base > self._replay_steps
        # A base says which step is its last one (``renewed_at``): with no step done there is none.
        if is_due and index and record.renewing is None:
            record.grown = 0
            record.renewed_at = record.steps[index - 1]
            write = partial(_write_base, journal, open_map.battlemap.snapshot(), index)
            record.renewing = self._worker.submit(write)

    def _report_trouble(self, open_map: OpenMap, reason: ProblemError) -> None:
        """Note that a journal is behind, and tell the user if it is the first one."""
        if not self._behind:
            self.reported.emit(
                f"Your work is not being kept for a crash: {reason.problems[0].message}. "
                "You can go on; save the map soon."
            )
            self._retry.start()
        self._behind.add(open_map)

    def try_again(self) -> None:
        """Try again to write the journals that are behind; a timer calls this."""
        for open_map in list(self._behind):
            self._keep_up(open_map)

    def _about(self, open_map: OpenMap) -> dict[str, str]:
        """Return what the journal stores of a map beside its content."""
        return about(open_map, self._document.name_of(open_map))

    # --- restoring --------------------------------------------------------------------------

    def restore(self, journal: Journal, battlemap: BattleMap) -> OpenMap:
        """Open the map of a left-over journal with its undo steps and go on writing that journal.

        ``battlemap`` is ``journal.restore_map()``. Raises ProblemError, with nothing opened.
        """
        path, source = file_and_source(journal.about)
        open_map = OpenMap(battlemap, path, source)
        restore_attributes(open_map, journal.about)
        steps = []
        for record in journal.steps_without_edits():
            active = ActiveLayers(record.old_active, record.new_active)
            # Without its edit, which is fetched from the journal when it is needed.
            steps.append(UndoStep(record.text, None, active, roll_states_of(record)))
        history = UndoHistory(steps, clean_index=_clean_index(journal, open_map))
        history.fetches_layers = True  # no step has its edit in memory
        open_map.history = history

        # The layer that the last step left active, of those that the map has.
        layer_ids = {layer.id for layer in battlemap.layers}
        for step in history.steps:
            if step.active.new_id in layer_ids:
                open_map.active_layer_id = step.active.new_id

        # The record comes first: ``add_map`` reports the map, and a new journal would be begun.
        self._records[open_map] = _Record(journal=journal, steps=list(history.steps))
        self._document.add_map(open_map, in_place=self._document.current_map.untouched)
        self._document.go_to(journal.position)
        self._show_last_roll_state(history)
        return open_map

    def _show_last_roll_state(self, history: UndoHistory) -> None:
        """Let the roll bar show the state after the last roll among the steps that are done."""
        for step in reversed(history.steps[: history.index]):
            if step.roll_states is not None:
                _state_before, state_after = step.roll_states
                self._document.roll_state_restored.emit(state_after)
                return

    def fetch(self, open_map: OpenMap, step: UndoStep, *, done: bool) -> Edit:
        """Decode the edit of a step from its journal. Raises ProblemError."""
        record = self._records[open_map]
        battlemap = open_map.battlemap
        if step in record.waiting:
            encoded = self._encoded(record, step)
            return decode_edit(encoded.edit, battlemap, done=done, texts=encoded.texts)
        assert record.journal is not None
        return record.journal.edit(record.steps.index(step) + 1, battlemap, done=done)


def _encode(record: _Record, step: UndoStep) -> None:
    """Encode a step for the journal; a fault is kept until the step is to be written."""
    try:
        record.waiting[step] = encode_step(step)
    except Exception as fault:  # noqa: BLE001 - raised where the step is written
        record.waiting[step] = fault


# --- on the worker's thread ---------------------------------------------------------------------


def _begin_journal(
    journals: Path,
    about: Mapping[str, str],
    battlemap: BattleMap,
    steps: list[StepRecord],
    index: int,
) -> Journal:
    """Write a journal of a map and its steps, of which the first ``index`` are done."""
    base = encode_map(battlemap)
    assets = battlemap.assets
    return Journal.begin(
        journals,
        about,
        base,
        base_position=index,
        steps=steps,
        position=index,
        assets=assets,
    )


def _begin_journal_again(
    gone: Journal,
    journals: Path,
    about: Mapping[str, str],
    battlemap: BattleMap,
    common: int,
    steps: list[StepRecord],
    index: int,
) -> Journal:
    """Write a journal of the first ``common`` steps of another one, and of ``steps`` after them.

    The files of ``gone`` are deleted but still open, so its steps can be read.
    """
    return Journal.begin(
        journals,
        about,
        encode_map(battlemap),
        base_position=index,
        steps=chain(islice(gone.records(), common), steps),
        position=index,
        texts=gone.texts(),
        assets=battlemap.assets,
    )


def _write_base(journal: Journal, battlemap: BattleMap, index: int) -> BaseFile:
    """Write a newer base of a journal: the map as it is when ``index`` steps are done."""
    base = journal.write_base(encode_map(battlemap), index)
    journal.checkpoint()
    return base


def _delete(record: _Record) -> None:
    """Delete the journal of a map that was closed, also one that has just been begun."""
    journal = record.journal
    if record.beginning is not None and record.beginning.exception() is None:
        journal = record.beginning.result()
    if journal is not None:
        journal.delete()


def _clean_index(journal: Journal, open_map: OpenMap) -> int | None:
    """Return how many steps of a left-over journal were done when its map was saved.

    None if it was not saved since, or if its file is not as it was saved any more.
    """
    known_file = open_map.known_file
    if journal.saved is None or known_file is None:
        return None
    if known_file.change() is not FileChange.NOTHING:
        return None
    return journal.saved
