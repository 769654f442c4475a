"""The fields of things in the form of the palette: what they are, and what a change of one does.

The *kind* of a thing, such as a town or a unit, says which settings of its own it has (``State``),
in addition to the ``FIELDS`` of all things. ``settings_of_things`` returns the fields of a form and
the values that all things share, ``change_thing`` a thing with another value of a field::

    settings_of_things([town, camp], kinds)     # kind, label, owner ...; {"owner": 2}
    change_thing(town, "state.hp", 12)          # the town with 12 hit points
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import NewOwner, ThingKind
from randomizer.model.things.thing_rules import FREE, ThingRules
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing

STATE = "state."
"""The beginning of the names of fields for a kind's own settings, such as ``state.hp``.

Without it a setting could have the name of another field.
"""

LABEL = "label"
"""The name of the field for the label."""

OWNER = "owner"
"""The name of the field for the owner."""

ANGLE = "angle"
"""The name of the field for the angle."""

VARIOUS = "(various)"
"""The text of a field in which the picked things differ."""

FIELDS = (
    Setting("kind", str, "What it is", "", title="Kind"),
    Setting(LABEL, str, "Its own name, for people", "", title="Label"),
    Setting(OWNER, int, "To whom it belongs; 0: to nobody", 0, minimum=0, title="Owner"),
    Setting(
        ANGLE,
        float,
        "Where it looks to, in degrees clockwise from north",
        0.0,
        minimum=0,
        maximum=360,
        title="Angle",
    ),
)
"""The fields of every thing, named for those of ``Thing``."""


def state_field(setting_name: str) -> str:
    """Return the name of the field for a kind's own setting: "state.hp" for "hp"."""
    return f"{STATE}{setting_name}"


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
    if name == ANGLE:
        assert isinstance(value, int | float), "its setting is of this kind"
        value %= 360
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
        if setting.name == ANGLE:
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
        fields.append(_Field(replace(setting, name=state_field(setting.name)), values))
    return fields


def _common_settings(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind], rules: ThingRules
) -> tuple[Setting, ...]:
    """Return ``FIELDS`` with the titles and choices for the map.

    There is no angle if things cannot turn, and no owner of places that have none.
    """
    kind_setting, label, owner, angle = FIELDS  # in this order
    kind_choices = tuple((kind.name, kind.title) for kind in kinds.values())
    kind_setting = replace(kind_setting, choices=kind_choices)
    label = replace(label, title=rules.label)
    owner = replace(owner, title=rules.owner)

    owner_choices = _owner_choices(things, kinds)
    if owner_choices:
        owner = replace(owner, choices=owner_choices)

    settings = [kind_setting, label]
    if not _are_places_without_owner(things, kinds):
        settings.append(owner)
    if rules.turn:
        settings.append(angle)
    return tuple(settings)


def _owner_choices(
    things: Sequence[Thing], kinds: Mapping[str, ThingKind]
) -> tuple[tuple[int, str], ...]:
    """Return the owners to choose from: those of all kinds of these things, if they have the same.

    () if the kinds differ, or have no list. A kind that is unknown, or that should have owners and
    has no list, may belong to the owners of any other kind of the map.
    """
    owner_lists = set()
    for kind_name in {thing.kind for thing in things}:
        kind = kinds.get(kind_name)
        if kind is not None and (kind.owners or kind.new_owner is NewOwner.NOBODY):
            owner_lists.add(kind.owners)
        else:
            owner_lists |= {kind.owners for kind in kinds.values() if kind.owners}
    if len(owner_lists) == 1:
        return owner_lists.pop()
    return ()


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
