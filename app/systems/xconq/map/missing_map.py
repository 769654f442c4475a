"""Asks whether a mapfile without a map goes onto the current map, or onto a rolled world."""

from __future__ import annotations

from pathlib import Path

from app.background.actions import Stopped
from app.desk.desk import Desk
from app.document.map_files import read_onto
from app.document.map_merging import merge_in
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.formats.results import ReadResult
from randomizer.model.planes.planes import is_blank
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.mapfile.reader import NO_MAP
from randomizer.systems.xconq.system import TERRAIN

ONTO = 0
"""The answer to put the file onto the current map."""

ROLL = 1
"""The answer to open it on a rolled world, as it was read."""


async def ask_for_world(desk: Desk, path: Path, result: ReadResult) -> None:
    """Put a file without a map onto the current map as one undo step, if the user wants that.

    The user is asked if the file fits the current map. Raises Stopped unless the file is to be
    opened as it was read.
    """
    document = desk.document
    if NO_MAP not in {problem.code for problem in result.problems}:
        return
    terrain = document.composite.planes.get(TERRAIN.name)
    if terrain is None or is_blank(terrain):
        return
    try:
        added = read_onto(path, document.battlemap)
    except ProblemError:
        # The file is made for another map.
        return
    if added is None or added.battlemap is None:
        return
    world = document.current_map
    choice = choose(
        desk.frame,
        "A mapfile without a map",
        f"{path.name} has units or sides, but no map.",
        f"They fit the current map, {document.display_name}.",
        ("Put onto this map", "Open on a rolled world"),
    )
    index = await document.while_open(world, choice)
    if index == ROLL:
        return
    if index == ONTO:
        document.make_current(world)
        if added.problems:
            show_problems(desk.frame, f"Problems in {path.name}", added.problems)
        merge_in(document, [(path.stem, added)])
    raise Stopped
