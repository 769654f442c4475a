"""Run the real programs on what is written for them, and print a table of what they say.

Every file of the corpus is opened and written anew, and landscapes are rolled. Text Mapper and
MegaMek are in no package of Debian, PyPI or npm. Start it from the checkout:

    .venv/bin/python -m tests.randomizer.systems.interchange.oracles [wesnoth] [tmx] [tmj]
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import ORIGINAL
from tests.randomizer.systems.free.landscape.rolled import roll
from tests.randomizer.systems.interchange import readers
from tests.randomizer.systems.interchange.test_corpus import CORPUS

SEEDS = range(3)
LIMIT_S = 60
PATH = f"{os.environ.get('PATH', '')}:/usr/games"

WESNOTH = shutil.which("wesnoth-1.16", path=PATH) or shutil.which("wesnoth", path=PATH)
TILED = shutil.which("tiled", path=PATH)


class RefusedError(Exception):
    """The program does not take the file, or reads something else in it."""


def _run(command: list[str], folder: Path) -> str:
    """What a program says; one that waits for somebody is ended. Without a screen and a home."""
    environment = os.environ | {
        "HOME": str(folder),
        "QT_QPA_PLATFORM": "offscreen",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
    }
    try:
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise RefusedError(
            f"no answer: {(late.stderr or b'')[-200:].decode(errors='replace')}"
        ) from late
    text = ended.stderr.decode(errors="replace")
    if ended.returncode:
        raise RefusedError(f"exit {ended.returncode}: {text[-200:]}")
    return text


def wesnoth(path: Path) -> str:
    """Wesnoth takes a screenshot: 54 pixels from column to column, half of the border is seen."""
    picture = path.with_suffix(".png")
    _run([str(WESNOTH), "--screenshot", str(path), str(picture)], path.parent)
    if not picture.exists():
        raise RefusedError("no picture")
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    (columns, rows), _cells, _lines = readers.wesnoth(path.read_text("utf-8"))
    wide = 54 * (columns - 1) + 18
    high = 72 * (rows - 1) + 36
    if abs(width - wide) > 1 or abs(height - high) > 1:  # it rounds
        raise RefusedError(f"{width} x {height} pixels for {columns} x {rows} cells")
    return f"drawn, {columns} x {rows} with the border"


def tiled(path: Path) -> str:
    """Tiled exports the map to JSON, with the same numbers in its cells."""
    target = path.with_name("exported.json")
    _run([str(TILED), "--export-map", "json", str(path), str(target)], path.parent)
    ours, theirs = (readers.tiled(each.read_bytes())[1] for each in (path, target))
    if ours != theirs:
        raise RefusedError("other numbers in the cells")
    return f"exported, {len(ours)} cells of layers the same"


PROGRAMS: Mapping[str, tuple[str | None, Callable[[Path], str]]] = {
    "wesnoth": (WESNOTH, wesnoth),
    "tmx": (TILED, tiled),
    "tmj": (TILED, tiled),
}
"""The program for each format, None where it is not installed, and what asks it."""


def rolled(seed: int) -> BattleMap:
    """Return a landscape of 24 x 18 cells with rivers, roads, towns and names."""
    battlemap: BattleMap = roll({"width": 24, "height": 18}, seed)[1]
    return battlemap


def ask(known_name: str, battlemap: BattleMap, stem: str) -> str:
    """What the program of a format says of a map that is written for it. Raises RefusedError."""
    known = format_named(known_name)
    assert known is not None
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"{stem}{known.suffixes[0]}"
        for file, data in write_files_checked(known, battlemap, path.name).items():
            (path.parent / file).write_bytes(data)
        return PROGRAMS[known_name][1](path)


def _maps(name: str) -> Iterator[tuple[str, BattleMap | None]]:
    for file in sorted((CORPUS / name).rglob("*")) if CORPUS else ():
        if file.is_file() and file.name != "SOURCE.txt":
            try:
                known = format_for(file.read_bytes(), str(file))
            except ProblemError:
                continue
            if known.name == name:
                battlemap = read_checked(known, file.read_bytes(), str(file)).battlemap
                if battlemap is not None:
                    battlemap.records.pop(ORIGINAL)
                yield file.name, battlemap
    for seed in SEEDS:
        yield f"landscape {seed}", rolled(seed)


def main(names: list[str]) -> int:
    """Print the table; the exit code is the number of maps that were refused."""
    refused = 0
    for name in names or PROGRAMS:
        if PROGRAMS[name][0] is None:
            print(f"{name:10} not installed")
            continue
        for what, battlemap in _maps(name):
            try:
                answer = "not read" if battlemap is None else ask(name, battlemap, "asked")
            except (ProblemError, RefusedError) as failed:
                answer = f"REFUSED: {failed}"
                refused += 1
            print(f"{name:10} {what:36.36} {answer}", flush=True)
    return refused


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
