"""A gallery of 48: ``python -m tests.benchmarks.bench_gallery``; goal: 150 ms of computing."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import time

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from app.features.gallery.candidates import candidates
from app.features.gallery.search import AT_ONCE
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.thumbnails.thumbnail_queue import RollThumbnails
from randomizer.catalog import generator_named
from randomizer.generator import Base, Generator
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from tests.randomizer.batches.rolled import roll_batch

SIZE = QSize(122, 130)


def gallery_ms(
    generator: Generator, pictures: RollThumbnails, first: int
) -> tuple[float, float, float]:
    """What a gallery from number ``first`` on costs: rolling, drawing, the longest turn of it."""
    battlemap = BattleMap.new(generator.system, layers=[Layer(1, "Ground")])
    began = time.process_time()
    numbers = np.arange(first, first + AT_ONCE, dtype=np.uint64)
    batch = roll_batch(generator, {}, 5, numbers, Base.under(battlemap, 1))
    made = candidates(generator, {}, batch)
    rolled = time.process_time()
    longest = 0.0
    for each in made:
        pictures.request(each.digest, (each.batch, each.row))
    while pictures.waiting:
        turn = time.process_time()
        pictures.draw_some()
        longest = max(longest, time.process_time() - turn)
    return (rolled - began) * 1000, (time.process_time() - rolled) * 1000, longest * 1000


def main() -> None:
    """Print, for scripts of the catalogue, what rolling and drawing cost, and their sum."""
    _application = QApplication([])
    for name in ("Desert", "Hills", "Marsh", "Mountains", "Tower"):
        generator = generator_named(name)
        assert generator is not None
        pictures = RollThumbnails(Renderer(theme("light")), SIZE)
        for state in ("cold", "warm"):
            rolled, drawn, longest = gallery_ms(generator, pictures, AT_ONCE * (state == "warm"))
            print(
                f"{name}, {state}: {rolled + drawn:.0f} ms (goal 150): rolled in {rolled:.0f} ms, "
                f"drawn in {drawn:.0f} ms, {longest:.0f} ms at a time"
            )


if __name__ == "__main__":
    main()
