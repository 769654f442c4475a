"""The fixtures of a map (fixtures.py) when the map is turned, mirrored, shifted or cut finer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.record_edits import set_record
from randomizer.model.fixtures import NO_FIXTURES, BlockedWay, Fixtures, Light, Wall
from randomizer.model.fixtures_record import RECORD, fixtures_of, record_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap


def carry_fixtures(battlemap: BattleMap, motion: NDArray[np.float64]) -> Edit | None:
    """Return the edit that moves the fixtures as points of the map are: (x, y, 1) @ ``motion``.

    ``motion`` is (3, 2). None without fixtures, and where nothing moves. In a record that is as
    large as one can be, the last lights are lost if their new coordinates have more digits.
    """
    fixtures = fixtures_of(battlemap.records)
    if fixtures == NO_FIXTURES:
        return None
    is_mirrored = bool(np.linalg.det(motion[:2]) < 0)
    walls = [_moved_wall(wall, motion, is_mirrored=is_mirrored) for wall in fixtures.walls]
    lights = [_moved_light(light, motion) for light in fixtures.lights]
    written = record_of(Fixtures(tuple(walls), tuple(lights), fixtures.others))
    return set_record(battlemap, RECORD, written.record)


def _moved_wall(wall: Wall, motion: NDArray[np.float64], *, is_mirrored: bool) -> Wall:
    """Return a wall moved by ``motion``."""
    way = wall.way
    if is_mirrored and wall.way is BlockedWay.FROM_LEFT:
        way = BlockedWay.FROM_RIGHT
    elif is_mirrored and wall.way is BlockedWay.FROM_RIGHT:
        way = BlockedWay.FROM_LEFT
    return wall._replace(line=_moved(wall.points, motion), way=way)


def _moved_light(light: Light, motion: NDArray[np.float64]) -> Light:
    """Return a light moved by ``motion``, with its ranges and the direction of its sector."""
    x, y = _moved([(light.x, light.y)], motion)
    # The ranges are in cells, so they change only if the motion scales the whole map.
    scale = math.sqrt(abs(float(np.linalg.det(motion[:2]))))
    light = light._replace(x=x, y=y, dim=light.dim * scale, bright=light.bright * scale)
    if light.angle >= 360:
        return light
    # The direction as a vector, moved without the shift.
    turn = math.radians(light.turn)
    right, down = (np.array([-math.sin(turn), math.cos(turn)]) @ motion[:2]).tolist()
    return light._replace(turn=math.degrees(math.atan2(-right, down)) % 360)


def _moved(points: Sequence[tuple[float, float]], motion: NDArray[np.float64]) -> tuple[float, ...]:
    """Return x, y of each moved point, one after the other."""
    return tuple((np.column_stack([points, np.ones(len(points))]) @ motion).ravel().tolist())
