"""Reads and writes map files, and merges maps; without widgets, so that jobs can use it.

``reading`` returns the work of a job that reads a map, ``write_map`` is that of one that writes it.
Both find the format by the suffix and the content of the file. ``merge_in`` inserts the layers of
other maps into the current one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from app.document.document import MapDocument
from app.document.hidden_layers import layers_left_out
from randomizer.catalog.catalog import (
    format_of_suffix,
    formats_of,
)
from randomizer.catalog.file_kinds import (
    Head,
    format_for,
    look_at_file,
    read_map_file,
)
from randomizer.formats import (
    NO_FILES,
    NOT_KEPT,
    Format,
    ReadResult,
    TilePainter,
    read_checked,
    read_onto_checked,
    write_files_checked,
)
from randomizer.model.basics.plurals import counted, listed, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.edits.edit import Edit, LayerInsert
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import layers_with_ids
from randomizer.model.edits.value_edits import chained, compound, parts
from randomizer.model.grid.grid import FAR, Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.map.regions import joint_regions, record_of, regions_of, with_codes_of
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.records.assets import LARGEST_PICTURE, NO_ASSETS
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System
from randomizer.reading.files import START, read_file, read_start
from randomizer.storage.disk.backups import Backups
from randomizer.storage.disk.companions import digest_of
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.records.deflated_parts import deflate_layers

if TYPE_CHECKING:
    from app.render.viewport import Viewport
    from randomizer.storage.files.terrain_files import OwnTerrains

PROJECT_SUFFIX = ".battlemap"
"""The suffix of map projects, the only format that loses nothing."""

NO_LOOKS: Mapping[str, Path] = MappingProxyType({})
"""No terrain sets for the looks of maps of other programs (``reading``)."""


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


def reading(
    path: Path,
    further_files: Mapping[str, Path | bytes] = NO_FILES,
    looks: Mapping[str, Path] = NO_LOOKS,
    chosen: Collection[Format] = (),
    head: Head | None = None,
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
    head: Head | None,
) -> FileRead:
    """Read a map with the files that it refers to, and give it looks; see ``reading``."""
    if head is None:
        head = look_at_file(path)
    data = read_map_file(path, head=head)
    known_file = _known_file(path, data)
    map_format = format_for(data, str(path), chosen, head)

    # A map can do without its further files: one that cannot be read is a warning.
    files = dict[str, bytes]()
    problems = list[Problem]()
    for name, file in further_files.items():
        if isinstance(file, bytes):
            files[name] = file
            continue
        with _collected(problems):
            files[name] = read_file(file, LARGEST_PICTURE)
    result = read_checked(map_format, data, str(path), files)

    used_looks = None
    if result.battlemap is not None:
        with _collected(problems):
            if map_format.name in looks:
                _dress(result.battlemap, looks[map_format.name])
                used_looks = looks[map_format.name]
        deflate_layers(result.battlemap.layers)
    result = replace(result, problems=(*result.problems, *problems))
    return FileRead(result, known_file, map_format, used_looks)


@contextmanager
def _collected(problems: list[Problem]) -> Iterator[None]:
    """Turn a ProblemError of the block into warnings, which are added to ``problems``.

    The block reads a file that the map can do without.
    """
    try:
        yield
    except ProblemError as failed:
        problems += (replace(problem, severity=Severity.WARNING) for problem in failed.problems)


def _dress(battlemap: BattleMap, path: Path) -> None:
    """Give a map of another program the looks of a terrain set. Raises ProblemError."""
    from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, dress, read_terrains

    dress(battlemap, read_terrains(read_file(path, LARGEST_TERRAINS), str(path)))


def _known_file(path: Path, data: bytes) -> KnownFile | None:
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


def merge_in(document: MapDocument, results: Sequence[tuple[str, ReadResult]]) -> bool:
    """Insert the layers of other maps above the active one, as one undo step.

    ``results`` are pairs of a name and the map that was read. Terrains and regions that the current
    map lacks are added, with their pictures. If several maps have the same record, that of the last
    one counts. Return False if the document refuses the change. Raises ProblemError for a map of
    another system or grid.
    """
    battlemap = document.battlemap
    index = battlemap.index_of(document.active_layer_id) + 1
    edit_makers: list[Callable[[], Edit | None]] = []
    for name, result in results:
        if result.battlemap is None:
            continue
        document.add_assets(result.battlemap.named_assets)
        # The terrains come first: the layers are translated to the set that the map has then.
        edit_makers.append(partial(_add_terrains, battlemap, result.battlemap))
        edit_makers.append(partial(_add_layers, battlemap, name, result.battlemap, index, result))
        index += len(result.battlemap.layers)
    edit = chained(battlemap, edit_makers)
    if edit is None:
        return False
    inserts = [part for part in parts(edit) if isinstance(part, LayerInsert)]
    if len(results) == 1:
        title = results[0][0]
    else:
        title = counted(len(results), "file")
    return document.push(edit, f"Merge {title}", active=inserts[-1].layer.id)


def _add_layers(
    battlemap: BattleMap, name: str, other_map: BattleMap, index: int, result: ReadResult
) -> Edit | None:
    """Return the edit that inserts the layers of another map, called ``name``, from an index on.

    It adds the regions of that map, and its records if the format says so. Raises ProblemError for
    a map of another system or grid.
    """
    if _kind_of(other_map) != _kind_of(battlemap):
        raise error("other-system", f"{name} is a map of another kind; open it by itself")
    our_regions = regions_of(battlemap.records)
    their_regions = regions_of(other_map.records)
    regions = joint_regions(our_regions, their_regions)
    edits: list[Edit | None] = []

    # Layers have the ids, and the codes of terrains and regions, of the other map: translate them.
    layers = layers_with_ids(other_map.layers, battlemap)
    for layer_index, layer in enumerate(layers, index):
        new_layer = translated_layer(
            battlemap.system, layer, other_map.terrain_set, battlemap.terrain_set
        )
        spec = battlemap.system.regions
        if spec is not None and spec.name in new_layer.planes:
            codes = with_codes_of(new_layer.planes[spec.name], their_regions, regions)
            new_layer.planes[spec.name] = codes
        if len(layers) == 1:
            new_layer.name = clean_line(name)
        else:
            new_layer.name = clean_line(f"{name}: {layer.name}")
        edits.append(LayerInsert(layer_index, new_layer))

    records: dict[str, MapRecord] = {}
    if result.adds_records:
        records = dict(other_map.records)
    region_record = record_of(regions)
    if region_record is not None and regions != our_regions:
        records[REGIONS] = region_record
    for record_name, record in records.items():
        edits.append(set_record(battlemap, record_name, record))
    return compound(edits)


def _kind_of(battlemap: BattleMap) -> tuple[str, Layout, int, int]:
    """Return the system, layout and size of a map: layers fit maps for which they are the same."""
    grid = battlemap.grid
    return battlemap.system.name, grid.layout, grid.width, grid.height


def _add_terrains(battlemap: BattleMap, other_map: BattleMap) -> Edit | None:
    """Return the edit that gives a map the terrains, hexsides and ways that another map shows."""
    system = battlemap.system
    if other_map.system is not system:
        return None
    their_set = other_map.terrain_set
    new_set = with_missing(system, other_map.layers, their_set, battlemap.terrain_set)
    if system.own_terrain_sets:
        # ``with_missing`` adds terrains as missing ones. Where a map has a set of its own they
        # become real ones, with the looks that they have in the other map.
        their_terrains = {terrain.name: terrain for terrain in their_set.terrains}
        terrains = []
        for terrain in new_set.terrains:
            if terrain.missing:
                terrains.append(their_terrains.get(terrain.name, terrain))
            else:
                terrains.append(terrain)
        new_set = replace(new_set, terrains=tuple(terrains))
    return change_terrain_set(battlemap, new_set)


def save_format(path: Path, system: System, chosen: Format | None = None) -> Format:
    """Return the format in which a map of ``system`` is written to the file ``path``.

    It is the ``chosen`` one if that has the suffix; else that of the present file, by its content,
    as when it is opened (Tiled's maps may be called .json); else one with the suffix. Raises
    ProblemError if none has the suffix.
    """
    suffix = path.suffix.lower()
    usable = [candidate for candidate in formats_of(system) if candidate.writable]
    of_suffix = [candidate for candidate in usable if suffix in candidate.suffixes]
    if chosen in of_suffix:
        return chosen
    with suppress(ProblemError):  # there is no file yet
        start = read_start(path, START)
        for candidate in usable:
            if candidate.recognises(start):
                return candidate
    if of_suffix:
        return of_suffix[0]
    file_format = format_of_suffix(str(path), system)
    if file_format is not None:
        return file_format
    suffixes: dict[str, None] = {}
    for candidate in usable:
        suffixes |= dict.fromkeys(candidate.suffixes)
    text = f"a map can be saved as {', '.join(suffixes)}"
    raise error("save-suffix", text, path=str(path))


class Saved(NamedTuple):
    """The result of ``write_map``: the written file, or the reason why nothing was written yet."""

    map_format: Format
    """The format in which it is written."""
    known_file: KnownFile | None = None
    """The file as it is now; None if nothing was written."""
    trouble: str = ""
    """The reason why the old file has no backup, as text; "" if it has, or there was none."""
    beside: Mapping[str, str] = MappingProxyType({})
    """The SHA-256 digests of the files beside it that were changed, by name."""
    replaces: tuple[str, ...] = ()
    """The names of files beside it that would be replaced; if any, nothing was written."""
    lost: tuple[str, ...] = ()
    """Sentences on what the format would lose of the map; if any, nothing was written."""


def write_map(
    battlemap: BattleMap,
    path: Path,
    viewport: Mapping[str, object],
    backups: Backups | None = None,
    *,
    always_keep: bool = False,
    beside: Mapping[str, str] | None = None,
    chosen: Format | None = None,
    may_lose: Collection[str] | None = None,
    painter: TilePainter | None = None,
) -> Saved:
    """Write a map atomically in the format of the suffix, with the files that belong beside it.

    The old files are backed up first (with ``always_keep`` even if a backup was made lately); the
    map is saved even if that fails. Nothing is written, and the result tells why, if

    - a format of another program would lose something, unless ``may_lose`` has the name of the
      format, or is None;
    - a file beside the map would be replaced that was neither read with it nor has its digest in
      ``beside``, unless that is None.

    ``chosen`` is the format that the user chose, of several with one suffix. ``painter`` paints
    pictures of tiles; None draws them plainly. Raises ProblemError.
    """
    from randomizer.storage.disk.companions import (
        digests_read,
        plan_files,
        replaced_beside,
        write_files,
    )
    from randomizer.storage.files.project import PROJECT, write_project

    file_format = save_format(path, battlemap.system, chosen)

    # Nothing is written yet if the format loses something that the user has not agreed to lose.
    can_lose = file_format.foreign or battlemap.system.name in file_format.systems
    if can_lose and may_lose is not None and file_format.name not in may_lose:
        lost = _losses(battlemap, file_format)
        if lost:
            return Saved(file_format, lost=tuple(lost))

    # The bytes of the map's file and of those beside it, by name. Nothing is written either if a
    # file beside it would be replaced which the map does not know.
    if file_format is PROJECT:
        files = {path.name: write_project(battlemap, viewport)}
    else:
        files = write_files_checked(file_format, battlemap, path.name, painter=painter)
    changes = plan_files(path, files)
    if beside is not None:
        digests = {**digests_read(battlemap.records), **beside}
        replaced = replaced_beside(path, changes, digests)
        if replaced:
            return Saved(file_format, replaces=replaced)

    # A backup that fails must not keep the user from saving: the user is told afterwards.
    trouble = ""
    try:
        for change in changes:
            if backups is not None:
                backups.keep(change.path, always=always_keep)
    except ProblemError as failed:
        trouble = f"No backup of the older file: {failed.problems[0].message}"
    write_files(path, changes)

    digests_beside: dict[str, str] = {}
    for change in changes:
        if change.path != path:
            name = change.path.name
            digests_beside[name] = digest_of(files[name])
    return Saved(file_format, _known_file(path, files[path.name]), trouble, digests_beside)


def _losses(battlemap: BattleMap, file_format: Format) -> list[str]:
    """Return sentences on what a file in this format would lose of a map.

    Formats do not declare whether they keep layers: for those of other programs the written bytes
    are read back to see it.
    """
    problems = file_format.check(battlemap)
    losses = [problem.message for problem in problems if problem.code == NOT_KEPT]
    if file_format.foreign and len(battlemap.layers) > 1:
        read_back = read_checked(file_format, file_format.write(battlemap)).battlemap
        if read_back is not None and len(read_back.layers) == 1:
            loss = f"{len(battlemap.layers)} layers: they become one"
            left_out = [layer.name for layer in layers_left_out(battlemap)]
            if left_out:
                verb = many(len(left_out), "is", "are")
                loss += f", without {listed(left_out)}, which {verb} hidden"
            losses.append(loss)
    return losses


# --- the view in a file -------------------------------------------------------------------------


def stored_viewport(viewport: Viewport | None) -> dict[str, object]:
    """Return a view as a project file stores it; {} for a fitted one."""
    if viewport is None:
        return {}
    return {"scale": viewport.scale, "dx": viewport.dx, "dy": viewport.dy}


def viewport_of(stored: Mapping[str, object]) -> Viewport | None:
    """Return the view that a project file has stored.

    None, for a map that is fitted into the window, if there is none or it is out of range.
    """
    from app.render.viewport import MAX_SCALE, MIN_SCALE, Viewport

    numbers = []
    for name in ("scale", "dx", "dy"):
        value = stored.get(name)
        # ``abs(nan) < FAR`` is False: so NaN is refused, too.
        if not isinstance(value, float | int) or not abs(value) < FAR:
            return None
        numbers.append(float(value))
    scale, dx, dy = numbers
    if not MIN_SCALE <= scale <= MAX_SCALE:
        return None
    return Viewport(scale, dx, dy)
