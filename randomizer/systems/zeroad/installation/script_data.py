"""All that scripts can ask the game for, read from the mods before a script runs.

The script's process cannot be called back while a script runs, so the data goes in first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.height_files import (
    heights_of_picture,
    terrain_of_pmp,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.template_tree import template_tree

TEMPLATES = "simulation/templates/"
ACTORS = "art/actors/"


def preload(mods: Sequence[ModFiles]) -> dict[str, object]:
    """What every script of some mods can read; plain JSON values. Do not change the result.

    ``texts`` by path: the global scripts, the scripts and modules below maps/random, every JSON
    file below maps/ and simulation/. ``files``: the paths of all files below these two, sorted.
    ``templates``: the trees of ``template_tree`` by template name. The last result is kept while
    the stamps of the mods stay the same.
    """
    return _preload(tuple((mod.spec, mod.stamp()) for mod in mods))


def named_data(
    mods: Sequence[ModFiles], files: Iterable[str], text: str
) -> dict[str, Mapping[str, object] | Sequence[str]]:
    """The large data that a script's text names; arrays are numpy's.

    ``heightmaps`` and ``terrains`` by path: the PNG and PMP files of ``files`` whose name, with or
    without its suffix, stands in the text. ``actors``: all actors, if it has FindActorTemplates.
    """
    words = set(re.findall(r"[\w.-]+", text))
    heightmaps: dict[str, object] = {}
    terrains: dict[str, object] = {}
    for path in files:
        name = path.rpartition("/")[2]
        stem, _dot, suffix = name.rpartition(".")
        if suffix not in ("png", "pmp") or not {name, stem} & words:
            continue
        if suffix == "png":
            heightmaps[path] = _made(mods, path, _picture)
        elif name in words or path.startswith("maps/random/"):
            terrains[path] = _made(mods, path, _terrain)
    actors = _actors(mods) if "FindActorTemplates" in text else ()
    return {
        "heightmaps": {path: value for path, value in heightmaps.items() if value is not None},
        "terrains": {path: value for path, value in terrains.items() if value is not None},
        "actors": actors,
    }


def _read(mods: Sequence[ModFiles], path: str) -> bytes | None:
    return next((data for mod in reversed(mods) if (data := mod.read(path)) is not None), None)


@lru_cache(maxsize=2)
def _preload(stamped: tuple[tuple[str, str], ...]) -> dict[str, object]:
    mods = [ModFiles(spec) for spec, _stamp in stamped]
    files: set[str] = set()
    texts: dict[str, str] = {}
    templates: dict[str, object] = {}
    for mod in mods:
        below = [*mod.list("maps"), *mod.list("simulation")]
        files.update(below)
        for path in [*mod.list("globalscripts", recursive=False), *below]:
            if path.startswith(TEMPLATES) and path.endswith(".xml"):
                tree = template_tree(mod.read(path) or b"")
                if tree is not None:
                    templates[path[len(TEMPLATES) : -len(".xml")]] = tree
            elif _is_read(path):
                data = mod.read(path)
                if data is not None:
                    texts[path] = data.decode("utf-8-sig", "replace")
    return {"texts": texts, "files": sorted(files), "templates": templates}


def _is_read(path: str) -> bool:
    """Whether scripts can read a file as text."""
    if path.endswith(".json"):
        return path.startswith(("maps/", "simulation/"))
    return path.endswith(".js") and path.startswith(("globalscripts/", "maps/random/"))


def _made(
    mods: Sequence[ModFiles], path: str, make: Callable[[bytes], object | None]
) -> object | None:
    data = _read(mods, path)
    return None if data is None else make(data)


@lru_cache(maxsize=4)
def _picture(data: bytes) -> NDArray[np.uint16] | None:
    return heights_of_picture(data)


@lru_cache(maxsize=4)
def _terrain(data: bytes) -> dict[str, object] | None:
    return terrain_of_pmp(data)


def _actors(mods: Sequence[ModFiles]) -> tuple[str, ...]:
    """The names of all actors, as ``FindActorTemplates`` gives them."""
    paths = {path for mod in mods for path in mod.list(ACTORS) if path.endswith(".xml")}
    return tuple(f"actor|{path[len(ACTORS) :]}" for path in sorted(paths))
