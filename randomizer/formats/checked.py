"""Reading and writing files by a format, and refusing maps with values that no map has.

Callers use these functions, not the methods of a ``Format``::

    result = read_checked(map_format, data, path)
    if result.battlemap is None:
        ...  # result.problems say why, with line and column
    files = write_files_checked(map_format, battlemap, "vale.tmx")    # and the files beside it

A format can come from another package. Therefore each function calls it within ``answers_of``: if
something raises there, the person is told which package is at fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from randomizer.formats.format import Format
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.formats.tile_looks import TilePainter
from randomizer.installed import answers_of
from randomizer.model.basics.plurals import listed
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity

MAX_EXPECTED = 3
"""If more formats could be in an empty file, the message names none of them."""


def is_empty_file(data: bytes) -> bool:
    """Return whether a file holds nothing, or nothing but white space."""
    return not data or data.isspace()


def problem_of_empty_file(expected: Sequence[Format], path: str | None = None) -> Problem:
    """Return the problem of an empty file, which could have had one of the ``expected`` formats."""
    expected_text = "a map"
    if 0 < len(expected) <= MAX_EXPECTED:
        expected_text = listed([f"“{map_format.title}”" for map_format in expected], "or")
    message = f"this file is empty: {expected_text} was expected"
    return Problem(Severity.ERROR, "file-empty", message, path)


def read_checked(
    map_format: Format, data: bytes, path: str | None = None, files: Mapping[str, bytes] = NO_FILES
) -> ReadResult:
    """Return the result of ``Format.read_with``; a map with values that no map has is refused.

    An empty file is refused in the same words for every format.
    """
    if is_empty_file(data):
        return ReadResult(None, (problem_of_empty_file([map_format], path),))
    return _read(map_format, data, path, files)


def _read(
    map_format: Format, data: bytes, path: str | None, files: Mapping[str, bytes]
) -> ReadResult:
    """Return the result of ``read_checked`` for a file that is not empty, or that was written."""
    with answers_of(map_format):
        result = map_format.read_with(data, path, files)
        # Layers of a project say themselves whether they came from a file.
        if result.battlemap is not None and not map_format.keeps_layers:
            for layer in result.battlemap.layers:
                layer.from_file = True
        return _checked(result, path)


def read_onto_checked(
    map_format: Format, data: bytes, path: str | None, battlemap: BattleMap
) -> ReadResult | None:
    """Return the result of ``Format.read_onto``; values that no map has are refused."""
    with answers_of(map_format):
        result = map_format.read_onto(data, path, battlemap)
        if result is None:
            return None
        return _checked(result, path)


def _checked(result: ReadResult, path: str | None) -> ReadResult:
    """Return a result, or one without a map if that has values that no map has."""
    if result.battlemap is not None:
        try:
            check_map(result.battlemap)
        except ProblemError as refused:
            return ReadResult(None, tuple(problem.at_path(path) for problem in refused.problems))
    return result


def write_checked(
    map_format: Format, battlemap: BattleMap, provenance: Provenance | None = None
) -> bytes:
    """Return the bytes of ``Format.write``, proven readable.

    Raises ProblemError for a map with values that no map has, and for one that could not be read
    back.
    """
    check_map(battlemap)
    with answers_of(map_format):
        data = map_format.write(battlemap, provenance)
        _prove(map_format, data, NO_FILES)
    return data


def write_files_checked(
    map_format: Format,
    battlemap: BattleMap,
    name: str,
    provenance: Provenance | None = None,
    painter: TilePainter | None = None,
) -> dict[str, bytes]:
    """Return the checked file ``name``, and those that the format writes beside it.

    ``painter`` paints the pictures of tiles; None: plainly, as the core can. Only one of it and the
    provenance can be given. Raises ProblemError as ``write_checked``.
    """
    assert provenance is None or painter is None, "painted files have no provenance"
    check_map(battlemap)
    with answers_of(map_format):
        if painter is None:
            files = dict(map_format.write_files(battlemap, name, provenance))
        else:
            files = dict(map_format.write_painted(battlemap, name, painter))
        _prove(map_format, files[name], files)
    return files


def _prove(map_format: Format, data: bytes, files: Mapping[str, bytes]) -> None:
    """Raise ProblemError if a written file could not be read back with those beside it."""
    if not map_format.readable:
        return
    # If nothing was written, the format is at fault, and not an empty file of the user's.
    result = _read(map_format, data, None, files)
    if result.battlemap is None:
        raise ProblemError(result.problems)
