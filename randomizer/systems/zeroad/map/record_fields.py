"""The fields of forms for a map's records: environment, camera, and each player.

    fields = fields_of(ENVIRONMENT)
    settings, values = described_fields(battlemap, fields)    # for a form
    edit = change_field(battlemap, fields[0], 45.0)           # what a person entered

Values of a form are degrees, ``#rrggbb`` and tiles; the records have radians, ``r``, ``g``, ``b``
(0 to 1 in the environment, 0 to 255 of players) and metres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.model.edits.thing_edits import remove_owner
from randomizer.model.edits.value_edits import chained, compound
from randomizer.model.planes.corners import heights_around
from randomizer.model.settings.setting import COLOUR, Setting
from randomizer.systems.zeroad.installation.game_data import USUAL, civ_choices, colour_of
from randomizer.systems.zeroad.installation.template_catalog import (
    METRES_PER_TILE,
    latest_catalog,
)
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS, NO_TEAM, TEAMS
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import (
    BY_HAND,
    PLAYERS,
    SETTINGS,
    finite_number,
    record_data,
    set_value,
    settings_of_map,
    value_at,
)

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

COLOUR_OF = "colour"
"""The form of a field whose record has an object with r, g and b; the form shows ``#rrggbb``."""

GLARE = "glare"
"""The form of a field for the largest of r, g and b, where it is above 1.

The sun can be brighter than white: a colour with its glare has parts above 1.
"""

ANGLE = "angle"
"""The form of a field whose record has radians; the form shows degrees."""

CHOICE = "choice"
"""The form of a field whose record has a text, one of several."""


class Field(NamedTuple):
    """A value of a record as a field of a form."""

    setting: Setting
    """Its description for the form."""
    record: str
    """The name of the record."""
    path: tuple[str, ...]
    """The keys that lead to it in the record."""
    form: str
    """One of the constants above; else the value is a plain number."""


@registered(count=2, bytes_each=20 * KB)
@cache
def fields_of(record: str) -> tuple[Field, ...]:
    """Return the fields of a record, ``ENVIRONMENT`` or ``CAMERA``, from ``record_fields.tsv``.

    They are those of the game's own editor. What a record lacks is as in the game's scripts
    (``maps/random/rmgen/environment.js`` of release 26).
    """
    rows = packaged_table("randomizer.systems.zeroad.map", "record_fields.tsv")
    return tuple(_field(*row) for row in rows if row[0] == record)


def _field(
    record: str,
    path: str,
    form: str,
    title: str,
    usual: str,
    least: str,
    most: str,
    unit: str,
    group: str,
    choices: str,
    help_text: str,
) -> Field:
    """Return the field of a row of ``record_fields.tsv``; the parameters are its columns."""
    setting = Setting(
        f"{path}.{form}",
        float,
        help_text,
        title=title,
        group=group,
        unit=unit,
        decimals=3,
        choices=tuple((choice, choice) for choice in choices.split()),
        least=int(least) if least else None,
        most=int(most) if most else None,
    )
    if form == COLOUR_OF:
        setting = replace(setting, kind=str, default=usual, pattern=COLOUR, example="#1560d0")
    elif form == CHOICE:
        setting = replace(setting, kind=str, default=usual)
    else:
        setting = replace(setting, default=float(usual))
    return Field(setting, record, tuple(path.split(".")), form)


