"""The words of the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.status_bar.controller import StatusBarController

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """What is under the mouse, and the zoom."""
    StatusBarController(desk)
