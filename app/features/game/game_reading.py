"""Reading the maps of a game: the work of jobs, without Qt."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from randomizer.formats import read_checked
from randomizer.games import Game, GameHost, GameVariant
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError


@dataclass(frozen=True, slots=True)
class TerrainMap:
    """The map that the game loads for a terrain; ``digest`` is the SHA-256 of its file.

    ``battlemap`` is None where there is none, or none that can be read: ``problems`` say why.
    """

    battlemap: BattleMap | None = None
    digest: str = ""
    problems: tuple[Problem, ...] = ()


def reading_maps(
    host: GameHost, game: Game, variant: GameVariant
) -> Callable[..., dict[str, TerrainMap]]:
    """Read the maps of all terrains of a variant, by the terrain's name."""

    def work(_progress: object, cancelled: Callable[[], bool]) -> dict[str, TerrainMap]:
        maps: dict[str, TerrainMap] = {}
        for terrain in variant.terrains:
            if cancelled():
                break
            maps[terrain.name] = _terrain_map(host, game, variant.name, terrain.name)
        return maps

    return work


def _terrain_map(host: GameHost, game: Game, variant: str, terrain: str) -> TerrainMap:
    try:
        data, found = game.read_battleland(variant, terrain)
    except ProblemError as reason:
        return TerrainMap(problems=reason.problems)
    result = read_checked(host.FORMAT, data, found.words)
    return TerrainMap(result.battlemap, hashlib.sha256(data).hexdigest(), result.problems)
