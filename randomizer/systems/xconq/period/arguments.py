"""The arguments of words: their texts in messages, and the fix for a wrong order.

Words of the period language come behind their arguments, as in ``2 infantry speed``. The
*objects* (``Item``) that stand before a word are its arguments. If one is of the wrong kind, the
interpreter calls ``values_of_wrong_argument`` for the message, and ``reorder_arguments`` for the
fix that exchanges them: ``infantry 2 speed`` becomes ``2 infantry speed``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, permutations

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.period.faults import Replacement
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, VALUE_KINDS, Word

_NUMBER = ""
"""The ``Item.kind`` of plain numbers, which are no types."""

KIND_NAMES = {
    UNITS: "unit type",
    RESOURCES: "resource",
    TERRAINS: "terrain type",
    _NUMBER: "number",
}
"""The names in messages of the meanings of numbers, by ``Item.kind``."""

_LONGEST_QUOTE = 40
"""The most characters of a text that a message quotes."""

_LONGEST_REORDERED = 400
"""The most characters of arguments that a fix puts in order, as it writes all of them anew."""


def print_item(item: Item) -> str:
    """Return an object as the word ``print`` writes it: ``12``, ``"sea"`` or ``[1,2,]``."""
    if item.is_mark:
        return "["
    if isinstance(item.value, tuple):
        return f"[{''.join(f'{number},' for number in item.value)}]"
    if isinstance(item.value, str):
        return f'"{item.value}"'
    return str(item.value)


def describe_item(item: Item) -> str:
    """Return an object as a message names it: "the number 12", "a unit type"."""
    if item.is_mark:
        return "a ["
    if isinstance(item.value, str):
        return f"the text “{item.value[:_LONGEST_QUOTE]}”"
    if isinstance(item.value, tuple):
        return f"a vector of {counted(len(item.value), KIND_NAMES[item.kind])}"
    if item.kind != _NUMBER:
        return f"a {KIND_NAMES[item.kind]}"
    return f"the number {item.value}"


def values_of_wrong_argument(word: Word, index: int, item: Item) -> dict[str, str]:
    """Return the values of the message on ``item``, which is wrong as an argument of a word.

    ``index`` is the index of the argument in ``Word.arguments``.
    """
    return {
        "word": word.name,
        "usage": word.usage,
        "wanted": VALUE_KINDS[word.arguments[index]],
        "found": describe_item(item),
    }


def reorder_arguments(
    file: PeriodFile, items: Sequence[Item], kinds: Sequence[str]
) -> Replacement | None:
    """Return the start and end of the arguments in the file, and their text in the right order.

    ``items`` are the arguments as they stand. ``kinds`` are those that the word takes, in its
    order: a kind of types, or anything else for plain numbers and texts. None if no order fits, or
    if anything but white space stands between the arguments.
    """
    # The text between the arguments stays where it is, so it may be white space only.
    starts = [item.first.start for item in items]
    ends = [item.last.end for item in items]
    gaps = [file.text[left.last.end : right.first.start] for left, right in pairwise(items)]
    for gap in gaps:
        # A comment or another word stands there, or not even white space.
        if gap.strip(" \t\n") or not gap:
            return None
    if ends[-1] - starts[0] > _LONGEST_REORDERED:
        return None

    # Of all orders that fit, the one that changes least. A word has three arguments at most.
    fitting_orders = []
    for order in permutations(range(len(items))):
        if all(_fits(items[index], kind) for index, kind in zip(order, kinds, strict=True)):
            fitting_orders.append(order)
    if not fitting_orders:
        return None
    best_order = min(fitting_orders, key=_count_inversions)

    pieces = []
    for index, gap in zip(best_order, [*gaps, ""], strict=True):
        pieces += [file.text[starts[index] : ends[index]], gap]
    return starts[0], ends[-1], "".join(pieces)


def _fits(item: Item, kind: str) -> bool:
    """Return whether an object fits a kind of types; for any other kind: whether it is no type."""
    if kind in (UNITS, RESOURCES, TERRAINS):
        return item.kind == kind
    return item.kind == _NUMBER


def _count_inversions(order: Sequence[int]) -> int:
    """Return how many pairs of arguments an order exchanges: 0 leaves all as they stand."""
    return sum(first > second for first, second in combinations(order, 2))
