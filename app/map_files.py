"""Reading and writing maps as files, without a window: jobs read, saves are atomic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.document import MapDocument
from randomizer.battlemap import BattleMap, Layer, System
from randomizer.catalog import format_for, formats
from randomizer.edit import LayerInsert
from randomizer.formats import Format, ReadResult
from randomizer.grid import Grid
from randomizer.problems import error

SIZE_LIMIT = 64 * 1024 * 1024
"""Files beyond this many bytes are not maps."""


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises ProblemError with words where it cannot be read."""
    try:
        if path.is_dir():
            raise error("is-directory", "this is a directory, not a file", path=str(path))
        if path.stat().st_size > SIZE_LIMIT:
            raise error("too-large", "this file is far too large for a map", path=str(path))
        return path.read_bytes()
    except OSError as reason:
        words = reason.strerror or str(reason)
        raise error("cannot-read", f"cannot be read: {words}", path=str(path)) from reason


def read_map(path: Path) -> ReadResult:
    """The map in a file of any known format. Raises ProblemError if it is of none."""
    data = read_bytes(path)
    return format_for(data, str(path)).read(data, str(path))


def reading(path: Path) -> Callable[..., ReadResult]:
    """``read_map`` as the work of a job."""

    def work(_progress: Callable[[int], None], _cancelled: Callable[[], bool]) -> ReadResult:
        return read_map(path)

    return work


def new_map(system: System, grid: Grid | None = None) -> BattleMap:
    """An empty map with one layer."""
    return BattleMap.new(system, grid, [Layer(1, "Ground")])


def merge_in(document: MapDocument, loaded: BattleMap, name: str) -> bool:
    """Lay the layers of another map over this one; places they do not set stay as they are."""
    battlemap = document.battlemap
    index = battlemap.index_of(document.active_layer_id) + 1
    layer_id = battlemap.free_layer_id()
    if loaded.system is not battlemap.system or loaded.grid.size != battlemap.grid.size:
        raise error("other-system", f"{name} is a map of another kind; open it by itself")
    layer = loaded.layers[-1].copy(id=layer_id, name=name)
    return document.push(LayerInsert(index, layer), f"Merge {name}", active=layer_id)


def save_format(path: Path) -> Format:
    """The writable format that a file's suffix means. Raises ProblemError if there is none."""
    for known in formats():
        if known.writable and path.suffix.lower() in known.suffixes:
            return known
    suffixes = ", ".join(
        suffix for known in formats() if known.writable for suffix in known.suffixes
    )
    raise error("save-suffix", f"a map can be saved as {suffixes}", path=str(path))


def save_map(document: MapDocument, path: Path) -> None:
    """Write what the visible layers show, whole or not at all. Raises ProblemError."""
    from randomizer.atomic import write_atomically

    write_atomically(path, save_format(path).write(document.battlemap))
    document.set_path(path)
