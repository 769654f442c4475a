"""The description of one thing a person can choose; forms, ``--set``, storage and help use it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from randomizer.model.basics.bounded_json import fault_in_data, measure_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import DEEPEST_DATA
from randomizer.model.grid.cell_text import cell_text
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


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a person can choose. Values are of ``kind`` (str, int, float or bool).

    ``choices`` are the values that can be chosen, each with its label in a form; empty: any value
    of ``kind``; with a ``step`` every multiple of it in the range, too. ``least`` and ``most`` are
    the ends of a number's range (None: no end). ``help`` says what it does; that of a generator's
    setting is a template for ``cell_text``. ``title`` is the label of its row in a form; "" for a
    setting that no form shows. Settings of the same ``group`` stand together under that heading;
    one of yes or no whose title is the heading switches the group as a whole. ``unset`` is the
    label of None in a form, where ``default`` is None; ``zero`` is that of the number 0, where it
    is the least. A text other than "" matches ``pattern``, a regular expression, as ``example``
    does; "": any text. ``unit`` stands behind a number in a form, which shows a float with so many
    ``decimals``. ``beside``: in a form it shares the row of the setting before it, without a label.
    A text is written in so many ``lines``; one of several has at most ``most`` characters. A form
    offers ``words`` while a text of one line is typed.

    A setting with ``columns`` is a table: a text, "" or a JSON list with an object for each row.
    A column is a setting whose name is a key of the objects; a key that a row lacks, null and ""
    are not set. Further keys of an object are kept and not checked. A column of texts without
    choices can also hold an object or a list. ``rows_of`` names the setting of a whole number that
    says how many rows count.
    """

    name: str
    kind: type
    help: str
    default: object = None
    choices: tuple[tuple[str | int, str], ...] = ()
    least: int | None = None
    most: int | None = None
    title: str = ""
    group: str = ""
    unset: str = "not set"
    zero: str = ""
    pattern: str = ""
    example: str = ""
    columns: tuple[Setting, ...] = ()
    rows_of: str = ""
    step: int = 0
    unit: str = ""
    decimals: int = 2
    beside: bool = False
    lines: int = 1
    words: tuple[str, ...] = ()

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
        """Return whether a number is within ``least`` and ``most``."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    def permits(self, value: object) -> bool:
        """Return whether a value of ``kind`` is one of the choices, or need not be."""
        if not self.choices or value in self.values:
            return True
        return type(value) is int and bool(self.step) and value % self.step == 0

    def text_of(self, value: object) -> str:
        """Return the title and what a form shows of a value, such as ``Size: Small (128)``.

        The title alone for a table.
        """
        title = self.title.replace("&", "") or self.name
        if self.columns:
            return title
        if isinstance(value, bool):
            text = "on" if value else "off"
        else:
            labels = dict[object, str](self.choices)
            text = labels.get(value, self.unset if value is None else str(value))
            if value == 0 and self.zero:
                text = self.zero
        if self.unit and isinstance(value, int | float):
            unit = f" {self.unit}"
        else:
            unit = ""
        return f"{title}: {text}{unit}"

    @property
    def expected(self) -> str:
        """The permitted values in words."""
        if self.columns:
            names = ", ".join(column.name for column in self.columns)
            return f"a JSON list of objects with {names}"
        if self.choices:
            named = ", ".join(str(value) or "nothing" for value in self.values)
            steps = f" or a multiple of {self.step} from {self.least} to {self.most}"
            if self.step:
                return named + steps
            return named
        if self.pattern:
            return f"like {self.example}"
        if self.least is None and self.most is None:
            return KINDS[self.kind]
        if self.most is None:
            return f"at least {self.least}"
        if self.least is None:
            return f"at most {self.most}"
        return f"{self.least} to {self.most}"


def checked_settings(
    declared: Iterable[Setting], chosen: Mapping[str, object]
) -> dict[str, object]:
    """``chosen`` with every value as its setting's kind; text is read as a number or yes/no.

    Raises ProblemError for an unknown name or a value that does not fit.
    """
    by_name = {setting.name: setting for setting in declared}
    result: dict[str, object] = {}
    for name, value in chosen.items():
        setting = by_name.get(name)
        if setting is None:
            names = ", ".join(by_name) or "none"
            raise error("setting-unknown", f"there is no setting {name} here (there are: {names})")
        result[name] = _as_kind(setting, value)
    return result


def fitting_settings(
    settings: Iterable[Setting], chosen: Mapping[str, object]
) -> dict[str, object]:
    """Return ``chosen`` as ``checked_settings`` does, without what no setting permits."""
    result: dict[str, object] = {}
    for setting in settings:
        if setting.name in chosen:
            with suppress(ProblemError):
                result |= checked_settings((setting,), {setting.name: chosen[setting.name]})
    return result


def _as_kind(setting: Setting, value: object) -> object:
    kind = setting.kind
    if isinstance(value, str):
        read = _read(kind, value)
    else:
        read = value
    if kind is float and type(read) is int:
        read = float(read)
    if type(read) is not kind or (isinstance(read, float) and not math.isfinite(read)):
        raise error("setting-value", f"{setting.name} is {KINDS[kind]}, not {value}")
    fits = True
    if isinstance(read, int | float) and read not in setting.values:
        fits = setting.in_range(read)
    if isinstance(read, str) and read and setting.pattern:
        fits = re.fullmatch(setting.pattern, read) is not None
    if not (fits and setting.permits(read)):
        message = f"{setting.name} cannot be {value} (expected: {setting.expected})"
        raise error("setting-value", message)
    if setting.columns and isinstance(read, str):
        table_rows(setting, read)
    return read


def table_rows(setting: Setting, text: str) -> list[dict[str, object]]:
    """Return the rows of a table's text, as they stand there; those that are null are empty.

    Raises ProblemError for a text that is none, with the line and column in it.
    """

    def wrong(message: str, offset: int) -> ProblemError:
        line_and_column = place_of(text, offset)
        message = f"{setting.name}: {message}"
        return ProblemError(
            Problem(Severity.ERROR, "setting-table", message, None, *line_and_column)
        )

    rows: list[dict[str, object]] = []
    if not text.strip():
        return rows
    try:
        measure_json(text.encode("utf-8", "replace"), DEEPEST_DATA)
        whole = json.loads(text)
    except json.JSONDecodeError as reason:
        raise wrong(f"this is not JSON: {reason_of(reason)}", reason.pos) from reason
    except (ValueError, RecursionError) as reason:
        raise wrong(f"this cannot be read: {reason_of(reason)}", 0) from reason
    if not isinstance(whole, list):
        raise wrong("this is not a JSON list with an object for each row", 0)
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    for number, row in enumerate(whole, 1):
        while text[at] in " \t\r\n,":
            at += 1
        if not isinstance(row, dict | None):
            raise wrong(f"row {number} is not an object", at)
        fault = fault_in_data(row)
        if fault:
            raise wrong(f"row {number} {fault}", at)
        for column in setting.columns:
            value = (row or {}).get(column.name)
            free = column.kind is str and not column.choices and not column.pattern
            nested = column.kind is str and not column.choices and isinstance(value, dict | list)
            nested = nested or (free and value is False)  # "none": the game's word for no AI
            if value not in (None, "") and not nested:
                try:
                    _as_kind(column, value)
                except ProblemError as reason:
                    raise wrong(f"row {number}: {reason.problems[0].message}", at) from reason
        rows.append(row or {})
        at = decoder.raw_decode(text, at)[1]
    return rows


_YES_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _read(kind: type, text: str) -> object:
    """Return a typed text converted to ``kind``, or unchanged if it cannot be."""
    if kind is bool:
        return _YES_NO.get(text.strip().lower(), text)
    try:
        return kind(text)
    except ValueError:
        return text
