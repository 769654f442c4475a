"""The proof of tracing: ``nice python -m tests.benchmarks.tracing_proof [FIRST LAST]``.

Pictures of ours (default switches, without labels) of ``MAPS`` Landscapes of four layouts are
traced: clean and without help, where every cell must be right; and turned, scaled and as a JPEG of
a low quality with some cells painted, where 95 % must be. Then boards of the corpus, if it is
there, as free maps of Titan hazards. For each it prints the cells that were traced, those that are
wrong, doubtful, and wrong without being doubtful, and the CPU time. The same maps each time.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QGuiApplication, QImage, QTransform

from app.paper.export import png
from app.paper.picture_request import ON_PAPER, PictureRequest, usual_hex_pixels
from app.paper.steps import run
from app.paper.tracing import TracedPicture, trace_picture
from randomizer.cli.files import read_map
from randomizer.cli.output import Console
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import TERRAIN, free_map
from tests.randomizer.systems.free.landscape.rolled import roll

SIZES = (
    *("12x9", "16x12", "20x15", "12x9", "24x18", "16x12", "30x20", "20x15"),
    *("12x9", "16x12", "24x18", "12x9", "40x30", "20x15", "60x40"),
)
MAPS = len(SIZES) * len(LAYOUTS)

DISTORTED = 5
"""One of so many maps is distorted, too."""

BOARDS = Path(__file__).parents[3] / "shared/corpus/colossus/xml"
BOARD_STEP = 4
"""One of so many boards is traced."""

PAINTED = 0.15
QUALITY = 70
TURN = 3.0
SCALE = 0.05


class Result(NamedTuple):
    """Numbers of cells of one traced map."""

    cells: int
    wrong: int
    doubtful: int
    unmarked: int
    cpu_s: float

    @property
    def right(self) -> float:
        """The share of cells with the right terrain."""
        return 1 - self.wrong / self.cells


def landscape(number: int) -> BattleMap:
    """One of the maps."""
    layout = LAYOUTS[number % len(LAYOUTS)]
    settings = {"layout": layout.name, "size": SIZES[number // len(LAYOUTS)]}
    return roll(settings, seed=number)[1]


def picture_of(battlemap: BattleMap) -> bytes:
    """What ``app picture MAP OUT.png --no-labels`` writes."""
    pixels = usual_hex_pixels(battlemap.grid.size)
    request = PictureRequest(pixels=pixels, overlays=replace(ON_PAPER, labels=False))
    data = run(png(request, battlemap, battlemap.composite()))
    assert data is not None
    return data


def distorted(data: bytes, number: int) -> bytes:
    """A picture turned and scaled, one way or the other, as a JPEG."""
    turn = (TURN, -TURN)[number % 2]
    scale = 1 + (SCALE, -SCALE)[number // 2 % 2]
    turned = QImage.fromData(data).transformed(
        QTransform().rotate(turn).scale(scale, scale), Qt.TransformationMode.SmoothTransformation
    )
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    turned.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "JPG", QUALITY)
    return bytes(buffer.data().data())


def partly_painted(battlemap: BattleMap, number: int) -> BattleMap:
    """An empty map of the same size, with the terrains of some cells."""
    grid = battlemap.grid
    painted = np.random.default_rng(number).random((grid.height, grid.width)) < PAINTED
    plane = np.where(painted, battlemap.set_values(TERRAIN), TERRAIN.unset)
    result = free_map(grid.layout, grid.width, grid.height)
    result.layers[0].planes[TERRAIN.name] = plane.astype(TERRAIN.dtype)
    return result


def result_of(truth: BattleMap, start: BattleMap, traced: TracedPicture, cpu_s: float) -> Result:
    """How much of a map was traced rightly, by the names of terrains."""
    cells = np.intersect1d(traced.cells, truth.grid.cells)  # boards have holes
    planes = truth.composite().planes, traced.planes
    names = [
        np.array([*(t.name for t in each.terrain_set.terrains), ""]) for each in (truth, start)
    ]
    right, given = (
        name[plane[TERRAIN.name].ravel()[cells].astype(np.intp).clip(0, len(name) - 1)]
        for name, plane in zip(names, planes, strict=True)
    )
    wrong = cells[right != given]
    doubtful = np.intersect1d(cells, np.append(traced.doubtful, traced.beyond))
    unmarked = np.setdiff1d(wrong, doubtful)
    return Result(len(cells), len(wrong), len(doubtful), len(unmarked), cpu_s)


def board(path: Path) -> tuple[BattleMap, BattleMap]:
    """A battleland, and an empty free map of the same size."""
    truth = read_map(str(path), Console())[0]
    grid = truth.grid
    hazards = packaged_set(TITAN_HAZARDS)
    return truth, free_map(grid.layout, grid.width, grid.height, terrain_set=hazards)


def measure(data: bytes, truth: BattleMap, start: BattleMap) -> Result:
    """Trace a picture."""
    before = process_time()
    traced = run(trace_picture(data, start))
    assert traced is not None
    return result_of(truth, start, traced, process_time() - before)


def report(title: str, number: int, truth: BattleMap, result: Result) -> None:
    """Print a line of the table."""
    grid = truth.grid
    size = f"{grid.layout.name} {grid.width}x{grid.height}"
    print(f"{title:9} {number:3} {size:15} {result.right:7.2%} ", *result[:4], end="")
    print(f"  {result.cpu_s:.1f} s", flush=True)


def summarize(title: str, results: list[Result]) -> None:
    """Print the mean and the worst of many maps."""
    if not results:
        return
    right = [each.right for each in results]
    wrong = sum(each.wrong for each in results)
    marked = wrong - sum(each.unmarked for each in results)
    whole = sum(each.wrong == 0 for each in results)
    print(
        f"{title}: {whole} of {len(results)} maps whole, {np.mean(right):.2%} in the mean, "
        f"{min(right):.2%} at the worst; {wrong} cells wrong, {marked} of these doubtful; "
        f"{sum(each.doubtful for each in results)} doubtful of "
        f"{sum(each.cells for each in results)}; {sum(each.cpu_s for each in results):.0f} s"
    )


def main(first: int = 0, last: int = MAPS) -> None:
    """Print the table of some maps, all unless said otherwise."""
    application = QGuiApplication.instance() or QGuiApplication([])
    clean = []
    turned = []
    print("condition map             right   cells wrong doubtful unmarked  CPU")
    for number in range(first, last):
        truth = landscape(number)
        grid = truth.grid
        data = picture_of(truth)
        clean.append(measure(data, truth, free_map(grid.layout, grid.width, grid.height)))
        report("clean", number, truth, clean[-1])
        if number // len(LAYOUTS) % DISTORTED == 0:
            start = partly_painted(truth, number)
            turned.append(measure(distorted(data, number), truth, start))
            report("distorted", number, truth, turned[-1])
    boards = []
    for number, path in enumerate(sorted(BOARDS.glob("*.xml"))[::BOARD_STEP]):
        truth, empty = board(path)
        boards.append(measure(picture_of(truth), truth, empty))
        report("board", number, truth, boards[-1])
    summarize("clean", clean)
    summarize("distorted", turned)
    summarize("boards", boards)
    del application


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
