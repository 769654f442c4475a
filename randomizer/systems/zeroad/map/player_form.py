"""Describes the form of a player of a map, and makes edits of what a person enters there.

    settings, values = described_player(battlemap, 1)         # for the form of the first player
    edit = change_player(battlemap, 1, "Civ", "athen")        # an entered value

The form shows a player of the record (``players``) in other units: colours are ``#rrggbb`` instead
of ``{"r": 21, "g": 55, "b": 149}``, and the point that a player sees first is in tiles instead of
metres.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from randomizer.model.settings.setting import COLOUR, Setting
from randomizer.systems.zeroad.installation.game_choices import USUAL, civ_choices, colour_of
from randomizer.systems.zeroad.installation.template_catalog import (
    METRES_PER_TILE,
    latest_catalog,
)
from randomizer.systems.zeroad.map.json_values import finite_number, value_at
from randomizer.systems.zeroad.map.map_data import NO_TEAM, TEAMS
from randomizer.systems.zeroad.map.players import look_at, players_of, set_player
from randomizer.systems.zeroad.map.record_fields import hex_colour

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

_GROUP = "Player"
"""The heading of the fields."""

# The settings are called as the entries of a player in the record.

NAME = Setting("Name", str, "What the player is called", "", title="Name", group=_GROUP)
CIV = Setting("Civ", str, "The civilisation", "", title="Civilisation", group=_GROUP)
TEAM = Setting(
    "Team",
    int,
    "Players of one team are allies. In its own setup the game asks for the teams again",
    NO_TEAM,
    TEAMS,
    title="Team",
    group=_GROUP,
)
PLAYER_COLOUR = Setting(
    "Color",
    str,
    "The colour of what the player owns. The game's own setup offers it beside its own ones",
    "",
    title="Colour",
    group=_GROUP,
    pattern=COLOUR,
    example="#1560d0",
)
LOOKS_AT_AXIS = "looks-at-"
"""The beginning of the names of the two settings for the point that a player sees first.

The axis follows: "looks-at-x" and "looks-at-z".
"""

_FARTHEST_VIEW = 1024
"""The largest coordinate of that point in tiles."""

LOOKS_AT = tuple(
    Setting(
        LOOKS_AT_AXIS + axis,
        float,
        f"What the player sees first, in tiles; not set: what is owned there. The {axis}",
        minimum=0,
        maximum=_FARTHEST_VIEW,
        title=f"Looks at {axis}",
        unset="at its own",
        group=_GROUP,
    )
    for axis in "xz"
)
"""The two settings for the point that a player sees first."""


def civs() -> tuple[tuple[str, str], ...]:
    """Return the civilisations of the installed game, the usual ones if it was not read."""
    catalog = latest_catalog()
    if catalog is None:
        return USUAL.civs
    return catalog.civs


def described_player(
    battlemap: BattleMap, number: int
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings in the form of a player (1 is the first), and ``player_values``."""
    values = player_values(battlemap, number)
    choices = civ_choices(civs())
    civ = str(values[CIV.name])
    if civ not in dict(choices):  # that of a mod, which no form offers otherwise
        choices = (*choices, (civ, civ))
    return (NAME, replace(CIV, choices=choices), TEAM, PLAYER_COLOUR, *LOOKS_AT), values


def player_values(battlemap: BattleMap, number: int) -> dict[str, object]:
    """Return the values in the form of a player (1 is the first), by the names of the settings.

    There always is a value of ``NAME``, ``CIV``, ``TEAM`` and ``PLAYER_COLOUR``; those of
    ``LOOKS_AT`` are left out if the record has none.
    """
    player = players_of(battlemap)[number]
    # The record can have a value of a wrong type, or one that the form cannot show.
    team = player["Team"]
    if team not in TEAM.values:
        team = NO_TEAM
    colour = player.get("Color")
    if not isinstance(colour, dict):
        colour = {}

    values: dict[str, object] = {
        NAME.name: str(player.get("Name", "")),
        CIV.name: str(player.get("Civ", "")),
        TEAM.name: team,
        PLAYER_COLOUR.name: hex_colour(colour, 1),
    }
    for axis, tiles in _first_view(player).items():
        values[LOOKS_AT_AXIS + axis] = tiles
    return values


def _first_view(player: Mapping[str, Any]) -> dict[str, float]:
    """Return the point that a player sees first, x and z in tiles; {} if the record has none."""
    position = value_at(player, ("StartingCamera", "Position"))
    point: dict[str, float] = {}
    for axis in "xz":
        metres = finite_number(value_at(position, (axis,)))
        if metres is not None:
            point[axis] = metres / METRES_PER_TILE
    return point


def change_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that gives a player another value; None if it has that.

    ``name`` is that of a setting of ``described_player``, ``value`` what a person entered. Raises
    ValueError for a colour that is none, and a name that is empty.
    """
    if name == PLAYER_COLOUR.name:
        value = colour_of(str(value))
    elif name == NAME.name and not str(value or "").strip():
        raise ValueError("a player has a name")
    if name.startswith(LOOKS_AT_AXIS):
        if value is None:
            return look_at(battlemap, number, None)
        # One axis is entered at a time; the other one stays, or begins at 0.
        axis = name.removeprefix(LOOKS_AT_AXIS)
        point = {"x": 0.0, "z": 0.0, **_first_view(players_of(battlemap)[number])}
        point[axis] = float(str(value or 0))
        return look_at(battlemap, number, (point["x"], point["z"]))
    return set_player(battlemap, number, name, value)
