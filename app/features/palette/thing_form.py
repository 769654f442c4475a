"""The form of the picked things, or of the thing that is placed next when none is picked.

The *kind* of a thing, such as a town or a unit, says which settings of its own it has (``State``),
in addition to the ``FIELDS`` of all things. ``settings_of_things`` returns the fields of a form and
the values that all things share, ``change_thing`` a thing with another value of a field::

    settings_of_things([town, camp], kinds)     # kind, label, owner ...; {"owner": 2}
    change_thing(town, "state.hp", 12)          # the town with 12 hit points
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded, later
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.kinds_on_map import kinds_of
from randomizer.model.map.things_at import thing_text
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import NewOwner, ThingKind
from randomizer.model.things.thing_rules import FREE, ThingRules
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions

STATE = "state."
"""The beginning of the names of fields for a kind's own settings, such as ``state.hp``.

Without it a setting could have the name of another field.
"""

VARIOUS = "(various)"
"""The text of a field in which the picked things differ."""

FIELDS = (
    Setting("kind", str, "What it is", "", title="Kind"),
    Setting("label", str, "Its own name, for people", "", title="Label"),
    Setting("owner", int, "To whom it belongs; 0: to nobody", 0, minimum=0, title="Owner"),
    Setting(
        "angle",
        float,
        "Where it looks to, in degrees clockwise from north",
        0.0,
        minimum=0,
        maximum=360,
        title="Angle",
    ),
)
"""The fields of every thing, named for those of ``Thing``."""


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
        """The field of the label while it has the keyboard because a thing was placed."""
        self._soon = QTimer(self, singleShot=True)
        """Runs from a change of the map until the form shows it."""
        connect(self._soon.timeout, self.show_things)
        connect(options.thing_placed, self._ask_label)
        connect(self.form.committed, self._commit)
        connect(options.changed, self.show_things)
        connect(document.picked_changed, self._show_soon)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.show_things)
        self.show_things()

    @property
    def up_to_date(self) -> bool:
        """True if the form shows the things as they are on the map now."""
        return not self._soon.isActive()

    def _on_changed(self, region: Region) -> None:
        """Follow an edit that can have changed the things or their kinds."""
        if region.things or region.structure or region.records:
            self._show_soon()

    def _show_soon(self) -> None:
        """Show the things once for all changes of this turn of the event loop."""
        self._soon.start(0)

    # --- showing ----------------------------------------------------------------------------

    def show_things(self) -> None:
        """Show the picked things as they are now."""
        self._soon.stop()
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
            self._edit_text_of_placed(kinds.get(things[0].kind))

    def _ask_label(self) -> None:
        """Give the label of the thing that was just placed the keyboard, when it is shown."""
        self._is_label_awaited = True
        self._show_soon()

    def _edit_text_of_placed(self, kind: ThingKind | None) -> None:
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
        if field is not self._label:
            self._label = field
            connect(field.returnPressed, self.label_left)
            field.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the Delete key to the desk while the label is empty and nothing was typed into it.

        It deletes the thing that was just placed, and the map gets the keyboard again.
        """
        is_override = event.type() == QEvent.Type.ShortcutOverride and watched is self._label
        if is_override and isinstance(event, QKeyEvent) and self._is_delete(event):
            event.ignore()  # so Qt offers the key to the commands of the desk
            later(self, self.label_left.emit)
            return True
        return super().eventFilter(watched, event)

    def _is_delete(self, event: QKeyEvent) -> bool:
        """Return whether a key deletes the picked thing, and not text of its label."""
        label = self._label
        assert label is not None, "it has the keyboard"
        is_untouched = not label.text() and not label.isModified()
        is_delete = event.matches(QKeySequence.StandardKey.Delete)
        return is_delete and is_untouched and bool(self._document.picked)

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
        if not self._document.picked:
            self._options.choose(thing=new_things[0])
            return

        # The next thing is placed at the angle to which ones like it were turned.
        next_thing = self._options.thing
        if name == "angle" and next_thing is not None and self._options.is_one_of_next_kind(things):
            self._options.choose(thing=replace(next_thing, angle=new_things[0].angle))

        title = next(setting.title for setting in self._settings if setting.name == name)
        edit = change_things(self._document.battlemap, new_things)
        self._document.push(edit, f"Change {title.lower()}")
        self._show_soon()  # it may have been refused: the form shows the old value again


