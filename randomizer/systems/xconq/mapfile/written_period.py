"""The period of a map as it is written: as a section of the mapfile, or as a file beside it.

The *period* is the text of the rules with which the map is played. ``written_period`` decides where
it is written. There are these cases::

    the user wants it inside          the section ``Period`` of the mapfile has the text
    it is as the map's file had it    nothing new: the mapfile includes what it included before
    it has changed, or has a file     a file beside the mapfile has the text, and the mapfile
    of another name                   includes it

A period can include further files. Those that can stand beside the mapfile are written with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.header import encode
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.includes import fault_in_include
from randomizer.systems.xconq.mapfile.parsing import parse
from randomizer.systems.xconq.mapfile.period_file_name import (
    name_for_xconq,
    period_file_name,
    period_named_as_map,
)
from randomizer.systems.xconq.mapfile.saved_sections import is_in_includes
from randomizer.systems.xconq.period.packaged_periods import (
    MODERN,
    packaged_metadata,
    packaged_text,
)
from randomizer.systems.xconq.records import (
    Header,
    PeriodPlace,
    header_of,
    period_texts_of,
)

_EMPTY_SECTION = "Period 1\nend\n"
"""A period section that changes nothing of the period that an included file brings."""


@dataclass(frozen=True)
class WrittenPeriod:
    """The parts in which the period of a map is written."""

    includes: tuple[str, ...]
    """The names of all files that the mapfile includes."""

    section: str = ""
    """The period section of the mapfile, "" for none."""

    companions: Mapping[str, str] = field(default_factory=dict)
    """The texts of the files that are written beside the mapfile, by name."""

    period_file: str = ""
    """The one of them that has the period itself; "" if none has it."""


def written_period(battlemap: BattleMap, details: SaveDetails, stem: str) -> WrittenPeriod:
    """Return how the period of a map is written.

    ``details`` is what is saved, ``stem`` the name of the mapfile without suffix, "" for one that
    is not known yet. Raises ProblemError for a period that cannot stand in a mapfile.
    """
    header = header_of(battlemap)
    texts = period_texts_of(battlemap)
    if texts is None:
        text = packaged_text(MODERN)
        included_texts: Mapping[str, str] = {}
    else:
        text, included_texts = texts

    if details.detail("p"):
        return _inside_mapfile(battlemap, header, text, included_texts)
    # ``period_file`` is the name by which the mapfile included the period, ``script_file`` the name
    # under which the user has saved the period since; "" if none.
    has_other_name = header.script_file not in ("", header.period_file)
    if period_changed(battlemap) or has_other_name:
        name = name_for_xconq(period_file_name(battlemap, stem), text)
        return _beside_mapfile(header, name, text, included_texts)
    return _as_before(header, text, included_texts)


def period_changed(battlemap: BattleMap) -> bool:
    """Return whether the period is another than the one that the map's file brought or implied."""
    return not is_in_includes(battlemap, "p")


def _inside_mapfile(
    battlemap: BattleMap, header: Header, text: str, included_texts: Mapping[str, str]
) -> WrittenPeriod:
    """Return a period that is a section of the mapfile.

    A section cannot include files, so the mapfile itself includes what the period does.
    """
    mapfile, problems = parse(encode(text))
    if mapfile is None:
        raise ProblemError(problems)

    # The file that had the period is not needed any more, unless it had a part of it only.
    dropped_name = header.period_file
    if header.period_place is PeriodPlace.PART:
        dropped_name = ""
    includes = [include for include in header.includes if include != dropped_name]
    includes += [name for name in mapfile.header.includes if name not in includes]

    companions: dict[str, str] = {}
    if period_changed(battlemap):
        companions = _writable(included_texts)
    section = mapfile.period
    if section is None:
        # The text does nothing but include several files: the last of them has the period.
        section = _EMPTY_SECTION
    elif not section.endswith("\n"):
        section += "\n"
    return WrittenPeriod(tuple(includes), section, companions)


def _beside_mapfile(
    header: Header, name: str, text: str, included_texts: Mapping[str, str]
) -> WrittenPeriod:
    """Return a period that is written to the file ``name``, which the mapfile includes."""
    if header.period_place is not PeriodPlace.PART and header.period_file in header.includes:
        # It takes the place of the file that had the period.
        new_includes = []
        for include in header.includes:
            if include == header.period_file:
                new_includes.append(name)
            elif include != name:  # no file may be included twice
                new_includes.append(include)
        includes = tuple(new_includes)
    else:
        # Of several periods the last one counts.
        other_includes = (include for include in header.includes if include != name)
        includes = (*other_includes, name)
    companions = {name: text, **_writable(included_texts)}
    return WrittenPeriod(includes, companions=companions, period_file=name)


def _as_before(header: Header, text: str, included_texts: Mapping[str, str]) -> WrittenPeriod:
    """Return a period that the files bring which the mapfile included before.

    If its file was beside the mapfile, or was given, it is written again, so that it is there
    wherever the map is saved. The library has its files anywhere.
    """
    name = header.period_file
    was_at_hand = header.period_place in (PeriodPlace.BESIDE, PeriodPlace.GIVEN)
    if was_at_hand and name in header.includes and "/" not in name:
        companions = {name: text, **_writable(included_texts)}
        return WrittenPeriod(header.includes, companions=companions, period_file=name)
    return WrittenPeriod(header.includes)


def _writable(included_texts: Mapping[str, str]) -> dict[str, str]:
    """Return those of the files that a period includes which can be written beside a mapfile."""
    return {
        name: text
        for name, text in included_texts.items()
        if "/" not in name and not fault_in_include(name)
    }


def period_file_beside(battlemap: BattleMap, details: SaveDetails, stem: str) -> str:
    """Return the name of the period's file that is written beside the mapfile, "" if none is.

    ``details`` is what is saved, ``stem`` the name of the mapfile without suffix, "" for one that
    is not known yet. Raises ProblemError for a map that no mapfile can hold.
    """
    if details.detail("p"):
        return ""
    return written_period(battlemap, details, stem).period_file


def suggested_period_file(battlemap: BattleMap, details: SaveDetails, stem: str) -> str:
    """Return the name to suggest to the user for the period's file, "" if none is written.

    It is ``period_file_beside``. But a packaged period that was edited, and that no file has yet,
    is named after the map: nobody would look for it under the name of the packaged one.
    """
    name = period_file_beside(battlemap, details, stem)
    texts = period_texts_of(battlemap)
    is_named = bool(header_of(battlemap).script_file)
    if not name or texts is None or is_named:
        return name
    text, _included_texts = texts
    usual_name = period_file_name(battlemap, stem)
    for metadata in packaged_metadata():
        if metadata.script == usual_name and text != packaged_text(metadata.script):
            return name_for_xconq(period_named_as_map(battlemap, stem), text)
    return name
