"""The description of one thing a person can choose: a ``Setting``.

Forms, the option ``--set`` of the command line, storage and help all use it, so that a value is
described and checked in one way::

    size = Setting("Size", int, "Cells along a side", 128, minimum=16, maximum=512)
    checked_settings([size], {"Size": "64"})  # {"Size": 64}

A value has the *kind* of its setting (str, int, float or bool). Values come as texts (typed into a
form or the command line) or from JSON; ``checked_settings`` reads and checks them. A setting with
*columns* is a table: its value is a JSON text, which ``table_rows`` reads::

    players = Setting("Players", str, "Who plays", "", columns=(Setting("Name", str, "A name"),))
    table_rows(players, '[{"Name": "Anna"}, null]')  # [{"Name": "Anna"}, {}]
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.bounded_json import fault_in_data, measure_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import DEEPEST_DATA, LARGEST_INT
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.problems import Problem, ProblemError, Severity, error, place_of

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout

KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
}
"""The kinds of values in words."""

COLOUR = "#[0-9A-Fa-f]{6}"
"""The pattern of a text that is a colour."""


def colour_or_none(text: str) -> str | None:
    """Return a text that matches ``COLOUR``, None for any other."""
    if re.fullmatch(COLOUR, text):
        return text
    return None


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a person can choose.

    A setting with ``columns`` is a table: a text, "" or a JSON list with an object for each row. A
    column is a setting whose name is a key of the objects; a key that a row lacks, null and "" are
    not set. Further keys of an object are kept and not checked. A column of texts without choices
    can also hold an object or a list.
    """

    # --- which values it can have -------------------------------------------------------------

    name: str
    """Its name in the command line, in storage and in scripts."""

    kind: type
    """The type of its values: str, int, float or bool."""

    help: str
    """Its effect in words; that of a generator's setting is a template for ``cell_text``."""

    default: object = None
    """The value where none is chosen; None if there is then no value."""

    choices: tuple[tuple[str | int, str], ...] = ()
    """The values that can be chosen, each with its label in a form.

    () for any of ``kind``. With a ``step`` there are further ones.
    """

    minimum: int | None = None
    """The lowest number that can be chosen; None for no limit."""

    maximum: int | None = None
    """The highest number that can be chosen; None for no limit.

    Of a text of several ``lines`` it is the most characters that a form lets a person type; that a
    text from elsewhere is no longer is checked by its user.
    """

    step: int = 0
    """If there are ``choices``, each multiple of it within the range can be chosen as well.

    0: nothing but the choices.
    """

    pattern: str = ""
    """A regular expression that a text other than "" matches; "": any text."""

    example: str = ""
    """A text that matches ``pattern``."""

    columns: tuple[Setting, ...] = ()
    """The columns of a table; empty for all that is no table."""

    rows_of: str = ""
    """The name of the setting, a whole number, that says how many rows of this table count.

    "" if all of them do.
    """

    # --- how a form shows it -------------------------------------------------------------------

    title: str = ""
    """The label of its row in a form; "" for a setting that no form shows."""

    group: str = ""
    """A heading in a form; settings of the same group stand together under it.

    A setting of yes or no whose title is the heading switches the group as a whole.
    """

    unset: str = "not set"
    """The label of None in a form, where ``default`` is None."""

    zero: str = ""
    """The label of the number 0 in a form, if 0 is the lowest number and means something special.

    "" to show it as a number.
    """

    unit: str = ""
    """The unit behind a number in a form, such as "%"."""

    decimals: int = 2
    """The number of decimals that a form shows of a float."""

    beside: bool = False
    """True if it shares the row of the setting before it in a form, without a label."""

    lines: int = 1
    """The number of lines of a text that a form shows."""

    words: tuple[str, ...] = ()
    """The words that a form offers while a text of one line is typed."""

    colour_of: Callable[[str], str | None] | None = None
    """Returns ``#rrggbb`` for a text that means a colour, None for any other.

    A form shows the colour, and lets a person choose one. None unless texts such as "green" mean
    colours; for those of the ``pattern`` ``COLOUR`` a form does so anyway.
    """

    def filled(self, layout: Layout) -> Setting:
        """Return the setting with its help in the words for the cells of a layout."""
        return replace(self, help=cell_text(self.help, layout))

    @property
    def values(self) -> tuple[str | int, ...]:
        """The values that can be chosen; empty: any value of ``kind``."""
        return tuple(value for value, _label in self.choices)

    @property
    def is_switch(self) -> bool:
        """True if it switches its whole group on and off."""
        return self.kind is bool and bool(self.group) and self.title == self.group

    def in_range(self, value: float) -> bool:
        """Return whether a number is neither below ``minimum`` nor above ``maximum``."""
        if self.minimum is not None and value < self.minimum:
            return False
        return self.maximum is None or value <= self.maximum

    def permits(self, value: object) -> bool:
        """Return whether a value of ``kind`` can be chosen, by ``choices`` and ``step``."""
        if not self.choices or value in self.values:
            return True
        return bool(self.step) and type(value) is int and value % self.step == 0

    def text_of(self, value: object) -> str:
        """Return the title and what a form shows of a value, such as ``Size: Small (128)``.

        The title alone for a table.
        """
        title = self.title.replace("&", "") or self.name
        if self.columns:
            return title
        text = self._label_of(value)
        if self.unit and text == str(value):  # words, such as "unlimited", have no unit
            text += f" {self.unit}"
        return f"{title}: {text}"

    def _label_of(self, value: object) -> str:
        """Return what a form shows of a value, without its unit."""
        if value is True:
            return "on"
        if value is False:
            return "off"
        if value == 0 and self.zero:
            return self.zero
        for choice, label in self.choices:
            if choice == value:
                return label
        if value is None:
            return self.unset
        return str(value)

    @property
    def expected(self) -> str:
        """The permitted values in words."""
        if self.columns:
            names = ", ".join(column.name for column in self.columns)
            return f"a JSON list of objects with {names}"
        if self.choices:
            names = ", ".join(str(value) or "nothing" for value in self.values)
            if self.step:
                return f"{names} or a multiple of {self.step} from {self.minimum} to {self.maximum}"
            return names
        if self.pattern:
            return f"like {self.example}"
        if self.minimum is None and self.maximum is None:
            return KINDS[self.kind]
        if self.maximum is None:
            return f"at least {self.minimum}"
        if self.minimum is None:
            return f"at most {self.maximum}"
        return f"{self.minimum} to {self.maximum}"


