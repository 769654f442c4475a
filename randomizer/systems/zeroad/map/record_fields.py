"""What a form shows and changes of a map's records: environment, camera, and each player.

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
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS
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
GLARE = "glare"
ANGLE = "angle"
CHOICE = "choice"
"""How records hold what is no plain number: r, g and b; how far the largest of these is above 1;
radians; a text."""


class Field(NamedTuple):
    """A value of a record: its description, where it stands, and how it is held there."""

    setting: Setting
    record: str
    path: tuple[str, ...]
    form: str


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
    is_text = form in (COLOUR_OF, CHOICE)
    setting = Setting(
        f"{path}.{form}",
        str if is_text else float,
        help_text,
        usual if is_text else float(usual),
        tuple((each, each) for each in choices.split()),
        int(least) if least else None,
        int(most) if most else None,
        title=title,
        group=group,
        pattern=COLOUR if form == COLOUR_OF else "",
        example="#1560d0" if form == COLOUR_OF else "",
        unit=unit,
        decimals=3,
    )
    return Field(setting, record, tuple(path.split(".")), form)


def described_fields(
    battlemap: BattleMap, fields: Sequence[Field]
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of fields, and their values on a map; what it lacks has no value."""
    settings = []
    values = {}
    for field in fields:
        setting = field.setting
        held = value_at(record_data(battlemap.records, field.record), field.path)
        value = _shown(field, held)
        if value is not None:
            values[setting.name] = value
            if setting.choices and value not in setting.values:
                odd = (*setting.choices, (str(value), str(value)))
                setting = replace(setting, choices=odd)
        settings.append(setting)
    return tuple(settings), values


def change_field(battlemap: BattleMap, field: Field, value: object) -> Edit | None:
    """Return the edit that gives a field another value; None if it has that.

    Raises ValueError for a colour that is none.
    """
    held = value_at(record_data(battlemap.records, field.record), field.path)
    if field.form == ANGLE:
        value = math.radians(float(str(value)))
    elif field.form == COLOUR_OF:
        levels = colour_of(str(value))
        glare = _glare(held) if max(levels.values()) == 255 else 1.0  # a dark colour has none
        parts = {name: level / 255 * glare for name, level in levels.items()}
        value = {**(held if isinstance(held, dict) else {"a": 0}), **parts}
    elif field.form == GLARE:
        if isinstance(held, dict):
            base = held
        else:
            base = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 0}
        brightest = max(_level(base, part) for part in "rgb")
        factor = float(str(value)) / (brightest or 1.0)
        value = {**base, **{each: _level(base, each) * factor for each in "rgb"}}
    return set_value(battlemap, field.record, field.path, value)


def _shown(field: Field, held: object) -> object:
    """Return what a form shows of a value of a record, None for what is none."""
    if field.form in (COLOUR_OF, GLARE):
        if not isinstance(held, dict):
            return None
        glare = _glare(held)
        if field.form == GLARE:
            return round(glare, 2)
        return _hex(held, 255 / glare)
    number = finite_number(held)
    if field.setting.kind is float:
        if number is None:
            return None
        if field.form == ANGLE:
            return round(math.degrees(number), 2)
        return number
    return held if isinstance(held, str) and held else None


def _level(colour: Mapping[str, object], part: str) -> float:
    level = finite_number(colour.get(part))
    if level is None:
        return 0.0
    return max(0.0, level)


def _glare(colour: object) -> float:
    if isinstance(colour, dict):
        levels = [_level(colour, part) for part in "rgb"]
    else:
        levels = []
    return max([1.0, *levels])


def _hex(colour: Mapping[str, object], scale: float) -> str:
    return "#" + bytes(min(255, round(_level(colour, part) * scale)) for part in "rgb").hex()


# --- players --------------------------------------------------------------------------------------

PLAYERS_SETTING = "Players"
"""The setting of rolls that says how many players there are."""

FEWEST_PLAYERS = 1
"""Without Gaia."""

