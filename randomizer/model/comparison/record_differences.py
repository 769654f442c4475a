"""Compares the records of two maps: those in JSON member by member, all others as lines of text.

The difference of ``{"towns": [4, 7]}`` and ``{"towns": [4, 9]}`` in a record "settings" is named
``settings.towns.1``, with the values 7 and 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.part_differences import (
    UNNAMED,
    PartDifference,
    PartKind,
    Values,
)
from randomizer.model.records.map_records import ORIGINAL

if TYPE_CHECKING:
    from randomizer.model.records.map_records import MapRecord


def record_differences(
    ours: Mapping[str, MapRecord], theirs: Mapping[str, MapRecord]
) -> Iterator[PartDifference]:
    """Yield the records that one map lacks, and what differs in those of both.

    Of records in JSON these are members, of others lines of text.
    """
    for name in {**ours, **theirs}:
        if name == ORIGINAL:
            continue
        our_record = ours.get(name)
        their_record = theirs.get(name)
        if our_record is None or their_record is None:
            our_size = _record_size(our_record)
            their_size = _record_size(their_record)
            yield PartDifference(PartKind.RECORD, name, our_size, their_size)
        elif our_record.text == their_record.text:
            continue
        elif our_record.is_json and their_record.is_json:
            yield from _json_differences(name, _parsed(our_record.text), _parsed(their_record.text))
        else:
            yield _text_difference(name, our_record.text, their_record.text)


def _record_size(record: MapRecord | None) -> Values | None:
    """Return the size of a record's text in bytes, as UTF-8; None for no record."""
    if record is None:
        return None
    return {UNNAMED: counted(len(record.text.encode()), "byte")}


def _parsed(text: str) -> object:
    """Return the value of the text of a record, which the map's gate has found to be JSON."""
    return parse_json(text.encode(), largest=LARGEST_DATA)


def _json_differences(path: str, ours: object, theirs: object) -> Iterator[PartDifference]:
    """Yield the members that differ, by their path: "settings.towns.2".

    Of lists with different lengths only the lengths are told: which entry became which is unknown.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in {**ours, **theirs}:
            member = f"{path}.{name}"
            if name in ours and name in theirs:
                yield from _json_differences(member, ours[name], theirs[name])
            else:
                our_member = _member(ours, name)
                their_member = _member(theirs, name)
                yield PartDifference(PartKind.RECORD, member, our_member, their_member)
        return
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) == len(theirs):
            for number, (our_entry, their_entry) in enumerate(zip(ours, theirs, strict=True)):
                yield from _json_differences(f"{path}.{number}", our_entry, their_entry)
        else:
            our_size = {UNNAMED: counted(len(ours), "entry", "entries")}
            their_size = {UNNAMED: counted(len(theirs), "entry", "entries")}
            yield PartDifference(PartKind.RECORD, path, our_size, their_size)
        return
    # Python takes True for 1.
    if ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield PartDifference(PartKind.RECORD, path, {UNNAMED: ours}, {UNNAMED: theirs})


def _member(values: Values, name: str) -> Values | None:
    """Return a member of a JSON object as values; None if the object lacks it."""
    if name in values:
        return {UNNAMED: values[name]}
    return None


def _text_difference(name: str, ours: str, theirs: str) -> PartDifference:
    """Return the lines between the first and the last line that differ, by number and text.

    Of texts with the same lines, which end otherwise, the sizes are told.
    """
    our_lines = ours.splitlines()
    their_lines = theirs.splitlines()
    shorter = min(len(our_lines), len(their_lines))
    first = 0
    while first < shorter and our_lines[first] == their_lines[first]:
        first += 1
    same_at_end = 0
    while (
        same_at_end < shorter - first
        and our_lines[-1 - same_at_end] == their_lines[-1 - same_at_end]
    ):
        same_at_end += 1
    our_changed_lines = our_lines[first : len(our_lines) - same_at_end]
    their_changed_lines = their_lines[first : len(their_lines) - same_at_end]
    if not our_changed_lines and not their_changed_lines:
        # Only the characters at the ends of lines differ, which cannot be seen: the sizes tell.
        our_size = {UNNAMED: counted(len(ours.encode()), "byte")}
        their_size = {UNNAMED: counted(len(theirs.encode()), "byte")}
        return PartDifference(PartKind.RECORD, name, our_size, their_size)
    our_values = _lines_values(first, our_changed_lines)
    their_values = _lines_values(first, their_changed_lines)
    return PartDifference(PartKind.RECORD, name, our_values, their_values)


def _lines_values(first: int, lines: list[str]) -> Values:
    """Return which lines of a text differ, and the text of the first of them.

    ``first`` is the index of the first, from 0; the values count lines from 1.
    """
    if not lines:
        return {UNNAMED: f"nothing at line {first + 1}"}
    if len(lines) == 1:
        return {"line": first + 1, UNNAMED: f"“{lines[0].strip()}”"}
    return {"lines": f"{first + 1} to {first + len(lines)}", UNNAMED: f"“{lines[0].strip()}” ..."}
