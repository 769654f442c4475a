"""Writes a map as a mapfile, and the period's file that belongs beside it.

``write_mapfile`` returns the files as bytes, ``details_of`` what they are written with, and
``check_mapfile`` what they would lose. A map that was read from a file is written back as it was
where nothing has changed: sections that came with included files are left out again, and lines that
were typed otherwise stay so (``typed_lines``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.formats import NOT_KEPT
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.header import (
    PERIOD_SUFFIX,
    UNTITLED_PERIOD,
    MapfileHeader,
    encode,
)
from randomizer.systems.xconq.library import has_another
from randomizer.systems.xconq.map_period import period_and_problems, period_of
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.includes import fault_in_include
from randomizer.systems.xconq.mapfile.parsing import MAP_SECTIONS, Mapfile, digest_of, parse
from randomizer.systems.xconq.mapfile.sides_section import lost_views
from randomizer.systems.xconq.mapfile.typed_lines import (
    FileSection,
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
"""The most lines of notes that Xconq 5.5 reads right."""

LONGEST_NOTE = 250
"""The most characters of a line of notes that Xconq 5.5 has room for."""


class Written(NamedTuple):
    """The files of a map."""

    data: bytes
    """The mapfile."""

    companions: Mapping[str, bytes]
    """The files that it includes and that are written beside it, by name."""


@dataclass(frozen=True)
class _WrittenPeriod:
    """The parts in which the period of a map is written."""

    includes: tuple[str, ...]
    """The names of all files that the mapfile includes."""

    section: str = ""
    """The period section of the mapfile, "" for none."""

    companions: Mapping[str, str] = field(default_factory=dict)
    """The texts of the files that are written beside the mapfile, by name."""


def details_of(battlemap: BattleMap) -> SaveDetails:
    """Return what a map is saved with: what was chosen, else what its file had and has changed.

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
    has_file = bool(header.sections or header.included)
    sections = header.sections
    if not has_file:
        sections = "m"
        for letter, section in MAP_SECTIONS.items():
            if section.in_map(battlemap):
                sections += letter
    levels = {"s": min(sides_of(battlemap).detail, 9), "u": units_facts_of(battlemap).detail}
    details = SaveDetails({letter: levels.get(letter, 1) for letter in sections})

    # What came with an included file has to be written once it has changed.
    changed_sections = []
    for letter in MAP_SECTIONS:
        digest = header.included.get(letter)
        if digest is None or letter in header.sections:
            continue
        if digest_of(battlemap, letter) != digest:
            changed_sections.append(letter)
    return details.including(changed_sections)


def write_mapfile(
    battlemap: BattleMap, stem: str = "", details: SaveDetails | None = None
) -> Written:
    """Return the files of a map that is saved under a name without suffix ("": not known yet).

    ``details`` is what to save, None for ``details_of``. Raises ProblemError for a map that no
    mapfile can hold.
    """
    details = details or details_of(battlemap)
    header = header_of(battlemap)
    period = _written_period(battlemap, header, details, stem)
    file_header = MapfileHeader(
        details.sections, header.description, header.blanks, header.notes, period.includes
    )

    # The sections in the order of the flags, lines of the file as they were typed where they can.
    pieces = [file_header.text()]
    typed = typed_lines_of(battlemap)
    for letter in details.sections:
        if letter == "p":
            pieces.append(period.section)
        else:
            text = _section_text(battlemap, letter, details)
            pieces.append(restore_lines(text, typed.sections.get(letter, ())))

    # What nobody reads behind the last section, and the end of the file.
    if header.rest:
        # Detail 4 of units ends with a blank, which would stand before the next line.
        pieces[-1] = pieces[-1].rstrip(" ")
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
        sections = []
        for letter, lines in mapfile.lines.items():
            if details.detail(letter):
                text = _section_text(battlemap, letter, details)
                sections.append(FileSection(letter, lines, text))
    except ProblemError:
        # The map cannot be written; a period that is found later can change that.
        return TypedLines()
    return compare_lines(sections, end_of(mapfile.text))


# --- the period ---------------------------------------------------------------------------------


def period_changed(battlemap: BattleMap) -> bool:
    """Return whether the period is another than the one that the map's file brought or implied."""
    digest = header_of(battlemap).included.get("p")
    return digest is None or digest != digest_of(battlemap, "p")


