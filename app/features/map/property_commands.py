"""The commands of the menu Map for the properties of the map: one for each property.

A flag is switched, a text is typed in the panel, a list of cells is removed. The systems of maps
have different properties: ``feature.py`` makes the commands anew for a map of another system.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.map.panel import PropertiesPanel
from randomizer.model.system.property import Property, PropertyKind

if TYPE_CHECKING:
    from app.document.document import MapDocument


def property_commands(desk: Desk, panel: PropertiesPanel) -> list[Command]:
    """Return a command for each property of the current system that is a flag, a list or a text."""
    document = desk.document
    commands = []
    for map_property in document.battlemap.system.properties:
        if map_property.kind is PropertyKind.FLAG:
            commands.append(_flag_command(desk, panel, map_property))
        elif map_property.kind is PropertyKind.NAMES:
            commands.append(_removal_command(document, panel, map_property))
        elif map_property.kind is PropertyKind.TEXT:
            commands.append(_text_command(desk, panel, map_property))
    return commands


def water_commands(desk: Desk, panel: PropertiesPanel) -> list[Command]:
    """Return the command that shows the slider of the water, on maps that have one."""
    if panel.water is None:
        return []
    command = Command(
        "properties.water",
        "Water",
        partial(desk.docks.open_at, "properties", panel.water.slider),
        tip="How high the water stands",
        words="sea level depth height",
    )
    return [command]


def leave_panel(desk: Desk, panel: PropertiesPanel, name: str) -> None:
    """Give the keyboard back to the map after the text of a property was entered in the panel.

    A message tells the new text, as the map may not show it. If a command has brought the panel to
    the front for this text, the panel that was in front before comes back.
    """
    document = desk.document
    map_property = document.battlemap.system.property_named(name)
    value = map_property.of(document.composite.properties)
    desk.say(f"{map_property.label}: {map_property.words(value)}")
    desk.canvas.setFocus()
    if panel.stop_covering():
        desk.docks.go_back_from("properties")


def _text_command(desk: Desk, panel: PropertiesPanel, map_property: Property) -> Command:
    """Return the command that gives the keyboard to the field of a text in the panel Map."""

    def use_field() -> None:
        panel.covers_another = not desk.docks.is_in_front("properties")
        desk.docks.open_at("properties", panel.rows[map_property.name].editor)

    return Command(
        f"map.property.{map_property.name}",
        f"{map_property.title}...",
        use_field,
        tip=map_property.help,
        words="property name text",
    )


def _flag_command(desk: Desk, panel: PropertiesPanel, map_property: Property) -> Command:
    """Return the command that switches a flag of the map."""

    def is_set() -> bool:
        return bool(map_property.of(desk.document.composite.properties))

    def switch() -> None:
        """Switch the flag, and say how it is now: nothing on the map shows it."""
        if panel.set_property(map_property.name, not is_set()):
            desk.say(f"{map_property.label}: {map_property.words(is_set())}")

    return Command(
        f"map.property.{map_property.name}",
        map_property.title,
        switch,
        tip=map_property.help,
        checked=is_set,
        words="property",
    )


def _removal_command(
    document: MapDocument, panel: PropertiesPanel, map_property: Property
) -> Command:
    """Return the command that removes a list of cells from the map."""

    def why_not() -> str:
        has_list = bool(map_property.of(document.composite.properties))
        if not has_list:
            return f"The map has no {map_property.label.lower()}."
        return ""

    return Command(
        f"map.property.{map_property.name}",
        f"Remove {map_property.title.lower()}",
        partial(panel.clear_property, map_property.name),
        tip=f"The map has no {map_property.label.lower()} any more",
        icon="cell-list",
        words="clear delete list property",
        why_not=why_not,
    )
