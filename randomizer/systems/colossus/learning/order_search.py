"""Finds the order in which terrains are described best, each by what stands there before it.

The learner calls ``OrderSearch.run``. A ``Model`` is one order of the kinds of hexes with a fitted
layer for each kind; its *length* is the bits of all maps, described by these layers, and of their
script. Of two orders the shorter one is better: lakes before the bogs round them, for instance.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import neighbours, size
from randomizer.systems.colossus.learning.kinds import Kind, laid_over
from randomizer.systems.colossus.learning.list_search import LayerSearch
from randomizer.systems.colossus.learning.pieces import Layout, PieceNumbers

MOSTLY = 0.8
"""The share of hexes for which something holds if it is to count as the rule."""

MOST_ORDERED_KINDS = 7
"""Up to so many kinds all orders are compared by pairs; of 8 there are 40,320."""

LEAST_GAIN = 1.0
"""The bits that an exchange of neighbours must save at least; less could go on for ever."""


@dataclass(frozen=True)
class Model:
    """Layers in an order, of which the first ones are fitted."""

    order: Sequence[Kind]
    """The kinds of hexes, a layer each (two if another kind is placed over it)."""

    maps: int
    """The number of maps, copies included."""

    copies: int
    caution: float
    """How much the length of the script counts: see ``LayerSearch``."""

    seed: int
    thorough: bool = True
    """Whether all seeds are tried in each layer: see ``LayerSearch``."""

    fitted: tuple[tuple[LayerSearch, ...], ...] = ()
    """The layers of each fitted kind, the lower one first; each stands on those before it."""

    @property
    def searches(self) -> list[LayerSearch]:
        """All layers that are fitted, those placed over others behind them."""
        return list(chain.from_iterable(self.fitted))

    def extended(self, count: int) -> Model:
        """Return the model with the first ``count`` kinds fitted."""
        fitted = list(self.fitted[:count])
        if fitted:
            layout = fitted[-1][-1].layout
        else:
            layout = Layout(np.zeros(self.maps, np.int32))
        for kind in self.order[len(fitted) : count]:
            # A layer has dice of its own, so that it does not depend on how often others draw.
            dice = np.random.default_rng((self.seed, len(fitted)))
            search = self._layer_search(kind, layout, dice)
            searches = [search.run()]
            if kind.upper is not None:
                lower_layout = search.layout
                lower_pieces = lower_layout.layers[-1]
                search = self._layer_search(kind.upper, lower_layout, dice, on=lower_pieces)
                searches.append(search.run())
            fitted.append(tuple(searches))
            layout = search.layout
        return replace(self, fitted=tuple(fitted))

    def _layer_search(
        self, kind: Kind, layout: Layout, dice: np.random.Generator, on: PieceNumbers = ()
    ) -> LayerSearch:
        """Return the search for the layer of a kind, behind those in the layout."""
        return LayerSearch(
            kind, layout, self.copies, self.caution, dice, on, thorough=self.thorough
        )

    @property
    def total(self) -> float:
        """The length of the maps and of the script in bits."""
        map_bits = sum(search.marginal_bits for search in self.searches)
        text_bits = sum(search.text_bits for search in self.searches)
        return map_bits + text_bits

    def reordered(self, order: Sequence[Kind]) -> Model:
        """Return the model of another order with as many fitted kinds as this one.

        The layers are kept up to the first kind in which the orders differ.
        """
        same_kinds = 0
        for kind, new_kind in zip(self.order, order, strict=True):
            if kind is not new_kind:
                break
            same_kinds += 1
        model = replace(self, order=order, fitted=self.fitted[:same_kinds])
        return model.extended(len(self.fitted))


class OrderSearch:
    """Finds the order in which the kinds are described best, and which is placed over another.

    ``run`` does it; ``order`` is the result, from the beginning on a possible one.
    """

    def __init__(self, kinds: Sequence[Kind], copies: int, seed: int, until: float) -> None:
        """Search for kinds of maps of which each has so many ``copies``.

        ``until`` is the time by ``time.thread_time`` at which the search is given up.
        """
        self.order = list(kinds)
        self._kinds = list(kinds)
        self._maps = len(kinds[0].masks)
        self._copies = copies
        self._seed = seed
        self._until = until
        self._lengths: dict[tuple[Kind, ...], float] = {}
        """The bits of models that were fitted, by their order."""
        self._first_layers: dict[Kind, Model] = {}
        """The model of each kind alone, which begins all models with that kind first."""

    def run(self) -> Iterator[float]:
        """Find ``order``: divide, merge, order by pairs, then exchange neighbours while that helps.

        Yields the share that is done. Out of time before the orders by pairs are all known, it
        leaves ``order`` as it was.
        """
        self._kinds = list(chain.from_iterable(map(self._parts, self._kinds)))
        pairs = list(permutations(self._kinds, 2))
        for pairs_done, pair in enumerate(pairs):
            self._length(*pair)  # kept for ``_merge`` and ``_order_by_pairs``
            yield pairs_done / len(pairs) / 2  # fitting the pairs counts as half of the work
            if time.thread_time() > self._until:
                return
        self._merge()
        order = self._order_by_pairs()
        yield 0.6
        model = self._model(*order)
        has_improved = True
        while has_improved and time.thread_time() < self._until:
            better_model = _with_neighbours_exchanged(model)
            has_improved = better_model is not model
            model = better_model
            yield 0.8
        self.order = list(model.order)
        yield 1

    def _model(self, *order: Kind) -> Model:
        """Return the fitted model of an order."""
        first_layer = self._first_layers.get(order[0])
        if first_layer is None:
            unfitted = Model([order[0]], self._maps, self._copies, 1.0, self._seed, thorough=False)
            first_layer = unfitted.extended(1)
            self._first_layers[order[0]] = first_layer
        return replace(first_layer, order=list(order)).extended(len(order))

    def _length(self, *order: Kind) -> float:
        """Return the bits of maps and script of these kinds alone."""
        if order not in self._lengths:
            self._lengths[order] = self._model(*order).total
        return self._lengths[order]

    def _parts(self, kind: Kind) -> list[Kind]:
        """Return the kinds of its elevations if these are described better one after the other."""
        parts = [kind.at_elevation(level) for level in kind.elevations]
        if len(parts) == 1:
            return [kind]
        lengths = [self._length(*order) for order in permutations(parts)]
        if len(parts) == 2:
            lengths += [self._length(laid_over(a, b)) for a, b in permutations(parts)]
        if min(lengths) < self._length(kind):
            return parts
        return [kind]

    def _merge(self) -> None:
        """Replace pairs of kinds by one that is placed over the other where that is shorter.

        The pair that saves most comes first.
        """
        most_saved = 0.0
        best_pair = None
        for lower, upper in permutations(self._kinds, 2):
            if lower.upper or upper.upper or not _can_lie_over(lower, upper):
                continue
            length_apart = min(self._length(lower, upper), self._length(upper, lower))
            saved = length_apart - self._length(laid_over(lower, upper))
            if saved > most_saved:
                most_saved = saved
                best_pair = (lower, upper)
        if best_pair is not None:
            remaining_kinds = [kind for kind in self._kinds if kind not in best_pair]
            self._kinds = [*remaining_kinds, laid_over(*best_pair)]
            self._merge()

    def _order_by_pairs(self) -> Sequence[Kind]:
        """Return the order in which earlier kinds tell most about later ones, pair by pair.

        What one tells about the other is what the pair is shorter than the two kinds alone.
        """
        if len(self._kinds) > MOST_ORDERED_KINDS:
            return self._kinds
        saved = {}
        for first, second in permutations(self._kinds, 2):
            length_alone = self._length(first) + self._length(second)
            saved[first, second] = length_alone - self._length(first, second)
        return max(
            permutations(self._kinds),
            key=lambda order: sum(saved[pair] for pair in combinations(order, 2)),
        )


def _with_neighbours_exchanged(model: Model) -> Model:
    """Return the model after one pass through its order, or the same one if that did not help.

    Two kinds that follow each other are exchanged where that saves more than ``LEAST_GAIN``.
    """
    for index in range(len(model.order) - 1):
        order = list(model.order)
        order[index], order[index + 1] = order[index + 1], order[index]
        reordered = model.reordered(order)
        if reordered.total < model.total - LEAST_GAIN:
            model = reordered
    return model


def _can_lie_over(lower: Kind, upper: Kind) -> bool:
    """Return whether most hexes of ``upper`` stand beside some of ``lower``, and are fewer."""
    upper_hexes = int(size(upper.masks).sum())
    beside = int(size(upper.masks & neighbours(lower.masks)).sum())
    return upper_hexes < int(size(lower.masks).sum()) and beside > MOSTLY * upper_hexes
