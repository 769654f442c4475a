"""Finds the picture of a terrain among our own and those of other packages.

A picture is a file ``NAME.svg`` (``svg_picture``). A terrain shows that of its own name, unless it
names another one (``Terrain.picture``), or has a look of its own: a picture that the user has
brought in (``Terrain.asset``) or a pattern::

    picture_of(Terrain("Tree", "#336633"))                    # Tree.svg
    picture_of(Terrain("Thicket", "#336633", picture="Tree"))  # Tree.svg, in another colour
    picture_of(Terrain("Thicket", "#336633", pattern="dots"))  # None

In landscapes a terrain may show the *ground* of another one, on which its own picture stands
(``Terrain.ground``): a wood on snow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from app.render.pictures.own_pictures import has_asset
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain

# The first paint takes its sprites from a file, and reads no pictures.
if TYPE_CHECKING:
    from app.render.pictures.svg_picture import SvgPicture

FOLDERS = [files("app.resources").joinpath("terrain")]
"""The folders of pictures: ours, then those that ``add_picture_folder`` has added."""


@registered(count=1, bytes_each=20 * KB)
@cache
def _picture_files() -> dict[str, Traversable]:
    """Return the file of each picture by its name."""
    file_of_name = {}
    for folder in reversed(FOLDERS):  # of one name that of the first folder counts
        for file in folder.iterdir():
            # A folder of a package may also hold a licence or an ``__init__.py``.
            if file.name.endswith(".svg"):
                file_of_name[file.name.removesuffix(".svg")] = file
    return file_of_name


def add_picture_folder(folder: Traversable) -> None:
    """Find the pictures of a folder, too, from now on."""
    FOLDERS.append(folder)
    _picture_files.cache_clear()
    picture.cache_clear()


def picture_names() -> list[str]:
    """Return the names of all pictures, sorted."""
    return sorted(_picture_files())


@registered(bytes_each=210 * KB)
@lru_cache(64)
def picture(name: str) -> SvgPicture | None:
    """Return the picture of a name; None if there is none."""
    file = _picture_files().get(name)
    if file is None:
        return None
    from app.render.pictures.svg_picture import SvgPicture

    return SvgPicture(file.read_bytes())


def ground_picture_name(terrain: Terrain) -> str:
    """Return the name of the picture whose ground a terrain shows."""
    return terrain.ground or terrain.picture or terrain.name


def terrain_of_ground(terrain: Terrain) -> Terrain:
    """Return the terrain whose ground a terrain shows: itself if it stands on its own.

    Another one has the picture of the ground in place of its own. Its asset and pattern stay: an
    asset is drawn in any case, as the ground, and a pattern never together with a picture.
    """
    if terrain.ground:
        return replace(terrain, picture=terrain.ground, ground="")
    return terrain


def picture_of(terrain: Terrain) -> SvgPicture | None:
    """Return the picture of a terrain; None if there is none, or if it has a look of its own."""
    if has_own_look(terrain):
        return None
    return picture(terrain.picture or terrain.name)


def has_foreign_folders() -> bool:
    """Return whether there are pictures of other packages."""
    return len(FOLDERS) > 1


def read_pictures_in_steps(terrains: Iterable[Terrain], prefix: str | None) -> Iterator[None]:
    """Read the pictures of terrains, some milliseconds until each ``yield``.

    Those of a landscape take up to 200 ms, longer than a frame may take: so they are read ahead. Of
    each picture the ground is read, and the groups whose names begin with ``prefix``, as landscapes
    draw them ("flat-"); None: no groups are.
    """
    for terrain in terrains:
        ground_picture = picture_of(terrain_of_ground(terrain))
        if ground_picture is not None and ground_picture.has("ground"):
            ground_picture.drawing("ground")
            yield
        if prefix is None:
            continue
        standing_picture = picture_of(terrain)
        if standing_picture is not None:
            for group in standing_picture.unread_groups(prefix):
                standing_picture.drawing(group)
                yield


def has_own_look(terrain: Terrain) -> bool:
    """Return whether a terrain is drawn by the user's own picture, or by a pattern."""
    return has_asset(terrain.asset) or bool(terrain.pattern and not terrain.picture)
