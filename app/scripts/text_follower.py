"""Rolls a map again while the text of its script is typed, and when that is saved.

A map *follows* a text if it is rolled again, with the same seed and number, whenever the text has
changed. Three things that a person does are followed:

- **Typing.** The text is rolled after a pause and a check (``_Stage``).
- **The choice of another setting**, which goes the same way.
- **Saving.** The text is rolled at once, or as soon as the roll under way has ended.

The maps of some scripts are made by another program, which takes long: these are *rolled outside*.
Such a map follows saving, and follows a chosen setting if its last roll was quick, but not typing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect, later
from app.rolling.chosen_roll import ChosenSetting
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.script_checker import ScriptChecker
from app.scripts.script_document import ScriptDocument
from app.scripts.script_layer import ScriptLayer
from app.scripts.shown_documents import ShownDocuments
from app.settings import Settings
from randomizer.model.map.layer import Layer
from randomizer.model.problems import has_errors

FOLLOW_DELAY_MS = 250
"""The pause after the last key before the map is rolled again. With less, half a word is rolled."""

QUICK_ROLL_S = 2.0
"""A map whose last roll took longer, in seconds, is not rolled outside for a chosen setting.

With more, people would wait for maps that they never see.
"""


class _Stage(Enum):
    """What a typed text, or a chosen setting, waits for before it is rolled."""

    NOTHING = auto()
    """Nothing waits: what was typed is rolled, or need not be."""

    PAUSE = auto()
    """The user has to pause in typing, or the roll under way has to end: ``_timer`` runs."""

    CHECK = auto()
    """The pause is over; the text is being checked for errors."""


class _SavedScript(NamedTuple):
    """A script that was saved during a roll."""

    document: ScriptDocument
    message_if_unrolled: str | None
    """See ``TextFollower.roll_saved_text``."""


class TextFollower(QObject):
    """Rolls the layer that was rolled from the current script again, with the same seed and number.

    All rolls that follow one another while a text is typed are one undo step, so that half-typed
    maps do not fill the history; the text has its own undo. Each setting that is chosen is a step.
    If no layer was rolled from the script, nothing is rolled.
    """

    enabled_changed = Signal()
    """``enabled`` has changed."""

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        documents: ShownDocuments,
        rolling: Rolling,
        checker: ScriptChecker,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._rolling = rolling
        self._checker = checker
        self._settings = settings
        self._script_layer = ScriptLayer(documents, rolling)
        self.quick_roll_s = QUICK_ROLL_S
        """See QUICK_ROLL_S. Tests change it, so that they do not depend on the machine."""
        self._is_paused = False
        """True within the ``with`` of ``paused``."""

        self._stage = _Stage.NOTHING
        """What a typed text, or a chosen setting, waits for."""
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_DELAY_MS)
        """Runs in the stage PAUSE."""
        self._may_roll_outside = False
        """True after the choice of a setting for a map that is quick, until the next roll begins.

        The text is then rolled even if that is done outside, also if it is typed on meanwhile.
        """
        self._chosen_setting: ChosenSetting | None = None
        """The setting that was chosen last; None once it is rolled, or the text is typed on."""
        self._saved_script: _SavedScript | None = None
        """The saved script that is rolled when the roll under way has ended, None for none."""
        self._following_request: RollRequest | None = None
        """The last roll that followed a text; while it is under way another may take its place."""

        connect(self._timer.timeout, self._roll_after_pause)
        connect(checker.checked, self._roll_after_check)
        connect(rolling.started, self.stop)
        connect(rolling.busy_changed, self._on_busy)

    # --- whether it follows -----------------------------------------------------------------

    @property
    def enabled(self) -> bool:
        """True if the user wants the map to follow the text."""
        return self._settings.follow_script

    def set_enabled(self, enabled: bool) -> None:
        """Let the map follow the text from now on, or only when the user asks for a roll."""
        self._settings.follow_script = enabled
        self.stop()
        if enabled:
            self.follow_typed_text()
        self.enabled_changed.emit()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Roll nothing within the ``with``: maps that are being closed must not change any more."""
        self._is_paused = True
        self.stop()
        try:
            yield
        finally:
            self._is_paused = False

    @property
    def will_roll_typed_text(self) -> bool:
        """True if the map will be rolled again with what the user types now."""
        return self._can_follow() and not self._is_rolled_outside()

    @property
    def will_roll_chosen_setting(self) -> bool:
        """True if the map will be rolled again with a setting that the user chooses now."""
        # Whichever script has made the last map: as a rule it is the one shown. Before the first
        # map the time is 0.0, which is quick, too.
        is_quick = self._rolling.roll_seconds <= self.quick_roll_s
        return self._can_follow() and (is_quick or not self._is_rolled_outside())

    @property
    def has_chosen_settings(self) -> bool:
        """True if a layer was rolled from the script, and needs no other roll to be as is chosen.

        Some settings, such as the names of players, are given to a map that is rolled already.
        """
        layer = self._script_layer.find()
        return layer is not None and self._script_layer.is_up_to_date(layer)

    @property
    def waits_with_setting(self) -> bool:
        """True in the pause before the map is rolled with a chosen setting."""
        return self._may_roll_outside and self._stage is _Stage.PAUSE

    def _can_follow(self) -> bool:
        """Return whether a layer was rolled from the script, and the map is to follow that."""
        return self.enabled and not self._is_paused and self._script_layer.find() is not None

    def _is_rolled_outside(self) -> bool:
        """Return whether another program makes the maps, also if it is not known who makes them."""
        generator = self._documents.current.generator
        return generator is None or generator.rolls_outside

    # --- a text that is being typed ---------------------------------------------------------

    def follow_chosen_setting(self, setting: ChosenSetting) -> None:
        """Roll the map with a setting that the user has chosen, after a pause.

        A slow roll outside is not begun by that.
        """
        self._may_roll_outside = self.will_roll_chosen_setting
        self.follow_typed_text()
        self._chosen_setting = setting

    def follow_typed_text(self) -> None:
        """Roll what the user has typed, after a pause."""
        self._chosen_setting = None
        if self.enabled and not self._is_paused:
            self._wait_for_pause()

    def stop(self) -> None:
        """Forget a text that waits to be rolled: another map is current, or another roll begins."""
        self._timer.stop()
        self._stage = _Stage.NOTHING
        self._may_roll_outside = False
        self._chosen_setting = None

    def _wait_for_pause(self) -> None:
        """Begin the stage PAUSE, anew if it has begun."""
        self._stage = _Stage.PAUSE
        self._timer.start()

    def _roll_after_pause(self) -> None:
        """Roll the text as it is now, once it is checked."""
        self._stage = _Stage.NOTHING
        if self._layer_to_roll() is not None:
            self._stage = _Stage.CHECK
            if self._checker.fresh:
                self._roll_after_check()

    def _layer_to_roll(self) -> Layer | None:
        """Return the layer that a typed text is rolled for; None if the text is not rolled."""
        generator = self._documents.current.generator
        if generator is None:
            return None
        if generator.rolls_outside and not self._may_roll_outside:
            return None  # such a script is rolled when it is saved
        return self._script_layer.find()

    def _roll_after_check(self) -> None:
        """Roll the text that waited for its check, unless it has errors or is rolled already."""
        if self._stage is not _Stage.CHECK:
            return
        self._stage = _Stage.NOTHING
        layer = self._layer_to_roll()
        if layer is None or has_errors(self._checker.result.problems):
            return
        # There is one roll at a time: one that follows an older text is dropped, one that the user
        # asked for is waited for.
        self._drop_following_roll()
        if self._rolling.busy:
            self._wait_for_pause()
        elif not self._script_layer.is_up_to_date(layer):
            self._following_request = self._rolling.roll_same_map(
                is_typed=True, setting=self._chosen_setting
            )

    def _drop_following_roll(self) -> None:
        """Cancel the roll under way if it follows a text, which is an older one by now."""
        if self._rolling.is_under_way(self._following_request):
            self._rolling.cancel()

    # --- a text that was saved --------------------------------------------------------------

    def follow_saved(self) -> None:
        """Roll the script that the user has saved, unless it is rolled already."""
        layer = self._script_layer.find()
        if self.enabled and layer is not None and not self._script_layer.is_up_to_date(layer):
            self.roll_saved_text()

    def roll_saved_text(self, *, message_if_unrolled: str | None = None) -> None:
        """Roll the script, whose file was saved here or read again after another program wrote it.

        It is rolled even if its text is the same, as its further files may have changed. During
        another roll it waits for the end of that. ``message_if_unrolled`` is emitted if no layer
        was rolled from the script, so that there is nothing to roll again.
        """
        self.stop()
        document = self._documents.current
        if not self.enabled or self._is_paused or document.in_map:
            return
        self._drop_following_roll()
        self._saved_script = None
        if self._rolling.busy:
            self._saved_script = _SavedScript(document, message_if_unrolled)
        elif self._script_layer.find() is not None:
            self._following_request = self._rolling.roll_same_map(is_typed=False)
        elif message_if_unrolled is not None:
            self.message.emit(message_if_unrolled)

    def _on_busy(self, busy: bool) -> None:
        """Roll the saved script that waited for the end of a roll."""
        if not busy and self._saved_script is not None:
            later(self, self._roll_saved_script)  # that roll goes into the map first

    def _roll_saved_script(self) -> None:
        """Roll the saved script that has waited, unless another one is shown by now."""
        saved = self._saved_script
        self._saved_script = None
        if saved is not None and saved.document is self._documents.current:
            self.roll_saved_text(message_if_unrolled=saved.message_if_unrolled)
