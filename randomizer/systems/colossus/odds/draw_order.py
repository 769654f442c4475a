"""A program as a sequence of draws: everything between them follows from what was drawn.

Labels disappear: each list is an expression over the draws before (``hex_sets``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from randomizer.systems.colossus.odds.hex_sets import (
    NOTHING,
    Atom,
    Const,
    Expression,
    around,
    atoms,
    minus,
    partly_known,
    parts_of,
    reach,
    rest,
    single,
    total,
)
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    HexList,
    LabelStep,
    Pick,
    Placing,
    Program,
    Use,
    Without,
)

MOST_PARTS = 500
"""Labels of labels of labels can double with each line."""


class TooLongError(Exception):
    """A list refers to more than ``MOST_PARTS`` lists."""


def short(expression: Expression) -> Expression:
    """Return the expression itself. Raises TooLongError."""
    todo, parts = [expression], 0
    while todo:
        parts += 1
        if parts > MOST_PARTS:
            raise TooLongError
        todo += parts_of(todo.pop())
    return expression


@dataclass(frozen=True, slots=True)
class Draw:
    """Hexes drawn from ``source``: what is taken is ``atom``.

    A pick takes ``count`` of them (``statement`` -1, no ``placings``). An AREA takes one for each
    of its ``placings`` that is hit; it is placed there if the draw ``places``.
    """

    source: Expression
    atom: Atom
    count: int
    statement: int = -1
    placings: tuple[Placing, ...] = ()
    places: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """A draw, written over the atoms of the stage before it, and the atoms after it."""

    draw: Draw
    enumerated: bool
    """Whether the hexes that the draw takes matter afterwards."""
    replaced: tuple[tuple[Atom, Expression, bool], ...]
    """The new atoms, each with its expression over the old ones, and whether duplicates count."""
    rest: tuple[Draw, ...]
    """The draws to come, over the new atoms."""


def draws_of(program: Program) -> tuple[Draw, ...]:
    """Return the draws that can change a hex, or a later list, in the order of the script."""
    result: list[Draw] = []
    labels: dict[str, Expression] = {}

    def drawn(source: Expression, count: int, step: AreaStep | None = None) -> Atom:
        atom = Atom(len(result), reach(source), single(source))
        if step is None:
            result.append(Draw(source, atom, count))
        else:
            places = any(placing.terrain >= 0 for placing in step.placings)
            result.append(Draw(source, atom, count, step.statement, step.placings, places))
        return atom

    def read(hexes: HexList) -> Expression:
        match hexes:
            case Fixed(fixed):
                return Const(tuple(sorted(fixed)))
            case Use(name):
                return labels.get(name, NOTHING)
            case Chain(parts):
                return total(map(read, parts))
            case Without(source, without):
                return minus(read(source), (read(without),))
            case Around(source):
                return around(read(source))
            case Pick(count, source):
                every = read(source)
                if count <= 0 or every == NOTHING:
                    return NOTHING
                if isinstance(every, Const) and len(every.hexes) <= count:
                    return every
                return drawn(every, count)

    for step in program.steps:
        if isinstance(step, LabelStep):
            labels[step.name] = short(read(step.hexes))
        elif isinstance(step, AreaStep):
            source = short(read(step.hexes))
            used = drawn(source, len(step.placings), step)
            labels |= {USEDUP: used, LEFTOVER: rest(source, used)}
    return that_matter(result)


def that_matter(draws: Sequence[Draw]) -> tuple[Draw, ...]:
    """Those that place something, or that a later one of them needs."""
    needed: set[int] = set()
    result = []
    for draw in reversed(draws):
        if draw.atom.index in needed or draw.places:
            result.append(draw)
            needed |= {atom.index for atom in atoms(draw.source)}
    return tuple(result[::-1])


def first_stage(draws: tuple[Draw, ...], drawn_atoms: frozenset[int]) -> Stage:
    """Return the first of ``draws``, over the atoms ``drawn_atoms``."""
    draw, *others = draws
    drawn_atoms |= {draw.atom.index}
    enumerated = any(atom == draw.atom for each in others for atom in atoms(each.source))
    atom_of: dict[tuple[Expression, bool], Atom] = {}
    next_index = max([draw.atom.index, *drawn_atoms, *(each.atom.index for each in others)]) + 1

    def as_atom(expression: Expression, counted: bool) -> Atom:
        counted = counted and not single(expression)
        atom = Atom(next_index + len(atom_of), reach(expression), not counted)
        return atom_of.setdefault((expression, counted), atom)

    later = [
        replace(each, source=partly_known(each.source, drawn_atoms, True, as_atom))
        for each in others
    ]
    replaced = tuple((atom, expression, counted) for (expression, counted), atom in atom_of.items())
    return Stage(draw, enumerated, replaced, tuple(later))
