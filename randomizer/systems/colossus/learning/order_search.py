"""Finds the order in which terrains are described best, each by what stands there before it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import neighbours, size
from randomizer.systems.colossus.learning.kinds import Kind, laid_over
from randomizer.systems.colossus.learning.layers import LayerSearch
from randomizer.systems.colossus.learning.pieces import Layout

MOSTLY = 0.8
"""The share of hexes for which something holds if it is to count as the rule."""


@dataclass(frozen=True)
class Model:
    """Layers in an order, the first of them fitted (``searches``)."""

    order: Sequence[Kind]
    maps: int
    copies: int
    caution: float
    seed: int
    thorough: bool = True
    fitted: tuple[tuple[LayerSearch, ...], ...] = ()

    @property
    def searches(self) -> list[LayerSearch]:
        """All layers that are fitted, those placed over others behind them."""
        return [search for searches in self.fitted for search in searches]

    def extended(self, count: int) -> Model:
        """Return the model with so many fitted kinds."""
        fitted = list(self.fitted[:count])
        if fitted:
            layout = fitted[-1][-1].layout
        else:
            layout = Layout(np.zeros(self.maps, np.int32))
        for kind in self.order[len(fitted) : count]:
            dice = np.random.default_rng((self.seed, len(fitted)))
            searches = [LayerSearch(kind, layout, self.copies, self.caution, dice)]
            searches[0].run(thorough=self.thorough)
            if kind.upper is not None:
                layout = searches[0].layout
                upper = LayerSearch(
                    kind.upper, layout, self.copies, self.caution, dice, layout.layers[-1]
                )
                searches.append(upper.run(thorough=self.thorough))
            fitted.append(tuple(searches))
            layout = searches[-1].layout
        return replace(self, fitted=tuple(fitted))

    @property
    def bits(self) -> tuple[float, float]:
        """The lengths of the maps and of the script."""
        return (
            sum(search.marginal_bits for search in self.searches),
            sum(search.text_bits for search in self.searches),
        )

    @property
    def total(self) -> float:
        """The length of both."""
        return sum(self.bits)

    def reordered(self, order: Sequence[Kind]) -> Model:
        """Return the model of another order, fitted as far as this one, as long as both agree."""
        same = next(
            (i for i, (a, b) in enumerate(zip(self.order, order, strict=True)) if a is not b),
            len(order),
        )
        return replace(self, order=order, fitted=self.fitted[:same]).extended(len(self.fitted))


class OrderSearch:
    """Finds the order in which the kinds are described best, and which is placed over another."""

    def __init__(self, kinds: Sequence[Kind], copies: int, seed: int, until: float) -> None:
        self.maps = len(kinds[0].masks)
        self.copies = copies
        self.seed = seed
        self.until = until
        self.kinds = self.order = list(kinds)
        self.lengths: dict[tuple[Kind, ...], float] = {}
        self.models: dict[Kind, Model] = {}

    def model(self, *order: Kind) -> Model:
        """Return the fitted model of an order."""
        start = self.models.get(order[0])
        if start is None:
            start = Model([order[0]], self.maps, self.copies, 1.0, self.seed, thorough=False)
            start = start.extended(1)
            self.models[order[0]] = start
        return replace(start, order=list(order)).extended(len(order))

    def length(self, *order: Kind) -> float:
        """Return the bits of maps and script of these kinds alone."""
        if order not in self.lengths:
            self.lengths[order] = self.model(*order).total
        return self.lengths[order]

    def run(self) -> Iterator[float]:
        """Find ``order``: merge, order by pairs, then exchange neighbours as long as that helps.

        Yields the share that is done.
        """
        self.kinds = [part for kind in self.kinds for part in self.parts(kind)]
        couples = list(permutations(self.kinds, 2))
        for done, (a, b) in enumerate(couples):
            self.length(a, b)
            yield done / len(couples) / 2
            if time.process_time() > self.until:
                return
        self.merge()
        saved = {
            (a, b): self.length(a) + self.length(b) - self.length(a, b)
            for a, b in permutations(self.kinds, 2)
        }
        yield 0.6
        ranked = max(
            permutations(self.kinds) if len(self.kinds) <= 7 else [self.kinds],
            key=lambda order: sum(saved[pair] for pair in combinations(order, 2)),
        )
        model = self.model(*ranked)
        better = True
        while better and time.process_time() < self.until:
            better = False
            for i in range(len(ranked) - 1):
                order = list(model.order)
                order[i], order[i + 1] = order[i + 1], order[i]
                reordered = model.reordered(order)
                if reordered.total < model.total - 1:
                    model = reordered
                    better = True
            yield 0.8
        self.order = list(model.order)
        yield 1

    def parts(self, kind: Kind) -> list[Kind]:
        """Return the kinds of its elevations if these are described better one after the other."""
        parts = [kind.at_elevation(level) for level in kind.elevations]
        if len(parts) == 1:
            return [kind]
        apart = [self.length(*order) for order in permutations(parts)]
        if len(parts) == 2:
            apart += [self.length(laid_over(a, b)) for a, b in permutations(parts)]
        if min(apart) < self.length(kind):
            return parts
        return [kind]

    def merge(self) -> None:
        """Replace two kinds by one that is placed over the other where that is shorter."""
        best = 0.0
        pair = None
        for a, b in permutations(self.kinds, 2):
            if a.upper or b.upper or not self.may_lie_over(a, b):
                continue
            both = min(self.length(a, b), self.length(b, a))
            saved = both - self.length(laid_over(a, b))
            if saved > best:
                best = saved
                pair = (a, b)
        if pair is not None:
            self.kinds = [kind for kind in self.kinds if kind not in pair] + [laid_over(*pair)]
            self.merge()

    @staticmethod
    def may_lie_over(a: Kind, b: Kind) -> bool:
        """Return whether most hexes of ``b`` stand beside some of ``a``, and there are fewer of
        them.
        """
        number = int(size(b.masks).sum())
        beside = int(size(b.masks & neighbours(a.masks)).sum())
        return number < int(size(a.masks).sum()) and beside > MOSTLY * number