def checked_settings(
    declared: Iterable[Setting], chosen: Mapping[str, object]
) -> dict[str, object]:
    """Return ``chosen`` with every value as its setting's kind; texts are read as such values.

    Raises ProblemError for an unknown name or a value that does not fit.
    """
    by_name = {setting.name: setting for setting in declared}
    values: dict[str, object] = {}
    for name, value in chosen.items():
        setting = by_name.get(name)
        if setting is None:
            names = ", ".join(by_name) or "none"
            raise error("setting-unknown", f"there is no setting {name} here (there are: {names})")
        values[name] = _as_kind(setting, value)
    return values


def fitting_settings(
    settings: Iterable[Setting], chosen: Mapping[str, object]
) -> dict[str, object]:
    """Return ``chosen`` as ``checked_settings`` does, without what no setting permits."""
    values: dict[str, object] = {}
    for setting in settings:
        if setting.name in chosen:
            with suppress(ProblemError):
                values |= checked_settings((setting,), {setting.name: chosen[setting.name]})
    return values


def _as_kind(setting: Setting, value: object) -> object:
    """Return a value as its setting's kind. Raises ProblemError for one that does not fit."""
    kind = setting.kind
    typed = value
    if isinstance(value, str):
        typed = _read(kind, value)
    if kind is float and type(typed) is int and abs(typed) <= LARGEST_INT:
        typed = float(typed)
    # bool is a subtype of int, but yes is no number.
    is_finite = not isinstance(typed, float) or math.isfinite(typed)
    if type(typed) is not kind or not is_finite:
        raise error("setting-value", f"{setting.name} is {KINDS[kind]}, not {value}")

    if not _fits(setting, typed):
        message = f"{setting.name} cannot be {value} (expected: {setting.expected})"
        raise error("setting-value", message)
    if setting.columns and isinstance(typed, str):
        table_rows(setting, typed)
    return typed


