"""The forms in which the releases of the game want a random map script, by what a script declares.

A form is the number of the first release that has it: 26 runs the script, which calls
``Engine.ExportMap``; 27 calls the global ``GenerateMap``; 28 imports the module's ``generateMap``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from randomizer.systems.zeroad.installation.mod_files import ModFiles

TOP_LEVEL = 26
GLOBAL_FUNCTION = 27
MODULE = 28

_DECLARATIONS = {
    MODULE: re.compile(r"^export\s+(?:default\s+)?function\s*\*?\s*generateMap\b", re.MULTILINE),
    GLOBAL_FUNCTION: re.compile(r"^(?:async\s+)?function\s*\*\s*GenerateMap\b", re.MULTILINE),
    TOP_LEVEL: re.compile(r"\bEngine\s*\.\s*ExportMap\b"),
}

_EXAMPLE = "maps/random/mainland.js"
"""A script that every release has."""


def find_forms(text: str) -> dict[int, tuple[int, int]]:
    """Return the forms of a script, each with the offsets of what declares it; empty for none."""
    matches = {form: pattern.search(text) for form, pattern in _DECLARATIONS.items()}
    return {form: match.span() for form, match in matches.items() if match is not None}


def installed_form(mods: Iterable[ModFiles]) -> int | None:
    """Return the form of the game's own scripts among mods, None if there is no game."""
    contents = (mod.read(_EXAMPLE) for mod in mods)
    data = next((data for data in contents if data is not None), None)
    if data is None:
        return None
    return max(find_forms(data.decode("utf-8", "replace")), default=TOP_LEVEL)


def name_form(form: int) -> str:
    """Return the first release of a form, as the game is called."""
    return f"0.{form}"
