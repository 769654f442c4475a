"""Variations that are looked for with few moves: the tests end soon."""

from __future__ import annotations

import pytest

from randomizer.variations import annealing, generator


def make_few_moves(monkeypatch: pytest.MonkeyPatch, at_once: int = 8) -> None:
    """Make few moves: what variations keep does not depend on how long they are looked for.

    ``at_once``: how many of them are made together.
    """
    monkeypatch.setattr(annealing, "LEAST_STEPS", 96)
    monkeypatch.setattr(annealing, "PER_CELL", 2)
    monkeypatch.setattr(annealing, "SAMPLES", 8)
    monkeypatch.setattr(generator, "AT_ONCE", at_once)
