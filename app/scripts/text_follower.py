"""Rolls a map again while the text of its script is typed, and when that is saved.

A map *follows* a text if it is rolled again, with the same seed and number, whenever the text has
changed. Three things that a person does are followed: typing, the choice of another setting, and
saving. What is typed or chosen waits (``_Stage``) on its way to a roll::

    follow_typed_text, follow_chosen_setting
      | PAUSE   FOLLOW_DELAY_MS after the last key
      | CHECK   until the text is checked
      | PAUSE   once more while a roll is under way that the user asked for
    _roll_typed_text, unless the text has errors or is rolled already

A saved text is rolled at once, or as soon as the roll under way has ended (``_saved_document``).
Scripts whose maps another program makes are *rolled outside*, which takes long: they are rolled
when they are saved, and with a chosen setting only if their maps are quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect, later
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.script import has_same_text, setup_of_roll
from app.scripts.script_checker import ScriptChecker
from app.scripts.script_document import ScriptDocument
from app.settings import Settings
from randomizer.model.map.layer import Layer
from randomizer.model.problems import has_errors

FOLLOW_DELAY_MS = 250
"""The pause after the last key before the map is rolled again. With less, half a word is rolled."""

QUICK_ROLL_S = 2.0
"""The longest time of a roll, in seconds, after which a chosen setting rolls the map again.

