"""Learns a script from battlelands: what ``randomizer learn`` and the desk call.

The terrains are learned one after the other (``layers``), each leaning on those before it. With
``caution`` from high to low this gives scripts from few lines to a close fit; each is rolled and
compared with the maps (``fit``).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import ProblemError, has_errors
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.fit import (
    EDGES,
    PAIR_WEIGHT,
    Floats,
    States,
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.hex_masks import mask_of, masks_where, neighbours, size
from randomizer.systems.colossus.learning.hexsides import learn_pairs
from randomizer.systems.colossus.learning.layers import CERTAIN_BITS, Kind, LayerSearch
from randomizer.systems.colossus.learning.pieces import Layout, Piece
from randomizer.systems.colossus.learning.result import LearnedScript, Progress, ScriptVersion
from randomizer.systems.colossus.learning.tuning import TUNING_MAPS, spare, tune, without_empty
from randomizer.systems.colossus.learning.writing import Frame, Layer, Written, write_script
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.terrain_set import COLOSSUS

CAUTIONS = (8.0, 4.0, 2.0, 1.0, 0.6)
"""How much the length of the script counts, from few lines to a close fit; 1 is its real length."""
FEW_MAPS = 30
"""Up to so many maps leave-one-out decides between the versions."""
STATEMENT_PRICE = 6.0
"""The bits that the maps together must gain by a statement of the version that is proposed."""
ORDER_MAPS = 200
"""The order of the terrains is found on so many maps."""
MOSTLY = 0.8
"""The share of hexes for which something holds if it is to count as the rule."""
COPIES_OF = 60
"""Fewer maps are copied up to this number: each copy gets hidden hexes of its own."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """``name`` is the title; ``seconds`` of CPU after which the best so far is the result.

    ``closeness`` 0 (few lines) to 1 (close fit) chooses the version; None: what the maps bear.
    """

    name: str
    seed: int = 0
    seconds: float = 60.0
    closeness: float | None = None


def learn(boards: Boards, options: LearningOptions) -> Iterator[Progress]:
    """Learn a script; the last Progress (100 percent) has the result.

    Closing the iterator cancels; what the latest Progress holds is then the best so far. Raises
    ValueError if there are no boards.
    """
    if not len(boards):
        raise ValueError("there are no maps to learn from")
    task = Task(boards, options)
    learned = task.result([task.version(CAUTIONS[0])])
    for done in task.find_order():
        yield Progress(1 + int(50 * done), "the order of the terrains", learned)
    versions: list[ScriptVersion] = []
    for step, caution in enumerate(CAUTIONS):
        version = task.version(caution)
        if not versions or version.text != versions[-1].text:
            versions.append(version)
        message = f"{version.statements} statements"
        yield Progress(55 + 5 * step, message, task.result(versions))
        if task.is_late():
            break
    learned = task.result(versions)
    for done in task.leave_one_out() if 2 < len(boards) <= FEW_MAPS else ():
        yield Progress(80 + int(19 * done), "leaving one map out", learned)
    yield Progress(100, "done", task.result(versions))


class Task:
    """The learning of one script: the maps, the order of their terrains, the time that is left."""

    def __init__(self, boards: Boards, options: LearningOptions) -> None:
        self.boards, self.options = boards, options
        self.until = time.process_time() + options.seconds
        self.copies = max(1, COPIES_OF // len(boards))
        states = boards.terrain.astype(np.uint8) * ELEVATIONS + boards.elevation
        self.codes = tuple(int(code) for code in np.unique(states))
        self.states = np.ascontiguousarray(states.T)
        self.order = sorted(self.kinds(), key=lambda kind: -int(size(kind.masks).sum()))
        self.unseen: dict[float, float] = {}

    def kinds(self) -> list[Kind]:
        """Return what is placed, on each map as often as it is copied."""
        return kinds_of(np.repeat(self.states.T, self.copies, 0))

    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.process_time() > self.until

    def result(self, versions: Sequence[ScriptVersion]) -> LearnedScript:
        """Return the versions, and which is proposed.

        Of few maps that whose odds describe a map best that it has not seen, of many that from
        which they differ least, statements counted too.
        """
        lengths = [
            self.unseen.get(each.caution, len(self.boards) * each.fit.total)
            + STATEMENT_PRICE * each.statements
            for each in versions
        ]
        chosen = int(np.argmin(lengths))
        return LearnedScript(self.options.name, self.boards.names, tuple(versions), chosen)

    def find_order(self) -> Iterator[float]:
        """Find the order of the kinds; yield the share that is done."""
        if not self.order:
            return
        some = kinds_of(np.repeat(self.states.T, self.copies, 0)[:ORDER_MAPS])
        half = (time.process_time() + self.until) / 2
        search = OrderSearch(some, self.copies, self.options.seed, half)
        yield from search.run()
        self.order = same_order(search.order, self.kinds())

    def write(self, caution: float, *, tuned: bool = True) -> tuple[Written, Model]:
        """Return the script for one ``caution``."""
        boards, seed = self.boards, self.options.seed
        maps = len(boards) * self.copies
        model = Model(self.order, maps, self.copies, caution, seed).extended(len(self.order))
        pairs = learn_pairs(boards, caution)
        frame = self.frame(model)

        def write(pieces: Iterable[Piece]) -> Written:
            by_number = {piece.number: piece for piece in pieces}
            layers = [
                Layer(
                    summary_of(search.kind),
                    tuple(by_number[p.number] for p in search.pieces if p.number in by_number),
                )
                for search in model.searches
            ]
            return write_script(frame, layers, pairs)

        pieces = [piece for search in model.searches for piece in search.pieces]
        if not tuned:
            return write(without_empty(pieces)), model
        pieces = [spare(piece) for piece in pieces]
        price = 2 * CERTAIN_BITS * caution / len(boards)
        program = program_of(write(pieces).text)
        given = marginals_of(self.states, self.codes)
        return write(tune(pieces, program, given, seed, price, self.is_late)), model

    def frame(self, model: Model) -> Frame:
        """Return what the script says beside its hexes."""
        boards = self.boards
        frame = Frame(self.options.name, len(boards), bool(boards.tower.mean() > 0.5))
        if boards.start.any(1).mean() <= 0.5:
            return frame
        start = np.repeat(masks_where(boards.start), self.copies)
        layout = model.searches[-1].layout if model.searches else Layout(start)
        inside = [size(each & start).sum() > MOSTLY * size(each).sum() for each in layout.used]
        pieces = tuple(number for number, is_inside in enumerate(inside) if is_inside)
        if pieces and size(layout.of(pieces)).sum() > MOSTLY * size(start).sum():
            return replace(frame, start=pieces)
        often = np.flatnonzero(boards.start.mean(0) > 0.5)
        return replace(frame, start_hexes=mask_of(often.tolist()))

    def version(self, caution: float) -> ScriptVersion:
        """Return the script for one ``caution`` with its fit."""
        written, model = self.write(caution)
        program = program_of(written.text)
        rolled = marginals_of(rolled_states(program, self.options.seed), self.codes)
        fit = compare(marginals_of(self.states, self.codes), rolled)
        length = model.total
        return ScriptVersion(
            written.text, written.statements, written.reasons, fit, caution, length
        )

    def leave_one_out(self) -> Iterator[float]:
        """Measure how well maps are described by scripts of the others; yield the share done."""
        count = len(self.boards)
        unseen = dict.fromkeys(CAUTIONS, 0.0)
        for left_out in range(count):
            others = [number for number in range(count) if number != left_out]
            task = Task(self.boards.subset(others), self.options)
            task.until = self.until
            task.order = same_order(self.order, task.kinds())
            for caution in CAUTIONS:
                text = task.write(caution, tuned=False)[0].text
                unseen[caution] += held_out_bits(
                    program_of(text), self.states[:, left_out], task.states, self.options.seed
                )
            if self.is_late():
                return
            yield (left_out + 1) / count
        self.unseen = unseen


def held_out_bits(
    program: Program, states: States, others: States, seed: int, *, pairs: bool = True
) -> float:
    """Return the bits of a map, ``states`` (27), by the odds of a script learned from ``others``.

    ``others`` (27, n). The bits of the hexes and, with ``pairs``, those of pairs by their weight.
    """
    codes = _codes(states, others)
    rolled = marginals_of(rolled_states(program, seed, TUNING_MAPS), codes)
    bits = hex_bits_unseen(rolled.hexes, states, others)
    if not pairs:
        return bits
    hexes, (a, b) = smoothed(rolled.hexes, states, others), EDGES
    apart = hexes[a][:, :, None] * hexes[b][:, None, :]
    odds = (others.shape[1] * rolled.pairs + apart) / (others.shape[1] + 1)
    ranks = np.searchsorted(codes, states)
    pair_bits = -np.log2(odds[np.arange(len(a)), ranks[a], ranks[b]]).sum()
    return float(bits + PAIR_WEIGHT * pair_bits)


def hex_bits_unseen(hexes: Floats | None, states: States, others: States) -> float:
    """Return the bits of a map's hexes by odds (27, S); None: as often as in ``others``."""
    codes = _codes(states, others)
    if hexes is None:
        hexes = marginals_of(others, codes).hexes
    odds = smoothed(hexes, states, others)
    ranks = np.searchsorted(codes, states)
    return -float(np.log2(odds[np.arange(len(ranks)), ranks]).sum())


