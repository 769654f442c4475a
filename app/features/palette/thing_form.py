"""The form of the picked things, or of what the tool of things places when none is picked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.kinds_on_map import kinds_of
from randomizer.model.map.things_at import thing_text
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.thing_rules import FREE, ThingRules
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions

STATE = "state."
"""The names of a kind's own settings begin so in the form."""

VARIOUS = "(various)"
"""What a field shows in which the picked things differ."""

FIELDS = (
    Setting("kind", str, "What it is", "", title="Kind"),
    Setting("label", str, "Its own name, for people", "", title="Label"),
    Setting("owner", int, "To whom it belongs; 0: to nobody", 0, least=0, title="Owner"),
    Setting(
        "angle",
        float,
        "Where it looks to, in degrees clockwise from north",
        0.0,
        least=0,
        most=360,
        title="Angle",
    ),
)
"""What every thing has."""


class ThingForm(QWidget):
    """Shows what the picked things have in common; every change is one undo step for all of them.

    With nothing picked it shows, and changes, ``ToolOptions.thing``. When a hand has placed a thing
    whose label is seen on the map, the label gets the keyboard. ``named()``: Enter ended that.
    """

    named = Signal()

    def __init__(self, document: MapDocument, options: ToolOptions) -> None:
        super().__init__()
        self._document = document
        self._options = options
        self._settings: tuple[Setting, ...] = ()
        self.heading = plain_label()
        self.heading.setWordWrap(True)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.form = CommittedForm()
        lay_out(QVBoxLayout(self), self.heading, self.form, margins=0)
        self._asks_label = False
        """Whether the label gets the keyboard when the things are shown that were placed."""
        self._label: QLineEdit | None = None
        """The field of the label while it has the keyboard because a thing was placed."""
        self._soon = QTimer(self, singleShot=True)
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
        """True if what is shown is what the map holds now."""
        return not self._soon.isActive()

    def _on_changed(self, region: Region) -> None:
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
        if self._asks_label:
            self._asks_label = False
            self._edit_label(kinds.get(things[0].kind))

    def _ask_label(self) -> None:
        self._asks_label = True
        self._show_soon()

    def _edit_label(self, kind: ThingKind | None) -> None:
        """Give the label the keyboard where the map shows it and the form can be seen."""
        if kind is not None and kind.is_labelled and self.isVisible():
            self.edit_label()

    def edit_label(self) -> None:
        """Give the label the keyboard; Enter there ends it (``named``)."""
        field = self.form.field("label")
        assert isinstance(field, QLineEdit)
        self.form.edit("label")
        if field is not self._label:
            self._label = field
            connect(field.returnPressed, self.named)

    def _things(self) -> list[Thing]:
        """Return what is shown: the picked things, or the one that is placed."""
        picked = self._document.picked
        next_thing = self._options.thing
        return picked or ([] if next_thing is None else [next_thing])

    def _kinds(self) -> dict[str, ThingKind]:
        battlemap = self._document.battlemap
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        for thing in self._things():
            kind = kinds.get(thing.kind) or battlemap.system.thing_kind(battlemap, thing.kind)
            if kind is not None:
                kinds[kind.name] = kind
        return kinds

    def _heading(self, things: Sequence[Thing], kinds: Mapping[str, ThingKind]) -> str:
        if len(things) > 1:
            return counted(len(things), "thing")
        text = thing_text(things[0], kinds)
        if self._document.picked:
            return text
        return f"New: {text}"

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        """Give the value of a field to all things shown."""
        value = self.form.values().get(name)
        things = self._things()
        changed = [change_thing(thing, name, value) for thing in things]
        if changed == things:
            return
        if name == "owner":
            self._options.choose_owner(changed[0].owner)
        if not self._document.picked:
            self._options.choose(thing=changed[0])
            return
        next_thing = self._options.thing
        if name == "angle" and next_thing is not None and self._options.is_like_next(things):
            self._options.choose(thing=replace(next_thing, angle=changed[0].angle))
        title = next(setting.title for setting in self._settings if setting.name == name).lower()
        self._document.push(change_things(self._document.battlemap, changed), f"Change {title}")
        self._show_soon()  # it may have been refused


def change_thing(thing: Thing, name: str, value: object) -> Thing:
    """Return the thing with another value of one field; None takes an entry out of the state."""
    if name.startswith(STATE):
        entry = name.removeprefix(STATE)
        state = {key: held for key, held in thing.state.items() if key != entry}
        return replace(thing, state=State(state if value is None else {**state, entry: value}))
    if value is None:
        return thing
    if name == "angle":
        value = float(str(value)) % 360
    changes: dict[str, object] = {name: value}
    return replace(thing, **changes)  # type: ignore[arg-type] # a form's value has its field's kind


def settings_of_things(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind], rules: ThingRules = FREE
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of some things, and the values that all of them share."""
    names = {thing.kind for thing in things}
    if len(names) == 1:
        kind = kinds.get(things[0].kind)
    else:
        kind = None
    kind_setting, label, owner, angle = FIELDS
    kind_setting = replace(
        kind_setting, choices=tuple((kind.name, kind.title) for kind in kinds.values())
    )
    label = replace(label, title=rules.label)
    owner = replace(owner, title=rules.owner)
    owners = {kinds[name].owners if name in kinds else () for name in names}
    if len(owners) == 1 and (choices := owners.pop()):
        owner = replace(owner, choices=choices)
    settings = (kind_setting, label, owner, angle) if rules.turn else (kind_setting, label, owner)
    result: list[Setting] = []
    values: dict[str, object] = {}
    for setting in settings:
        held: list[object] = [getattr(thing, setting.name) for thing in things]
        if setting is angle:
            held = [thing.angle % 360 for thing in things]  # scripts turn either way, and further
        result.append(_shared(setting, held, values))
    for setting in () if kind is None else kind.settings:
        held = [thing.state.get(setting.name, setting.default) for thing in things]
        result.append(_shared(replace(setting, name=STATE + setting.name), held, values))
    return tuple(result), values


def _shared(setting: Setting, held_values: list[object], values: dict[str, object]) -> Setting:
    """Return the setting of a field that shows what all hold; the value goes to ``values``."""
    if any(value != held_values[0] for value in held_values[1:]):
        return replace(setting, default=None, unset=VARIOUS)
    values[setting.name] = held_values[0]
    if setting.choices and held_values[0] is not None and held_values[0] not in setting.values:
        odd = (*setting.choices, (setting.kind(held_values[0]), str(held_values[0])))
        return replace(setting, choices=odd)
    return setting