def _written_period(
    battlemap: BattleMap, header: Header, details: SaveDetails, stem: str
) -> _WrittenPeriod:
    """Return how the period is written: inside the file, not at all, or as a file beside it.

    It need not be written if it is the one that the file's includes bring. But if that file was
    beside the map's or was given it is written, too, so that it is there wherever the map is saved.
    """
    texts = period_texts_of(battlemap)
    if texts is None:
        text = packaged_text(MODERN)
        further: Mapping[str, str] = {}
    else:
        text, further = texts
    if details.detail("p"):
        return _period_inside(battlemap, header, text, further)
    name = header.period_file
    has_other_file = header.script_file not in ("", name)
    if not period_changed(battlemap) and not has_other_file:
        is_at_hand = header.period_place in (BESIDE, GIVEN)
        companions: dict[str, str] = {}
        if is_at_hand and name in header.includes and "/" not in name:
            companions = {name: text, **_writable(further)}
        return _WrittenPeriod(header.includes, companions=companions)

    name = _name_for_xconq(period_name(battlemap, stem), text)
    if header.period_place != PART and header.period_file in header.includes:
        # In the place of the file that had the period.
        names = {include: include for include in header.includes}
        names[header.period_file] = name
        includes = tuple(names[include] for include in header.includes)
    else:
        # Behind all others, so that it counts.
        other_includes = (include for include in header.includes if include != name)
        includes = (*other_includes, name)
    return _WrittenPeriod(includes, companions={name: text, **_writable(further)})


def _period_inside(
    battlemap: BattleMap, header: Header, text: str, further: Mapping[str, str]
) -> _WrittenPeriod:
    """Return the period as a section of the file; what it includes is included before."""
    mapfile, problems = parse(encode(text))
    if mapfile is None:
        raise ProblemError(problems)
    # The file that has the whole period is not needed any more.
    dropped_name = header.period_file
    if header.period_place == PART:
        dropped_name = ""
    includes = [include for include in header.includes if include != dropped_name]
    includes += [name for name in mapfile.header.includes if name not in includes]
    companions: dict[str, str] = {}
    if period_changed(battlemap):
        companions = _writable(further)
    section = mapfile.period
    if section is None:
        # The text only includes several files: a section that changes nothing of the last of them.
        section = "Period 1\nend\n"
    elif not section.endswith("\n"):
        section += "\n"
    return _WrittenPeriod(tuple(includes), section, companions)


def _writable(further: Mapping[str, str]) -> dict[str, str]:
    """Return those of the further files that can be written beside the map."""
    return {
        name: text
        for name, text in further.items()
        if "/" not in name and not fault_in_include(name)
    }


def period_file_beside(battlemap: BattleMap, details: SaveDetails, stem: str) -> str:
    """Return the name of the period's file that is written beside the map's, "" if none is.

    ``details`` is what is saved, ``stem`` the name of the map's file without suffix, "" for one
    that is not known yet. Raises ProblemError for a map that no mapfile can hold.
    """
    if details.detail("p"):
        return ""
    written = _written_period(battlemap, header_of(battlemap), details, stem)
    # The period comes first, then what it includes.
    return next(iter(written.companions), "")


def suggested_period_file(battlemap: BattleMap, details: SaveDetails, stem: str) -> str:
    """Return the name to suggest for the period's file, "" if none is written.

    It is ``period_file_beside``, but for an edited packaged period that no file has yet: this is
    called as the map, since under the name of the packaged one nobody would look for it.
    """
    name = period_file_beside(battlemap, details, stem)
    texts = period_texts_of(battlemap)
    usual_name = period_name(battlemap, stem)
    is_named = bool(header_of(battlemap).script_file)
    if not name or texts is None or is_named:
        return name
    for metadata in packaged_metadata():
        if metadata.script == usual_name and texts[0] != packaged_text(metadata.script):
            return _name_for_xconq(_period_named_for(battlemap, stem), texts[0])
    return name


def fault_in_period_file(name: str) -> str:
    """Return why the period's file cannot have a name, as the end of a sentence; "" if it can."""
    if not name.lower().endswith(PERIOD_SUFFIX):
        return f"it must end in {PERIOD_SUFFIX}"
    if "/" in name:
        return "it must not hold /"
    return fault_in_include(name)


def period_name(battlemap: BattleMap, stem: str) -> str:
    """Return the name of the period's file beside the map, if one is written.

    That of the file in which the user saved the period, or from which it was opened; else that of
    a packaged period that is as it was; else that of a file that was beside the map before;
    that of the script of a rolled map, if the period is as it was rolled and the script has a name;
    else that of the map.
    """
    header = header_of(battlemap)
    source = battlemap.source_layer
    texts = period_texts_of(battlemap)
    text = None
    if texts is not None:
        text, _further = texts
    if header.script_file and not fault_in_include(header.script_file):
        return header.script_file
    for metadata in packaged_metadata():
        if text == packaged_text(metadata.script):
            return metadata.script
    if header.period_place in (BESIDE, GIVEN, MISSING) and header.period_file:
        return header.period_file.rpartition("/")[2]
    if source is not None and source.roll is not None and text == source.roll.script:
        script = source.roll.script_name
        has_name = script.endswith(PERIOD_SUFFIX) and script != UNTITLED_PERIOD
        if has_name and not fault_in_include(script):
            return script
    return _period_named_for(battlemap, stem)


