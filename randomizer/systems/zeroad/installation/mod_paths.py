"""The paths of files in a mod of 0 A.D., as the game has them: ``maps/random/islands.js``.

They are relative to the root of the mod and have ``/`` on every system. A *mod* is a folder or a
.zip file that adds to the game; the game itself is one, too.
"""

from __future__ import annotations

SCRIPT_FOLDERS = ("globalscripts", "maps", "simulation")
"""The folders of a mod whose files scripts can read; ``stamp`` looks at these only."""

TERRAINS = "art/terrains/"
"""The folder of the textures of the ground."""

ACTORS = "art/actors/"
"""The folder of what entities look like."""

PREVIEWS = "art/textures/ui/session/icons/mappreview/"
"""The folder of the pictures in the game's list of maps."""

READ_FOLDERS = (*(f"{folder}/" for folder in SCRIPT_FOLDERS), TERRAINS, ACTORS, PREVIEWS)
"""The folders that are read of mods; zip files have thousands of entries in others."""


def is_safe(path: str) -> bool:
    """Return whether a path can only name something inside a mod."""
    if any(character in path for character in "\\:\0"):
        return False
    return not any(part in ("", ".", "..") for part in path.split("/"))
