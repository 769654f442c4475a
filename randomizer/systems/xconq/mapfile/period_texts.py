"""The period that is in effect for a mapfile, as texts that a map can keep.

A mapfile brings its period in one of three ways, or leaves it to the library::

    a whole file        Xconq 1 -+----      naval.per, which may include the periods that it extends
    a section           Xconq 0 -+++--      the period section of a file with a map beside it
    several files       Xconq 2 --+---      base.per, extras.per; neither includes the other

Of a section and of several files a text is made that is a mapfile by itself. *Extending* means that
a period section does not begin anew but goes on from what was loaded before (``Mapfile.extends``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.systems.xconq.header import PERIOD_ALONE, MapfileHeader
from randomizer.systems.xconq.library import STANDARD_PERIOD
from randomizer.systems.xconq.mapfile.includes import Included, IncludeFinder
from randomizer.systems.xconq.mapfile.loading import Loaded, LoadedFile, load
from randomizer.systems.xconq.records import PeriodPlace

NO_NAME = ""
"""The key in ``IncludeFinder.given_files`` of the period for mapfiles that name no period.

The user chose it; without it such mapfiles have the library's standard period.
"""


@dataclass(frozen=True)
class PeriodTexts:
    """The period in effect, as texts that a map can keep."""

    text: str
    """The text of the mapfile that has the period, or of one that was made of its parts."""

    further: Mapping[str, str]
    """The texts of the files that it includes, directly or not, by their names as written."""

    name: str = ""
    """The name of the included file that has the period; "" if no included file has it.

    Then the mapfile itself has it, or the library's standard file, as ``place`` tells.
    """

    place: PeriodPlace = PeriodPlace.ITSELF
    """Where that file was found; ``PeriodPlace.PART`` if the text is not that whole file."""

    path: str | None = None
    """The path of the file that has the period."""

    line_shift: int = 0
    """What is added to a line number of the text to get that of the file it comes from."""

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems of reading the period, located in the file that it comes from.

        Those of the text have no path yet; those of further files are located already.
        """
        result = []
        for problem in problems:
            if problem.path:
                result.append(problem)
            else:
                result.append(_relocated(problem, self.path, self.line_shift))
        return result


def period_texts(loaded: Loaded, finder: IncludeFinder) -> PeriodTexts | None:
    """Return the period in effect, that of the library's standard file if the files bring none.

    None if there is none, or if a file that is missing would bring it.
    """
    files_with_period = [file for file in loaded.files if file.mapfile.period is not None]
    if not files_with_period:
        if loaded.missing_periods:
            return None
        return _standard_period(loaded, finder)
    needed_files = _needed_files(files_with_period)
    last_file = needed_files[-1]
    extended_names = {file.name for file in needed_files[:-1]}
    # A text of the last file alone would lack periods that it extends without including them: the
    # mapfile includes those itself.
    if not extended_names <= loaded.included_names[last_file.name]:
        return _several_files(loaded, needed_files)
    if last_file.mapfile.header.sections == PERIOD_ALONE:
        return _whole_file(loaded, last_file)
    return _period_section(loaded, last_file, extended_names)


def _needed_files(files_with_period: list[LoadedFile]) -> list[LoadedFile]:
    """Return the last of these files, after those whose periods it extends."""
    first = len(files_with_period) - 1
    while first > 0 and files_with_period[first].mapfile.extends:
        first -= 1
    return files_with_period[first:]


def _several_files(loaded: Loaded, files: Iterable[LoadedFile]) -> PeriodTexts:
    """Return the period of several files, as a file that includes all of them."""
    names = tuple(file.name for file in files)
    header = MapfileHeader("", "Several periods", includes=names)
    return PeriodTexts(
        text=header.text(),
        further=_texts_of_files(loaded, names),
        name=names[-1],
        place=PeriodPlace.PART,
    )


