"""Lists the random map scripts of installed games and of the user's own mod.

    for listed in listed_scripts():
        if isinstance(listed, Problem):     # of a metadata file with errors
            ...
        else:
            listed.metadata.name            # "Mainland"
            listed.script_path              # "maps/random/mainland.js"

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
from randomizer.systems.zeroad.installation.game_folders import user_mod
from randomizer.systems.zeroad.installation.installations import (
    Installation,
    find_installations,
    named_mods,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.preview_picture import preview_of

SCRIPTS = "maps/random/"
"""The folder of the scripts and their metadata files, from the mods' root."""

SUFFIX = ".js"
"""The suffix of scripts."""


@dataclass(frozen=True)
class FoundScript:
    """A script with one of its metadata files. Its texts are read when they are asked for."""

    origin: str
    """The name of the game or mod, for the catalogue."""
    metadata_path: str
    """The path of the metadata file, from the mods' root."""
    metadata: Metadata
    """The content of that file."""
    installation: Installation
    """The game or mod that has the script."""

    @property
    def script_path(self) -> str:
        """The path of the script, from the mods' root."""
        return f"{SCRIPTS}{self.metadata.script}"

    @property
    def text(self) -> str:
        """The text of the script. Raises ProblemError if it is not there."""
        data = self.installation.read(self.script_path)
        if data is None:
            message = f"{self.origin} has no {self.script_path}"
            raise error("not-read", message, path=self.metadata_path)
        return data.decode("utf-8-sig", "replace")

    @property
    def metadata_text(self) -> str:
        """The text of the metadata file; "" if it was removed since the script was listed."""
        data = self.installation.read(self.metadata_path)
        if data is None:
            return ""
        return data.decode("utf-8-sig", "replace")

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
    games = find_installations()
    for game in games:
        yield from _scripts_of(game)

    # The user's own mod is no installation that ``find_installations`` returns: the game always
    # loads it.
    path_of_user_mod = user_mod()
    if os.path.isdir(path_of_user_mod):  # noqa: PTH112 - Path raises for one that may not be read
        mod = ModFiles(path_of_user_mod)
        mods: tuple[ModFiles, ...] = (mod,)
        if games:
            mods = (games[0].mods[0], mod)  # its scripts use files of the game
        yield from _scripts_of(Installation(YOURS, mod, mods))


def _scripts_of(installation: Installation) -> Iterator[FoundScript | Problem]:
    """Yield the scripts of an installation, in the order of their metadata files' paths."""
    # A game below a mod is an installation of its own, and its scripts are listed there. Mods that
    # the user named for this run belong to each installation.
    paths_of_named_mods = {mod.path for mod in named_mods()}
    mods = [installation.own_mod]
    mods += [mod for mod in installation.mods if mod.path in paths_of_named_mods]

    metadata_paths: set[str] = set()
    for mod in mods:
        fault = mod.fault()
        if fault:
            yield Problem(Severity.WARNING, "mod-too-large", fault, str(mod.path))
        for path in mod.list(SCRIPTS, recursive=False):
            if path.endswith(".json"):
                metadata_paths.add(path)

    for path in sorted(metadata_paths):
        # Of a file that two mods have, the one of the later mod counts.
        data = installation.read(path)
        if data is None or not _is_meant_as_metadata(data):
            continue
        try:
            metadata = read_metadata(data, path)
        except ProblemError as failed:
            yield from failed.problems
            continue
        if metadata.script.endswith(SUFFIX):  # in particular no .py: none is run from there
            yield FoundScript(installation.name, path, metadata, installation)


def _is_meant_as_metadata(data: bytes) -> bool:
    """Return whether a JSON file is a metadata file; libraries of scripts have others as well.

    A damaged file that has the word "settings" counts, so that it is listed with its problem.
    """
    try:
        document = parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
    except (ValueError, RecursionError):
        return b'"settings"' in data
    return isinstance(document, dict) and "settings" in document
