"""Finds room for labels on a map: boxes that are taken, and which labels still fit between them.

``places_with_room`` takes labels one after another, the most important first. Each tries several
*positions*, such as below and above its thing, and stands at the first that is free::

    places = places_with_room(labels, symbols)
    places[0]                                   # Place(label=0, position=1): above its thing

All boxes are in logical pixels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.render.scene.things.names import Box

BUCKET = 128.0
"""The size of the squares, in logical pixels, by which labels are compared with those beside. With
larger ones more labels are compared, with smaller ones more squares are searched."""


class LabelToPlace(NamedTuple):
    """A label for which room is looked for."""

    thing_id: int
    """The thing that it names."""

    importance: int
    """As ``ThingKind.naming``."""

    boxes: Sequence[Box]
    """The boxes that it takes, seen from its middle."""

    positions: Sequence[tuple[float, float]]
    """Where its middle can be, (x, y), the usual position first."""

    def boxes_at(self, position: int) -> list[Box]:
        """Return the boxes that it takes at one of its positions."""
        x, y = self.positions[position]
        result = []
        for left, top, right, bottom in self.boxes:
            result.append((x + left, y + top, x + right, y + bottom))
        return result


class Symbol(NamedTuple):
    """The symbol of a named thing, which is to stay free."""

    thing_id: int

    importance: int
    """As ``ThingKind.naming``."""

    box: Box


class Place(NamedTuple):
    """A position at which a label has room."""

    label: int
    """The index of the label."""

    position: int
    """The index of its position."""


def places_with_room(labels: Sequence[LabelToPlace], symbols: Sequence[Symbol]) -> list[Place]:
    """Return the places of the labels that have room.

    Labels and symbols are in the order of their importance, the largest first. A label overlaps
    none that was placed before it, and no symbol of a more important thing. One that is not at its
    usual position overlaps no symbol of another thing, so that nobody takes it for that thing's.
    """
    all_symbols = _TakenBoxes()
    for symbol in symbols:
        all_symbols.add(symbol.box, symbol.thing_id)

    # The labels that have room so far, and the symbols of more important things.
    taken_boxes = _TakenBoxes()
    taken_symbols = 0
    places = []
    for index, label in enumerate(labels):
        while taken_symbols < len(symbols) and symbols[taken_symbols].importance > label.importance:
            symbol = symbols[taken_symbols]
            taken_boxes.add(symbol.box, symbol.thing_id)
            taken_symbols += 1
        for position in range(len(label.positions)):
            boxes = label.boxes_at(position)
            has_room = taken_boxes.are_free(boxes, label.thing_id)
            is_usual = position == 0
            if has_room and (is_usual or all_symbols.are_free(boxes, label.thing_id)):
                places.append(Place(index, position))
                for box in boxes:
                    taken_boxes.add(box, label.thing_id)
                break
    return places


class _TakenBox(NamedTuple):
    """A box that is taken, and the thing whose symbol or label it is."""

    box: Box
    thing_id: int


class _TakenBoxes:
    """The boxes that are taken, found by the squares of ``BUCKET`` pixels that they touch."""

    def __init__(self) -> None:
        self._boxes_of_square: dict[tuple[int, int], list[_TakenBox]] = defaultdict(list)

    def add(self, box: Box, thing_id: int) -> None:
        """Mark a box as taken by a thing."""
        for square in _squares(box):
            self._boxes_of_square[square].append(_TakenBox(box, thing_id))

    def are_free(self, boxes: Sequence[Box], thing_id: int) -> bool:
        """Return whether the boxes of the label of a thing overlap none that another thing took."""
        return all(self._is_free(box, thing_id) for box in boxes)

    def _is_free(self, box: Box, thing_id: int) -> bool:
        """Return whether no other thing took room in this box."""
        for square in _squares(box):
            for taken in self._boxes_of_square.get(square, ()):
                if taken.thing_id != thing_id and _overlap(box, taken.box):
                    return False
        return True


def _overlap(first: Box, second: Box) -> bool:
    left, top, right, bottom = first
    second_left, second_top, second_right, second_bottom = second
    is_beside = right <= second_left or second_right <= left
    is_above_or_below = bottom <= second_top or second_bottom <= top
    return not (is_beside or is_above_or_below)


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    """Yield the squares that a box touches, by column and row."""
    left, top, right, bottom = (int(edge // BUCKET) for edge in box)
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield column, row
