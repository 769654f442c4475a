"""Files that a map refers to and that are not where it says: the user may find them."""

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
    """Ask for the first of the files ``names`` that a map of ``map_format`` refers to.

    Returns it by its name, with others of them that lie beside it; {} if the map is to be opened
    without them. Raises Stopped if it is not to be opened.
    """
    name, *further_names = names
    suffix = PurePosixPath(name).suffix.lower()
    noun = map_format.nouns_beside.get(suffix, "file")
    substitutes = map_format.substitutes(name)
    if further_names:
        further = f" {counted(len(further_names), 'more file')} like it may be beside it."
    else:
        further = ""
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
        if index:
            return {name: [*substitutes.values()][index - 1]}
        chosen = await choose_file(
            desk.frame,
            f"Find {noun} {_last_part(name)}",
            str(Path(desk.settings.last_directory) / _last_part(name)),
            f"{noun.capitalize()}s (*{suffix});;All files (*)",
        )
        if chosen is not None:
            desk.settings.last_directory = str(chosen.parent)
            beside = {
                further_name: chosen.parent / _last_part(further_name)
                for further_name in further_names
            }
            present = {
                further_name: file for further_name, file in beside.items() if file.is_file()
            }
            return {name: chosen, **present}


def _last_part(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name
