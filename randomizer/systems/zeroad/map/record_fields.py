"""The fields of forms for the environment and the camera of a map.

    fields = fields_of(ENVIRONMENT)
    settings, values = described_fields(battlemap, fields)    # for a form
    edit = change_field(battlemap, fields[0], 45.0)           # what a person entered

A form shows some values of a record otherwise (``Form``)::

    in the record                           in the form
    "SunElevation": 0.7                     40.11 (degrees)
    "SunColor": {"r": 2.0, "g": 2.0,        colour #ffff80, glare 2.0
                 "b": 1.0, "a": 0}

A colour of a record can be brighter than white. Its *glare* is the factor by which it is, and a
field of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.model.settings.setting import COLOUR, Setting
from randomizer.systems.zeroad.installation.game_choices import colour_of
from randomizer.systems.zeroad.map.json_values import finite_number, value_at
from randomizer.systems.zeroad.map.records import record_data, set_value

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap


class Form(Enum):
    """How a form shows a value of a record; the values are the words of ``record_fields.tsv``."""

    NUMBER = "number"
    """The number of the record."""

    CHOICE = "choice"
    """The text of the record, which is one of several."""

    ANGLE = "angle"
    """Degrees, where the record has radians."""

    COLOUR = "colour"
    """``#rrggbb``, where the record has an object with r, g and b."""

    GLARE = "glare"
    """The largest of r, g and b of such an object, where it is above 1."""


class Field(NamedTuple):
    """A value of a record as a field of a form."""

    setting: Setting
    """Its description for the form."""

    record: str
    """The name of the record."""

    path: tuple[str, ...]
    """The keys that lead to it in the record."""

    form: Form
    """How the form shows it."""


class _Row(NamedTuple):
    """A row of ``record_fields.tsv``; the fields are its columns."""

    record: str
    path: str
    """The keys that lead to the value, with dots between."""
    form: str
    title: str
    usual: str
    """The value where the record has none, as the form shows it."""
    minimum: str
    """The lowest number, "" for none."""
    maximum: str
    """The highest number, "" for none."""
    unit: str
    group: str
    choices: str
    """The texts of a choice, with blanks between."""
    help_text: str


@registered(count=2, bytes_each=20 * KB)
@cache
def fields_of(record: str) -> tuple[Field, ...]:
    """Return the fields of a record, ``ENVIRONMENT`` or ``CAMERA``, from ``record_fields.tsv``.

    They are those of the game's own editor. What a record lacks is as in the game's scripts
    (``maps/random/rmgen/environment.js`` of release 26).
    """
    rows = packaged_table("randomizer.systems.zeroad.map", "record_fields.tsv")
    return tuple(_field(_Row(*row)) for row in rows if row[0] == record)


def _field(row: _Row) -> Field:
    """Return the field of a row."""
    form = Form(row.form)
    setting = Setting(
        f"{row.path}.{row.form}",
        float,
        row.help_text,
        title=row.title,
        group=row.group,
        unit=row.unit,
        decimals=3,
        choices=tuple((choice, choice) for choice in row.choices.split()),
        minimum=_bound(row.minimum),
        maximum=_bound(row.maximum),
    )
    if form is Form.COLOUR:
        setting = replace(setting, kind=str, default=row.usual, pattern=COLOUR, example="#1560d0")
    elif form is Form.CHOICE:
        setting = replace(setting, kind=str, default=row.usual)
    else:
        setting = replace(setting, default=float(row.usual))
    return Field(setting, row.record, tuple(row.path.split(".")), form)


def _bound(text: str) -> int | None:
    """Return a bound of the table as a number, None for ""."""
    if not text:
        return None
    return int(text)


