"""Takes terrains from a picture: what each cell is most like, and which drawing of it fits best.

    kinds = drawn_kinds(grid.layout, range(21), (0, 1, 2), draw)
    start = Planes of zeros ...
    traced = yield from trace(view, [kinds], cells, start, draw)

``draw`` is how the program draws a map. With it a terrain that nobody has painted is known, and in
pictures of our own the best of several guesses is found by drawing each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import Samples, View, likeness, points_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.layouts import Layout

Colour = tuple[int, int, int]

Draw = Callable[[Grid, "NDArray[np.intp]", "NDArray[np.intp]"], View]
"""The view of a drawn map: its grid, terrains and elevations (size,)."""

BLOCK = 4
"""A terrain is drawn in a block of so many cells across and down for a sample."""

MOST_KINDS = 400
"""So many pairs of terrain and elevation are drawn for samples; else elevation 0 alone."""

MOST_PAINTED = 30
"""So many painted cells of a terrain are samples."""

MOST_CELLS = 250_000
MOST_DRAWN = 20_000
"""Maps of more cells are not traced; and not drawn to be compared with their picture."""

CERTAINTY = 5.0
"""How much a difference of likeness counts against how common a kind is on the map."""

SAME_KIND, NEAR_HEIGHT = 0.5, 0.5
"""What neighbours of the same kind, and of about the same elevation, count for."""

GUESSES = 5

FADE, ODD = 3.0, 0.02
"""How fast a difference of colours counts against a drawing, and how little it can count for."""

FITS = 2.0
"""A drawing whose colours differ so little from the picture is right."""

DOUBT = 0.35
"""Cells are doubtful if another terrain is less worse than this."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Samples, and the terrain and the elevation of each: (samples,)."""

    samples: Samples
    terrains: NDArray[np.intp]
    elevations: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Traced:
    """The terrains of the cells that were asked for, in their order; which of them are doubtful."""

    terrains: NDArray[np.intp]
    doubtful: NDArray[np.bool_]


