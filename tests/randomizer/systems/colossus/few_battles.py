"""Battles by side of two armies of three, some of them only: the tests end soon."""

from __future__ import annotations

import pytest

from randomizer.model.basics.caches import empty_caches
from randomizer.systems.colossus.battle.armies import Army, read_army
from randomizer.systems.colossus.fairness import balance, mirror_battles, standard_battles

ARMIES = read_army("3 Lion"), read_army("3 Ogre")


class FewBattles(standard_battles.StandardBattles):
    """Two rounds, of 4 and 6 battles."""

    rounds = (4, 10)
    steps = (1, 2, 4)

    def armies(self) -> list[Army]:
        return [*ARMIES]


FEW_TO_BALANCE = balance.Effort(
    armies=ARMIES,
    max_edits=2,
    learning_rounds=(balance.Round(8, 2, 2),) * 2,
    choosing_rounds=(balance.Round(4, 2, 4),) * 3,
    verifying_passes=(4, 6),
    max_verified_boards=2,
)


def fight_few(
    monkeypatch: pytest.MonkeyPatch, battles: standard_battles.StandardBattles | None = None
) -> None:
    """Let the armies fight ``battles``, ``FewBattles`` if they are None."""
    # The panels and verbs of tests fight the program's own battles, which take seconds.
    monkeypatch.setattr(standard_battles, "STANDARD", battles or FewBattles())
    empty_caches(mirror_battles.__name__)


def balance_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the armies fight few battles to balance a map."""
    # As for ``fight_few``: the dialog and the verb balance as long as the program does.
    monkeypatch.setattr(balance, "EFFORT", FEW_TO_BALANCE)
