"""Finds the randomizer scripts (``.rnd``) in the folders of a game's directory."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from randomizer.catalog.script_files import SCRIPT_LIMIT
from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file

MAX_SCRIPTS = 300
"""The most scripts that are found: a menu lists each of them."""

MAX_DEPTH = 4
"""The most levels of folders below the first one that are searched."""

MAX_FOLDERS = 2_000
"""The most folders that are searched: a user can choose a directory that is no game's.

If it is larger, such a directory keeps the user waiting longer.
"""


def scripts_below(root: Path) -> tuple[Path, ...]:
    """Return the scripts in a folder and in those below it, sorted by path.

    Folders that are links are passed over, and so are hidden files and folders, and folders that
    cannot be read. Of copies, which have the same name and the same content, only the first is
    returned. Which scripts are found first, if there are more than ``MAX_SCRIPTS``, is not sorted.
    """
    scripts: list[Path] = []
    # Folders that are still to be searched, with their depth below the root.
    waiting = [(root, 0)]
    searched_folders = 0
    while waiting and searched_folders < MAX_FOLDERS and len(scripts) < MAX_SCRIPTS:
        folder, depth = waiting.pop()
        searched_folders += 1
        try:
            with os.scandir(folder) as entries:
                sorted_entries = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in sorted_entries:
            if entry.name.startswith("."):
                continue
            try:
                if entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                    waiting.append((Path(entry.path), depth + 1))
                elif entry.name.lower().endswith(".rnd") and entry.is_file():
                    scripts.append(Path(entry.path))
            except OSError:
                continue
    return tuple(_without_copies(sorted(scripts)[:MAX_SCRIPTS]))


def _without_copies(paths: Iterable[Path]) -> list[Path]:
    """Return the files that do not have the name and the content of one before them."""
    first_files: list[Path] = []
    first_files_by_name = defaultdict[str, list[Path]](list)
    for path in paths:
        same_name = first_files_by_name[path.name]
        if not any(_have_same_content(path, earlier_path) for earlier_path in same_name):
            same_name.append(path)
            first_files.append(path)
    return first_files


def _have_same_content(first: Path, second: Path) -> bool:
    """Return whether two scripts hold the same bytes; False if one of them cannot be read."""
    try:
        if first.stat().st_size != second.stat().st_size:
            return False
        return read_file(first, SCRIPT_LIMIT) == read_file(second, SCRIPT_LIMIT)
    except (OSError, ProblemError):
        return False
