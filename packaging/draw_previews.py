"""Draw the previews of our own scripts again, and roll the map that the desk opens on.

``python3 packaging/draw_previews.py``, to be run after a script or a picture has changed. Each
script's metadata say which of its maps is the preview (PreviewSeed, PreviewNumber); the same
scripts and pictures give the same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SCRIPTS = ROOT / "randomizer" / "systems" / "colossus" / "scripts"
SAMPLE = ROOT / "app" / "resources" / "sample.json"

MOD = ROOT / "randomizer" / "systems" / "zeroad" / "mod"
MAP_PREVIEWS = MOD / "art" / "textures" / "ui" / "session" / "icons" / "mappreview"

MAP_SIZE = (200, 150)
"""Of the previews of map scripts, in logical pixels; there are two pixels to each."""

MAP_CHOICES = {"Size": 128, "Players": 4, "Biome": "generic/aegean"}
"""The settings of the maps on those previews; their seed is 1."""

SAMPLE_ROLL = ("Mountains", 1, 20)
"""Name of the script, seed and number of the map that the desk opens on."""

SIZE = (180, 156)
"""In logical pixels: so small that no labels are drawn, which would depend on the fonts."""

RATIO = 1.25
"""Pixels to a logical pixel: a preview has 225 x 195."""

MARGIN = 0.15
"""Room around the board, in hex radii."""

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from randomizer.generator import MapGenerator
    from randomizer.model.map.layer import Layer
    from randomizer.systems.colossus.generator import RndGenerator


def main() -> int:
    """Write every preview and the sample."""
    from randomizer.systems.colossus.generator import packaged
    from randomizer.systems.zeroad.generators.packaged import packaged as map_scripts

    drawn = {SCRIPTS / str(each.metadata.preview): preview(each) for each in packaged()}
    for map_script in map_scripts():
        if "hidden" not in map_script.metadata.keywords:
            drawn[MAP_PREVIEWS / str(map_script.metadata.preview)] = map_preview(map_script)
    for path, picture in drawn.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not picture.save(str(path), quality=0):  # 0: the smallest file
            print(f"{path} cannot be written", file=sys.stderr)
            return 1
    SAMPLE.write_text(json.dumps(sample(), separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


def rolled_layer(generator: RndGenerator, seed: int, number: int) -> Layer:
    """Map ``number`` of ``seed``, rolled onto nothing."""
    from randomizer.generator_run import run
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.rolls.draw_key import DrawKey
    from randomizer.roll_base import Base
    from randomizer.systems.colossus.system import SYSTEM

    base = Base.under(BattleMap.new(SYSTEM), 0)
    generated = run(generator, {}, DrawKey(seed, number), base)
    assert generated is not None
    return generated.layers[0]


def preview(generator: RndGenerator) -> QImage:
    """The picture of the map that the metadata name, on a transparent ground."""
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

    from app.render.map_view import MapView
    from app.render.overlay_options import Overlays
    from app.render.renderer import Renderer
    from app.render.theme import theme
    from app.render.viewport import fitting
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.systems.colossus.system import SYSTEM

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _application = QGuiApplication.instance() or QGuiApplication([])
    others: Any = generator.metadata.others
    layer = rolled_layer(generator, others["PreviewSeed"], others["PreviewNumber"])
    battlemap = BattleMap.new(SYSTEM, layers=[layer])

    look = replace(theme("light"), background=QColor(Qt.GlobalColor.transparent))
    renderer = Renderer(look)
    renderer.overlays = Overlays(labels=False, cell_list=False, entry_sides=False)
    width, height = SIZE
    image = QImage(
        round(width * RATIO), round(height * RATIO), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(RATIO)
    image.fill(Qt.GlobalColor.transparent)
    area = QRectF(0, 0, width, height)
    view = fitting(battlemap.grid, area.size(), MARGIN)
    painter = QPainter(image)
    renderer.paint(painter, MapView(battlemap, battlemap.composite(), view, RATIO), area)
    painter.end()
    image.setDevicePixelRatio(1)
    image.setText("Map", fingerprint(generator))
    return image


def map_preview(generator: MapGenerator) -> QImage:
    """The picture of a map of ``MAP_CHOICES``."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QGuiApplication, QImage, QPainter

    from app.render.map_view import MapView
    from app.render.overlay_options import Overlays
    from app.render.renderer import Renderer
    from app.render.theme import theme
    from app.render.viewport import fitting
    from randomizer.generator_run import run
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.rolls.draw_key import DrawKey
    from randomizer.roll_base import Base

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _application = QGuiApplication.instance() or QGuiApplication([])
    grid = generator.grid(MAP_CHOICES)
    assert grid is not None
    empty = BattleMap.new(generator.system, grid, [Layer(1, "Ground")])
    made = run(generator, MAP_CHOICES, DrawKey(1, 0), Base.under(empty, 0))
    assert made is not None
    battlemap = BattleMap.new(generator.system, grid, list(made.layers), made.terrain_set)
    battlemap.records = dict(made.records or {})
    renderer = Renderer(theme("dark"))
    renderer.overlays = Overlays(grid_lines=False)
    width, height = MAP_SIZE
    image = QImage(2 * width, 2 * height, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(2)
    area = QRectF(0, 0, width, height)
    painter = QPainter(image)
    view = fitting(grid, area.size(), 0.5)
    renderer.paint(painter, MapView(battlemap, battlemap.composite(), view, 2.0), area)
    painter.end()
    image.setDevicePixelRatio(1)
    return image


def fingerprint(generator: RndGenerator) -> str:
    """Stands for the map on the preview; a picture whose text "Map" differs is out of date."""
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.systems.colossus.battleland.record_line import record_line, record_of
    from randomizer.systems.colossus.system import SYSTEM

    others: Any = generator.metadata.others
    seed = others["PreviewSeed"]
    number = others["PreviewNumber"]
    battlemap = BattleMap.new(SYSTEM, layers=[rolled_layer(generator, seed, number)])
    line = record_line(record_of(battlemap.composite(), seed, number))
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def sample() -> dict[str, Any]:
    """What ``app.document.sample`` reads: a rolled layer in full."""
    from randomizer.systems.colossus.generator import packaged

    name, seed, number = SAMPLE_ROLL
    generator = next(generator for generator in packaged() if generator.name == name)
    layer = rolled_layer(generator, seed, number)
    assert layer.roll is not None
    return {
        "generator": layer.roll.generator,
        "script": layer.roll.script_name,
        "seed": layer.roll.seed,
        "number": layer.roll.number,
        "layer_name": layer.name,
        "properties": layer.properties,
        "origins": layer.roll.origins,
        "planes": {plane: values.tolist() for plane, values in layer.planes.items()},
    }


if __name__ == "__main__":
    raise SystemExit(main())
