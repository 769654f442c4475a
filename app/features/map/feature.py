"""The map as a whole: its properties, turning and resizing it, filling its edges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command, slug
from app.features.map.edge_fills import EdgeFills
from app.features.map.erase import erase_map
from app.features.map.panel import PropertiesPanel
from app.features.map.transforms import Transforms

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> PropertiesPanel:
    """The panel of the map's properties, and the commands of the menu Map."""
    panel = PropertiesPanel(desk.document)
    desk.commands.add(_fills(desk))
    desk.commands.add(_transforms(desk))
    desk.commands.add(_properties(desk, panel))
    return panel


def _fills(desk: Desk) -> list[Command]:
    fills = EdgeFills(desk)
    return [
        Command(
            f"map.{slug(fill.title)}",
            fill.title,
            partial(fills.run, fill),
            "On the whole map, or where selected; edges with a {side} stay as they are",
            icon=fill.icon,
        )
        for fill in desk.document.battlemap.system.edge_fills
    ]


def _transforms(desk: Desk) -> tuple[Command, ...]:
    do = Transforms(desk)
    by_one_side, mirror = "The whole map, by one side", "Mirror the map"
    return (
        Command("map.turn-right", "Turn &right", partial(do.turn, 1), by_one_side, icon="redo"),
        Command("map.turn-left", "Turn &left", partial(do.turn, -1), by_one_side, icon="undo"),
        Command(
            "map.flip-horizontally",
            "Flip &horizontally",
            partial(do.flip, upside_down=False),
            mirror,
            icon="flip",
        ),
        Command(
            "map.flip-vertically", "Flip &vertically", partial(do.flip, upside_down=True), mirror
        ),
        Command(
            "map.resize",
            "Re&size...",
            do.resize,
            "Give the map more columns and rows, or fewer",
            why_not=do.why_not_resize,
        ),
        Command("map.shift", "S&hift...", do.shift, "Move everything; what leaves comes in again"),
        Command(
            "map.erase-map",
            "&Erase map",
            partial(erase_map, desk.document),
            "One empty layer in place of all (Undo brings them back)",
            "Ctrl+Del",
            "eraser",
        ),
    )


def _properties(desk: Desk, panel: PropertiesPanel) -> tuple[Command, ...]:
    document = desk.document
    return (
        Command(
            "map.terrain-is-a-tower",
            "Terrain is a &tower",
            lambda: panel.set_tower(not document.composite.tower),
            "The game's Tower rules hold",
            why_not=lambda: (
                ""
                if "tower" in document.battlemap.system.properties
                else "Only battlelands can be towers."
            ),
            checked=lambda: document.composite.tower,
        ),
        Command(
            "map.remove-start-list",
            "Remove &start list",
            panel.clear_startlist,
            "The defender enters from a side of the board again",
            icon="startlist",
            why_not=lambda: "" if document.composite.startlist else "The map has no start list.",
        ),
    )
