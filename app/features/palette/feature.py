"""The palette: terrains, heights, hexsides and routes to paint with, and things to place."""

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
    """Return the pages, wired to the tools."""
    renderer = desk.renderer
    panel = Palette(desk.document.battlemap, desk.tools.options, desk.tools.take_up)
    panel.draw_pictures(renderer)
    desk.theme.keep_up(partial(panel.draw_pictures, renderer))
    panel.show_tool(desk.tools.tools[desk.tools.name])
    connect(panel.more_requested, partial(_ask_for_terrain, desk, panel))
    for kind, rows in (("terrain", _terrains), ("hexside", _hexsides), ("route", _routes)):
        desk.commands.add_source(f"palette.{kind}.*", partial(rows, desk))
    pages = PalettePages(desk, panel)
    desk.commands.add_source("palette.thing.*", partial(_things, desk, pages))
    return pages


def _terrains(desk: Desk) -> list[Command]:
    """Return a command for each terrain of the current map: it takes the brush in hand."""
    battlemap = desk.document.battlemap
    if battlemap.system.terrain is None:
        return []
    return [
        _choice(desk, "terrain", code, terrain.name, terrain.description)
        for code, terrain in enumerate(battlemap.terrain_set.terrains)
    ]


def _hexsides(desk: Desk) -> list[Command]:
    battlemap = desk.document.battlemap
    if battlemap.system.hexside is None:
        return []
    return [
        _choice(desk, "hexside", code, hexside.name, hexside.description)
        for code, hexside in enumerate(battlemap.terrain_set.hexsides, 1)
    ]


def _routes(desk: Desk) -> list[Command]:
    battlemap = desk.document.battlemap
    routes = battlemap.system.routes_of(battlemap.terrain_set)
    return [
        _choice(desk, "route", number, route.name, route.description)
        for number, route in enumerate(routes)
    ]


def _things(desk: Desk, pages: PalettePages) -> list[Command]:
    """Return a command for each kind of things that the current map's game offers."""
    if not desk.tools.suits("things"):
        return []
    return [
        Command(
            f"palette.thing.{slug(kind.name)}",
            escaped(kind.title.replace("&", "&&")),
            partial(pages.place_kind, kind.name),
            f"Place {escaped(kind.title)} by a click on the map",
            words=f"place thing {escaped(kind.group)}",
        )
        for kind in kinds_by_name(desk.document.battlemap).values()
    ]


def _choice(desk: Desk, kind: str, code: int, name: str, description: str) -> Command:
    """Return the row that paints a terrain, a hexside or a route from now on."""

    def choose() -> None:
        desk.tools.options.choose(**{kind: code})
        desk.tools.take_up(kind)

    tip = description or f"Paint {name}"
    text = escaped(name.replace("&", "&&"))
    return Command(
        f"palette.{kind}.{code}", text, choose, escaped(tip), words=f"paint {kind} brush"
    )


def _ask_for_terrain(desk: Desk, panel: Palette) -> None:
    from app.features.palette.terrain_dialog import TerrainDialog

    TerrainDialog(desk, panel.take_up_terrain).open()
