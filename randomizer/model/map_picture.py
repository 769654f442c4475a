"""A picture laid under or over a map, such as a scan that a user draws after.

It is a record of the map: which asset it is, where it lies, and how it is shown. The panel and the
tool of the picture read it with ``picture_of`` and change it with ``set_picture``::

    placement = covering((3000, 2000), battlemap.grid)
    picture = MapPicture(digest, "scan.jpg", (3000, 2000), placement)
    set_picture(battlemap, picture).apply(battlemap)
    picture_of(battlemap.records)                     # the same

Edits that move the whole map carry it along (``carry_picture``). Players do not get it
(``players_view``): the plan of the map shows what is secret.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.records.assets import DIGEST, MAX_SIDE
from randomizer.model.records.map_records import MapRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.system.system import System

RECORD = "picture"
"""The name of the record: a JSON object with the fields of ``MapPicture``."""

LARGEST_NUMBER = 1e7
"""The largest amount of a number of a placement."""

MIN_AREA = 1e-6
"""In pixels a square map unit: the least area of a unit in a picture.

A picture in which a unit is smaller would be laid so large that it cannot be drawn.
"""

_SAME_POINT = 1e-6
"""In map units: points that are not farther apart than this are one, but for rounding."""

_AFFINE_RANK = 3
"""The rank of points, as rows (x, y, 1), that do not all lie on one line."""


class MapPicture(NamedTuple):
    """A picture on a map. The names of the fields are those in the record."""

    asset: str
    """The digest of its bytes among the assets of the map."""
    name: str
    """The name of its file, in one line."""
    size: tuple[int, int]
    """Width and height in pixels."""
    placement: tuple[float, ...]
    """Six numbers (a, b, c, d, e, f) that take a point of the map to a pixel of the picture.

    x' = a x + c y + e and y' = b x + d y + f, with (x, y) in map units, as ``tracing.Placement``.
    """
    opacity: int = 100
    """In percent."""
    over: bool = False
    """True if it lies over the terrains, False if below."""
    shown: bool = True
    """False if a user has hidden it."""
    locked: bool = False
    """True if a user has fixed it, so that no tool moves it."""
    placed: bool = False
    """True once a user has laid it by hand: then the program looks for no grid in it."""

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The placement, shape (3, 2): pixels = (x, y, 1) @ matrix."""
        return np.array(self.placement).reshape(3, 2)

    @property
    def outline(self) -> NDArray[np.float64]:
        """The four corners of the picture in map units, from its upper left one on: shape (4, 2).

        They follow each other as in the picture: to the right, down, to the left.
        """
        width, height = self.size
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        pixels_of_origin = self.matrix[2]
        return np.asarray((corners - pixels_of_origin) @ np.linalg.inv(self.matrix[:2]))

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the picture, in map units."""
        x, y = self.outline.mean(axis=0).tolist()
        return x, y

    @property
    def turn(self) -> float:
        """By how much the upper edge of the picture is turned clockwise: -180 to 180 degrees."""
        upper_left, upper_right = self.outline[:2]
        dx, dy = (upper_right - upper_left).tolist()
        return math.degrees(math.atan2(dy, dx))

    @property
    def pixels_per_unit(self) -> float:
        """The number of pixels along a map unit, the geometric mean of both directions."""
        return float(math.sqrt(abs(np.linalg.det(self.matrix[:2]))))

    def moved(self, motion: NDArray[np.floating]) -> MapPicture:
        """Return the picture moved together with the map.

        ``motion`` (3, 2) takes the old point of the map to the new one: (x, y, 1) @ motion.
        """
        # A pixel is now at a new point: new_point @ new_matrix has to be old_point @ matrix.
        motion_of_rows = np.column_stack([motion, (0.0, 0.0, 1.0)])
        new_matrix = np.linalg.solve(motion_of_rows, self.matrix)
        return self._replace(placement=tuple(new_matrix.ravel().tolist()))

    def similar(
        self, factor: float, degrees: float, right: float = 0.0, down: float = 0.0
    ) -> MapPicture:
        """Return the picture enlarged and turned clockwise about its middle, then moved.

        ``right`` and ``down`` are in map units.
        """
        x, y = self.middle
        angle = math.radians(degrees)
        cosine = factor * math.cos(angle)
        sine = factor * math.sin(angle)
        # The middle stays where it is but for the move.
        shift_x = x - (cosine * x - sine * y) + right
        shift_y = y - (sine * x + cosine * y) + down
        return self.moved(np.array([(cosine, sine), (-sine, cosine), (shift_x, shift_y)]))


def suits(system: System) -> bool:
    """Return whether maps of a system can have a picture.

    They can if they have terrains and their user chooses how large they are.
    """
    return system.terrain is not None and not system.fixed_grid


def covering(size: tuple[int, int], grid: Grid) -> tuple[float, ...]:
    """Return the placement at which a picture of ``size`` (width, height) just covers a map.

    Its middle is that of the map.
    """
    width, height = size
    left, top, right, bottom = grid.bounds
    pixels_per_unit = min(width / (right - left), height / (bottom - top))
    shift_x = (width - pixels_per_unit * (left + right)) / 2
    shift_y = (height - pixels_per_unit * (top + bottom)) / 2
    return (pixels_per_unit, 0.0, 0.0, pixels_per_unit, shift_x, shift_y)


# --- the record -------------------------------------------------------------------------------


def picture_of(records: Mapping[str, MapRecord]) -> MapPicture | None:
    """Return the picture of a map; None without one, or if the record is damaged."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return None
    return _read(record.text)


