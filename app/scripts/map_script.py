"""The script that the current map holds in a record: new texts of it, and the map rolled again.

``Scripts`` and the panels that change a script call ``type_text``, ``change_text``, ``rewrite`` and
``set_script``. Each makes a ``MapChange``: the new records, and what makes an undo step of them. A
change is rolled before it goes into the map, so that text and roll are one step. The way of a text
into the map::

    _typed          typed in the editor, until the user pauses
    _rewriter       being made from the newest text, on another thread
      | _put_typed, _put_rewritten
    _change_rolls   the newest change waits for the roll before it, then is rolled itself
      |             (change_rolls.py)
    the map         the record, the terrain set and the source layer, as one undo step

Only the newest text counts: a new one drops all that waits above it. The exception is ``rewrite``,
which goes on from what waits. What waits has one of three ends::

                           _typed     rewrites        change
    commit                 used       made at once    put into the map, its roll is added later
    _commit_without_roll   used       made at once    put into the map, its roll is dropped
    _drop_all              dropped    dropped         dropped
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.actions import Stopped, emitted
from app.document.undo_history import MergeKey
from app.qt_guard import connect
from app.rolling.map_change import MapChange, SetupOf
from app.rolling.rolling import Rolling
from app.scripts.change_rolls import ChangeRolls
from app.scripts.script import with_lf
from app.scripts.script_record import ScriptRecord
from app.scripts.text_rewriter import Follow, Refused, Rewrite, TextRewriter, Texts
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import (
    MapRecord,
    check_records,
    further_record,
    script_records,
)

if TYPE_CHECKING:
    from app.document.document import MapDocument

TYPING = "typing"
"""The merge key of texts that are typed in the editor: they become part of one undo step."""

TYPING_DELAY_MS = 120
"""The pause after the last key before a typed text goes into the map."""


class MapScript(QObject):
    """Gives the record of the map's script new texts, each together with the map rolled from it.

    Text, terrain set and the source layer, rolled with the same seed and number, are one undo step.
    A text with errors goes into the map without a roll: the layer stays as it was. Only the newest
    of several texts is rolled.

    ``setup_of`` returns the setup of a text and the further files of the script, ``script_name``
    its name, for the titles of undo steps.
    """

    changed = Signal()
    """The record, or one of the script's further files, has changed."""

    failed = Signal(object)
    """The newest text cannot be rolled, for these problems: a tuple."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        setup_of: SetupOf,
        script_name: Callable[[], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._script_name = script_name
        self.clock = time.monotonic
        """Returns the time of a change, in seconds, by which changes are merged into one step."""
        self._record = ScriptRecord(document)
        """What the map holds, and will hold after a change."""
        self._typed: str | None = None
        """The text of the editor, until the user pauses in typing; None while nothing is typed."""
        self._typing = QTimer(self, singleShot=True, interval=TYPING_DELAY_MS)
        """Runs out when the user pauses in typing."""
        self._rewriter = TextRewriter(self._newest_texts, self._put_rewritten, self)
        """Makes the texts that take a while."""
        self._change_rolls = ChangeRolls(document, rolling, self._record, setup_of, self)
        """Rolls the changes, and puts both into the map."""
        self._script_numbers = count()
        """Numbers for merge keys of changes that are undo steps of their own."""
        connect(self._change_rolls.ended, self.changed)
        connect(self._change_rolls.failed, self.failed)
        connect(self._rewriter.ended, self._on_not_rewritten)
        connect(self._typing.timeout, self._put_typed)
        connect(rolling.about_to_roll, self._commit_without_roll)
        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self._commit_without_roll)

    # --- the record -------------------------------------------------------------------------

    @property
    def in_map(self) -> bool:
        """True if maps of the current map's system hold their script."""
        return bool(self._record.name)

    @property
    def noun(self) -> str:
        """The word that the game of the current map has for a script."""
        return self._document.battlemap.system.script_noun

    @property
    def text(self) -> str | None:
        """The text that the map holds, None if it holds none."""
        return self._record.text

    @property
    def texts(self) -> Mapping[str, str]:
        """The further files of the script, by name."""
        return self._record.texts

    @property
    def pending(self) -> bool:
        """True if a text is on its way into the map."""
        has_text = self._typed is not None or self._change_rolls.newest is not None
        return has_text or self._rewriter.busy

    @property
    def loading(self) -> bool:
        """True if another script is on its way into the map."""
        return any(change.brings_script for change in self._change_rolls.changes)

    @property
    def is_outdated(self) -> bool:
        """True if the map was rolled from another text than the one that it holds."""
        layer = self._document.battlemap.source_layer
        if not self.in_map or self.pending or layer is None or layer.roll is None:
            return False
        if self.text is None:
            return False
        # Maps of other programs can have other line ends than the editor, which has LF.
        return with_lf(layer.roll.script) != with_lf(self.text)

    def holds(self, text: str, texts: Mapping[str, str], *, touched: bool) -> bool:
        """Return whether the map holds this script, or will after the change that waits.

        With ``touched`` its record has to be marked as the user's (``MapRecord.touched``), so that
        a roll of a packaged script does not replace it.
        """
        if self._typed is not None or self._rewriter.busy:
            return False
        change = self._change_rolls.newest
        record = self._record.record_after(change)
        if record is None or (touched and not record.touched):
            return False
        has_text = with_lf(record.text) == text
        return has_text and self._record.texts_after(change) == texts

    def may_take_step(self, is_redo: bool) -> bool:
        """Return whether the editor of the text may undo, or redo, the map's next step.

        Where the map holds the text it may if the step changes that: a roll or a stroke would be
        taken back out of sight of somebody who only looks at the text.
        """
        return not self.in_map or self._record.is_changed_by_next_step(is_redo=is_redo)

    async def wait_until_held(self, text: str) -> None:
        """Wait until the map holds a text; it may hold it already.

        Raises Stopped if the change with that text is dropped.
        """
        while self._is_on_its_way(text):
            await emitted(None, self._change_rolls.advanced)
        if self.text is None or with_lf(self.text) != text:
            raise Stopped

    def _is_on_its_way(self, text: str) -> bool:
        """Return whether a change that waits or is being rolled gives the map this text."""
        changes = self._change_rolls.changes
        return any(self._record.is_brought_by(change, text) for change in changes)

    # --- new texts --------------------------------------------------------------------------

    # Who changes the text           its undo step
    #
    # type_text      the editor       one for what is typed without a pause of a second
    # change_text    a panel          one for what has the same merge key, likewise
    # rewrite        a slow panel     the same
    # replace_text   a fix            its own
    # set_script     another script   its own

    def type_text(self, text: str) -> None:
        """Put the typed text into the map after a pause in typing."""
        self._rewriter.drop()
        self._typed = text
        self._typing.start()

    def change_text(self, text: str, merge_key: str) -> None:
        """Give the map's script a new text and roll the map from it: one undo step.

        Calls with one ``merge_key`` within a second are one step. The text goes into the map when
        its roll has ended; of texts that come faster than they are rolled only the last one does.
        A text that no map can hold is refused with a message.
        """
        self._change_text(text, merge_key, "")

    def replace_text(self, text: str, title: str) -> None:
        """Change the text as ``change_text``, as an undo step of its own with this title."""
        self._change_text(text, f"replace {next(self._script_numbers)}", title)

    def _change_text(self, text: str, merge_key: str, title: str) -> None:
        """Give the map's script a new text; "" as ``title`` says that it was changed."""
        self._rewriter.drop()
        if not title:
            title = f"Change {self._script_name()}"
        records = {self._record.name: MapRecord(text, touched=True)}
        self._start_change(MapChange(records, MergeKey(merge_key, self.clock()), title))

    def rewrite(
        self,
        make: Callable[[str, Mapping[str, str]], str | Refused],
        merge_key: str,
        *,
        title: str,
        refused: Callable[[Any], None],
        follow: Follow | None = None,
    ) -> None:
        """Change the text as ``change_text`` to the one that ``make`` returns for the newest text.

        ``make`` gets the text, "" if the map holds none, and the further files by name. It runs on
        another thread, and once more if the user has changed the text meanwhile. If it returns a
        ``Refused``, the text stays as it is, and ``refused`` is called with the reason in that.

        ``follow``, if there is one, gets the new text and the map. It returns the edit of what else
        changes there with the text, None for nothing.
        """
        # First: the new text is made from the typed one.
        self._put_typed()
        merge = MergeKey(merge_key, self.clock())
        self._rewriter.add(Rewrite(make, refused, merge, title, follow))

    def _put_rewritten(self, text: str, rewrite: Rewrite) -> None:
        """Change the text to one that a rewrite has made."""
        records = {self._record.name: MapRecord(text, touched=True)}
        further_edit: Callable[[BattleMap], Edit | None] | None = None
        if rewrite.follow is not None:
            further_edit = partial(rewrite.follow, text)
        change = MapChange(records, rewrite.merge, rewrite.title, further_edit=further_edit)
        is_accepted = self._start_change(change)
        if not is_accepted and not self.pending:
            self.changed.emit()  # whoever waits for the text must go on

    def _on_not_rewritten(self, problems: tuple[Problem, ...]) -> None:
        """Tell that a rewrite has made no text, for these problems or because nothing changes."""
        if problems:
            self.failed.emit(problems)
        if not self.pending:
            self.changed.emit()  # as in ``_put_rewritten``

    def set_script(
        self,
        text: str,
        texts: Mapping[str, str],
        title: str,
        setup_of: SetupOf,
        *,
        touched: bool,
        file_name: str = "",
    ) -> None:
        """Give the map another script with its further files, and roll the map from it.

        ``setup_of`` returns the setup of its text and further files. With ``touched`` its
        record is marked as the user's, as for ``holds``. ``file_name`` is the name of the user's
        file with it, "" for none.
        """

        def name_file(battlemap: BattleMap) -> Edit | None:
            """Return the edit that notes the name of the file where maps have such a property."""
            edit: Edit | None = battlemap.system.name_script_file(battlemap, file_name)
            return edit

        old_names = (further_record(self._record.name, name) for name in self.texts)
        records: dict[str, MapRecord | None] = dict.fromkeys(old_names)  # these are removed
        records |= script_records(self._record.name, text, texts, touched=touched)
        self._rewriter.drop()
        merge = MergeKey(f"script {next(self._script_numbers)}", self.clock())
        self._start_change(MapChange(records, merge, title, setup_of, further_edit=name_file))

    def _start_change(self, change: MapChange) -> bool:
        """Start to roll the map with a change; the change that waits until now is dropped.

        Return False if no map can hold its records: then it is refused with a message.
        """
        self._drop_typed()
        new_records = {}
        for name, record in change.records.items():
            if record is not None:
                new_records[name] = record
        try:
            check_records(new_records)
        except ValueError as fault:
            self._document.refuse(f"{fault}.")
            return False
        self._change_rolls.roll(change)
        return True

    def roll_again(self) -> None:
        """Give the map its own text once more, and roll the map from it.

        The record is marked as the user's by that, and the step is part of one of typing before.
        """
        self.change_text(self.text or "", TYPING)

    def _newest_texts(self) -> Texts:
        """Return the newest text, "" without one, and the further files that belong to it."""
        change = self._change_rolls.newest
        text = self._record.text_after(change)
        if text is None:
            text = ""
        return text, self._record.texts_after(change)

    # --- the ends of what waits: see the top of the module ----------------------------------

    def commit(self) -> None:
        """Put the newest text into the map now; its roll follows."""
        self._put_typed()
        self._rewriter.finish()
        self._change_rolls.commit()

    def _commit_without_roll(self) -> None:
        """Put the text into the map without a roll, before another map comes or the user rolls."""
        was_pending = self.pending
        self.commit()
        self._drop_all()
        if was_pending:
            self.changed.emit()  # whoever shows the text has waited for the roll

    def _drop_all(self) -> None:
        """Drop the typed text, all rewrites, and the changes that wait or are under way."""
        self._drop_typed()
        self._rewriter.drop()
        self._change_rolls.drop()

    def _put_typed(self) -> None:
        """Change the text to the typed one, if one waits and is another text."""
        typed = self._typed
        self._drop_typed()  # first: after a fault nothing is on its way any more
        if typed is not None and typed != self._record.text_after(self._change_rolls.newest):
            self.change_text(typed, TYPING)

    def _drop_typed(self) -> None:
        """Drop the typed text, and wait for no pause in typing any more."""
        self._typed = None
        self._typing.stop()

    def _on_changed(self, region: Region) -> None:
        """Drop all that waits if the script was changed by others, such as undo."""
        if self.in_map and self._record.has_changed_in(region):
            if not self._change_rolls.is_applying and not self._rolling.applying:
                self._drop_all()
            self.changed.emit()
