"""The form of the picked things, or of the thing that is placed next when none is picked.

What its fields are, and what a change of one does, is said by thing_settings.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.features.palette.thing_settings import STATE, change_thing, settings_of_things
from app.qt_guard import connect, guarded, later
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.kinds_on_map import kinds_of
from randomizer.model.map.things_at import thing_text
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions


class ThingForm(QWidget):
    """Shows what the picked things have in common; every change is one undo step for all of them.

    With nothing picked it shows, and changes, the thing that is placed next
    (``ToolOptions.thing``). After a thing was placed by hand its label gets the keyboard, if the
    map shows labels of such things; after a note was placed, its text does.
    """

    label_left = Signal()
    """The label is to give the keyboard back to the map: after Enter, or Delete for the thing."""

    field_entered = Signal(str)
    """A field got the keyboard because a thing was placed: the name of the field."""

    def __init__(self, document: MapDocument, options: ToolOptions) -> None:
        super().__init__()
        self._document = document
        self._options = options
        self._settings: tuple[Setting, ...] = ()
        """The fields of the form."""
        self.heading = plain_label()
        self.heading.setWordWrap(True)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.form = CommittedForm()
        lay_out(QVBoxLayout(self), self.heading, self.form, margins=0)
        self._is_label_awaited = False
        """True from when a thing is placed until the form shows it, with its label to be typed."""
        self._label: QLineEdit | None = None
        """The field of the label that got the keyboard last by ``edit_label``; None before that."""
        self._is_label_entered = False
        """True from ``edit_label`` until the keyboard leaves the label."""
        self._refresh_timer = QTimer(self, singleShot=True)
        """Runs from a change of the map until the form shows it."""
        connect(self._refresh_timer.timeout, self.show_things)
        connect(options.thing_placed, self._focus_label_when_shown)
        connect(self.form.committed, self._commit)
        connect(options.changed, self.show_things)
        connect(document.picked_changed, self._show_soon)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.show_things)
        self.show_things()

    @property
    def up_to_date(self) -> bool:
        """True if the form shows the things as they are on the map now."""
        return not self._refresh_timer.isActive()

    def _on_changed(self, region: Region) -> None:
        """Follow an edit that can have changed the things or their kinds."""
        if region.things or region.structure or region.records:
            self._show_soon()

    def _show_soon(self) -> None:
        """Show the things once for all changes of this turn of the event loop."""
        self._refresh_timer.start(0)

    # --- showing ----------------------------------------------------------------------------

    def show_things(self) -> None:
        """Show the picked things as they are now."""
        self._refresh_timer.stop()
        things = self._things()
        kinds = self._kinds()
        self.setVisible(bool(things))
        if not things:
            return
        self.heading.setText(self._heading(things, kinds))
        rules = self._document.battlemap.system.thing_rules
        self._settings, values = settings_of_things(things, kinds, rules)
        self.form.set_settings(self._settings, values)
        if self._is_label_awaited:
            self._is_label_awaited = False
            self._focus_text_of_placed(kinds.get(things[0].kind))

    def _focus_label_when_shown(self) -> None:
        """Give the label of the thing that was just placed the keyboard, when it is shown."""
        self._is_label_awaited = True
        self._show_soon()

    def _focus_text_of_placed(self, kind: ThingKind | None) -> None:
        """Give the text of a thing just placed the keyboard, where the form can be seen.

        That is the long text of a note, else the label where the map shows it.
        """
        if kind is None or not self.isVisible():
            return
        long_texts = [setting.name for setting in kind.settings if setting.lines > 1]
        if long_texts:
            name = f"{STATE}{long_texts[0]}"
            self.form.edit(name)
            self.field_entered.emit(name)
        elif kind.is_labelled:
            self.edit_label()
            self.field_entered.emit("label")

    def edit_label(self) -> None:
        """Give the label the keyboard; Enter there ends it (``label_left``)."""
        field = self.form.field("label")
        assert isinstance(field, QLineEdit)
        self.form.edit("label")
        field.setModified(False)  # nothing was typed for this thing yet
        self._is_label_entered = True
        if field is not self._label:
            self._label = field
            connect(field.returnPressed, self._on_label_finished)
            field.installEventFilter(self)

    def _on_label_finished(self) -> None:
        """Give the keyboard back to the map after Enter, if ``edit_label`` gave it to the label."""
        if self._is_label_entered:
            self.label_left.emit()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the Delete key to the desk while the label is empty and nothing was typed into it.

        It deletes the thing that was just placed, and the map gets the keyboard again. Once the
        keyboard has left the label, Delete in it is a key like any other.
        """
        if watched is not self._label:
            return super().eventFilter(watched, event)
        if isinstance(event, QFocusEvent) and event.lostFocus():
            # A menu, or another window in front, has the keyboard only for a while.
            passing = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
            if event.reason() not in passing:
                self._is_label_entered = False
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and self._is_delete(event):
            # Qt asks by this event whether the field wants the key. Ignored and not handed on, it
            # means no: the key goes to the commands of the desk.
            event.ignore()
            later(self, self.label_left.emit)
            return True
        return super().eventFilter(watched, event)

    def _is_delete(self, event: QKeyEvent) -> bool:
        """Return whether a key deletes the picked thing, and not text of its label."""
        label = self._label
        assert label is not None, "it has the keyboard"
        is_untouched = not label.text() and not label.isModified()
        is_delete = event.matches(QKeySequence.StandardKey.Delete)
        is_of_placed = self._is_label_entered and bool(self._document.picked)
        return is_delete and is_untouched and is_of_placed

    def _things(self) -> list[Thing]:
        """Return the things that are shown: the picked ones, or the one that is placed next."""
        if self._document.picked:
            return self._document.picked
        if self._options.thing is not None:
            return [self._options.thing]
        return []

    def _kinds(self) -> dict[str, ThingKind]:
        """Return the kinds of the map and of the things that are shown, by name."""
        battlemap = self._document.battlemap
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        for thing in self._things():
            if thing.kind in kinds:
                continue
            # A kind of the game that the map does not declare.
            kind = battlemap.system.thing_kind(battlemap, thing.kind)
            if kind is not None:
                kinds[kind.name] = kind
        return kinds

    def _heading(self, things: Sequence[Thing], kinds: Mapping[str, ThingKind]) -> str:
        """Return the text above the form: the thing, or the number of several."""
        if len(things) > 1:
            return counted(len(things), "thing")
        text = thing_text(things[0], kinds)
        if self._document.picked:
            return text
        return f"New: {text}"

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        """Give the value of the field ``name`` to all things that are shown."""
        value = self.form.values().get(name)
        things = self._things()
        new_things = [change_thing(thing, name, value) for thing in things]
        if new_things == things:
            return
        if name == "owner":
            self._options.choose_owner(new_things[0].owner)
        if self._document.picked:
            self._commit_to_picked(name, things, new_things)
        else:
            self._options.choose(thing=new_things[0])  # the one that is placed next

    def _commit_to_picked(
        self, name: str, things: Sequence[Thing], new_things: Sequence[Thing]
    ) -> None:
        """Change the picked things, as one undo step."""
        # The next thing is placed at the angle to which ones like it were turned.
        next_thing = self._options.thing
        if name == "angle" and next_thing is not None and self._options.is_like_next(things):
            self._options.choose(thing=replace(next_thing, angle=new_things[0].angle))

        title = next(setting.title for setting in self._settings if setting.name == name)
        edit = change_things(self._document.battlemap, new_things)
        self._document.push(edit, f"Change {title.lower()}")
        self._show_soon()  # it may have been refused: the form shows the old value again
