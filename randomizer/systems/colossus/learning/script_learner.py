"""Learns a script from battlelands for one *caution*, the weight of the script's own length.

    learner = ScriptLearner(boards, name="My marshes", seed=0, end_time=end_time)
    for share_done in learner.find_order():
        ...                                     # the order of the kinds, the same for any caution
    learner.learn_version(caution=1.0).text     # the script

The words of learning, from the maps to the script:

- a *kind* of hexes is a terrain, or a terrain at some elevations (kinds.py);
- a *layer* is what the script says of one kind, given the layers before it: for instance bogs,
  round the lakes that were placed first (list_search.py). It is made of *pieces*, each an AREA of
  the script, whose *hazards* are the terrains that come by chance (pieces.py);
- a *PAIR* says which hexsides stand between two kinds of hexes (hexsides.py);
- the *state* of a hex is its terrain and elevation as one number (``state_of``).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.model.problems import ProblemError, has_errors
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.edge_counts import steps_of_two
from randomizer.systems.colossus.learning.fit import States, compare, marginals_of, rolled_states
from randomizer.systems.colossus.learning.held_out import held_out_bits
from randomizer.systems.colossus.learning.hexsides import LearnedPair, learn_pairs
from randomizer.systems.colossus.learning.kinds import Kind, kinds_of, same_order, summary_of
from randomizer.systems.colossus.learning.leaves import SearchOptions
from randomizer.systems.colossus.learning.order_search import Model, OrderSearch
from randomizer.systems.colossus.learning.pieces import Piece
from randomizer.systems.colossus.learning.result import ScriptVersion
from randomizer.systems.colossus.learning.script_head import head_of_script
from randomizer.systems.colossus.learning.script_lengths import HAZARD_BITS
from randomizer.systems.colossus.learning.step_pairs import step_pairs
from randomizer.systems.colossus.learning.tuning import tune, with_spare_hazards, without_empty
from randomizer.systems.colossus.learning.writing import (
    Layer,
    ScriptHead,
    WrittenScript,
    write_script,
)
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.script.parser import parse

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


class ScriptLearner:
    """Learns scripts from the same maps, for any caution.

    Until ``find_order`` is through, all scripts are learned in a guessed order of the kinds: the
    most frequent one comes first.
    """

    def __init__(
        self,
        boards: Boards,
        *,
        name: str,
        seed: int,
        end_time: float,
        order: Sequence[Kind] | None = None,
    ) -> None:
        """Begin with the given maps; ``name`` and ``seed`` are those of ``LearningOptions``.

        ``end_time`` is the time of this thread (``time.thread_time``) at which learning ends.
        ``order`` is the order of the kinds that was found on other maps; None for the guess.
        """
        self._boards = boards
        """The given maps, without copies."""
        self._name = name
        self._seed = seed
        self._end_time = end_time
        self._copies = max(1, MAPS_WITH_COPIES // len(boards))
        """The number of times that each map is among those that layers are learned from."""
        states_by_map = boards.terrain.astype(np.uint8) * ELEVATIONS + boards.elevation
        self._states: States = np.ascontiguousarray(states_by_map.T)
        """(27, n): the states of the maps, without copies."""
        self._codes = tuple(int(code) for code in np.unique(self._states))
        """The states that the maps have."""
        self._copied_states = np.repeat(states_by_map, self._copies, 0)
        """(n * copies, 27): the states of the maps, all copies of a map one after the other."""
        self._kinds = kinds_of(self._copied_states)
        """The kinds of hexes on the maps, copies included."""
        if order is None:
            self._order = sorted(self._kinds, key=_negative_hex_count)
        else:
            self._order = same_order(order, self._kinds)

    def is_late(self) -> bool:
        """Return whether the time is up."""
        return time.thread_time() > self._end_time

    def find_order(self) -> Iterator[float]:
        """Find the order of the kinds; yield the share that is done, 0 to 1."""
        if not self._order:
            return
        # Half of the remaining time is for the order, the other half for the scripts.
        half_time = (time.thread_time() + self._end_time) / 2
        some_kinds = kinds_of(self._copied_states[:ORDER_MAPS])
        search = OrderSearch(some_kinds, self._copies, self._seed, half_time)
        yield from search.run()
        self._order = same_order(search.order, self._kinds)

    def learn_version(self, caution: float) -> ScriptVersion:
        """Learn the script for one ``caution``, and return it with its fit."""
        written = self.tuned_script(caution)
        rolled = rolled_states(program_of(written.text), self._seed)
        fit = compare(marginals_of(self._states, self._codes), marginals_of(rolled, self._codes))
        step_error = abs(steps_of_two(rolled) - steps_of_two(self._states))
        return ScriptVersion(
            written.text, written.statements, written.reasons, fit, caution, step_error
        )

    def leave_one_out(self) -> Iterator[Mapping[float, float]]:
        """Yield for each map, by caution, its bits by scripts learned from the other maps.

        There are two maps at least. It ends early if the time is up.
        """
        map_count = len(self._boards)
        for left_out in range(map_count):
            if self.is_late():
                return
            other_maps = [number for number in range(map_count) if number != left_out]
            learner = ScriptLearner(
                self._boards.subset(other_maps),
                name=self._name,
                seed=self._seed,
                end_time=self._end_time,  # all of them together have the time of this one
                order=self._order,
            )
            yield learner.bits_of_other_map(self._states[:, left_out])

    def bits_of_other_map(self, states: States) -> Mapping[float, float]:
        """Return the bits, by caution, of a map that is none of the given ones; states (27,)."""
        bits_by_caution = {}
        for caution in CAUTIONS:
            program = program_of(self.fitted_script(caution).text)
            bits_by_caution[caution] = held_out_bits(program, states, self._states, self._seed)
        return bits_by_caution

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
            seed=self._seed,
        )
        model = unfitted.extended(len(self._order))
        pieces: list[Piece] = []
        for fitted_layer in model.layers:
            pieces += fitted_layer.pieces
        head = head_of_script(self._boards, model, self._name)
        return _ScriptParts(model, pieces, head, learn_pairs(self._boards, caution))

    def _with_tuned_chances(self, parts: _ScriptParts, caution: float) -> _ScriptParts:
        """Return a script whose chances are tuned on rolled maps; the time can be up before."""
        # Spare hazards have the chance 0, which tuning can raise.
        spare_pieces = [with_spare_hazards(piece) for piece in parts.pieces]
        tuned_pieces = tune(
            spare_pieces,
            parts._replace(pieces=spare_pieces).program(),
            marginals_of(self._states, self._codes),
            self._seed,
            price=TUNED_HAZARD_PRICE * HAZARD_BITS * caution / len(self._boards),
            stopped=self.is_late,
        )
        return parts._replace(pieces=tuned_pieces)

    def _with_step_pairs(self, parts: _ScriptParts) -> _ScriptParts:
        """Return a script with PAIRs for the steps that have none yet.

        Only the rolls of the tuned script tell which steps it makes.
        """
        rolled = rolled_states(parts.program(), self._seed, STEP_MAPS)
        more_pairs = step_pairs(self._boards, parts.pairs, rolled)
        return parts._replace(pairs=(*parts.pairs, *more_pairs))


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


def _negative_hex_count(kind: Kind) -> int:
    """Return the order of kinds: the most frequent first."""
    return -kind.hex_count


def program_of(text: str) -> Program:
    """Return the compiled form of a script. Raises ProblemError for one with errors."""
    parsed = parse(text)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return compile_script(parsed.script)
