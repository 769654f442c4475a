"""The commands for the picture below the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.features.picture.controller import MapPictures
from randomizer.model.map_picture import suits

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Show the pictures of maps, and add the command that takes terrains from them."""
    pictures = MapPictures(desk)
    desk.commands.add(
        [
            Command(
                "map.take-terrains",
                "Take terrains &from the picture",
                pictures.trace,
                "Give every {cell} without a terrain the one that it looks like",
                why_not=pictures.why_not_trace,
                offered=lambda: suits(desk.document.battlemap.system),
            )
        ]
    )
