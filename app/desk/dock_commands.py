"""The commands of docks and views: each is shown and hidden by one, and its parts are used by more.

A panel such as *Properties* has these rows in the table of commands:

    panel.properties    brings it to the front, or closes it if it is there (in the menu *View*)
    its opener          the same, in the menu of its subject; but a panel that is open from the
                        first start on (``Dock.shown``) is not closed by it
    its parts           open it and press a button of it (in *Find a command*)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Change, Command
from app.desk.feature import Dock, Opener, PanelPart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.desk.docks import Docks


def dock_commands(docks: Docks, names: Iterable[str]) -> list[Command]:
    """Return the commands of the named docks and views."""
    descriptions = [docks.description_of(name) for name in names]
    commands = [_visibility_command(docks, description) for description in descriptions]
    for description in descriptions:
        name = description.name
        if description.opener is not None:
            commands.append(_opener_command(docks, name, description.opener))
        commands += [_part_command(docks, name, part) for part in description.parts]
    return commands


def _visibility_command(docks: Docks, description: Dock) -> Command:
    """Return the command that shows a dock, or hides it if it is in front."""
    name = description.name
    return Command(
        f"panel.{name}",
        description.title,
        partial(docks.toggle, name),
        "Bring this panel to the front, with the keyboard; close it if it is in front",
        checked=partial(docks.is_in_front, name),
        offered=partial(docks.suits_map, name),
        words=description.words,
        follows=Change.MAP | Change.DESK,
        leads_to=partial(docks.open, name),
    )


def _opener_command(docks: Docks, name: str, opener: Opener) -> Command:
    """Return the command of a dock in the menu of its subject."""
    return Command(
        opener.id,
        opener.text,
        partial(docks.run_opener, name),
        opener.tip,
        keys=opener.keys,
        icon=opener.icon,
        offered=partial(docks.suits_map, name),
        words=opener.words,
        follows=Change.MAP,
        leads_to=partial(docks.open, name),
    )


def _part_command(docks: Docks, name: str, part: PanelPart) -> Command:
    """Return the command that opens a dock and uses a part of its panel."""
    return Command(
        part.id,
        part.text,
        partial(docks.open_at_part, name, part),
        part.tip,
        offered=partial(docks.suits_map, name),
        words=part.words,
        follows=Change.MAP,
    )
