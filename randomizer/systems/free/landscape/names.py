"""Names the towns, rivers, mountains, lakes and seas of a landscape.

A name is a form such as "Lake {}" with a word in it. The word is put together from a start, a
middle and an end: "Al", "den" and "by" become "Aldenby". The parts are drawn by the dice of the
landscape, so that the same key gives the same names.

``named_things`` is the last stage of a landscape. It returns things, which are labels on the map:
at the cell of a town, in the middle of a river, and in the middle of each area of mountains or
water.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.flood import contiguous
from randomizer.model.basics.dice import word
from randomizer.model.grid.grid import Grid
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing
from randomizer.systems.free.landscape.locked_ground import LockedGround
from randomizer.systems.free.landscape.name_places import NamePlace, NamePlaces
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.rivers import Rivers
from randomizer.systems.free.landscape.towns import Town, Waterside
from randomizer.systems.free.things import KINDS, MOUNTAINS, RIVER, WATER, settlement_kind

MAX_NAMES = 2_000
"""The largest number of names on a map."""

MIN_RIVER = 6
"""The least length, in cells, of a river that gets a name."""

_MIN_MOUNTAINS = 5
"""The least number of cells of mountains that get a name."""

_MIN_LAKE = 3
"""The least number of cells of a lake that gets a name, if the name has room in it."""

_MIN_SEA = 30
"""The least number of cells of a sea that gets a name."""

_SITE = 20 << 32
"""The site of the draws for names, which keeps them apart from all others; draw i has this + i.

It is far above those of noise, so that i has room for any number of names.
"""

_ATTEMPTS = 20
"""The number of times that a name is drawn until it is not like that of another thing."""

_START_LETTERS = 4
"""The first letters of a word that no other name on the map begins with.

People take words with an equal beginning for each other, such as Cronequay and Cronminquay.
"""

_START_TEXTS = """
    Al Ald Ambr Arn Ash Bar Bel Bern Birk Bran Brom Bur Cal Carn Cor Cron Dal Dar Dor Dun El
    Elm Esk Fal Far Fen Gal Gar Glen Gold Grim Hal Har Hazel Hel Hol Kel Ken Kil Kirk Lan
    Lark Lin Lor Mal Mar Mel Mer Mor Nar Nor Oak Or Os Pel Pen Ram Raven Ros Row Sal Sel Sil
    Stan Sten Tal Tar Thorn Tor Ul Val Ver Wal War Wen Wes Whit Wil Win Wolf Yar
"""

_STARTS = _START_TEXTS.split()
"""The beginnings of words."""

_MIDDLES = ("", "", "", "a", "den", "e", "er", "ing", "min", "o", "ra", "ter")
"""The middles of words, of which a quarter are empty."""

_ENDS = {
    Waterside.SEA: ["haven", "mouth", "port", "quay", "wick", "ness", "bay"],
    Waterside.LAKE: ["mere", "water", "shore", "lake"],
    Waterside.RIVER: ["ford", "bridge", "bourne", "well", "wade", "mill"],
    Waterside.NONE: ["ton", "ham", "stead", "bury", "field", "by", "worth", "ley"],
}
"""The ends of the names of towns, by the water that they lie at."""

_RIVER_ENDS = ["a", "ava", "en", "era", "esk", "ine", "on", "une", "wey"]
"""The ends of the names of rivers, and of the words in the names of areas."""

_WORD_ALONE = ("{}",)
"""The form of the names of towns and rivers."""

_MOUNTAIN_FORMS = ("{} Peaks", "{} Mountains", "{} Range", "{} Heights", "{} Horns")
"""The forms of the names of mountains."""

_LAKE_FORMS = ("Lake {}", "{} Mere", "{} Water")
"""The forms of the names of lakes."""

_SEA_FORMS = ("Sea of {}", "{} Sea", "{} Deep")
"""The forms of the names of seas."""

_NAME_OF_LOCKED_TOWN = "x" * 9
"""Stands for the name of a town on a locked cell, and is as long as most names.

