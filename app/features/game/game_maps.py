"""The maps that a game loads for its slots, read when a dialog first asks for them.

A *slot* is a place for one map, such as a terrain; slots stand in *groups*, such as a variant.
``GameFolder`` has one ``GameMaps`` for the game that is open, and another one when the game was
opened again, since its files may have changed::

    maps.read_group(group)            # a job reads the maps; ``of_group`` is None for now
    connect(maps.maps_read, show)     # emitted when they are read
    maps.of_group(group.name)         # {"Plains": SlotMap(...), "Tower": SlotMap(...)}
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.actions import run
from app.background.latest_job import LatestJob
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.games.slots import MapGroup, MapSlot
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError


@dataclass(frozen=True, slots=True)
class SlotMap:
    """The map that the game loads for a slot."""

    battlemap: BattleMap | None = None
    """None if the slot has no map, or one that cannot be read."""

    digest: str = ""
    """The SHA-256 of its file, in hexadecimal digits; "" if no file could be read."""

    problems: tuple[Problem, ...] = ()
    """The problems of the file, also of one that was read all the same."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The reading of some maps of a group, while it is under way."""

    job: LatestJob
    slots: frozenset[str]
    """The names of the slots whose maps it reads."""


class GameMaps(QObject):
    """The maps of one opened game. They are kept until ``close``."""

    maps_read = Signal(str)
    """The maps of the group of this name that were asked for can be had from ``of_group``."""

    def __init__(self, host: GameHost, game: Game, parent: QObject) -> None:
        super().__init__(parent)
        self._host = host
        self._game = game
        self._maps: dict[str, Mapping[str, SlotMap]] = {}
        """The maps that were read: by group, then by slot."""
        self._readings: dict[str, _Reading] = {}
        """What is being read, by group."""

    def of_group(self, name: str) -> Mapping[str, SlotMap] | None:
        """Return the maps of a group that were read, by slot; None until any were."""
        return self._maps.get(name)

    def read_group(self, group: MapGroup) -> None:
        """Read the maps of a group; ``maps_read`` follows, at once if they are known."""
        self._start_reading(group, group.slots)

    def read_slot(self, group: MapGroup, slot_name: str) -> None:
        """Read the map of one slot; ``maps_read`` follows, at once if it is known.

        Whoever goes from slot to slot waits for the last one only: the reading of another slot of
        the group that is under way is cancelled.
        """
        self._start_reading(group, tuple(slot for slot in group.slots if slot.name == slot_name))

    def close(self) -> None:
        """Read nothing more; ``maps_read`` is emitted no more."""
        for reading in self._readings.values():
            reading.job.cancel()
        self.deleteLater()

    def _start_reading(self, group: MapGroup, slots: tuple[MapSlot, ...]) -> None:
        """Read the maps of these slots, unless they are known or are being read."""
        known_maps = self._maps.get(group.name)
        if known_maps is not None and all(slot.name in known_maps for slot in slots):
            self.maps_read.emit(group.name)
            return
        reading = self._readings.get(group.name)
        if reading is not None and all(slot.name in reading.slots for slot in slots):
            return
        run(self._read_by_job(group, slots))

    async def _read_by_job(self, group: MapGroup, slots: tuple[MapSlot, ...]) -> None:
        """Read the maps of some slots of a group, and tell that they are read.

        It replaces what is being read of the same group: there ``LatestJob.result`` raises Stopped,
        so that only the newest call gets beyond it.
        """
        reading = self._readings.get(group.name)
        job = LatestJob(self) if reading is None else reading.job
        slot_names = frozenset(slot.name for slot in slots)
        self._readings[group.name] = _Reading(job, slot_names)
        try:
            group_to_read = replace(group, slots=slots)
            maps = await job.result(partial(read_slot_maps, self._host, self._game, group_to_read))
        except ProblemError as reason:
            # Not a broken file, which is a problem of its slot, but a fault of the program.
            maps = {slot.name: SlotMap(problems=reason.problems) for slot in slots}
        del self._readings[group.name]
        job.deleteLater()
        self._maps[group.name] = {**self._maps.get(group.name, {}), **maps}
        self.maps_read.emit(group.name)


# --- the work of the job ------------------------------------------------------------------------


def read_slot_maps(
    host: GameHost, game: Game, group: MapGroup, _progress: object, cancelled: Callable[[], bool]
) -> dict[str, SlotMap]:
    """Return the maps of the slots of a group by the slot's name."""
    maps: dict[str, SlotMap] = {}
    for slot in group.slots:
        if cancelled():
            break  # nobody gets the result of a cancelled job
        maps[slot.name] = _read_slot_map(host, game, group, slot.name)
    return maps


def _read_slot_map(host: GameHost, game: Game, group: MapGroup, slot: str) -> SlotMap:
    """Read the map of a slot; what keeps it from being read is in its problems."""
    try:
        data, file = game.read_map(group.name, slot)
    except ProblemError as reason:
        return SlotMap(problems=reason.problems)
    map_format = format_named(group.format) or host.format
    result = read_checked(map_format, data, file.text, game.files_beside(group.name, slot))
    return SlotMap(result.battlemap, hashlib.sha256(data).hexdigest(), result.problems)
