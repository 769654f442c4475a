"""The scripts that benchmarks roll: the game's own where they are, else the package's."""

from __future__ import annotations

from pathlib import Path

from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.script.parser import parse
from tests.benchmarks.benchmark import COLOSSUS_CORPUS, ROOT

PACKAGED_SCRIPTS = ROOT / "randomizer" / "systems" / "colossus" / "scripts"


def script_paths(count: int) -> list[Path]:
    """Return the first ``count`` scripts in the order of their names."""
    recorded = sorted((COLOSSUS_CORPUS / "rnd").glob("*.rnd"))
    return (recorded or sorted(PACKAGED_SCRIPTS.glob("*.rnd")))[:count]


def compile_file(path: Path) -> Program:
    """Return the program of a script."""
    return compile_script(parse(path.read_text("utf-8")).script)
