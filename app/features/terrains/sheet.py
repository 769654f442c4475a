"""Cuts a *sheet* into pictures: one picture that has many tiles of equal size, in rows.

    +--------------------+
    |  ####  ####  ####  |     m: the margin around all tiles
    |m ####s ####  ####  |     s: the spacing between two of them
    +--------------------+

``TerrainSets.ask_sheet`` asks by the settings ``SHEET_SETTINGS`` how the tiles lie on it, and makes
a terrain of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.render.pictures.picture_files import decoded, mean_of, picture_of_file, png_of
from randomizer.model.problems import error
from randomizer.model.records.assets import LARGEST_PICTURE
from randomizer.model.settings.setting import Setting
from randomizer.model.terrain.terrain_check import MAX_TERRAINS
from randomizer.reading.files import read_file

if TYPE_CHECKING:
    from app.background.jobs import Work


def _pixels(name: str, help_text: str, *, default: int, minimum: int) -> Setting:
    """Return a setting for a length in pixels; its title is its name."""
    return Setting(
        name,
        int,
        help_text,
        default=default,
        minimum=minimum,
        maximum=4096,
        unit="px",
        title=f"&{name.capitalize()}",
    )


SHEET_SETTINGS = (
    Setting("name", str, "What the terrains are called, with a number", default="", title="&Name"),
    _pixels("width", "Of one picture", default=64, minimum=1),
    _pixels("height", "Of one picture", default=64, minimum=1),
    _pixels("margin", "Around all", default=0, minimum=0),
    _pixels("spacing", "Between two", default=0, minimum=0),
)
"""The settings of a sheet: what its terrains are called, and how the tiles lie on it, in pixels."""

PROGRESS_OF_TILES = 99
"""The percentage that is reported when all tiles are cut; the job itself reports 100."""


class Tile(NamedTuple):
    """One picture of a sheet."""

    data: bytes
    """The picture as a PNG."""

    colour: str
    """Its mean colour, as ``#rrggbb``."""


class _TileGrid(NamedTuple):
    """The sizes and distances of the tiles on a sheet, in pixels."""

    width: int
    """The width of one tile."""

    height: int
    """The height of one tile."""

    margin: int
    """The space around all tiles."""

    spacing: int
    """The space between two tiles."""

    def lefts(self, sheet_width: int) -> range:
        """Return the left edges of the columns of tiles that fit on a sheet."""
        return range(self.margin, sheet_width - self.width + 1, self.width + self.spacing)

    def tops(self, sheet_height: int) -> range:
        """Return the upper edges of the rows of tiles that fit on a sheet."""
        return range(self.margin, sheet_height - self.height + 1, self.height + self.spacing)


def cut_sheet(path: Path, values: Mapping[str, object]) -> Work:
    """Return the work of a job that cuts the picture of a file into tiles, row by row.

    ``values`` are those of ``SHEET_SETTINGS``. Transparent tiles are left out, and of equal ones
    all but the first. The work returns ``list[Tile]``, [] if it was cancelled. It raises
    ProblemError for a file that is no picture, for more tiles than a terrain set takes, and for
    none.
    """
    tile_grid = _TileGrid(
        width=_number(values, "width"),
        height=_number(values, "height"),
        margin=_number(values, "margin"),
        spacing=_number(values, "spacing"),
    )
    return partial(_cut, path, tile_grid)


def _cut(
    path: Path,
    tile_grid: _TileGrid,
    progress: Callable[[int], None],
    cancelled: Callable[[], bool],
) -> list[Tile]:
    """Cut the picture of a file into tiles, see ``cut_sheet``."""
    image = decoded(picture_of_file(read_file(path, LARGEST_PICTURE)))
    lefts = tile_grid.lefts(image.width())
    tops = tile_grid.tops(image.height())
    tile_count = len(lefts) * len(tops)
    if tile_count > MAX_TERRAINS:
        message = f"these are {tile_count:,} pictures, {MAX_TERRAINS:,} are the most"
        raise error("sheet", message, path=str(path))

    tiles: dict[bytes, Tile] = {}  # by their pixels, so that equal ones are found
    for row, top in enumerate(tops, 1):
        if cancelled():
            return []
        for left in lefts:
            tile = image.copy(left, top, tile_grid.width, tile_grid.height)
            pixels = bytes(tile.constBits())
            # ``decoded`` returns premultiplied colours: transparent pixels are all zeros.
            is_transparent = not pixels.strip(b"\0")
            if pixels not in tiles and not is_transparent:
                tiles[pixels] = Tile(png_of(tile), mean_of(tile).name())
        progress(PROGRESS_OF_TILES * row // len(tops))
    if not tiles:
        message = f"no picture of {tile_grid.width} x {tile_grid.height} pixels is on it"
        raise error("sheet", message, path=str(path))
    return list(tiles.values())


def _number(values: Mapping[str, object], name: str) -> int:
    """Return the value of a number among ``SHEET_SETTINGS``, its default if it is not set."""
    setting = next(setting for setting in SHEET_SETTINGS if setting.name == name)
    value = values.get(name, setting.default)
    assert isinstance(value, int), "the setting is of this kind"
    return value
