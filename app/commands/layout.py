"""The position of each command: in a menu, in a tool bar, or only in a panel.

A *menu entry* is the id of a command, such as ``file.save``, or a pattern, such as
``view.colours.*``, for all commands whose ids begin so. The tables here are read by two classes:
``Menus`` makes menus and bars from them, and ``Commands`` looks up the entry of each command
(``entry_of``), since a command that stands nowhere is an error::

    path_of("view.colours.dark")     # ("View", "Colours")
    entry_of("view.colours.dark")    # "view.colours.*"
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from randomizer.model.basics.caches import KB, registered


@dataclass(frozen=True)
class Menu:
    """A menu, in the menu bar or within another menu.

    The commands of installed packages stand at the entries ``map.package.*``,
    ``randomize.package.*`` and ``view.package.*``.
    """

    title: str
    """Its text in the menu bar, or in the menu in which it stands, with an access key."""

    entries: tuple[str | Menu | None, ...]
    """From top to bottom: menu entries, menus within this one, and None for lines.

    The commands of a pattern stand in the order in which features add them.
    """


NEW_MAP_MENU = Menu("Ne&w", ("file.new.*",))
"""A command for each kind of map, in the menu File and behind the arrow of the button New map."""

ROLL_WITH = Menu(
    "Roll &with",
    (
        "randomize.roll-with.script.*",
        Menu("From the &game directory", ("randomize.roll-with.game.*",)),
        Menu("&Recent scripts", ("randomize.roll-with.recent.*",)),
    ),
)

WAYS_TO_ROLL = (
    "script.roll",
    ROLL_WITH,
    "randomize.roll-with-file",
    "script.again",
    "script.new-layer",
    "script.previous",
    "script.next",
)
"""All commands that roll onto the current map: in the menu, and behind the arrow of the button."""

ROLL_MENU = Menu("&Roll", WAYS_TO_ROLL)
"""The menu behind the arrow of the button Roll."""

# The tools in groups: the tool bar has all in this order, the menu some of the groups as menus.

PAINTING_TOOLS = (
    "tool.terrain",
    "tool.edges",
    "tool.random",
    "tool.fill",
)

SHAPE_TOOLS = ("tool.line", "tool.rectangle")

HEIGHT_TOOLS = ("tool.elevation", "tool.height", "tool.slope")

PLACING_TOOLS = (
    "tool.hexside",
    "tool.route",
    "tool.region",
    "tool.stamp",
    "tool.things",
)

SELECTING_TOOLS = ("tool.select", "tool.lasso", "tool.wand", "tool.same", "tool.move")

FURTHER_TOOLS = (
    "tool.cell-list",
    "tool.lock",
    "tool.eraser",
    "tool.eyedropper",
    "tool.measure",
    "tool.centre",
    "tool.picture",
    "tool.pan",
    "tool.*",  # of installed packages: all tools that have no entry of their own
)

MENUS = (
    Menu(
        "&File",
        (
            "file.new-map",
            NEW_MAP_MENU,
            "file.open",
            "file.open-from-game",
            Menu("Open &recent", ("file.open-recent.*",)),
            "file.merge-map",
            None,
            "file.save",
            "file.save-as",
            "file.export-as",
            "file.export-to-game",
            "file.play-here",
            "file.whole-variant",
            None,
            "file.show-as-text",
            "file.export-picture",
            "file.export-for-a-virtual-table",
            "file.print",
            "file.tables-for-a-campaign",
            None,
            Menu(
                "Bring &back",
                (
                    "file.open-the-closed-map-again",
                    "file.recover-maps",
                    "file.backups-of-this-map",
                    "file.take-back-an-export",
                ),
            ),
            "file.close-map",
            "file.quit",
        ),
    ),
    Menu(
        "&Edit",
        (
            "edit.undo",
            "edit.redo",
            None,
            "edit.cut",
            "edit.copy",
            "edit.paste",
            "edit.delete",
            "edit.find-and-replace",
            Menu("T&hings", ("things.*",)),
            None,
            "edit.turn-stamp-right",
            "edit.turn-stamp-left",
            "edit.flip",
            "edit.flip-upside-down",
            None,
            "edit.wider-brush",
            "edit.narrower-brush",
            None,
            "edit.copy-as-picture",
            None,
            Menu("Paint e&levation", ("edit.paint-elevation-*",)),
            None,
            "edit.find-a-command",
            "edit.go-to",
            "edit.preferences",
        ),
    ),
    Menu(
        "&Select",
        (
            "select.all",
            "select.nothing",
            "select.again",
            "select.invert",
            None,
            "select.grow",
            "select.shrink",
            None,
            "select.next",
            "select.previous",
            None,
            "select.fill-with-terrain",
            "select.lock",
            "select.lock-as-in-the-roll-before",
            "select.unlock",
            "select.unlock-everything",
            "script.insert",
        ),
    ),
    Menu(
        "&Tools",
        (
            # Three groups are menus: else this one would be higher than the smallest window.
            *PAINTING_TOOLS,
            Menu("S&hapes", SHAPE_TOOLS),
            Menu("Hei&ghts", HEIGHT_TOOLS),
            *PLACING_TOOLS,
            Menu("Selecti&ng", SELECTING_TOOLS),
            *FURTHER_TOOLS,
        ),
    ),
    Menu(
        "&Map",
        (
            "map.fill-*",
            None,
            Menu(
                "&Turn and flip",
                (
                    "map.turn-right",
                    "map.turn-left",
                    "map.flip-horizontally",
                    "map.flip-vertically",
                ),
            ),
            "map.resize",
            "map.shift",
            "map.finer-cells",
            "map.cell-names",
            "map.make-symmetric",
            "map.variations",
            None,
            "map.picture",
            "map.take-terrains",
            None,
            "map.regions",
            "map.terrains",
            Menu(
                "Terrain s&et",
                (
                    Menu("&Use", ("terrains.set.*",)),
                    None,
                    "terrains.open",
                    "terrains.merge",
                    "terrains.save-as",
                    "terrains.forget",
                    None,
                    "terrains.sheet",
                    "terrains.sort",
                ),
            ),
            "map.period",
            "map.scenario",
            "map.setup",
            "map.what-is-saved",
            "map.wall-the-seam",
            "map.shuffle-units",
            None,
            "map.property.*",
            None,
            Menu("&Compare with", ("map.compare-with.*",)),
            None,
            "map.erase-map",
            None,
            "map.package.*",
        ),
    ),
    Menu("&Layer", ("layer.*",)),
    Menu(
        "&Randomize",
        (
            *WAYS_TO_ROLL,
            None,
            "randomize.new.*",
            "randomize.script-from-maps",
            None,
            "randomize.script",
            "randomize.odds",
            "randomize.gallery",
            "randomize.fairness",
            "randomize.dice",
            "randomize.package.*",
        ),
    ),
    Menu(
        "&View",
        (
            "view.fit-map",
            "view.zoom-in",
            "view.zoom-out",
            "view.next-map",
            "view.previous-map",
            None,
            "view.hex-labels",
            "view.terrain-names",
            "view.grid-lines",
            "view.rulers",
            "view.hexsides",
            Menu(
                "H&eights",
                (
                    "view.elevation",
                    "view.elevation-numbers",
                    "view.relief",
                    "view.heights-as-colours",
                    Menu("Contour &lines", ("view.contour-lines.*",)),
                    "view.water-depth",
                ),
            ),
            "view.passability",
            "view.start-list",
            "view.locks",
            "view.placed-things",
            "view.names-of-things",
            "view.entry-sides",
            "view.seam",
            "view.round-edge",
            "view.legend",
            "view.regions",
            "view.countries",
            "view.drawn-as-a-plan",
            "view.players'-map",
            "view.package.*",
            "view.lean-as-in-the-file",
            "view.pictures-of-the-game",
            None,
            Menu("&Colours", ("view.colours.*",)),
            Menu("&Map colours", ("view.map-colours.*",)),
            Menu("&Panels", ("view.side-panels", "view.problems", None, "panel.*")),
        ),
    ),
    Menu(
        "&Help",
        (
            "help.manual",
            "help.mouse-and-keys",
            "help.tour",
            None,
            "help.folders",
            "help.copy-fault-details",
            "help.about-battlelands-builder",
        ),
    ),
)
"""The menu bar."""

TOOL_BARS: dict[str, tuple[str | None, ...]] = {
    "tools": (
        *PAINTING_TOOLS,
        *SHAPE_TOOLS,
        *HEIGHT_TOOLS,
        *PLACING_TOOLS,
        *SELECTING_TOOLS,
        *FURTHER_TOOLS,
    ),
    "main": (
        "file.new-map",
        "file.open",
        "file.open-from-game",
        "file.save",
        "file.export-to-game",
        None,
        "edit.undo",
        "edit.redo",
        None,
        "script.roll",
        "view.side-panels",
    ),
}
"""The tool bars by their names, under which the window's state is stored."""

