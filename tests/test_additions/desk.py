"""A panel, a tool, an overlay and a picture of a terrain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel

from app.desk.feature import Dock, Feature, Opener
from app.render.scene.batch import TextBatch
from app.tools.brushes import TerrainTool

if TYPE_CHECKING:
    from app.desk.desk import Desk

FEATURE = Feature(
    "Additions",
    "tests.test_additions.desk",
    Dock(
        "additions",
        "Additions",
        "right",
        tabbed_with="randomize",
        opener=Opener("map.package.additions", "&Additions...", "What was added"),
    ),
)


class PenTool(TerrainTool):
    """A brush of one cell."""

    name = "pen"
    title = "Pen"
    shortcut = ""
    uses = frozenset()


def codes(pieces, part):
    """Yield the number of each cell's terrain."""
    theme = pieces.theme
    texts = [str(code) for code in range(len(pieces.terrain_set.terrains))]
    points = part.centres + np.zeros(2)
    yield TextBatch(texts, points, 0.3, theme.label_text, theme.label_halo, text_of=part.terrain)


def make(desk: Desk) -> QLabel:
    desk.tools.add(PenTool)
    desk.add_overlay("codes", "Terrain &codes", "The number of every terrain", codes)
    desk.add_pictures(Path(__file__).parent / "pictures")
    return QLabel("Added")