def described_fields(
    battlemap: BattleMap, fields: Sequence[Field]
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of fields, and their values on a map by name.

    A field that the records of the map lack has no value. A value that is none of the choices, such
    as the sky of a mod, becomes one.
    """
    settings = list[Setting]()
    values = dict[str, object]()
    for field in fields:
        setting = field.setting
        value_in_record = value_at(record_data(battlemap.records, field.record), field.path)
        value = _value_in_form(field, value_in_record)
        if value is not None:
            values[setting.name] = value
            if setting.choices and value not in setting.values:
                choices = (*setting.choices, (str(value), str(value)))
                setting = replace(setting, choices=choices)
        settings.append(setting)
    return tuple(settings), values


def change_field(battlemap: BattleMap, field: Field, value: object) -> Edit | None:
    """Return the edit that gives a field the value of a form; None if it has that.

    Raises ValueError for a text that is no colour.
    """
    former_value = value_at(record_data(battlemap.records, field.record), field.path)
    new_value = value
    if field.form == ANGLE:
        new_value = math.radians(float(str(value)))
    elif field.form == COLOUR_OF:
        new_value = _with_colour(former_value, str(value))
    elif field.form == GLARE:
        new_value = _with_glare(former_value, float(str(value)))
    return set_value(battlemap, field.record, field.path, new_value)


def _with_colour(former_value: object, text: str) -> dict[str, Any]:
    """Return the object of a colour in a record: ``text`` is ``#rrggbb``, the glare stays.

    A colour without a part of 255 has no glare: it would not be the brightest of its hue.
    """
    levels = colour_of(text)
    glare = 1.0
    if max(levels.values()) == 255:
        glare = _glare(former_value)
    parts = {name: level / 255 * glare for name, level in levels.items()}
    if isinstance(former_value, dict):
        return {**former_value, **parts}
    return {"a": 0, **parts}


def _with_glare(former_value: object, glare: float) -> dict[str, Any]:
    """Return the object of a colour in a record, white by default, with its largest part scaled to
    ``glare``.
    """
    colour: dict[str, Any] = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 0}
    if isinstance(former_value, dict):
        colour = former_value
    brightest = max(_level(colour, part) for part in "rgb")
    factor = glare / (brightest or 1.0)
    return {**colour, **{part: _level(colour, part) * factor for part in "rgb"}}


def _value_in_form(field: Field, value: object) -> object:
    """Return the value of a form for that of a record, None for one of another kind."""
    if field.form in (COLOUR_OF, GLARE):
        if not isinstance(value, dict):
            return None
        glare = _glare(value)
        if field.form == GLARE:
            return round(glare, 2)
        return _hex(value, 255 / glare)
    if field.form == CHOICE:
        if isinstance(value, str) and value:
            return value
        return None
    number = finite_number(value)
    if number is not None and field.form == ANGLE:
        return round(math.degrees(number), 2)
    return number


def _level(colour: Mapping[str, object], part: str) -> float:
    """Return the part ``r``, ``g`` or ``b`` of a colour, 0 for a missing or negative one."""
    level = finite_number(colour.get(part))
    if level is None:
        return 0.0
    return max(0.0, level)


def _glare(colour: object) -> float:
    """Return the largest part of a colour if it is above 1, else 1."""
    if not isinstance(colour, dict):
        return 1.0
    return max(1.0, *(_level(colour, part) for part in "rgb"))


def _hex(colour: Mapping[str, object], scale: float) -> str:
    """Return a colour as ``#rrggbb``; its parts times ``scale`` are 0 to 255."""
    levels = [round(_level(colour, part) * scale) for part in "rgb"]
    return "#" + bytes(min(255, level) for level in levels).hex()


# --- players --------------------------------------------------------------------------------------

PLAYERS_SETTING = "Players"
"""The setting of rolls that says how many players there are."""

FEWEST_PLAYERS = 1
"""The smallest number of players on a map, without Gaia."""

_GROUP = "Player"
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
"""The names of the two settings of what a player sees first begin so; an axis follows."""

LOOKS_AT = tuple(
    Setting(
        LOOKS_AT_AXIS + axis,
        float,
        f"What the player sees first, in tiles; not set: what is owned there. The {axis}",
        None,
        (),
        0,
        1024,
        title=f"Looks at {axis}",
        unset="at its own",
        group=_GROUP,
    )
    for axis in "xz"
)
_TILT = 35
"""The degrees by which the game's own maps look down at the beginning."""


def players_of(battlemap: BattleMap) -> list[dict[str, Any]]:
    """Return the players of a map, Gaia first; the game's usual ones where it names none."""
    rows = settings_of_map(battlemap).get(PLAYERS)
    if not isinstance(rows, list) or len(rows) < 2:  # Gaia alone
        rows = [None, *USUAL.players[1:]]
    players = list[dict[str, Any]]()
    for number, row in enumerate(rows[: MOST_PLAYERS + 1]):
        values = row if isinstance(row, dict) else {}
        players.append({**USUAL.players[number], "Team": -1, **values})
    return players


def civs() -> tuple[tuple[str, str], ...]:
    """Return the civilisations of the installed game, as far as it was read, or the usual ones."""
    catalog = latest_catalog()
    if catalog is None:
        return USUAL.civs
    return catalog.civs


def described_player(
    battlemap: BattleMap, number: int
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a player (1 is the first), and their values."""
    player = players_of(battlemap)[number]
    civ = str(player.get("Civ", ""))
    choices = civ_choices(civs())
    if civ not in dict(choices):
        choices = (*choices, (civ, civ))
    team = player["Team"]
    if team not in TEAM.values:
        team = -1
    colour = player.get("Color")
    if not isinstance(colour, dict):
        colour = {}
    values: dict[str, object] = {
        "Name": str(player.get("Name", "")),
        "Civ": civ,
        "Team": team,
        "Color": _hex(colour, 1),
    }
    values |= {LOOKS_AT_AXIS + axis: tiles for axis, tiles in _seen_first(player).items()}
    return (NAME, replace(CIV, choices=choices), TEAM, PLAYER_COLOUR, *LOOKS_AT), values


def _seen_first(player: Mapping[str, Any]) -> dict[str, float]:
    """Return the point that a player sees first, x and z in tiles; {} if the record has none."""
    position = value_at(player, ("StartingCamera", "Position"))
    metres = {axis: finite_number(value_at(position, (axis,))) for axis in "xz"}
    return {axis: metre / METRES_PER_TILE for axis, metre in metres.items() if metre is not None}


def change_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that gives a player another value; None if it has that.

    Raises ValueError for a colour that is none, and a name that is empty.
    """
    if name == PLAYER_COLOUR.name:
        value = colour_of(str(value))
    elif name == NAME.name and not str(value or "").strip():
        raise ValueError("a player has a name")
    if name.startswith(LOOKS_AT_AXIS):
        if value is None:
            return look_at(battlemap, number, None)
        axis = name.removeprefix(LOOKS_AT_AXIS)
        point = {"x": 0.0, "z": 0.0, **_seen_first(players_of(battlemap)[number])}
        point[axis] = float(str(value or 0))
        return look_at(battlemap, number, (point["x"], point["z"]))
    return _set_player(battlemap, number, name, value)


def look_at(battlemap: BattleMap, number: int, at: tuple[float, float] | None) -> Edit | None:
    """Return the edit after which a player first sees a point, (x, z) in tiles.

    None as the point lets the game choose: what the player owns. The camera looks at the ground
    there.
    """
    if at is None:
        return _set_player(battlemap, number, "StartingCamera", None)
    grid = battlemap.grid
    x, z = at
    # z goes north from the corner of the map, rows of cells go south from a cell's centre.
    cell = grid.cell_at(x - 0.5, grid.height - z - 0.5)
    ground_height = 0.0
    if cell >= 0:
        heights = battlemap.composite().planes[HEIGHT.name]
        corner_heights = heights_around(grid, heights, np.array([cell]))
        ground_height = float(corner_heights.mean()) / UNITS_PER_METRE
    position = {
        "x": x * METRES_PER_TILE,
        "y": round(ground_height, 2),
        "z": z * METRES_PER_TILE,
    }
    camera = {"Position": position, "Rotation": {"x": _TILT, "y": 0, "z": 0}}
    return _set_player(battlemap, number, "StartingCamera", camera)


def why_not_add_player(battlemap: BattleMap) -> str:
    """Return why a map can have no further player, as a sentence; "" if it can."""
    is_full = len(players_of(battlemap)) > MOST_PLAYERS
    if is_full:
        return f"A map has at most {MOST_PLAYERS} players."
    return ""


def add_player(battlemap: BattleMap) -> Edit | None:
    """Return the edit that adds the game's usual player of the next number.

    Raises ValueError if there are as many as there can be.
    """
    why_not = why_not_add_player(battlemap)
    if why_not:
        raise ValueError(why_not.removesuffix("."))
    return change_player_count(battlemap, len(players_of(battlemap)))


def remove_player(battlemap: BattleMap, number: int) -> Edit | None:
    """Return the edit that removes a player (1 is the first): what it owns is Gaia's.

    The players behind it move up, with what they own. Raises ValueError for the only player.
    """
    players = players_of(battlemap)
    if len(players) <= FEWEST_PLAYERS + 1:
        raise ValueError("a map has at least one player")
    del players[number]
    edits = (
        set_value(battlemap, SETTINGS, (PLAYERS,), players),
        remove_owner(battlemap, number),
    )
    return compound(edits)


def change_player_count(battlemap: BattleMap, count: int) -> Edit | None:
    """Return the edit after which a map has ``count`` players beside Gaia; None if it has them.

    New ones are the game's usual ones of their numbers; what the last ones own that are removed is
    Gaia's. Raises ValueError for a number that no map can have.
    """
    if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
        raise ValueError(f"a map has {FEWEST_PLAYERS} to {MOST_PLAYERS} players")
    former_players = players_of(battlemap)
    former_count = len(former_players) - 1
    if count == former_count:
        return None
    defaults = USUAL.players[len(former_players) : count + 1]
    new_players = [{**player, "Team": -1} for player in defaults]
    players = [*former_players[: count + 1], *new_players]
    make_edits = [partial(set_value, battlemap, SETTINGS, (PLAYERS,), players)]
    # From the last one: removing an owner renumbers those behind it.
    for number in range(former_count, count, -1):
        make_edits.append(partial(remove_owner, battlemap, number))
    return chained(battlemap, make_edits)


def _set_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that sets a value of a player, or removes it (None); None if it is so.

    The name is noted in ``BY_HAND``, so that a roll keeps the value.
    """
    players = players_of(battlemap)
    player = {key: former for key, former in players[number].items() if key != name}
    if value is not None:
        player[name] = value
    if player == players[number]:
        return None
    names_by_hand = player.get(BY_HAND)
    if not isinstance(names_by_hand, list):
        names_by_hand = []
    if name not in names_by_hand:
        names_by_hand = [*names_by_hand, name]
    player[BY_HAND] = names_by_hand
    players[number] = player
    return set_value(battlemap, SETTINGS, (PLAYERS,), players)
