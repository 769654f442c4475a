"""Expressions over lists of hexes: simplified ones hold the same hexes as those they come from."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.colossus.odds.chances import board_symmetries, symmetries_of
from randomizer.systems.colossus.odds.hex_sets import (
    ALL,
    Atom,
    Const,
    Expression,
    Minus,
    Spread,
    Sum,
    around,
    minus,
    partly_known,
    reach,
    single,
    spread,
    total,
    value,
)

INSIDE = Const(tuple(HEX_OF_LABEL[label] for label in ("C3", "D3", "D4", "C4")))
WIDE, NARROW = 0b111_1111_0000_1111, 0b1_0011_0000

hexes = st.lists(st.integers(0, 14), max_size=5).map(lambda found: Const(tuple(sorted(found))))
leaves = st.one_of(
    hexes, st.just(INSIDE), st.just(Atom(0, WIDE, True)), st.just(Atom(1, NARROW, True)),
    st.just(Atom(2, ALL, False)),
)  # fmt: skip


def _both(
    inner: st.SearchStrategy[tuple[Expression, Expression]],
) -> st.SearchStrategy[tuple[Expression, Expression]]:
    """The simplified expression, and the one as it is written."""
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(
            lambda parts: (total(p for p, _ in parts), Sum(tuple(q for _, q in parts)))
        ),
        st.tuples(inner, st.lists(inner, max_size=3)).map(
            lambda x: (
                minus(x[0][0], [p for p, _ in x[1]]),
                Minus(x[0][1], tuple(q for _, q in x[1])),
            )
        ),
        inner.map(lambda x: (spread(x[0]), Spread(x[1]))),
        inner.map(lambda x: (around(x[0]), Minus(Spread(x[1]), (x[1],)))),
    )


pairs = st.recursive(leaves.map(lambda leaf: (leaf, leaf)), _both, max_leaves=6)


def _drawn(seed: int) -> dict[int, np.ndarray]:
    random = np.random.default_rng(seed)
    rows = random.integers(0, 2, (8, HEX_COUNT)).astype(np.uint8)
    bits = [
        np.array([mask >> h & 1 for h in range(HEX_COUNT)], np.uint8) for mask in (WIDE, NARROW)
    ]
    return {
        0: rows * bits[0],
        1: rows[::-1] * bits[1],
        2: rows * random.integers(0, 4, (8, 1), np.uint8),
    }


@settings(max_examples=40)
@given(pairs, st.integers(0, 1000))
def test_simplified_expressions_hold_the_same_hexes(both, seed):
    simple, written = both
    drawn = _drawn(seed)
    found, expected = value(simple, drawn), value(written, drawn)
    assert (found == expected).all()
    numbers = np.flatnonzero(expected.any(0))
    assert all(reach(simple) >> number & 1 for number in numbers.tolist())
    if single(simple):
        assert expected.max() <= 1


@settings(max_examples=40)
@given(pairs, st.integers(0, 1000), st.booleans(), st.sets(st.integers(0, 2)))
def test_what_is_known_can_be_worked_out_first(both, seed, counted, known):
    simple, _written = both
    drawn, made = _drawn(seed), {}

    def as_atom(expression, counts):
        atom = Atom(10 + len(made), reach(expression), not counts or single(expression))
        counts_now = value(expression, drawn)
        made[atom.index] = counts_now if counts else (counts_now != 0).astype(np.uint8)
        return atom

    later = partly_known(simple, frozenset(known), counted, as_atom)
    found, expected = value(later, drawn | made), value(simple, drawn)
    assert ((found != 0) == (expected != 0)).all()
    if counted:
        assert (found == expected).all()


def test_a_union_that_is_left_out_falls_into_its_parts():
    first, second = Atom(0, ALL, True), Atom(1, ALL, True)
    apart = minus(INSIDE, [total([first, second]), around(total([first, second]))])
    assert apart == Minus(INSIDE, (first, second, Spread(first), Spread(second)))


def test_the_board_has_six_symmetries_and_neighbours_stay_neighbours():
    images = board_symmetries()
    assert len(images) == 6
    assert images[0] == tuple(range(HEX_COUNT))
    for image in images:
        for number, row in enumerate(NEIGHBOURS):
            moved = {image[other] for other in row if other >= 0}
            assert moved == {other for other in NEIGHBOURS[image[number]] if other >= 0}


def test_known_lists_leave_only_the_symmetries_that_keep_them():
    middle = Const(tuple(sorted(HEX_OF_LABEL[label] for label in ("D4", "D3", "C3"))))
    assert len(symmetries_of([middle])) == 6
    assert len(symmetries_of([middle, Const((HEX_OF_LABEL["D4"],))])) == 2
    assert len(symmetries_of([Const((HEX_OF_LABEL["E5"], HEX_OF_LABEL["E5"]))])) == 2