def _whole_file(loaded: Loaded, file: LoadedFile) -> PeriodTexts:
    """Return the period of a file that has nothing else."""
    mapfile = file.mapfile
    texts = _texts_of_files(loaded, mapfile.header.includes)
    return PeriodTexts(
        text=mapfile.text, further=texts, name=file.name, place=file.place, path=mapfile.path
    )


def _period_section(loaded: Loaded, file: LoadedFile, extended_names: set[str]) -> PeriodTexts:
    """Return the period of a file with other sections, as a file of that section alone.

    It includes only those files that bring the periods which it extends.
    """
    mapfile = file.mapfile
    includes = []
    for include in mapfile.header.includes:
        brought_names = loaded.included_names.get(include, set()) | {include}
        if not extended_names.isdisjoint(brought_names):
            includes.append(include)
    header = replace(mapfile.header, sections=PERIOD_ALONE, includes=tuple(includes), notes=())
    header_text = header.text()
    return PeriodTexts(
        text=f"{header_text}{mapfile.period}",
        further=_texts_of_files(loaded, header.includes),
        name=file.name,
        place=PeriodPlace.PART,
        path=mapfile.path,
        line_shift=mapfile.period_line - 1 - header_text.count("\n"),
    )


def _texts_of_files(loaded: Loaded, names: Collection[str]) -> dict[str, str]:
    """Return the texts of included files, and of all that they include, by name."""
    reachable_names = set(names)
    for name in names:
        reachable_names |= loaded.included_names.get(name, set())
    return {
        file.name: file.mapfile.text
        for file in loaded.files
        if file.name and file.name in reachable_names
    }


def _standard_period(loaded: Loaded, finder: IncludeFinder) -> PeriodTexts | None:
    """Return the period of a file that names none: the one that the caller gives, or the library's.

    None if there is none. None as well for one that cannot be used, with problems added to those of
    ``loaded``.
    """
    standard_file: Included | None
    if NO_NAME in finder.given_files:
        data = finder.given_files[NO_NAME]
        standard_finder = IncludeFinder(finder.folder, finder.library)
        standard_file = Included(NO_NAME, "the chosen period", PeriodPlace.GIVEN, data)
    else:
        # The standard file is the library's: one beside the mapfile does not count.
        standard_finder = IncludeFinder(None, finder.library)
        standard_file = standard_finder.find(STANDARD_PERIOD).file
    if standard_file is None:
        return None
    try:
        standard = load(standard_file.data, standard_file.path, standard_finder)
    except ProblemError as failed:
        _report_unusable(loaded, standard_file, failed.problems)
        return None
    if has_errors(standard.problems) or not standard.is_in_main(PERIOD_ALONE):
        _report_unusable(loaded, standard_file, standard.problems)
        return None
    texts = period_texts(standard, standard_finder)
    if texts is None:
        return None
    return replace(texts, place=standard_file.place)


def _report_unusable(loaded: Loaded, file: Included, problems: Iterable[Problem]) -> None:
    """Add the problems of a file that should have the standard period, and what they mean."""
    loaded.problems += problems
    message = f"{file.path} cannot be used as the period of this file"
    loaded.problems.append(Problem(Severity.WARNING, "standard-unusable", message))


def _relocated(problem: Problem, path: str | None, line_shift: int) -> Problem:
    """Return a problem and its fix, moved to the lines of a file. Other fixes are dropped."""
    fix = problem.fix
    if fix is not None:
        edits = []
        for edit in fix.edits:
            moved_line = edit.line + line_shift
            moved_end = edit.end_line + line_shift
            edits.append(replace(edit, line=moved_line, end_line=moved_end))
        fix = replace(fix, edits=tuple(edits))
    line = problem.line
    if line is not None:
        line += line_shift
    end_line = problem.end_line
    if end_line is not None:
        end_line += line_shift
    return replace(problem, path=path, line=line, end_line=end_line, fix=fix, other_fixes=())
