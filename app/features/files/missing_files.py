"""Asks the user for files that a map needs and that were not found, such as its rules.

Some formats keep a part of a map in further files, which the map's file names. While
``MapReader`` reads a map it calls ``ask_for_missing_files`` for the missing ones, reads the map
again with the answer, and asks again if others are missing then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from app.background.actions import Stopped
from app.desk.desk import Desk
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.files import choose_file
from randomizer.formats.format import Format
from randomizer.model.basics.plurals import counted, with_article


async def ask_for_missing_files(
    desk: Desk,
    path: Path,
    map_format: Format,
    names: Sequence[str],
    *,
    can_open_without: bool = True,
) -> Mapping[str, Path | bytes]:
    """Ask for the first of the missing files, and return what was found, by the names of files.

    ``path`` is the file of the map, and ``names`` are the missing files as it names them. The text
    of the question depends on whether the map can be opened without them (``can_open_without``).
    The result depends on the answer of the user:

    - The file was found: its path, and those of further ``names`` that lie in the same folder.
    - A substitute that the format has for it was chosen: the bytes of the substitute.
    - The user goes on without it: {}.

    Raises Stopped if the user cancels: the map is not opened.
    """
    name, *further_names = names
    noun = _noun_of(map_format, name)
    substitutes = map_format.substitutes(name)
    if (path.parent / _last_part(name)).is_file():
        # The file is there all the same: it could not be read.
        title = f"{with_article(noun, 'A')} cannot be used"
        text = f"{path.name} needs the {noun} {name}, of which nothing can be used."
    else:
        title = f"{with_article(noun, 'A')} is missing"
        text = f"{path.name} needs the {noun} {name}, which was not found."
    details = _details(len(further_names), can_open_without=can_open_without)

    find = f"Find {noun}..."
    go_on = "Go on without it"
    bytes_of_answers = {f"Use {label}": data for label, data in substitutes.items()}
    answers = (find, *bytes_of_answers, go_on)
    while True:
        index = await choose(desk.frame, title, text, details, answers)
        if index is None:
            raise Stopped
        answer = answers[index]
        if answer == go_on:
            return {}
        if answer in bytes_of_answers:
            return {name: bytes_of_answers[answer]}
        found_file = await _find_file(desk, noun, name)
        if found_file is not None:
            return {name: found_file, **_files_in(found_file.parent, further_names)}
        # The user has found no file: the question is asked again.


def _details(further_count: int, *, can_open_without: bool) -> str:
    """Return the text that tells how the map is without the file, and how many more are missing."""
    if can_open_without:
        details = (
            "Without it the map has stand-ins for what it defines, and can still be saved as it "
            "was."
        )
    else:
        details = "Without it the map could not be read."
    if further_count:
        details += f" {counted(further_count, 'more file')} like it may be beside it."
    return details


async def _find_file(desk: Desk, noun: str, name: str) -> Path | None:
    """Let the user look for a file, first where they were last; None if they cancel."""
    file_name = _last_part(name)
    found_file = await choose_file(
        desk.frame,
        f"Find {noun} {file_name}",
        str(Path(desk.settings.last_directory) / file_name),
        f"{noun.capitalize()}s (*{_suffix_of(name)});;All files (*)",
    )
    if found_file is not None:
        desk.settings.last_directory = str(found_file.parent)
    return found_file


def _noun_of(map_format: Format, name: str) -> str:
    """Return what the format calls a file of this name, such as "period"."""
    return map_format.nouns_beside.get(_suffix_of(name), "file")


def _suffix_of(name: str) -> str:
    """Return the suffix of a file with its dot, in small letters."""
    return PurePosixPath(name).suffix.lower()


def _files_in(folder: Path, names: Sequence[str]) -> dict[str, Path]:
    """Return the paths of those named files that a folder has, by their names in the map's file."""
    files = {}
    for name in names:
        path = folder / _last_part(name)
        if path.is_file():
            files[name] = path
    return files


def _last_part(name: str) -> str:
    """Return the name of a file without its folders, which a map may write with backslashes."""
    return PurePosixPath(name.replace("\\", "/")).name
