"""The owners that things of a map can have, and their colours, by the settings of the map.

    owners = owners_on(settings_of_map(battlemap))
    owners.owners          # ((0, "Gaia"), (1, "Pericles"), (2, "Player 2"))
    owners.colours[0]      # "#1e46b4", the colour of player 1

``PlayerData`` in the settings has an object for each player, Gaia first; what of it cannot be read
counts as not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.systems.zeroad.map.json_values import value_at
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS
from randomizer.systems.zeroad.map.records import PLAYERS, SETTINGS, record_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from randomizer.model.records.map_records import MapRecord

GAIA = "Gaia"
"""The name of the owner 0: nature, to which belongs what belongs to no player."""

PLAYER_COLOURS = (
    "#1e46b4",
    "#b41e1e",
    "#4fae26",
    "#e6c40a",
    "#2ba8a8",
    "#8c46c8",
    "#dc7310",
    "#5a5a5a",
)
"""The colours of players 1, 2 ... where the settings name none."""


class Owners(NamedTuple):
    """The possible owners of things on a map, as ``ThingKind`` has them."""

    owners: tuple[tuple[int, str], ...]
    """Their numbers and names; Gaia is 0."""

    colours: tuple[str, ...]
    """The colours of players 1, 2 ..."""


NO_OWNERS = Owners((), ())
"""The owners of kinds of things that are listed without a map."""


def owners_on(settings: Mapping[str, Any]) -> Owners:
    """Return the owners and colours on a map with these settings."""
    return Owners(owners_of(settings), colours_of(settings))


def owners_of(settings: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """Return the numbers and names of the possible owners on a map with these settings.

    Gaia is 0. If no players are named, there are all eight.
    """
    players = players_in(settings) or [None] * MAX_PLAYERS
    owners = [(0, GAIA)]
    for number, player in enumerate(players, 1):
        owners.append((number, _player_name(player, number)))
    return tuple(owners)


def colours_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the colours of players 1, 2 ... on a map with these settings."""
    players = players_in(settings)
    colours = list(PLAYER_COLOURS)
    for index, player in enumerate(players[:MAX_PLAYERS]):
        if not isinstance(player, dict):
            continue
        colour = player.get("Color", player.get("Colour"))
        if not isinstance(colour, dict):
            continue
        parts = [colour.get(part) for part in "rgb"]
        levels = [part for part in parts if type(part) is int and 0 <= part <= 255]
        if len(levels) == 3:
            colours[index] = "#" + bytes(levels).hex()
    return tuple(colours)


def _player_name(player: object, number: int) -> str:
    """Return the name in the data of a player, else one with its number."""
    if isinstance(player, dict):
        name = player.get("Name")
        if isinstance(name, str) and name.strip():
            return name
    return f"Player {number}"


def usual_owner(settings: Mapping[str, Any], template: str) -> int | None:
    """Return the number of the first player whose civilisation has a template; None if none has.

    A civilisation's templates are in a folder of its code: units/athen/hero_pericles.
    """
    *folders, _name = template.split("/")
    for number, player in enumerate(players_in(settings), 1):
        if isinstance(player, dict) and player.get("Civ") in folders:
            return number
    return None


def players_in(settings: Mapping[str, Any]) -> list[Any]:
    """Return the data of players 1, 2 ... in settings, as they are; [] if there are none."""
    players = settings.get(PLAYERS)
    if isinstance(players, list):
        return players[1:]
    return []


def recorded_players(records: Mapping[str, MapRecord]) -> Sequence[Mapping[str, Any]]:
    """Return the players in the record of settings, Gaia first; () if there is none beside Gaia.

    One of a wrong type is {}, since the number of a player is its index. Rolls give this the
    records that a user changed (``Base.records``): then it is the players that a script has to
    take over.
    """
    players = value_at(record_data(records, SETTINGS), (PLAYERS,))
    if not isinstance(players, list) or len(players) < 2:
        return ()
    checked_players: list[Mapping[str, Any]] = []
    for player in players[: MAX_PLAYERS + 1]:
        if isinstance(player, dict):
            checked_players.append(player)
        else:
            checked_players.append({})
    return checked_players
