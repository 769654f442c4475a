"""Battles by side of two armies of three, some of them only: the tests end soon."""

from __future__ import annotations

import pytest

from randomizer.systems.colossus.battle.armies import read_army
from randomizer.systems.colossus.fairness import balance, mirror_battles

ARMIES = read_army("3 Lion"), read_army("3 Ogre")


def fight_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the armies fight two rounds, of 4 and 6 battles."""
    monkeypatch.setattr(mirror_battles, "standard_pairs", lambda: [(army, army) for army in ARMIES])
    monkeypatch.setattr(mirror_battles, "ROUNDS", (4, 10))
    monkeypatch.setattr(mirror_battles, "STEPS", (1, 2, 4))
    mirror_battles._fight.cache_clear()
    mirror_battles._simulator.cache_clear()


def balance_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the armies fight few battles to balance a map."""
    monkeypatch.setattr(balance, "standard_pairs", lambda: [(army, army) for army in ARMIES])
    battles = {"LEARNING": ((8, 2, 2),) * 2, "CHOOSING": ((4, 2, 4),) * 3}
    for name, value in {**battles, "VERIFIED": 10, "VERIFICATIONS": 2, "MOST_EDITS": 2}.items():
        monkeypatch.setattr(balance, name, value)
