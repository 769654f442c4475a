"""Where the problems on the desk come from: each source keeps a list of its own up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.widgets.lists.problem_list import ProblemList


class ProblemSource(NamedTuple):
    """``title`` names it (Script, Map); ``offered()``: it is about the current map.

    ``works()``: it is about to say what is wrong now.
    """

    title: str
    problems: ProblemList
    offered: Callable[[], bool]
    works: Callable[[], bool]


class ProblemSources(QObject):
    """The lists of problems by their sources, which the window shows in one place.

    ``added(ProblemSource)``: there is one more. ``open_wanted()``: the user is to see the lists
    now, since what was asked for could not be done.
    """

    added = Signal(object)
    open_wanted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.all: list[ProblemSource] = []

    def add(
        self,
        title: str,
        problems: ProblemList,
        offered: Callable[[], bool] = lambda: True,
        works: Callable[[], bool] = lambda: False,
    ) -> None:
        """Show the problems of one more source."""
        source = ProblemSource(title, problems, offered, works)
        self.all.append(source)
        self.added.emit(source)
