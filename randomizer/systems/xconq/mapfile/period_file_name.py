"""The name of a period's file: the one that stands beside a mapfile, which includes it.

``period_file_name`` finds the name that suits the period of a map. Xconq looks into its library
before it looks beside the mapfile, so a file of the library could be read in place of the one that
was written: ``name_for_xconq`` returns a name that is safe from that.
"""

from __future__ import annotations

import re

from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.header import PERIOD_SUFFIX, UNTITLED_PERIOD, encode
from randomizer.systems.xconq.library import LIBRARY
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.includes import fault_in_include
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.records import (
    PeriodPlace,
    header_of,
    period_texts_of,
)

_LONGEST_STEM = 80
"""The most characters of a name that is made from the title of a map, without its suffix."""


_PLACES_OUTSIDE_LIBRARY = (PeriodPlace.BESIDE, PeriodPlace.GIVEN, PeriodPlace.MISSING)
"""The places of a period's file whose name the map can keep.

It was beside the mapfile, or the user has given it, or it was not found at all.
"""


def fault_in_period_file(name: str) -> str:
    """Return why the period's file cannot have a name, as the end of a sentence; "" if it can."""
    if not name.lower().endswith(PERIOD_SUFFIX):
        return f"it must end in {PERIOD_SUFFIX}"
    if "/" in name:
        return "it must not hold /"
    return fault_in_include(name)


def period_file_name(battlemap: BattleMap, stem: str) -> str:
    """Return the name that suits the period's file, if one is written beside the map.

    ``stem`` is the name of the map's file without suffix, "" for one that is not known yet.
    """
    header = header_of(battlemap)
    texts = period_texts_of(battlemap)
    text: str | None = None
    if texts is not None:
        text, _included_texts = texts

    # The file in which the user saved the period, or from which it was opened.
    if header.script_file and not fault_in_include(header.script_file):
        return header.script_file

    # A packaged period that nobody has changed.
    for metadata in packaged_metadata():
        if text == packaged_text(metadata.script):
            return metadata.script

    # The file that the map included before, unless it is one of the library.
    if header.period_place in _PLACES_OUTSIDE_LIBRARY and header.period_file:
        return header.period_file.rpartition("/")[2]

    # The script of a rolled map, if it has a name and the period is still as it was rolled.
    source = battlemap.source_layer
    if source is not None and source.roll is not None and text == source.roll.script:
        script = source.roll.script_name
        has_name = script.endswith(PERIOD_SUFFIX) and script != UNTITLED_PERIOD
        if has_name and not fault_in_include(script):
            return script

    return period_named_as_map(battlemap, stem)


def period_named_as_map(battlemap: BattleMap, stem: str) -> str:
    """Return the name of a period's file that is named after the map, or after the period.

    ``stem`` is the name of the map's file without suffix. If it is empty, since the file has no
    name yet, the period's own name is taken.
    """
    stem = stem or period_of(battlemap).name.lower()
    words = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip(".-")[:_LONGEST_STEM]
    return f"{words or 'period'}{PERIOD_SUFFIX}"


def name_for_xconq(name: str, text: str) -> str:
    """Return a name under which Xconq reads this text, although it looks into its library first.

    It is the given one; but if the library has another file of that name it gets a number, as in
    ``town-2.per``.
    """
    stem = name
    if name.lower().endswith(PERIOD_SUFFIX):
        stem = name[: -len(PERIOD_SUFFIX)]
    data = encode(text)
    number = 1
    while LIBRARY.has_different_file(name, data):
        number += 1
        name = f"{stem}-{number}{PERIOD_SUFFIX}"
    return name
