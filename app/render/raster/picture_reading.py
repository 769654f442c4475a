"""Reads the pictures of a map's terrains from their files, some at a time.

Reading all of them takes longer than a turn of the event loop may. A picture that was not read yet
is read when it is drawn; so a canvas has them read before it prepares a frame.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.render.pictures.picture_library import read_pictures_in_steps
from app.render.style import Style
from app.render.theme import Theme
from app.render.time_budget import TimeBudget
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import TerrainSet

_ALL_READ = object()
"""What stands for the next step of a reading that is at its end."""


class PictureReading:
    """The reading of the pictures of one map at a time; with another map it begins anew."""

    def __init__(self) -> None:
        self._subject: tuple[TerrainSet, Style, str | None] | None = None
        """What is read: the pictures of these terrains in this style, with the groups that have
        this prefix (None: no groups). None before the first reading."""
        self._steps: Iterator[None] = iter(())
        """Reads some more pictures at each step, until all are there."""

    def read(self, battlemap: BattleMap, style: Style, theme: Theme, budget: TimeBudget) -> bool:
        """Read pictures of a map while there is time; return whether all are read now."""
        group_of_layout = None
        if style.landscape and theme.has_pictures:
            # Imported here, since the first paint shows a board.
            from app.render.scene.landscape.picture_groups import group_prefix

            group_of_layout = f"{group_prefix(battlemap.grid.layout)}-"
        subject = (battlemap.terrain_set, style, group_of_layout)
        if subject != self._subject:
            terrains = style.terrain_set_as_drawn(battlemap.terrain_set).terrains
            self._steps = read_pictures_in_steps(terrains, group_of_layout)
            self._subject = subject
        while next(self._steps, _ALL_READ) is not _ALL_READ:
            if budget.is_spent:
                return False
        return True
