"""A journal on the disk for every open map, so that a crash loses no finished undo step.

``Autosave`` is the recorder of the document: it hears of each step, and lets the ``MapJournal`` of
the map write it before the reporting call returns. After a crash it opens the maps again, with
their undo steps (``restore``).

A journal that lacks steps, since the disk refused them, is *behind*. Painting goes on then, the
user is told once, and writing is tried again until all journals have caught up.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.journal_records import file_and_source, restore_attributes, roll_keys_of
from app.document.map_journal import JournalOptions, MapJournal
from app.document.open_map import OpenMap
from app.document.recorder import Recorder
from app.document.undo_history import ActiveLayers, UndoHistory, UndoStep
from app.document.undo_memory import LIMIT, bound_memory
from app.qt_guard import connect, later, report_fault
from randomizer.installed import culprit_of
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error
from randomizer.storage.disk.known_file import FileChange
from randomizer.storage.journal.journal import Journal

if TYPE_CHECKING:
    from app.document.document import MapDocument

BEGIN_MS = 700
"""The time from the opening of a map to the beginning of its journal, if no step needs it before.

In milliseconds: the window can show the map first.
"""

RETRY_MS = 5000
"""How often writing is tried again after the disk refused it, in milliseconds."""

REPLAY_STEPS = 300
"""After more steps than this since its base a journal gets a newer one.

If this were more, restoring a map would take longer; if less, whole maps would be written often.
"""


class Autosave(QObject, Recorder):
    """The recorder of a document: writes a journal for each open map to the folder ``journals``.

    Journals are begun on a worker thread; steps are encoded and written on the UI thread, before
    the call returns that made them. That is quick enough also for a million cells, since the jobs
    that make whole layers have deflated them (``deflate_layers``). Undo steps take at most
    ``memory`` bytes; older ones are fetched from here. After more than ``replay_steps`` steps, or
    many bytes of steps, a journal gets a newer base.
    """

    reported = Signal(str)
    """What the user is told: the disk began to refuse, or accepts again; the folder was deleted."""

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
        self.undo_bytes = memory
        """The most memory that the undo steps of all maps may take, in bytes."""
        self._document = document
        self._worker = ThreadPoolExecutor(1, "journal")
        """The thread of ``JournalOptions.worker``."""
        self._options = JournalOptions(journals, self._worker, replay_steps, document.name_of)
        self._journals: dict[OpenMap, MapJournal] = {}
        """The journals of the open maps."""
        self._behind: set[OpenMap] = set()
        """The maps whose journals are behind."""
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
        if open_map in self._journals:
            return
        self._journals[open_map] = MapJournal(open_map, self._options)
        delay_ms = BEGIN_MS
        if open_map.rolled:
            delay_ms = 0  # a roll is in no file: it would be lost by a crash
        later(self, partial(self._begin, open_map), delay_ms)

    def _begin(self, open_map: OpenMap) -> None:
        """Begin the journal of a map, unless the map was closed or a step has begun it."""
        if open_map in self._journals:
            self._journals[open_map].begin()

    def pushed(self, open_map: OpenMap) -> None:
        """Store the last undo step, which is new or holds another edit than before."""
        self._journals[open_map].add_last_step()
        self._keep_up(open_map)
        histories = [journaled_map.history for journaled_map in self._journals]
        bound_memory(open_map.history, histories, self.undo_bytes)

    def moved(self, open_map: OpenMap) -> None:
        """Store which steps there are, and which of them are done: steps were undone or redone."""
        self._keep_up(open_map)

    def saved(self, open_map: OpenMap) -> None:
        """Note in the journal that the map was saved."""
        map_journal = self._journals[open_map]
        if map_journal.is_begun and self._keep_up(open_map):
            try:
                map_journal.note_saved()
            except ProblemError as reason:
                self._report_trouble(open_map, reason)

    def closed(self, open_map: OpenMap) -> None:
        """Delete the journal of a map that its user has closed."""
        self._no_longer_behind(open_map)
        self._journals.pop(open_map).delete()

    def fetch(self, open_map: OpenMap, step: UndoStep, *, done: bool) -> Edit:
        """Decode the edit of a step from its journal. Raises ProblemError."""
        return self._journals[open_map].fetch(step, done=done)

    def end(self) -> None:
        """Delete all journals: the program ends as its user wished."""
        self._document.recorder = Recorder()
        self._retry.stop()
        for open_map in list(self._journals):
            self.closed(open_map)
        self._worker.shutdown()

    # --- writing ----------------------------------------------------------------------------

    @property
    def behind(self) -> bool:
        """True if the journal of any map lacks steps, since they could not be written."""
        return bool(self._behind)

    def journal_of(self, open_map: OpenMap) -> Journal | None:
        """Return the journal of a map, None until it has been begun on the worker thread."""
        return self._journals[open_map].journal

    def _keep_up(self, open_map: OpenMap) -> bool:
        """Make the journal agree with the undo steps; False if it cannot be written.

        Then a timer tries again. The user is told when the first journal falls behind, and when the
        last one has caught up.
        """
        map_journal = self._journals[open_map]
        try:
            if map_journal.is_gone():
                map_journal.begin_again()
                self.reported.emit(
                    "The folder where your work is kept for a crash was deleted: another one keeps "
                    "it now."
                )
            map_journal.keep_up()
        except ProblemError as reason:
            self._report_trouble(open_map, reason)
            return False
        except Exception as fault:  # noqa: BLE001 - reported; the step is done, and tried again
            fault.add_note("The journal could not be written")
            report_fault(fault)
            self._report_trouble(open_map, error("fault", f"{culprit_of(fault)} made a mistake"))
            return False
        self._no_longer_behind(open_map)
        return True

    def _no_longer_behind(self, open_map: OpenMap) -> None:
        """Note that a journal has caught up, or is given up; tell the user if it was the last."""
        if open_map not in self._behind:
            return
        self._behind.discard(open_map)
        if not self._behind:
            self._retry.stop()
            self.reported.emit("Your work is being kept again: the journal has caught up.")

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
            steps.append(UndoStep(record.text, None, active, roll_keys_of(record)))
        history = UndoHistory(steps, clean_index=_clean_index(journal, open_map))
        history.fetches_layers = True  # no step has its edit in memory
        open_map.history = history

        # The layer that the last step left active, of those that the map has.
        layer_ids = {layer.id for layer in battlemap.layers}
        for step in history.steps:
            if step.active.new_id in layer_ids:
                open_map.active_layer_id = step.active.new_id

        # ``battlemap`` is the map with all steps done; ``go_to`` undoes those that were not. The
        # journal comes first: ``add_map`` reports the map, and a new one would be begun.
        self._journals[open_map] = MapJournal(open_map, self._options, journal)
        in_place = self._document.can_replace_current(open_map)
        self._document.add_map(open_map, in_place=in_place)
        self._document.go_to(journal.position)
        self._show_last_roll_key(history)
        return open_map

    def _show_last_roll_key(self, history: UndoHistory) -> None:
        """Let the roll bar show the key of the last roll among the steps that are done."""
        for step in reversed(history.steps[: history.index]):
            if step.roll_keys is not None:
                self._document.roll_key_restored.emit(step.roll_keys.after)
                return


def _clean_index(journal: Journal, open_map: OpenMap) -> int | None:
    """Return how many steps of a left-over journal were done when its map was saved.

    None if it was not saved since, or if its file is not as it was saved any more.
    """
    known_file = open_map.known_file
    if journal.saved is None or known_file is None:
        return None
    if known_file.change_since() is not FileChange.UNCHANGED:
        return None
    return journal.saved
