"""Writing a map as a mapfile, and the period's file that belongs beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.header import PERIOD_SUFFIX, MapfileHeader, encode
from randomizer.systems.xconq.library import has_another
from randomizer.systems.xconq.map_period import period_of, period_result_of
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.loading import fault_in_include
from randomizer.systems.xconq.mapfile.parsing import MAP_SECTIONS, Mapfile, digest_of, parse
from randomizer.systems.xconq.mapfile.sides_section import lost_views
from randomizer.systems.xconq.mapfile.typed_lines import (
    compare_lines,
    end_of,
    restore_lines,
)
from randomizer.systems.xconq.mapfile.unit_things import units_of
from randomizer.systems.xconq.period.packaged_periods import (
    MODERN,
    packaged_metadata,
    packaged_text,
)
from randomizer.systems.xconq.records import (
    BESIDE,
    GIVEN,
    MISSING,
    PART,
    VERSION,
    Header,
    TypedLines,
    header_of,
    period_texts_of,
    sides_of,
    typed_lines_of,
    units_facts_of,
)

MOST_NOTES = 38
LONGEST_NOTE = 250
"""What Xconq 5.5 has room for: lines of notes, and characters of one."""


class Written(NamedTuple):
    """The files of a map: its own, and those that it includes and that go beside it, by name."""

    data: bytes
    companions: Mapping[str, bytes]


@dataclass(frozen=True)
class _PeriodParts:
    """The parts of the written period: includes, a section ("" for none), further files."""

    includes: tuple[str, ...]
    section: str = ""
    companions: Mapping[str, str] = field(default_factory=dict)


def details_of(battlemap: BattleMap) -> SaveDetails:
    """Return what a map is saved with: what was chosen, else what its file had and what was
    changed.

    A map without a file is saved with its terrain, sides and units, and with conditions if it has
    any. Raises ProblemError for a map that no mapfile can hold.
    """
    header = header_of(battlemap)
    if header.details:
        try:
            return SaveDetails.parse(header.details)
        except ValueError as fault:
            message = f"The map is to be saved with {header.details}: {fault}"
            raise ProblemError(Problem(Severity.ERROR, "details", message)) from None
    sections = header.sections
    if not header.sections and not header.included:
        letters = (letter for letter, section in MAP_SECTIONS.items() if section.in_map(battlemap))
        sections = f"m{''.join(letters)}"
    levels = {"s": min(sides_of(battlemap).detail, 9), "u": units_facts_of(battlemap).detail}
    details = SaveDetails({letter: levels.get(letter, 1) for letter in sections})
    changed = [
        letter
        for letter in MAP_SECTIONS
        if letter in header.included
        and letter not in header.sections
        and digest_of(battlemap, letter) != header.included[letter]
    ]
    return details.including(changed)


def write_mapfile(
    battlemap: BattleMap, stem: str = "", details: SaveDetails | None = None
) -> Written:
    """Return the files of a map that is saved under a name without suffix ("": not known yet).

    ``details`` is what to save, None for ``details_of``. Raises ProblemError for a map that no
    mapfile can hold.
    """
    details = details or details_of(battlemap)
    header = header_of(battlemap)
    period = _period_parts(battlemap, header, details, stem)
    first = MapfileHeader(
        details.sections, header.description, header.blanks, header.notes, period.includes
    )
    pieces = [first.text()]
    typed = typed_lines_of(battlemap)
    for letter in details.sections:
        if letter == "p":
            pieces.append(period.section)
        else:
            text = _section_text(battlemap, letter, details)
            pieces.append(restore_lines(text, typed.sections.get(letter, ())))
    if header.rest:
        pieces[-1] = pieces[-1].rstrip(" ")  # detail 4 of units ends with a blank
        pieces += [f"{line}\n" for line in header.rest]
    text = "".join(pieces)
    if typed.end is not None:
        text = text.removesuffix(end_of(text)) + typed.end
    companions = {name: encode(text) for name, text in period.companions.items()}
    return Written(encode(text), companions)


def _section_text(battlemap: BattleMap, letter: str, details: SaveDetails) -> str:
    """Return a section, other than the period, as this program writes it."""
    if letter == "v":
        return f"{header_of(battlemap).version or VERSION}\n"
    return MAP_SECTIONS[letter].text(battlemap, details.detail(letter))


def find_typed_lines(battlemap: BattleMap, mapfile: Mapfile) -> TypedLines:
    """Return the lines of the file of a map, as it was read, that would be written otherwise."""
    try:
        details = details_of(battlemap)
        sections = [
            (letter, lines, _section_text(battlemap, letter, details))
            for letter, lines in mapfile.lines.items()
            if details.detail(letter)
        ]
    except ProblemError:  # it cannot be written; a period that is found later can change that
        return TypedLines()
    return compare_lines(sections, end_of(mapfile.text))


# --- the period ---------------------------------------------------------------------------------


def period_changed(battlemap: BattleMap) -> bool:
    """Return whether the period is another than the one that the map's file brought or implied."""
    digest = header_of(battlemap).included.get("p")
    return digest is None or digest != digest_of(battlemap, "p")


