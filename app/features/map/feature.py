"""The map as a whole: its properties, turning and resizing it, filling its edges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command, slug
from app.features.map.edge_fills import EdgeFills
from app.features.map.erase import erase_map
from app.features.map.panel import PropertiesPanel
from app.features.map.transforms import Transforms
from app.qt_guard import connect
from randomizer.model.property import PropertyKind

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.document.document import MapDocument
    from randomizer.model.property import Property
    from randomizer.model.system import EdgeFill


def make(desk: Desk) -> PropertiesPanel:
    """Return the panel of the map's properties, and the commands of the menu Map."""
    panel = PropertiesPanel(desk.document)
    desk.commands.add(_fills(desk))
    desk.commands.add(_transforms(desk))
    desk.commands.add(_properties(desk, panel))
    connect(
        panel.properties_replaced,
        lambda: desk.commands.replace("map.property.*", _properties(desk, panel)),
    )
    return panel


def _fills(desk: Desk) -> list[Command]:
    fills = EdgeFills(desk)

    def offers(fill: EdgeFill) -> bool:
        return any(
            hexside.letter == fill.letter and (hexside.drops or hexside.beside)
            for hexside in desk.document.battlemap.terrain_set.hexsides
        )

    return [
        Command(
            f"map.{slug(fill.title)}",
            fill.title,
            partial(fills.run, fill),
            "On the whole map, or where selected; edges with a {side} stay as they are",
            icon=fill.icon,
            offered=partial(offers, fill),
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
            "map.finer-cells",
            "Finer {cells}...",
            do.finer,
            "Cut each {cell} into smaller ones",
            why_not=do.why_not_resize,
        ),
        Command(
            "map.make-symmetric",
            "Make s&ymmetric...",
            do.symmetric,
            "Copy one part of the map to the others",
            why_not=do.why_not_symmetric,
        ),
        Command(
            "map.erase-map",
            "&Erase map",
            partial(erase_map, desk.document),
            "One empty layer in place of all (Undo brings them back)",
            "Ctrl+Del",
            "eraser",
        ),
    )


def _properties(desk: Desk, panel: PropertiesPanel) -> list[Command]:
    """Return a command for each flag and each list of the current system."""
    document = desk.document
    commands = []
    for each in document.battlemap.system.properties:
        if each.kind is PropertyKind.FLAG:
            commands.append(_flag(document, panel, each))
        elif each.kind is PropertyKind.NAMES:
            commands.append(_removal(document, panel, each))
    return commands


def _flag(document: MapDocument, panel: PropertiesPanel, known_property: Property) -> Command:
    def value() -> bool:
        return bool(known_property.of(document.composite.properties))

    return Command(
        f"map.property.{known_property.name}",
        known_property.title,
        lambda: panel.set_property(known_property.name, not value()),
        known_property.help,
        checked=value,
    )


def _removal(document: MapDocument, panel: PropertiesPanel, known_property: Property) -> Command:
    def why_not() -> str:
        has = bool(known_property.of(document.composite.properties))
        return "" if has else f"The map has no {known_property.label.lower()}."

    return Command(
        f"map.property.{known_property.name}",
        f"Remove {known_property.title.lower()}",
        partial(panel.remove, known_property.name),
        f"The map has no {known_property.label.lower()} any more",
        icon="cell-list",
        why_not=why_not,
    )
