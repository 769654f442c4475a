"""The panel of fairness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.fairness.controller import FairnessController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.features.fairness.panel import FairnessPanel


def make(desk: Desk) -> FairnessPanel:
    """The panel, wired to the desk."""
    return FairnessController(desk).panel
