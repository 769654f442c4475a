"""What tests of the core share."""

from __future__ import annotations

import pytest

from randomizer.catalog import catalog
from tests.randomizer.map_strategies import TOY, TOY_HEXES


@pytest.fixture
def toys_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The systems of ``map_strategies`` are in the catalogue, beside those that are installed."""
    systems = (*catalog.systems(), TOY, TOY_HEXES)
    by_name = {system.name: system for system in systems}
    monkeypatch.setattr(catalog, "systems", lambda: systems)
    monkeypatch.setattr(catalog, "system_named", by_name.get)