def _period_named_for(battlemap: BattleMap, stem: str) -> str:
    """Return the name of a period's file called as its map, or as the period itself for ""."""
    stem = stem or period_of(battlemap).name.lower()
    words = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip(".-")[:80]
    return f"{words or 'period'}{PERIOD_SUFFIX}"


def _name_for_xconq(name: str, text: str) -> str:
    """Return a name under which Xconq reads this text: it looks into its library first.

    It is the given one, unless the library has another file of that name; then it gets a number.
    """
    stem = name.removesuffix(PERIOD_SUFFIX)
    data = encode(text)
    number = 1
    while has_another(name, data):
        number += 1
        name = f"{stem}-{number}{PERIOD_SUFFIX}"
    return name


# --- what would be lost -------------------------------------------------------------------------


def check_mapfile(battlemap: BattleMap, stem: str = "") -> tuple[Problem, ...]:
    """Return what a mapfile of the map would lose, and what has to be known of it.

    ``stem`` is the name of the file without suffix, after which that of its period is called; "" if
    the file has no name yet.
    """
    try:
        details = details_of(battlemap)
        written = write_mapfile(battlemap, stem, details=details)
    except ProblemError as refused:
        return refused.problems
    return (
        *_lost_layers(battlemap),
        *_left_out(battlemap, details),
        *_lost_units(battlemap),
        *_lost_characters(battlemap),
        *_unreadable_period(battlemap),
        *_period_beside(battlemap, written),
        *_beyond_xconq(battlemap),
        *_needed_includes(battlemap),
    )


def _lost_layers(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a hint if the map has layers or rolls: a file holds only what is visible."""
    is_rolled = any(layer.roll is not None for layer in battlemap.layers if layer.visible)
    if len(battlemap.layers) > 1 or is_rolled:
        number = counted(len(battlemap.layers), "layer")
        message = f"Not kept: {number} and how they were rolled; the file holds what is visible"
        yield Problem(Severity.HINT, "layers-lost", message)


def _lost_units(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a warning if units are outside of the map."""
    unit_count = sum(1 for _thing in battlemap.visible_things())
    off_map = unit_count - len(units_of(battlemap))
    if off_map:
        message = f"Not kept: {counted(off_map, 'unit')} off the map"
        yield Problem(Severity.WARNING, "units-lost", message)


def _lost_characters(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a warning if a record has characters that files cannot have."""
    for record in battlemap.records.values():
        # A set: a long text has few different characters.
        if any(ord(character) > 255 for character in set(record.text)):
            message = "Characters that Latin-1 does not have are written as “?”"
            yield Problem(Severity.WARNING, "not-latin-1", message)
            return


def _unreadable_period(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a warning if the period that is written has errors: no map can be read by it then."""
    result = period_and_problems(battlemap)
    if result.period is not None or not period_changed(battlemap):
        return
    error_count = sum(problem.severity is Severity.ERROR for problem in result.problems)
    message = (
        f"The period has {counted(error_count, 'error')}: with it Xconq does not load the map, "
        "and types that cannot be read are lost when it is opened here"
    )
    yield Problem(Severity.WARNING, NOT_KEPT, message)


def _period_beside(battlemap: BattleMap, written: Written) -> Iterator[Problem]:
    """Yield a hint for each file of a changed period that is written beside the map."""
    if not period_changed(battlemap):
        return
    usual_name = period_name(battlemap, "")
    texts = period_texts_of(battlemap)
    for name in written.companions:
        message = f"The period is written to {name} beside the map, which includes it"
        if texts and name != usual_name and name == _name_for_xconq(usual_name, texts[0]):
            message += f": Xconq takes {usual_name} from its library"
        yield Problem(Severity.HINT, "period-beside", message)


def _needed_includes(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a hint if the file includes others than that of the period."""
    header = header_of(battlemap)
    other_includes = [name for name in header.includes if name != header.period_file]
    if other_includes:
        message = f"{', '.join(other_includes)} must be beside the file or in Xconq's library"
        yield Problem(Severity.HINT, "includes", message)


def _beyond_xconq(battlemap: BattleMap) -> list[Problem]:
    """Return what Xconq 5.5 would misread or stop at: it has room for few notes and short lines."""
    header = header_of(battlemap)
    problems = []
    for problem in period_and_problems(battlemap).problems:
        if problem.code == "period-included-name":
            name = problem.path or header.period_file or "the period"
            reason = problem.message.rstrip(".")
            message = f"Xconq 5.5 stops at line {problem.line} of {name}. {reason}"
            problems.append(Problem(Severity.WARNING, "period-stops", message))
            break
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
    """Return a warning for each section that the map has, but the chosen details leave out.

    One that came with an included file and has not changed is not lost.
    """
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
