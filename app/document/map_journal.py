"""The journal of one open map, as the desk writes it.

A journal is on the disk: a *base* (the whole map as it was after some step) and the undo steps
before and after it. It is read back by replaying steps from the base::

    step 1, step 2 | base: the map after step 2 | step 3, step 4     two steps are replayed

``MapJournal`` makes it agree with the undo history of the map (``keep_up``). Its life::

    made            when the map is opened; nothing is on the disk yet
    being begun     on a worker thread, a moment later or at the first step
    begun           each step is written, on the UI thread; now and then the worker writes a
                    newer base, so that fewer steps need be replayed
    deleted         when its user closes the map
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

from app.document.journal_records import encode_step, texts_about
from app.document.open_map import OpenMap
from app.document.undo_history import UndoStep
from app.document.undo_memory import exchanged_layers
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_bases import BaseFile
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.encoding import decode_edit, encode_map

REPLAY_BYTES = 4 * 1024 * 1024
"""After more bytes of steps than this since its base a journal gets a newer one.

If this were more, restoring a map would take longer; if less, whole maps would be written often.
"""


@dataclass(frozen=True, slots=True)
class JournalOptions:
    """What the journals of all open maps have in common."""

    folder: Path
    """The folder that each journal gets a folder in."""

    worker: ThreadPoolExecutor
    """One thread, so that journals are begun, renewed and deleted in the order of the calls."""

    replay_steps: int
    """After more steps than this since its base a journal gets a newer one."""

    name_of: Callable[[OpenMap], str]
    """Returns the name of a map for the user, which its journal stores."""


@dataclass(slots=True)
class _NewerBase:
    """A newer base of a journal, while the worker thread writes it."""

    writing: Future[BaseFile]
    """Its file, once it is written."""

    last_step: UndoStep
    """The last step that it contains."""

    is_outdated: bool = False
    """True once that step has got another edit: then the base is of no use."""


class MapJournal:
    """The journal of an open map, and the steps that it has and lacks.

    Methods are called on the UI thread. A map that is restored has its ``journal`` already, with
    all of its steps.
    """

    def __init__(
        self, open_map: OpenMap, options: JournalOptions, journal: Journal | None = None
    ) -> None:
        self.open_map = open_map
        """The map."""
        self._options = options
        self._journal: Journal | Future[Journal] | None = journal
        """None until it is begun, a future while the worker begins it, then the journal."""
        self._written_steps: list[UndoStep] = []
        """The steps that are in the journal, or will be once it is begun, in its order."""
        self._waiting: dict[UndoStep, StepRecord | Exception] = {}
        """The steps that are not in the journal yet, encoded for it; or why encoding failed."""
        self._bytes_since_base = 0
        """The size of the steps that were written since the last base was begun."""
        self._newer_base: _NewerBase | None = None
        """A newer base while it is written; None while none is."""
        if journal is not None:
            self._written_steps = list(open_map.history.steps)
        else:
            for step in open_map.history.steps:
                self._encode(step)

    @property
    def journal(self) -> Journal | None:
        """The journal; None until the worker thread has begun it.

        Raises what beginning it has raised.
        """
        if isinstance(self._journal, Future):
            if not self._journal.done():
                return None
            return self._journal.result()
        return self._journal

    @property
    def is_begun(self) -> bool:
        """True once ``keep_up`` has got the journal from the worker; from then on it is written.

        Until then ``journal`` may return it, but all steps still wait.
        """
        return isinstance(self._journal, Journal)

    def add_last_step(self) -> None:
        """Encode the last step of the map, which is new or holds another edit than before.

        ``keep_up`` writes it.
        """
        history = self.open_map.history
        step = history.steps[-1]
        # The journal may have it with its earlier edit, and steps that could be redone then.
        del self._written_steps[history.index - 1 :]
        if self._newer_base is not None and self._newer_base.last_step is step:
            self._newer_base.is_outdated = True
        self._encode(step)

    def keep_up(self) -> None:
        """Make the journal agree with the steps of the map; begin it if need be.

        While the worker thread begins it, this waits for that, and so does the UI. Raises
        ProblemError if it cannot be written: then the steps wait for the next call.
        """
        journal = self._wait_for_journal()
        self._write_steps(journal)
        self._use_newer_base(journal)
        self._begin_newer_base(journal)

    def note_saved(self) -> None:
        """Note in the journal, which is begun, that the map was saved. Raises ProblemError."""
        assert isinstance(self._journal, Journal)
        self._journal.note_saved(self._about())

    def fetch(self, step: UndoStep, *, done: bool) -> Edit:
        """Return the edit of a step, which is ``done`` now or undone. Raises ProblemError."""
        battlemap = self.open_map.battlemap
        if step in self._waiting:
            record = self._encoded(step)
            return decode_edit(record.edit, battlemap, done=done, texts=record.texts)
        assert isinstance(self._journal, Journal), "all steps wait until it is begun"
        number = self._written_steps.index(step) + 1
        return self._journal.edit(number, battlemap, done=done)

    def delete(self) -> None:
        """Delete the journal on the worker thread, also one that is still being begun there."""
        self._options.worker.submit(_delete, self._journal)

    # --- beginning --------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the journal with the map as it is now, unless that is under way or done."""
        if self._journal is not None:
            return
        history = self.open_map.history
        steps = list(history.steps)
        begin = partial(
            _begin_journal,
            self._options.folder,
            self._about(),
            self.open_map.battlemap.snapshot(),
            [self._encoded(step) for step in steps],
            history.index,
        )
        self._journal = self._options.worker.submit(begin)
        self._written_steps = steps

    def _wait_for_journal(self) -> Journal:
        """Return the journal once it is begun. Raises ProblemError if it could not be."""
        self.begin()
        if isinstance(self._journal, Future):
            beginning = self._journal
            self._journal = None
            try:
                self._journal = beginning.result()
            except Exception:
                self._written_steps = []
                raise
        assert self._journal is not None
        return self._journal

    def is_gone(self) -> bool:
        """Return whether its files were deleted or moved, by another program."""
        return isinstance(self._journal, Journal) and self._journal.is_gone()

    def begin_again(self) -> None:
        """Begin another journal for one that ``is_gone``: this program can still read its files.

        Raises ProblemError, and then nothing has changed.
        """
        gone = self._journal
        assert isinstance(gone, Journal)
        history = self.open_map.history
        steps = list(history.steps)
        common_count = self._count_common_steps()
        begin = partial(
            _begin_journal_again,
            gone,
            self._options.folder,
            self._about(),
            self.open_map.battlemap.snapshot(),
            common_count,
            [self._encoded(step) for step in steps[common_count:]],
            history.index,
        )
        self._journal = self._options.worker.submit(begin).result()
        self._written_steps = steps
        self._newer_base = None
        self._bytes_since_base = 0
        gone.close()

    # --- steps ------------------------------------------------------------------------------

    def _encode(self, step: UndoStep) -> None:
        """Encode a step for the journal; a fault is kept until the step is to be written."""
        try:
            self._waiting[step] = encode_step(step)
        except Exception as fault:  # noqa: BLE001 - raised where the step is written
            self._waiting[step] = fault

    def _encoded(self, step: UndoStep) -> StepRecord:
        """Return the journal's record of a step that waits to be written.

        If encoding it has failed it is tried again, but not for a step that exchanges layers: later
        edits may have changed these layers. Raises what encoding raises.
        """
        if isinstance(self._waiting[step], Exception) and not exchanged_layers(step.edit):
            self._encode(step)
        record = self._waiting[step]
        if isinstance(record, Exception):
            raise record
        return record

    def _count_common_steps(self) -> int:
        """Return how many steps at the start of the journal are still those of the map.

        If one step is the same, so are all before it, since a history only changes at its end. So
        the search goes from the end, where it nearly always stops at once, to the start.
        """
        steps = self.open_map.history.steps
        common_count = min(len(self._written_steps), len(steps))
        while common_count and self._written_steps[common_count - 1] is not steps[common_count - 1]:
            common_count -= 1
        return common_count

    def _write_steps(self, journal: Journal) -> None:
        """Write the steps that the journal lacks, and which steps are done. Raises ProblemError.

        Steps of the journal that the map no longer has are replaced.
        """
        history = self.open_map.history
        battlemap = self.open_map.battlemap
        common_count = self._count_common_steps()
        new_steps = history.steps[common_count:]
        has_other_steps = bool(new_steps) or common_count < len(self._written_steps)
        if has_other_steps or journal.position != history.index:
            records = [self._encoded(step) for step in new_steps]
            journal.write(
                keep=common_count,
                steps=records,
                position=history.index,
                about=self._about(),
                encode_base=partial(encode_map, battlemap),
                assets=battlemap.assets,
            )
            self._bytes_since_base += sum(len(record.edit) for record in records)
        self._written_steps[common_count:] = new_steps
        self._waiting.clear()

    def _about(self) -> dict[str, str]:
        """Return what the journal stores of the map beside its content."""
        return texts_about(self.open_map, self._options.name_of(self.open_map))

    # --- newer bases ------------------------------------------------------------------------

    def _use_newer_base(self, journal: Journal) -> None:
        """Use the newer base if it is written by now. Raises ProblemError if it could not be."""
        newer_base = self._newer_base
        if newer_base is None or not newer_base.writing.done():
            return
        self._newer_base = None
        base = newer_base.writing.result()
        # While it was written its last step may have been undone and replaced by others: then the
        # base is of no use. The slice is empty where there are fewer steps now.
        step_of_base = self._written_steps[base.position - 1 : base.position]
        if step_of_base == [newer_base.last_step] and not newer_base.is_outdated:
            journal.use_base(base)

    def _begin_newer_base(self, journal: Journal) -> None:
        """Begin to write a newer base on the worker thread if one is due and none is written."""
        position = self.open_map.history.index
        has_many_steps = position - journal.base_position > self._options.replay_steps
        has_large_steps = self._bytes_since_base > REPLAY_BYTES
        if self._newer_base is not None or not (has_many_steps or has_large_steps):
            return
        if position == 0:
            return  # a newer base is known by its last step, and no step is done
        battlemap = self.open_map.battlemap.snapshot()
        writing = self._options.worker.submit(_write_base, journal, battlemap, position)
        self._newer_base = _NewerBase(writing, self._written_steps[position - 1])
        self._bytes_since_base = 0


