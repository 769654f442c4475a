"""The names of things (towns, rivers and so on) that are seen on a map at one scale.

Not all names have room. ``thing_labels`` decides which are seen, and where, and makes the ``Names``
of a scale. These draw the names, tell which boxes they fill, so that other texts keep off them, and
find an *inscription* at a point: a thing that is seen as its name alone, such as that of a sea.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF

from app.render.scene.batch import TextBatch
from app.render.scene.icons import font
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.things.lettering import Lettering

LIGHT_HALO = "#e0ffffff"
"""The halo of dark letters that have a colour of their own."""

DARK_HALO = "#c0000000"
"""The halo of light letters that have a colour of their own."""

LIGHT_FROM = 128
"""Letters of a lightness above this (of 255) have a dark halo."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in logical pixels."""


class Name(NamedTuple):
    """A name that is shown: the label of a thing."""

    text: str
    """The label, with its letters apart if the lettering is spaced."""

    type_size: float
    """The type size, in logical pixels."""

    lettering: Lettering
    """The colours and the slant of its letters."""

    angle: float = 0.0
    """By how many degrees it is turned, clockwise."""

    inscription_id: int | None = None
    """The id of the thing if that is an inscription, None for a name beside the symbol of a
    thing."""

    @property
    def half(self) -> tuple[float, float]:
        """Half the width and height of the upright box around the name, in logical pixels."""
        half_width, half_height = self._unturned_half
        if not self.angle:
            return half_width, half_height
        cos = abs(math.cos(math.radians(self.angle)))
        sin = abs(math.sin(math.radians(self.angle)))
        return half_width * cos + half_height * sin, half_width * sin + half_height * cos

    @property
    def _unturned_half(self) -> tuple[float, float]:
        """Half the width and height that the name would have if it were not turned."""
        return _half_extent(self.text, self.type_size, self.lettering.italic)

    def boxes(self) -> Iterator[Box]:
        """Yield upright boxes, seen from the middle of the name, that cover it together.

        A turned name is covered by several small boxes along it: one box around all of it would
        keep other texts off much room that the name does not need.
        """
        half_width, half_height = self._unturned_half
        if not self.angle:
            yield -half_width, -half_height, half_width, half_height
            return
        # A box for each part of the name that is about two lines wide; at least one. Its own box is
        # upright, so that it is wider and higher the more the part is turned.
        line_height = 2 * half_height
        count = max(1, math.ceil(half_width / line_height))
        cos = math.cos(math.radians(self.angle))
        sin = math.sin(math.radians(self.angle))
        half_part = half_width / count
        half_x = abs(half_part * cos) + abs(half_height * sin)
        half_y = abs(half_part * sin) + abs(half_height * cos)
        for number in range(count):
            parts_from_middle = number - (count - 1) / 2
            x = 2 * half_part * cos * parts_from_middle
            y = 2 * half_part * sin * parts_from_middle
            yield x - half_x, y - half_y, x + half_x, y + half_y

    def covers(self, x: float, y: float) -> bool:
        """Return whether the name covers a point, given in logical pixels from its middle."""
        half_width, half_height = self._unturned_half
        turn = math.radians(self.angle)
        cos = math.cos(turn)
        sin = math.sin(turn)
        # The point, turned back with the text.
        along = x * cos + y * sin
        across = y * cos - x * sin
        return abs(along) <= half_width and abs(across) <= half_height

    def inks(self, theme: Theme) -> tuple[QColor, QColor]:
        """Return the colours of the letters and of the halo around them."""
        ink = theme.label_text
        halo = theme.label_halo
        if self.lettering.colour:
            ink = QColor(self.lettering.colour)
            halo = QColor(LIGHT_HALO)
            if ink.lightness() > LIGHT_FROM:
                halo = QColor(DARK_HALO)
        if self.lettering.halo:
            halo = QColor(self.lettering.halo)
        return ink, halo


