"""Answers what a running script asks for: libraries, files and templates of the mods."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from randomizer.systems.zeroad.engine.global_scripts import with_var
from randomizer.systems.zeroad.installation.mod_files import is_safe
from randomizer.systems.zeroad.installation.script_data import ScriptData

LIBRARIES = "maps/random/"
READABLE = ("simulation/", "maps/")


class Answers:
    """The answers to the calls of ``Engine`` (``prelude.js``). What is not there is None.

    Arguments come from a script and can be of any kind.
    """

    def __init__(self, data: ScriptData) -> None:
        self._data = data
        self._calls: Mapping[str, tuple[Callable[..., object], int]] = {
            "library": (self._library, 1),
            "text": (_readable(data.text), 1),
            "exists": (_readable(data.exists), 1),
            "list": (self._list, 3),
            "template": (data.template, 1),
            "templateExists": (data.template_exists, 1),
            "findTemplates": (data.find_templates, 2),
            "findActorTemplates": (data.find_actor_templates, 2),
            "heightmapImage": (_readable(data.heightmap_image), 1),
            "mapTerrain": (_readable(data.map_terrain), 1),
        }

    def __call__(self, call: list[object]) -> object:
        name, *arguments = call
        function, count = self._calls.get(str(name), (None, 0))
        if function is None or not arguments or not isinstance(arguments[0], str):
            return None
        return function(*[*arguments, None, None][:count])

    def library_files(self, name: str) -> list[str] | None:
        """Return the paths of a library's scripts, sorted; None if there is no such library."""
        folder = f"{LIBRARIES}{name.strip('/')}/"
        paths = [path for path in self._data.list(folder, False) if path.endswith(".js")]
        return sorted(paths) or None

    def _library(self, name: str) -> object:
        paths = self.library_files(name)
        if paths is None:
            return None
        return [[path, with_var(self._data.text(path) or "")] for path in paths]

    def _list(self, folder: str, recurse: object, pattern: object) -> object:
        if not folder.startswith(READABLE) or not is_safe(folder.removesuffix("/")):
            return None
        paths = self._data.list(folder.rstrip("/") + "/", recurse is True)
        if isinstance(pattern, str) and pattern:
            fits = re.compile(
                "".join({"*": ".*", "?": "."}.get(each, re.escape(each)) for each in pattern)
            )
            paths = [path for path in paths if fits.fullmatch(path.rpartition("/")[2])]
        return paths


def _readable(answer: Callable[[str], object]) -> Callable[[str], object]:
    """Return an answer that is None for paths that no script may read."""
    return lambda path: answer(path) if path.startswith(READABLE) else None
