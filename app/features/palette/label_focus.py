"""Gives the label of a thing that was just placed the keyboard, so that its name can be typed.

A click places a town, and its label gets the keyboard::

    "Ur", Enter     the town is called Ur, the keyboard is back on the map
    Delete          the town is deleted: nothing was typed into its label yet
"""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from app.document.document import MapDocument
from app.features.palette.thing_settings import LABEL, state_field
from app.qt_guard import connect, guarded, later
from app.widgets.forms.committed_form import CommittedForm
from randomizer.model.things.thing_kind import ThingKind


class _State(Enum):
    """Whether the keyboard is given to the form.

    ::

        state       event                                        next state
        NOTHING     a thing is placed (``focus_next_shown``)     AWAITED
        AWAITED     the form shows it (``focus_if_placed``)      ENTERED if its label is to be
                                                                 typed, else NOTHING
        any         the label is to be typed (``enter_label``)   ENTERED
        ENTERED     the keyboard leaves the label                NOTHING
    """

    NOTHING = auto()
    """Keys in the label are like those in any field."""

    AWAITED = auto()
    """A thing was placed, which the form does not show yet."""

    ENTERED = auto()
    """The label has the keyboard since the thing was placed: Enter and Delete lead to the map."""


class LabelFocus(QObject):
    """Gives the text of a placed thing the keyboard, and tells when it is to go back to the map."""

    map_focus_requested = Signal()
    """The map should get the keyboard back: after Enter, or Delete for the thing."""

    field_entered = Signal(str)
    """A field got the keyboard because a thing was placed: the name of the field."""

    def __init__(self, form: CommittedForm, document: MapDocument) -> None:
        """Begin with no keyboard given; ``form`` has a field ``LABEL`` while it shows things."""
        super().__init__(form)
        self._form = form
        self._document = document
        self._state = _State.NOTHING
        self._label: QLineEdit | None = None
        """The field of the label that was entered last; the form can have made another since."""

    def focus_next_shown(self) -> None:
        """Give the keyboard to the thing that the form shows next: it was just placed."""
        self._state = _State.AWAITED

    def focus_if_placed(self, kind: ThingKind | None) -> None:
        """Give the text of a placed thing the keyboard, now that the form shows it.

        The form calls this for all things that it shows; ``kind`` is that of the first one, None
        if unknown. The text is the long one of a note, else the label where the map shows it.
        Nothing happens where the form cannot be seen.
        """
        if self._state is not _State.AWAITED:
            return
        self._state = _State.NOTHING
        if kind is None or not self._form.isVisible():
            return
        long_texts = [setting.name for setting in kind.settings if setting.lines > 1]
        if long_texts:
            name = state_field(long_texts[0])
            self._form.edit(name)
            self.field_entered.emit(name)
        elif kind.is_labelled:
            self.enter_label()
            self.field_entered.emit(LABEL)

    def enter_label(self) -> None:
        """Give the label the keyboard; Enter there ends it (``map_focus_requested``)."""
        field = self._form.field(LABEL)
        assert isinstance(field, QLineEdit)
        self._form.edit(LABEL)
        field.setModified(False)  # nothing was typed for this thing yet
        self._state = _State.ENTERED
        if field is not self._label:
            # The filter of a former label stays and does nothing: ``eventFilter`` looks for that.
            self._label = field
            connect(field.returnPressed, self._on_return_pressed)
            field.installEventFilter(self)

    def _on_return_pressed(self) -> None:
        """Give the keyboard back to the map after Enter, if the label got it for a placed thing."""
        if self._state is _State.ENTERED:
            self.map_focus_requested.emit()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note when the keyboard leaves the label, and let Delete delete a thing just placed."""
        if watched is not self._label:
            return super().eventFilter(watched, event)
        if isinstance(event, QFocusEvent) and event.lostFocus():
            self._on_focus_lost(event.reason())
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and self._should_delete_thing(event):
            # Qt asks by this event whether the field wants the key. Ignored and not handed on, it
            # means no: the key goes to the commands of the desk, which delete the thing.
            event.ignore()
            later(self, self.map_focus_requested.emit)
            return True
        return super().eventFilter(watched, event)

    def _on_focus_lost(self, reason: Qt.FocusReason) -> None:
        """Note that the keyboard has left the label for good."""
        # A menu, or another window in front, has the keyboard only for a while.
        passing = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if self._state is _State.ENTERED and reason not in passing:
            self._state = _State.NOTHING

    def _should_delete_thing(self, event: QKeyEvent) -> bool:
        """Return whether a key is to delete the placed thing, and not text of its label.

        It is Delete while the label is empty and nothing was typed into it: so a thing that was
        placed by mistake is gone by one key.
        """
        label = self._label
        assert label is not None, "it has the keyboard"
        is_delete = event.matches(QKeySequence.StandardKey.Delete)
        is_untouched = not label.text() and not label.isModified()
        is_of_placed = self._state is _State.ENTERED and bool(self._document.picked)
        return is_delete and is_untouched and is_of_placed