_GROUP = "Player"
NAME = Setting("Name", str, "What the player is called", "", title="Name", group=_GROUP)
CIV = Setting("Civ", str, "The civilisation", "", title="Civilisation", group=_GROUP)
TEAM = Setting(
    "Team",
    int,
    "Players of one team are allies. In its own setup the game asks for the teams again",
    -1,
    ((-1, "none"), *((number, str(number + 1)) for number in range(MOST_PLAYERS))),
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
"""By which the game's own maps look down at the beginning, in degrees."""


def players_of(battlemap: BattleMap) -> list[dict[str, Any]]:
    """Return the players of a map, Gaia first; the game's usual ones where it names none."""
    rows_in_record = settings_of_map(battlemap).get(PLAYERS)
    if isinstance(rows_in_record, list) and len(rows_in_record) > 1:
        rows = rows_in_record
    else:
        rows = [None, *USUAL.players[1:]]
    rows = [each if isinstance(each, dict) else {} for each in rows[: MOST_PLAYERS + 1]]
    usual = USUAL.players
    return [{**usual[number], "Team": -1, **row} for number, row in enumerate(rows)]


def civs() -> tuple[tuple[str, str], ...]:
    """Return the civilisations of the installed game, as far as it was read, or the usual ones."""
    catalog = latest_catalog()
    return USUAL.civs if catalog is None else catalog.civs


def described_player(
    battlemap: BattleMap, number: int
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a player (1 is the first), and their values."""
    player = players_of(battlemap)[number]
    civ = str(player.get("Civ", ""))
    choices = civ_choices(civs())
    if civ not in dict(choices):
        choices = (*choices, (civ, civ))
    colour = player.get("Color")
    values: dict[str, object] = {
        "Name": str(player.get("Name", "")),
        "Civ": civ,
        "Team": player["Team"] if player["Team"] in TEAM.values else -1,
        "Color": _hex(colour if isinstance(colour, dict) else {}, 1),
    }
    values |= {LOOKS_AT_AXIS + axis: tiles for axis, tiles in _seen_first(player).items()}
    return (NAME, replace(CIV, choices=choices), TEAM, PLAYER_COLOUR, *LOOKS_AT), values


def _seen_first(player: Mapping[str, Any]) -> dict[str, float]:
    """Return what a player sees first, x and z in tiles; empty where nothing is said."""
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
    axis = name.removeprefix(LOOKS_AT_AXIS)
    if axis != name:
        seen = _seen_first(players_of(battlemap)[number])
        at = {**dict.fromkeys("xz", 0.0), **seen, axis: float(str(value or 0))}
        return look_at(battlemap, number, None if value is None else (at["x"], at["z"]))
    return _set_player(battlemap, number, name, value)


def look_at(battlemap: BattleMap, number: int, at: tuple[float, float] | None) -> Edit | None:
    """Return the edit after which a player first sees ``at`` (x, z in tiles); None: its own."""
    if at is None:
        return _set_player(battlemap, number, "StartingCamera", None)
    grid = battlemap.grid
    (x, z) = at
    cell = grid.cell_at(x - 0.5, grid.height - z - 0.5)
    ground = 0.0
    if cell >= 0:
        heights = battlemap.composite().planes[HEIGHT.name]
        ground = float(heights_around(grid, heights, np.array([cell])).mean()) / UNITS_PER_METRE
    place = {"x": x * METRES_PER_TILE, "y": round(ground, 2), "z": z * METRES_PER_TILE}
    camera = {"Position": place, "Rotation": {"x": _TILT, "y": 0, "z": 0}}
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
    players = players_of(battlemap)
    count_before = len(players) - 1
    if count == count_before:
        return None
    new_players = [{**player, "Team": -1} for player in USUAL.players[len(players) : count + 1]]
    players = [*players[: count + 1], *new_players]
    makes = [partial(set_value, battlemap, SETTINGS, (PLAYERS,), players)]
    for number in range(count_before, count, -1):
        makes.append(partial(remove_owner, battlemap, number))
    return chained(battlemap, makes)


def _set_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    players = players_of(battlemap)
    changed = {key: held for key, held in players[number].items() if key != name}
    if value is not None:
        changed[name] = value
    if changed == players[number]:
        return None
    by_hand = changed.get(BY_HAND)
    names_by_hand = by_hand if isinstance(by_hand, list) else []
    changed[BY_HAND] = [*names_by_hand, *({name} - set(names_by_hand))]
    players[number] = changed
    return set_value(battlemap, SETTINGS, (PLAYERS,), players)
