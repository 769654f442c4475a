"""The players of a map: their names, civilisations, colours and teams, as a script gets them.

The values of a player come from four sources, each of which replaces those before it: the game's
defaults, the metadata file of the script, what a person has chosen in the form, and what was
changed by hand on the map. A civilisation can be ``RANDOM``: then the seed draws it.

Lists of players as scripts get them begin with Gaia, the player of trees and animals.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS, TEAMS
from randomizer.systems.zeroad.map.records import BY_HAND, PLAYERS

MIN_PLAYERS = 2
"""The number of players by default, where the metadata file names fewer."""

RANDOM = "random"
"""The civilisation of a player that the seed draws."""

_COLOUR_EXAMPLE = "#1560d0"
"""A colour of a player as a text."""

_RELATIONS_EXAMPLE = "[1, 2, 2]"
"""Relations of a player to all players as a text: a JSON list."""


def default_player_count(metadata: Metadata) -> int:
    """Return the number of players, without Gaia, that a map has unless another one is chosen."""
    return min(MAX_PLAYERS, max(MIN_PLAYERS, len(players_of_file(metadata))))


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
    # Colours and relations can also be texts, which are parsed.
    if not isinstance(value, str):
        return False
    try:
        if name in ("Color", "Colour"):
            return bool(value) and bool(_parsed_colour(value))
        if name == "Diplomacy":
            return bool(value) and bool(_parsed_relations(value))
    except ProblemError:
        return False
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
    columns = (
        Setting("Name", str, "The player's name.", title="Name"),
        Setting("Civ", str, "The civilisation.", choices=civs, title="Civilisation"),
        Setting(
            "Color",
            str,
            'The colour, as "#1560d0".',
            title="Colour",
            pattern=COLOUR,
            example=_COLOUR_EXAMPLE,
        ),
        Setting(
            "Team",
            int,
            "Players of one team are allies, all others enemies.",
            choices=TEAMS,
            title="Team",
        ),
        Setting("AI", str, "The computer player's name; false: a human.", title="AI"),
        Setting(
            "Diplomacy",  # without a title: in forms the teams say it
            str,
            "Relations to all players: a JSON list.",
            pattern=r"\[ *-?[0-9]{1,3}( *, *-?[0-9]{1,3})* *\]",
            example=_RELATIONS_EXAMPLE,
        ),
    )
    return tuple(replace(column, unset="usual") for column in columns)


def undrawn_players(
    metadata: Metadata,
    chosen: Mapping[str, object],
    count: int,
    game: GameData,
    by_hand: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return Gaia and ``count`` players; a civilisation that is to be drawn is ``RANDOM``.

    ``chosen`` are the settings that a person has chosen, with the table of players among them.
    ``by_hand`` are Gaia and the players of a map of which some were changed by hand, () for none.
    Raises ProblemError for damaged values.
    """
    # The sources, each without Gaia. Of values from several sources the last one counts.
    chosen_rows = table_rows(player_table(game), str(chosen.get(PLAYERS, "")))
    _gaia, *changed_players = by_hand or ({},)
    sources: tuple[Sequence[Mapping[str, Any]], ...] = (
        players_of_file(metadata),
        chosen_rows,
        [_changed_values(player) for player in changed_players],
    )
    defaults = list(game.players[1:])
    defaults += USUAL.players[len(game.players) :]  # an old release may have fewer

    players = [dict(game.players[0])]
    for index in range(count):
        player: dict[str, Any] = {"Team": -1, **defaults[index]}
        for rows in sources:
            if index < len(rows):
                player.update(_as_in_game(rows[index]))
        players.append(player)
    return players


def player_names(
    metadata: Metadata, chosen: Mapping[str, object], count: int, game: GameData = USUAL
) -> list[str]:
    """Return the names that ``count`` players have by the chosen settings, without Gaia.

    Raises ProblemError for damaged values.
    """
    _gaia, *players = undrawn_players(metadata, chosen, count, game, by_hand=())
    return [str(player.get("Name", "")) for player in players]


def settings_without_names(chosen: Mapping[str, object]) -> Mapping[str, object]:
    """Return the settings that a person has chosen, without the names of players."""
    rows = json.loads(str(chosen.get(PLAYERS, "")) or "[]")
    rows_without_names = []
    for row in rows:
        rows_without_names.append({name: row[name] for name in row or {} if name != "Name"})
    while rows_without_names and not rows_without_names[-1]:
        rows_without_names.pop()  # as if nothing had been chosen for this player
    other_settings = {name: value for name, value in chosen.items() if name != PLAYERS}
    if not rows_without_names:
        return other_settings
    return {**other_settings, PLAYERS: json.dumps(rows_without_names)}


def _changed_values(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a player that a hand changed, and the list of their names."""
    names = list_or_empty(player.get(BY_HAND))
    return {name: player[name] for name in (*names, BY_HAND) if name in player}


def with_drawn_civilisations(
    players: Sequence[Mapping[str, Any]], seed: int, game: GameData
) -> list[dict[str, Any]]:
    """Return the players, Gaia first, with the civilisations that the seed draws.

    Each player has a draw of its own, so that another number of players changes no civilisation.
    """
    gaia, *others = players
    drawn_players = [dict(gaia)]
    for number, player in enumerate(others, 1):
        drawn_player = dict(player)
        if player.get("Civ") == RANDOM:
            draw = word(seed, number=0, site=crc32(f"Civ {number}".encode()))
            code, _name = game.civs[draw % len(game.civs)]
            drawn_player["Civ"] = code
        drawn_players.append(drawn_player)
    return drawn_players


def _as_in_game(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's values under the game's names, without those that are not set.

    A colour can be ``Color`` or ``Colour``, an object or ``#rrggbb``; relations a list or its text.
    Raises ProblemError.
    """
    values = {name: value for name, value in row.items() if value is not None and value != ""}
    colour = values.pop("Colour", None)
    if colour is not None:
        values.setdefault("Color", colour)
    if values.get("AI") == "false":  # as it is typed in a form
        values["AI"] = False
    if isinstance(values.get("Color"), str):
        values["Color"] = _parsed_colour(values["Color"])
    if isinstance(values.get("Diplomacy"), str):
        values["Diplomacy"] = _parsed_relations(values["Diplomacy"])
    return values


def _parsed_colour(text: str) -> object:
    """Return the colour of a player as the game has it. Raises ProblemError."""
    try:
        return colour_of(text)
    except ValueError:
        raise _bad_text("Color", _COLOUR_EXAMPLE, text) from None


def _parsed_relations(text: str) -> list[int]:
    """Return a player's relations to all players, from a JSON list. Raises ProblemError."""
    try:
        numbers = json.loads(text)
    except (ValueError, RecursionError):
        raise _bad_text("Diplomacy", _RELATIONS_EXAMPLE, text) from None
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise _bad_text("Diplomacy", _RELATIONS_EXAMPLE, text)
    return numbers


def _bad_text(name: str, example: str, text: str) -> ProblemError:
    """Return the error for a text that is no value of a player."""
    message = f'a player\'s {name} is like {example}, not "{text[:40]}"'
    return error("zeroad-players", message)