def _period_parts(
    battlemap: BattleMap, header: Header, details: SaveDetails, stem: str
) -> _PeriodParts:
    texts = period_texts_of(battlemap)
    text, further = texts if texts is not None else (packaged_text(MODERN), {})
    if details.detail("p"):
        return _inside(battlemap, header, text, further)
    name = header.period_file
    has_other_file = header.script_file not in ("", name)
    if not period_changed(battlemap) and not has_other_file:
        at_hand = header.period_place in (BESIDE, GIVEN)
        beside = at_hand and name in header.includes and "/" not in name
        if beside:
            companions = {name: text, **_writable(further)}
        else:
            companions = {}
        return _PeriodParts(header.includes, companions=companions)
    name = _name_for_xconq(period_name(battlemap, stem), text)
    if header.period_place != PART and header.period_file in header.includes:
        includes = tuple(
            name if include == header.period_file else include for include in header.includes
        )
    else:
        includes = (*(include for include in header.includes if include != name), name)
    return _PeriodParts(includes, companions={name: text, **_writable(further)})


def _inside(
    battlemap: BattleMap, header: Header, text: str, further: Mapping[str, str]
) -> _PeriodParts:
    """Return the period as a section of the file; what it includes is included before."""
    mapfile, problems = parse(encode(text))
    if mapfile is None:
        raise ProblemError(problems)
    dropped = "" if header.period_place == PART else header.period_file
    own_includes = mapfile.header.includes
    includes = tuple(include for include in header.includes if include != dropped)
    includes = (*includes, *(name for name in own_includes if name not in includes))
    if period_changed(battlemap):
        companions = _writable(further)
    else:
        companions = {}
    section = mapfile.period
    if section is None:  # several files together: the last of them
        return _PeriodParts(includes, "Period 1\nend\n", companions)
    return _PeriodParts(includes, section if section.endswith("\n") else f"{section}\n", companions)


def _writable(further: Mapping[str, str]) -> dict[str, str]:
    """Return those of the further files that can be written beside the map."""
    return {
        name: text
        for name, text in further.items()
        if "/" not in name and not fault_in_include(name)
    }


def period_name(battlemap: BattleMap, stem: str) -> str:
    """Return the name of the period's file beside the map, if one is written.

    That of the file in which the user saved the period, or from which it was opened; else that of
    a packaged period that is as it was; else that of a file that was beside the map before;
    that of the script of a rolled map, if the period is as it was rolled; else that of the map.
    """
    header = header_of(battlemap)
    source = battlemap.source_layer
    texts = period_texts_of(battlemap)
    if header.script_file and not fault_in_include(header.script_file):
        return header.script_file
    for script in (metadata.script for metadata in packaged_metadata()):
        if texts is not None and texts[0] == packaged_text(script):
            return script
    if header.period_place in (BESIDE, GIVEN, MISSING) and header.period_file:
        return header.period_file.rpartition("/")[2]
    if source is not None and source.roll is not None and texts is not None:
        script = source.roll.script_name
        named = script.endswith(PERIOD_SUFFIX) and not fault_in_include(script)
        if named and texts[0] == source.roll.script:
            return script
    stem = stem or period_of(battlemap).name.lower()
    words = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip(".-")[:80]
    return f"{words or 'period'}{PERIOD_SUFFIX}"


