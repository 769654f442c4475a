"""A picture laid under or over a map, as a record: an asset, where it lies, and how it is shown.

    picture = MapPicture(digest, "scan.jpg", (3000, 2000), placement)
    set_picture(battlemap, picture).apply(battlemap)
    picture_of(battlemap.records)                     # the same

Players do not get it (``players_view``): the plan of the map shows what is secret.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.edits.record_edits import set_record
from randomizer.model.records.assets import DIGEST, MOST_SIDE
from randomizer.model.records.map_records import MapRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.system.system import System

RECORD = "picture"
"""The record: a JSON object with the fields of ``MapPicture``."""

LARGEST_NUMBER = 1e7
"""Of a placement."""

LEAST_AREA = 1e-6
"""In square pixels a square map unit: a picture is not laid larger than that."""


class MapPicture(NamedTuple):
    """A picture of ``size`` (width, height) in pixels.

    ``placement`` (a, b, c, d, e, f) takes map units to pixels: x' = a x + c y + e, y' = b x + d y +
    f (``tracing.Placement``). ``opacity`` is in percent. ``over``: it lies over the terrains.
    ``locked``: a hand does not move it. ``placed``: somebody has said where it lies, so that nobody
    looks for the grid in it.
    """

    asset: str
    name: str
    size: tuple[int, int]
    placement: tuple[float, ...]
    opacity: int = 100
    over: bool = False
    shown: bool = True
    locked: bool = False
    placed: bool = False

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The placement as (3, 2): pixels = (x, y, 1) @ matrix."""
        return np.array(self.placement).reshape(3, 2)

    @property
    def outline(self) -> NDArray[np.float64]:
        """The four corners of the picture on the map (4, 2), in map units, one after the other."""
        width, height = self.size
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        return np.asarray((corners - self.matrix[2]) @ np.linalg.inv(self.matrix[:2]))

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the picture, in map units."""
        x, y = self.outline.mean(axis=0).tolist()
        return x, y

    @property
    def turn(self) -> float:
        """By how much the upper edge of the picture is turned clockwise: -180 to 180 degrees."""
        right, down = np.subtract(*self.outline[[1, 0]]).tolist()
        return math.degrees(math.atan2(down, right))

    @property
    def pixels_a_unit(self) -> float:
        """The pixels in a map unit, the mean of both directions."""
        return float(math.sqrt(abs(np.linalg.det(self.matrix[:2]))))

    def moved(self, by: NDArray[np.floating]) -> MapPicture:
        """Return the picture moved as points of the map are: (x, y, 1) @ ``by``, (3, 2)."""
        square = np.column_stack([by, (0.0, 0.0, 1.0)])
        placement = np.linalg.solve(square, self.matrix)
        return self._replace(placement=tuple(placement.ravel().tolist()))

    def similar(
        self, factor: float, degrees: float, right: float = 0.0, down: float = 0.0
    ) -> MapPicture:
        """Return it enlarged and turned clockwise about its middle, then moved (map units)."""
        x, y = self.middle
        turn = math.radians(degrees)
        a = factor * math.cos(turn)
        b = factor * math.sin(turn)
        end = x - a * x + b * y + right, y - b * x - a * y + down
        return self.moved(np.array([(a, b), (-b, a), end]))


def suits(system: System) -> bool:
    """Return whether maps of a system can have a picture: those with a size of their user's own."""
    return system.terrain is not None and not system.fixed_grid


def covering(size: tuple[int, int], grid: Grid) -> tuple[float, ...]:
    """Return the placement at which a picture is just so large that it covers a map."""
    left, top, right, bottom = grid.bounds
    unit = min(size[0] / (right - left), size[1] / (bottom - top))
    x = size[0] - unit * (left + right)
    y = size[1] - unit * (top + bottom)
    return (unit, 0.0, 0.0, unit, x / 2, y / 2)


def picture_of(records: Mapping[str, MapRecord]) -> MapPicture | None:
    """Return the picture of a map; None without one, or if the record holds no such thing."""
    record = records.get(RECORD)
    if record is not None and record.is_json:
        return _read(record.text)
    return None


@registered(bytes_each=2 * KB)
@lru_cache(2)
def _read(text: str) -> MapPicture | None:
    entry = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(entry, dict) or not entry.keys() >= set(MapPicture._fields[:4]):
        return None
    values = {name: entry[name] for name in MapPicture._fields if name in entry}
    for name in ("size", "placement"):
        values[name] = tuple(values[name]) if isinstance(values[name], list) else ()
    picture = MapPicture(**values)
    return picture if is_sound(picture) else None


def is_sound(picture: MapPicture) -> bool:
    """Return whether a map can have this picture, and it can be drawn where it lies."""
    flags = picture.over, picture.shown, picture.locked, picture.placed
    return (
        all(isinstance(text, str) for text in picture[:2])
        and DIGEST.fullmatch(picture.asset) is not None
        and not fault_in_line(picture.name)
        and len(picture.size) == 2
        and all(type(side) is int and 0 < side <= MOST_SIDE for side in picture.size)
        and type(picture.opacity) is int
        and 0 <= picture.opacity <= 100
        and all(isinstance(flag, bool) for flag in flags)
        and len(picture.placement) == 6
        and all(type(number) in (int, float) for number in picture.placement)
        and all(abs(number) <= LARGEST_NUMBER for number in picture.placement)
        and picture.pixels_a_unit**2 >= LEAST_AREA
    )


def set_picture(battlemap: BattleMap, picture: MapPicture | None) -> Edit | None:
    """Return the edit that lays a picture, or takes it away; None if nothing would change.

    None, too, for one that cannot be so (``is_sound``).
    """
    if picture is None:
        return set_record(battlemap, RECORD, None)
    if not is_sound(picture):
        return None
    text = json.dumps(picture._asdict(), ensure_ascii=False)
    return set_record(battlemap, RECORD, MapRecord(text, is_json=True, touched=True))


def common_motion(
    before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Return how points (n, 2) of the map are moved together: (x, y, 1) @ the result, (3, 2).

    None where they are not, as in what wraps round, and where they lie on one line.
    """
    points = np.column_stack([before, np.ones(len(before))])
    motion, _rest, rank, _values = np.linalg.lstsq(points, after)
    if rank < 3 or not np.allclose(points @ motion, after, atol=1e-6):
        return None
    return np.asarray(motion, np.float64)


def carry_picture(battlemap: BattleMap, motion: NDArray[np.float64]) -> Edit | None:
    """Return the edit that moves the picture as points of the map are: (x, y, 1) @ ``motion``.

    None without a picture.
    """
    picture = picture_of(battlemap.records)
    if picture is None:
        return None
    return set_picture(battlemap, picture.moved(motion))
