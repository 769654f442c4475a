"""Tunes the percentages of learned pieces on what the script rolls.

A *piece* is what the learner has found about one kind of hexes: lists of hexes, and hazards that
come onto them with a chance each. In the script it is one AREA statement or several, and the
chances are its percentages. They were learned layer by layer, from the given maps, and can be off
in rolled maps, where a list may have fewer hexes left.

So ``tune`` rolls the script, compares its maps with the given ones (``fit``), changes one chance by
20 percent points, and keeps the change if the maps have come nearer; so on with all chances, then
again by 10 and by 5 points. The script is rolled with the same keys of its dice each time, so that
the difference of two scripts is not hidden by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from randomizer.model.basics.dice import threshold
from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.fit import (
    Marginals,
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.pieces import Piece, Ref
from randomizer.systems.colossus.rolling.program import AreaStep, Program

TUNING_MAPS = 4096
"""The number of maps rolled to judge a script.

With more of them tuning is slower; with fewer it goes by the accident of the rolled maps.
"""

CHANGE_SIZES = (0.2, 0.1, 0.05)
"""The changes of a chance (0 to 1), one size after the other.

A first step that is larger finds chances that are far off; a last one that is smaller tunes to the
accident of the rolled maps.
"""

COUNT_WEIGHT = 2.0
"""The additional weight of the numbers of hexes in the score.

Chances decide how many hexes a kind has; where they lie is settled by the lists. If it is larger,
numbers are met more closely, and positions are given up for that.
"""

MIN_GAIN = 1e-4
"""The bits that a change must save at least. Less is rounding, and could go on for ever."""

DICE_BITS = 32
"""The bits of the dice that decide a hazard; see ``draws.KeyedDraws.place``."""

SPARE_HAZARDS = 2
"""The number of hazards that each AREA may get beyond those learned; each makes tuning longer."""


def with_spare_hazards(piece: Piece) -> Piece:
    """Return the piece with more hazards of chance 0, which tuning can raise."""
    return replace(piece, chances=(*piece.chances, *(0.0,) * SPARE_HAZARDS))


def tune(
    pieces: Sequence[Piece],
    program: Program,
    marginals: Marginals,
    seed: int,
    price: float,
    stopped: Callable[[], bool],
) -> list[Piece]:
    """Return the pieces with tuned chances. Hazards and pieces that never come are left out.

    Args:
        pieces: The pieces, each as ``with_spare_hazards`` returns it.
        program: The compiled script of these pieces: its AREAs are in their order.
        marginals: Those of the given maps.
        seed: The seed by which the script is rolled.
        price: The bits a map that a hazard must save to be worth its text in the script.
        stopped: Asked before each try; once it returns True, the chances stay as they are.
    """
    scoring = _Scoring(marginals, seed, price)
    tuning = _Tuning(pieces, program, scoring, stopped)
    for size in CHANGE_SIZES:
        for piece_index, hazard in tuning.hazards():
            tuning.change_while_better(piece_index, hazard, size)
            tuning.change_while_better(piece_index, hazard, -size)
    return without_empty(tuning.tuned_pieces())


@dataclass(frozen=True)
class _Scoring:
    """How scripts are judged: the score is in bits a map, the lower the better."""

    marginals: Marginals
    """Those of the given maps."""

    seed: int
    """The seed of all rolls."""

    price: float
    """That of ``tune``: what each hazard adds to the score."""

    def score_of(self, program: Program, hazard_count: int) -> float:
        """Return the misfit of maps that a program rolls, and the price of its hazards."""
        states = rolled_states(program, self.seed, TUNING_MAPS)
        fit = compare(self.marginals, marginals_of(states, self.marginals.codes))
        count_bits = float(fit.count_bits.sum())
        return fit.total + COUNT_WEIGHT * count_bits + self.price * hazard_count


class _Tuning:
    """Hill climbing: one chance after the other is changed as long as the script gets better."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        program: Program,
        scoring: _Scoring,
        stopped: Callable[[], bool],
    ) -> None:
        """Begin with the chances of ``pieces``; the ``program`` is that of these pieces."""
        self._pieces = pieces
        self._program = program
        self._scoring = scoring
        self._stopped = stopped
        self._steps_of_pieces = _area_steps_of_pieces(pieces, program)
        """By the index of a piece: the indices of its AREAs among the steps of the program."""

        # These three change together: the chances, the program that has them, and its score.
        # The program has the chances as the script writes them, which are rounded.
        self._chances = [[rounded(chance) for chance in piece.chances] for piece in pieces]
        """The chances of the hazards of each piece, as they are tuned so far."""
        self._program_steps = list(program.steps)
        """The steps of the program with these chances."""
        self._best_score = self._score()
        """The score with these chances; while another chance is tried, the one before."""

    def hazards(self) -> Iterator[tuple[int, int]]:
        """Yield each hazard as the index of its piece and its index in that piece."""
        for piece_index, chances in enumerate(self._chances):
            for hazard in range(len(chances)):
                yield piece_index, hazard

    def tuned_pieces(self) -> list[Piece]:
        """Return the pieces with the chances so far, the highest first and none of 0."""
        tuned_pieces = []
        for piece, chances in zip(self._pieces, self._chances, strict=True):
            positive_chances = sorted((chance for chance in chances if chance), reverse=True)
            tuned_pieces.append(replace(piece, chances=tuple(positive_chances)))
        return tuned_pieces

    def change_while_better(self, piece_index: int, hazard: int, change: float) -> None:
        """Change the chance of a hazard by ``change``, again and again while the score sinks."""
        chances = self._chances[piece_index]
        # The hazards of a piece are alike. With the one before it still at 0, this hazard would
        # make the same scripts that were tried with that one.
        if hazard > 0 and not chances[hazard - 1]:
            return
        while not self._stopped():
            old_chance = chances[hazard]
            new_chance = min(max(round(old_chance + change, 4), 0.0), 1.0)
            if new_chance == old_chance:
                return  # it is 0 or 1 already
            self._set_chance(piece_index, hazard, new_chance)
            score = self._score()
            if score >= self._best_score - MIN_GAIN:
                self._set_chance(piece_index, hazard, old_chance)
                return
            self._best_score = score

    def _set_chance(self, piece_index: int, hazard: int, chance: float) -> None:
        """Give a hazard of a piece a chance, in ``_chances`` and in the steps of its AREAs."""
        self._chances[piece_index][hazard] = chance
        for step_index in self._steps_of_pieces[piece_index]:
            step = self._program_steps[step_index]
            assert isinstance(step, AreaStep)
            placings = list(step.placings)
            limit = threshold(100 * chance, DICE_BITS)
            placings[hazard] = replace(placings[hazard], chance=limit)
            self._program_steps[step_index] = replace(step, placings=tuple(placings))

    def _score(self) -> float:
        """Return the score of the program with the present chances."""
        program = replace(self._program, steps=tuple(self._program_steps))
        hazard_count = 0
        for chances in self._chances:
            hazard_count += sum(chance > 0 for chance in chances)
        return self._scoring.score_of(program, hazard_count)


