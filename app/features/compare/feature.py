"""Comparing two maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.compare.controller import SOURCE, CompareController

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Comparing maps, with the menu of what can be compared."""
    desk.compare = compare = CompareController(desk)
    desk.commands.add_source(SOURCE, compare.commands)