def change_thing(thing: Thing, name: str, value: object) -> Thing:
    """Return a thing with another value of the field ``name``.

    With None an entry is removed from the thing's state; for other fields it changes nothing.
    """
    if name.startswith(STATE):
        key = name.removeprefix(STATE)
        state = dict(thing.state)
        state.pop(key, None)
        if value is not None:
            state[key] = value
        return replace(thing, state=State(state))
    if value is None:
        return thing
    if name == "angle":
        value = float(str(value)) % 360
    changes: dict[str, object] = {name: value}
    return replace(thing, **changes)  # type: ignore[arg-type] # a form's value has its field's kind


def settings_of_things(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind], rules: ThingRules = FREE
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the fields of some things, and the values that all of them share, by field.

    Things of one kind have that kind's own settings, too.
    """
    fields: list[Setting] = []
    shared_values: dict[str, object] = {}

    for field in (*_common_fields(things, kinds, rules), *_fields_of_kind(things, kinds)):
        first_value = field.values[0]
        if all(value == first_value for value in field.values):
            fields.append(_with_choice(field.setting, first_value))
            shared_values[field.setting.name] = first_value
        else:
            fields.append(replace(field.setting, default=None, unset=VARIOUS))
    return tuple(fields), shared_values


class _Field(NamedTuple):
    """A field of the form, with the values of all the things that it shows."""

    setting: Setting

    values: Sequence[object]
    """One value for each thing, in their order."""


def _common_fields(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind], rules: ThingRules
) -> list[_Field]:
    """Return the fields that things of all kinds have."""
    fields = []
    for setting in _common_settings(things, kinds, rules):
        values: list[object]
        if setting.name == "angle":
            # The angles of rolled things can be negative, or more than a whole turn.
            values = [thing.angle % 360 for thing in things]
        else:
            values = [getattr(thing, setting.name) for thing in things]
        fields.append(_Field(setting, values))
    return fields


def _fields_of_kind(things: Sequence[Thing], kinds: Mapping[str, ThingKind]) -> list[_Field]:
    """Return the fields for the own settings of a kind; [] unless all things are of one kind."""
    kind_names = {thing.kind for thing in things}
    kind = kinds.get(things[0].kind)
    if len(kind_names) > 1 or kind is None:
        return []
    fields = []
    for setting in kind.settings:
        values = [thing.state.get(setting.name, setting.default) for thing in things]
        fields.append(_Field(replace(setting, name=STATE + setting.name), values))
    return fields


def _common_settings(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind], rules: ThingRules
) -> tuple[Setting, ...]:
    """Return ``FIELDS`` with the titles and choices for the map.

    There is no angle if things cannot turn, and no owner of places that have none.
    """
    kind_setting, label, owner, angle = FIELDS
    kind_choices = tuple((kind.name, kind.title) for kind in kinds.values())
    kind_setting = replace(kind_setting, choices=kind_choices)
    label = replace(label, title=rules.label)
    owner = replace(owner, title=rules.owner)

    # Owners can be chosen from a list if all kinds of these things have the same list. An unknown
    # kind has none, and gets that of the others.
    owner_lists_of_map = {kind.owners for kind in kinds.values() if kind.owners}
    owner_lists = set()
    for kind_name in {thing.kind for thing in things}:
        kind = kinds.get(kind_name)
        has_owners = kind is not None and (kind.owners or kind.new_owner is NewOwner.NOBODY)
        if kind is not None and has_owners:
            owner_lists.add(kind.owners)
        else:
            owner_lists |= owner_lists_of_map
    if len(owner_lists) == 1:
        owner_choices = owner_lists.pop()
        if owner_choices:
            owner = replace(owner, choices=owner_choices)

    settings = [kind_setting, label]
    if not _are_places_without_owner(things, kinds):
        settings.append(owner)
    if rules.turn:
        settings.append(angle)
    return tuple(settings)


def _are_places_without_owner(things: Sequence[Thing], kinds: Mapping[str, ThingKind]) -> bool:
    """Return whether all things are places, and none belongs to anybody."""
    for thing in things:
        kind = kinds.get(thing.kind)
        if kind is None or not kind.is_place or thing.owner:
            return False
    return True


def _with_choice(setting: Setting, value: object) -> Setting:
    """Return a setting that can have this value: it becomes one of the choices if it is not yet.

    A map from a file can have any value. A setting without choices is returned as it is.
    """
    is_a_choice = value is None or value in setting.values
    if not setting.choices or is_a_choice:
        return setting
    extra_choice = (setting.kind(value), str(value))
    return replace(setting, choices=(*setting.choices, extra_choice))
