"""Tunes the percentages of learned pieces on what the script rolls.

What is learned layer by layer can be off where a list is tighter in rolled maps than it was in the
given ones. The script is rolled with the same keys each time, so that small changes show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from randomizer.model.basics.dice import threshold
from randomizer.systems.colossus.learning.fit import (
    Marginals,
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.pieces import RING, Piece
from randomizer.systems.colossus.rolling.program import AreaStep, Program

TUNING_MAPS = 4096
STEPS = (0.2, 0.1, 0.05)
COUNT_WEIGHT = 2.0
"""How much more the numbers of hexes count here: what stands where is settled already."""
SPARE = 2
"""Hazards that each AREA may get beyond those learned."""


def spare(piece: Piece) -> Piece:
    """Return the piece with hazards that never come, for tuning to raise."""
    return replace(piece, chances=(*piece.chances, *(0.0,) * SPARE))


def tune(
    pieces: Sequence[Piece],
    program: Program,
    marginals: Marginals,
    seed: int,
    price: float,
    stopped: Callable[[], bool],
) -> list[Piece]:
    """Return the pieces with other chances, none of them 0.

    ``program`` is that of the pieces, which are ``spare``: its AREAs in their order. ``price`` is
    what a hazard costs in bits a map.
    """
    chances = [list(piece.chances) for piece in pieces]
    steps = list(program.steps)
    areas = [index for index, step in enumerate(steps) if isinstance(step, AreaStep)]
    of_piece: list[list[int]] = []
    for piece in pieces:
        count = len(piece.where.regions)
        of_piece.append(areas[:count])
        areas = areas[count:]

    def change(piece: int, hazard: int, chance: float) -> None:
        chances[piece][hazard] = chance
        for index in of_piece[piece]:
            step = steps[index]
            assert isinstance(step, AreaStep)
            placings = list(step.placings)
            placings[hazard] = replace(placings[hazard], chance=threshold(100 * chance, 32))
            steps[index] = replace(step, placings=tuple(placings))

    def score() -> float:
        rolled = rolled_states(replace(program, steps=tuple(steps)), seed, TUNING_MAPS)
        fit = compare(marginals, marginals_of(rolled, marginals.codes))
        hazards = sum(chance > 0 for row in chances for chance in row)
        return fit.total + COUNT_WEIGHT * float(fit.count_bits.sum()) + price * hazards

    best = score()
    for size in STEPS:
        for index, row in enumerate(chances):
            for hazard in range(len(row)):
                for sign in (1, -1):
                    while not stopped():
                        old = row[hazard]
                        new = min(max(round(old + sign * size, 4), 0.0), 1.0)
                        if new == old or (hazard and not row[hazard - 1]):
                            break
                        change(index, hazard, new)
                        changed_score = score()
                        if changed_score >= best - 1e-4:
                            change(index, hazard, old)
                            break
                        best = changed_score
    return without_empty(
        [
            replace(piece, chances=tuple(sorted((c for c in row if c), reverse=True)))
            for piece, row in zip(pieces, chances, strict=True)
        ]
    )


def without_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without those that place nothing, which are neither near nor apart."""
    numbers = {piece.number for piece in pieces if piece.chances}
    result = []
    for piece in pieces:
        near, apart = (
            tuple(
                tuple(on_piece for on_piece in ref if on_piece in numbers or on_piece == RING)
                for ref in refs
            )
            for refs in (piece.where.near, piece.where.apart)
        )
        on = tuple(on_piece for on_piece in piece.where.on if on_piece in numbers)
        if (
            piece.number not in numbers
            or any(not ref or ref == (RING,) for ref in near)
            or bool(on) != bool(piece.where.on)
        ):
            numbers.discard(piece.number)
            continue
        apart = tuple(ref for ref in apart if ref and ref != (RING,))
        where = replace(piece.where, near=near, apart=apart, on=on)
        result.append(replace(piece, where=where))
    if len(result) == len(pieces):
        return result
    return without_empty(result)
