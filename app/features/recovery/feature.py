"""Maps of sessions that ended badly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.features.recovery.controller import Recovery

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Look for such maps once the desk is there, and whenever the user asks."""
    if desk.autosave is None:
        return
    recovery = Recovery(desk, desk.autosave)
    tip = "Maps of sessions that ended unexpectedly"
    desk.commands.add([Command("file.recover-maps", "Reco&ver maps...", recovery.look_again, tip)])
