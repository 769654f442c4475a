"""Answers the requests of a running script for libraries, files and templates of the mods.

    answers = Answers(data)
    answers.answer(["exists", "maps/random/hills.js"])     # True
    answers.answer(["template", "gaia/tree/oak"])          # the template as a JSON value, or None

A *request* is the name of a call of ``Engine`` and its arguments. ``channel`` sends the answer back
to the script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from randomizer.systems.zeroad.engine.global_scripts import with_var
from randomizer.systems.zeroad.installation.mod_paths import is_safe
from randomizer.systems.zeroad.installation.script_data import ScriptData

LIBRARIES = "maps/random/"
"""The folder of the scripts and their libraries, from the mod root."""

READABLE = ("simulation/", "maps/")
"""The folders of which a script may read files, as in the game."""


class _Call(NamedTuple):
    """A kind of requests that a script can make."""

    answer: Callable[..., object]
    """The function that is called with the arguments of the script; it returns plain JSON.

    Its first argument is a text, further ones are of any kind.
    """
    argument_count: int = 1
    """The number of arguments of ``answer``: missing ones are None, further ones are left out."""


class Answers:
    """The answers to the calls of ``Engine`` (``prelude.js``); None for what the mods lack."""

    def __init__(self, data: ScriptData) -> None:
        self._data = data
        self._calls: Mapping[str, _Call] = {
            "library": _Call(self._library),
            "text": _Call(_if_readable(data.text)),
            "exists": _Call(_if_readable(data.exists)),
            "list": _Call(self._list, argument_count=3),
            "template": _Call(data.template),
            "templateExists": _Call(data.template_exists),
            "findTemplates": _Call(data.find_templates, argument_count=2),
            "findActorTemplates": _Call(data.find_actor_templates, argument_count=2),
            "heightmapImage": _Call(_if_readable(data.heightmap_image)),
            "mapTerrain": _Call(_if_readable(data.map_terrain)),
        }

    def answer(self, request: list[object]) -> object:
        """Return the answer to a request: the name of a call, then its arguments.

        The arguments come from a script: there can be too few or too many, of any kind. The first
        argument of all calls is a text; the result is None if it is not. Further arguments that are
        missing are None.
        """
        name, *arguments = request
        call = self._calls.get(str(name))
        if call is None or not arguments or not isinstance(arguments[0], str):
            return None
        missing_count = max(0, call.argument_count - len(arguments))
        arguments += [None] * missing_count
        return call.answer(*arguments[: call.argument_count])

    def library_files(self, name: str) -> list[str] | None:
        """Return the paths of a library's scripts, sorted; None if there is no such library."""
        folder = f"{LIBRARIES}{name.strip('/')}/"
        paths = [path for path in self._data.list(folder, recurse=False) if path.endswith(".js")]
        return sorted(paths) or None

    def _library(self, name: str) -> object:
        """Return [path, text] of each script of a library, to be run in the middle of a script."""
        paths = self.library_files(name)
        if paths is None:
            return None
        return [[path, with_var(self._data.text(path) or "")] for path in paths]

    def _list(self, folder: str, recurse: object, pattern: object) -> object:
        """Return the paths of a folder's files whose names fit a pattern such as ``*.js``."""
        if not folder.startswith(READABLE) or not is_safe(folder.removesuffix("/")):
            return None
        paths = self._data.list(folder.rstrip("/") + "/", recurse=recurse is True)
        if isinstance(pattern, str) and pattern:
            paths = [path for path in paths if _fits(path.rpartition("/")[2], pattern)]
        return paths


def _fits(file_name: str, pattern: str) -> bool:
    """Return whether the name of a file fits a pattern of the game, which knows ``*`` and ``?``.

    Many wildcards take little time here, too: with a plain regular expression twelve of them took
    minutes for a name that does not fit.
    """
    without_sets = pattern.replace("[", "[[]")  # for the game a bracket is a letter like others
    return fnmatchcase(file_name, without_sets)


def _if_readable(answer: Callable[[str], object]) -> Callable[[str], object]:
    """Return a function like ``answer``, which returns None for paths that no script may read."""

    def answer_if_readable(path: str) -> object:
        if path.startswith(READABLE):
            return answer(path)
        return None

    return answer_if_readable
