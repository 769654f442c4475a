"""What tests of the core share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_system.installing import package_with

TOYS = ("tests.randomizer.map_strategies:TOY", "tests.randomizer.map_strategies:TOY_HEXES")


@pytest.fixture
def toys_are_known(tmp_path: Path) -> Iterator[None]:
    """The systems of ``map_strategies`` are those of an installed package."""
    with package_with(tmp_path, SYSTEMS=TOYS):
        yield
