"""Wang sets of a map: tiles whose sides and corners have colours, and fit where these are equal.

They come with maps of Tiled, where a user paints colours ("grass", "road") and the program chooses
the tiles. ``interchange/tiled/tiled_wang.py`` makes the record of them, ``wang_sets_of`` reads it,
and ``geometry/wang_painting.py`` chooses tiles. A tile is a terrain of the map, by its code::

    for wang_set in wang_sets_of(battlemap.records, battlemap.grid.degree):
        wang_set.codes[0]         # the code of the first tile
        wang_set.values[0]        # the colours of its sides, then of its corners
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
"""The name of the record: a JSON list of objects, one for each set that has a tile.

An object has the fields of ``RecordedSet``; colours and tiles in it are lists of their fields.
"""

MAX_SETS = 100
"""The sets of a map that are read; further ones are left out."""

MAX_COLOURS = 254
"""The colours of one set, as in Tiled."""

MAX_COLOURS_OF_MAP = 1000
"""The colours of all sets together: a set needs memory for each pair of its colours."""

MAX_TILES = 2048
"""The tiles of all sets together: each is a terrain with a picture of its own."""

_LARGEST_WEIGHT = 1e6
"""The largest weight of a tile; a tile of the record with a larger one is left out as damaged."""


class WangColour(NamedTuple):
    """A colour of a set, which Tiled calls a terrain."""

    name: str
    tile: str
    """The code (``Terrain.code``) of a terrain that shows the colour in lists, "" for none."""


class WangTile(NamedTuple):
    """A tile of a set."""

    code: str
    """The code of its terrain (``Terrain.code``)."""
    values: tuple[int, ...]
    """The colours of its sides, then of its corners, in the order of the layout: 2 * degree.

    They are numbers of colours of the set from 1 on; 0 is no colour.
    """
    weight: float
    """The frequency with which it is chosen, relative to the other tiles that fit as well."""


class RecordedSet(NamedTuple):
    """A set as the record has it."""

    name: str
    kind: str
    """Tiled's type of the set, see ``WangSet.kind``."""
    colours: Sequence[WangColour]
    tiles: Sequence[WangTile]


class WangSet:
    """A set with its tiles, of which there is one at least, as arrays, ready for painting."""

    def __init__(
        self, name: str, kind: str, colours: Sequence[WangColour], tiles: Sequence[WangTile]
    ) -> None:
        self.name = name
        self.kind = kind
        """Tiled's type of the set: "corner", "edge" (roads, fences) or "mixed"."""
        self.colours = tuple(colours)
        """The colour of number n is ``colours[n - 1]``."""
        self.codes = tuple(tile.code for tile in tiles)
        """The code of each tile."""
        self.values = np.array([tile.values for tile in tiles], np.int64)
        """The colours of each tile as in ``WangTile.values``: shape (tiles, 2 * degree)."""
        self.weights = np.array([tile.weight for tile in tiles])
        """``WangTile.weight`` of each tile: shape (tiles,)."""
        self.active = np.asarray(self.values.any(axis=0), np.bool_)
        """The sides and corners at which at least one tile has a colour: shape (2 * degree,)."""
        self.distances = _distances(self.values[:, self.active], len(colours))
        """The least number of tiles between two colours, by their numbers.

        Shape (colours + 1, colours + 1). 1: one tile has both. A number that is larger than the one
        of all colours: no tiles lead from one to the other.
        """

    @property
    def has_sides(self) -> bool:
        """True if any tile has a colour at a side."""
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
    """Return the least number of tiles between any two colours; see ``WangSet.distances``.

    ``values`` are the colours of each tile at the active sides and corners: (tiles, active). From
    grass to sand it is 1 if a tile has both, and 2 if one has grass and dirt, another dirt and
    sand.
    """
    # Longer than any path, which passes each of the colours (0 included) once at most. The sum of
    # two such numbers still fits the type.
    unreachable = 2 * colour_count + 2
    distances = np.full((colour_count + 1, colour_count + 1), unreachable, np.int16)
    for colours_of_tile in np.unique(values, axis=0):
        colours = np.unique(colours_of_tile)
        distances[np.ix_(colours, colours)] = 1
    np.fill_diagonal(distances, 0)

    # Floyd and Warshall: allow one colour after the other as a stop between two others.
    for stop in range(colour_count + 1):
        length_with_stop = distances[:, stop, None] + distances[None, stop, :]
        np.minimum(distances, length_with_stop, out=distances)
    return distances


# --- the record -------------------------------------------------------------------------------


def record_of(sets: Sequence[RecordedSet]) -> MapRecord:
    """Return the record that ``wang_sets_of`` reads."""
    entries = [recorded._asdict() for recorded in sets]
    return MapRecord(json.dumps(entries, ensure_ascii=False), is_json=True)


def wang_sets_of(records: Mapping[str, MapRecord], degree: int) -> tuple[WangSet, ...]:
    """Return the sets of a map whose cells have ``degree`` sides; damaged ones are left out."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return ()
    return _sets(record.text, degree)


def painted_colours(records: Mapping[str, MapRecord], degree: int) -> tuple[PaintedColour, ...]:
    """Return the colours of all sets of a map, set after set."""
    colours: list[PaintedColour] = []
    for wang_set in wang_sets_of(records, degree):
        numbers = range(1, len(wang_set.colours) + 1)
        colours += [PaintedColour(wang_set, number) for number in numbers]
    return tuple(colours)


@registered(bytes_each=1.75 * MB)
@lru_cache(1)  # tools and lists ask for the sets of the same map again and again
def _sets(text: str, degree: int) -> tuple[WangSet, ...]:
    """Return the sets of a record's text, up to the limits of a map.

    Where there are too many colours, that set and all after it are left out; of too many tiles the
    last ones are.
    """
    entries = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(entries, list):
        return ()
    sets = list[WangSet]()
    tiles_left = MAX_TILES
    colours_left = MAX_COLOURS_OF_MAP
    for entry in entries[:MAX_SETS]:
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
    """Yield the colours of a set: ``entries`` of the record, which can be anything.

    A damaged colour is one without a name, as tiles name the next ones by their numbers.
    """
    if not isinstance(entries, list):
        return
    for entry in entries[:MAX_COLOURS]:
        match entry:
            case [str(name), str(tile)]:
                yield WangColour(name, tile)
            case _:
                yield WangColour("", "")


def _tiles(entries: Any, degree: int, colour_count: int) -> Iterator[WangTile]:
    """Yield the tiles of a set: ``entries`` of the record, which can be anything.

    Damaged tiles are left out, and so are those without any colour.
    """
    if not isinstance(entries, list):
        return
    for entry in entries[:MAX_TILES]:
        if not isinstance(entry, list) or len(entry) != len(WangTile._fields):
            continue
        code, values, weight = entry
        if not isinstance(values, list) or len(values) != 2 * degree:
            continue
        # ``type``, not ``isinstance``: a bool is an int, but no number of a colour.
        are_colours = all(type(value) is int and 0 <= value <= colour_count for value in values)
        is_weight = type(weight) in (int, float) and 0 <= weight <= _LARGEST_WEIGHT
        if isinstance(code, str) and are_colours and any(values) and is_weight:
            yield WangTile(code, tuple(values), float(weight))
