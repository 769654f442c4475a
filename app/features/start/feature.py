"""The card on an empty map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.start.controller import EmptyMap

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Show the card whenever the current map is empty."""
    EmptyMap(desk)
