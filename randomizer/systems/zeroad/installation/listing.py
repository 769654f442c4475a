"""Lists the random map scripts of installed games and of the user's own mod.

    for script in listed_scripts():         # a ``FoundScript``, or a ``Problem``
        script.metadata.name                # "Mainland"

A script is a file such as maps/random/mainland.js, with a metadata file mainland.json that names it
and describes its settings. Two metadata files can name the same script, with other settings: they
are listed as two scripts. The script host calls ``listed_scripts`` for the catalogue.
"""

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
"""The folder of the scripts and their metadata files, from the mods' root."""

SUFFIX = ".js"
"""The suffix of scripts."""


@dataclass(frozen=True)
class FoundScript:
    """A script with one of its metadata files."""

    origin: str
    """The name of the game or mod, for the catalogue."""
    path: str
    """The path of the metadata file, from the mods' root."""
    metadata: Metadata
    """The content of that file."""
    installation: Installation
    """The game or mod that has the script."""

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

    For a metadata file with errors its problems are yielded. JSON files that are no metadata are
    left out.
    """
    games = find()
    for game in games:
        yield from _scripts_of(game)
    mod_of_user = user_mod()
    if os.path.isdir(mod_of_user):  # noqa: PTH112 - Path raises for a folder that may not be read
        mods = [ModFiles(mod_of_user)]
        if games:
            mods = [games[0].mods[0], *mods]  # its scripts use files of the game
        yield from _scripts_of(Installation(YOURS, tuple(mods)))


def _scripts_of(installation: Installation) -> Iterator[FoundScript | Problem]:
    """Yield the scripts of an installation, in the order of their metadata files' paths.

    Only metadata files in its own mod count, the last one but for those that the user named for
    this run, and metadata files in these. The mods before are installations of their own.
    """
    named_paths = {mod.path for mod in named_mods()}
    mods = [mod for mod in installation.mods if mod.path not in named_paths][-1:]
    mods += [mod for mod in installation.mods if mod.path in named_paths]
    paths: set[str] = set()
    for mod in mods:
        if fault := mod.fault():
            yield Problem(Severity.WARNING, "mod-too-large", fault, str(mod.path))
        paths.update(path for path in mod.list(SCRIPTS, recursive=False) if path.endswith(".json"))

    for path in sorted(paths):
        data = installation.read(path)
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
    """Return whether a JSON file is, or is meant to be, a metadata file.

    Libraries of scripts have JSON files as well.
    """
    try:
        return "settings" in parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
    except (ValueError, RecursionError, TypeError):
        return b'"settings"' in data
