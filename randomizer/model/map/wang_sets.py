"""Wang sets of a map: tiles that fit together where their sides and corners have one colour.

They come with maps of Tiled, whose tilesets call a colour a terrain; the record names tiles by the
codes of our terrains::

    for wang_set in wang_sets_of(battlemap.records):
        wang_set.values[0]        # the colours of the sides, then of the corners, of one tile
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.records.map_records import MapRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

RECORD = "wang sets"
"""The record: a JSON list of objects, one for each set that has a tile."""

MOST_SETS = 100
MOST_COLOURS = 254
"""Of one set, as in Tiled."""

MOST_COLOURS_OF_MAP = 1000
"""Of all sets together: a set needs memory for each two of its colours."""

MOST_TILES = 2048
"""Of all sets together: each is a terrain with a picture of its own."""

_LARGEST_WEIGHT = 1e6


class WangColour(NamedTuple):
    """A colour of a set, a terrain in the words of Tiled. ``tile`` is the code of a terrain that
    shows it, "" for none.
    """

    name: str
    tile: str


class WangTile(NamedTuple):
    """A tile by the code of its terrain, and how often it is chosen among its like.

    ``values`` are the numbers of the colours of its sides, then of its corners, in the order of the
    layout; 0 is no colour.
    """

    code: str
    values: tuple[int, ...]
    weight: float


class RecordedSet(NamedTuple):
    """A set as the record has it; ``kind`` as in ``WangSet``."""

    name: str
    kind: str
    colours: Sequence[WangColour]
    tiles: Sequence[WangTile]


class WangSet:
    """Tiles that fit together.

    ``kind`` is Tiled's type: "corner", "edge" (roads, fences) or "mixed". ``values`` has a row of
    colours a tile, shape (n, 2 * degree) as in ``WangTile``; ``weights`` has the shape (n,).
    ``active`` (2 * degree,) says at which sides and corners any tile has a colour. ``distances``
    (c + 1, c + 1) are the least numbers of tiles over which one colour leads to another one.
    """

    def __init__(
        self, name: str, kind: str, colours: Sequence[WangColour], tiles: Sequence[WangTile]
    ) -> None:
        self.name = name
        self.kind = kind
        self.colours = tuple(colours)
        self.codes = tuple(tile.code for tile in tiles)
        self.values = np.array([tile.values for tile in tiles], np.int64)
        self.weights = np.array([tile.weight for tile in tiles])
        self.active = np.asarray(self.values.any(axis=0), np.bool_)
        self.distances = _distances(self.values[:, self.active], len(colours))

    @property
    def has_sides(self) -> bool:
        """Whether any tile has a colour at a side."""
        degree = len(self.active) // 2
        return bool(self.active[:degree].any())


class PaintedColour(NamedTuple):
    """A colour of one of the sets of a map; ``number`` is that in ``WangSet.values``."""

    wang_set: WangSet
    number: int

    @property
    def colour(self) -> WangColour:
        """The colour itself."""
        return self.wang_set.colours[self.number - 1]


def _distances(values: NDArray[np.int64], colour_count: int) -> NDArray[np.int16]:
    """Return how many tiles lead from each colour to each other one (Floyd and Warshall)."""
    unreachable = 2 * colour_count + 2
    distances = np.full((colour_count + 1, colour_count + 1), unreachable, np.int16)
    for row in np.unique(values, axis=0):
        colours = np.unique(row)
        distances[np.ix_(colours, colours)] = 1
    np.fill_diagonal(distances, 0)
    for between in range(colour_count + 1):
        detour = distances[:, between, None] + distances[None, between, :]
        np.minimum(distances, detour, out=distances)
    return distances


def record_of(sets: Sequence[RecordedSet]) -> MapRecord:
    """Return the record of sets."""
    entries = [recorded._asdict() for recorded in sets]
    return MapRecord(json.dumps(entries, ensure_ascii=False), is_json=True)


def wang_sets_of(records: Mapping[str, MapRecord], degree: int) -> tuple[WangSet, ...]:
    """Return the sets of a map whose cells have ``degree`` sides; what is no set is left out."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return ()
    return _sets(record.text, degree)


def painted_colours(records: Mapping[str, MapRecord], degree: int) -> tuple[PaintedColour, ...]:
    """Return the colours of all sets of a map, set after set."""
    return tuple(
        PaintedColour(wang_set, number)
        for wang_set in wang_sets_of(records, degree)
        for number in range(1, len(wang_set.colours) + 1)
    )


@registered(bytes_each=1.75 * MB)
@lru_cache(1)
def _sets(text: str, degree: int) -> tuple[WangSet, ...]:
    entries = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(entries, list):
        return ()
    sets = list[WangSet]()
    tiles_left = MOST_TILES
    colours_left = MOST_COLOURS_OF_MAP
    for entry in entries[:MOST_SETS]:
        if not isinstance(entry, dict):
            continue
        colours = list(_colours(entry.get("colours")))
        colours_left -= len(colours)
        if colours_left < 0:
            break
        tiles = list(_tiles(entry.get("tiles"), degree, len(colours)))[:tiles_left]
        tiles_left -= len(tiles)
        name = str(entry.get("name", ""))
        kind = str(entry.get("kind", ""))
        if tiles:
            sets.append(WangSet(name, kind, colours, tiles))
    return tuple(sets)


def _colours(entries: Any) -> Iterator[WangColour]:
    """Yield the colours of a set; one that is damaged keeps its number."""
    for entry in entries[:MOST_COLOURS] if isinstance(entries, list) else ():
        is_colour = isinstance(entry, list) and len(entry) == len(WangColour._fields)
        yield WangColour(*map(str, entry)) if is_colour else WangColour("", "")


def _tiles(entries: Any, degree: int, colour_count: int) -> Iterator[WangTile]:
    for entry in entries[:MOST_TILES] if isinstance(entries, list) else ():
        if not isinstance(entry, list) or len(entry) != len(WangTile._fields):
            continue
        code, values, weight = entry
        if not isinstance(values, list) or len(values) != 2 * degree:
            continue
        are_colours = all(type(value) is int and 0 <= value <= colour_count for value in values)
        is_weight = type(weight) in (int, float) and 0 <= weight <= _LARGEST_WEIGHT
        if isinstance(code, str) and are_colours and any(values) and is_weight:
            yield WangTile(code, tuple(values), float(weight))
