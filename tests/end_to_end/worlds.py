"""Worlds of Xconq in the real window, and what a person does with them.

``new_world`` and ``open_scenario`` bring a world to the front; the other functions choose kinds of
unit, click cells and read the problems of the map.
"""

from __future__ import annotations

from math import dist

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.app.conftest import new_map_dialog
from tests.end_to_end.test_map_script_desk import settle
from tests.randomizer.systems.xconq.tiny_period import TEXT

MARGIN_X = 10
"""Columns at either rim of a world that are not clicked: they can lie under the canvas's rim."""

MARGIN_Y = 4
"""As ``MARGIN_X``, for rows."""


def new_world(qtbot, window, period: str) -> None:
    """Make a world by *New map*, and wait until it is drawn."""
    new_map_dialog(window, "Xconq world", period).make_button.click()
    wait_for_world(qtbot, window)
    settle(qtbot, window)


def wait_for_world(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "xconq")


def script_panel(qtbot, window):
    """Show the panel with the period of the world in front, and return it."""
    window.desk.docks.show("randomize")
    settle(qtbot, window)
    return window.desk.docks.panel("randomize")


def scenario_text(title: str, rows: tuple[str, ...], units: tuple[str, ...]) -> str:
    """Return a scenario of the tiny period: 9 x 9 cells, the sides Ann and Bob, and units."""
    lines = [
        f"Xconq 1 --+-++ {title}",
        "tiny.per",
        "Map 9 9 0 1 0",
        *rows,
        "Sides 2 1 0",
        "Ann",
        "Bob",
        f"Units {len(units)} 1 0",
        *units,
    ]
    return "\n".join(lines) + "\n"


def open_scenario(qtbot, window, folder, text: str):
    """Open a scenario of the tiny period; return the list of the map's problems."""
    (folder / "tiny.per").write_text(TEXT, "latin-1")
    path = folder / "scenario.scn"
    path.write_text(text, "latin-1")
    window.desk.files.open_path(path)
    wait_for_world(qtbot, window)
    window.desk.commands.run("view.problems")
    return map_problems(window)


def map_problems(window):
    """Return the list of problems of the map in front, as the panel *Problems* shows it."""
    (source,) = [source for source in window.desk.problems.all if source.title == "Map"]
    return source.problems


def choose_kind(window, name: str) -> None:
    """Click the first kind of unit in the palette whose title begins with ``name``."""
    window.desk.tools.choose("things")
    kinds = window.desk.docks.panel("palette").things.kinds
    items = [kinds.item(row) for row in range(kinds.count())]
    item = next(item for item in items if item.text().startswith(name))
    kinds.scrollToItem(item)
    point = kinds.visualItemRect(item).center()
    QTest.mouseClick(kinds.viewport(), Qt.MouseButton.LeftButton, pos=point)


def click_cell(window, cell: int) -> None:
    canvas = window.desk.canvas
    grid = window.desk.document.battlemap.grid
    point = canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point)


def free_cells(window, terrain: str | None = None) -> list[int]:
    """Return cells that are far enough from all things, and from each other, for a click.

    They lie in order of the rows; ``terrain`` is the one that they must have, by its name.
    """
    document = window.desk.document
    battlemap = document.battlemap
    grid = battlemap.grid
    codes = document.composite.planes["terrain"].ravel()
    points = [(thing.x, thing.y) for thing in battlemap.visible_things()]
    cells = []
    for y in range(MARGIN_Y, grid.height - MARGIN_Y):
        for x in range(MARGIN_X, grid.width - MARGIN_X):
            cell = grid.cell(x, y)
            if terrain and codes[cell] != battlemap.terrain_set.terrain_code(terrain):
                continue
            centre = grid.centre(cell)
            if all(dist(centre, point) > 5 for point in points):
                cells.append(cell)
                points.append(centre)
    return cells
