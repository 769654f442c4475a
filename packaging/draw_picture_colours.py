"""The mean colour of every terrain picture: ``python packaging/draw_picture_colours.py [FILE]``.

Landscapes whose cells are too small for pictures are drawn in these colours, so that their look
does not change when they are zoomed. Run it after ``draw_pictures.py``; it needs the
package.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.pictures.picture_library import picture
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM

ROOT = Path(__file__).resolve().parent.parent

SIDE = 320
SCALE = 16.0


def mean_colour(name: str) -> str:
    """The mean colour of an area of cells that all show the picture ``name``."""
    grid = Grid(FLAT, 24, 24)
    battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")])
    battlemap.terrain_set = TerrainSet(name, (Terrain(name, "#808080"),))
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    x, y = grid.centre(12 * 24 + 12)
    view = Viewport(SCALE, SIDE / 2 - x * SCALE, SIDE / 2 - y * SCALE)
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(**dict.fromkeys(Overlays.__slots__, False))
    painter = QPainter(image)
    area = QRectF(0, 0, SIDE, SIDE)
    renderer.paint(painter, MapView(battlemap, battlemap.composite(), view), area)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(SIDE, SIDE, 4)
    blue, green, red = (round(float(pixels[:, :, i].mean())) for i in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"


def main() -> None:
    """Write the table: of each picture with a ground the colour it is made for, and its mean."""
    resources = ROOT / "app" / "resources"
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else resources / "picture_colours.json"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    QApplication(sys.argv[:1])
    table = {}
    for path in sorted((resources / "terrain").glob("*.svg")):
        found = picture(path.stem)
        if found is not None and found.has("ground"):
            table[path.stem] = (found.colour, mean_colour(path.stem))
    target.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
