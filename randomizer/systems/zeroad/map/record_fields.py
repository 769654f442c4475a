"""What a form shows and changes of a map's records: environment, camera, and each player.

Values of a form are degrees, ``#rrggbb`` and tiles; the records have radians, ``r``, ``g``, ``b``
(0 to 1 in the environment, 0 to 255 of players) and metres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.corners import heights_around
from randomizer.model.setting import COLOUR, Setting
from randomizer.systems.zeroad.installation.game_data import USUAL, colour_of
from randomizer.systems.zeroad.installation.template_catalog import (
    METRES_PER_TILE,
    latest_catalog,
)
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import (
    BY_HAND,
    CAMERA,
    ENVIRONMENT,
    SETTINGS,
    finite_number,
    record_data,
    set_value,
    settings_of_map,
    value_at,
)

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edits.edit import Edit

ANGLE, COLOUR_PARTS, GLARE, PLAIN = range(4)
"""How a record holds a value: radians; an object of r, g and b; how far the largest of these is
above 1; as the form shows it."""


class Field(NamedTuple):
    """A value of a record: its description, where it stands, and how it is held there."""

    setting: Setting
    record: str
    path: tuple[str, ...]
    form: int = PLAIN


def _colour(record: str, path: str, title: str, help_text: str, usual: str, group: str) -> Field:
    setting = Setting(
        path, str, help_text, usual, title=title, group=group, pattern=COLOUR, example="#1560d0"
    )
    return Field(setting, record, tuple(path.split(".")), COLOUR_PARTS)


def _angle(record: str, path: str, title: str, help_text: str, usual: float, group: str) -> Field:
    degrees = round(math.degrees(usual), 2)
    setting = Setting(
        path, float, help_text, degrees, (), -360, 360, title=title, group=group, unit="°"
    )
    return Field(setting, record, tuple(path.split(".")), ANGLE)


def _number(
    record: str, path: str, title: str, help_text: str, usual: float, group: str, **more: Any
) -> Field:
    setting = Setting(path, float, help_text, usual, title=title, group=group, **more)
    return Field(setting, record, tuple(path.split(".")))


def _choice(path: str, title: str, help_text: str, values: str, usual: str, group: str) -> Field:
    choices = tuple((each, each) for each in values.split())
    setting = Setting(path, str, help_text, usual, choices, title=title, group=group)
    return Field(setting, ENVIRONMENT, tuple(path.split(".")))


_SKIES = (
    "cirrus cloudless cumulus dark dark2 default desert fog mountainous overcast rain stormy "
    "stratus stratus_2 sunny sunrise sunset twilight"
)
_SUN, _WATER, _FOG, _POST = "Sun and sky", "Water", "Fog", "Picture"
_BODY = "Water.WaterBody"
_E = ENVIRONMENT

ENVIRONMENT_FIELDS = (
    _choice("SkySet", "Sky", "The pictures of the sky", _SKIES, "default", _SUN),
    _colour(_E, "SunColor", "Sun", "The colour of the light of the sun", "#fff6d6", _SUN),
    Field(
        Setting(
            "SunColor.glare",
            float,
            "How much brighter than full the light of the sun is",
            1.03,
            (),
            1,
            4,
            title="Overbright",
            group=_SUN,
        ),
        _E,
        ("SunColor",),
        GLARE,
    ),
    _angle(_E, "SunRotation", "Direction", "Whence the sun shines", -0.909, _SUN),
    _angle(_E, "SunElevation", "Elevation", "How high the sun stands", 0.7, _SUN),
    _colour(_E, "AmbientColor", "Ambient", "The light in the shadow", "#5d606b", _SUN),
    _choice(
        f"{_BODY}.Type",
        "Type",
        "What its waves look like",
        "default lake ocean clap",
        "ocean",
        _WATER,
    ),
    _colour(_E, f"{_BODY}.Color", "Colour", "The colour of deep water", "#4c59b3", _WATER),
    _colour(_E, f"{_BODY}.Tint", "Tint", "What lies in the water turns to this", "#474d96", _WATER),
    _number(
        _E,
        f"{_BODY}.Height",
        "Height",
        "In metres of the game's world",
        19.9,
        _WATER,
        least=0,
        most=700,
        unit="m",
    ),
    _number(
        _E, f"{_BODY}.Waviness", "Waviness", "How high the waves are", 8, _WATER, least=0, most=20
    ),
    _number(
        _E,
        f"{_BODY}.Murkiness",
        "Murkiness",
        "How much the tint hides",
        0.45,
        _WATER,
        least=0,
        most=1,
    ),
    _angle(_E, f"{_BODY}.WindAngle", "Wind", "Where the waves go", 0.0, _WATER),
    _number(_E, "Fog.FogFactor", "Density", "0: no fog", 0.0, _FOG, least=0, most=1, decimals=4),
    _number(
        _E,
        "Fog.FogThickness",
        "Thickness",
        "How suddenly it gets dense",
        0.5,
        _FOG,
        least=0,
        most=2,
    ),
    _colour(_E, "Fog.FogColor", "Colour", "The colour of the fog", "#cccccc", _FOG),
    _choice(
        "Postproc.PostprocEffect",
        "Effect",
        "What is done to the whole picture",
        "default hdr DOF",
        "default",
        _POST,
    ),
    _number(_E, "Postproc.Brightness", "Brightness", "0: as it is", 0.0, _POST, least=-1, most=1),
    _number(_E, "Postproc.Contrast", "Contrast", "1: as it is", 1.0, _POST, least=0, most=2),
    _number(_E, "Postproc.Saturation", "Saturation", "1: as it is", 1.0, _POST, least=0, most=2),
    _number(
        _E, "Postproc.Bloom", "Bloom", "How much bright parts shine", 0.2, _POST, least=0, most=1
    ),
)
"""The environment as the game's own editor offers it; defaults are those of the game's scripts
(``maps/random/rmgen/environment.js`` of release 26)."""

CAMERA_FIELDS = (
    *(
        _number(CAMERA, f"Position.{axis}", title, "In metres", usual, "The map's camera", unit="m")
        for axis, title, usual in (("x", "From x", 256), ("z", "From z", 256), ("y", "Height", 150))
    ),
    _angle(CAMERA, "Rotation", "Direction", "Where it looks", 0.0, "The map's camera"),
    _angle(CAMERA, "Declination", "Tilt", "How far it looks down", 0.523599, "The map's camera"),
)
"""Where the game looks from where a player has nothing to look at."""


def described_fields(
    battlemap: BattleMap, fields: Sequence[Field]
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of fields, and their values on a map; what it lacks has no value."""
    settings, values = [], {}
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
    elif field.form == COLOUR_PARTS:
        glare = _glare(held)
        parts = {name: level / 255 * glare for name, level in colour_of(str(value)).items()}
        value = {**(held if isinstance(held, dict) else {"a": 0}), **parts}
    elif field.form == GLARE:
        base = held if isinstance(held, dict) else {"r": 1.0, "g": 0.96, "b": 0.84, "a": 0}
        factor = float(str(value)) / _glare(base)
        value = {**base, **{each: _level(base, each) * factor for each in "rgb"}}
    return set_value(battlemap, field.record, field.path, value)


