"""Names of towns, rivers, mountains and waters by a small grammar, as things with a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.geometry.flood import contiguous
from randomizer.model.basics.dice import word
from randomizer.model.grid.grid import Grid
from randomizer.model.things.things import Thing
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.rivers import Rivers
from randomizer.systems.free.landscape.towns import Town
from randomizer.systems.free.things import MOUNTAINS, RIVER, SETTLEMENTS, WATER

MOST_NAMES = 2_000
LEAST_RIVER = 6
"""Cells of a river that gets a name."""
_SITE = 20 << 32

_STARTS = [
    "Al",
    "Ald",
    "Ambr",
    "Arn",
    "Ash",
    "Bar",
    "Bel",
    "Bern",
    "Birk",
    "Bran",
    "Brom",
    "Bur",
    "Cal",
    "Carn",
    "Cor",
    "Cron",
    "Dal",
    "Dar",
    "Dor",
    "Dun",
    "El",
    "Elm",
    "Esk",
    "Fal",
    "Far",
    "Fen",
    "Gal",
    "Gar",
    "Glen",
    "Gold",
    "Grim",
    "Hal",
    "Har",
    "Hazel",
    "Hel",
    "Hol",
    "Kel",
    "Ken",
    "Kil",
    "Kirk",
    "Lan",
    "Lark",
    "Lin",
    "Lor",
    "Mal",
    "Mar",
    "Mel",
    "Mer",
    "Mor",
    "Nar",
    "Nor",
    "Oak",
    "Or",
    "Os",
    "Pel",
    "Pen",
    "Ram",
    "Raven",
    "Ros",
    "Row",
    "Sal",
    "Sel",
    "Sil",
    "Stan",
    "Sten",
    "Tal",
    "Tar",
    "Thorn",
    "Tor",
    "Ul",
    "Val",
    "Ver",
    "Wal",
    "War",
    "Wen",
    "Wes",
    "Whit",
    "Wil",
    "Win",
    "Wolf",
    "Yar",
]
_MIDDLES = ("", "", "", "a", "den", "e", "er", "ing", "min", "o", "ra", "ter")
_ENDS = {
    "sea": ["haven", "mouth", "port", "quay", "wick", "ness", "bay"],
    "lake": ["mere", "water", "shore", "lake"],
    "river": ["ford", "bridge", "bourne", "well", "wade", "mill"],
    "land": ["ton", "ham", "stead", "bury", "field", "by", "worth", "ley"],
}
_RIVERS = ["a", "ava", "en", "era", "esk", "ine", "on", "une", "wey"]
_PLAIN = ("{}",)
_RANGES = ("{} Peaks", "{} Mountains", "{} Range", "{} Heights", "{} Horns")
_LAKES = ("Lake {}", "{} Mere", "{} Water")
_SEAS = ("Sea of {}", "{} Sea", "{} Deep")


class _Namer:
    """Draws names; none twice."""

    def __init__(self, key: DrawKey) -> None:
        self._key = key
        self._drawn = 0
        self._names = set[str]()

    def _pick(self, choices: Sequence[str]) -> str:
        self._drawn += 1
        drawn = word(self._key.seed, self._key.number, _SITE + self._drawn)
        return choices[drawn % len(choices)]

    def name(self, forms: Sequence[str], *parts: Sequence[str]) -> str:
        """Return a form with one of each of the parts in it.

        No other thing has the name, if twenty draws find such a one.
        """
        text = ""
        for _attempt in range(20):
            text = self._pick(forms).format(_joined(*map(self._pick, parts)))
            if text not in self._names:
                break
        self._names.add(text)
        return text


def named_things(
    grid: Grid,
    key: DrawKey,
    towns: list[Town],
    rivers: Rivers,
    relief: Relief,
    high: NDArray[np.bool_],
) -> list[Thing]:
    """Return at most ``MOST_NAMES`` things with labels; ``high`` (cells,) marks mountains."""
    namer = _Namer(key)
    named_cells = list[tuple[str, int, str]]()
    for town in towns:
        text = namer.name(_PLAIN, _STARTS, _MIDDLES, _ENDS[town.at])
        named_cells.append((SETTLEMENTS[town.is_city], town.cell, text))
    for cell in _river_cells(relief, rivers):
        named_cells.append((RIVER, cell, namer.name(_PLAIN, _STARTS, _RIVERS)))
    areas = (
        (MOUNTAINS, high, _RANGES, 5),
        (WATER, relief.lake, _LAKES, 3),
        (WATER, relief.sea & (grid.mask is None or grid.mask.reshape(-1)), _SEAS, 30),
    )
    for kind, marks, forms, least in areas:
        for cells in _areas(grid, marks, least):
            text = namer.name(forms, _STARTS, _MIDDLES, _RIVERS)
            named_cells.append((kind, _middle(grid, cells), text))
    named_cells = named_cells[:MOST_NAMES]
    centres = grid.centres_of(
        np.array([cell for _kind, cell, _text in named_cells], np.intp)
    ).tolist()
    return [
        Thing(number, kind, x, y, label=text)
        for number, ((kind, _cell, text), (x, y)) in enumerate(
            zip(named_cells, centres, strict=True), 1
        )
    ]


def _joined(*parts: str) -> str:
    text = ""
    for part in parts:
        same = text and part and text[-1] == part[0]
        text += part[1:] if same else part
    return text


def _river_cells(relief: Relief, rivers: Rivers) -> Iterator[int]:
    """Yield the middle cell of each long river, from its mouth up the longest arm; the longest
    first.
    """
    receiver = relief.flow.receiver
    length = rivers.length
    last = ~rivers.runs[receiver] | (receiver == np.arange(len(receiver)))
    ends = np.flatnonzero(rivers.runs & last & (length >= LEAST_RIVER))
    arms = np.flatnonzero(rivers.runs & ~last & (length == length[receiver] - 1))
    above = dict(zip(receiver[arms].tolist(), arms.tolist(), strict=True))
    for end in ends[np.argsort(-length[ends], kind="stable")].tolist():
        cell = end
        for _step in range(int(length[end]) // 2):
            cell = above.get(cell, cell)
        yield cell


def _areas(grid: Grid, marks: NDArray[np.bool_], least: int) -> Iterator[NDArray[np.intp]]:
    """Return the connected areas of at least so many cells, the largest first."""
    areas = []
    left = marks.copy()
    for cell in np.flatnonzero(marks).tolist():
        if left[cell]:
            area = contiguous(grid, left, cell)
            left[area] = False
            if len(area) >= least:
                areas.append(area)
    return iter(sorted(areas, key=len, reverse=True))


def _middle(grid: Grid, cells: NDArray[np.intp]) -> int:
    """Return the cell of an area nearest to its centre of gravity."""
    centres = grid.centres_of(cells)
    if grid.wrap:  # around the first cell
        x = centres[:, 0] - centres[0, 0]
        centres[:, 0] = x - np.round(x / grid.period) * grid.period
    away = centres - centres.mean(axis=0)
    return int(cells[(away * away).sum(axis=1).argmin()])
