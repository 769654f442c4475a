"""What the form of the panel asks of a terrain, a hexside, a way, and of the set as a whole."""

from __future__ import annotations

from dataclasses import replace

from app.render.pictures.terrain_pictures import PATTERNS, picture_names
from randomizer.model.settings.setting import COLOUR, Setting
from randomizer.model.terrain.sight import blocks_sight
from randomizer.model.terrain.terrain import WAY_STYLES, Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import LONGEST_WORD, MOST_COST, MOST_WIDTH

OWN = "\N{HORIZONTAL ELLIPSIS}"
"""The value of the picture of a terrain that has one of the user's own."""

_NAME = Setting(
    "name", str, "Cells that are painted keep the terrain when its name changes", "", title="Name"
)
_COLOUR = Setting(
    "colour",
    str,
    "The colour where no picture is drawn, such as #80c080",
    "#808080",
    title="&Colour",
    pattern=COLOUR,
    example="#80c080",
)
_COST = Setting(
    "cost",
    float,
    "What entering a cell costs; the easiest ground costs 1",
    None,
    least=0,
    most=int(MOST_COST),
    title="Move cost",
    unset="impassable",
)
_SIGHT = Setting(
    "blocks_sight",
    bool,
    "On virtual tables a wall that nobody looks through",
    False,
    title="Blocks sight",
)
_ABOUT = Setting("description", str, "What its tool tip says", "", title="&Description")

_PICTURE = Setting(
    "picture", str, "The picture by its meaning, one of ours or your own", "", title="&Picture"
)
_GROUND = Setting("ground", str, "The picture on whose ground it stands", "", title="&Ground")
_TERRAIN = (
    Setting(
        "pattern",
        str,
        "Drawn on the colour in place of a picture",
        "",
        (("", "None"), *((each, each.capitalize()) for each in PATTERNS)),
        title="P&attern",
    ),
    Setting("code", str, "What files of other programs call it", "", title="C&ode"),
    _COST,
    Setting(
        "priority",
        int,
        "Terrains of higher priority run over others where they meet",
        None,
        least=-1000,
        most=1000,
        title="Pr&iority",
        unset="as its picture",
    ),
    Setting("water", bool, "It is no land", False, title="&Water"),
    Setting("body", bool, "Cells of it are drawn as one area", False, title="One area"),
    _SIGHT,
    _ABOUT,
)
_HEXSIDE = (
    _NAME,
    _COLOUR,
    Setting("letter", str, "Its own letter, in files and formats", "", title="Letter"),
    Setting("higher", bool, "It belongs to the higher cell", False, title="Of the hi&gher cell"),
    _SIGHT,
    _ABOUT,
)
_WAY = (
    _NAME,
    _COLOUR,
    Setting(
        "style",
        str,
        "How it is drawn",
        WAY_STYLES[0],
        tuple((each, each.capitalize()) for each in WAY_STYLES),
        title="St&yle",
    ),
    Setting("width", float, "1 is usual", 1.0, least=0, most=int(MOST_WIDTH), title="&Width"),
    replace(_COST, help="What going along it costs; the easiest ground costs 1", unset="no help"),
    _ABOUT,
)
_HEIGHT = Setting("", int, "", 0, least=-500, most=500)
"""What both ends of the elevations have in common; each gets its name and title below."""
SET = (
    Setting("name", str, "The name of the terrain set", "", title="Name"),
    replace(
        _HEIGHT, name="lowest", title="L&owest elevation", help="The lowest that can be painted"
    ),
    replace(
        _HEIGHT, name="highest", title="Hi&ghest elevation", help="The highest that can be painted"
    ),
)
"""What is asked of the set as a whole."""

NEW: dict[str, Terrain | Hexside | Way] = {
    "terrains": Terrain("New terrain", "#9aa77c"),
    "hexsides": Hexside("New {side}", "a", "#6f6a64"),
    "ways": Way("New route", "road", "#b08d57"),
}
"""What the panel adds to each list of a set. The name of the hexside is a template, see
``cell_text``."""


def settings_of(entry: Terrain | Hexside | Way) -> tuple[Setting, ...]:
    """Return what is asked of an entry."""
    if isinstance(entry, Hexside):
        return _HEXSIDE
    if isinstance(entry, Way):
        return _WAY
    ours = tuple((picture_name, picture_name) for picture_name in picture_names())
    choices = (("", "By its name"), (OWN, "Own picture..."), *ours)
    picture = replace(_PICTURE, choices=choices)
    ground = replace(_GROUND, choices=(("", "Its own"), *ours))
    return (_NAME, _COLOUR, picture, ground, *_TERRAIN)


def values_of(entry: Terrain | Hexside | Way) -> dict[str, object]:
    """Return what an entry is set to, by the names of its settings."""
    values = {setting.name: getattr(entry, setting.name) for setting in settings_of(entry)}
    if not isinstance(entry, Way):
        values["blocks_sight"] = blocks_sight(entry)
    if isinstance(entry, Terrain) and entry.asset:
        values["picture"] = OWN
    return values


def kept_picture(terrain: Terrain, name: str) -> dict[str, str]:
    """Return the field that keeps the picture a terrain has by its name when it gets ``name``.

    Empty where nothing is lost: ``name`` has a picture of ours too, or the old one has none.
    """
    names = picture_names()
    is_lost = not terrain.picture and terrain.name in names and name not in names
    if is_lost:
        return {"picture": terrain.name}
    return {}


def values_of_set(terrain_set: TerrainSet) -> dict[str, object]:
    """Return what a set is set to, by the names of ``SET``."""
    return {
        "name": terrain_set.name[:LONGEST_WORD],
        "lowest": min(terrain_set.elevations),
        "highest": max(terrain_set.elevations),
    }
