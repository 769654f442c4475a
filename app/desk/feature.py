"""The rows of the list of features: what the desk has to know of a feature before it is made.

The list is ``app.feature_list``; other installed packages add rows of their own. The code of a
feature is imported when it is made (``Feature.module``)::

    Feature("Help", "app.features.help.feature")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from randomizer.model.system.system import System


@dataclass(frozen=True)
class Opener:
    """The command that opens a dock and gives its panel the keyboard: a row of the table.

    ``id`` stands in ``app/commands/layout.py``; that of another package is
    ``map.package.NAME``, ``randomize.package.NAME`` or ``view.package.NAME``.
    """

    id: str
    text: str
    """The text in the menu, with the letter for Alt after an ``&``."""

    tip: str
    keys: str = ""
    """The usual shortcut; "" for none."""

    icon: str = ""
    """The name of the icon; "" for none."""

    words: str = ""
    """More words by which a person would look for the command."""


@dataclass(frozen=True)
class PanelPart:
    """A part of a panel that *Find a command* leads to: a row of the table of commands.

    The command opens the panel; then it presses the part if that is a button, and gives the
    keyboard to anything else.
    """

    id: str
    text: str
    tip: str
    widget: str
    """The attribute of the panel that holds the widget, such as ``filter.field``."""

    words: str = ""
    """More words by which a person would look for the part."""


@dataclass(frozen=True)
class Dock:
    """The dock of a feature's panel, as it is at the first start of the program.

    A panel in the ``middle`` is a *view* in front of the map: it is closed at first, and while it
    is open it has a tab beside those of the maps.
    """

    name: str
    """The name by which programs know the dock; it is stored in the window's state."""

    title: str
    """What the user reads on the dock and in the menu."""

    area: Literal["left", "right", "middle"]
    """The part of the window in which it stands."""

    tabbed_with: str = ""
    """The name of an earlier dock with which it shares its place as tabs; "" for none."""

    below: str = ""
    """The name of an earlier dock below which it stands, so that both are seen; "" for none."""

    shown: bool = True
    """True if the dock is open from the first start on, on the maps that it is for.

    With the first map of another kind the docks for it open, the first of them in front. Its opener
    only gives it the keyboard. If False, the dock is closed until the user opens it; then the
    opener closes it, too.
    """

    rolls: bool = False
    """True if its panel rolls maps: it is made with the first map that it is for, even if its dock
    is closed.
    """

    colours_map: bool = False
    """True if its panel lays colours over the map: a command that opens it shows the map, too."""

    opener: Opener | None = None

    only_for: Callable[[System], bool] | None = None
    """Tells for which maps there is the dock, None if for all.

    On others it is closed, and neither it nor its opener stands in a menu. It is called before the
    first paint, so it only compares names or looks at ``System.abilities``.
    """

    parts: tuple[PanelPart, ...] = ()
    """The parts of its panel that *Find a command* leads to."""

    words: str = ""
    """More words by which a person would look for the panel."""


@dataclass(frozen=True)
class Feature:
    """A part of the desk: the function ``make(desk)`` of its module makes it.

    That returns its panel, or None if it has no dock.
    """

    title: str
    """The name of the feature in the message that it could not be made."""

    module: str
    """The full name of the module with its function ``make``."""

    dock: Dock | None = None

    when_shown: bool = False
    """True if it is made when its dock is first shown: then the module is imported off the UI
    thread. If False it is made after the first paint of the window.
    """
