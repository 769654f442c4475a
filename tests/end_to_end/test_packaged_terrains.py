"""Free maps of the packaged terrain sets: what the palette shows, what is painted and offered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.canvas.hover_text import explain_cell
from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import free_map
from tests.daily import deep_but


def test_a_coast_is_painted_on_a_new_map(window, qtbot):
    document = window.desk.document
    document.show_map(new_map(system_named("free")))
    assert "Grassland" in explain_cell(document, 30)
    found = window.desk.docks.panel("palette").findChildren(QToolButton)
    buttons = {each.accessibleName(): each for each in found}
    terrains = [name.removeprefix("Terrain ") for name in buttons if name.startswith("Terrain ")]
    assert terrains[:5] == ["Deep sea", "Sea", "Shallows", "Beach", "Grassland"]
    assert terrains[-2:] == ["Built-up area", "Dense built-up area"]
    buttons["Terrain Sea"].click()
    canvas = window.desk.canvas
    canvas.fit()
    x, y = document.battlemap.grid.centre(30)
    qtbot.mouseClick(
        canvas, Qt.MouseButton.LeftButton, pos=canvas.viewport.to_screen(x, y).toPoint()
    )
    assert "Sea" in explain_cell(document, 30)


@pytest.mark.parametrize(
    ("name", "offered"),
    deep_but(
        [
            ("Landscape", ["slope", "cliff"]),
            ("Battlefield", []),
            ("Titan hazards", ["slope", "cliff", "dune"]),
        ],
        ("Titan hazards", ["slope", "cliff", "dune"]),
    ),
)
def test_edges_are_filled_with_hexsides_that_the_set_has_a_rule_for(window, name, offered):
    """The streams of a battlefield have the letter of slopes, and follow no rule."""
    window.desk.document.show_map(free_map(FLAT, 6, 5, terrain_set=packaged_set(name)))
    fills = {"slope": "low", "cliff": "high", "dune": "sand"}
    action = window.desk.commands.action
    shown = [
        side
        for side, edges in fills.items()
        if action(f"map.fill-{edges}-edges-with-{side}").isVisible()
    ]
    assert shown == offered