A roll does not know which of the names on locked cells belongs to which town.
"""

_LETTERINGS = {kind.name: kind.lettering for kind in KINDS}
"""The usual lettering of each kind, by its name."""


class _PlacedName(NamedTuple):
    """A name with the place at which it stands."""

    kind: str
    """The kind of the thing."""
    name: str
    """The label of the thing."""
    place: NamePlace
    """The position, angle and size of the name."""


class _AreaKind(NamedTuple):
    """A kind of areas that get names."""

    kind: str
    """The kind of the things."""
    marks: NDArray[np.bool_]
    """True for the cells of such areas, (cells,)."""
    forms: tuple[str, ...]
    """The forms of their names."""
    min_size: int
    """The least number of cells of an area that gets a name."""
    wider_ground: NDArray[np.bool_] | None
    """The ground beside them onto which a name can reach, (cells,); None for none."""


class _Namer:
    """Draws names, each unlike all names that it drew before.

    ``kept_names`` are those of things on locked cells, which stay on the map: they count as drawn.
    """

    def __init__(self, key: DrawKey, kept_names: Iterable[str]) -> None:
        self._key = key
        self._draw_count = 0
        """The number of draws so far: each draw of a key has a number of its own."""
        self._names = set(kept_names)
        """The names that were drawn, and those that are kept."""
        self._starts = set[str]()
        """The first letters of all words in them, ``_START_LETTERS`` each."""
        for name in self._names:
            self._starts.update(part[:_START_LETTERS] for part in name.split())

    def _draw(self, choices: Sequence[str]) -> str:
        """Return one of the choices, by the next draw."""
        self._draw_count += 1
        drawn_number = word(self._key.seed, self._key.number, _SITE + self._draw_count)
        return choices[drawn_number % len(choices)]

    def draw_name(self, forms: Sequence[str], *parts: Sequence[str]) -> str:
        """Return one of the forms with a word in it, which has one of each of ``parts``.

        ``_ATTEMPTS`` names are drawn until no other name begins like the word. If there is none of
        these, the last new name is taken, and if none is new, the last one.
        """
        text = ""
        new_text = ""
        for _attempt in range(_ATTEMPTS):
            form = self._draw(forms)
            drawn_word = _joined(*map(self._draw, parts))
            text = form.format(drawn_word)
            if text in self._names:
                continue
            new_text = text
            if drawn_word[:_START_LETTERS] not in self._starts:
                break
        name = new_text or text
        self._names.add(name)
        self._starts.update(part[:_START_LETTERS] for part in name.split())
        return name


class NamedLand(NamedTuple):
    """A landscape whose towns, rivers and areas get names."""

    towns: list[Town]
    """The towns, in the order in which they get names."""

    rivers: Rivers
    """The rivers."""

    relief: Relief
    """The ground, with its sea and lakes."""

    is_high: NDArray[np.bool_]
    """The cells of mountains, (cells,)."""

    is_frozen: NDArray[np.bool_]
    """The cells of ice, (cells,): a name on them could not be read."""


def named_things(
    grid: Grid,
    key: DrawKey,
    land: NamedLand,
    locked: LockedGround | None,
    kept_names: Iterable[str] = (),
) -> list[Thing]:
    """Return the names of a landscape as things, at most ``MAX_NAMES``.

    If possible none begins like another, or like one of ``kept_names``, which things on locked
    cells have. Names of areas stay off ``locked`` ground: a roll does not know where the names on
    it are, and a name whose middle is there would be left out.
    """
    namer = _Namer(key, kept_names)
    places = _places_off_locked_ground(grid, locked)
    places.reserve(land.is_frozen)

    # Towns and rivers have their names at a cell of theirs.
    placed_names = list[_PlacedName]()
    for town in land.towns:
        name = namer.draw_name(_WORD_ALONE, _STARTS, _MIDDLES, _ENDS[town.waterside])
        places.reserve_town(town.cell, name)
        kind = settlement_kind(is_city=town.is_city)
        placed_names.append(_PlacedName(kind, name, _upright(town.cell)))
    for cell in _river_cells(land.rivers):
        name = namer.draw_name(_WORD_ALONE, _STARTS, _RIVER_ENDS)
        placed_names.append(_PlacedName(RIVER, name, _upright(cell)))

    # The name of an area is placed where it has room, or else in the middle of the area.
    for area_kind in _area_kinds(grid, land, locked):
        for cells in _areas(grid, area_kind.marks, area_kind.min_size):
            if len(placed_names) >= MAX_NAMES:
                break
            name = namer.draw_name(area_kind.forms, _STARTS, _MIDDLES, _RIVER_ENDS)
            lettering = _LETTERINGS[area_kind.kind]
            place = places.place(name, cells, lettering, area_kind.wider_ground)
            is_small_lake = area_kind.kind == WATER and len(cells) < _MIN_SEA
            if place is None and is_small_lake:
                continue  # its name would stand on the land around it
            if place is None:
                place = places.middle_place(cells, lettering)
            placed_names.append(_PlacedName(area_kind.kind, name, place))
    return _as_things(grid, placed_names[:MAX_NAMES])


def _places_off_locked_ground(grid: Grid, locked: LockedGround | None) -> NamePlaces:
    """Return the places for names; none is left on ``locked`` ground and beside its towns."""
    if locked is None:
        return NamePlaces(grid, None)
    is_locked = locked.water | locked.land
    places = NamePlaces(grid, is_locked)
    places.reserve(is_locked)
    for cell in locked.towns:
        places.reserve_town(cell, _NAME_OF_LOCKED_TOWN)
    return places


def _area_kinds(grid: Grid, land: NamedLand, locked: LockedGround | None) -> tuple[_AreaKind, ...]:
    """Return the kinds of areas that get names, in the order in which they get them."""
    is_sea = land.relief.sea
    is_lake = land.relief.lake
    if grid.mask is not None:
        is_sea = is_sea & grid.mask.reshape(-1)
    if locked is not None:
        # Locked water counts as sea.
        is_sea = (is_sea & ~locked.land) | locked.water
        is_lake = is_lake & ~locked.land & ~locked.water
    is_dry = ~(is_sea | is_lake)
    return (
        _AreaKind(MOUNTAINS, land.is_high, _MOUNTAIN_FORMS, _MIN_MOUNTAINS, wider_ground=is_dry),
        _AreaKind(WATER, is_lake, _LAKE_FORMS, _MIN_LAKE, wider_ground=None),
        _AreaKind(WATER, is_sea, _SEA_FORMS, _MIN_SEA, wider_ground=None),
    )


def _as_things(grid: Grid, placed_names: Sequence[_PlacedName]) -> list[Thing]:
    """Return names as things, with ids from 1 on."""
    cells = np.array([placed.place.cell for placed in placed_names], np.intp)
    centres = grid.centres_of(cells).tolist()
    things = list[Thing]()
    for number, (placed, (x, y)) in enumerate(zip(placed_names, centres, strict=True), 1):
        changes: dict[str, object] = {}
        if placed.place.size:  # 0 is the usual size of its kind
            changes["size"] = placed.place.size
        if not placed.place.is_spaced:
            changes["spaced"] = False
        state = NO_STATE
        if changes:
            state = State(changes)
        angle = placed.place.angle
        things.append(Thing(number, placed.kind, x, y, angle, label=placed.name, state=state))
    return things


def _upright(cell: int) -> NamePlace:
    """Return a cell as the place of an upright name of the usual size."""
    return NamePlace(cell, angle=0.0, size=0.0)


def _joined(*parts: str) -> str:
    """Return parts as one word: "Al" and "ley" become "Aley".

    Where two parts meet with the same letter, it stands once.
    """
    text = ""
    for part in parts:
        if text and part and text[-1] == part[0]:
            text += part[1:]
        else:
            text += part
    return text


def _river_cells(rivers: Rivers) -> Iterator[int]:
    """Yield the middle cell of each long river, the longest rivers first.

    The middle cell is half of the way from the mouth up to the source. Where arms of the river
    meet, the way goes on along the longest arm.
    """
    receiver = rivers.receiver
    length = rivers.length  # in cells, from the farthest source to each cell
    is_last = ~rivers.runs[receiver] | (receiver == np.arange(len(receiver)))
    mouths = np.flatnonzero(rivers.runs & is_last & (length >= MIN_RIVER))
    is_on_longest_arm = length == length[receiver] - 1
    arms = np.flatnonzero(rivers.runs & ~is_last & is_on_longest_arm)
    cell_above = dict(zip(receiver[arms].tolist(), arms.tolist(), strict=True))
    for mouth in mouths[np.argsort(-length[mouths], kind="stable")].tolist():
        cell = mouth
        for _step in range(int(length[mouth]) // 2):
            cell = cell_above.get(cell, cell)
        yield cell


def _areas(grid: Grid, marks: NDArray[np.bool_], min_size: int) -> list[NDArray[np.intp]]:
    """Return the connected areas of marked cells, of at least ``min_size``, the largest first."""
    areas = []
    is_unvisited = marks.copy()
    for cell in np.flatnonzero(marks).tolist():
        if not is_unvisited[cell]:
            continue
        area = contiguous(grid, is_unvisited, cell)
        is_unvisited[area] = False
        if len(area) >= min_size:
            areas.append(area)
    return sorted(areas, key=len, reverse=True)
