"""The figures with a goal for many maps at once: ``python -m tests.benchmarks.bench_batches``.

The worst of the game's own scripts counts, where they are, else of the package's. Ratios compare
the plain roller with 10,000 maps at once in turn; times are of computing but for the keystrokes,
which are followed on a real window from the key to the painted map, and for the locks.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.background.jobs import Job
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.odds.feature import OddsController
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.thumbnails.thumbnail_queue import RollThumbnails
from app.settings import Settings
from app.window import MainWindow
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, place_hexes, roll
from randomizer.systems.colossus.script.parser import parse
from tests.benchmarks.bench_gallery import SIZE, gallery_ms
from tests.benchmarks.bench_locks import searches
from tests.benchmarks.bench_odds import FIRST, millions_a_second, table_ms
from tests.benchmarks.bench_roll import MAPS, ROOT

PAIRS = 9
PLAIN = 400
KEYS = 30


def times_as_fast(program: Program, hexsides: bool) -> float:
    """The median of PAIRS ratios: plain rolls, then MAPS at once."""
    numbers = np.arange(MAPS, dtype=np.uint64)
    draws = KeyedDraws(1, 0)

    def plain() -> None:
        for draws.number in range(PLAIN):
            if hexsides:
                roll(program, draws)
            else:
                draws.start(program)
                place_hexes(program, draws, PLAIN_HEXES)

    def at_once() -> None:
        roll_many(program, PLAIN_HEXES, 1, numbers, hexsides=hexsides)

    ratios = [seconds(plain) / PLAIN / (seconds(at_once) / MAPS) for _ in range(PAIRS + 1)]
    return statistics.median(ratios[1:])


def seconds(action: Callable[[], None]) -> float:
    """How long the action computes."""
    before = time.process_time()
    action()
    return time.process_time() - before


class Paints(QObject):
    """Counts how often what it watches is painted."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Count."""
        self.count += event.type() == QEvent.Type.Paint
        return False


def keystrokes_ms(path: Path) -> list[float]:
    """How long from a key that changes a percentage to the map painted with its odds; sorted."""
    application = QApplication.instance()
    assert application is not None
    settings = Settings(QSettings(f"{tempfile.mkdtemp()}/x.ini", QSettings.Format.IniFormat))
    window = MainWindow(MapDocument(sample_map()), settings)
    window.resize(1280, 860)
    window.show()

    def until(done: Callable[[], bool]) -> None:
        end = time.perf_counter() + 20
        while not done() and time.perf_counter() < end:
            application.processEvents()
            time.sleep(0.0005)  # or the window's thread keeps the others from working

    until(lambda: hasattr(window, "shortcuts"))
    window.desk.files.open_path(path)
    window.desk.docks.show("odds")
    live = window.desk.docks.panel("odds").findChild(OddsController).live
    paints = Paints()
    editor = window.desk.docks.panel("randomize").editor
    until(lambda: window.desk.scripts.script.name == path.name and live.fresh)
    window.desk.canvas.installEventFilter(paints)
    told: list[int] = []
    live.odds_changed.connect(lambda: told.append(paints.count))
    percent = re.search(r"HAZARDS.*?,\s*(?=\d\d)", editor.text(), re.DOTALL)
    assert percent is not None
    place = percent.end()
    found = []
    for _key in range(KEYS):
        cursor = editor.textCursor()
        cursor.setPosition(place)
        cursor.setPosition(place + 1, cursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        until(lambda: live.fresh)
        told.clear()
        digit = "19"[cursor.selectedText() == "1"]
        began = time.perf_counter()
        QTest.keyClicks(editor, digit)
        until(lambda: bool(told) and paints.count > told[0])
        found.append((time.perf_counter() - began) * 1000)
    Job.finish_all()
    window.deleteLater()
    return sorted(found)


def main() -> None:
    """Print a row for each goal."""
    _application = QApplication([])
    corpus = ROOT.parent / "shared" / "corpus" / "colossus" / "rnd"
    own = ROOT / "randomizer" / "systems" / "colossus" / "scripts"
    paths = sorted(corpus.glob("*.rnd")) or sorted(own.glob("*.rnd"))
    texts = {path.stem: path.read_text("utf-8") for path in paths}
    programs = {name: compile_script(parse(text).script) for name, text in texts.items()}

    def row(what: str, goal: str, figures: dict[str, float], worst: Callable = max) -> None:
        name = worst(figures, key=lambda name: figures[name])
        print(f"{what:44} {figures[name]:8.2f}  goal {goal:24} {name}", flush=True)

    def each(figure: Callable[[Program], float | None]) -> dict[str, float]:
        every = {name: figure(program) for name, program in programs.items()}
        return {name: found for name, found in every.items() if found is not None}

    row(
        "times the plain roller, hexes", ">= 60 (120)", each(lambda p: times_as_fast(p, False)), min
    )
    row(
        "times the plain roller, with hexsides",
        ">= 80 (200)",
        each(lambda p: times_as_fast(p, True)),
        min,
    )
    rates = each(lambda p: millions_a_second(p, hexsides=False))
    row("million maps a second", ">= 1 (Mountains)", rates, min)
    row("first odds, ms", "<= 10", each(lambda p: table_ms(p, FIRST, sides=False)))
    row("first odds with hexsides, ms", "<= 10", each(lambda p: table_ms(p, FIRST, sides=True)))
    locks = {name: searches(program)[0] for name, program in programs.items()}
    row(
        "re-roll with three locks, ms: median",
        "<= 50",
        {n: t[len(t) // 2] for n, t in locks.items()},
    )
    row("re-roll with three locks, ms: worst of 40", "", {n: t[-1] for n, t in locks.items()})
    pictures = RollThumbnails(Renderer(theme("light")), SIZE)
    galleries = {
        name: sum(gallery_ms(from_text(text, name), pictures, 0)[:2])
        for name, text in texts.items()
    }
    row("gallery of 48, ms", "<= 150", galleries)
    keys = {path.stem: keystrokes_ms(path) for path in paths}
    row(
        "key to fresh heat map, ms: median",
        "<= 100",
        {n: statistics.median(t) for n, t in keys.items()},
    )
    row(f"key to fresh heat map, ms: worst of {KEYS}", "", {n: t[-1] for n, t in keys.items()})


if __name__ == "__main__":
    main()
