"""The panel of the period of an Xconq world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.systems.xconq.period_controller import PeriodController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.xconq.period_panel import PeriodPanel


def make(desk: Desk) -> PeriodPanel:
    """The panel, wired to the desk."""
    return PeriodController(desk).panel
