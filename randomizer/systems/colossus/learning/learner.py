"""Learns a script from battlelands: what ``randomizer learn`` and the desk call.

    for progress in learn(boards, LearningOptions("My marshes")):
        ...  # progress.learned is the best so far; the last one is the result

The result is a script whose rolls look like the given maps. The kinds of hexes (terrains, some
divided by elevation) are learned one after the other, each by its relation to those before it: for
instance bogs round lakes. First the order of the kinds is searched for (``order_search``), then a
script is learned for several values of *caution*, the weight of the script's own length. From high
to low caution this gives scripts from few lines to a close fit. Each is rolled and compared with
the maps (``fit``), and one is proposed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, has_errors
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.fit import (
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.held_out import held_out_bits
from randomizer.systems.colossus.learning.hex_masks import mask_of, masks_where, size
from randomizer.systems.colossus.learning.hexsides import (
    learn_pairs,
    step_pairs,
    steps_of_two,
)
from randomizer.systems.colossus.learning.kinds import Kind, kinds_of, same_order, summary_of
from randomizer.systems.colossus.learning.leaf_splits import SearchOptions
from randomizer.systems.colossus.learning.order_search import MOSTLY, Model, OrderSearch
from randomizer.systems.colossus.learning.pieces import Piece
from randomizer.systems.colossus.learning.result import (
    LearnedScript,
    Progress,
    ScriptVersion,
    index_at,
)
from randomizer.systems.colossus.learning.script_lengths import HAZARD_BITS
from randomizer.systems.colossus.learning.tuning import tune, with_spare_hazards, without_empty
from randomizer.systems.colossus.learning.writing import (
    Layer,
    ScriptHead,
    StartHexes,
    StartPieces,
    WrittenScript,
    write_script,
)
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.script.parser import parse

CAUTIONS = (8.0, 4.0, 2.0, 1.0, 0.6)
"""The weights of the script's length, from few lines to a close fit; 1 is its real length."""

FEW_MAPS = 30
"""The largest number of maps for which leave-one-out decides between the versions.

Leave-one-out learns a script without each of the maps, so that more maps take longer.
"""

STATEMENT_PRICE = 6.0
"""The bits that the maps together must gain by a statement of the version that is proposed."""

ORDER_MAPS = 200
"""The number of maps, of many, on which the order of the kinds is found."""

STEP_PRICE = 2.0
"""The bits that each step of two too many or too few on a map counts when a version is proposed.

A step is an edge between two hexes of different elevations; those of a step of two differ by two.
"""

STEP_MAPS = 4_000
"""The number of maps that are rolled to see which steps a script makes."""

