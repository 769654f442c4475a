"""New maps, and maps read from files; without widgets, so that jobs can use it.

    work = reading_work(path, looks=settings.program_terrains)     # the work of a job
    file_read = await result(Job(work))                       # a ``FileRead``

    result = read_map(path)                                   # at once, without further files

The format of a file is found by its suffix and content. A map of another program can get *looks*:
the colours and pictures of a terrain set of the user's own, instead of those that the names of its
terrains suggest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from randomizer.catalog.file_kinds import FileHead, look_at_file
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_file_reading import read_map_file
from randomizer.formats.checked import read_checked, read_onto_checked
from randomizer.formats.format import Format
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.assets import LARGEST_PICTURE, NO_ASSETS
from randomizer.model.system.system import System
from randomizer.reading.files import read_file
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.records.deflated_parts import deflate_layers

if TYPE_CHECKING:
    from randomizer.storage.files.terrain_files import OwnTerrains

PROJECT_SUFFIX = ".battlemap"
"""The suffix of map projects, the only format that loses nothing."""

NO_LOOKS: Mapping[str, Path] = MappingProxyType({})
"""No terrain sets for the looks of maps of other programs (``reading_work``)."""


def read_map(path: Path) -> ReadResult:
    """Read a file of any known format. Raises ProblemError if the format is unknown."""
    head = look_at_file(path)
    data = read_map_file(path, head=head)
    return read_checked(format_for(data, str(path), head=head), data, str(path))


class FileRead(NamedTuple):
    """A map file that was read."""

    result: ReadResult
    """The map, or why there is none; warnings about further files are among its problems."""

    known_file: KnownFile | None
    """The state of the file when it was read; None if it is gone already."""

    map_format: Format
    """The format that the file was read in."""

    looks: Path | None = None
    """The terrain set whose looks the map has got; None if it has its own."""


def reading_work(
    path: Path,
    further_files: Mapping[str, Path | bytes] = NO_FILES,
    looks: Mapping[str, Path] = NO_LOOKS,
    chosen: Collection[Format] = (),
    head: FileHead | None = None,
) -> Callable[..., FileRead]:
    """Return the work of a job that reads a map. It raises ProblemError for an unknown format.

    ``further_files`` are files that this one refers to, or their bytes, by the names that it has
    for them. ``looks`` are files of terrain sets whose looks maps of other programs get, by the
    name of their format. ``chosen`` are the formats that a person has chosen for the file. ``head``
    is the beginning of the file, if it was read before. The work also deflates the layers, as the
    journal stores them: else the first undo step would wait for that.
    """

    def work(_progress: object, _cancelled: object) -> FileRead:
        return _read_with_files(path, further_files, looks, chosen, head)

    return work


def _read_with_files(
    path: Path,
    further_files: Mapping[str, Path | bytes],
    looks: Mapping[str, Path],
    chosen: Collection[Format],
    head: FileHead | None,
) -> FileRead:
    """Read a map with the files that it refers to, and give it looks; see ``reading_work``."""
    if head is None:
        head = look_at_file(path)
    data = read_map_file(path, head=head)
    known_file = known_file_of(path, data)
    map_format = format_for(data, str(path), chosen, head)

    # A map can do without its further files: one that cannot be read is a warning.
    files = dict[str, bytes]()
    problems = list[Problem]()
    for name, file in further_files.items():
        if isinstance(file, bytes):
            files[name] = file
            continue
        with _problems_as_warnings(problems):
            files[name] = read_file(file, LARGEST_PICTURE)
    result = read_checked(map_format, data, str(path), files)

    used_looks = None
    if result.battlemap is not None:
        with _problems_as_warnings(problems):
            if map_format.name in looks:
                _give_looks(result.battlemap, looks[map_format.name])
                used_looks = looks[map_format.name]
        deflate_layers(result.battlemap.layers)
    result = replace(result, problems=(*result.problems, *problems))
    return FileRead(result, known_file, map_format, used_looks)


@contextmanager
def _problems_as_warnings(problems: list[Problem]) -> Iterator[None]:
    """Turn a ProblemError of the block into warnings, which are added to ``problems``.

    The block reads a file that the map can do without.
    """
    try:
        yield
    except ProblemError as failed:
        problems += (replace(problem, severity=Severity.WARNING) for problem in failed.problems)


def _give_looks(battlemap: BattleMap, path: Path) -> None:
    """Give a map of another program the looks of a terrain set. Raises ProblemError."""
    from randomizer.storage.files.combined_terrains import apply_looks
    from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, read_terrains

    apply_looks(battlemap, read_terrains(read_file(path, LARGEST_TERRAINS), str(path)))


def known_file_of(path: Path, data: bytes) -> KnownFile | None:
    """Return the state of a file that was just read or written; None if it is gone already."""
    with suppress(OSError):  # if it is gone, the user is asked before it is saved again
        return KnownFile.of(path, data)
    return None


def new_map(
    system: System, grid: Grid | None = None, own_terrains: OwnTerrains | None = None
) -> BattleMap:
    """Return an empty map with one layer.

    None stands for the usual grid, and for the usual terrains of the system.
    """
    terrain_set = None
    assets = NO_ASSETS
    if own_terrains is not None:
        terrain_set, assets = own_terrains
    return BattleMap.new(system, grid, [Layer(1, "Ground")], terrain_set, assets)


def read_onto(path: Path, battlemap: BattleMap) -> ReadResult | None:
    """Read a file that has no map of its own but adds to a map; None for other files.

    Raises ProblemError if it does not fit the map.
    """
    head = look_at_file(path)
    data = read_map_file(path, head=head)
    map_format = format_for(data, str(path), head=head)
    return read_onto_checked(map_format, data, str(path), battlemap)
