"""The script that the current map holds in a record: new texts of it, and the map rolled again.

The editor and the panels that change a script call ``type_text``, ``change_text`` and their like.
On its way into the map a text passes up to three stations::

    typed        in the editor, until the user pauses              typed_text.py
    rewritten    made from the newest text, on another thread      text_rewriter.py
    rolled       as a ``MapChange``: the map is rolled from it     change_rolls.py
    the map      the record, the terrain set and the source layer, as one undo step

Only the newest text counts: it drops a text that is being typed or rewritten, and takes the place
of a change that waits for the roll before it. A rewrite drops nothing, but starts from the newest
text that is under way.

All that is under way ends at once in one of these ways::

    commit()                   it goes into the map; the roll is added to the undo step later
    commit(with_roll=False)    it goes into the map, and the roll is dropped
    _drop_all()                it is dropped, as the script was changed in another way, such as undo
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.actions import Stopped, emitted
from app.document.undo_history import MergeKey
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.rolling import Rolling
from app.scripts.change_rolls import ChangeRolls
from app.scripts.script import Script, with_lf
from app.scripts.script_record import ScriptRecord
from app.scripts.script_setups import ScriptSetups
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_rewriter import MakeFurtherEdit, Refused, Rewrite, TextRewriter, Texts
from app.scripts.typed_text import TypedText
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import check_records

if TYPE_CHECKING:
    from app.document.document import MapDocument

TYPING = "typing"
"""The merge key of texts that are typed in the editor: they become part of one undo step."""


class MapScript(QObject):
    """Gives the record of the map's script new texts, each together with the map rolled from it.

    Text, terrain set and the source layer, rolled with the same seed and number, are one undo step.
    A text with errors goes into the map without a roll: the layer stays as it was. Only the newest
    of several texts is rolled.
    """

    changed = Signal()
    """The record, or one of the script's further files, has changed.

    It is also emitted when a text that was under way (``pending``) does not come any more.
    """

    committed = Signal()
    """A roll begins or another map comes: the map holds all that was under way."""

    failed = Signal(object)
    """The newest text cannot be rolled, for these problems: a tuple."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        documents: ShownDocuments,
        setups: ScriptSetups,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._documents = documents
        self._setups = setups
        self.clock = time.monotonic
        """Returns the time of a change, in seconds, by which changes are merged into one step."""
        self._step_numbers = count()
        """Numbers for merge keys of changes that are undo steps of their own."""
        self._record = ScriptRecord(document)
        """What the map holds, and will hold after a change."""

        # The three stations of a text:
        self._typed_text = TypedText(self)
        self._rewriter = TextRewriter(self._newest_texts, self._roll_rewritten, self)
        self._change_rolls = ChangeRolls(document, rolling, self._record, setups.of_shown, self)
        connect(self._typed_text.paused, self._roll_typed)
        connect(self._rewriter.ended_without_text, self._on_not_rewritten)
        connect(self._change_rolls.ended, self.changed)
        connect(self._change_rolls.failed, self.failed)

        connect(rolling.about_to_roll, self._commit_without_roll)
        connect(document.map_leaving, self._commit_without_roll)
        connect(document.changed, self._on_changed)

    # --- what the map holds -----------------------------------------------------------------

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
    def is_outdated(self) -> bool:
        """True if the map was rolled from another text than the one that it holds."""
        layer = self._document.battlemap.source_layer
        if not self.in_map or self.pending or layer is None or layer.roll is None:
            return False
        if self.text is None:
            return False
        # Maps of other programs can have other line ends than the editor, which has LF.
        return with_lf(layer.roll.script) != with_lf(self.text)

    def may_take_step(self, *, is_redo: bool) -> bool:
        """Return whether Undo, or Redo, in the editor may take the next step of the map.

        Where the map holds the text it may if the step changes that: a roll or a stroke would be
        taken back out of sight of somebody who only looks at the text.
        """
        return not self.in_map or self._record.is_changed_by_next_step(is_redo=is_redo)

    # --- what is under way ------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True if a text is on its way into the map."""
        is_rolled = self._change_rolls.newest is not None
        return self._typed_text.is_typed or self._rewriter.busy or is_rolled

    @property
    def loading(self) -> bool:
        """True if another script is on its way into the map."""
        return any(change.brings_script for change in self._change_rolls.changes)

    def _newest_texts(self) -> Texts:
        """Return the newest text, "" without one, and the further files that belong to it."""
        change = self._change_rolls.newest
        text = self._record.text_after(change)
        if text is None:
            text = ""
        return text, self._record.texts_after(change)

    # --- new texts --------------------------------------------------------------------------

    # Who changes the text           its undo step
    #
    # type_text      the editor       one for what is typed without a pause of a second
    # change_text    a panel          one for what has the same merge key, likewise
    # rewrite        a slow panel     the same
    # replace_text   a fix            its own
    # load_script    another script   its own

    def type_text(self, text: str) -> None:
        """Put the typed text into the map after a pause in typing."""
        self._rewriter.drop()  # so a text is never typed and rewritten at once
        self._typed_text.type(text)

    def _roll_typed(self) -> None:
        """Change the text to the typed one, if one is being typed and is another text."""
        # The typing has ended first: after a fault nothing is under way any more.
        text = self._typed_text.finish()
        if text is not None and text != self._record.text_after(self._change_rolls.newest):
            self.change_text(text, TYPING)

    def change_text(self, text: str, merge_key: str, *, title: str | None = None) -> None:
        """Give the map's script a new text and roll the map from it: one undo step.

        Calls with one ``merge_key`` within a second are one step. The text goes into the map when
        its roll has ended; of texts that come faster than they are rolled only the last one does.
        A text that no map can hold is refused with a message. ``title`` is that of the step, None
        for "Change" with the name of the script.
        """
        self._rewriter.drop()
        if title is None:
            title = f"Change {self._documents.current.script.name}"
        merge = MergeKey(merge_key, self.clock())
        self._roll(MapChange(self._record.with_text(text), merge, title))

    def replace_text(self, text: str, title: str) -> None:
        """Change the text as ``change_text``, as an undo step of its own with this title."""
        self.change_text(text, self._unique_merge_key("replace"), title=title)

    def roll_again(self) -> None:
        """Give the map its own text once more, and roll the map from it.

        The record is marked as the user's by that, and the step is part of one of typing before.
        """
        self.change_text(self.text or "", TYPING)

    def rewrite(
        self,
        make_text: Callable[[str, Mapping[str, str]], str | Refused],
        merge_key: str,
        *,
        title: str,
        on_refused: Callable[[Any], None],
        make_further_edit: MakeFurtherEdit | None = None,
    ) -> None:
        """Change the text as ``change_text`` to one that is made from the newest text.

        ``make_text`` gets the text, "" if the map holds none, and the further files by name. It
        runs on another thread, and once more if the user has changed the text meanwhile. If it
        returns a ``Refused``, the text stays, and ``on_refused`` is called with the reason in that.

        ``make_further_edit``, if there is one, gets the new text and the map. It returns the edit
        of what else changes there with the text, None for nothing.
        """
        self._roll_typed()  # the new text is made from the typed one
        merge = MergeKey(merge_key, self.clock())
        self._rewriter.add(Rewrite(make_text, on_refused, merge, title, make_further_edit))

    def _roll_rewritten(self, text: str, rewrite: Rewrite) -> None:
        """Change the text to one that a rewrite has made."""
        further_edit: Callable[[BattleMap], Edit | None] | None = None
        if rewrite.make_further_edit is not None:
            further_edit = partial(rewrite.make_further_edit, text)
        records = self._record.with_text(text)
        self._roll(MapChange(records, rewrite.merge, rewrite.title, further_edit=further_edit))
        if not self.pending:  # the text was refused
            self.changed.emit()

    def _on_not_rewritten(self, problems: tuple[Problem, ...]) -> None:
        """Tell that a rewrite has made no text, for these problems or because nothing changes."""
        if problems:
            self.failed.emit(problems)
        if not self.pending:
            self.changed.emit()

    def _roll(self, change: MapChange) -> None:
        """Start to roll the map with a change; the change that waits until now is dropped.

        If no map can hold its records, it is refused with a message instead.
        """
        self._typed_text.finish()  # what was typed before is older
        new_records = {}
        for name, record in change.records.items():
            if record is not None:
                new_records[name] = record
        try:
            check_records(new_records)
        except ValueError as fault:
            self._document.refuse(f"{fault}.")
            return
        self._change_rolls.roll(change)

    def _unique_merge_key(self, action: str) -> str:
        """Return the merge key of an undo step of its own."""
        return f"{action} {next(self._step_numbers)}"

    # --- another script ---------------------------------------------------------------------

    async def load_script(self, script: Script, *, touched: bool) -> None:
        """Give the map another script, roll the map from it, and wait until the map holds it.

        With ``touched`` its record is marked as the user's (``MapRecord.touched``), so that a roll
        of a packaged script does not replace it. Nothing is changed if the map holds the script,
        or will after the change under way. Raises Stopped if the change is dropped.
        """
        if not self._will_hold(script, touched=touched):
            self._set_script(script, touched=touched)
        await self._wait_until_held(script.text)

    def _will_hold(self, script: Script, *, touched: bool) -> bool:
        """Return whether the map holds a script, or will after the change under way."""
        if self._typed_text.is_typed or self._rewriter.busy:
            return False
        change = self._change_rolls.newest
        record = self._record.record_after(change)
        if record is None or (touched and not record.touched):
            return False
        has_text = with_lf(record.text) == script.text
        return has_text and self._record.texts_after(change) == script.texts

    def _set_script(self, script: Script, *, touched: bool) -> None:
        """Give the map another script with its further files, and roll the map from it.

        For ``touched`` see ``load_script``.
        """
        file_name = ""
        if script.path is not None:
            file_name = script.path.name

        def name_file(battlemap: BattleMap) -> Edit | None:
            """Return the edit that notes the name of the file where maps have such a property."""
            edit: Edit | None = battlemap.system.name_script_file(battlemap, file_name)
            return edit

        self._rewriter.drop()
        change = MapChange(
            self._record.with_script(script.text, script.texts, touched=touched),
            MergeKey(self._unique_merge_key("script"), self.clock()),
            f"Open {script.name}",
            setup_of=partial(self._setups.of_script, script),
            further_edit=name_file,
        )
        self._roll(change)

    async def _wait_until_held(self, text: str) -> None:
        """Wait until the map holds a text; it may hold it already.

        Raises Stopped if the change with that text is dropped.
        """
        while self._is_under_way(text):
            await emitted(None, self._change_rolls.advanced)
        if self.text is None or with_lf(self.text) != text:
            raise Stopped

    def _is_under_way(self, text: str) -> bool:
        """Return whether a change that waits or is being rolled gives the map this text."""
        changes = self._change_rolls.changes
        return any(self._record.is_brought_by(change, text) for change in changes)

    # --- the ends of what is under way ------------------------------------------------------

    def commit(self, *, with_roll: bool = True) -> None:
        """Put the newest text into the map now; its roll follows, or is dropped."""
        self._roll_typed()
        self._rewriter.make_all_now()
        self._change_rolls.commit()
        if not with_roll:
            self._drop_all()  # the text is in the map: only its roll is left

    def _commit_without_roll(self) -> None:
        """Put the newest text into the map, before another map comes or the user rolls."""
        was_pending = self.pending
        self.commit(with_roll=False)
        if was_pending:
            self.changed.emit()  # the roll does not come any more
        self.committed.emit()

    def _drop_all(self) -> None:
        """Drop the typed text, all rewrites, and the changes that wait or are being rolled."""
        self._typed_text.finish()
        self._rewriter.drop()
        self._change_rolls.drop()

    def _on_changed(self, region: Region) -> None:
        """Drop all that is under way if the script was changed by others, such as undo."""
        if self.in_map and self._record.has_changed_in(region):
            if not self._change_rolls.is_applying and not self._rolling.applying:
                self._drop_all()
            self.changed.emit()
