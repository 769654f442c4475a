"""Reads the data that a script can ask the game for: texts, templates, height maps, terrains.

    data = ScriptData(game.mods)
    data.text("maps/random/rmgen/library.js")      # None if no mod has the file
    data.template("gaia/tree/oak")                 # merged with its parents, as JSON

In the process of a running script, ``answers`` passes its calls on to a ``ScriptData``. Modules
that read what a game offers, such as ``game_data``, use one as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.mod_paths import ACTORS, SCRIPT_FOLDERS, is_safe
from randomizer.systems.zeroad.installation.templates import Templates

TEMPLATES = "simulation/templates/"
"""The folder of the templates of entities, from the root of a mod."""

# ``ScriptData`` has a method called ``list``, so these types need other names in it.

Names = list[str]
"""Paths of files, or names of templates."""

Numbers = list[int]
"""Heights or indices, as a script gets them."""

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})
"""The texts that replace files of mods, where none do."""


class ScriptData:
    """The data of some mods, by paths from the root of a mod.

    Files are read when they are asked for; templates and lists of files are cached. Only files
    below ``SCRIPT_FOLDERS`` can be read, as in the game.
    """

    def __init__(self, mods: Sequence[ModFiles], edited: Mapping[str, str] = _NO_TEXTS) -> None:
        """Read from ``mods``: files of a mod replace those of the mods before it.

        ``edited`` are texts by path, which replace files of all mods, such as a library that is
        being edited.
        """
        self._mods = tuple(mods)
        self._edited = {path: text for path, text in edited.items() if is_safe(path)}
        self._templates = Templates(self._read_template)
        self._lists: dict[tuple[str, bool], Names] = {}
        """The results of ``_listed`` so far, by its arguments."""

    def text(self, path: str) -> str | None:
        """Return the text of a file that scripts can read (UTF-8), None for others."""
        data = self._read(path)
        if data is None:
            return None
        return data.decode("utf-8-sig", "replace")

    def exists(self, path: str) -> bool:
        """Return whether scripts can read a file."""
        is_file = path in self._edited or any(mod.exists(path) for mod in self._mods)
        return is_file and _is_readable(path)

    def list(self, folder: str, recurse: bool) -> Names:
        """Return the sorted paths of the files in a folder, or below it, that scripts can read."""
        folder = folder.rstrip("/")
        if _is_readable(f"{folder}/"):
            return self._listed(folder, recurse)
        return []

    def template(self, name: str) -> object | None:
        """Return a template as ``Templates.get`` does; None if it is missing or damaged."""
        return self._templates.get(name)

    def _read_template(self, name: str) -> bytes | None:
        """Return the XML file of a template, None if there is none."""
        return self._read(f"{TEMPLATES}{name}.xml")

    def template_exists(self, name: str) -> bool:
        """Return whether a template exists; of "foundation|house" only "house" is looked for."""
        _filters, _bar, base_name = name.rpartition("|")
        return self.exists(f"{TEMPLATES}{base_name}.xml")

    def find_templates(self, path: str, recurse: bool) -> Names:
        """Return the names of the templates in or below a folder that entities can have.

        Those that only other templates build on are left out.
        """
        names = []
        for name in self._names(TEMPLATES, path, recurse):
            _folder, _slash, file_name = name.rpartition("/")
            is_filter = name.startswith(("special/", "mixins/"))
            is_parent = file_name.startswith("template_")
            if not is_filter and not is_parent:
                names.append(name)
        return names

    def find_actor_templates(self, path: str, recurse: bool) -> Names:
        """Return the names of the actors in or below a folder."""
        return [f"actor|{name}.xml" for name in self._names(ACTORS, path, recurse)]

    def heightmap_image(self, path: str) -> Numbers | None:
        """Return the heights in a PNG file (``heights_of_picture``), None if there is none."""
        from randomizer.systems.zeroad.installation.height_files import heights_of_picture

        data = self._read(path)
        if data is None:
            return None
        heights = heights_of_picture(data)
        if heights is None:
            return None
        numbers: Numbers = heights.tolist()
        return numbers

    def map_terrain(self, path: str) -> dict[str, Numbers | Names] | None:
        """Return the terrain in a PMP file (``terrain_of_pmp``), None if there is none."""
        from randomizer.systems.zeroad.installation.height_files import terrain_of_pmp

        data = self._read(path)
        if data is None:
            return None
        return terrain_of_pmp(data)

    def _read(self, path: str) -> bytes | None:
        """Return a file that scripts can read: the edited text, else that of the last mod."""
        if not _is_readable(path):
            return None
        if path in self._edited:
            return self._edited[path].encode()
        for mod in reversed(self._mods):
            data = mod.read(path)
            if data is not None:
                return data
        return None

    def _names(self, root: str, path: str, recurse: bool) -> Names:
        """Return the names of the XML files in or below the folder ``root`` + ``path``.

        A name is a path from ``root`` without the suffix, such as "gaia/tree/oak".
        """
        paths = self._listed(f"{root}{path}".rstrip("/"), recurse)
        return [file[len(root) : -len(".xml")] for file in paths if file.endswith(".xml")]

    def _listed(self, folder: str, recurse: bool) -> Names:
        """Return the sorted paths of the files in or below a folder."""
        if (folder, recurse) not in self._lists:
            paths: set[str] = set()
            for mod in self._mods:
                paths.update(mod.list(folder, recurse))
            for path in self._edited:
                path_in_folder = path.removeprefix(f"{folder}/")
                is_below = path_in_folder != path
                if is_below and (recurse or "/" not in path_in_folder):
                    paths.add(path)
            self._lists[folder, recurse] = sorted(paths)
        return self._lists[folder, recurse]


def _is_readable(path: str) -> bool:
    """Return whether scripts can read below the first folder of a path."""
    first_folder, slash, _rest = path.partition("/")
    return bool(slash) and first_folder in SCRIPT_FOLDERS
