"""Rolls a map again while the text of its script is typed, and when that is saved.

A map *follows* a text if it is rolled again, with the same seed and number, whenever the text has
changed. ``Scripts`` owns a ``TextFollower``. Begin with the methods that it calls:
``follow_typed``, ``follow_chosen`` (a setting), ``follow_saved`` and ``roll_saved_text``. The way
of a typed text to a roll::

    follow_typed, follow_chosen
      | FOLLOW_DELAY_MS       (_timer)
      | until it is checked   (_waits_for_check)
      | until a roll that the user asked for has ended: another delay
    _roll_typed, unless the text has errors or is rolled already

A saved text is rolled at once, or as soon as the roll under way has ended (``_saved_document``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect, later
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


class TextFollower(QObject):
    """Rolls the layer that was rolled from the current script again, with the same seed and number.

    A text that is being typed is rolled after a pause, if it has no errors. All rolls that follow
    one another are one undo step, so that half-typed maps do not fill the history; the text has its
    own undo. A script whose maps another program makes is rolled only when it is saved, or when a
    setting is chosen and its maps are quick. If no layer was rolled from the script, nothing is.
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

        # A typed text that waits for its roll; ``stop`` drops all three:
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_DELAY_MS)
        """Runs while the text waits for the pause after the last key."""
        self._waits_for_check = False
        """True if the pause is over, and the text is to be rolled as soon as it is checked."""
        self._may_roll_outside = False
        """True if the text is to be rolled even if another program makes its maps: since the last
        roll a setting was chosen, and these maps are quick."""

        # A saved text that waits for its roll:
        self._saved_document: ScriptDocument | None = None
        """The document to be rolled when the roll under way has ended, None for none."""

        # The roll under way:
        self._is_following = False
        """True if the roll under way follows a text: another roll may take its place."""

        connect(self._timer.timeout, self._roll_typed)
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
            self.follow_typed()
        self.enabled_changed.emit()

    def stop(self) -> None:
        """Forget a text that waits to be rolled: another map is current, or another roll begins."""
        self._timer.stop()
        self._waits_for_check = False
        self._may_roll_outside = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Roll nothing within the ``with``: maps that are being closed must not change any more."""
        self._is_paused = True
        self.stop()
        try:
            yield
        finally:
            self._is_paused = False

    # --- a text that is being typed ---------------------------------------------------------

    @property
    def follows_typed(self) -> bool:
        """True if the map will be rolled again with what the user types now."""
        generator = self._current().generator
        can_follow = generator is not None and not generator.rolls_outside
        return can_follow and self._can_follow()

    @property
    def follows_chosen(self) -> bool:
        """True if the map will be rolled again with a setting that the user chooses now."""
        return self.follows_typed or (self._rolls_quickly() and self._can_follow())

    def _can_follow(self) -> bool:
        """Return whether a layer was rolled from the script, and the map is to follow that."""
        is_rolled = self._layer_of(self._current()) is not None
        return is_rolled and self.enabled and not self._is_paused

    def _rolls_quickly(self) -> bool:
        """Return whether the last map was made so quickly that a chosen setting rolls again."""
        return self._rolling.roll_seconds <= self.quick_roll_s

    def about_changes(self) -> str:
        """Return a sentence that tells that the map is of an older text, or of older settings.

        "" if it is not, if it follows what is typed, or if no layer was rolled from the script.
        """
        document = self._current()
        if document.in_map or self._rolling.busy or self.follows_typed:
            return ""
        if self._may_roll_outside and self._timer.isActive():
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
        if not self.follows_typed and layer is not None and not self._is_rolled(layer):
            self.message.emit(UNDONE_IN_SCRIPT)

    def follow_chosen(self) -> None:
        """Roll the map with a setting that the user has chosen, after a pause.

        A slow roll of another program is not begun by that.
        """
        self._may_roll_outside = self.follows_chosen
        self.follow_typed()

    def follow_typed(self) -> None:
        """Roll what the user has typed, after a pause."""
        if self.enabled and not self._is_paused:
            self._waits_for_check = False
            self._timer.start()

    def _on_checked(self) -> None:
        """Roll the text that waited for its check."""
        if self._waits_for_check:
            self._roll_typed()

    def _roll_typed(self) -> None:
        """Roll the text as it is now, unless it has errors or is rolled already.

        It may have to wait: for its check, or for the end of a roll that the user asked for.
        """
        document = self._current()
        layer = self._layer_of(document)
        generator = document.generator
        if layer is None or generator is None:
            return
        if generator.rolls_outside and not self._may_roll_outside:
            return  # such a script is rolled when it is saved

        # The text waits for its check, and is not rolled with errors.
        self._waits_for_check = not self._checker.fresh
        if self._waits_for_check or has_errors(self._checker.result.problems):
            return

        # There is one roll at a time: one that follows an older text is dropped, one that the user
        # asked for is waited for.
        if self._is_following:
            self._rolling.cancel()
        if self._rolling.busy:
            self._timer.start()
        elif not self._is_rolled(layer):
            self._begin_roll(is_typed=True)

    def _begin_roll(self, *, is_typed: bool) -> None:
        """Begin a roll of the script that follows a typed or a saved text."""
        self._rolling.follow(is_typed=is_typed)
        self._is_following = self._rolling.busy  # a roll may be over at once, or refused

    def _layer_of(self, document: ScriptDocument) -> Layer | None:
        """Return the layer that a roll replaces if it was rolled from the document's script.

        None if it was not, or if the program cannot roll it now.
        """
        layer = self._rolling.target()
        if layer is None or layer.roll is None or self._rolling.why_not():
            return None
        is_of_script = self._rolling.setup().has_script_of(layer.roll)
        if is_of_script or layer.roll.script_name in document.names:
            return layer
        return None

    def _is_rolled(self, layer: Layer) -> bool:
        """Return whether a layer was rolled from the script as it is now, with these settings."""
        assert layer.roll is not None
        setup = self._rolling.setup(self._rolling.key_choice.key)
        return self._has_text_of(layer) and setup_of_roll(layer.roll).settings == setup.settings

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
        "". It is lost if a roll is under way: then the text waits for the end of that.
        """
        self.stop()
        document = self._current()
        if not self.enabled or self._is_paused or document.in_map:
            return
        if self._is_following:
            self._rolling.cancel()  # it rolls what the file held before
        self._saved_document = None
        if self._rolling.busy:  # one roll at a time: this one when that one has ended
            self._saved_document = document
            return
        layer = self._layer_of(document)
        if layer is None:
            if message_if_unrolled:
                self.message.emit(message_if_unrolled)
            return
        self._begin_roll(is_typed=False)

    def _on_busy(self, busy: bool) -> None:
        """Roll the saved document that waited for the end of a roll."""
        if busy:
            return
        self._is_following = False
        if self._saved_document is not None:
            later(self, self._roll_saved)  # the result of that roll goes into the map first

    def _roll_saved(self) -> None:
        """Roll the saved document that has waited, unless another one is shown by now."""
        document = self._saved_document
        self._saved_document = None
        if document is self._current():
            self.roll_saved_text()
