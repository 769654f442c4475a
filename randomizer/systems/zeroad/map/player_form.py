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
from randomizer.systems.zeroad.map.players import (
    clear_first_view,
    players_of,
    set_first_view,
    set_player,
)
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
_FARTHEST_VIEW = 1024
"""The largest coordinate, in tiles, of the point that a player sees first: no map is wider."""


def _first_view_setting(axis: str) -> Setting:
    """Return the setting for a coordinate of the point that a player sees first."""
    return Setting(
        f"looks-at-{axis}",
        float,
        f"The {axis}, in tiles, of the point that the player sees first; unset: the player's base",
        minimum=0,
        maximum=_FARTHEST_VIEW,
        title=f"First view {axis}",
        unset="the base",
        group=_GROUP,
    )


LOOKS_AT_X = _first_view_setting("x")
LOOKS_AT_Z = _first_view_setting("z")


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
    civ_setting = replace(CIV, choices=choices)
    return (NAME, civ_setting, TEAM, PLAYER_COLOUR, LOOKS_AT_X, LOOKS_AT_Z), values


def player_values(battlemap: BattleMap, number: int) -> dict[str, object]:
    """Return the values in the form of a player (1 is the first), by the names of the settings.

    There always is a value of ``NAME``, ``CIV``, ``TEAM`` and ``PLAYER_COLOUR``; those of
    ``LOOKS_AT_X`` and ``LOOKS_AT_Z`` are left out if the record has none.
    """
    player = players_of(battlemap)[number]
    # The record can have a value of a wrong type, or one that the form cannot show.
    team = player.get("Team")
    if team not in TEAM.values:
        team = NO_TEAM
    colour = player.get("Color")
    if not isinstance(colour, dict):
        colour = {}
    levels_per_unit = 1  # the record has levels of 0 to 255 already

    values: dict[str, object] = {
        NAME.name: str(player.get("Name", "")),
        CIV.name: str(player.get("Civ", "")),
        TEAM.name: team,
        PLAYER_COLOUR.name: hex_colour(colour, levels_per_unit),
    }
    x, z = _first_view(player)
    if x is not None:
        values[LOOKS_AT_X.name] = x
    if z is not None:
        values[LOOKS_AT_Z.name] = z
    return values


def change_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that gives a player another value; None if it has that.

    ``name`` is that of a setting of ``described_player``, ``value`` what a person entered, None for
    a field that was emptied. Raises ValueError for a colour that is none, and a name that is empty.
    """
    if name == NAME.name:
        if not str(value or "").strip():
            raise ValueError("a player has a name")
        return set_player(battlemap, number, name, value)
    if name == PLAYER_COLOUR.name:
        return set_player(battlemap, number, name, colour_of(str(value)))
    if name in (LOOKS_AT_X.name, LOOKS_AT_Z.name):
        return _change_first_view(battlemap, number, name, value)
    return set_player(battlemap, number, name, value)


def _change_first_view(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit of an entered coordinate of the point that a player sees first.

    The form has a field for each coordinate, and a point needs both. So the one that was not
    entered stays, or is 0 for a player without a point; and to empty one field removes the point.
    """
    if value is None:
        return clear_first_view(battlemap, number)
    x, z = _first_view(players_of(battlemap)[number])
    if name == LOOKS_AT_X.name:
        x = float(str(value))
    else:
        z = float(str(value))
    if x is None:
        x = 0.0
    if z is None:
        z = 0.0
    return set_first_view(battlemap, number, (x, z))


def _first_view(player: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the point that a player sees first, (x, z) in tiles; None for what is not recorded."""
    position = value_at(player, ("StartingCamera", "Position"))
    return _tiles(value_at(position, ("x",))), _tiles(value_at(position, ("z",)))


def _tiles(metres: object) -> float | None:
    """Return a coordinate of the record, in metres, in tiles; None for what is no number."""
    number = finite_number(metres)
    if number is None:
        return None
    return number / METRES_PER_TILE
