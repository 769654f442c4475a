"""The overview, which a map larger than the view brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.overview.controller import OverviewController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.features.overview.panel import Minimap


def make(desk: Desk) -> Minimap:
    """The panel, wired to the desk."""
    return OverviewController(desk).panel
