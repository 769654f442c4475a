"""A mapfile whose period is not there: the user says where it is, or how to go on without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from app.widgets.choice import choose
from app.widgets.problem_dialog import show_problems
from randomizer.catalog import read_map_file
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.header import encode
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.records import MISSING, header_of

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.formats import ReadResult

OPEN, USE_MODERN, GO_ON = range(3)
ANSWERS = ("Open the period...", "Use Modern Times", "Types without names")


def complete(desk: Desk, path: Path, result: ReadResult) -> ReadResult | None:
    """Return what was read, with the period that the user chose; None if the user cancelled."""
    texts: dict[str, bytes] = {}
    while result.battlemap is not None and header_of(result.battlemap).period_place == MISSING:
        name = header_of(result.battlemap).period_file
        if not name or name in texts:
            return result
        answer = choose(
            desk.frame,
            "The period is missing",
            f"{path.name} needs the period {name}, which is neither beside it nor in the library.",
            "Without it nobody knows what its terrains and units are called. Types without names "
            "keep their characters, and the file can be saved as it was.",
            ANSWERS,
        )
        if answer is None:
            return None
        if answer == GO_ON:
            return result
        text = _asked(desk, name) if answer == OPEN else encode(packaged_text(MODERN))
        if text is None:
            continue
        texts[name] = text
        result = read_with(read_map_file(path), str(path), texts)
    return result


def _asked(desk: Desk, name: str) -> bytes | None:
    """The bytes of a period that the user names; None if none could be read."""
    chosen, _ = QFileDialog.getOpenFileName(
        desk.frame,
        f"Where is {name}?",
        str(Path(desk.settings.last_directory) / name),
        "Periods (*.per);;All files (*)",
    )
    if not chosen:
        return None
    try:
        return read_map_file(Path(chosen))
    except ProblemError as reason:
        show_problems(desk.frame, f"Cannot read {Path(chosen).name}", reason.problems)
        return None
