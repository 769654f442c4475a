"""Exports a map for a virtual table: its file, its picture, and a text that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.paper.export import png
from app.paper.steps import run
from app.render.vector.vector_map import snapshot
from randomizer.installed import load
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import error
from randomizer.storage.disk.atomic import current_bytes
from randomizer.storage.disk.companions import plan_files, replaced_beside, write_files
from randomizer.systems.interchange.virtual_table.codec import Export, Exported, TableCodec
from randomizer.systems.interchange.virtual_table.frame import (
    LEAST_PIXELS,
    MOST_PIXELS,
    USUAL_PIXELS,
)

if TYPE_CHECKING:
    from app.background.jobs import Work
    from app.paper.picture_request import PictureRequest

OUTSIDE_THE_MAP = ("entry_sides", "rulers", "legend")
"""The overlays that lie around the map: a table's picture has none of them."""

_CODECS = {".json": "foundry.foundry", ".uvtt": "universal_vtt"}


def table_request(look: PictureRequest) -> PictureRequest:
    """Return the picture for a table: to the edges of the map, and nothing outside.

    Raises ProblemError for its pixels.
    """
    pixels = look.pixels or USUAL_PIXELS
    if pixels % 1 or not LEAST_PIXELS <= pixels <= MOST_PIXELS:
        range_ = f"{LEAST_PIXELS} to {MOST_PIXELS} whole pixels"
        raise error("table-pixels", f"a cell of a virtual table has {range_}, not {pixels:g}")
    overlays = look.overlays
    for name in OUTSIDE_THE_MAP:
        overlays = overlays.having(name, False)
    return replace(look, hex_mm=None, pixels=pixels, flush=True, overlays=overlays)


class TableExport(NamedTuple):
    """An export that was written: its first file, what is in it, and what it has no place for.

    The texts are sentences without their stops.
    """

    path: Path
    summary: str
    losses: tuple[str, ...]


def table_work(battlemap: BattleMap, request: PictureRequest, folder: str, path: Path) -> Work:
    """Return the work of a job that writes the files of a map for a table.

    It gives a ``TableExport``, None if it was cancelled. ``folder`` is where the table will have
    the picture. What is beside ``path`` is replaced where that file is one of ours. The work raises
    ProblemError.
    """
    path = path.with_suffix(path.suffix.lower())
    still = battlemap.snapshot()

    def work(progress: Callable[[int], None], cancelled: Callable[[], bool]) -> TableExport | None:
        exported = run(_exported(still, request, folder, path), progress, cancelled)
        if exported is None:
            return None
        changes = plan_files(path, exported.files)
        is_ours = b'"battlelands"' in (current_bytes(path) or b"")
        others = () if is_ours else replaced_beside(path, changes)
        if others:
            message = f"{others[0]} is there with other contents: choose another name or folder"
            raise error("companion-there", message, path=str(path))
        write_files(path, changes)
        return TableExport(path, exported.summary, exported.losses)

    return work


def _exported(
    battlemap: BattleMap, request: PictureRequest, folder: str, path: Path
) -> Generator[int, None, Exported]:
    codec: TableCodec = load(f"randomizer.systems.interchange.{_CODECS[path.suffix]}:CODEC")
    if request.overlays.players:
        seen = players_map(battlemap)
    else:
        seen = battlemap
    picture = yield from png(request, *snapshot(seen, seen.composite()))
    name = "/".join(filter(None, (folder.strip().strip("/"), f"{path.stem}.png")))
    assert request.pixels is not None, "a table's picture has pixels"
    return codec.export(
        seen, path.stem, Export(round(request.pixels), name, picture, request.walls)
    )
