"""Arguments of a word that stand in the wrong order, as the kinds of types show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations

from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS

_LONGEST = 400
"""The most characters of arguments that are put in order."""


def reordered(
    file: PeriodFile, items: Sequence[Item], kinds: Sequence[str]
) -> tuple[int, int, str] | None:
    """The offsets of the arguments in the file and their text in the order of ``kinds``.

    ``kinds`` are what the word takes: a kind of types, or anything else for plain numbers and
    texts. None if no order fits, or if other things stand between the arguments.
    """
    spans = [(item.first.start, item.last.end) for item in items]
    between = [file.text[end:start] for (_, end), (start, _) in pairwise(spans)]
    if (
        any(gap.strip(" \t\n") or not gap for gap in between)
        or spans[-1][1] - spans[0][0] > _LONGEST
    ):
        return None
    orders = (
        order
        for order in permutations(range(len(items)))
        if all(_fits(items[at], kind) for at, kind in zip(order, kinds, strict=True))
    )
    best = min(orders, key=_inversions, default=None)
    if best is None:
        return None
    pieces = [file.text[slice(*spans[at])] for at in best]
    gaps = [*between, ""]
    text = "".join(piece + gap for piece, gap in zip(pieces, gaps, strict=True))
    return spans[0][0], spans[-1][1], text


def _fits(item: Item, kind: str) -> bool:
    return item.kind == (kind if kind in (UNITS, RESOURCES, TERRAINS) else "")


def _inversions(order: Sequence[int]) -> int:
    """How many pairs stand the other way round."""
    return sum(a > b for at, a in enumerate(order) for b in order[at:])
