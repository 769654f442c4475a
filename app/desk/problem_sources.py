"""Where the problems on the desk come from: each source keeps a list of its own up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.widgets.lists.problem_list import ProblemList


class ProblemSource(NamedTuple):
    """One list of problems."""

    title: str
    """The name of the source: Script, Map ..."""
    problems: ProblemList
    offered: Callable[[], bool]
    """Returns whether the source is about the current map: else its list is hidden."""
    works: Callable[[], bool]
    """Returns whether a check is going on, whose result will replace the list."""


class ProblemSources(QObject):
    """The lists of problems by their sources, which the window shows in one bar."""

    added = Signal(object)
    """There is one more ``ProblemSource``."""

    open_requested = Signal()
    """The user should see the lists now: something that was started could not be done."""

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