def drawn_kinds(
    layout: Layout, terrains: Sequence[int], elevations: Sequence[int], draw: Draw
) -> Kinds:
    """Samples of terrains in each of ``elevations``, as the program draws them."""
    if len(terrains) * len(elevations) > MOST_KINDS:
        elevations = (0,)
    kinds = [(terrain, elevation) for elevation in elevations for terrain in terrains]
    across = min(len(terrains), MOST_KINDS)
    grid = Grid(layout, across * BLOCK, -(-len(kinds) // across) * BLOCK)
    y, x = np.divmod(np.arange(grid.size), grid.width)
    number = y // BLOCK * across + x // BLOCK
    codes, heights = np.array(kinds, np.intp)[number.clip(0, len(kinds) - 1)].T
    view = draw(grid, codes, heights)
    groups = [np.flatnonzero(number == each) for each in range(len(kinds))]
    return Kinds(Samples(view, groups), *np.array(kinds, np.intp).T)


def painted_kinds(view: View, cells: NDArray[np.intp], terrains: NDArray[np.intp]) -> Kinds:
    """Each of ``cells``, whose ``terrains`` (n,) are known, as a sample; of many some."""
    groups: list[NDArray[np.intp]] = []
    codes: list[int] = []
    for terrain in np.unique(terrains).tolist():
        own = cells[terrains == terrain]
        own = own[:: -(-len(own) // MOST_PAINTED)]
        groups += list(own[:, None])
        codes += [terrain] * len(own)
    return Kinds(Samples(view, groups), np.array(codes, np.intp), np.zeros(len(codes), np.intp))


def trace(
    view: View,
    known: Sequence[Kinds],
    cells: NDArray[np.intp],
    start: NDArray[np.intp],
    draw: Draw | None = None,
    covers: Iterable[Colour] = (),
) -> Generator[int, None, Traced]:
    """Trace ``cells``; ``start`` (size,) has the terrains of all others. Yields percents.

    ``draw`` only if the picture may be one of ours. ``covers`` are colours of what may lie on any
    cell, such as roads.
    """
    like = np.concatenate(
        [likeness(view, cells, each.samples, tuple(covers)) for each in known], axis=1
    )
    terrains, elevations = (
        np.concatenate([getattr(each, name) for each in known])
        for name in ("terrains", "elevations")
    )
    yield 30
    context = _commonness(like) + np.zeros_like(like)
    context += _surroundings(
        view.grid, cells, (like + context).argmax(axis=1), terrains, elevations
    )
    value = like + context
    if draw is not None and len(cells) and view.grid.size <= MOST_DRAWN:
        value = yield from _compared(view, cells, value, terrains, elevations, start, draw)
    best = value.argmax(axis=1)
    value = value - context  # what the picture alone says
    others = np.where(terrains == terrains[best][:, None], -np.inf, value).max(axis=1)
    doubtful = value[np.arange(len(cells)), best] - others < DOUBT
    return Traced(terrains[best], doubtful)


def _commonness(like: NDArray[np.float32]) -> NDArray[np.float32]:
    """What it counts how common each kind is on the map (kinds,), by likeness (cells, kinds)."""
    share = np.full(like.shape[1], 1.0 / like.shape[1])
    for _ in range(10):  # each round says better which kinds there are
        odds = CERTAINTY * like + np.log(share)
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        share = odds.sum(axis=0) + 0.1
        share /= share.sum()
    return np.asarray(np.log(share) / CERTAINTY, np.float32)


def _surroundings(
    grid: Grid,
    cells: NDArray[np.intp],
    kinds: NDArray[np.intp],
    terrains: NDArray[np.intp],
    elevations: NDArray[np.intp],
) -> NDArray[np.float32]:
    """What the kinds (n,) of their neighbours count for each kind of each cell: (n, kinds)."""
    place = np.full(grid.size + 1, -1)
    place[cells] = np.arange(len(cells))
    around = np.zeros((len(cells), len(terrains)), np.float32)
    for side in range(grid.degree):
        neighbours = place[grid.neighbours_of(cells, side)]
        there = np.flatnonzero(neighbours >= 0)
        around[there, kinds[neighbours[there]]] += 1
    around /= np.maximum(around.sum(axis=1, keepdims=True), 1)
    near = np.abs(elevations[:, None] - elevations) <= 1
    same = (terrains[:, None] == terrains) & (elevations[:, None] == elevations)
    return np.asarray(around @ (SAME_KIND * same + NEAR_HEIGHT * near), np.float32)


def _compared(
    view: View,
    cells: NDArray[np.intp],
    like: NDArray[np.float32],
    terrains: NDArray[np.intp],
    elevations: NDArray[np.intp],
    start: NDArray[np.intp],
    draw: Draw,
) -> Generator[int, None, NDArray[np.float32]]:
    """How well each kind (cells, kinds) fits, by drawing the likeliest of them."""
    guesses = _guesses(like, terrains)
    weights = points_of(view.grid.layout)[1]
    weights = weights / weights.sum()
    value = np.full(like.shape, -np.inf, np.float32)
    seen = view.colours(cells)
    codes, heights = start.copy(), np.zeros(view.grid.size, np.intp)
    open_ones, best = np.arange(len(cells)), guesses[:, 0].copy()
    for number in range(guesses.shape[1]):
        drawn_kind = best.copy()
        drawn_kind[open_ones] = guesses[open_ones, number]
        codes[cells], heights[cells] = terrains[drawn_kind], elevations[drawn_kind]
        drawn = draw(view.grid, codes, heights).colours(cells[open_ones])
        apart = np.abs(drawn - seen[open_ones]).mean(axis=2)
        fit = np.log(np.exp(-apart / FADE) + ODD) @ weights
        kind = guesses[open_ones, number]
        value[open_ones, kind] = like[open_ones, kind] + fit
        best[open_ones] = value[open_ones].argmax(axis=1)
        yield 40 + 60 * (number + 1) // guesses.shape[1]
        open_ones = open_ones[np.minimum(apart, 40) @ weights > FITS]
        if not len(open_ones):
            break
    return value


def _guesses(like: NDArray[np.float32], terrains: NDArray[np.intp]) -> NDArray[np.intp]:
    """The likeliest kinds: that of each of several terrains, and the second one of the first."""
    left, best = like.copy(), []
    for _ in range(min(GUESSES - 1, len(np.unique(terrains)))):
        best.append(left.argmax(axis=1))
        left[terrains == terrains[best[-1]][:, None]] = -np.inf
    first = np.where(terrains == terrains[best[0]][:, None], like, -np.inf)
    first[np.arange(len(like)), best[0]] = -np.inf
    second = first.argmax(axis=1)
    second = np.where(np.isfinite(first.max(axis=1)), second, best[0])
    return np.stack([*best[:2], second, *best[2:]], axis=1)


def agreement(
    view: View, kinds: Kinds, cells: NDArray[np.intp], terrains: NDArray[np.intp]
) -> float:
    """The share of ``cells``, whose ``terrains`` (n,) are known, that samples tell rightly."""
    like = likeness(view, cells, kinds.samples)
    return float((kinds.terrains[like.argmax(axis=1)] == terrains).mean()) if len(cells) else 0.0
