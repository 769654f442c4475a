"""The host of 0 A.D.'s map scripts: its start, and what it adds to the scripts themselves.

Seconds are by the clock, as the work is that of a child process that lives on. The plain
implementation is the host that is running already.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from randomizer.systems.zeroad.engine.child_process import IDLE
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import run_script
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from tests.benchmarks.benchmark import Row, benchmark

EMPTY = "Engine.ExportMap({});"
CALLS = 1000
CALL = f"for (let i = 0; i < {CALLS}; ++i) Engine.FileExists('maps/random/a.js');"
REAL_SCRIPT = "maps/random/mainland.js"


@benchmark("script-host", full=(512, 5), tiny=(16, 1))
def measure_host(size: tuple[int, int]) -> Iterator[Row]:
    tiles, rounds = size
    arrays = f"""Engine.ExportMap({{ height: new Uint16Array({tiles + 1} ** 2), tileData: {{
        index: Array({tiles} ** 2).fill(1), priority: new Uint16Array({tiles} ** 2) }} }});"""
    with tempfile.TemporaryDirectory() as folder:
        mods = (ModFiles(Path(folder)),)
        IDLE.close()
        start_s = script_s(EMPTY, mods, {"Seed": 1})

        def min_s(text: str) -> float:
            return min(script_s(text, mods, {"Seed": 1}) for _round in range(rounds))

        again_s = min_s(EMPTY)
        yield Row("start (x an idle host)", start_s, "s", start_s / again_s)
        yield Row("an empty script in an idle host", again_s, "s")
        arrays_s = min_s(arrays) - again_s
        yield Row("the arrays of a map", 1000 * arrays_s, "ms")
        call_s = (min_s(CALL + EMPTY) - again_s) / CALLS
        yield Row("a call of Engine", 1000 * call_s, "ms")
    installations = find_installations()
    if installations:
        yield from measure_real_script(installations[0].mods, max(tiles // 2, 128))


def measure_real_script(mods: tuple[ModFiles, ...], tiles: int) -> Iterator[Row]:
    """Roll a script of the installed game twice."""
    data = mods[-1].read(REAL_SCRIPT)
    assert data is not None
    players = [{"Name": "Gaia"}, *[{"Civ": "athen", "Team": -1}] * 2]
    settings = {"Seed": 1, "Size": tiles, "PlayerData": players, "Biome": "generic/temperate"}
    IDLE.close()
    text = data.decode("utf-8-sig")
    yield Row("mainland, first", script_s(text, mods, dict(settings)), "s")
    yield Row("mainland, again", script_s(text, mods, dict(settings)), "s")


def script_s(text: str, mods: tuple[ModFiles, ...], settings: dict[str, object]) -> float:
    """Return how long a script takes, by the clock."""
    start_s = time.perf_counter()
    for _progress in run_script(Script("maps/random/a.js", text), settings, mods):
        pass
    return time.perf_counter() - start_s
