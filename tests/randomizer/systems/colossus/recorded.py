"""What the game's own randomizer did, as recorded beside the repository, and how it writes a map.

The recordings are not ours to keep: tests that need them are skipped where they are absent.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from randomizer.model.problems import Severity
from randomizer.systems.colossus.board import LABELS
from randomizer.systems.colossus.rolling.compiler import LIMITS, Limits, compile_script
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import RolledMap
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.terrain_set import COLOSSUS

SHARED = Path(__file__).resolve().parents[5] / "shared"
REFERENCE = SHARED / "reference" / "colossus"
EXACT_CHANCES = Path(__file__).resolve().parents[3] / "data" / "colossus" / "exact_odds"
SCRIPTS = SHARED / "corpus" / "colossus" / "rnd"

needs_recordings = pytest.mark.skipif(
    not (REFERENCE.is_dir() and SCRIPTS.is_dir()), reason="the recordings are not here"
)

NAMES = tuple(sorted(path.stem for path in SCRIPTS.glob("*.rnd")))
"""The game's own scripts."""

ADVERSARIAL = tuple(sorted(path.stem for path in REFERENCE.glob("adversarial/*.rnd")))
"""Scripts made to be hard."""


def text_of(name: str) -> str:
    """The text of a script of the game or an adversarial one, line ends as they are."""
    folder = SCRIPTS if name in NAMES else REFERENCE / "adversarial"
    return (folder / f"{name}.rnd").read_bytes().decode("utf-8")


@cache
def recording(kind: str, name: str) -> Any:
    """``traces``, ``samples`` or ``exact_odds`` of a script."""
    if name in NAMES:
        path = REFERENCE / kind / f"{name}.json"
    else:
        path = REFERENCE / "adversarial" / f"{name}.{kind}.json"
    return json.loads(path.read_text("utf-8"))


def exact_chances(script: str) -> dict[str, dict[str, dict[str, float]]]:
    """Return the exact chances of a packaged script, worked out once by following all its maps.

    ``hex`` has them by label and state ("Bog/1"), ``hexside`` by label, side and letter
    ("D4:0", "c"). Desert has none: too many of its maps differ.
    """
    path = EXACT_CHANCES / f"{script}.json"
    chances: dict[str, dict[str, dict[str, float]]] = json.loads(path.read_text("utf-8"))
    return chances


def program_of(text: str, path: str | None = None, limits: Limits = LIMITS) -> Program:
    """Return the program of a script without errors."""
    parsed = parse(text, path)
    assert [p.message for p in parsed.problems if p.severity is Severity.ERROR] == []
    return compile_script(parsed.script, path, limits)


def state_name(terrain: int, elevation: int) -> str:
    """``Bog/1``."""
    return f"{COLOSSUS.terrains[terrain].name}/{elevation}"


def map_text(rolled: RolledMap) -> str:
    """The map as the recordings write it: the hexes that are not bare Plains at elevation 0."""
    words = []
    for label, terrain, elevation, sides in zip(
        LABELS, rolled.terrain, rolled.elevation, rolled.hexside, strict=True
    ):
        marks = "".join(
            f"{s}{COLOSSUS.hexside_letter(code)}" for s, code in enumerate(sides) if code
        )
        if terrain or elevation or marks:
            words.append(
                f"{label}={state_name(terrain, elevation)}" + (f"/{marks}" if marks else "")
            )
    return " ".join(words)


def start_text(rolled: RolledMap) -> str | None:
    """The start list as the recordings write it."""
    return None if rolled.startlist is None else " ".join(rolled.startlist)