def _fits(setting: Setting, value: object) -> bool:
    """Return whether a value of the setting's kind is one that can be chosen."""
    if not setting.permits(value):
        return False
    # A choice may lie outside the range, and "" need not match the pattern.
    if isinstance(value, int | float) and value not in setting.values:
        return setting.in_range(value)
    if isinstance(value, str) and value and setting.pattern:
        return re.fullmatch(setting.pattern, value) is not None
    return True


def table_rows(setting: Setting, text: str) -> list[dict[str, object]]:
    """Return the rows of a table's text, as they stand there; those that are null are empty.

    Raises ProblemError for a text that is none, with the line and column in it.
    """
    if not text.strip():
        return []
    rows: list[dict[str, object]] = []
    for index, entry in enumerate(_table_entries(setting, text)):
        fault = _fault_in_row(setting, entry)
        if fault:
            offset = _offset_of_row(text, index)
            raise _table_error(setting, text, f"row {index + 1}{fault}", offset)
        rows.append(entry or {})
    return rows


def _offset_of_row(text: str, index: int) -> int:
    """Return the offset at which an entry of a list begins; ``text`` is that of the whole list."""
    # ``json.loads`` does not say where entries were: those before are decoded once more.
    decoder = json.JSONDecoder()
    offset = text.index("[") + 1
    for skipped_count in range(index + 1):
        while text[offset] in " \t\r\n,":
            offset += 1
        if skipped_count < index:
            _entry, offset = decoder.raw_decode(text, offset)
    return offset


def _table_entries(setting: Setting, text: str) -> list[Any]:
    """Return the entries of a table's text, of any type. Raises ProblemError if it is no list."""
    try:
        measure_json(text.encode("utf-8", "replace"), DEEPEST_DATA)
        data = json.loads(text)
    except json.JSONDecodeError as reason:
        message = f"this is not JSON: {reason_of(reason)}"
        raise _table_error(setting, text, message, reason.pos) from reason
    except (ValueError, RecursionError) as reason:
        message = f"this cannot be read: {reason_of(reason)}"
        raise _table_error(setting, text, message, 0) from reason
    if not isinstance(data, list):
        message = "this is not a JSON list with an object for each row"
        raise _table_error(setting, text, message, 0)
    return data


def _fault_in_row(setting: Setting, entry: object) -> str:
    """Return what is wrong with an entry of a table; "" if it is a row.

    It is the end of a message that begins with ``row 3``, such as `` is not an object``.
    """
    if entry is None:
        return ""
    if not isinstance(entry, dict):
        return " is not an object"
    fault = fault_in_data(entry)
    if fault:
        return f" {fault}"
    for column in setting.columns:
        value = entry.get(column.name)
        if value in (None, "") or _is_unchecked(column, value):
            continue
        try:
            _as_kind(column, value)
        except ProblemError as reason:
            return f": {reason.problems[0].message}"
    return ""


def _is_unchecked(column: Setting, value: object) -> bool:
    """Return whether a column of a table can hold a value whatever its kind says.

    A column of texts without choices can hold an object or a list. One without a pattern can also
    hold False: 0 A.D. writes it for a player without an AI.
    """
    if column.kind is not str or column.choices:
        return False
    if isinstance(value, dict | list):
        return True
    return value is False and not column.pattern


def _table_error(setting: Setting, text: str, message: str, offset: int) -> ProblemError:
    """Return the error of a table at an offset of its text."""
    line, column = place_of(text, offset)
    message = f"{setting.name}: {message}"
    return ProblemError(Problem(Severity.ERROR, "setting-table", message, None, line, column))


_YES_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""The words, in lower case, that are read as a value of the kind bool."""


def _read(kind: type, text: str) -> object:
    """Return a typed text converted to ``kind``, or unchanged if it cannot be."""
    if kind is bool:
        return _YES_NO.get(text.strip().lower(), text)
    try:
        return kind(text)
    except ValueError:
        return text
