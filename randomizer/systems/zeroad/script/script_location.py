"""Tells which mods a random map script can load files from, and its own path in them.

    location_of_file("hills.js", "/home/ann/mods/moor/maps/random/hills.js")
    # path "maps/random/hills.js"; mods: ours, the first installed game, and "moor"

A *mod* is a folder with files of the game. Whoever checks or runs a script needs its location:
``location_of_file`` returns that of a script of the user's own, ``location_in_game`` that of a
script of a game.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path, PurePath
from typing import NamedTuple

from randomizer.systems.zeroad.installation.installations import (
    Installation,
    find_installations,
    named_mods,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles

SCRIPTS = "maps/random"
"""The folder of scripts in a mod."""

OWN_MOD = ModFiles(str(files("randomizer.systems.zeroad") / "mod"))
"""The mod with our own scripts and libraries: the lowest of all."""


class ScriptLocation(NamedTuple):
    """The location of a script among the files of mods."""

    path: str
    """The path of the script from the root of a mod, such as ``maps/random/hills.js``."""
    mods: tuple[ModFiles, ...]
    """The mods whose files it can load; files of later ones replace those of earlier ones."""


def location_of_file(script: str, path: str | None = None) -> ScriptLocation:
    """Return the location of a script of the user's own.

    ``script`` is the name of its file, and ``path`` the file itself; None, or a path at which there
    is no file, for a script that was not saved yet. A script can load files of our mod, of the
    first installed game, and of the mod that its file is in. That is X for a file in X/maps/random;
    a file in any other folder is taken for one in the folder maps/random of an unknown mod.
    """
    mods_below = (OWN_MOD, *_first_game())
    mods = (*mods_below, *_mod_of_file(path, mods_below))
    return ScriptLocation(f"{SCRIPTS}/{script}", mods)


def own_mods(path: str | None = None) -> tuple[ModFiles, ...]:
    """Return the mods of a script of the user's own that are no installed game.

    They are our mod and that of the script's file; ``path`` is as in ``location_of_file``.
    """
    mods_below = (OWN_MOD, *_first_game())
    return (OWN_MOD, *_mod_of_file(path, mods_below))


def _mod_of_file(path: str | None, mods_below: tuple[ModFiles, ...]) -> tuple[ModFiles, ...]:
    """Return the mod that a script's file is in, as ``location_of_file`` says.

    The result is empty for a script without a file, and if ``mods_below`` has the mod already.
    """
    if path is None or not os.path.isfile(path):  # noqa: PTH113 - Path raises for impossible names
        return ()
    folder = Path(path).parent
    if not folder.as_posix().endswith(f"/{SCRIPTS}"):
        return (ModFiles(folder, folder_in_mod=SCRIPTS),)
    mod = ModFiles(folder.parent.parent)
    if any(mod_below.path.resolve() == mod.path.resolve() for mod_below in mods_below):
        return ()
    return (mod,)


def metadata_name(script: str) -> str:
    """Return the name of the metadata file that belongs to a script's file name."""
    return f"{PurePath(script).stem}.json"


def location_in_game(script: str, installation: Installation) -> ScriptLocation:
    """Return the location of a script of an installed game or mod; ``script`` is its file name."""
    return ScriptLocation(f"{SCRIPTS}/{script}", (OWN_MOD, *installation.mods))


def is_of_game(script: str, text: str) -> bool:
    """Return whether an installed game has a script of this file name with exactly this text."""
    path = f"{SCRIPTS}/{script}"
    lines = text.splitlines()
    for installation in find_installations():
        data = installation.mods[0].read(path)
        if data and data.decode("utf-8-sig", "replace").splitlines() == lines:
            return True
    return False


def _first_game() -> tuple[ModFiles, ...]:
    """Return the first installed game, if any, and the mods that the user named for this run."""
    mods = list[ModFiles]()
    installations = find_installations()
    if installations:
        mods += installations[0].mods[:1]
    paths_of_game = {mod.path for mod in mods}
    mods += [mod for mod in named_mods() if mod.path not in paths_of_game]
    return tuple(mods)
