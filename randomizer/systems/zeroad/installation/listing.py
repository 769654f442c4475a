"""The random map scripts of installed games and of the user's own mod, by their metadata files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.settings.metadata import DEEPEST, LARGEST_METADATA, Metadata, read_metadata
from randomizer.scripts.script_folders import YOURS
from randomizer.systems.zeroad.installation.installations import (
    Installation,
    find,
    named_mods,
    user_mod,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.preview_picture import preview_of

SCRIPTS = "maps/random/"
SUFFIX = ".js"


@dataclass(frozen=True)
class FoundScript:
    """A script with one of its metadata files; ``path`` is that file's, from the mods' root.

    ``origin`` names the game. The same script with other metadata is another one.
    """

    origin: str
    path: str
    metadata: Metadata
    installation: Installation

    @property
    def script(self) -> str:
        """The path of the script, from the mods' root."""
        return f"{SCRIPTS}{self.metadata.script}"

    @property
    def text(self) -> str:
        """The text of the script. Raises ProblemError if it is not there."""
        data = self.installation.read(self.script)
        if data is None:
            raise error("not-read", f"{self.origin} has no {self.script}", path=self.path)
        return data.decode("utf-8-sig", "replace")

    @property
    def metadata_text(self) -> str:
        """The text of the metadata file."""
        return (self.installation.read(self.path) or b"").decode("utf-8-sig", "replace")

    def preview(self) -> bytes | None:
        """Return the preview as a PNG file, None if there is none."""
        name = self.metadata.preview
        if name:
            return preview_of(self.installation.read, name)
        return None


def listed_scripts() -> Iterator[FoundScript | Problem]:
    """Yield the scripts of all games and mods that are found, then those of the user's own mod.

    A metadata file with errors gives its problems instead; a JSON file of something else nothing.
    """
    games = find()
    for game in games:
        yield from _scripts_of(game)
    yours = user_mod()
    if os.path.isdir(yours):  # noqa: PTH112 - Path raises for a folder that may not be read
        below = games[0].mods[:1] if games else ()
        yield from _scripts_of(Installation(YOURS, (*below, ModFiles(yours))))


def _scripts_of(installation: Installation) -> Iterator[FoundScript | Problem]:
    """Yield the scripts whose metadata files are in the mod that was found, or in ``named_mods``
    over it.

    They are in the order of their paths.
    """
    named = {mod.path for mod in named_mods()}
    mods = [mod for mod in installation.mods if mod.path not in named][-1:]
    mods += [mod for mod in installation.mods if mod.path in named]
    for mod in mods:
        if fault := mod.fault():
            yield Problem(Severity.WARNING, "mod-too-large", fault, str(mod.path))
    for path in sorted({path for mod in mods for path in mod.list(SCRIPTS, recursive=False)}):
        if path.endswith(".json"):
            data = installation.read(path)
        else:
            data = None
        if data is None or not _has_settings(data):
            continue
        try:
            metadata = read_metadata(data, path)
        except ProblemError as failed:
            yield from failed.problems
            continue
        if metadata.script.endswith(SUFFIX):  # in particular no .py: none is run from there
            yield FoundScript(installation.name, path, metadata, installation)


def _has_settings(data: bytes) -> bool:
    """Return whether a JSON file is, or is meant to be, a metadata file: libraries have JSON as
    well.
    """
    try:
        return "settings" in parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
    except (ValueError, RecursionError, TypeError):
        return b'"settings"' in data
