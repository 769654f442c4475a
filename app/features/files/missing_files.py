"""Asks for files that a map refers to and that are not where it says.

``FilesController`` calls ``ask_for_file`` while it opens a map, again and again until no file is
missing any more, or the user goes on without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from app.background.actions import Stopped
from app.desk.desk import Desk
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.files import choose_file
from randomizer.formats import Format
from randomizer.model.basics.plurals import counted, with_article


async def ask_for_file(
    desk: Desk,
    path: Path,
    map_format: Format,
    names: Sequence[str],
    *,
    is_open_without: bool = True,
) -> Mapping[str, Path | bytes]:
    """Ask for the first of the files ``names`` that the map of the file ``path`` refers to.

    The user finds it, chooses a substitute that the format has for it, goes on without it, or
    cancels. Return the file that was found, or the bytes of the substitute, by its name, with those
    of the further ones that lie in the same folder; {} to open the map without them, which was
    tried already: ``is_open_without``. Raises Stopped if the map is not to be opened.
    """
    name, *further_names = names
    noun = _noun_of(map_format, name)
    substitutes = map_format.substitutes(name)
    title = f"{with_article(noun, 'A')} is missing"
    text = f"{path.name} needs the {noun} {name}, which was not found."
    if (path.parent / _last_part(name)).is_file():
        title = f"{with_article(noun, 'A')} cannot be used"
        text = f"{path.name} needs the {noun} {name}, of which nothing can be used."
    details = (
        "Without it the map has stand-ins for what it defines, and can still be saved as it was."
    )
    if not is_open_without:
        details = "Without it the map could not be read."
    if further_names:
        details += f" {counted(len(further_names), 'more file')} like it may be beside it."
    answer_of_substitutes = [f"Use {substitute}" for substitute in substitutes]
    answers = (f"Find {noun}...", *answer_of_substitutes, "Go on without it")

    while True:
        index = await choose(desk.frame, title, text, details, answers)
        if index is None:
            raise Stopped
        if index == len(answers) - 1:
            return {}
        if index > 0:  # one of the substitutes, which stand behind the first answer
            return {name: list(substitutes.values())[index - 1]}
        found_file = await _find_file(desk, noun, name)
        if found_file is not None:  # else the question is asked again
            return {name: found_file, **_files_in(found_file.parent, further_names)}


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
    """Return those of the named files that a folder has, by the names that the map has for them."""
    files = {}
    for name in names:
        path = folder / _last_part(name)
        if path.is_file():
            files[name] = path
    return files


def _last_part(name: str) -> str:
    """Return the name of a file without its folders, which a map may write with backslashes."""
    return PurePosixPath(name.replace("\\", "/")).name