def smoothed(hexes: Floats, states: States, others: States) -> Floats:
    """Return odds by which nothing is impossible: one map of n + 1 is as any hex of any map."""
    anywhere = np.array([(others == code).sum() + 0.5 for code in (*_codes(states, others), 255)])
    odds: Floats = (others.shape[1] * hexes + anywhere / anywhere.sum()) / (others.shape[1] + 1)
    return odds


def _codes(states: States, others: States) -> tuple[int, ...]:
    return tuple(int(code) for code in np.unique(np.append(others, states)))


def program_of(text: str) -> Program:
    """Compile a script that was written here."""
    parsed = parse(text)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return compile_script(parsed.script)


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
        layout = fitted[-1][-1].layout if fitted else Layout(np.zeros(self.maps, np.int32))
        for kind in self.order[len(fitted) : count]:
            dice = np.random.default_rng((self.seed, len(fitted)))
            searches = [LayerSearch(kind, layout, self.copies, self.caution, dice)]
            searches[0].run(thorough=self.thorough)
            if kind.over is not None:
                layout = searches[0].layout
                over = LayerSearch(
                    kind.over, layout, self.copies, self.caution, dice, layout.layers[-1]
                )
                searches.append(over.run(thorough=self.thorough))
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
        self.maps, self.copies, self.seed, self.until = len(kinds[0].masks), copies, seed, until
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
                other = model.reordered(order)
                if other.total < model.total - 1:
                    model, better = other, True
            yield 0.8
        self.order = list(model.order)
        yield 1

    def parts(self, kind: Kind) -> list[Kind]:
        """Return the kinds of its elevations if these are described better one after the other."""
        parts = [kind.single(level) for level in kind.levels]
        if len(parts) == 1:
            return [kind]
        apart = [self.length(*order) for order in permutations(parts)]
        over = [self.length(laid_over(a, b)) for a, b in permutations(parts) if len(parts) == 2]
        return parts if min(apart + over) < self.length(kind) else [kind]

    def merge(self) -> None:
        """Replace two kinds by one that is placed over the other where that is shorter."""
        best, pair = 0.0, None
        for a, b in permutations(self.kinds, 2):
            if a.over or b.over or not self.may_lie_over(a, b):
                continue
            both = min(self.length(a, b), self.length(b, a))
            saved = both - self.length(laid_over(a, b))
            if saved > best:
                best, pair = saved, (a, b)
        if pair is not None:
            self.kinds = [kind for kind in self.kinds if kind not in pair] + [laid_over(*pair)]
            self.merge()

    @staticmethod
    def may_lie_over(a: Kind, b: Kind) -> bool:
        """Whether most hexes of ``b`` stand beside some of ``a``, and there are fewer of them."""
        number = int(size(b.masks).sum())
        beside = int(size(b.masks & neighbours(a.masks)).sum())
        return number < int(size(a.masks).sum()) and beside > MOSTLY * number


