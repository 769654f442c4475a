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
    desk: Desk, path: Path, map_format: Format, names: Sequence[str]
) -> Mapping[str, Path | bytes]:
    """Ask for the first of the files ``names`` that the map of the file ``path`` refers to.

    The user finds it, chooses a substitute that the format has for it, goes on without it, or
    cancels. Return the file that was found, or the bytes of the substitute, by its name, with those
    of the further ones that lie in the same folder; {} to open the map without them. Raises
    Stopped if the map is not to be opened.
    """
    name, *further_names = names
    suffix = PurePosixPath(name).suffix.lower()
    noun = map_format.nouns_beside.get(suffix, "file")
    substitutes = map_format.substitutes(name)
    further = ""
    if further_names:
        further = f" {counted(len(further_names), 'more file')} like it may be beside it."
    # The answers are: find it, one for each substitute, go on without it.
    answers = (f"Find {noun}...", *(f"Use {title}" for title in substitutes), "Go on without it")
    title = f"{with_article(noun, 'A')} is missing"
    text = f"{path.name} needs the {noun} {name}, which was not found."
    if (path.parent / _last_part(name)).is_file():
        title = f"{with_article(noun, 'A')} cannot be used"
        text = f"{path.name} needs the {noun} {name}, of which nothing can be used."
    while True:
        index = await choose(
            desk.frame,
            title,
            text,
            "Without it the map has stand-ins for what it defines, and can still be saved as it "
            f"was.{further}",
            answers,
        )
        if index is None:
            raise Stopped
        if index == len(answers) - 1:
            return {}
        if index > 0:
            return {name: list(substitutes.values())[index - 1]}
        chosen = await choose_file(
            desk.frame,
            f"Find {noun} {_last_part(name)}",
            str(Path(desk.settings.last_directory) / _last_part(name)),
            f"{noun.capitalize()}s (*{suffix});;All files (*)",
        )
        if chosen is not None:  # else the question is asked again
            desk.settings.last_directory = str(chosen.parent)
            return {name: chosen, **_files_in(chosen.parent, further_names)}


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
