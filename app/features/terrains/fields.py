"""The settings of a terrain, a hexside and a route, and those of the terrain set as a whole.

The terrains panel makes its forms from them: ``settings_of(entry)`` are the fields of the form of
one entry, ``values_of(entry)`` what they show. The name of a setting is that of a field of
``Terrain``, ``Hexside`` or ``Way`` (a way is what the screen calls a route).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.render.pictures.picture_library import picture_names
from app.render.pictures.terrain_patterns import PATTERNS
from randomizer.model.edits.terrain_entries import EntryList
from randomizer.model.settings.setting import COLOUR, Setting
from randomizer.model.terrain.sight import blocks_sight
from randomizer.model.terrain.terrain import WAY_STYLES, Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import LONGEST_WORD, MAX_COST, MAX_WIDTH

OWN_PICTURE = "\N{HORIZONTAL ELLIPSIS}"
"""The value of the setting ``picture`` for a picture of the user's own: no picture has this name.

The terrain then has the picture as its ``asset``.
"""


def _capitalized_choices(values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return choices whose labels are the values with a capital letter: ("dots", "Dots")."""
    return tuple((value, value.capitalize()) for value in values)


_NAME = Setting(
    "name",
    str,
    "Cells that are painted keep the terrain when its name changes",
    default="",
    title="Name",
)

_COLOUR = Setting(
    "colour",
    str,
    "The colour where no picture is drawn, such as #80c080",
    default="#808080",
    title="&Colour",
    pattern=COLOUR,
    example="#80c080",
)

_COST = Setting(
    "cost",
    float,
    "What entering a cell costs; the easiest ground costs 1",
    default=None,
    minimum=0,
    maximum=int(MAX_COST),
    title="Move cost",
    unset="impassable",
)

_SIGHT = Setting(
    "blocks_sight",
    bool,
    "On virtual tables a wall that nobody looks through",
    default=False,
    title="Blocks sight",
)

_DESCRIPTION = Setting(
    "description", str, "What its tool tip says", default="", title="&Description"
)

_PICTURE = Setting(
    "picture",
    str,
    "The picture by its meaning, one of ours or your own",
    default="",
    title="&Picture",
)
"""Its choices, the names of the packaged pictures, are added by ``settings_of``."""

_GROUND = Setting(
    "ground", str, "The picture on whose ground it stands", default="", title="&Ground"
)
"""Its choices are added likewise."""

_FURTHER_TERRAIN_SETTINGS = (
    Setting(
        "pattern",
        str,
        "Drawn on the colour in place of a picture",
        default="",
        choices=(("", "None"), *_capitalized_choices(PATTERNS)),
        title="P&attern",
    ),
    Setting("code", str, "What files of other programs call it", default="", title="C&ode"),
    _COST,
    Setting(
        "priority",
        int,
        "Terrains of higher priority run over others where they meet",
        default=None,
        minimum=-1000,
        maximum=1000,
        title="Pr&iority",
        unset="as its picture",
    ),
    Setting("water", bool, "It is no land", default=False, title="&Water"),
    Setting("body", bool, "Cells of it are drawn as one area", default=False, title="One area"),
    _SIGHT,
    _DESCRIPTION,
)
"""The settings of a terrain after its name, colour, picture and ground."""

_HEXSIDE_SETTINGS = (
    _NAME,
    _COLOUR,
    Setting("letter", str, "Its own letter, in files and formats", default="", title="Letter"),
    Setting(
        "higher", bool, "It belongs to the higher cell", default=False, title="Of the hi&gher cell"
    ),
    _SIGHT,
    _DESCRIPTION,
)

_WAY_SETTINGS = (
    _NAME,
    _COLOUR,
    Setting(
        "style",
        str,
        "How it is drawn",
        default=WAY_STYLES[0],
        choices=_capitalized_choices(WAY_STYLES),
        title="St&yle",
    ),
    Setting(
        "width",
        float,
        "1 is usual",
        default=1.0,
        minimum=0,
        maximum=int(MAX_WIDTH),
        title="&Width",
    ),
    replace(_COST, help="What going along it costs; the easiest ground costs 1", unset="no help"),
    _DESCRIPTION,
)


def _elevation_setting(name: str, title: str, help_text: str) -> Setting:
    """Return the setting of the lowest or of the highest elevation."""
    return Setting(name, int, help_text, default=0, minimum=-500, maximum=500, title=title)


SET_SETTINGS = (
    Setting("name", str, "The name of the terrain set", default="", title="Name"),
    _elevation_setting("lowest", "L&owest elevation", "The lowest that can be painted"),
    _elevation_setting("highest", "Hi&ghest elevation", "The highest that can be painted"),
)
"""The settings of the set as a whole."""

NEW_ENTRIES: dict[EntryList, Terrain | Hexside | Way] = {
    EntryList.TERRAINS: Terrain("New terrain", "#9aa77c"),
    EntryList.HEXSIDES: Hexside("New {side}", "a", "#6f6a64"),
    EntryList.WAYS: Way("New route", "road", "#b08d57"),
}
"""The entry that the panel adds to each list of a set.

The name of the hexside is a template for ``cell_text``.
"""


def settings_of_entry(entry: Terrain | Hexside | Way) -> tuple[Setting, ...]:
    """Return the settings of an entry, in the order of its form."""
    if isinstance(entry, Hexside):
        return _HEXSIDE_SETTINGS
    if isinstance(entry, Way):
        return _WAY_SETTINGS
    packaged_pictures = tuple((name, name) for name in picture_names())
    picture_choices = (("", "By its name"), (OWN_PICTURE, "Own picture..."), *packaged_pictures)
    picture = replace(_PICTURE, choices=picture_choices)
    ground = replace(_GROUND, choices=(("", "Its own"), *packaged_pictures))
    return (_NAME, _COLOUR, picture, ground, *_FURTHER_TERRAIN_SETTINGS)


def values_of(entry: Terrain | Hexside | Way) -> dict[str, object]:
    """Return the values of the settings of an entry, by their names."""
    values = {setting.name: getattr(entry, setting.name) for setting in settings_of_entry(entry)}
    if not isinstance(entry, Way):
        # The field may be None, for "as its picture and name tell": the form shows what that is.
        values["blocks_sight"] = blocks_sight(entry)
    if isinstance(entry, Terrain) and entry.asset:
        values["picture"] = OWN_PICTURE
    return values


def picture_after_renaming(terrain: Terrain, new_name: str) -> str:
    """Return the field ``picture`` that lets a renamed terrain look as before.

    A terrain without a ``picture`` shows the packaged picture that has its name. If none has the
    new name, the terrain would lose it; then the old name becomes its ``picture``. A new name that
    has a packaged picture changes what the terrain shows.
    """
    names = picture_names()
    loses_picture = not terrain.picture and terrain.name in names and new_name not in names
    if loses_picture:
        return terrain.name
    return terrain.picture


def values_of_set(terrain_set: TerrainSet) -> dict[str, object]:
    """Return the values of ``SET_SETTINGS`` for a set, by their names.

    A name that is longer than the form takes is cut.
    """
    return {
        "name": terrain_set.name[:LONGEST_WORD],
        "lowest": min(terrain_set.elevations),
        "highest": max(terrain_set.elevations),
    }
