"""The hexes of the line at the cursor: those that it made on this map, and those it can make."""

from __future__ import annotations

from tests.end_to_end.worlds import click_cell

LINE = "AREA SUBSTRACT((leftover),D6 F4 F1 D1 A1 A3)"


def test_hexes_that_a_line_made_are_told_from_those_that_it_can_make(window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    editor = desk.docks.panel("randomize").editor
    qtbot.waitUntil(lambda: LINE in editor.text() and desk.scripts.checker.fresh)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    editor.setFocus()
    line = editor.text()[: editor.text().index(LINE)].count("\n") + 1
    editor.go_to(line, 2)
    overlays = desk.canvas.overlays
    qtbot.waitUntil(lambda: bool(overlays.solid_cells))
    assert overlays.solid_cells < overlays.marked
    (layer,) = [layer for layer in desk.document.battlemap.layers if layer.roll is not None]
    index = next(i for i, text in enumerate(layer.roll.origins) if LINE in text)
    assert set(overlays.solid_cells) == set((layer.planes["origin"].ravel() == index).nonzero()[0])

    tip = editor.help_at(editor.textCursor().position())
    names = desk.document.battlemap.system.cell_name
    grid = desk.document.battlemap.grid
    made_names = " ".join(names(grid, cell) for cell in sorted(overlays.solid_cells))
    assert f"Hexes made by this line (solid): {made_names}; possible in other rolls" in tip

    # What a hand has painted is not the line's any more.
    painted_cell = min(overlays.solid_cells)
    click_cell(window, painted_cell)
    editor.setFocus()
    qtbot.waitUntil(lambda: bool(overlays.marked))
    assert painted_cell in overlays.marked - overlays.solid_cells
