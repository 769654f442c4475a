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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, has_errors
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.edge_counts import steps_of_two
from randomizer.systems.colossus.learning.fit import (
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.held_out import held_out_bits
from randomizer.systems.colossus.learning.hex_masks import size
from randomizer.systems.colossus.learning.hexsides import LearnedPair, learn_pairs
from randomizer.systems.colossus.learning.kinds import Kind, kinds_of, same_order, summary_of
from randomizer.systems.colossus.learning.leaves import SearchOptions
from randomizer.systems.colossus.learning.order_search import Model, OrderSearch
from randomizer.systems.colossus.learning.pieces import Piece
from randomizer.systems.colossus.learning.result import Progress, ScriptVersion
from randomizer.systems.colossus.learning.script_head import head_of_script
from randomizer.systems.colossus.learning.script_lengths import HAZARD_BITS
from randomizer.systems.colossus.learning.step_pairs import step_pairs
from randomizer.systems.colossus.learning.tuning import tune, with_spare_hazards, without_empty
from randomizer.systems.colossus.learning.versions import Versions
from randomizer.systems.colossus.learning.writing import (
    Layer,
    ScriptHead,
    WrittenScript,
    write_script,
)
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.script.parser import parse

# --- what is learned ---

CAUTIONS = (8.0, 4.0, 2.0, 1.0, 0.6)
"""The weights of the script's length, from few lines to a close fit; 1 is its real length."""

MAPS_WITH_COPIES = 60
"""The number of maps up to which fewer given maps are copied.

A script can draw hidden hexes, around which others lie; each copy of a map gets its own guess of
these.
"""

ORDER_MAPS = 200
"""The number of maps, of many, on which the order of the kinds is found; more take longer."""

TUNED_HAZARD_PRICE = 2.0
"""How often a hazard of a tuned script must save its length in the script, to be kept.

If it is larger, rare hazards are left out. It is more than once because tuning goes by rolled maps,
so that it finds hazards that fit by chance.
"""

STEP_MAPS = 4_000
"""The number of maps that are rolled to see which steps a script makes."""

FEW_MAPS = 30
"""The largest number of maps for which leave-one-out decides between the versions.

Leave-one-out learns a script without each of the maps, so that more maps take longer.
"""

# --- the percents of the progress ---

_PERCENT_OF_ORDER = 50
"""The part that finding the order of the kinds takes."""

_PERCENT_OF_VERSION = 5
"""The part that each version takes."""

_PERCENT_BEFORE_LEAVING_OUT = 80
"""The progress when maps begin to be left out; fewer versions than usual leave a gap before it."""

_PERCENT_OF_LEAVING_OUT = 19
"""The part that leaving maps out takes; the last percent is the end."""


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


def learn(boards: Boards, options: LearningOptions) -> Iterator[Progress]:
    """Learn a script; the last Progress (100 percent) has the result.

    Closing the iterator cancels; what the latest Progress holds is then the best so far. Raises
    ValueError if there are no boards.
    """
    if not len(boards):
        raise ValueError("there are no maps to learn from")
    learner = ScriptLearner(boards, options)

    # There is a result at any time: at first a script by a mere guess of the order.
    first_version = Versions(options.name, boards.names, options.closeness)
    first_version.add(learner.learn_version(CAUTIONS[0]))
    for share_done in learner.find_order():
        percent = 1 + int(_PERCENT_OF_ORDER * share_done)
        yield Progress(percent, "the order of the terrains", first_version.result())

    versions = Versions(options.name, boards.names, options.closeness)
    for number, caution in enumerate(CAUTIONS, 1):
        version = learner.learn_version(caution)
        versions.add(version)
        percent = _PERCENT_OF_ORDER + _PERCENT_OF_VERSION * number
        yield Progress(percent, counted(version.statements, "statement"), versions.result())
        if learner.is_late():
            break

    # A script can know few maps by heart. Which version describes others?
    if options.closeness is None and 2 < len(boards) <= FEW_MAPS:
        bits_of_maps = []
        for bits_of_map in learner.leave_one_out():
            bits_of_maps.append(bits_of_map)
            share_done = len(bits_of_maps) / len(boards)
            percent = _PERCENT_BEFORE_LEAVING_OUT + int(_PERCENT_OF_LEAVING_OUT * share_done)
            yield Progress(percent, "leaving one map out", versions.result())
        # If the time was up before, some maps are missing, and the versions stay as they are.
        if len(bits_of_maps) == len(boards):
            versions.set_unseen_bits(_sums_by_caution(bits_of_maps))
    yield Progress(100, "done", versions.result())


def _sums_by_caution(bits_of_maps: Iterable[dict[float, float]]) -> dict[float, float]:
    """Return the bits of all maps together, by caution."""
    sums = dict.fromkeys(CAUTIONS, 0.0)
    for bits_of_map in bits_of_maps:
        for caution, bits in bits_of_map.items():
            sums[caution] += bits
    return sums


class _ScriptParts(NamedTuple):
    """A script while it is learned."""

    model: Model
    """The layers as they were fitted."""

    pieces: Sequence[Piece]
    """The AREAs of all layers, tuned or not; some of the model can be missing."""

    head: ScriptHead

    pairs: tuple[LearnedPair, ...]

    def written(self) -> WrittenScript:
        """Return the text of the script, with the reasons for its lines."""
        piece_of_number = {piece.number: piece for piece in self.pieces}
        layers = []
        for fitted_layer in self.model.layers:
            pieces_of_layer = []
            for piece in fitted_layer.pieces:
                if piece.number in piece_of_number:
                    pieces_of_layer.append(piece_of_number[piece.number])
            layers.append(Layer(summary_of(fitted_layer.kind), tuple(pieces_of_layer)))
        return write_script(self.head, layers, self.pairs)

    def program(self) -> Program:
        """Return the compiled script."""
        return program_of(self.written().text)


class ScriptLearner:
    """Learns scripts from the same maps, for any caution.

    It is made with the maps; ``find_order`` comes first, then ``learn_version`` for each caution,
    then ``leave_one_out``.
    """

    def __init__(
        self,
        boards: Boards,
        options: LearningOptions,
        *,
        order: Sequence[Kind] | None = None,
        end_time: float | None = None,
    ) -> None:
        """Begin with the given maps.

        ``order`` is the order of the kinds that was found on other maps; None: the most frequent
        kind comes first until ``find_order``. ``end_time`` is the time of this thread
        (``time.thread_time``) at which learning ends; None: in ``options.seconds``.
        """
        self._boards = boards
        """The given maps, without copies."""
        self._options = options
        if end_time is None:
            end_time = time.thread_time() + options.seconds
        self._end_time = end_time
        self._copies = max(1, MAPS_WITH_COPIES // len(boards))
        """The number of times that each map is among those that layers are learned from."""
        states = boards.terrain.astype(np.uint8) * ELEVATIONS + boards.elevation
        self._codes = tuple(int(code) for code in np.unique(states))
        """The states that the maps have."""
        self._states = np.ascontiguousarray(states.T)
        """(27, n): the states of the maps, without copies."""
        self._kinds = kinds_of(np.repeat(states, self._copies, 0))
        """The kinds of hexes on the maps, copies included."""
        if order is None:
            self._order = sorted(self._kinds, key=_negative_hex_count)
        else:
            self._order = same_order(order, self._kinds)

    def is_late(self) -> bool:
        """Return whether the time is up."""
        return time.thread_time() > self._end_time

    # --- in the order in which they are called ---

    def find_order(self) -> Iterator[float]:
        """Find the order of the kinds; yield the share that is done."""
        if not self._order:
            return
        some_maps = np.repeat(self._states.T, self._copies, 0)[:ORDER_MAPS]
        # Half of the remaining time is for the order, the other half for the scripts.
        half_time = (time.thread_time() + self._end_time) / 2
        search = OrderSearch(kinds_of(some_maps), self._copies, self._options.seed, half_time)
        yield from search.run()
        self._order = same_order(search.order, self._kinds)

    def learn_version(self, caution: float) -> ScriptVersion:
        """Learn the script for one ``caution``, and return it with its fit."""
        written = self.tuned_script(caution)
        rolled = rolled_states(program_of(written.text), self._options.seed)
        fit = compare(marginals_of(self._states, self._codes), marginals_of(rolled, self._codes))
        step_error = abs(steps_of_two(rolled) - steps_of_two(self._states))
        return ScriptVersion(
            written.text, written.statements, written.reasons, fit, caution, step_error
        )

    def leave_one_out(self) -> Iterator[dict[float, float]]:
        """Yield for each map, by caution, its bits by scripts learned from the other maps.

        It ends early if the time is up.
        """
        map_count = len(self._boards)
        for left_out in range(map_count):
            if self.is_late():
                return
            other_maps = [number for number in range(map_count) if number != left_out]
            learner = ScriptLearner(
                self._boards.subset(other_maps),
                self._options,
                order=self._order,
                end_time=self._end_time,  # all of them together have the time of this one
            )
            bits_by_caution = {}
            for caution in CAUTIONS:
                program = program_of(learner.fitted_script(caution).text)
                bits_by_caution[caution] = held_out_bits(
                    program, self._states[:, left_out], learner._states, self._options.seed
                )
            yield bits_by_caution

    # --- one script ---

    def fitted_script(self, caution: float) -> WrittenScript:
        """Return the script for one ``caution`` without tuning, which takes most of the time."""
        parts = self._fitted_parts(caution)
        return parts._replace(pieces=without_empty(parts.pieces)).written()

    def tuned_script(self, caution: float) -> WrittenScript:
        """Return the script for one ``caution``."""
        parts = self._fitted_parts(caution)
        parts = self._with_tuned_chances(parts, caution)
        parts = self._with_step_pairs(parts)
        return parts.written()

    def _fitted_parts(self, caution: float) -> _ScriptParts:
        """Fit the layers, one after the other in the order of the kinds, and learn the PAIRs."""
        unfitted = Model(
            order=self._order,
            maps=len(self._boards) * self._copies,
            options=SearchOptions(self._copies, caution),
            seed=self._options.seed,
        )
        model = unfitted.extended(len(self._order))
        pieces: list[Piece] = []
        for fitted_layer in model.layers:
            pieces += fitted_layer.pieces
        head = head_of_script(self._boards, model, self._options.name)
        return _ScriptParts(model, pieces, head, learn_pairs(self._boards, caution))

    def _with_tuned_chances(self, parts: _ScriptParts, caution: float) -> _ScriptParts:
        """Return a script whose chances are tuned on rolled maps; the time can be up before."""
        # Spare hazards have the chance 0, which tuning can raise.
        spare_pieces = [with_spare_hazards(piece) for piece in parts.pieces]
        tuned_pieces = tune(
            spare_pieces,
            parts._replace(pieces=spare_pieces).program(),
            marginals_of(self._states, self._codes),
            self._options.seed,
            price=TUNED_HAZARD_PRICE * HAZARD_BITS * caution / len(self._boards),
            stopped=self.is_late,
        )
        return parts._replace(pieces=tuned_pieces)

    def _with_step_pairs(self, parts: _ScriptParts) -> _ScriptParts:
        """Return a script with PAIRs for the steps that have none yet.

        Only the rolls of the tuned script tell which steps it makes.
        """
        rolled = rolled_states(parts.program(), self._options.seed, STEP_MAPS)
        more_pairs = step_pairs(self._boards, parts.pairs, rolled)
        return parts._replace(pairs=(*parts.pairs, *more_pairs))


def _negative_hex_count(kind: Kind) -> int:
    """Return the order of kinds: the most frequent first."""
    return -int(size(kind.masks).sum())


def program_of(text: str) -> Program:
    """Return the compiled form of a script. Raises ProblemError for one with errors."""
    parsed = parse(text)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return compile_script(parsed.script)
