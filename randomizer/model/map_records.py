"""Records: what a map holds beside its layers (a period's text, players, notes), by name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

MOST_BYTES = 1_000_000
"""The most bytes of one record, as UTF-8."""

MOST_RECORDS = 200
MOST_BYTES_TOGETHER = 8_000_000
"""The most records of a map, and the most bytes of all of them."""

DEEPEST = 20
"""How deep the arrays and objects of a JSON record may be nested."""

_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,100}")


@dataclass(frozen=True, slots=True)
class MapRecord:
    """One record, held as ``text``, which is JSON if ``is_json``.

    ``touched``: it was set or changed by hand, so that a roll of the map's source keeps it.
    """

    text: str
    is_json: bool = False
    touched: bool = False


def check_record(name: str, record: MapRecord) -> None:
    """Raise ValueError, with a message, for a record that no map can hold."""
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"no record can be called {name!r:.60}")
    where = f"the record “{name:.40}”"
    try:
        size = len(record.text.encode())
    except UnicodeEncodeError:
        raise ValueError(f"{where} holds half a character (a lone surrogate)") from None
    if size > MOST_BYTES:
        raise ValueError(f"{where} has {size:,} bytes; {MOST_BYTES:,} are the most")
    if record.is_json:
        _check_json(record.text, where)


def _check_json(text: str, where: str) -> None:
    if _depth(text) > DEEPEST:
        raise ValueError(f"{where} is nested deeper than {DEEPEST}")
    try:
        json.loads(text)
    except ValueError as wrong:
        raise ValueError(f"{where} is not JSON: {wrong}") from None


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _depth(text: str) -> int:
    """How deep a JSON text is nested, found without recursion."""
    deepest = depth = 0
    for found in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found.group(), 0)
        deepest = max(deepest, depth)
    return deepest


def check_records(records: Mapping[str, MapRecord]) -> None:
    """Raise ValueError, with a message, for records that no map can hold."""
    if len(records) > MOST_RECORDS:
        raise ValueError(f"a map has at most {MOST_RECORDS} records, not {len(records):,}")
    for name, record in records.items():
        check_record(name, record)
    together = sum(len(record.text.encode()) for record in records.values())
    if together > MOST_BYTES_TOGETHER:
        raise ValueError(
            f"the records have {together:,} bytes together; {MOST_BYTES_TOGETHER:,} are the most"
        )
