"""What the list of features says of each feature."""

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
    tip: str
    keys: str = ""
    icon: str = ""
    words: str = ""


@dataclass(frozen=True)
class PanelPart:
    """A part of a panel that *Find a command* leads to: a row of the table.

    ``widget`` is the attribute of the panel that holds the part, such as ``filter.field``. The
    panel is opened; then a button is pressed, and anything else gets the keyboard. ``words`` are
    those by which a person would look for it.
    """

    id: str
    text: str
    tip: str
    widget: str
    words: str = ""


@dataclass(frozen=True)
class Dock:
    """The dock of a feature's panel, as it is at the first start of the program.

    ``name`` is stored in the window's state. A panel in the ``middle`` is a view in place of the
    map: it is closed at first, and while it is open it has a tab beside those of the maps.
    ``tabbed_with`` names an earlier dock that shares
    its place, ``below`` one that it stands below, so that both are seen. ``only_for`` says for
    which maps there is the dock: on others it is closed, and neither it nor its opener stands in a
    menu. It is called before the first paint, so it only compares names or looks at
    ``System.abilities``. With ``shown`` the dock is open, on the maps that it is for, until the
    user closes it; the first that a new kind of map brings along is current. Without, its opener
    closes it, too. A panel that ``rolls`` the maps that it is for is made with the first of them,
    even if it is closed. ``parts`` of its panel, and the panel by its ``words``, can be found by
    *Find a command*.
    """

    name: str
    title: str
    area: Literal["left", "right", "middle"]
    tabbed_with: str = ""
    below: str = ""
    shown: bool = True
    rolls: bool = False
    opener: Opener | None = None
    only_for: Callable[[System], bool] | None = None
    parts: tuple[PanelPart, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Feature:
    """A part of the desk: ``make(desk)`` of ``module`` makes it and returns its panel, or None.

    It is made after the first paint; or, with ``when_shown``, when its dock is first shown: then
    the module is imported off the UI thread. ``title`` names it where it could not be made.
    """

    title: str
    module: str
    dock: Dock | None = None
    when_shown: bool = False
