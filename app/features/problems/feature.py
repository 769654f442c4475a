"""The panel of what is wrong with the map in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.problems.controller import ProblemsController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.widgets.problem_list import ProblemList


def make(desk: Desk) -> ProblemList:
    """The panel, wired to the desk."""
    return ProblemsController(desk).panel
