"""The palette: terrains, heights, hexsides and routes to paint with, and things to place.

``make`` is called once for a desk. It makes the pages of the palette, and a command for each
terrain, hexside, route and kind of things that can be chosen there, so that *Find a command* finds
it by its name. The commands are those of the current map: the table of commands asks their *source*
for them whenever somebody looks for a command (``Commands.add_source``).
"""

from __future__ import annotations

from functools import partial

from app.commands.commands import Command, slug
from app.desk.desk import Desk
from app.features.palette.pages import PalettePages
from app.features.palette.panel import Palette
from app.qt_guard import connect
from randomizer.model.grid.cell_words import escaped
from randomizer.model.map.kinds_on_map import kinds_by_name


def make(desk: Desk) -> PalettePages:
    """Return the pages, connected to the tools, and add their commands."""
    renderer = desk.renderer
    panel = Palette(desk.document.battlemap, desk.tools.options, desk.tools.use_unless_alike)
    panel.draw_pictures(renderer)
    desk.theme.keep_up(partial(panel.draw_pictures, renderer))
    panel.show_tool(desk.tools.tools[desk.tools.name])
    connect(panel.more_requested, partial(_ask_for_terrain, desk, panel))
    desk.commands.add_source("palette.terrain.*", partial(_terrain_commands, desk))
    desk.commands.add_source("palette.hexside.*", partial(_hexside_commands, desk))
    desk.commands.add_source("palette.route.*", partial(_route_commands, desk))
    pages = PalettePages(desk, panel)
    desk.commands.add_source("palette.thing.*", partial(_thing_commands, desk, pages))
    return pages


def _terrain_commands(desk: Desk) -> list[Command]:
    """Return a command for each terrain of the current map."""
    battlemap = desk.document.battlemap
    if battlemap.system.terrain is None:
        return []
    commands = []
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        commands.append(_paint_command(desk, "terrain", code, terrain.name, terrain.description))
    return commands


def _hexside_commands(desk: Desk) -> list[Command]:
    """Return a command for each hexside of the current map."""
    battlemap = desk.document.battlemap
    if battlemap.system.hexside is None:
        return []
    commands = []
    for code, hexside in enumerate(battlemap.terrain_set.hexsides, 1):  # 0 is no hexside
        commands.append(_paint_command(desk, "hexside", code, hexside.name, hexside.description))
    return commands


def _route_commands(desk: Desk) -> list[Command]:
    """Return a command for each route of the current map."""
    battlemap = desk.document.battlemap
    commands = []
    for index, route in enumerate(battlemap.system.routes_of(battlemap.terrain_set)):
        commands.append(_paint_command(desk, "route", index, route.name, route.description))
    return commands


def _thing_commands(desk: Desk, pages: PalettePages) -> list[Command]:
    """Return a command for each kind of things that the current map can have."""
    if not desk.tools.suits("things"):
        return []
    commands = []
    for kind in kinds_by_name(desk.document.battlemap).values():
        command = Command(
            f"palette.thing.{slug(kind.name)}",
            _command_text(kind.title),
            partial(pages.place_kind, kind.name),
            tip=f"Place {escaped(kind.title)} by a click on the map",
            words=f"place thing {escaped(kind.group)}",
        )
        commands.append(command)
    return commands


def _paint_command(desk: Desk, option: str, code: int, name: str, description: str) -> Command:
    """Return the command that chooses what is painted, and the tool for it.

    ``option`` is the name of the tool option, and of the tool: "terrain", "hexside" or "route".
    ``code`` is the value of the option: it counts hexsides from 1, terrains and routes from 0.
    """

    def choose() -> None:
        desk.tools.options.choose(**{option: code})
        # A tool in use that paints the same, such as the filling of areas, stays.
        desk.tools.use_unless_alike(option)

    tip = description
    if not tip:
        tip = f"Paint {name}"
    return Command(
        f"palette.{option}.{code}",
        _command_text(name),
        choose,
        tip=escaped(tip),
        words=f"paint {option} brush",
    )


def _command_text(name: str) -> str:
    """Return the text of a command that shows a name as it is.

    Braces are escaped, which begin a placeholder of ``cell_text``, and so are ampersands, which
    mark an access key.
    """
    return escaped(name.replace("&", "&&"))


def _ask_for_terrain(desk: Desk, panel: Palette) -> None:
    """Open the dialog that adds a terrain of the game to the map."""
    from app.features.palette.terrain_dialog import TerrainDialog

    TerrainDialog(desk, panel.use_terrain_tool).open()
