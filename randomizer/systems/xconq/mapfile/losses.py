"""What a map loses when it is written as a mapfile, and what has to be known of that file.

``check_mapfile`` returns all of it as problems: a warning for what is lost or what Xconq would
misread, a hint for what a person should know, such as a file that is written beside the mapfile.
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.formats.losses import NOT_KEPT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.map_period import period_and_problems
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTIONS
from randomizer.systems.xconq.mapfile.period_file_name import name_for_xconq, period_file_name
from randomizer.systems.xconq.mapfile.saved_sections import details_of, is_in_includes
from randomizer.systems.xconq.mapfile.sides_section import has_unfitting_view
from randomizer.systems.xconq.mapfile.writer import WrittenMapfile, write_mapfile
from randomizer.systems.xconq.mapfile.written_period import period_changed
from randomizer.systems.xconq.mapfile.written_units import units_of
from randomizer.systems.xconq.records import header_of, period_texts_of

MAX_NOTES = 38
"""The most lines of notes that Xconq 5.5 reads right."""

LONGEST_NOTE = 250
"""The most characters of a line of notes that Xconq 5.5 has room for."""

LATIN_1_END = 256
"""The first code of a character that Latin-1, in which mapfiles are written, does not have."""

MIN_DETAIL_WITH_VIEWS = 3
"""The least detail of sides with which a file holds what they have seen of the map."""


def check_mapfile(battlemap: BattleMap, stem: str = "") -> tuple[Problem, ...]:
    """Return what a mapfile of the map would lose, and what has to be known of it.

    ``stem`` is the name of the file without suffix, "" if it has no name yet: the file of the
    period may be called after it.
    """
    try:
        details = details_of(battlemap)
        written = write_mapfile(battlemap, stem, details=details)
    except ProblemError as refused:
        return refused.problems
    return (
        *_lost_layers(battlemap),
        *_lost_sections(battlemap, details),
        *_lost_units(battlemap),
        *_lost_characters(battlemap),
        *_unreadable_period(battlemap),
        *_period_beside(battlemap, written),
        *_beyond_xconq(battlemap),
        *_lost_views(battlemap, details),
        *_needed_includes(battlemap),
    )


def _lost_layers(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a hint if the map has layers or rolls: a file holds only what is visible."""
    is_rolled = any(layer.roll is not None for layer in battlemap.layers if layer.visible)
    if len(battlemap.layers) > 1 or is_rolled:
        number = counted(len(battlemap.layers), "layer")
        pronoun = many(len(battlemap.layers), "it was", "they were")
        message = f"Not kept: {number} and how {pronoun} rolled; the file holds what is visible"
        yield Problem(Severity.HINT, "layers-lost", message)


def _lost_sections(battlemap: BattleMap, details: SaveDetails) -> Iterator[Problem]:
    """Yield a warning for each section that the map has, but the chosen details leave out.

    One that an included file brings unchanged is not lost.
    """
    for letter, section in MAP_SECTIONS.items():
        is_left_out = not details.detail(letter) and section.has_content(battlemap)
        if is_left_out and not is_in_includes(battlemap, letter):
            message = f"Not kept: {section.title}, since it is saved with {details.text()}"
            yield Problem(Severity.WARNING, "section-lost", message)


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
        if any(ord(character) >= LATIN_1_END for character in set(record.text)):
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


def _period_beside(battlemap: BattleMap, written: WrittenMapfile) -> Iterator[Problem]:
    """Yield a hint for each file of a changed period that is written beside the map."""
    if not period_changed(battlemap):
        return
    usual_name = period_file_name(battlemap, "")
    texts = period_texts_of(battlemap)
    for name in written.companions:
        message = f"The period is written to {name} beside the map, which includes it"
        if texts and name != usual_name and name == name_for_xconq(usual_name, texts[0]):
            message += f": Xconq takes {usual_name} from its library"
        yield Problem(Severity.HINT, "period-beside", message)


def _beyond_xconq(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a warning for each thing that Xconq 5.5 would misread or stop at."""
    # An error in a file of the period at which Xconq stops; a warning for the first is enough.
    header = header_of(battlemap)
    for problem in period_and_problems(battlemap).problems:
        if problem.code == "period-included-name":
            name = problem.path or header.period_file or "the period"
            reason = problem.message.rstrip(".")
            message = f"Xconq 5.5 stops at line {problem.line} of {name}. {reason}"
            yield Problem(Severity.WARNING, "period-stops", message)
            break

    # It has room for few lines of notes, and for short ones.
    if len(header.notes) > MAX_NOTES:
        message = (
            f"The file has {len(header.notes)} lines of notes; Xconq 5.5 misreads one with more "
            f"than {MAX_NOTES}"
        )
        yield Problem(Severity.WARNING, "notes-long", message)
    longest = max(map(len, (header.description, *header.notes)))
    if longest > LONGEST_NOTE:
        message = (
            f"The description or a line of notes has {longest} characters; Xconq 5.5 reads up to "
            f"{LONGEST_NOTE}"
        )
        yield Problem(Severity.WARNING, "notes-long", message)


def _lost_views(battlemap: BattleMap, details: SaveDetails) -> Iterator[Problem]:
    """Yield a warning if what sides have seen would be saved, but is for a map of another size."""
    if details.detail("s") >= MIN_DETAIL_WITH_VIEWS and has_unfitting_view(battlemap):
        message = "What sides have seen is for a map of another size: it is written as not seen"
        yield Problem(Severity.WARNING, "views-lost", message)


def _needed_includes(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a hint if the file includes others than that of the period."""
    header = header_of(battlemap)
    other_includes = [name for name in header.includes if name != header.period_file]
    if other_includes:
        message = f"{', '.join(other_includes)} must be beside the file or in Xconq's library"
        yield Problem(Severity.HINT, "includes", message)