This is about maps that another program makes. With more, people would wait for maps that they never
see.
"""

# Shown while the map does not follow what the user has changed:
TEXT_BEHIND = "Text changed: Ctrl+Enter rolls it."
SETTINGS_BEHIND = "Settings changed: Ctrl+Enter rolls the map with them."

UNDONE_IN_SCRIPT = (
    "Undone in the script: the map is still that of the later text (Ctrl+Enter rolls it)"
)


class _Stage(Enum):
    """What a typed text, or a chosen setting, waits for before it is rolled."""

    NOTHING = auto()
    """Nothing waits: what was typed is rolled, or need not be."""

    PAUSE = auto()
    """The user has to pause in typing: ``_timer`` runs."""

    CHECK = auto()
    """The pause is over; the text is being checked for errors."""


class TextFollower(QObject):
    """Rolls the layer that was rolled from the current script again, with the same seed and number.

    All rolls that follow one another are one undo step, so that half-typed maps do not fill the
    history; the text has its own undo. If no layer was rolled from the script, nothing is rolled.
    """

    enabled_changed = Signal()
    """``enabled`` has changed."""

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        current: Callable[[], ScriptDocument],
        rolling: Rolling,
        checker: ScriptChecker,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._rolling = rolling
        self._checker = checker
        self._settings = settings
        self.quick_roll_s = QUICK_ROLL_S
        """See QUICK_ROLL_S. Tests change it, so that they do not depend on the machine."""
        self._is_paused = False
        """True while ``paused`` is in force."""

        self._stage = _Stage.NOTHING
        """What a typed text waits for."""
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_DELAY_MS)
        """Runs in the stage PAUSE."""
        self._has_quick_setting = False
        """True if a setting was chosen since the last roll, and the maps were quick then.

        The text is then rolled even if that is done outside, also if it is typed on meanwhile.
        """
        self._saved_document: ScriptDocument | None = None
        """The saved script that is rolled when the roll under way has ended, None for none."""
        self._following_request: RollRequest | None = None
        """The last roll that followed a text; while it is under way another may take its place."""

        connect(self._timer.timeout, self._roll_typed_text)
        connect(checker.checked, self._on_checked)
        connect(rolling.started, self.stop)
        connect(rolling.busy_changed, self._on_busy)

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

    def stop(self) -> None:
        """Forget a text that waits to be rolled: another map is current, or another roll begins."""
        self._timer.stop()
        self._stage = _Stage.NOTHING
        self._has_quick_setting = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Roll nothing within the ``with``: maps that are being closed must not change any more."""
        self._is_paused = True
        self.stop()
        try:
            yield
        finally:
            self._is_paused = False

    # --- whether it follows -----------------------------------------------------------------

    @property
    def will_roll_typed_text(self) -> bool:
        """True if the map will be rolled again with what the user types now."""
        generator = self._current().generator
        can_follow = generator is not None and not generator.rolls_outside
        return can_follow and self._can_follow()

    @property
    def will_roll_chosen_setting(self) -> bool:
        """True if the map will be rolled again with a setting that the user chooses now."""
        # Whichever script has made the last map: as a rule it is the one shown. Before the first
        # map the time is 0.0, which is quick, too.
        is_quick = self._rolling.roll_seconds <= self.quick_roll_s
        return self.will_roll_typed_text or (is_quick and self._can_follow())

    def _can_follow(self) -> bool:
        """Return whether a layer was rolled from the script, and the map is to follow that."""
        is_rolled = self._layer_of(self._current()) is not None
        return is_rolled and self.enabled and not self._is_paused

    @property
    def has_chosen_settings(self) -> bool:
        """True if a layer was rolled from the script, and needs no other roll to be as is chosen.

        Some settings, such as the names of players, are given to a map that is rolled already.
        """
        layer = self._layer_of(self._current())
        return layer is not None and self._is_rolled(layer)

    def about_changes(self) -> str:
        """Return a sentence that tells that the map is of an older text, or of older settings.

        "" if it is not, if it follows what is typed, or if no layer was rolled from the script.
        """
        document = self._current()
        if document.in_map or self._rolling.busy or self.will_roll_typed_text:
            return ""
        if self._has_quick_setting and self._stage is _Stage.PAUSE:
            return ""  # it will be rolled in a moment
        layer = self._layer_of(document)
        if layer is None or self._is_rolled(layer):
            return ""
        if self._has_text_of(layer):
            return SETTINGS_BEHIND
        return TEXT_BEHIND

    def tell_undone(self) -> None:
        """Tell that the undo of an edit has not changed the map, if the map shows the later text.

        That is so if the map does not follow what is typed, and was rolled after the edit.
        """
        layer = self._layer_of(self._current())
        if not self.will_roll_typed_text and layer is not None and not self._is_rolled(layer):
            self.message.emit(UNDONE_IN_SCRIPT)

    # --- a text that is being typed ---------------------------------------------------------

    def follow_chosen_setting(self) -> None:
        """Roll the map with a setting that the user has chosen, after a pause.

        A slow roll outside is not begun by that.
        """
        self._has_quick_setting = self.will_roll_chosen_setting
        self.follow_typed_text()

    def follow_typed_text(self) -> None:
        """Roll what the user has typed, after a pause."""
        if self.enabled and not self._is_paused:
            self._wait_for_pause()

    def _wait_for_pause(self) -> None:
        self._stage = _Stage.PAUSE
        self._timer.start()

    def _on_checked(self) -> None:
        """Roll the text that waited for its check."""
        if self._stage is _Stage.CHECK:
            self._roll_typed_text()

    def _roll_typed_text(self) -> None:
        """Roll the text as it is now, unless it has errors or is rolled already.

        It may have to wait: for its check, or for the end of a roll that the user asked for.
        """
        self._stage = _Stage.NOTHING
        document = self._current()
        layer = self._layer_of(document)
        generator = document.generator
        if layer is None or generator is None:
            return
        if generator.rolls_outside and not self._has_quick_setting:
            return  # such a script is rolled when it is saved

        if not self._checker.fresh:
            self._stage = _Stage.CHECK
            return
        if has_errors(self._checker.result.problems):
            return

        # There is one roll at a time: one that follows an older text is dropped, one that the user
        # asked for is waited for.
        self._drop_following_roll()
        if self._rolling.busy:
            self._wait_for_pause()
        elif not self._is_rolled(layer):
            self._following_request = self._rolling.roll_same_map(is_typed=True)

    def _drop_following_roll(self) -> None:
        """Cancel the roll under way if it follows a text, which is an older one by now."""
        if self._rolling.is_under_way(self._following_request):
            self._rolling.cancel()

    def _layer_of(self, document: ScriptDocument) -> Layer | None:
        """Return the layer that a roll replaces if it was rolled from the document's script.

        None if it was not, or if the program cannot roll it now.
        """
        layer = self._rolling.target()
        if layer is None or layer.roll is None or self._rolling.next_roll.why_not():
            return None
        is_of_script = self._rolling.setup().has_script_of(layer.roll)
        if is_of_script or layer.roll.script_name in document.names:
            return layer
        return None

    def _is_rolled(self, layer: Layer) -> bool:
        """Return whether a layer was rolled from the script as it is now, with these settings.

        Settings that a rolled map can be given afterwards may be others.
        """
        assert layer.roll is not None
        setup = self._rolling.setup(self._rolling.key_choice.key)
        rolled_settings = setup_of_roll(layer.roll).settings
        settings = setup.settings
        generator = self._current().generator
        if generator is not None:
            rolled_settings = generator.settings_needing_roll(rolled_settings)
            settings = generator.settings_needing_roll(settings)
        return self._has_text_of(layer) and rolled_settings == settings

    def _has_text_of(self, layer: Layer) -> bool:
        """Return whether the script has the text now from which a layer was rolled."""
        assert layer.roll is not None
        setup = self._rolling.setup(self._rolling.key_choice.key)
        return has_same_text(layer.roll, setup.script_name, setup.text, setup.texts)

    # --- a text that was saved --------------------------------------------------------------

    def follow_saved(self) -> None:
        """Roll the script that the user has saved, unless it is rolled already."""
        document = self._current()
        layer = self._layer_of(document)
        if self.enabled and layer is not None and not self._is_rolled(layer):
            self.roll_saved_text()

    def roll_saved_text(self, *, message_if_unrolled: str = "") -> None:
        """Roll the script, whose file was saved here or read again after another program wrote it.

        It is rolled even if its text is the same, as its further files may have changed. If no
        layer was rolled from the script, ``message_if_unrolled`` is emitted instead, unless it is
        "", or the text has to wait for the end of a roll.
        """
        self.stop()
        document = self._current()
        if not self.enabled or self._is_paused or document.in_map:
            return
        self._drop_following_roll()
        self._saved_document = None
        if self._rolling.busy:  # one roll at a time: this one when that one has ended
            self._saved_document = document
            return
        layer = self._layer_of(document)
        if layer is None:
            if message_if_unrolled:
                self.message.emit(message_if_unrolled)
            return
        self._following_request = self._rolling.roll_same_map(is_typed=False)

    def _on_busy(self, busy: bool) -> None:
        """Roll the saved document that waited for the end of a roll."""
        if not busy and self._saved_document is not None:
            later(self, self._roll_saved_document)  # that roll goes into the map first

    def _roll_saved_document(self) -> None:
        """Roll the saved document that has waited, unless another one is shown by now."""
        document = self._saved_document
        self._saved_document = None
        if document is self._current():
            self.roll_saved_text()