POPUPS = {"file.new-map": NEW_MAP_MENU, "script.roll": ROLL_MENU}
"""Buttons of the tool bars with a menu behind an arrow."""

PANEL_ENTRIES = Menu(
    "Panels",
    (
        Menu(
            "Palette",
            (
                Menu("Terrain", ("palette.terrain.*",)),
                Menu("Hexside", ("palette.hexside.*",)),
                Menu("Route", ("palette.route.*",)),
                Menu("Things", ("palette.thing.*",)),
            ),
        ),
        Menu("Map", ("properties.*",)),
        Menu("Layers", ("layers.*",)),
        Menu("Dice", ("dice.*",)),
        Menu("Scenario", ("scenario.*",)),
        Menu("Setup", ("setup.*",)),
        Menu("Odds", ("odds.*",)),
        Menu("Fairness", ("fairness.*",)),
        Menu("Gallery", ("gallery.*",)),
        Menu(
            "Script",
            (
                "script.seed",
                "script.number",
                "script.open",
                "script.save",
                "script.save-as",
                "script.follow",
                "script.complete",
                "script.fix",
                "script.definition",
                "script.rename",
                "script.find",
                "script.replace",
                "script.find-next",
                "script.find-previous",
                "script.go-to-line",
            ),
        ),
    ),
)
"""Commands that only panels offer: *Find a command* finds them, and they can have keys."""