def _shown(field: Field, held: object) -> object:
    """What a form shows of a value of a record, None for what is none."""
    if field.form in (COLOUR_PARTS, GLARE):
        if not isinstance(held, dict):
            return None
        glare = _glare(held)
        return round(glare, 2) if field.form == GLARE else _hex(held, 255 / glare)
    number = finite_number(held)
    if field.setting.kind is float:
        if number is None:
            return None
        return round(math.degrees(number), 2) if field.form == ANGLE else number
    return held if isinstance(held, str) and held else None


def _level(colour: Mapping[str, object], part: str) -> float:
    level = finite_number(colour.get(part))
    return 0.0 if level is None else max(0.0, level)


def _glare(colour: object) -> float:
    levels = [_level(colour, part) for part in "rgb"] if isinstance(colour, dict) else []
    return max([1.0, *levels])


def _hex(colour: Mapping[str, object], scale: float) -> str:
    return "#" + bytes(min(255, round(_level(colour, part) * scale)) for part in "rgb").hex()


# --- players --------------------------------------------------------------------------------------

PLAYERS = "PlayerData"

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
    "The colour of what the player owns",
    "",
    title="Colour",
    group=_GROUP,
    pattern=COLOUR,
    example="#1560d0",
)
LOOKS_AT = tuple(
    Setting(
        f"looks-at-{axis}",
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
    said = settings_of_map(battlemap).get(PLAYERS)
    rows = said if isinstance(said, list) and len(said) > 1 else [None, *USUAL.players[1:]]
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
    civ, choices = str(player.get("Civ", "")), civs()
    if civ not in dict(choices):
        choices = (*choices, (civ, civ))
    colour = player.get("Color")
    values: dict[str, object] = {
        "Name": str(player.get("Name", "")),
        "Civ": civ,
        "Team": player["Team"] if player["Team"] in TEAM.values else -1,
        "Color": _hex(colour if isinstance(colour, dict) else {}, 1),
    }
    position = value_at(player, ("StartingCamera", "Position"))
    for axis, setting in zip("xz", LOOKS_AT, strict=True):
        metres = finite_number(value_at(position, (axis,)))
        if metres is not None:
            values[setting.name] = metres / METRES_PER_TILE
    return (NAME, replace(CIV, choices=choices), TEAM, PLAYER_COLOUR, *LOOKS_AT), values


def change_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that gives a player another value; None if it has that.

    Raises ValueError for a colour that is none, and a name that is empty.
    """
    if name == PLAYER_COLOUR.name:
        value = colour_of(str(value))
    elif name == NAME.name and not str(value or "").strip():
        raise ValueError("a player has a name")
    for axis, setting in zip("xz", LOOKS_AT, strict=True):
        if name == setting.name:
            position = value_at(players_of(battlemap)[number], ("StartingCamera", "Position"), {})
            tiles = {
                each: (finite_number(position.get(each)) or 0.0) / METRES_PER_TILE for each in "xz"
            }
            if value is None:
                return look_at(battlemap, number, None)
            return look_at(battlemap, number, (*{**tiles, axis: float(str(value))}.values(),))
    return _set_player(battlemap, number, name, value)


def look_at(battlemap: BattleMap, number: int, at: tuple[float, ...] | None) -> Edit | None:
    """Return the edit after which a player first sees ``at`` (x, z in tiles); None: its own."""
    if at is None:
        return _set_player(battlemap, number, "StartingCamera", None)
    grid, (x, z) = battlemap.grid, at
    cell = grid.cell_at(x - 0.5, grid.height - z - 0.5)
    ground = 0.0
    if cell >= 0:
        heights = battlemap.composite().planes[HEIGHT.name]
        ground = float(heights_around(grid, heights, np.array([cell])).mean()) / UNITS_PER_METRE
    place = {"x": x * METRES_PER_TILE, "y": round(ground, 2), "z": z * METRES_PER_TILE}
    camera = {"Position": place, "Rotation": {"x": _TILT, "y": 0, "z": 0}}
    return _set_player(battlemap, number, "StartingCamera", camera)


def _set_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    players = players_of(battlemap)
    changed = {key: held for key, held in players[number].items() if key != name}
    if value is not None:
        changed[name] = value
    if changed == players[number]:
        return None
    by_hand = changed.get(BY_HAND)
    known = by_hand if isinstance(by_hand, list) else []
    changed[BY_HAND] = [*known, *({name} - set(known))]
    players[number] = changed
    return set_value(battlemap, SETTINGS, (PLAYERS,), players)
