"""The catalogue's entries of installed games: what a script host that lists scripts has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from randomizer.model.problems import Problem
from randomizer.script_catalog import CatalogEntry
from randomizer.systems.zeroad.installation.installations import VARIABLE, find, mod_at
from randomizer.systems.zeroad.installation.listing import listed_scripts
from randomizer.systems.zeroad.installation.preview_picture import SHOWN
from randomizer.systems.zeroad.script_generator import from_found
from randomizer.systems.zeroad.system import SYSTEM

NO_GAME = (
    "No installation of 0 A.D. was found. Add the folder of the game, "
    f"or name it in the variable {VARIABLE}."
)


def entries() -> Iterator[CatalogEntry | Problem]:
    """The scripts of games and mods, and of the user's own mod, and what cannot be read."""
    for found in listed_scripts():
        if isinstance(found, Problem):
            yield found
        else:
            make = partial(from_found, found)
            origin, path = found.origin, found.path
            yield CatalogEntry(
                SYSTEM, found.metadata, make, origin, path, found.preview, preview_part=SHOWN
            )


def lacks() -> str:
    """Why there are no scripts of the game; "" if one is found."""
    return "" if find() else NO_GAME


def is_mod(folder: Path) -> bool:
    """Whether a folder that the user added is a game or a mod."""
    return mod_at(folder) is not None
