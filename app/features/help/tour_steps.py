"""The steps of the tour: what each of them points at, and what it says.

A text has two kinds of places in braces: words for the grid of the map ("{cell}"), and the keys of
a command ("{{edit.undo}}")::

    step_text(step, layout, commands)    # "... a menu for every hex ... Ctrl+Z a step."

``cell_text`` fills the first kind, and leaves single braces where there were double ones: the
second kind is filled after that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from app.commands.commands import keys_in_words
from randomizer.model.grid.cell_words import cell_text

if TYPE_CHECKING:
    from app.commands.commands import Commands
    from randomizer.model.grid.layouts import Layout

COMMAND_NAME = re.compile(r"\{([\w.-]+)\}")
"""The name of a command as ``cell_text`` leaves it in a text, with single braces: "{edit.undo}"."""


class Step(NamedTuple):
    """A step of the tour."""

    widget: str
    """The object name of its subject; "map" for the canvas, "menu" for the menu bar."""

    title: str

    text: str
    """The text, in which ``step_text`` fills the places in braces."""


STEPS = (
    Step(
        "map",
        "Three things to do here",
        "Paint a map: click or drag on it. Roll one: {{script.roll}} has a script make it, and "
        "what you lock stays. Take it along: {{file.export-to-game}} writes it into your game, "
        "and the menu File has pictures, paper and other programs. A click beside this card ends "
        "the tour.",
    ),
    Step(
        "map",
        "The map",
        "Click or drag to paint. The wheel zooms, the middle button moves the view, the right "
        "button has a menu for every {cell} and every edge. Escape takes a stroke back, "
        "{{edit.undo}} a step.",
    ),
    Step(
        "palette",
        "What you paint",
        "Terrain, elevation and {sides}. A click here also takes up the brush that paints them.",
    ),
    Step(
        "tools",
        "Tools",
        "Every tool has a key: rest the mouse on it to see which, and what it does.",
    ),
    Step(
        "randomize",
        "Maps by themselves",
        "A script rolls a whole map. Press {{script.roll}} for the next one; what you painted "
        "by hand stays. {{randomize.gallery}} shows many of its maps as pictures, "
        "{{randomize.odds}} how likely every {cell} is to become what.",
    ),
    Step(
        "layers",
        "Layers",
        "Rolls and paint lie over each other like sheets. Untick one to hide it, drag it to "
        "another place.",
    ),
    Step(
        "problems",
        "Problems",
        "How many things are wrong with this map or its script, or would be in the game. A click "
        "on the line lists them, a click on one shows its place.",
    ),
    Step(
        "main",  # the toolbar
        "To the game and back",
        "Open battlelands from your game and write yours into it; an export can be taken back.",
    ),
    Step(
        "menu",
        "Everything else",
        "{{edit.find-a-command}} finds any command by a few letters. {{help.manual}} opens the "
        "manual. This tour waits under Help.",
    ),
)


def step_text(step: Step, layout: Layout, commands: Commands) -> str:
    """Return the text of a step, with the words for a layout and the present keys of commands."""

    def keys_of(match: re.Match[str]) -> str:
        action = commands.action(match[1])
        keys = keys_in_words(action)
        if not keys:
            title = action.text().replace("&", "")
            return f"“{title}” in the menus"
        return keys

    return COMMAND_NAME.sub(keys_of, cell_text(step.text, layout))
