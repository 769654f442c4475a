"""A gallery of 48 maps of scripts: rolling and drawing. The worst script counts."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np
from PySide6.QtCore import QSize

from app.features.gallery.candidates import candidates_of
from app.features.gallery.search import AT_ONCE
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.thumbnails.roll_thumbnails import RollThumbnails
from randomizer.catalog.generators import generator_named
from randomizer.generator import Generator
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.roll_base import Base
from tests.benchmarks.benchmark import Row, benchmark
from tests.benchmarks.canvases import application
from tests.randomizer.batches.rolled import roll_batch

SIZE = QSize(122, 130)
SCRIPTS = ("Desert", "Hills", "Marsh", "Mountains", "Tower")


@benchmark("gallery", full=len(SCRIPTS), tiny=1)
def measure_gallery(scripts: int) -> Iterator[Row]:
    application()
    for title in ("first", "next"):
        totals_ms = []
        longest_ms = []
        for name in SCRIPTS[:scripts]:
            generator = generator_named(name)
            assert generator is not None
            pictures = RollThumbnails(Renderer(theme("light")), SIZE)
            if title == "next":
                gallery_ms(generator, pictures, 0)
            total_ms, turn_ms = gallery_ms(generator, pictures, AT_ONCE)
            totals_ms.append(total_ms)
            longest_ms.append(turn_ms)
        yield Row(f"the {title} 48", max(totals_ms), "ms")
        yield Row(f"longest turn of the {title} 48", max(longest_ms), "ms")


def gallery_ms(
    generator: Generator, pictures: RollThumbnails, first_number: int
) -> tuple[float, float]:
    """Return the CPU time of a gallery from a number on, and that of its longest turn."""
    battlemap = BattleMap.new(generator.system, layers=[Layer(1, "Ground")])
    start_s = process_time()
    numbers = np.arange(first_number, first_number + AT_ONCE, dtype=np.uint64)
    batch = roll_batch(generator, {}, 5, numbers, Base.under(battlemap, 1))
    for candidate in candidates_of(generator, {}, batch):
        pictures.request(candidate.digest, (candidate.batch, candidate.row))
    longest_s = 0.0
    while pictures.waiting:
        turn_s = process_time()
        pictures.draw_some()
        longest_s = max(longest_s, process_time() - turn_s)
    return (process_time() - start_s) * 1000, longest_s * 1000
