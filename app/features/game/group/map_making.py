"""Makes the maps of a group's slots, as the work of one job: ``MapMaking``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import count

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.features.game.group.rolls import make_maps
from app.features.game.group.slot_content import MadeMap, SlotContent
from randomizer.formats.results import ReadResult
from randomizer.model.problems import Problem, Severity
from randomizer.model.system.system import System

_serials = count()
"""Numbers the maps that are made in all windows: they draw with the same thumbnails."""


class MapMaking(QObject):
    """Makes the maps of those contents that are *pending*: that have a choice and no map yet.

        making.make_pending(contents)       # a job begins
        making.slots_made                   # is emitted: its maps are in the contents

    A job that is replaced or dropped gives no maps: what was pending stays so.
    """

    slots_made = Signal(object)
    """set[str]: the slots whose contents have a map now, or the problems why they have none."""

    def __init__(self, system: System, parent: QObject) -> None:
        super().__init__(parent)
        self.job = LatestJob(self)
        """The job that makes maps."""
        self._system = system
        self._pending: dict[str, SlotContent] = {}
        """The contents, by slot, whose maps the newest job makes, or was to make."""

    def make_pending(self, contents: Mapping[str, SlotContent]) -> None:
        """Begin to make the maps of all pending contents, by slot; a running job is replaced."""
        self._pending = _pending_of(contents)
        choices = {slot: content.choice for slot, content in self._pending.items()}
        if choices:
            work = partial(make_maps, self._system, choices)
            self.job.run(work, self._store_results, self._fail)
        else:
            self.job.cancel()

    def drop(self) -> None:
        """End the job: what it was to make stays pending."""
        self.job.cancel()

    def stop(self, contents: Mapping[str, SlotContent]) -> None:
        """End the job; each pending content gets a problem that tells of it in place of a map."""
        self.job.cancel()
        self._pending = _pending_of(contents)
        self._fail((Problem(Severity.ERROR, "stopped", "Stopped before it was rolled"),))

    def _store_results(self, results: Mapping[str, ReadResult]) -> None:
        """Give the contents the results of the job, which are by slot."""
        for slot, result in results.items():
            self._pending[slot].made_map = MadeMap(result, f"roll {next(_serials)}")
        self.slots_made.emit(set(results))

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        """Give all contents that were to get a map the problems why they have none."""
        self._store_results({slot: ReadResult(None, problems) for slot in self._pending})


def _pending_of(contents: Mapping[str, SlotContent]) -> dict[str, SlotContent]:
    """Return the contents whose maps are still to be made, by slot."""
    return {slot: content for slot, content in contents.items() if content.is_pending}
