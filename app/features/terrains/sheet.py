"""A sheet of terrains: one picture with many of equal size, in rows, as of games."""

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
    Setting("name", str, "What the terrains are called, with a number", "", title="&Name"),
    Setting("width", int, "Of one picture", 64, least=1, most=4096, unit="px", title="&Width"),
    Setting("height", int, "Of one picture", 64, least=1, most=4096, unit="px", title="&Height"),
    Setting("margin", int, "Around all", 0, least=0, most=4096, unit="px", title="&Margin"),
    Setting("spacing", int, "Between two", 0, least=0, most=4096, unit="px", title="&Spacing"),
)
"""How pictures lie on a sheet."""


class Tile(NamedTuple):
    """One picture of a sheet: a PNG, and its mean colour as ``#rrggbb``."""

    data: bytes
    colour: str


def cut_sheet(path: Path, values: Mapping[str, object]) -> Work:
    """Return the work of a job: the pictures of a sheet, row by row, by the values of ``SHEET``.

    What is transparent is left out, and what is there twice is there once. Raises ProblemError.
    """
    numbers = {setting.name: values.get(setting.name, setting.default) for setting in SHEET[1:]}
    width, height, margin, spacing = (int(str(numbers[setting.name])) for setting in SHEET[1:])

    def work(progress: Callable[[int], None], cancelled: Callable[[], bool]) -> list[Tile]:
        image = decoded(picture_of_file(read_file(path, LARGEST_PICTURE)))
        columns = range(margin, image.width() - width + 1, width + spacing)
        rows = range(margin, image.height() - height + 1, height + spacing)
        if len(columns) * len(rows) > MOST_TERRAINS:
            count = f"{len(columns) * len(rows):,} pictures"
            message = f"these are {count}, {MOST_TERRAINS:,} are the most"
            raise error("sheet", message, path=str(path))
        tiles: dict[bytes, Tile] = {}
        for number, y in enumerate(rows, 1):
            if cancelled():
                break
            for x in columns:
                tile = image.copy(x, y, width, height)
                pixels = bytes(tile.constBits())
                if pixels not in tiles and pixels.strip(b"\0"):
                    tiles[pixels] = Tile(png_of(tile), mean_of(tile).name())
            progress(99 * number // len(rows))
        if not tiles:
            message = f"no picture of {width} x {height} pixels is on it"
            raise error("sheet", message, path=str(path))
        return list(tiles.values())

    return work