# --- on the worker's thread ---------------------------------------------------------------------


def _begin_journal(
    journals: Path,
    about: Mapping[str, str],
    battlemap: BattleMap,
    steps: list[StepRecord],
    position: int,
) -> Journal:
    """Write a journal of a map and its steps, of which the first ``position`` are done."""
    return Journal.begin(
        journals,
        about,
        encode_map(battlemap),
        base_position=position,
        steps=steps,
        position=position,
        assets=battlemap.assets,
    )


def _begin_journal_again(
    gone: Journal,
    journals: Path,
    about: Mapping[str, str],
    battlemap: BattleMap,
    common_count: int,
    steps: list[StepRecord],
    position: int,
) -> Journal:
    """Write a journal of the first ``common_count`` steps of ``gone``, and of ``steps`` after them.

    The files of ``gone`` are deleted but still open, so its steps can be read.
    """
    return Journal.begin(
        journals,
        about,
        encode_map(battlemap),
        base_position=position,
        steps=chain(islice(gone.records(), common_count), steps),
        position=position,
        texts=gone.texts(),
        assets=battlemap.assets,
    )


def _write_base(journal: Journal, battlemap: BattleMap, position: int) -> BaseFile:
    """Write a newer base of a journal: the map as it is when ``position`` steps are done."""
    base = journal.write_base(encode_map(battlemap), position)
    journal.checkpoint()
    return base


def _delete(journal: Journal | Future[Journal] | None) -> None:
    """Delete a journal; a future one has been begun by now, or could not be."""
    if isinstance(journal, Future):
        if journal.exception() is not None:
            return
        journal = journal.result()
    if journal is not None:
        journal.delete()
