"""How long the host of map scripts needs beside the scripts themselves.

``pytest tests/benchmarks/bench_script_host.py -s``; real scripts too where ZEROAD_DATA is set.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from randomizer.systems.zeroad.engine.child_process import IDLE
from randomizer.systems.zeroad.engine.script_run import Script, run_script
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.installation.mod_files import ModFiles

SIZE = 256
EMPTY = "Engine.ExportMap({});"
WORK = "for (let i = 0; i < 2e7; ++i) Math.random();"
ARRAYS = """Engine.ExportMap({ height: new Uint16Array(513 ** 2), tileData: {
    index: Array(512 ** 2).fill(1), priority: new Uint16Array(512 ** 2) } });"""
CALLS = "for (let i = 0; i < 1000; ++i) Engine.FileExists('maps/random/a.js');"


def seconds(text: str, mods: tuple[ModFiles, ...], settings: dict[str, object]) -> float:
    start_s = time.perf_counter()
    for _ in run_script(Script("maps/random/a.js", text), settings, mods):
        pass
    return time.perf_counter() - start_s


def test_the_host(tmp_path: Path) -> None:
    mods = (ModFiles(tmp_path),)
    IDLE.close()
    start = seconds(EMPTY, mods, {"Seed": 1})
    again = min(seconds(EMPTY, mods, {"Seed": 1}) for _ in range(5))
    arrays = min(seconds(ARRAYS, mods, {"Seed": 1}) for _ in range(3))
    work = min(seconds(WORK + EMPTY, mods, {"Seed": 1}) for _ in range(3))
    calls = min(seconds(CALLS + EMPTY, mods, {"Seed": 1}) for _ in range(3))
    print(f"\nstart {start:.2f} s (target 0.8), again {again:.3f} s (target 0.1)")
    print(f"the arrays of a map of 512 tiles {(arrays - again) * 1000:.0f} ms")
    print(
        f"a call of Engine {calls - again:.2f} ms, 20 million random numbers {work - again:.2f} s"
    )
    print(f"ratio start : again {start / again:.0f}, arrays : again {arrays / again:.1f}")


def test_a_real_script() -> None:
    found = find()
    if not found:
        pytest.skip("no installation of the game")
    mods = found[0].mods
    data = mods[-1].read("maps/random/mainland.js")
    assert data is not None
    players = [{"Name": "Gaia"}, *[{"Civ": "athen", "Team": -1}] * 2]
    settings = {"Seed": 1, "Size": SIZE, "PlayerData": players, "Biome": "generic/temperate"}
    IDLE.close()
    first, again = (seconds(data.decode("utf-8-sig"), mods, dict(settings)) for _ in range(2))
    print(f"\nmainland {SIZE}: {first:.2f} s, again {again:.2f} s (target 2), {first / again:.2f}")
