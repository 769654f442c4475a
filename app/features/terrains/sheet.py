"""Cuts a sheet of tiles, one picture with many of equal size in rows, into terrains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.render.pictures.own_pictures import decoded, mean_of, picture_of_file, png_of
from randomizer.model.problems import error
from randomizer.model.records.assets import LARGEST_PICTURE
from randomizer.model.settings.setting import Setting
from randomizer.model.terrain.terrain_check import MOST_TERRAINS
from randomizer.reading.files import read_file

if TYPE_CHECKING:
    from app.background.jobs import Work

SHEET = (
    Setting("name", str, "What the terrains are called, with a number", default="", title="&Name"),
    Setting(
        "width", int, "Of one picture", default=64, least=1, most=4096, unit="px", title="&Width"
    ),
    Setting(
        "height", int, "Of one picture", default=64, least=1, most=4096, unit="px", title="&Height"
    ),
    Setting("margin", int, "Around all", default=0, least=0, most=4096, unit="px", title="&Margin"),
    Setting(
        "spacing", int, "Between two", default=0, least=0, most=4096, unit="px", title="&Spacing"
    ),
)
"""How pictures lie on a sheet."""


class Tile(NamedTuple):
    """One picture of a sheet: a PNG, and its mean colour as ``#rrggbb``."""

    data: bytes
    colour: str


def cut_sheet(path: Path, values: Mapping[str, object]) -> Work:
    """Return the work of a job that cuts the picture of a file into tiles, row by row.

    ``values`` are those of ``SHEET``. Transparent tiles are left out, and of equal ones all but the
    first. The work gives ``list[Tile]``, [] if it was cancelled. It raises ProblemError for a file
    that is no picture, for more tiles than a terrain set takes, and for none.
    """
    width = _number(values, "width")
    height = _number(values, "height")
    margin = _number(values, "margin")
    spacing = _number(values, "spacing")

    def work(progress: Callable[[int], None], cancelled: Callable[[], bool]) -> list[Tile]:
        image = decoded(picture_of_file(read_file(path, LARGEST_PICTURE)))
        lefts = range(margin, image.width() - width + 1, width + spacing)
        tops = range(margin, image.height() - height + 1, height + spacing)
        tile_count = len(lefts) * len(tops)
        if tile_count > MOST_TERRAINS:
            message = f"these are {tile_count:,} pictures, {MOST_TERRAINS:,} are the most"
            raise error("sheet", message, path=str(path))

        tiles: dict[bytes, Tile] = {}  # by their pixels, so that equal ones are found
        for number, top in enumerate(tops, 1):
            if cancelled():
                return []
            for left in lefts:
                tile = image.copy(left, top, width, height)
                pixels = bytes(tile.constBits())
                is_transparent = not pixels.strip(b"\0")
                if pixels not in tiles and not is_transparent:
                    tiles[pixels] = Tile(png_of(tile), mean_of(tile).name())
            progress(99 * number // len(tops))
        if not tiles:
            message = f"no picture of {width} x {height} pixels is on it"
            raise error("sheet", message, path=str(path))
        return list(tiles.values())

    return work


def _number(values: Mapping[str, object], name: str) -> int:
    """Return the value of a number among ``SHEET``, its default if it is not set."""
    (setting,) = (setting for setting in SHEET if setting.name == name)
    return int(str(values.get(name, setting.default)))
