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

    from randomizer.model.layer import Layer
    from randomizer.systems.colossus.generator import RndGenerator


def main() -> int:
    """Write every preview and the sample."""
    from randomizer.systems.colossus.generator import packaged

    for generator in packaged():
        assert generator.metadata.preview is not None
        path = SCRIPTS / generator.metadata.preview
        if not preview(generator).save(str(path), quality=0):  # 0: the smallest file
            print(f"{path} cannot be written", file=sys.stderr)
            return 1
    SAMPLE.write_text(json.dumps(sample(), separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


def rolled_layer(generator: RndGenerator, seed: int, number: int) -> Layer:
    """Map ``number`` of ``seed``, rolled onto nothing."""
    from randomizer.generator import Base, DrawKey, run
    from randomizer.model.battlemap import BattleMap
    from randomizer.systems.colossus.system import SYSTEM

    base = Base.under(BattleMap.new(SYSTEM), 0)
    generated = run(generator, {}, DrawKey(seed, number), base)
    assert generated is not None
    return generated.layers[0]


def preview(generator: RndGenerator) -> QImage:
    """The picture of the map that the metadata name, on a transparent ground."""
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

    from app.render.overlay_options import Overlays
    from app.render.renderer import Renderer
    from app.render.theme import theme
    from app.render.viewport import fitting
    from randomizer.model.battlemap import BattleMap
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
    renderer.paint(painter, battlemap, battlemap.composite(), view, area, RATIO)
    painter.end()
    image.setDevicePixelRatio(1)
    image.setText("Map", fingerprint(generator))
    return image


def fingerprint(generator: RndGenerator) -> str:
    """Stands for the map on the preview; a picture whose text "Map" differs is out of date."""
    from randomizer.model.battlemap import BattleMap
    from randomizer.systems.colossus.battleland.record_line import record_line, record_of
    from randomizer.systems.colossus.system import SYSTEM

    others: Any = generator.metadata.others
    seed, number = others["PreviewSeed"], others["PreviewNumber"]
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
