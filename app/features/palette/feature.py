"""The palette: terrains, heights, hexsides and routes to paint with, and things to place."""

from __future__ import annotations

from functools import partial

from app.desk.desk import Desk
from app.features.palette.pages import PalettePages
from app.features.palette.panel import Palette
from app.qt_guard import connect
from randomizer.model.edits.edit import Region


def make(desk: Desk) -> PalettePages:
    """Return the pages, wired to the tools."""
    document = desk.document
    renderer = desk.renderer
    panel = Palette(document.battlemap, desk.tools.options, desk.tools.take_up)
    panel.draw_pictures(renderer)
    desk.theme.keep_up(partial(panel.draw_pictures, renderer))
    panel.set_narrow(desk.docks.narrow, renderer)
    connect(desk.docks.narrow_changed, lambda narrow: panel.set_narrow(narrow, renderer))
    connect(panel.more_asked, partial(_ask_for_terrain, desk, panel))
    connect(document.map_replaced, lambda: panel.show_map(document.battlemap, renderer))
    connect(document.changed, partial(_on_changed, panel, desk))
    return PalettePages(desk, panel)


def _ask_for_terrain(desk: Desk, panel: Palette) -> None:
    from app.features.palette.terrain_dialog import TerrainDialog

    TerrainDialog(desk, panel.take_up_terrain).open()


def _on_changed(panel: Palette, desk: Desk, region: Region) -> None:
    if region.terrain_set:
        panel.show_map(desk.document.battlemap, desk.renderer)
