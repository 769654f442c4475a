"""Systems by their names, and the game and the fairness model of each.

The game is one that loads maps of the system; a ``GameHost`` finds and starts it. A *fairness
model* estimates how even the chances of the players on a map are::

    system = system_named("cordery")
    host = game_host(system)                   # None: no game loads maps of Cordery
    model = fairness_model_of(system)          # None: nothing estimates their chances
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from randomizer.catalog.catalog import all_entries, loaded
from randomizer.model.system.system import System

if TYPE_CHECKING:  # imported here: not needed for a roll
    from randomizer.batches.fairness import FairnessModel
    from randomizer.games.host import GameHost
    from randomizer.games.player import Player


def systems() -> tuple[System, ...]:
    """Return all systems."""
    return tuple(all_entries("SYSTEMS"))


def system_named(name: str) -> System | None:
    """Return the system with this name, None if there is none."""
    return next((system for system in all_entries("SYSTEMS") if system.name == name), None)


# --- games and fairness ---------------------------------------------------------------------------


def game_hosts() -> tuple[GameHost, ...]:
    """Return all game hosts."""
    return tuple(all_entries("GAME_HOSTS"))


def usual_game_host() -> GameHost:
    """Return the first game host: from its game maps are opened if no other game is known."""
    first: GameHost = next(all_entries("GAME_HOSTS"))
    return first


def game_host(system: System) -> GameHost | None:
    """Return the game host for the maps of a system, None if there is none."""
    hosts: Iterator[GameHost] = all_entries("GAME_HOSTS")
    return next((host for host in hosts if system.name == host.system), None)


def game_player(host: GameHost) -> Player | None:
    """Return what starts the game of a host, None if it cannot be started."""
    if not host.player:
        return None
    player: Player = loaded(host.player)
    return player


def fairness_model_of(system: System) -> FairnessModel | None:
    """Return the fairness model of a system, None if it has none."""
    models: Iterator[FairnessModel] = all_entries("FAIRNESS_MODELS")
    return next((model for model in models if model.system is system), None)
