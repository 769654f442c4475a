"""The codes of what stands on cells of landscapes: all that its drawing depends on, as one number.

Cells with the same code show the same. A code is ``terrain * CODES`` plus the code of one of three
kinds of things, each of which is drawn by *groups* of the picture of the terrain
(``picture_groups``), such as ``flat-cell-2``:

    Single   0 ...            what stands on one cell, and over the sides to alike cells (a wood)
    Span     SPANS_FROM ...   what stands on two or three cells (a mountain)
    Way      WAYS_FROM ...    a piece of a way through the cell (a bridge)

``codes_of_singles`` and its like pack the codes of many cells at once. ``split_code`` tells what a
code means, and ``groups_of_code`` which groups are drawn for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.landscape.picture_groups import (
    FIRST_RIM_VARIANT,
    MAX_VARIANTS,
    PictureGroups,
)
from app.render.scene.landscape.spans import kinds_of
from randomizer.model.grid.layouts import Layout

Numbers = NDArray[np.intp]
"""A number for each of n cells, shape (n,)."""

TURNS = (0, -1, 1)
"""By how many sides an end of a way may be moved. The groups of a way are in this order: their
numbers are those of ``groups_of_code``."""

SIDE_AND_SPAN_VARIANTS = 2
"""The number of variants of what stands on sides and on spans."""

MASKS = 8
"""The number of masks of ``PictureGroups.sides``, of which there are three at most."""

MAX_SPANS = 8
"""Layouts have no more kinds of spans (``kinds_of``)."""

SPANS_FROM = MAX_VARIANTS * MASKS * SIDE_AND_SPAN_VARIANTS
"""The first code of spans: those of single cells are below."""

WAYS_FROM = SPANS_FROM + MAX_SPANS * SIDE_AND_SPAN_VARIANTS
"""The first code of ways."""

CODES = WAYS_FROM + len(TURNS) ** 2
"""The number of codes of a terrain."""


class Single(NamedTuple):
    """A feature that stands on a single cell."""

    variant: int
    """The variant of what stands within the cell, below ``MAX_VARIANTS``. Of ranges those from
    ``FIRST_RIM_VARIANT`` on are variants of their rims."""

    closed_sides: int
    """A bit mask of ``PictureGroups.sides`` over which the cell closes up to alike cells."""

    side_variant: int
    """The variant of what stands on these sides, below ``SIDE_AND_SPAN_VARIANTS``; 0 without
    any."""


class Span(NamedTuple):
    """A feature that stands on several cells."""

    kind: int
    """The index in ``kinds_of`` the layout: which cells they are."""

    variant: int
    """Below ``SIDE_AND_SPAN_VARIANTS``."""


class Way(NamedTuple):
    """A piece of a way through a cell, between two opposite sides or sides beside these."""

    first_turn: int
    """The index in ``TURNS`` by which its first end is moved."""

    last_turn: int
    """The same of its last end."""


def codes_of_singles(variants: Numbers, closed_sides: Numbers, side_variants: Numbers) -> Numbers:
    """Return the codes (n,) of ``Single`` with these fields, (n,) each, without the terrain.

    Where no side is closed its variant does not count.
    """
    side_variants = side_variants * (closed_sides > 0)
    return (variants * MASKS + closed_sides) * SIDE_AND_SPAN_VARIANTS + side_variants


def codes_of_spans(kinds: Numbers, variants: Numbers) -> Numbers:
    """Return the codes (n,) of ``Span`` with these fields, (n,) each, without the terrain.

    ``kinds`` may be ``NO_KIND`` for cells without a span, whose codes are not used.
    """
    return SPANS_FROM + kinds * SIDE_AND_SPAN_VARIANTS + variants


def codes_of_ways(first_turns: Numbers, last_turns: Numbers) -> Numbers:
    """Return the codes (n,) of ``Way`` with these fields, (n,) each, without the terrain."""
    return WAYS_FROM + first_turns * len(TURNS) + last_turns


class Feature(NamedTuple):
    """What a code stands for."""

    terrain: int
    """The code of the terrain."""

    standing: Single | Span | Way
    """What stands on its cells."""


def code_count(groups: PictureGroups) -> int:
    """Return the number of codes of all terrains of a set: all codes are less than this."""
    return len(groups.variants) * CODES


def split_code(code: int) -> Feature:
    """Return what a code stands for."""
    terrain, rest = divmod(code, CODES)
    if rest >= WAYS_FROM:
        return Feature(terrain, Way(*divmod(rest - WAYS_FROM, len(TURNS))))
    if rest >= SPANS_FROM:
        return Feature(terrain, Span(*divmod(rest - SPANS_FROM, SIDE_AND_SPAN_VARIANTS)))
    variant_and_sides, side_variant = divmod(rest, SIDE_AND_SPAN_VARIANTS)
    variant, closed_sides = divmod(variant_and_sides, MASKS)
    return Feature(terrain, Single(variant, closed_sides, side_variant))


def groups_of_code(layout: Layout, groups: PictureGroups, code: int) -> Iterator[str]:
    """Yield the names of the groups that a code stands for.

    On two cells stands ``flat-pair3-1`` alone; a single cell has ``flat-cell-2`` and, over each
    side over which it closes up, ``flat-side3-1``.
    """
    prefix = groups.prefix
    terrain, standing = split_code(code)
    if isinstance(standing, Span):
        yield f"{prefix}-{kinds_of(layout)[standing.kind].name}-{standing.variant + 1}"
    elif isinstance(standing, Way):
        number = standing.first_turn * len(TURNS) + standing.last_turn + 1
        yield f"{prefix}-way{groups.way_side[terrain]}-{number}"
    else:
        if groups.rims[terrain] and standing.variant >= FIRST_RIM_VARIANT:
            yield f"{prefix}-rim-{standing.variant - FIRST_RIM_VARIANT + 1}"
        else:
            yield f"{prefix}-cell-{standing.variant + 1}"
        for bit, side in enumerate(groups.sides):
            if standing.closed_sides >> bit & 1:
                yield f"{prefix}-side{side}-{standing.side_variant + 1}"