@registered(bytes_each=2 * KB)
@lru_cache(2)  # the picture is looked up in every frame
def _read(text: str) -> MapPicture | None:
    """Return the picture of a record's text; None if it is none that a map can have."""
    entry = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(entry, dict):
        return None
    values: dict[str, Any] = {}
    for name in MapPicture._fields:
        if name in entry:
            values[name] = entry[name]
        elif name not in MapPicture._field_defaults:
            return None
    for name in ("size", "placement"):  # JSON has no tuples
        if not isinstance(values[name], list):
            return None
        values[name] = tuple(values[name])
    picture = MapPicture(**values)
    if not is_sound(picture):
        return None
    return picture


def is_sound(picture: MapPicture) -> bool:
    """Return whether a map can have this picture, and it can be drawn where it lies.

    Whatever the types of the fields say, they can hold anything: ``_read`` makes a picture of the
    file of a stranger, and asks here.
    """
    if not isinstance(picture.asset, str) or DIGEST.fullmatch(picture.asset) is None:
        return False
    if not isinstance(picture.name, str) or fault_in_line(picture.name):
        return False
    flags = (picture.over, picture.shown, picture.locked, picture.placed)
    if not all(isinstance(flag, bool) for flag in flags):
        return False
    # ``type``, not ``isinstance``: a bool is an int, but no number of pixels or percent.
    if type(picture.opacity) is not int or not 0 <= picture.opacity <= 100:
        return False
    return _is_size(picture.size) and _is_placement(picture)


def _is_size(size: tuple[object, ...]) -> bool:
    """Return whether ``size`` is a width and a height that can be drawn."""
    if len(size) != 2:
        return False
    return all(type(side) is int and 0 < side <= MAX_SIDE for side in size)


def _is_placement(picture: MapPicture) -> bool:
    """Return whether the picture lies somewhere, and a unit in it is not too small."""
    if len(picture.placement) != 6:
        return False
    for number in picture.placement:
        if type(number) not in (int, float) or not abs(number) <= LARGEST_NUMBER:  # nan neither
            return False
    return picture.pixels_per_unit**2 >= MIN_AREA


def set_picture(battlemap: BattleMap, picture: MapPicture | None) -> Edit | None:
    """Return the edit that lays a picture on a map, or with None takes it away.

    The result is None if nothing would change, and for a picture that no map can have
    (``is_sound``).
    """
    from randomizer.model.edits.record_edits import set_record

    if picture is None:
        return set_record(battlemap, RECORD, None)
    if not is_sound(picture):
        return None
    text = json.dumps(picture._asdict(), ensure_ascii=False)
    return set_record(battlemap, RECORD, MapRecord(text, is_json=True, touched=True))


# --- moving with the map ----------------------------------------------------------------------


def common_motion(
    old_points: NDArray[np.float64], new_points: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Return the one motion that takes old points of a map to the new ones: shape (3, 2).

    Both arrays have shape (n, 2); new = (x, y, 1) @ motion. None if no such motion exists, as of a
    map that is shifted across its seam, or if it is not determined, as of points on one line.
    """
    rows = np.column_stack([old_points, np.ones(len(old_points))])
    motion, _residuals, rank, _singular_values = np.linalg.lstsq(rows, new_points)
    if rank < _AFFINE_RANK or not np.allclose(rows @ motion, new_points, atol=_SAME_POINT):
        return None
    return np.asarray(motion, np.float64)


def carry_picture(battlemap: BattleMap, motion: NDArray[np.float64]) -> Edit | None:
    """Return the edit that moves the picture together with the map; None without a picture.

    ``motion`` is as in ``common_motion``. The picture stays where it is, and the result is None, if
    it would come too far away or become too small to be drawn.
    """
    picture = picture_of(battlemap.records)
    if picture is None:
        return None
    return set_picture(battlemap, picture.moved(motion))
