"""Files that a map refers to and that are not where it says: the user may find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtWidgets import QFileDialog

from app.desk.desk import Desk
from app.widgets.dialogs.choice import choose
from randomizer.formats import Format
from randomizer.model.basics.plurals import counted, with_article


def ask_for_file(
    desk: Desk, path: Path, map_format: Format, names: Sequence[str]
) -> Mapping[str, Path | bytes] | None:
    """Ask for the first of the files ``names`` that a map of ``map_format`` refers to.

    Returns it by its name, with others of them that lie beside it; {} if the map is to be opened
    without them, None if it is not.
    """
    name, *others = names
    suffix = PurePosixPath(name).suffix.lower()
    noun = map_format.nouns_beside.get(suffix, "file")
    substitutes = map_format.substitutes(name)
    further = f" {counted(len(others), 'more file')} like it may be beside it." if others else ""
    answers = (f"Find {noun}...", *(f"Use {title}" for title in substitutes), "Go on without it")
    while True:
        answer = choose(
            desk.frame,
            f"{with_article(noun, 'A')} is missing",
            f"{path.name} needs the {noun} {name}, which was not found.",
            "Without it the map has stand-ins for what it defines, and can still be saved as it "
            f"was.{further}",
            answers,
        )
        if answer is None:
            return None
        if answer == len(answers) - 1:
            return {}
        if answer:
            return {name: [*substitutes.values()][answer - 1]}
        chosen, _ = QFileDialog.getOpenFileName(
            desk.frame,
            f"Find {noun} {_last_part(name)}",
            str(Path(desk.settings.last_directory) / _last_part(name)),
            f"{noun.capitalize()}s (*{suffix});;All files (*)",
        )
        if chosen:
            beside = {each: Path(chosen).parent / _last_part(each) for each in others}
            present = {each: file for each, file in beside.items() if file.is_file()}
            return {name: Path(chosen), **present}


def _last_part(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name
