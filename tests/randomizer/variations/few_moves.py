"""Variations that are looked for with few moves: the tests end soon."""

from __future__ import annotations

import pytest

from randomizer.variations import search
from randomizer.variations.annealing import Pace


def make_few_moves(monkeypatch: pytest.MonkeyPatch, at_once: int = 8) -> None:
    """Make few moves: what variations keep does not depend on how long they are looked for.

    ``at_once``: how many of them are made together.
    """
    # The gallery and the verb take the program's own pace, which is half a minute.
    monkeypatch.setattr(search, "PACE", Pace(2, 96, 8, at_once))
