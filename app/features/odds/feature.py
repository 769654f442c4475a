"""The panel of odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.odds.controller import OddsController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.features.odds.panel import OddsPanel


def make(desk: Desk) -> OddsPanel:
    """The panel, wired to the desk."""
    return OddsController(desk).panel
