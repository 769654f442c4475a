"""Pictures of our own maps, traced: how long it takes and how many cells are wrong.

A clean picture (default switches, without labels) is traced without help, and every cell must be
right. A distorted one (turned, scaled, a JPEG of a low quality) is traced with some cells painted.
Boards of the corpus, where it is, are traced as free maps of Titan hazards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QImage, QTransform

from app.paper.bitmaps import png
from app.paper.picture_request import ON_PAPER, PictureRequest, usual_hex_pixels
from app.paper.steps import run
from app.paper.tracing import TracedPicture, trace_picture
from randomizer.cli.files import read_map
from randomizer.cli.output import Console
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import TERRAIN, free_map
from tests.benchmarks.benchmark import COLOSSUS_CORPUS, Row, benchmark
from tests.benchmarks.canvases import application
from tests.randomizer.systems.free.landscape.rolled import roll, size_settings

SIZES = (
    *("12x9", "16x12", "20x15", "12x9", "24x18", "16x12", "30x20", "20x15"),
    *("12x9", "16x12", "24x18", "12x9", "40x30", "20x15", "60x40"),
)
"""Of the maps of the proof, in each layout."""

DISTORTED_STEP = 5
"""One of so many sizes is distorted, too."""

BOARD_STEP = 4
"""One of so many boards is traced."""

PAINTED_SHARE = 0.15
"""Of the cells of a distorted picture."""

JPEG_QUALITY = 70
TURN_DEGREES = 3.0
SCALE_CHANGE = 0.05


class Result(NamedTuple):
    """Numbers of cells of one traced map; ``unmarked`` are wrong without being doubtful."""

    cells: int
    wrong: int
    doubtful: int
    unmarked: int
    cpu_s: float


@benchmark("tracing", full="60x40", tiny="12x9")
def measure_tracing(size: str) -> Iterator[Row]:
    application()
    truth = landscape(0, size)
    data = picture_of(truth)
    clean = trace(data, truth, blank_map(truth))
    yield Row("a clean picture", clean.cpu_s, "s")
    yield Row("wrong cells of it", 100 * clean.wrong / clean.cells, "%")
    distorted = trace(distorted_picture(data, 0), truth, partly_painted(truth, 0))
    yield Row("a distorted picture", distorted.cpu_s, "s")
    yield Row("wrong cells of that", 100 * distorted.wrong / distorted.cells, "%")


@benchmark("tracing-proof", full=(len(SIZES), BOARD_STEP), tiny=(1, 0), only_by_name=True)
def measure_many_pictures(size: tuple[int, int]) -> Iterator[Row]:
    """Trace maps of all layouts and sizes, and boards."""
    application()
    most_sizes, board_step = size
    clean: list[Result] = []
    distorted: list[Result] = []
    for size_number, map_size in enumerate(SIZES[:most_sizes]):
        for layout_number in range(len(LAYOUTS)):
            number = size_number * len(LAYOUTS) + layout_number
            truth = landscape(number, map_size)
            data = picture_of(truth)
            clean.append(trace(data, truth, blank_map(truth)))
            if size_number % DISTORTED_STEP == 0:
                start = partly_painted(truth, number)
                distorted.append(trace(distorted_picture(data, number), truth, start))
    boards: list[Result] = []
    paths = sorted((COLOSSUS_CORPUS / "xml").glob("*.xml"))
    for path in paths[::board_step] if board_step else ():
        truth, start = board(path)
        boards.append(trace(picture_of(truth), truth, start))
    yield from rows_of("clean", clean)
    yield from rows_of("distorted", distorted)
    if boards:
        yield from rows_of("boards", boards)


def rows_of(title: str, results: list[Result]) -> Iterator[Row]:
    """Yield the mean and the worst of many maps."""
    wrong_percent = [100 * result.wrong / result.cells for result in results]
    yield Row(f"{title}: maps without a wrong cell", wrong_percent.count(0) / len(results), "")
    yield Row(f"{title}: wrong cells, mean", float(np.mean(wrong_percent)), "%")
    yield Row(f"{title}: wrong cells, worst", max(wrong_percent), "%")
    yield Row(f"{title}: wrong and not doubtful", sum(each.unmarked for each in results), "cells")
    yield Row(f"{title}: doubtful", sum(each.doubtful for each in results), "cells")
    yield Row(f"{title}: longest", max(each.cpu_s for each in results), "s")


def landscape(number: int, size: str) -> BattleMap:
    """Return a landscape by dice; the number is its seed and chooses the layout."""
    layout = LAYOUTS[number % len(LAYOUTS)]
    return roll({"layout": layout.name, **size_settings(size)}, seed=number)[1]


def picture_of(battlemap: BattleMap) -> bytes:
    """Return what ``app picture MAP OUT.png --no-labels`` writes."""
    pixels = usual_hex_pixels(battlemap.grid.size)
    request = PictureRequest(pixels=pixels, overlays=replace(ON_PAPER, labels=False))
    data = run(png(request, battlemap, battlemap.composite()))
    assert data is not None
    return data


def distorted_picture(data: bytes, number: int) -> bytes:
    """Return a picture turned and scaled, one way or the other by the number, as a JPEG."""
    turn = TURN_DEGREES if number % 2 == 0 else -TURN_DEGREES
    scale = 1 + SCALE_CHANGE if number // 2 % 2 == 0 else 1 - SCALE_CHANGE
    transform = QTransform().rotate(turn).scale(scale, scale)
    image = QImage.fromData(data, "PNG")
    turned = image.transformed(transform, Qt.TransformationMode.SmoothTransformation)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    turned.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "JPG", JPEG_QUALITY)
    return bytes(buffer.data().data())


def blank_map(battlemap: BattleMap) -> BattleMap:
    """Return an empty free map of the same size."""
    grid = battlemap.grid
    return free_map(grid.layout, grid.width, grid.height)


def partly_painted(battlemap: BattleMap, number: int) -> BattleMap:
    """Return an empty map of the same size, with the terrains of some cells."""
    grid = battlemap.grid
    is_painted = np.random.default_rng(number).random((grid.height, grid.width)) < PAINTED_SHARE
    plane = np.where(is_painted, battlemap.values_or_unset(TERRAIN), TERRAIN.unset)
    result = blank_map(battlemap)
    result.layers[0].planes[TERRAIN.name] = plane.astype(TERRAIN.dtype)
    return result


def board(path: Path) -> tuple[BattleMap, BattleMap]:
    """Return a battleland, and an empty free map of the same size with Titan hazards."""
    truth = read_map(str(path), Console())[0]
    grid = truth.grid
    hazards = packaged_set(TITAN_HAZARDS)
    return truth, free_map(grid.layout, grid.width, grid.height, terrain_set=hazards)


def trace(data: bytes, truth: BattleMap, start: BattleMap) -> Result:
    """Trace a picture onto ``start`` and compare the result with the truth."""
    start_s = process_time()
    traced = run(trace_picture(data, start))
    cpu_s = process_time() - start_s
    assert traced is not None
    return result_of(truth, start, traced, cpu_s)


def result_of(truth: BattleMap, start: BattleMap, traced: TracedPicture, cpu_s: float) -> Result:
    """Count the cells with the right terrain; terrains of both maps are compared by name."""
    cells = np.intersect1d(traced.cells, truth.grid.cells)  # boards have holes
    true_names = terrain_names(truth, truth.composite().planes[TERRAIN.name], cells)
    traced_names = terrain_names(start, traced.planes[TERRAIN.name], cells)
    wrong = cells[true_names != traced_names]
    doubtful = np.intersect1d(cells, np.append(traced.doubtful, traced.beyond))
    unmarked = np.setdiff1d(wrong, doubtful)
    return Result(len(cells), len(wrong), len(doubtful), len(unmarked), cpu_s)


def terrain_names(
    battlemap: BattleMap, plane: NDArray[np.uint16], cells: NDArray[np.intp]
) -> NDArray[np.str_]:
    """Return the name of the terrain of each cell, "" where none is set."""
    names = np.array([*(terrain.name for terrain in battlemap.terrain_set.terrains), ""])
    codes = plane.ravel()[cells].astype(np.intp)
    return names[codes.clip(0, len(names) - 1)]