def _area_steps_of_pieces(pieces: Sequence[Piece], program: Program) -> list[list[int]]:
    """Return the indices of the steps of each piece: it has an AREA for each of its regions."""
    area_steps = [index for index, step in enumerate(program.steps) if isinstance(step, AreaStep)]
    steps_of_pieces = []
    start = 0
    for piece in pieces:
        end = start + len(piece.area_list.regions)
        steps_of_pieces.append(area_steps[start:end])
        start = end
    assert start == len(area_steps), "the AREAs are those of the pieces, in their order"
    return steps_of_pieces


def without_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without those that place no hexes, in the same order.

    A piece places none if it has no chances, or if its hexes must lie near pieces, or on pieces,
    that are all dropped. References to dropped pieces (``near``, ``apart``, ``on``) are dropped,
    too.
    """
    remaining_pieces = list(pieces)
    while True:
        numbers = {piece.number for piece in remaining_pieces if piece.chances}
        further_pieces = []
        for piece in remaining_pieces:
            if piece.number in numbers:
                freed_piece = _freed_of_dropped(piece, numbers)
                if freed_piece is not None:
                    further_pieces.append(freed_piece)
        # A dropped piece can be the last one that another needs, so all are looked at again.
        if len(further_pieces) == len(remaining_pieces):
            return further_pieces
        remaining_pieces = further_pieces


def _freed_of_dropped(piece: Piece, numbers: Collection[int]) -> Piece | None:
    """Return a piece whose list names only the pieces with these numbers.

    None if its list has no hexes without the others.
    """
    area_list = piece.area_list
    on = tuple(number for number in area_list.on if number in numbers)
    if area_list.on and not on:
        return None
    near = tuple(_freed_ref(ref, numbers) for ref in area_list.near)
    if not all(ref.pieces for ref in near):
        return None  # no hex is beside nothing
    apart = tuple(_freed_ref(ref, numbers) for ref in area_list.apart)
    apart = tuple(ref for ref in apart if ref.pieces)  # all hexes are apart from nothing
    return replace(piece, area_list=replace(area_list, near=near, apart=apart, on=on))


def _freed_ref(ref: Ref, numbers: Collection[int]) -> Ref:
    """Return a reference to those of its pieces that have these numbers, perhaps none."""
    return Ref(tuple(number for number in ref.pieces if number in numbers), ref.is_ring)
