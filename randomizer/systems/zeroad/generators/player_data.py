"""The players of a map: their names, civilisations, colours and teams, as a script gets them.

The values of a player come from four sources, each of which replaces those before it: the game's
defaults, the metadata file of the script, what a person has chosen in the form, and what was
changed by hand on the map. A civilisation can be ``RANDOM``: then the seed draws it.

Lists of players as scripts get them begin with Gaia, the player of trees and animals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from randomizer.model.basics.dice import word
from randomizer.model.problems import ProblemError, error
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.metadata_kinds import is_player_value
from randomizer.model.settings.setting import COLOUR, Setting, table_rows
from randomizer.systems.zeroad.generators.offered_choices import DRAWN_LABEL, list_or_empty
from randomizer.systems.zeroad.installation.game_choices import (
    GAIA,
    USUAL,
    GameData,
    civ_choices,
    colour_of,
)
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS, TEAMS
from randomizer.systems.zeroad.map.records import BY_HAND, PLAYERS

FEWEST_PLAYERS = 2
"""The number of players by default, where the metadata file names fewer."""

RANDOM = "random"
"""The civilisation of a player that the seed draws."""

_GAME_NAMES = {"Color": "Color", "Colour": "Color", "Diplomacy": "Diplomacy"}
"""The values of a player that can be written as a text, and the game's names of them."""


def default_player_count(metadata: Metadata) -> int:
    """Return the number of players, without Gaia, that a map has unless another one is chosen."""
    return min(MOST_PLAYERS, max(FEWEST_PLAYERS, len(players_of_file(metadata))))


def players_of_file(metadata: Metadata) -> list[Mapping[str, Any]]:
    """Return the players of a metadata file, from the first one on.

    The list in the file may begin with Gaia, or with null in her place, which is left out. So are
    values of the wrong kind, which the check of the file names.
    """
    rows = list_or_empty(metadata.others.get(PLAYERS))
    if rows:
        begins_with_null = rows[0] is None
        begins_with_gaia = isinstance(rows[0], dict) and rows[0].get("Civ") == GAIA
        if begins_with_null or begins_with_gaia:
            rows = rows[1:]
    players: list[Mapping[str, Any]] = []
    for row in rows:
        values = {}
        if isinstance(row, dict):
            values = {name: value for name, value in row.items() if _is_usable(name, value)}
        players.append(values)
    return players


def _is_usable(name: str, value: object) -> bool:
    """Return whether a roll can use a value of a player in a metadata file."""
    if is_player_value(name, value):
        return True
    try:
        return isinstance(value, str) and bool(_as_in_game({name: value})[_GAME_NAMES[name]])
    except (KeyError, ProblemError):
        return False


def player_table(game: GameData) -> Setting:
    """Return the setting of the values of all players, a table with a row for each."""
    return Setting(
        PLAYERS,
        str,
        "The players from the first on; what is not set is the game's usual.",
        "",
        title="Players' data",
        columns=_columns(game),
        rows_of="Players",
    )


def _columns(game: GameData) -> tuple[Setting, ...]:
    """Return the values of a player that can be chosen."""
    civs = ((RANDOM, DRAWN_LABEL), *civ_choices(game.civs))
    usual = Setting("", str, "", unset="usual")
    return (
        replace(usual, name="Name", help="The player's name.", title="Name"),
        replace(usual, name="Civ", help="The civilisation.", choices=civs, title="Civilisation"),
        replace(
            usual,
            name="Color",
            help='The colour, as "#1560d0".',
            title="Colour",
            pattern=COLOUR,
            example="#1560d0",
        ),
        replace(
            usual,
            name="Team",
            kind=int,
            help="Players of one team are allies, all others enemies.",
            choices=TEAMS,
            title="Team",
        ),
        replace(usual, name="AI", help="The computer player's name; false: a human.", title="AI"),
        replace(
            usual,
            name="Diplomacy",  # without a title: in forms the teams say it
            help="Relations to all players: a JSON list.",
            pattern=r"\[ *-?[0-9]{1,3}( *, *-?[0-9]{1,3})* *\]",
            example="[1, 2, 2]",
        ),
    )


def undrawn_players(
    metadata: Metadata,
    chosen: Mapping[str, object],
    count: int,
    game: GameData,
    by_hand: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return Gaia and ``count`` players; a civilisation that is to be drawn is ``RANDOM``.

    Raises ProblemError for damaged values.
    """
    chosen_rows = table_rows(player_table(game), str(chosen.get(PLAYERS, "")))
    changed_rows = [_changed_values(row) for row in by_hand[1:]]
    # Of values from several sources the last one counts.
    sources: tuple[Sequence[Mapping[str, Any]], ...] = (
        players_of_file(metadata),
        chosen_rows,
        changed_rows,
    )
    gaia = dict(game.players[0])
    players = [gaia]
    for number in range(1, count + 1):
        defaults = game.players
        if number >= len(defaults):
            defaults = USUAL.players  # an old release may have fewer than a map can have
        player: dict[str, Any] = {"Team": -1, **defaults[number]}
        for rows in sources:
            if number <= len(rows):
                player.update(_as_in_game(rows[number - 1]))
        players.append(player)
    return players


def _changed_values(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a player that a hand changed, and the list of their names."""
    names = list_or_empty(player.get(BY_HAND))
    return {name: player[name] for name in (*names, BY_HAND) if name in player}


def draw_civilisations(
    players: list[dict[str, Any]], seed: int, game: GameData
) -> list[dict[str, Any]]:
    """Return the same players, Gaia first, with the civilisations that the seed draws.

    Each player has a draw of its own, so that another number of players changes no civilisation.
    """
    for number, player in enumerate(players):
        if number and player.get("Civ") == RANDOM:  # 0 is Gaia
            drawn = word(seed, 0, crc32(f"Civ {number}".encode()))
            player["Civ"] = game.civs[drawn % len(game.civs)][0]
    return players


def _as_in_game(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's values under the game's names, without those that are not set.

    A colour can be ``Color`` or ``Colour``, an object or ``#rrggbb``; relations a list or its text.
    Raises ProblemError.
    """
    values = {name: value for name, value in row.items() if value is not None and value != ""}
    colour = values.pop("Colour", None)
    colour = values.get("Color", colour)
    if colour is not None:
        values["Color"] = colour
    if values.get("AI") == "false":  # as it is typed in a form
        values["AI"] = False
    _parse_text(values, "Color", colour_of, "#1560d0")
    _parse_text(values, "Diplomacy", _relations, "[1, 2, 2]")
    return values


def _parse_text(
    values: dict[str, Any], name: str, parse: Callable[[str], object], example: str
) -> None:
    """Replace a value that is a text by the value parsed from it. Raises ProblemError."""
    text = values.get(name)
    if not isinstance(text, str):
        return
    try:
        values[name] = parse(text)
    except (ValueError, RecursionError):
        message = f'a player\'s {name} is like {example}, not "{text[:40]}"'
        raise error("zeroad-players", message) from None


def _relations(text: str) -> list[int]:
    """Return a player's relations to all players, from a JSON list. Raises ValueError."""
    numbers = json.loads(text)
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise ValueError(text)
    return numbers
