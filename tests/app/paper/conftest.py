"""Maps to put on paper, and what stands in a PDF."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from app.document.sample import sample_map
from app.paper.export import picture
from app.paper.picture_request import PictureRequest
from app.paper.steps import run
from randomizer.model.grid.layouts import FLAT, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import free_map

Make = Callable[..., bytes]


@pytest.fixture
def battleland(qapp) -> BattleMap:
    return sample_map()


@pytest.fixture
def make(qapp) -> Make:
    """The bytes of a picture of a map."""

    def make(kind: str, battlemap: BattleMap, **request: object) -> bytes:
        composite = battlemap.composite()
        steps = picture(kind, PictureRequest(**request), battlemap, composite)  # type: ignore[arg-type]
        data = run(steps, lambda _percent: None, lambda: False)
        assert data is not None
        return data

    return make


def table(width: int, height: int, layout: Layout = FLAT) -> BattleMap:
    """A free map on which each of Titan's hazards occurs, some of it raised."""
    battlemap = free_map(layout, width, height, terrain_set=packaged_set(TITAN_HAZARDS))
    count = len(battlemap.terrain_set.terrains)
    cells = np.arange(width * height).reshape(height, width)
    battlemap.layers[0].planes["terrain"] = (cells % count).astype(np.uint16)
    battlemap.layers[0].planes["elevation"] = (cells % 7 == 0).astype(np.int16)
    return battlemap


def media_boxes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in millimetres."""
    found = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(float(width) * 25.4 / 72, float(height) * 25.4 / 72) for width, height in found]


def hex_centres(pdf: bytes) -> list[list[tuple[float, float]]]:
    """The centres of the hexes that are painted as shapes, page by page, in millimetres."""
    pages = []
    for start in re.finditer(rb"stream\r?\n", pdf):
        try:
            text = zlib.decompressobj().decompress(pdf[start.end() :])
        except zlib.error:
            continue
        scale = re.search(rb"\n([\d.]+) 0 0 -[\d.]+ 0 [\d.]+ cm", text)
        if scale is None:
            continue
        centres = []
        for outline in re.findall(rb"((?:-?[\d.]+ -?[\d.]+ [ml]\n){7})h\nW", text):
            points = [tuple(map(float, line.split()[:2])) for line in outline.splitlines()[:6]]
            x, y = (
                sum(axis) / 6 * float(scale[1]) * 25.4 / 72 for axis in zip(*points, strict=True)
            )
            centres.append((x, y))
        pages.append(centres)
    return pages
