"""Learns a script from battlelands: what ``randomizer learn`` and the desk call.

    for progress in learn(boards, LearningOptions("My marshes")):
        ...  # progress.learned is the best so far; the last one is the result

The result is a script whose rolls look like the given maps. There are three phases:

1. The order is found in which the *kinds* of hexes (terrains, some divided by elevation) are
   learned, each by its relation to those before it: for instance bogs round lakes.
2. A script is learned for each of several *cautions*, the weight of the script's own length. From
   high to low caution this gives versions from few lines to a close fit. Each is rolled and
   compared with the maps (``fit``).
3. If there are few maps, scripts are learned without one of them each, to see which caution
   describes other maps best (leave-one-out). One version is proposed.

``ScriptLearner`` does the work of the phases.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.result import Progress
from randomizer.systems.colossus.learning.script_learner import CAUTIONS, ScriptLearner
from randomizer.systems.colossus.learning.versions import Versions

FEW_MAPS = 30
"""The largest number of maps for which leave-one-out decides between the versions.

Leave-one-out learns a script without each of the maps, so that more maps take longer.
"""

MIN_MAPS_TO_LEAVE_OUT = 3
"""The smallest such number: from a single other map nothing can be learned."""


class _Phase(NamedTuple):
    """A part of the progress, in percent."""

    start: int

    length: int

    def percent(self, done: float, of: float = 1.0) -> int:
        """Return the progress when a part of the phase is done."""
        return self.start + int(self.length * done / of)


_ORDER_PHASE = _Phase(1, 50)

_VERSIONS_PHASE = _Phase(50, 25)
"""Fewer versions than usual, if the time is up, leave a gap behind it."""

_LEAVING_OUT_PHASE = _Phase(80, 19)


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The choices of a user."""

    name: str
    """The title of the script."""

    seed: int = 0
    """The seed of all draws, of the search and of the maps that are rolled."""

    seconds: float = 60.0
    """The processor time, of the thread that learns, after which the best so far is the result."""

    closeness: float | None = None
    """The version that is chosen, from 0 (few lines) to 1 (close fit).

    None: the version that describes the maps best, its own length included.
    """


def learn(boards: Boards, options: LearningOptions) -> Iterator[Progress]:
    """Learn a script; the last Progress (100 percent) has the result.

    Closing the iterator cancels; what the latest Progress holds is then the best so far. Raises
    ValueError if there are no boards.
    """
    if not len(boards):
        raise ValueError("there are no maps to learn from")
    end_time = time.thread_time() + options.seconds
    learner = ScriptLearner(boards, name=options.name, seed=options.seed, end_time=end_time)

    # There is a result at any time: at first a script by a mere guess of the order.
    first_version = Versions(options.name, boards.names, options.closeness)
    first_version.add(learner.learn_version(CAUTIONS[0]))
    yield from _find_order(learner, first_version)

    versions = Versions(options.name, boards.names, options.closeness)
    yield from _learn_versions(learner, versions)

    # A script can know few maps by heart. Which version describes others?
    is_number_fit = MIN_MAPS_TO_LEAVE_OUT <= len(boards) <= FEW_MAPS
    if options.closeness is None and is_number_fit:
        yield from _leave_one_out(learner, versions, len(boards))
    yield Progress(100, "done", versions.result())


def _find_order(learner: ScriptLearner, first_version: Versions) -> Iterator[Progress]:
    """Find the order of the kinds; the result so far is ``first_version``."""
    for share_done in learner.find_order():
        percent = _ORDER_PHASE.percent(share_done)
        yield Progress(percent, "the order of the terrains", first_version.result())


def _learn_versions(learner: ScriptLearner, versions: Versions) -> Iterator[Progress]:
    """Add the version of each caution to ``versions``; at least one, until the time is up."""
    for number, caution in enumerate(CAUTIONS, 1):
        version = learner.learn_version(caution)
        versions.add(version)
        percent = _VERSIONS_PHASE.percent(number, len(CAUTIONS))
        yield Progress(percent, counted(version.statements, "statement"), versions.result())
        if learner.is_late():
            break


def _leave_one_out(
    learner: ScriptLearner, versions: Versions, map_count: int
) -> Iterator[Progress]:
    """Tell ``versions`` how well each caution describes maps that are not learned from."""
    bits_of_maps = []
    for bits_of_map in learner.leave_one_out():
        bits_of_maps.append(bits_of_map)
        percent = _LEAVING_OUT_PHASE.percent(len(bits_of_maps), map_count)
        yield Progress(percent, "leaving one map out", versions.result())
    # If the time was up before, some maps are missing, and the versions stay as they are.
    if len(bits_of_maps) == map_count:
        versions.set_unseen_bits(_sums_by_caution(bits_of_maps))


def _sums_by_caution(bits_of_maps: Iterable[Mapping[float, float]]) -> dict[float, float]:
    """Return the bits of all maps together, by caution."""
    sums = dict.fromkeys(CAUTIONS, 0.0)
    for bits_of_map in bits_of_maps:
        for caution, bits in bits_of_map.items():
            sums[caution] += bits
    return sums