def described_fields(
    battlemap: BattleMap, fields: Sequence[Field]
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of fields, and their values on a map by name.

    A field that the records of the map lack has no value. A value that is none of the choices of
    its setting, such as the sky of a mod, is added to them.
    """
    settings = list[Setting]()
    values = dict[str, object]()
    for field in fields:
        setting = field.setting
        value_in_record = value_at(record_data(battlemap.records, field.record), field.path)
        value = _value_in_form(field, value_in_record)
        if value is not None:
            values[setting.name] = value
            if setting.choices and value not in setting.values:
                choices = (*setting.choices, (str(value), str(value)))
                setting = replace(setting, choices=choices)
        settings.append(setting)
    return tuple(settings), values


def change_field(battlemap: BattleMap, field: Field, value: object) -> Edit | None:
    """Return the edit that gives a field the value of a form; None if the form shows that already.

    Raises ValueError for a text that is no colour.
    """
    former_value = value_at(record_data(battlemap.records, field.record), field.path)
    # The form shows rounded values: 40.11 degrees for 0.7 radians. To enter what it shows is no
    # change of the record.
    if value is not None and value == _value_in_form(field, former_value):
        return None
    new_value = value
    if field.form is Form.ANGLE:
        new_value = math.radians(float(str(value)))
    elif field.form is Form.COLOUR:
        new_value = _with_colour(former_value, str(value))
    elif field.form is Form.GLARE:
        new_value = _with_glare(former_value, float(str(value)))
    return set_value(battlemap, field.record, field.path, new_value)


def _with_colour(former_value: object, text: str) -> dict[str, Any]:
    """Return the object of a colour in a record for the ``#rrggbb`` of a form.

    ``former_value`` is the object so far, whose glare stays. Only a colour with a part of 255 can
    have a glare: others are darker than the brightest colour of their hue.
    """
    levels = colour_of(text)
    glare = 1.0
    if max(levels.values()) == 255:
        glare = _glare(former_value)
    parts = {name: level / 255 * glare for name, level in levels.items()}
    if isinstance(former_value, dict):
        return {**former_value, **parts}
    return {"a": 0, **parts}


def _with_glare(former_value: object, glare: float) -> dict[str, Any]:
    """Return the object of a colour in a record with the glare of a form.

    All parts of ``former_value``, white if it is no colour, are scaled so that the largest one is
    ``glare``. Black stays black: without any light there is nothing to scale.
    """
    colour: dict[str, Any] = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 0}
    if isinstance(former_value, dict):
        colour = former_value
    brightest = max(_level(colour, part) for part in "rgb")
    if brightest == 0:
        return colour
    factor = glare / brightest
    return {**colour, **{part: _level(colour, part) * factor for part in "rgb"}}


def _value_in_form(field: Field, value: object) -> object:
    """Return the value of a form for that of a record, None for one of another kind."""
    if field.form in (Form.COLOUR, Form.GLARE):
        if not isinstance(value, dict):
            return None
        glare = _glare(value)
        if field.form is Form.GLARE:
            return round(glare, 2)
        return hex_colour(value, 255 / glare)
    if field.form is Form.CHOICE:
        if isinstance(value, str) and value:
            return value
        return None
    number = finite_number(value)
    if number is not None and field.form is Form.ANGLE:
        return round(math.degrees(number), 2)
    return number


def _glare(colour: object) -> float:
    """Return the largest part of a colour of a record if it is above 1, else 1."""
    if not isinstance(colour, dict):
        return 1.0
    return max(1.0, *(_level(colour, part) for part in "rgb"))


def hex_colour(colour: Mapping[str, object], scale: float) -> str:
    """Return a colour as ``#rrggbb``.

    ``scale`` turns the parts of the colour into levels from 0 to 255; larger ones are cut.
    """
    levels = [round(_level(colour, part) * scale) for part in "rgb"]
    return "#" + bytes(min(255, level) for level in levels).hex()


def _level(colour: Mapping[str, object], part: str) -> float:
    """Return the part ``r``, ``g`` or ``b`` of a colour, 0 for a missing or negative one."""
    level = finite_number(colour.get(part))
    if level is None:
        return 0.0
    return max(0.0, level)