class Names(NamedTuple):
    """The n names that are shown at one scale."""

    names: tuple[Name, ...]
    """The names, in the order of the arrays below."""

    points: NDArray[np.float64]
    """Their middles, (n, 2), in map units."""

    halves: NDArray[np.float64]
    """Half the widths and heights of the names, (n, 2), in logical pixels."""

    symbols: NDArray[np.float64] = np.zeros((0, 2))
    """The middles (m, 2) of the symbols of things whose kinds have names, in map units."""

    symbol_halves: NDArray[np.float64] = np.zeros(0)
    """Half the width of each of these symbols, which are squares, (m,), in logical pixels."""

    thing_ids: frozenset[int] = frozenset()
    """The ids of the things whose names they are."""

    left_out: tuple[str, ...] = ()
    """The labels that could be read at this scale and have no room, the most important first."""

    def boxes(self, scale: float) -> TextBoxes:
        """Return the boxes of all names and symbols, on which no other text should lie."""
        if not self.names and not len(self.symbols):
            return NO_BOXES
        symbol_halves = np.stack([self.symbol_halves, self.symbol_halves], axis=1)
        points = np.concatenate([self.points, self.symbols])
        halves = np.concatenate([self.halves, symbol_halves])
        return TextBoxes(points, halves / scale)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the names."""
        return tuple(name.text for name in self.names)

    def inscription_at(self, x: float, y: float, scale: float) -> int | None:
        """Return the id of the inscription that covers a point (map units), None if none does."""
        # From the middle of each name to the point, in logical pixels.
        away = (np.array((x, y)) - self.points) * scale
        for row in np.flatnonzero((np.abs(away) <= self.halves).all(axis=1)).tolist():
            name = self.names[row]
            if name.inscription_id is not None and name.covers(*away[row].tolist()):
                return name.inscription_id
        return None

    def batches(self, scale: float, area: QRectF, theme: Theme) -> Iterator[TextBatch]:
        """Yield the names that may reach into ``area`` (map units), a batch for each lettering."""
        if not self.names:
            return
        reach = self.halves / scale
        left_top = np.array(area.topLeft().toTuple())
        right_bottom = np.array(area.bottomRight().toTuple())
        ends_after = self.points + reach >= left_top
        begins_before = self.points - reach <= right_bottom
        is_near = (ends_after & begins_before).all(axis=1)
        rows_by_lettering: dict[object, list[int]] = defaultdict(list)
        for row in np.flatnonzero(is_near).tolist():
            name = self.names[row]
            # Size and spacing are in ``type_size`` and in the text already.
            lettering = name.lettering._replace(size=0.0, spaced=False)
            rows_by_lettering[(name.type_size, lettering, bool(name.angle))].append(row)
        for rows in rows_by_lettering.values():
            yield self._batch_of(rows, scale, theme)

    def _batch_of(self, rows: list[int], scale: float, theme: Theme) -> TextBatch:
        """Return the names with these indices, which all have the lettering of the first."""
        first_name = self.names[rows[0]]
        italic = first_name.lettering.italic
        text_of: NDArray[np.intp] | None = None
        if italic:
            # With ``text_of`` texts are drawn as wholes: slanting letters one by one would be cut
            # off.
            text_of = np.arange(len(rows))
        angles: NDArray[np.float64] | None = None
        if first_name.angle:
            angles = np.array([self.names[row].angle for row in rows])
        ink, halo = first_name.inks(theme)
        return TextBatch(
            texts=[self.names[row].text for row in rows],
            points=self.points[rows],
            size=first_name.type_size / scale,
            ink=ink,
            halo=halo,
            text_of=text_of,
            bold=not italic,
            angles=angles,
            italic=italic,
        )


NO_NAMES = Names((), np.zeros((0, 2)), np.zeros((0, 2)))
"""The names of a map that shows none."""


@registered(bytes_each=2 * KB)
@lru_cache(64)
def _metrics(pixels: float, italic: bool) -> QFontMetricsF:
    """Return the measures of the type of names: italic, or upright and bold."""
    return QFontMetricsF(font(pixels, bold=not italic, italic=italic))


@registered(bytes_each=400)
@lru_cache(4000)
def _half_extent(text: str, pixels: float, italic: bool) -> tuple[float, float]:
    """Return half the width and height of a text, in logical pixels."""
    metrics = _metrics(pixels, italic)
    return metrics.horizontalAdvance(text) / 2, metrics.height() / 2
