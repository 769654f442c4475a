"""Reading the maps of a game: the work of jobs, without Qt."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from randomizer.formats import read_checked
from randomizer.games import Game, GameHost, MapGroup
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError


@dataclass(frozen=True, slots=True)
class SlotMap:
    """The map that the game loads for a slot; ``digest`` is the SHA-256 of its file.

    ``battlemap`` is None where there is none, or none that can be read: ``problems`` say why.
    """

    battlemap: BattleMap | None = None
    digest: str = ""
    problems: tuple[Problem, ...] = ()


def reading_maps(host: GameHost, game: Game, group: MapGroup) -> Callable[..., dict[str, SlotMap]]:
    """Read the maps of all slots of a group, by the slot's name."""

    def work(_progress: object, cancelled: Callable[[], bool]) -> dict[str, SlotMap]:
        maps: dict[str, SlotMap] = {}
        for slot in group.slots:
            if cancelled():
                break
            maps[slot.name] = _slot_map(host, game, group.name, slot.name)
        return maps

    return work


def _slot_map(host: GameHost, game: Game, group: str, slot: str) -> SlotMap:
    try:
        data, found = game.read_map(group, slot)
    except ProblemError as reason:
        return SlotMap(problems=reason.problems)
    result = read_checked(host.FORMAT, data, found.words)
    return SlotMap(result.battlemap, hashlib.sha256(data).hexdigest(), result.problems)