def _name_for_xconq(name: str, text: str) -> str:
    """Return the name, or one made of it if Xconq, which looks into its library first, has that
    there.
    """
    stem = name.removesuffix(PERIOD_SUFFIX)
    data = encode(text)
    number = 1
    while has_another(name, data):
        number += 1
        name = f"{stem}-{number}{PERIOD_SUFFIX}"
    return name


# --- what would be lost -------------------------------------------------------------------------


def check_mapfile(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return what a mapfile of the map would lose."""
    try:
        details = details_of(battlemap)
        written = write_mapfile(battlemap, details=details)
    except ProblemError as refused:
        return refused.problems
    problems = []
    layers = [layer for layer in battlemap.layers if layer.visible]
    if len(battlemap.layers) > 1 or any(layer.roll is not None for layer in layers):
        number = counted(len(battlemap.layers), "layer")
        message = f"Not kept: {number} and how they were rolled; the file holds what is visible"
        problems.append(Problem(Severity.HINT, "layers-lost", message))
    problems += _left_out(battlemap, details)
    off = sum(1 for _ in battlemap.visible_things()) - len(units_of(battlemap))
    if off:
        message = f"Not kept: {counted(off, 'unit')} off the map"
        problems.append(Problem(Severity.WARNING, "units-lost", message))
    texts = (record.text for record in battlemap.records.values())
    if any(ord(character) > 255 for text in texts for character in set(text)):
        message = "Characters that Latin-1 does not have are written as “?”"
        problems.append(Problem(Severity.WARNING, "not-latin-1", message))
    if period_changed(battlemap):
        usual = period_name(battlemap, "")
        period = period_texts_of(battlemap)
        for name in written.companions:
            message = f"The period is written to {name} beside the map, which includes it"
            if period and name != usual and name == _name_for_xconq(usual, period[0]):
                message += f": Xconq takes {usual} from its library"
            problems.append(Problem(Severity.HINT, "period-beside", message))
    problems += _beyond_xconq(battlemap)
    header = header_of(battlemap)
    other_includes = [name for name in header.includes if name != header.period_file]
    if other_includes:
        message = f"{', '.join(other_includes)} must be beside the file or in Xconq's library"
        problems.append(Problem(Severity.HINT, "includes", message))
    return tuple(problems)


def _beyond_xconq(battlemap: BattleMap) -> list[Problem]:
    """Return what Xconq 5.5 would misread, or stop at: it has room for so many notes and so long
    lines.
    """
    header = header_of(battlemap)
    problems = []
    stops = [p for p in period_result_of(battlemap).problems if p.code == "period-included-name"]
    for stop in stops[:1]:
        name = stop.path or header.period_file or "the period"
        message = f"Xconq 5.5 stops at line {stop.line} of {name}. {stop.message.rstrip('.')}"
        problems.append(Problem(Severity.WARNING, "period-stops", message))
    if len(header.notes) > MOST_NOTES:
        message = (
            f"The file has {len(header.notes)} lines of notes; Xconq 5.5 misreads one with more "
            f"than {MOST_NOTES}"
        )
        problems.append(Problem(Severity.WARNING, "notes-long", message))
    longest = max(map(len, (header.description, *header.notes)))
    if longest > LONGEST_NOTE:
        message = f"A line of notes has {longest} characters; Xconq 5.5 reads up to {LONGEST_NOTE}"
        problems.append(Problem(Severity.WARNING, "notes-long", message))
    if details_of(battlemap).detail("s") > 2 and lost_views(battlemap):
        message = "What sides have seen is for a map of another size: it is written as not seen"
        problems.append(Problem(Severity.WARNING, "views-lost", message))
    return problems


def _left_out(battlemap: BattleMap, details: SaveDetails) -> list[Problem]:
    """Return what the chosen details leave out although the map has it."""
    header = header_of(battlemap)
    problems = []
    for letter, section in MAP_SECTIONS.items():
        if details.detail(letter) or not section.in_map(battlemap):
            continue
        digest = header.included.get(letter)
        if digest is None or digest_of(battlemap, letter) != digest:
            message = f"Not kept: {section.title}, since it is saved with {details.text()}"
            problems.append(Problem(Severity.WARNING, "section-lost", message))
    return problems
