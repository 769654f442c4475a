"""A mod folder of the test's own, and scripts run in it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from randomizer.systems.zeroad.engine.run_limits import MEBIBYTE, Limits
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import ScriptResult, run_script
from randomizer.systems.zeroad.installation.mod_files import ModFiles

QUICK = Limits(time_s=20.0, heap=300 * MEBIBYTE, memory=1200 * MEBIBYTE)
SETTINGS = {"Seed": 7, "Size": 16, "PlayerData": [{"Name": "Gaia"}, {"Civ": "athen"}]}
SCRIPT = "maps/random/a.js"

Run = Callable[..., ScriptResult]
Write = Callable[[str, str], None]


def finished(
    text: str,
    mod: Path,
    settings: Mapping[str, object] = SETTINGS,
    limits: Limits = QUICK,
    seen: list[int] | None = None,
) -> ScriptResult:
    """The result of a script; ``seen`` collects its progress."""
    work = run_script(Script(SCRIPT, text), settings, [ModFiles(mod)], limits=limits)
    return result_of(work, seen)


def result_of(
    work: Generator[int, None, ScriptResult], seen: list[int] | None = None
) -> ScriptResult:
    """What a run gives in the end; ``seen`` collects its progress."""
    while True:
        try:
            percent = next(work)
        except StopIteration as end:
            result: ScriptResult = end.value
            return result
        if seen is not None and (not seen or seen[-1] != percent):
            seen.append(percent)


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    """An empty mod."""
    (tmp_path / "maps" / "random").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def write(mod: Path) -> Write:
    """Writes a file of the mod."""

    def written(path: str, text: str) -> None:
        file = mod / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return written


@pytest.fixture
def run(mod: Path) -> Run:
    """Runs a script in the mod."""
    return lambda text, **options: finished(text, mod, **options)
