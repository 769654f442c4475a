"""The location of a random map script among mods: what it can load, and the path that errors name.

Whoever checks or runs a script asks for one: ``location_of_file`` for the user's own scripts,
``location_in_game`` for installed ones.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path, PurePath
from typing import NamedTuple

from randomizer.systems.zeroad.installation.installations import Installation, find, named_mods
from randomizer.systems.zeroad.installation.mod_files import ModFiles

SCRIPTS = "maps/random"
"""The folder of a mod with its scripts."""

OWN_MOD = ModFiles(str(files("randomizer.systems.zeroad") / "mod"))
"""The mod with our own scripts and libraries: the lowest of all."""


class ScriptLocation(NamedTuple):
    """The location of a script among the files of mods."""

    path: str
    """The path of the script from the root of a mod, such as ``maps/random/hills.js``."""
    mods: tuple[ModFiles, ...]
    """The mods whose files it can load; later ones go over earlier ones."""


def location_of_file(script: str, path: str | None = None) -> ScriptLocation:
    """Return the location of a script of the user's own.

    ``script`` is its file name and ``path`` its file. A script in X/maps/random brings the mod X;
    any other folder stands for maps/random. Below it is the first game that is found. A script
    without a file (``path`` is None, or the name of no file) has the game alone.
    """
    mods_below = (OWN_MOD, *_first_game())
    mods = (*mods_below, *_mod_of_file(path, mods_below))
    return ScriptLocation(f"{SCRIPTS}/{script}", mods)


def own_mods(path: str | None = None) -> tuple[ModFiles, ...]:
    """Return the mods whose libraries a script of the user's own may load, without any game.

    They are ours and that of the script's file; ``path`` is as in ``location_of_file``.
    """
    mods_below = (OWN_MOD, *_first_game())
    return (OWN_MOD, *_mod_of_file(path, mods_below))


def _mod_of_file(path: str | None, mods_below: tuple[ModFiles, ...]) -> tuple[ModFiles, ...]:
    """Return the mod that a script's file brings; () without a file, or if ``mods_below`` has it.

    A script in a folder of another name brings a mod that has this folder as its ``maps/random``.
    """
    if path is None or not os.path.isfile(path):  # noqa: PTH113 - Path raises for impossible names
        return ()
    folder = Path(path).parent
    if not folder.as_posix().endswith(f"/{SCRIPTS}"):
        return (ModFiles(folder, SCRIPTS),)
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
    for installation in find():
        data = installation.mods[0].read(path)
        if data and data.decode("utf-8-sig", "replace").splitlines() == lines:
            return True
    return False


def _first_game() -> tuple[ModFiles, ...]:
    """Return the first game that is found, and the mods that were named to go over it."""
    mods = list[ModFiles]()
    for installation in find():
        mods += installation.mods[:1]
        break
    paths_of_game = {mod.path for mod in mods}
    mods += [mod for mod in named_mods() if mod.path not in paths_of_game]
    return tuple(mods)
