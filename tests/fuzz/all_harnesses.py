"""All harnesses, by name."""

from __future__ import annotations

from tests.fuzz import desk, foreign_maps, game_files, maps, scenarios, scripts, storage, texts
from tests.fuzz.harness import Harness

HARNESSES: dict[str, Harness] = {
    harness.name: harness
    for module in (maps, foreign_maps, scenarios, scripts, storage, texts, game_files, desk)
    for harness in module.HARNESSES
}
