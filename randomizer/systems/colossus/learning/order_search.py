"""Finds the order in which a script should place the kinds of hexes.

A script places one kind after the other, each in relation to those before: first lakes, say, then
bogs round them. The other way round it would need more words. So an order is judged by its
*length*: the bits of the script, and of the given maps if they are described by that script.

The learner calls ``OrderSearch.run``. A ``Model`` is one order with a fitted layer for each kind: a
*layer* is what the script says of one kind, and ``list_search.fit_layer`` finds it. Fitting is
slow, and there are 5,040 orders of seven kinds. Therefore only pairs of kinds are fitted in both
orders. The order of all kinds is that which agrees best with the pairs, improved by exchanges of
neighbours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import neighbours, size
from randomizer.systems.colossus.learning.kinds import Kind, placed_over
from randomizer.systems.colossus.learning.leaves import SearchOptions
from randomizer.systems.colossus.learning.list_search import FittedLayer, fit_layer
from randomizer.systems.colossus.learning.pieces import Layout

MIN_SHARE_BESIDE = 0.8
"""One kind is tried on top of another if at least this share of its hexes stands beside that.

An island in a lake is beside the lake on all its sides. If it is larger, fewer kinds are tried so,
which is faster, but islands at the rim of their lake can be missed.
"""

MAX_ORDERED_KINDS = 7
"""The largest number of kinds of which all orders are compared by pairs: 5,040 of seven kinds.

