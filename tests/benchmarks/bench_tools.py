"""Strokes on a million hexes: ``python -m tests.benchmarks.bench_tools``; medians in ms.

``step``: the tool makes its edit and the map changes. ``preview``: what a click would touch.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from app.document.document import MapDocument
from app.tools import TOOLS, Pointer, ToolOptions
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.grid.grid import Hit
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.benchmarks.bench_canvas import times_ms

SIZE = 1000
RADIUS = 3
STEP_GOAL_MS = 1


def main() -> None:
    """Print what a step of a stroke and its preview cost, alone and with five twins."""
    _application = QApplication([])
    battlemap = free_map(FLAT, SIZE, SIZE)
    battlemap.layers[0].planes["terrain"] = np.random.default_rng(1).integers(
        0, 12, (SIZE, SIZE), "u2"
    )
    document = MapDocument(battlemap)
    options = ToolOptions()
    _shown = document.composite  # live from here on
    grid = battlemap.grid
    pointers = []
    for x in range(400, 440):
        cell = grid.cell(x, 480)
        pointers.append(Pointer(Hit(cell, 0, 0.0), *grid.centre(cell)))
    tools = {kind.name: kind(options) for kind in TOOLS}
    for symmetry in ("none", "turn6"):
        for name in ("terrain", "random", "elevation", "eraser", "lock"):
            options.choose(radius=RADIUS, symmetry_kind=symmetry, height_mode="raise")
            tool = tools[name]
            tool.start(document, pointers[0])
            document.begin_stroke(cell_text(tool.text, document.battlemap.grid.layout))

            def step(number: int, tool=tool) -> None:  # type: ignore[no-untyped-def]
                options.terrain = number % 12
                document.stroke(tool.edit(document, pointers[number % len(pointers)]))

            def preview(number: int, tool=tool) -> None:  # type: ignore[no-untyped-def]
                tool.preview(document, pointers[number % len(pointers)])

            cost = times_ms(step, 40)[0]
            looks = times_ms(preview, 40)[0]
            print(f"{name} {symmetry}: step {cost:.2f} (goal {STEP_GOAL_MS}), preview {looks:.2f}")
            document.cancel_stroke()
            tool.forget()


if __name__ == "__main__":
    main()
