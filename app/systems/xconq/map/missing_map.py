"""A mapfile without a map: the user says whether it belongs onto the current map."""

from __future__ import annotations

from pathlib import Path

from app.background.actions import Stopped
from app.desk.desk import Desk
from app.document.map_files import merge_in, read_onto
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.formats import ReadResult
from randomizer.model.planes.planes import is_blank
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.mapfile.reader import NO_MAP
from randomizer.systems.xconq.system import TERRAIN

ONTO, ROLL = range(2)


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
    except ProblemError:  # it is made for another map
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