def laid_over(a: Kind, b: Kind) -> Kind:
    """Return the kind of the hexes of ``a`` and ``b``, with ``b`` placed over."""
    level = int(np.argmax([int(size(masks).sum()) for masks in a.by_elevation]))
    masks = a.by_elevation.copy()
    masks[level] |= b.masks
    return Kind(a.terrain, masks, b, a.only)


def summary_of(kind: Kind) -> str:
    """Return a sentence about how often a kind comes."""
    sizes = size(kind.masks)
    name = COLOSSUS.terrains[kind.terrain].name
    height = f", {kind.levels[0]} high" if kind.terrain == 0 else ""
    some = f" in {100 * (sizes > 0).mean():.0f} % of the maps" if not sizes.all() else ""
    return f"{name}{height}: {sizes.mean():.1f} hexes a map, {sizes.min()} to {sizes.max()}{some}."


def kinds_of(states: NDArray[np.uint8]) -> list[Kind]:
    """Return what is placed on maps (n, 27) of states: each terrain, high Plains by elevation."""
    kinds = []
    for terrain in range(len(COLOSSUS.terrains)):
        masks = np.array([masks_where(states == terrain * ELEVATIONS + e) for e in range(3)])
        kind = Kind(terrain, masks)
        kinds += [kind] if terrain else [kind.single(2), kind.single(1)]
    return [kind for kind in kinds if kind.masks.any()]


def same_order(order: Sequence[Kind], kinds: Sequence[Kind]) -> list[Kind]:
    """Return ``kinds`` of all maps in the order found on some; what these lack comes last."""
    left = {(kind.terrain, kind.only): kind for kind in kinds}

    def take(kind: Kind) -> Kind | None:
        whole = left.get((kind.terrain, None))
        if whole is None or kind.only is None:
            return left.pop((kind.terrain, kind.only), None)
        rest = whole.by_elevation.copy()
        rest[kind.only] = 0
        left[kind.terrain, None] = Kind(kind.terrain, rest)
        single = whole.single(kind.only)
        return single if single.masks.any() else None

    result = []
    for kind in order:
        base, over = take(kind), take(kind.over) if kind.over else None
        result += [laid_over(base, over)] if base and over else [e for e in (base, over) if e]
    return result + [kind for kind in left.values() if kind.masks.any()]