COPIES_OF = 60
"""The number of maps up to which fewer given maps are copied.

A script can draw hidden hexes, around which others lie; each copy of a map gets its own guess of
these.
"""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The choices of a user."""

    name: str
    """The title of the script."""

    seed: int = 0
    """The seed of all draws, of the search and of the maps that are rolled."""

    seconds: float = 60.0
    """The processor time, of the thread that learns, after which the best so far is the result."""

    closeness: float | None = None
    """The version that is chosen, from 0 (few lines) to 1 (close fit).

    None: the version that describes the maps best, its own length included.
    """


_PERCENT_OF_ORDER = 50
"""The part of the progress that finding the order of the terrains takes."""

_PERCENT_OF_VERSION = 5
"""The part that each version takes."""

_PERCENT_BEFORE_LEAVING_OUT = 80
"""The progress when maps begin to be left out; fewer versions than usual leave a gap before it."""

_PERCENT_OF_LEAVING_OUT = 19
"""The part that leaving maps out takes; the last percent is the end."""


def learn(boards: Boards, options: LearningOptions) -> Iterator[Progress]:
    """Learn a script; the last Progress (100 percent) has the result.

    Closing the iterator cancels; what the latest Progress holds is then the best so far. Raises
    ValueError if there are no boards.
    """
    if not len(boards):
        raise ValueError("there are no maps to learn from")
    learner = ScriptLearner(boards, options)
    learned = learner.result([learner.learn_version(CAUTIONS[0])])
    for share_done in learner.find_order():
        percent = 1 + int(_PERCENT_OF_ORDER * share_done)
        yield Progress(percent, "the order of the terrains", learned)
    versions: list[ScriptVersion] = []
    for step, caution in enumerate(CAUTIONS):
        version = learner.learn_version(caution)
        # A version that fits closer and has fewer lines replaces those before it. That happens if
        # it makes fewer kinds of steps, which need PAIRs.
        while versions and versions[-1].statements > version.statements:
            versions.pop()
        if not versions or version.text != versions[-1].text:
            versions.append(version)
        message = counted(version.statements, "statement")
        percent = _PERCENT_OF_ORDER + _PERCENT_OF_VERSION * (step + 1)
        yield Progress(percent, message, learner.result(versions))
        if learner.is_late():
            break
    learned = learner.result(versions)
    if options.closeness is None and 2 < len(boards) <= FEW_MAPS:
        for share_done in learner.leave_one_out():
            percent = _PERCENT_BEFORE_LEAVING_OUT + int(_PERCENT_OF_LEAVING_OUT * share_done)
            yield Progress(percent, "leaving one map out", learned)
    yield Progress(100, "done", learner.result(versions))


_MOST_MAPS = 0.5
"""The share of maps above which the script has a TOWER, a STARTLIST, or a hex in the latter."""


class ScriptLearner:
    """Learns scripts from the same maps, for any caution.

    It is made with the maps; ``find_order`` comes first, then ``learn_version`` for each caution,
    then ``leave_one_out``. ``result`` puts what there is so far together.
    """

    def __init__(self, boards: Boards, options: LearningOptions) -> None:
        self.boards = boards
        """The given maps, without copies."""
        self.options = options
        self.end_time = time.thread_time() + options.seconds
        """The time of this thread at which learning ends."""
        self.copies = max(1, COPIES_OF // len(boards))
        """The number of times that each map is among those that layers are learned from."""
        states = boards.terrain.astype(np.uint8) * ELEVATIONS + boards.elevation
        self.codes = tuple(int(code) for code in np.unique(states))
        """The states that the maps have."""
        self.states = np.ascontiguousarray(states.T)
        """(27, n): the states of the maps, without copies."""
        self.order = sorted(self.kinds(), key=lambda kind: -int(size(kind.masks).sum()))
        """The order of the kinds; before it is searched for, the most frequent first."""
        self.unseen_bits: dict[float, float] = {}
        """By caution: the bits of all maps, each described by a script learned from the others.

        It is {} until ``leave_one_out`` has measured all maps.
        """

    def kinds(self) -> list[Kind]:
        """Return the kinds of hexes on the maps, copies included."""
        return kinds_of(np.repeat(self.states.T, self.copies, 0))

    def is_late(self) -> bool:
        """Return whether the time is up."""
        return time.thread_time() > self.end_time

    def result(self, versions: Sequence[ScriptVersion]) -> LearnedScript:
        """Return the versions, with the index of the one that is proposed.

        It is the one with the shortest description of the maps. For few maps the bits are those of
        each map by a script that was learned from the others; for many, those of all maps by the
        version itself. Statements and wrong steps of two count, too.
        """
        closeness = self.options.closeness
        if closeness is not None:
            proposed_index = index_at(closeness, len(versions))
        else:
            proposed_index = int(np.argmin([self._length(version) for version in versions]))
        return LearnedScript(
            name=self.options.name,
            maps=self.boards.names,
            versions=tuple(versions),
            proposed_index=proposed_index,
        )

    def _length(self, version: ScriptVersion) -> float:
        """Return the length of the maps described by a version, in bits; see ``result``."""
        maps = len(self.boards)
        if version.caution in self.unseen_bits:
            map_bits = self.unseen_bits[version.caution]
        else:
            map_bits = maps * version.fit.total
        statement_bits = STATEMENT_PRICE * version.statements
        step_bits = STEP_PRICE * maps * version.step_error
        return map_bits + statement_bits + step_bits

    def find_order(self) -> Iterator[float]:
        """Find the order of the kinds; yield the share that is done."""
        if not self.order:
            return
        kinds_on_some_maps = kinds_of(np.repeat(self.states.T, self.copies, 0)[:ORDER_MAPS])
        # Half of the remaining time is for the order, the other half for the scripts.
        half_time = (time.thread_time() + self.end_time) / 2
        search = OrderSearch(kinds_on_some_maps, self.copies, self.options.seed, half_time)
        yield from search.run()
        self.order = same_order(search.order, self.kinds())

    def learn_text(self, caution: float, *, tuned: bool = True) -> WrittenScript:
        """Learn the script for one ``caution``, and return its text with the reasons.

        The layers are fitted, their chances tuned on rolled maps, and the PAIRs added. With
        ``tuned`` False the tuning, which takes most of the time, is left out.
        """
        # Fit the layers, and learn the PAIRs.
        boards = self.boards
        seed = self.options.seed
        unfitted = Model(
            order=self.order,
            maps=len(boards) * self.copies,
            options=SearchOptions(self.copies, caution),
            seed=seed,
        )
        model = unfitted.extended(len(self.order))
        head = self.head_of_script(model)
        pairs = learn_pairs(boards, caution)
        pieces: list[Piece] = []
        for fitted_layer in model.layers:
            pieces += fitted_layer.pieces
        if not tuned:
            return write_script(head, _layers(model, without_empty(pieces)), pairs)

        # Tune the chances; ``with_spare_hazards`` adds hazards that tuning can raise.
        pieces = [with_spare_hazards(piece) for piece in pieces]
        price = 2 * HAZARD_BITS * caution / len(boards)
        program = program_of(write_script(head, _layers(model, pieces), pairs).text)
        marginals = marginals_of(self.states, self.codes)
        pieces = list(tune(pieces, program, marginals, seed, price, self.is_late))

        # Only the rolls of the tuned script tell which steps have no PAIR yet.
        layers = _layers(model, pieces)
        tuned_program = program_of(write_script(head, layers, pairs).text)
        rolled = rolled_states(tuned_program, seed, STEP_MAPS)
        return write_script(head, layers, (*pairs, *step_pairs(boards, pairs, rolled)))

    def head_of_script(self, model: Model) -> ScriptHead:
        """Return the title, the TOWER and the STARTLIST of the script.

        The script has a TOWER, and likewise a STARTLIST, if most of the maps have one.
        """
        boards = self.boards
        most_are_towers = bool(boards.tower.mean() > _MOST_MAPS)
        frame = ScriptHead(self.options.name, len(boards), most_are_towers)
        most_have_start_lists = boards.start.any(1).mean() > _MOST_MAPS
        if not most_have_start_lists:
            return frame
        return replace(frame, start=self._start_list(model))

    def _start_list(self, model: Model) -> StartPieces | StartHexes | None:
        """Return the start list of the script; None if no hex is in most of those of the maps."""
        boards = self.boards

        # If the hexes of some pieces are mostly in the start lists of the maps, and make up most of
        # these, they are the start list of the script.
        start = np.repeat(masks_where(boards.start), self.copies)
        layout = model.layout
        start_pieces = []
        for number, used in enumerate(layout.used):
            if size(used & start).sum() > MOSTLY * size(used).sum():
                start_pieces.append(number)
        pieces = tuple(start_pieces)
        if pieces and size(layout.hexes_of(pieces)).sum() > MOSTLY * size(start).sum():
            return StartPieces(pieces)

        # Else it has the hexes that are in the start list on most maps.
        mask = mask_of(np.flatnonzero(boards.start.mean(0) > _MOST_MAPS).tolist())
        if not mask:
            return None
        return StartHexes(mask)

    def learn_version(self, caution: float) -> ScriptVersion:
        """Learn the script for one ``caution``, and return it with its fit."""
        written = self.learn_text(caution)
        program = program_of(written.text)
        rolled = rolled_states(program, self.options.seed)
        fit = compare(marginals_of(self.states, self.codes), marginals_of(rolled, self.codes))
        step_error = abs(steps_of_two(rolled) - steps_of_two(self.states))
        return ScriptVersion(
            written.text, written.statements, written.reasons, fit, caution, step_error
        )

    def leave_one_out(self) -> Iterator[float]:
        """Measure how well each map is described by scripts learned from the other maps.

        Yields the share that is done. If the time is up before the end, ``unseen_bits`` stays {}.
        """
        count = len(self.boards)
        unseen_bits = dict.fromkeys(CAUTIONS, 0.0)
        for left_out in range(count):
            if self.is_late():
                return
            other_maps = [number for number in range(count) if number != left_out]
            learner = ScriptLearner(self.boards.subset(other_maps), self.options)
            learner.end_time = self.end_time  # all of them together have the time of this one
            learner.order = same_order(self.order, learner.kinds())
            for caution in CAUTIONS:
                text = learner.learn_text(caution, tuned=False).text
                unseen_bits[caution] += held_out_bits(
                    program_of(text), self.states[:, left_out], learner.states, self.options.seed
                )
            yield (left_out + 1) / count
        self.unseen_bits = unseen_bits


def _layers(model: Model, pieces: Iterable[Piece]) -> list[Layer]:
    """Return pieces by the layers of the model that they belong to.

    ``pieces`` are pieces of the model that were changed; some can be missing.
    """
    piece_of_number = {piece.number: piece for piece in pieces}
    layers = []
    for fitted_layer in model.layers:
        pieces_of_layer = []
        for piece in fitted_layer.pieces:
            if piece.number in piece_of_number:
                pieces_of_layer.append(piece_of_number[piece.number])
        layers.append(Layer(summary_of(fitted_layer.kind), tuple(pieces_of_layer)))
    return layers


def program_of(text: str) -> Program:
    """Return the compiled form of a script. Raises ProblemError for one with errors."""
    parsed = parse(text)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return compile_script(parsed.script)
