"""Sprites that a frame has no time for are drafted, and drawn by the next frame that has."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.render.map_view import MapView
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import fitting
from tests.app.render.drawing import GRIDS, NOTHING, give_each_frame, world
from tests.app.render.vector.test_vector_map import pixels

SIZE = 400


def test_a_frame_that_is_not_hurried_leaves_no_draft(qapp, monkeypatch):
    """A zoom to a scale that was left before its sprites were drawn shows them, or says so."""
    battlemap = world(GRIDS["flat"])
    composite = battlemap.composite()
    area = QRectF(0, 0, SIZE, SIZE)
    viewport = fitting(battlemap.grid, area.size(), 0)
    image = QImage(SIZE, SIZE, QImage.Format.Format_RGB32)

    def frame(renderer: Renderer, *, progressive: bool) -> np.ndarray:
        renderer.overlays = NOTHING
        painter = QPainter(image)
        view = MapView(battlemap, composite, viewport)
        painted = renderer.paint(painter, view, area, progressive=progressive)
        drafts.append(painted.is_draft)
        painter.end()
        return pixels(image)

    drafts = []
    whole = frame(Renderer(theme("light"), Pictures()), progressive=False)
    renderer = Renderer(theme("light"), Pictures())
    give_each_frame(monkeypatch, -1)
    assert (frame(renderer, progressive=True) != whole).any()
    give_each_frame(monkeypatch, 60_000)
    assert (frame(renderer, progressive=True) == whole).all()
    assert drafts == [False, True, False]