def entries() -> list[str]:
    """Return all menu entries in the order of the menus."""
    return list(_paths())


def path_of(name: str) -> tuple[str, ...]:
    """Return titles of the menus that lead to a command. Raises ValueError if it stands nowhere."""
    return _paths()[entry_of(name)]


def entry_of(name: str) -> str:
    """Return the menu entry of a command: its id, or such as ``tool.*``.

    Raises ValueError if it stands nowhere.
    """
    if name in _paths():
        return name
    # Of several patterns that fit, the first one in the menus counts.
    for prefix in _prefixes():
        if name.startswith(prefix):
            return f"{prefix}*"
    raise ValueError(
        f"the command {name} stands in no menu of app/commands/layout.py "
        "(those of other packages begin with map., randomize. or view.package.)"
    )


# The menus never change, so both are computed once; the registry of caches knows what they take.


@registered(count=1, bytes_each=60 * KB)
@cache
def _paths() -> dict[str, tuple[str, ...]]:
    """Return the titles of the menus that lead to each menu entry, by the entry."""
    paths: dict[str, tuple[str, ...]] = {}
    for menu in (*MENUS, PANEL_ENTRIES):
        paths.update(_walk(menu, ()))
    return paths


@registered(count=1, bytes_each=10 * KB)
@cache
def _prefixes() -> tuple[str, ...]:
    """Return the menu entries that are patterns, without their ``*``: ``tool.``, for instance."""
    return tuple(entry.removesuffix("*") for entry in _paths() if entry.endswith("*"))


def _walk(menu: Menu, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each menu entry in a menu and in those within it, with the titles that lead there.

    ``path`` are the titles that lead to the menu itself.
    """
    inside = (*path, menu.title.replace("&", ""))
    for entry in menu.entries:
        if isinstance(entry, Menu):
            yield from _walk(entry, inside)
        elif entry is not None:
            yield entry, inside
