"""Placed things as batches: the ground that they cover, their icons, badges and numbers of notes.

The renderer and pictures draw what ``batches`` yields, where reading begins. How a single thing
looks is in ``looks``, how large it is in ``thing_sizes``. A *scale* is the number of logical pixels
in a map unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from app.render.scene.batch import CoveredBatch, IconBatch, TextBatch
from app.render.scene.icons import Covered, reach_of
from app.render.scene.things.badges import Canopy, LoadBadge
from app.render.scene.things.loads import Loads
from app.render.scene.things.looks import (
    HEADINGS,
    LETTERED_FROM,
    LETTERED_ICON_FROM,
    OWNERS,
    SHAPED_FROM,
    Look,
    colour_of,
)
from app.render.scene.things.thing_sizes import (
    CANOPY_WIDTH,
    LARGEST_DISC,
    RING_WIDTH,
    diameter,
    has_canopy,
    icon_reach_px,
    shows_icon,
    widest_share,
)
from randomizer.model.grid.box import Box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import drawn_in_box
from randomizer.model.notes import numbered_notes
from randomizer.model.things.thing_index import ThingArrays
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Things

CANOPY_OPACITY_OF_DOT = 0.55
"""The opacity of a canopy in its middle where the tree itself is a dot."""

CANOPY_OPACITY_OF_TREE = 0.15
"""The opacity of a canopy in its middle where all of the tree is seen."""

PIN_HEAD = 0.16
"""How far above a note the middle of its pin's head is, as a share of the pin's width."""

PIN_TYPE = 0.34
"""The type size of the note's number in that head, as a share of the pin's width."""


class _Notes(NamedTuple):
    """The numbers of the notes of a map, which the heads of their pins show."""

    numbers: Mapping[int, int]
    """The numbers, by the ids of the notes."""

    kind: ThingKind | None
    """The kind of notes, of which a system has one; None for a map without notes."""


def batches(
    battlemap: BattleMap,
    scale: float,
    area: QRectF,
    loads: Loads,
    *,
    merge_small_looks: bool = False,
    translucent: bool = False,
) -> Iterator[IconBatch | TextBatch | CoveredBatch]:
    """Yield the things in ``area`` (map units) in the order of the layers and of their ids.

    Of each layer the ground that things cover comes first, then the leaves of its trees, icons,
    numbers of notes and badges. What is carried (``loads``) is left out, as its carrier shows how
    much it carries; so is an inscription, which is but a name.

    With ``merge_small_looks``, for a screen at which nobody will look closer, looks that are too
    small to be told apart are drawn as one. If it is ``translucent`` the things of a layer have its
    opacity, else they are opaque.
    """
    layers = [layer for layer in battlemap.layers if layer.visible and layer.things]
    if not layers:
        return
    kinds = kinds_by_name(battlemap)
    covering_kinds = {name for name, kind in kinds.items() if kind.footprint is not None}
    covered_reach = reach_of(battlemap.system.thing_kinds(battlemap)) + RING_WIDTH / scale
    reach_of_icons = icon_reach_px(battlemap, scale) / scale
    size = diameter(battlemap, scale)
    are_dots = merge_small_looks and size < LETTERED_FROM
    notes = _notes_of(battlemap, kinds)
    for layer in layers:
        opacity = 1.0
        if translucent:
            opacity = layer.opacity

        if not covering_kinds.isdisjoint(layer.things.kinds):
            arrays = _things_near(battlemap, layer.things, area, covered_reach, loads)
            covered = _covered_ground(arrays, kinds)
            if covered is not None:
                yield covered._replace(opacity=opacity)

        arrays = _things_near(battlemap, layer.things, area, reach_of_icons, loads)
        arrays = _with_icons(arrays, kinds, scale, size)
        if not len(arrays.ids):
            continue
        yield from _canopies(arrays, kinds, size, opacity)
        looks, look_of = _looks(arrays, kinds, are_dots=are_dots)
        icons = IconBatch(
            looks,
            look_of,
            arrays.points,
            size=size / scale,
            reach=widest_share(battlemap, size),
            opacity=opacity,
        )
        yield icons
        if size >= LETTERED_ICON_FROM:
            yield from _numbers_of_notes(arrays, notes, size / scale)
        yield from _badges(arrays, icons, loads)


def _notes_of(battlemap: BattleMap, kinds: Mapping[str, ThingKind]) -> _Notes:
    """Return the numbers and the kind of the notes of a map."""
    numbered_things = numbered_notes(battlemap)
    if not numbered_things:
        return _Notes({}, None)
    numbers = {thing.id: number for number, thing in numbered_things}
    _number, first_note = numbered_things[0]
    return _Notes(numbers, kinds[first_note.kind])


def _things_near(
    battlemap: BattleMap, things: Things, area: QRectF, reach: float, loads: Loads
) -> ThingArrays:
    """Return the things of a layer that are not carried, in an area and up to ``reach`` around it.

    ``area`` and ``reach`` are in map units.
    """
    near = area.adjusted(-reach, -reach, reach, reach)
    box = Box(near.left(), near.top(), near.right(), near.bottom())
    arrays = drawn_in_box(battlemap.grid, things, box)
    if not loads.carried:
        return arrays
    is_free = [thing_id not in loads.carried for thing_id in arrays.ids.tolist()]
    return arrays.some(np.array(is_free, np.bool_))


def _with_icons(
    arrays: ThingArrays, kinds: Mapping[str, ThingKind], scale: float, size: float
) -> ThingArrays:
    """Return the things that show an icon where usual ones are ``size`` logical pixels wide."""
    has_icon = [shows_icon(kinds.get(name), scale, size) for name in arrays.kind_names]
    if all(has_icon):  # nearly always
        return arrays
    return arrays.some(np.array(has_icon, np.bool_)[arrays.kinds])


def _covered_ground(arrays: ThingArrays, kinds: Mapping[str, ThingKind]) -> CoveredBatch | None:
    """Return the ground that things cover, None if none of them covers any."""
    kind_of_code = [kinds.get(name) for name in arrays.kind_names]
    covers = np.array([kind is not None and kind.footprint is not None for kind in kind_of_code])
    if not covers[arrays.kinds].any():
        return None
    covering = arrays.some(covers[arrays.kinds])
    numbers: dict[Covered, int] = {}
    covered_of = []
    for code, owner in zip(covering.kinds.tolist(), covering.owners.tolist(), strict=True):
        kind = kind_of_code[code]
        assert kind is not None
        assert kind.footprint is not None
        covered = Covered(kind.footprint, colour_of(kind, owner))
        covered_of.append(numbers.setdefault(covered, len(numbers)))
    return CoveredBatch(tuple(numbers), np.array(covered_of), covering.points, covering.angles)


def _canopies(
    arrays: ThingArrays, kinds: Mapping[str, ThingKind], size: float, opacity: float
) -> Iterator[IconBatch]:
    """Yield the shade of the leaves of trees, which lies below all icons of the layer."""
    is_tree_kind = [name in kinds and has_canopy(kinds[name]) for name in arrays.kind_names]
    is_tree = np.array(is_tree_kind)[arrays.kinds]
    if is_tree.any():
        canopy_of = np.zeros(int(is_tree.sum()), np.intp)
        yield IconBatch(
            [_canopy(size)], canopy_of, arrays.points[is_tree], CANOPY_WIDTH, opacity=opacity
        )


def _canopy(size: float) -> Canopy:
    """Return the canopy of trees that are ``size`` logical pixels wide."""
    # From a dot (0) to a whole tree (1).
    share = (size - SHAPED_FROM) / (LARGEST_DISC - SHAPED_FROM)
    share = min(max(share, 0.0), 1.0)
    opacity_change = CANOPY_OPACITY_OF_TREE - CANOPY_OPACITY_OF_DOT
    return Canopy(round(100 * (CANOPY_OPACITY_OF_DOT + opacity_change * share)))


def _looks(
    arrays: ThingArrays, kinds: Mapping[str, ThingKind], *, are_dots: bool
) -> tuple[list[Look], NDArray[np.intp]]:
    """Return the different looks of n things, and the index of each thing's look, shape (n,).

    With ``are_dots`` looks have no symbols and headings. A wood of a million trees has few looks.
    So each thing gets a code, a number made of kind, heading and owner, and each code that occurs
    gets a look.
    """
    headings = np.rint(arrays.angles / (360 / HEADINGS)).astype(np.int64) % HEADINGS
    if are_dots:
        headings[:] = 0
    owners = _first_owners(arrays, kinds)
    owner_count = int(owners.max()) + 1
    codes = (arrays.kinds * HEADINGS + headings) * owner_count + owners

    # The codes that occur, and a table from codes to indices of looks. ``np.unique`` is slower: it
    # would sort the codes of all things.
    code_count = len(arrays.kind_names) * HEADINGS * owner_count
    occurs = np.zeros(code_count, np.bool_)
    occurs[codes] = True
    used_codes = np.flatnonzero(occurs)
    look_of_code = np.zeros(code_count, np.intp)
    look_of_code[used_codes] = np.arange(len(used_codes))
    looks = []
    for code in used_codes.tolist():
        kind_and_heading, owner = divmod(code, owner_count)
        kind_code, heading = divmod(kind_and_heading, HEADINGS)
        name = arrays.kind_names[kind_code]
        look = Look.of(kinds.get(name), name, owner, heading * 360 / HEADINGS)
        if are_dots:
            look = look._replace(symbol="", heading=0)
        looks.append(look)
    return looks, look_of_code[codes]


def _first_owners(arrays: ThingArrays, kinds: Mapping[str, ThingKind]) -> NDArray[np.intp]:
    """Return the owners of things, (n,), each replaced by the first owner of the same colours.

    0 is nobody. The colours of a kind repeat after as many owners as it has colours, so those of
    all kinds repeat after a common multiple.
    """
    colour_counts = [len(OWNERS)]
    for name in arrays.kind_names:
        if name in kinds and kinds[name].owner_colours:
            colour_counts.append(len(kinds[name].owner_colours))
    period = math.lcm(*colour_counts)
    return np.where(arrays.owners == 0, 0, (arrays.owners - 1) % period + 1)


def _numbers_of_notes(
    arrays: ThingArrays, notes: _Notes, usual_width: float
) -> Iterator[TextBatch]:
    """Yield the numbers in the heads of the pins of notes.

    ``usual_width`` is that of icons of usual kinds, in map units.
    """
    rows = _rows_of(arrays, notes.numbers)
    if not rows or notes.kind is None:
        return
    ids = arrays.ids.tolist()
    texts = [str(notes.numbers[ids[row]]) for row in rows]
    pin_width = usual_width * notes.kind.size
    points = arrays.points[rows] - np.array((0.0, PIN_HEAD * pin_width))
    ink = QColor(0, 0, 0)
    halo = QColor(notes.kind.colour)
    yield TextBatch(texts, points, PIN_TYPE * pin_width, ink, halo, bold=True)


def _badges(arrays: ThingArrays, icons: IconBatch, loads: Loads) -> Iterator[IconBatch]:
    """Yield the badges of carriers: the number of things that each of them carries."""
    rows = _rows_of(arrays, loads.count_of_carrier)
    if rows:
        ids = arrays.ids.tolist()
        badges = [LoadBadge(loads.count_of_carrier[ids[row]]) for row in rows]
        badge_of = np.arange(len(badges))
        yield icons._replace(icons=badges, icon_of=badge_of, points=arrays.points[rows])


def _rows_of(arrays: ThingArrays, numbers: Mapping[int, int]) -> list[int]:
    """Return the rows of the arrays whose things have a number, by their ids."""
    if not numbers:  # a layer may have a million things
        return []
    return [row for row, thing_id in enumerate(arrays.ids.tolist()) if thing_id in numbers]
