"""The problems of the desk in one place, and those of the map among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.features.problems.map_problems import MapProblems
from app.features.problems.place import ProblemsBar
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """The line below the map, and the command that opens it."""
    MapProblems(desk)
    place = ProblemsBar(desk.problems)
    desk.map_column.addWidget(place)
    desk.theme.keep_up(place.draw_icons)
    connect(desk.document.map_replaced, place.look)
    connect(place.opened, lambda _open: desk.commands.refresh())
    desk.commands.add(
        [
            Command(
                "view.problems",
                "P&roblems",
                lambda: place.open(not place.is_open),
                "What is wrong with the map, its script or their game",
                "Ctrl+Shift+M",
                why_not=lambda: "" if place.by_source else "There are no problems.",
                checked=lambda: place.is_open,
            )
        ]
    )
    connect(desk.problems.added, lambda _source: desk.commands.refresh())
