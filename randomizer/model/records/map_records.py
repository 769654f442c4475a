"""Records: what a map holds beside its layers (a period's text, players, notes), by name.

A map has a dict of them (``BattleMap.records``); each module that owns a record knows its name and
its form. Here is what all have in common: their limits, and the names of those of scripts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.texts import LongText, fault_in_characters, fault_in_line

MAX_RECORDS = 200
"""The most records of a map."""

MAX_BYTES_TOGETHER = 8_000_000
"""The most bytes of the texts of all records of a map."""

ORIGINAL = "original"
"""The record of a map that was opened from a file of another program or game: what the file was."""

LONGEST_NAME = 100
"""The most characters of a record's name."""


@dataclass(frozen=True, slots=True)
class MapRecord:
    """One record."""

    text: LongText

    is_json: bool = False
    """True if the text is JSON."""

    touched: bool = False
    """True if it was set or changed by hand: then a roll of the map's source keeps it."""


def original_format(records: Mapping[str, MapRecord]) -> str:
    """Return the name of the format of the file from which a map was opened.

    "" if the map does not come from a file of another program.
    """
    return str(_original(records).get("format", ""))


def original_asset(records: Mapping[str, MapRecord], format_name: str) -> str:
    """Return the digest of the asset that is the file from which a map was opened.

    "" if it was opened from no file of the format ``format_name``.
    """
    original = _original(records)
    if original.get("format") == format_name:
        return str(original.get("asset", ""))
    return ""


def _original(records: Mapping[str, MapRecord]) -> dict[str, object]:
    """Return the object in the record of the original; {} without one."""
    record = records.get(ORIGINAL)
    if record is None or not record.is_json:
        return {}
    original = json.loads(record.text)  # checked when it was read
    if not isinstance(original, dict):
        return {}
    return original


def further_record(script_record: str, name: str) -> str:
    """Return the name of the record with a further file of the script in ``script_record``.

    A script can include files: that in the record "period" has "land.g" in "period of land.g".
    """
    return f"{script_record} of {name}"


def further_texts(script_record: str, records: Mapping[str, MapRecord]) -> dict[str, str]:
    """Return the texts of the further files of the script in a record, by their names.

    No other records have names that begin like these.
    """
    prefix = further_record(script_record, "")
    texts = {}
    for name, record in records.items():
        if name.startswith(prefix):
            texts[name.removeprefix(prefix)] = record.text
    return texts


def script_records(
    script_record: str, text: str, texts: Mapping[str, str], *, touched: bool = False
) -> dict[str, MapRecord]:
    """Return the records of a script: its text, and the ``texts`` of its further files by name."""
    records = {script_record: MapRecord(text, touched=touched)}
    for name, further_text in texts.items():
        record_name = further_record(script_record, name)
        records[record_name] = MapRecord(further_text, touched=touched)
    return records


def check_record(name: str, record: MapRecord) -> None:
    """Raise ValueError, with a message, for a record that no map can hold.

    Its name is a line of printable characters; its text has none that texts cannot hold, and no
    more bytes than ``LARGEST_DATA``; JSON is valid, and within the bounds of ``parse_json``.
    """
    if not name.isprintable() or not name or fault_in_line(name, LONGEST_NAME):
        raise ValueError(f"no record can be called {name!r:.60}")
    subject = f"the record “{name:.40}”"
    fault = fault_in_characters(record.text)
    if fault:
        raise ValueError(f"{subject} {fault}")
    data = record.text.encode()
    if len(data) > LARGEST_DATA:
        raise ValueError(f"{subject} has {len(data):,} bytes, {LARGEST_DATA:,} are the most")
    if record.is_json:
        try:
            parse_json(data, largest=LARGEST_DATA)
        except ValueError as reason:
            raise ValueError(f"{subject} is not JSON that can be kept: {reason}") from None


def check_records(records: Mapping[str, MapRecord]) -> None:
    """Raise ValueError, with a message, for records that no map can hold."""
    for name, record in records.items():
        check_record(name, record)
    check_amount(records, len(records))


def check_amount(records: Mapping[str, MapRecord], count: int, more: int = 0) -> None:
    """Raise ValueError, with a message, for too many records, or too large ones together.

    It can be called before records are added to ``records``: then ``count`` is the number of
    records that there will be, and ``more`` the number of bytes that are added.
    """
    if count > MAX_RECORDS:
        raise ValueError(f"a map has at most {MAX_RECORDS} records, not {count:,}")
    total_bytes = more + sum(len(record.text.encode()) for record in records.values())
    if total_bytes > MAX_BYTES_TOGETHER:
        raise ValueError(
            f"the records have {total_bytes:,} bytes together; {MAX_BYTES_TOGETHER:,} are the most"
        )
