"""Records: what a map holds beside its layers (a period's text, players, notes), by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.texts import LongText, fault_in_characters, fault_in_line

MOST_RECORDS = 200
MOST_BYTES_TOGETHER = 8_000_000
"""The most records of a map, and the most bytes of all of them."""

ORIGINAL = "original"
"""The record of a map that was opened from a file of another program or game: what the file was."""

LONGEST_NAME = 100
"""In characters."""


@dataclass(frozen=True, slots=True)
class MapRecord:
    """One record, held as ``text``, which is JSON if ``is_json``.

    ``touched``: it was set or changed by hand, so that a roll of the map's source keeps it.
    """

    text: LongText
    is_json: bool = False
    touched: bool = False


def original_format(records: Mapping[str, MapRecord]) -> str:
    """Return the name of the format of the file that a map of another program comes from, "" for
    none.
    """
    return str(_original(records).get("format", ""))


def original_asset(records: Mapping[str, MapRecord], format_name: str) -> str:
    """Return the digest of the asset that is the file of a format, "" if the map comes from
    none.
    """
    about = _original(records)
    if about.get("format") == format_name:
        return str(about.get("asset", ""))
    return ""


def _original(records: Mapping[str, MapRecord]) -> dict[str, object]:
    record = records.get(ORIGINAL)
    if record is not None and record.is_json:
        about = json.loads(record.text)
    else:
        about = None
    return about if isinstance(about, dict) else {}


def further_record(script_record: str, name: str) -> str:
    """Return the record with the further file ``name`` of the script in a record."""
    return f"{script_record} of {name}"


def further_texts(script_record: str, records: Mapping[str, MapRecord]) -> dict[str, str]:
    """Return the texts of the further files of the script in a record, by their names."""
    start = further_record(script_record, "")
    return {
        name.removeprefix(start): record.text
        for name, record in records.items()
        if name.startswith(start)
    }


def script_records(
    script_record: str, text: str, texts: Mapping[str, str], *, touched: bool = False
) -> dict[str, MapRecord]:
    """Return the records of a script's text and of those of its further files by name."""
    named = {script_record: text}
    named |= {further_record(script_record, name): each for name, each in texts.items()}
    return {name: MapRecord(each, touched=touched) for name, each in named.items()}


def check_record(name: str, record: MapRecord) -> None:
    """Raise ValueError, with a message, for a record that no map can hold."""
    if not name.isprintable() or not name or fault_in_line(name, LONGEST_NAME):
        raise ValueError(f"no record can be called {name!r:.60}")
    where = f"the record “{name:.40}”"
    fault = fault_in_characters(record.text)
    if fault:
        raise ValueError(f"{where} {fault}")
    data = record.text.encode()
    if len(data) > LARGEST_DATA:
        raise ValueError(f"{where} has {len(data):,} bytes, {LARGEST_DATA:,} are the most")
    if record.is_json:
        try:
            parse_json(data, largest=LARGEST_DATA)
        except ValueError as wrong:
            raise ValueError(f"{where} is not JSON that can be kept: {wrong}") from None


def check_records(records: Mapping[str, MapRecord]) -> None:
    """Raise ValueError, with a message, for records that no map can hold."""
    for name, record in records.items():
        check_record(name, record)
    check_amount(records, len(records))


def check_amount(records: Mapping[str, MapRecord], count: int, more: int = 0) -> None:
    """Raise ValueError, with a message, for too many records, or too large ones together.

    It can be asked before records are added to a map: then ``count`` is how many there will be,
    those of ``records`` included, and ``more`` how many bytes the new ones have.
    """
    if count > MOST_RECORDS:
        raise ValueError(f"a map has at most {MOST_RECORDS} records, not {count:,}")
    total_bytes = more + sum(len(record.text.encode()) for record in records.values())
    if total_bytes > MOST_BYTES_TOGETHER:
        raise ValueError(
            f"the records have {total_bytes:,} bytes together; {MOST_BYTES_TOGETHER:,} are the most"
        )
