"""The panel of the dice that lay Cordery's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.systems.cordery.controller import DiceController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_panel import DicePanel


def make(desk: Desk) -> DicePanel:
    """The panel, wired to the desk."""
    return DiceController(desk).panel
