"""Arguments of words: how messages name them, and their order where they stand wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, VALUE_KINDS, Word

KIND_NAMES = {UNITS: "unit type", RESOURCES: "resource", TERRAINS: "terrain type", "": "number"}
"""The kinds of types by what objects remember of them; "" are plain numbers."""


def print_item(item: Item) -> str:
    """Return an object as the word ``print`` writes it."""
    if item.value is None:
        return "["
    if isinstance(item.value, tuple):
        return f"[{''.join(f'{number},' for number in item.value)}]"
    if isinstance(item.value, str):
        return f'"{item.value}"'
    return str(item.value)


def describe_item(item: Item) -> str:
    """Return an object as a message names it."""
    if item.value is None:
        return "a ["
    if isinstance(item.value, str):
        return f"the text “{item.value[:40]}”"
    if isinstance(item.value, tuple):
        return f"a vector of {counted(len(item.value), KIND_NAMES[item.kind])}"
    if item.kind:
        return f"a {KIND_NAMES[item.kind]}"
    return f"the number {item.value}"


def wrong_argument(word: Word, at: int, item: Item) -> dict[str, str]:
    """Return what the message names where ``item`` stands as the argument ``at`` of a word."""
    expected = VALUE_KINDS[word.arguments[at]]
    return {
        "word": word.name,
        "usage": word.usage,
        "wanted": expected,
        "found": describe_item(item),
    }


_LONGEST = 400
"""The most characters of arguments that are put in order."""


def reorder_arguments(
    file: PeriodFile, items: Sequence[Item], kinds: Sequence[str]
) -> tuple[int, int, str] | None:
    """Return the offsets of the arguments in the file and their text in the order of ``kinds``.

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
    """Return how many pairs stand the other way round."""
    return sum(a > b for at, a in enumerate(order) for b in order[at:])
