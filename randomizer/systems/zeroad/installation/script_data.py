"""What scripts can ask the game for: texts, templates, height maps and terrains of the mods.

The script's process imports this and keeps one object while the mods' stamps stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from randomizer.systems.zeroad.installation.mod_files import (
    ACTORS,
    SCRIPT_FOLDERS,
    ModFiles,
    is_safe,
)
from randomizer.systems.zeroad.installation.templates import Templates

TEMPLATES = "simulation/templates/"

Names = list[str]
Numbers = list[int]

_NOTHING: Mapping[str, str] = MappingProxyType({})


class ScriptData:
    """The data of some mods, each one going over those before it, and ``extra`` texts over all.

    Paths are relative to a mod's root. Everything is read when it is asked for; templates and
    lists are kept.
    """

    def __init__(self, mods: Sequence[ModFiles], extra: Mapping[str, str] = _NOTHING) -> None:
        self._mods = tuple(mods)
        self._extra = {path: text for path, text in extra.items() if is_safe(path)}
        self._templates = Templates(lambda name: self._read(f"{TEMPLATES}{name}.xml"))
        self._lists: dict[tuple[str, bool], Names] = {}

    def text(self, path: str) -> str | None:
        """Return the text of a file that scripts can read (UTF-8), None for others."""
        data = self._read(path)
        if data is None:
            return None
        return data.decode("utf-8-sig", "replace")

    def exists(self, path: str) -> bool:
        """Return whether scripts can read a file."""
        is_file = path in self._extra or any(mod.exists(path) for mod in self._mods)
        return is_file and _is_open(path)

    def list(self, folder: str, recurse: bool) -> Names:
        """Return the paths of the files in a folder that scripts can read, or all below it,
        sorted.
        """
        folder = folder.rstrip("/")
        if _is_open(f"{folder}/"):
            return self._listed(folder, recurse)
        return []

    def template(self, name: str) -> object | None:
        """``Templates.get``; None for a template that is not there."""
        return self._templates.get(name)

    def template_exists(self, name: str) -> bool:
        """Return whether there is the template after the last bar of a name."""
        return self.exists(f"{TEMPLATES}{name.rpartition('|')[2]}.xml")

    def find_templates(self, path: str, recurse: bool) -> Names:
        """Return the names of the templates in or below a folder that units and buildings can
        have.
        """
        return [
            name
            for name in self._names(TEMPLATES, path, recurse)
            if not name.startswith(("special/", "mixins/"))
            and not name.rpartition("/")[2].startswith("template_")
        ]

    def find_actor_templates(self, path: str, recurse: bool) -> Names:
        """Return the names of the actors in or below a folder."""
        return [f"actor|{name}.xml" for name in self._names(ACTORS, path, recurse)]

    def heightmap_image(self, path: str) -> Numbers | None:
        """``heights_of_picture`` of a PNG file, None if there is none."""
        from randomizer.systems.zeroad.installation.height_files import heights_of_picture

        data = self._read(path)
        heights = None if data is None else heights_of_picture(data)
        return None if heights is None else heights.tolist()

    def map_terrain(self, path: str) -> dict[str, Numbers | Names] | None:
        """``terrain_of_pmp`` of a PMP file, None if there is none."""
        from randomizer.systems.zeroad.installation.height_files import terrain_of_pmp

        data = self._read(path)
        if data is None:
            return None
        return terrain_of_pmp(data)

    def _read(self, path: str) -> bytes | None:
        if not _is_open(path):
            return None
        if path in self._extra:
            return self._extra[path].encode()
        contents = (mod.read(path) for mod in reversed(self._mods))
        return next((data for data in contents if data is not None), None)

    def _names(self, root: str, path: str, recurse: bool) -> Names:
        """Return the names of the XML files below a root whose names start with a folder."""
        paths = self._listed(f"{root}{path}".rstrip("/"), recurse)
        return [each[len(root) : -len(".xml")] for each in paths if each.endswith(".xml")]

    def _listed(self, folder: str, recurse: bool) -> Names:
        if (folder, recurse) not in self._lists:
            paths = {path for mod in self._mods for path in mod.list(folder, recurse)}
            for path in self._extra:
                rest = path.removeprefix(f"{folder}/")
                if rest != path and (recurse or "/" not in rest):
                    paths.add(path)
            self._lists[folder, recurse] = sorted(paths)
        return self._lists[folder, recurse]


def _is_open(path: str) -> bool:
    """Return whether scripts can read below the first folder of a path."""
    return path.partition("/")[0] in SCRIPT_FOLDERS and "/" in path