Eight kinds have 40,320. More than the limit stay in the order in which they were given, and only
neighbours are exchanged.
"""

# The share of the work that is done after each step, as the user sees it.

_SHARE_OF_PAIRS = 0.5
_SHARE_BEFORE_EXCHANGES = 0.6
_SHARE_OF_EXCHANGES = 0.8
"""It stays while neighbours are exchanged, as nobody knows how often that helps."""

MIN_GAIN = 1.0
"""The bits that an exchange of neighbours must save at least; less could go on for ever."""


@dataclass(frozen=True)
class Model:
    """Layers in an order, of which the first ones are fitted."""

    order: Sequence[Kind]
    """The kinds of hexes, a layer each (two if another kind is placed over it)."""

    maps: int
    """The number of maps, copies included."""

    options: SearchOptions
    """The options of the search for each layer."""

    seed: int
    """The seed of the dice of the layer searches."""

    fitted: tuple[tuple[FittedLayer, ...], ...] = ()
    """The layers of each fitted kind: one, or two if another kind is placed over it.

    Each layer is placed after all those before it.
    """

    @property
    def layers(self) -> list[FittedLayer]:
        """All fitted layers, in the order in which the script places them."""
        return list(chain.from_iterable(self.fitted))

    @property
    def layout(self) -> Layout:
        """The hexes that the layers fitted so far use up on the maps."""
        layers = self.layers
        if layers:
            return layers[-1].layout
        return Layout(np.zeros(self.maps, np.int32))

    @property
    def total(self) -> float:
        """The length of the maps and of the script in bits, as far as kinds are fitted."""
        map_bits = sum(layer.map_bits for layer in self.layers)
        text_bits = sum(layer.text_bits for layer in self.layers)
        return map_bits + text_bits

    def extended(self, count: int) -> Model:
        """Return the model with the first ``count`` kinds fitted."""
        model = replace(self, fitted=self.fitted[:count])
        for kind in self.order[len(model.fitted) : count]:
            model = model._with_next(kind)
        return model

    def _with_next(self, kind: Kind) -> Model:
        """Return the model with one kind more fitted, behind the others."""
        # A kind has dice of its own, so that it does not depend on how often others draw.
        dice = np.random.default_rng((self.seed, len(self.fitted)))
        layer = fit_layer(kind, self.layout, dice, self.options)
        layers_of_kind = [layer]
        if kind.upper is not None:
            lower_pieces = layer.layout.layers[-1]
            upper_layer = fit_layer(kind.upper, layer.layout, dice, self.options, lower_pieces)
            layers_of_kind.append(upper_layer)
        return replace(self, fitted=(*self.fitted, tuple(layers_of_kind)))

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

    ``run`` does the work. ``order`` is its result; until it has one, it is the given order.
    """

    def __init__(self, kinds: Sequence[Kind], copies: int, seed: int, end_time: float) -> None:
        """Search for kinds of maps of which each has so many ``copies``.

        ``end_time`` is the time by ``time.thread_time`` at which the search is given up.
        """
        self.order = list(kinds)
        self._maps = len(kinds[0].masks)
        # The script counts by its length in bits, no more and no less.
        self._options = SearchOptions(copies, caution=1.0, thorough=False)
        self._seed = seed
        self._end_time = end_time
        self._lengths: dict[tuple[Kind, ...], float] = {}
        """The bits of models that were fitted, by their order."""
        self._models_of_first_kind: dict[Kind, Model] = {}
        """The model of each kind alone, which begins all models with that kind first."""
        self._united_kinds: dict[tuple[Kind, Kind], Kind] = {}
        """The results of ``_placed_over``."""

    def run(self) -> Iterator[float]:
        """Find ``order``, and yield the share of the work that is done, 0 to 1.

        If the time is up before kinds are placed over one another, ``order`` stays as it is.
        """
        # Divide kinds by elevation where that is shorter.
        kinds: list[Kind] = []
        for kind in self.order:
            kinds += self._divided_if_shorter(kind)

        # Fit all pairs. The next two steps compare their lengths, which are kept.
        pairs = list(permutations(kinds, 2))
        for pairs_done, pair in enumerate(pairs):
            self._length(*pair)
            yield _SHARE_OF_PAIRS * pairs_done / len(pairs)
            if self._is_late():
                return

        # Place kinds over one another, and order them.
        kinds = self._united_if_shorter(kinds)
        if self._is_late():
            return
        order = self._order_by_pairs(kinds)
        yield _SHARE_BEFORE_EXCHANGES

        # Exchange neighbours in the order while that helps.
        model = self._model(*order)
        has_improved = True
        while has_improved and not self._is_late():
            better_model = _with_neighbours_exchanged(model)
            has_improved = better_model is not model
            model = better_model
            yield _SHARE_OF_EXCHANGES
        self.order = list(model.order)
        yield 1

    def _model(self, *order: Kind) -> Model:
        """Return the fitted model of an order; the layer of its first kind is fitted only once."""
        first_layer = self._models_of_first_kind.get(order[0])
        if first_layer is None:
            unfitted = Model(
                order=[order[0]],
                maps=self._maps,
                options=self._options,
                seed=self._seed,
            )
            first_layer = unfitted.extended(1)
            self._models_of_first_kind[order[0]] = first_layer
        return replace(first_layer, order=list(order)).extended(len(order))

    def _length(self, *order: Kind) -> float:
        """Return the bits of maps and script if there were only these kinds, in this order."""
        if order not in self._lengths:
            self._lengths[order] = self._model(*order).total
        return self._lengths[order]

    def _placed_over(self, lower: Kind, upper: Kind) -> Kind:
        """Return ``placed_over`` of two kinds: one object each time, whose length is kept."""
        kinds = (lower, upper)
        if kinds not in self._united_kinds:
            self._united_kinds[kinds] = placed_over(lower, upper)
        return self._united_kinds[kinds]

    def _is_late(self) -> bool:
        """Return whether the time is up."""
        return time.thread_time() > self._end_time

    def _divided_if_shorter(self, kind: Kind) -> list[Kind]:
        """Return a kind for each elevation if these are described better, else the kind itself."""
        parts = [kind.at_elevation(level) for level in kind.elevations]
        if len(parts) == 1:
            return [kind]
        # Parts that are placed over each other are returned apart all the same:
        # ``_united_if_shorter`` finds the pair again, since it saves as much there.
        lengths = [self._length(*order) for order in permutations(parts)]
        if len(parts) == 2:  # of three only the orders are tried
            for lower, upper in permutations(parts):
                lengths.append(self._length(self._placed_over(lower, upper)))
        if min(lengths) < self._length(kind):
            return parts
        return [kind]

    def _united_if_shorter(self, kinds: list[Kind]) -> list[Kind]:
        """Return the kinds, with two replaced by one that has both wherever that is shorter.

        Of the two one lies over the other then. If the time is up before, some are not replaced.
        """
        best_pair = self._best_pair_to_unite(kinds)
        while best_pair is not None:
            lower, upper = best_pair
            other_kinds = [kind for kind in kinds if kind not in best_pair]
            kinds = [*other_kinds, self._placed_over(lower, upper)]
            best_pair = self._best_pair_to_unite(kinds)
        return kinds

    def _best_pair_to_unite(self, kinds: Sequence[Kind]) -> tuple[Kind, Kind] | None:
        """Return the pair, lower and upper, that saves most bits with one kind over the other.

        None if no pair saves any, or if the time is up.
        """
        most_saved = 0.0
        best_pair = None
        for lower, upper in permutations(kinds, 2):
            if self._is_late():
                return None
            if lower.upper or upper.upper or not _can_lie_over(lower, upper):
                continue
            length_apart = min(self._length(lower, upper), self._length(upper, lower))
            saved = length_apart - self._length(self._placed_over(lower, upper))
            if saved > most_saved:
                most_saved = saved
                best_pair = (lower, upper)
        return best_pair

    def _order_by_pairs(self, kinds: Sequence[Kind]) -> Sequence[Kind]:
        """Return the order that saves most bits, summed over its pairs of kinds.

        A pair saves the bits by which it is shorter in this order than its two kinds alone: the
        later one is described by the hexes of the earlier one.
        """
        if len(kinds) > MAX_ORDERED_KINDS:
            return kinds
        saved = {}
        for first, second in permutations(kinds, 2):
            length_alone = self._length(first) + self._length(second)
            saved[first, second] = length_alone - self._length(first, second)
        return max(
            permutations(kinds),
            key=lambda order: sum(saved[pair] for pair in combinations(order, 2)),
        )


def _with_neighbours_exchanged(model: Model) -> Model:
    """Return the model after one pass through its order, the same object if nothing was exchanged.

    Two kinds that follow each other are exchanged where that saves more than ``MIN_GAIN``.
    """
    for index in range(len(model.order) - 1):
        order = list(model.order)
        order[index], order[index + 1] = order[index + 1], order[index]
        reordered = model.reordered(order)
        if reordered.total < model.total - MIN_GAIN:
            model = reordered
    return model


def _can_lie_over(lower: Kind, upper: Kind) -> bool:
    """Return whether most hexes of ``upper`` stand beside some of ``lower``, and are fewer."""
    upper_hexes = int(size(upper.masks).sum())
    beside = int(size(upper.masks & neighbours(lower.masks)).sum())
    return upper_hexes < int(size(lower.masks).sum()) and beside > MIN_SHARE_BESIDE * upper_hexes
