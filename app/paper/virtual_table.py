"""The export of a map for a virtual table: the table's file, and the picture beside it.

``table_request`` is the picture that a table needs; ``table_work`` draws it, has the table's format
(a codec) make the files, and writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.paper.bitmaps import png
from app.paper.picture_request import OwnPage, PictureRequest
from app.paper.steps import run
from app.render.vector.snapshots import snapshot
from randomizer.installed import load
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import error
from randomizer.storage.disk.atomic import current_bytes
from randomizer.storage.disk.companions import plan_files, replaced_beside, write_files
from randomizer.systems.interchange.virtual_table.codec import Exported, TableCodec
from randomizer.systems.interchange.virtual_table.frame import (
    MAX_PIXELS,
    MIN_PIXELS,
    USUAL_PIXELS,
)
from randomizer.systems.interchange.virtual_table.table_format import Export

if TYPE_CHECKING:
    from app.background.jobs import Work

OVERLAYS_OUTSIDE = ("entry_sides", "rulers", "legend")
"""The overlays that lie around the map: a table's picture has none of them."""

_CODECS = {".json": "foundry.foundry", ".uvtt": "universal_vtt"}
"""The modules of the codecs of tables, below ``randomizer.systems.interchange``, by the suffix of
their files."""

_MARK_OF_EXPORTS = b'"battlelands"'
"""A key in each file for a table that this program writes: ``virtual_table.document.OUR_KEY``."""


def table_request(request: PictureRequest) -> PictureRequest:
    """Return the request for a table's picture of the colours and overlays of ``request``.

    It reaches to the edges of the map, and has whole pixels a cell. Raises ProblemError for pixels
    that a table cannot have.
    """
    pixels = request.pixels
    if pixels is None:
        pixels = USUAL_PIXELS
    if pixels % 1 or not MIN_PIXELS <= pixels <= MAX_PIXELS:
        range_ = f"{MIN_PIXELS} to {MAX_PIXELS} whole pixels"
        raise error("table-pixels", f"a cell of a virtual table has {range_}, not {pixels:g}")
    overlays = request.overlays
    for name in OVERLAYS_OUTSIDE:
        overlays = overlays.having(name, False)
    return replace(
        request, pages=OwnPage(hex_mm=None), pixels=pixels, flush=True, overlays=overlays
    )


class TableExport(NamedTuple):
    """An export that was written. Its texts are sentences without their full stops."""

    path: Path
    """The table's file; the picture and the other files lie beside it."""
    summary: str
    """A sentence on the content of the table's file."""
    names: tuple[str, ...]
    """The names of all files: the table, its picture and others, and the instructions last."""

    @property
    def instructions_name(self) -> str:
        """The name of the file that says how to load the table."""
        return self.names[-1]

    losses: tuple[str, ...]
    """Sentences on what of the map the file cannot hold."""


def _codec_of(suffix: str) -> TableCodec:
    """Return the codec of a table by the suffix of its files."""
    codec: TableCodec = load(f"randomizer.systems.interchange.{_CODECS[suffix]}:CODEC")
    return codec


def cannot_draw_grid(suffix: str, grid: Grid) -> bool:
    """Return whether the table with this suffix of files cannot draw the grid of a map."""
    return grid.degree == 6 and bool(_codec_of(suffix).hint_on_hexes)


def table_work(battlemap: BattleMap, request: PictureRequest, folder: str, path: Path) -> Work:
    """Return the work of a job that writes the files of a map for a table.

    ``request`` is one of ``table_request``. The work gives a ``TableExport``, None if it was
    cancelled. ``folder`` is the one in which the table will find the picture, "" for that of its
    file. The work raises ProblemError if the picture is too large, if the table cannot hold the
    map, or if a file cannot be written or would replace another one.
    """
    assert request.pixels is not None, "the request is one of ``table_request``"
    path = path.with_suffix(path.suffix.lower())
    return partial(_export, battlemap.snapshot(), request, folder, path)


def _export(
    battlemap: BattleMap,
    request: PictureRequest,
    folder: str,
    path: Path,
    progress: Callable[[int], None],
    cancelled: Callable[[], bool],
) -> TableExport | None:
    """Make the files for a table and write them.

    If the table's file was written by this program, the picture beside it is replaced. Else
    ProblemError is raised if another file of the picture's name is there.
    """
    exported = run(_make_files(battlemap, request, folder, path), progress, cancelled)
    if exported is None or cancelled():
        return None
    changes = plan_files(path, exported.files)
    is_export_from_here = _MARK_OF_EXPORTS in (current_bytes(path) or b"")
    if not is_export_from_here:
        replaced_files = replaced_beside(path, changes)
        if replaced_files:
            name = replaced_files[0]
            message = f"{name} is there with other contents: choose another name or folder"
            raise error("companion-there", message, path=str(path))
    write_files(path, changes)
    return TableExport(path, exported.summary, tuple(exported.files), exported.losses)


def _make_files(
    battlemap: BattleMap, request: PictureRequest, folder: str, path: Path
) -> Generator[int, None, Exported]:
    """Draw the picture, yielding the progress, and return the files of the table."""
    codec = _codec_of(path.suffix)
    if request.overlays.players:
        battlemap = players_map(battlemap)
    map_copy, composite = snapshot(battlemap, battlemap.composite())
    picture = yield from png(request, map_copy, composite)
    picture_name = f"{path.stem}.png"
    picture_folder = folder.strip().strip("/")
    if picture_folder:
        picture_name = f"{picture_folder}/{picture_name}"
    assert request.pixels is not None, "a table's picture has pixels"
    export = Export(round(request.pixels), picture_name, picture, request.walls)
    return codec.export(battlemap, path.stem, export)
