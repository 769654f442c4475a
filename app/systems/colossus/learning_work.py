"""The work of the job that learns a script from maps: ``LearningWork``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.document.map_files import read_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, error, has_errors

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript

MAX_SECONDS = 60.0
"""The longest time for learning, in seconds of CPU time."""


class Source(NamedTuple):
    """A map to learn from."""

    name: str

    map: Path | BattleMap
    """An open map, or the file of a map, which is read only when learning begins."""


class LearningWork:
    """Learns a script; a job calls it on its own thread, while the dialog reads ``best``."""

    def __init__(self, name: str, sources: Iterable[Source]) -> None:
        """Note the name of the script, and the maps as they are now; a call learns."""
        self._name = name
        self._sources = [_snapshot(source) for source in sources]
        self.best: LearnedScript | None = None
        """The best script so far; any thread may read it."""
        self.problems: list[Problem] = []
        """The problems of maps that were left out or changed."""

    def __call__(self, progress: Callable[[int], None], cancelled: Callable[[], bool]) -> None:
        """Read the maps and learn. Raises ProblemError if there is no map without errors."""
        from randomizer.systems.colossus.learning.boards import boards_of
        from randomizer.systems.colossus.learning.learner import LearningOptions, learn

        # The maps are read one by one while ``boards_of`` takes them; faults go to ``problems``.
        boards, problems = boards_of(self._maps_without_errors(cancelled))
        self.problems += problems
        if cancelled():
            return
        if not len(boards):
            no_maps = error("no-maps", "There is no battleland without errors to learn from.")
            raise ProblemError((*no_maps.problems, *self.problems))
        for step in learn(boards, LearningOptions(self._name, seconds=MAX_SECONDS)):
            if cancelled():
                return
            self.best = step.learned
            progress(step.percent)

    def _maps_without_errors(
        self, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[str, BattleMap]]:
        """Yield the maps with their names, one file after the other: a folder can have thousands.

        Files that cannot be read, or have errors, are left out, and noted in ``problems``. After
        ``cancelled`` no more are read.
        """
        for source in self._sources:
            if cancelled():
                return
            if isinstance(source.map, BattleMap):
                yield source.name, source.map
                continue
            path = str(source.map)
            try:
                battlemap = _map_of_file(source.map)
            except ProblemError as failed:
                self.problems += (problem.at_path(path) for problem in failed.problems)
            else:
                yield path, battlemap


def _snapshot(source: Source) -> Source:
    """Return a source that does not change while the job runs."""
    if isinstance(source.map, BattleMap):
        return Source(source.name, source.map.snapshot())
    return source


def _map_of_file(path: Path) -> BattleMap:
    """Return the map in a file. Raises ProblemError if it cannot be read, or has errors."""
    result = read_map(path)
    if result.battlemap is None or has_errors(result.problems):
        raise ProblemError(result.problems)
    return result.battlemap
