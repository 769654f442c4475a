"""Which words can stand at a place of a period: those that fit what is on the stack there first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from randomizer.languages.language import Completion, SourceText, matching_completions
from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.problems import line_starts
from randomizer.systems.xconq.language.hover import meaning, word_help
from randomizer.systems.xconq.period.objects import Item
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, Word, words

_BEGUN = re.compile(r'(?<![^ \t"\[\]])[^ \t"\[\]]*$')
_TYPES = {UNITS: UNITS, "unit2": UNITS, RESOURCES: RESOURCES, TERRAINS: TERRAINS}
_TEXTS = ("str", "char", "name", "help", "colour")


class _Offer(NamedTuple):
    rank: tuple[int, int]
    word: str
    kind: str
    help: str


def completions(source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
    """Return the words that can stand before a place, lines and columns from 1.

    First the words whose arguments are on the stack there, then the types that can be their next
    argument, then the others; of these, words that begin with what is written come before those
    that hold it.
    """
    starts = line_starts(source.text)
    if not 1 <= line <= len(starts):
        return ()
    offset = min(starts[line - 1] + column - 1, len(source.text))
    row = source.text[starts[line - 1] : offset]
    if ";" in row:
        return ()
    begun = _BEGUN.search(row)
    fragment = "" if begun is None else begun[0]
    above = _above(source.text[: offset - len(fragment)], tuple(sorted(source.texts.items())))
    if above is None:
        return ()
    offers = sorted(_offers(above), key=lambda offer: offer.rank)
    replaced = len(fragment)
    return matching_completions(
        fragment, (Completion(*offer[1:], f"{offer.word} ", replaced) for offer in offers)
    )


@registered(bytes_a_unit=30)
@sized_cache(most=1, size=1 << 15)
def _above(text: str, texts: tuple[tuple[str, str], ...]) -> Reading | None:
    """Return what is known where a text is cut off; None in a text in quotes and in notes."""
    reading = read_traced(text, None, dict(texts))
    inside = {"period-no-quote", "period-notes-end"}
    if inside & {problem.code for problem in reading.problems}:
        return None
    return reading


def _offers(above: Reading) -> Iterator[_Offer]:
    """Yield all words, with their rank; what fits best has the least.

    Of the words that fit, those come first on whose values something depends here, and of these the
    ones that take more of what is on the stack.
    """
    stack = above.stack
    usable_words = {
        word.name for word in words().values() if word.arguments and _all_stand(word, stack)
    }
    nexts = {kind for word in words().values() for kind in _next_kinds(word, stack)}
    for word in words().values():
        fits = word.name in usable_words or (not word.arguments and not stack)
        if fits:
            rank = (0 if word.use else 1, -len(word.arguments))
        else:
            rank = (4, 0)
        yield _Offer(rank, word.name, "word", word_help(word))
    for name, (_file, item) in above.names.items():
        if name.split() != [name]:
            continue
        vector = isinstance(item.value, tuple)
        rank = (2 if item.kind in nexts else 3, 0)
        yield _Offer(
            rank, name, "vector" if vector else item.kind or "name", meaning(above.period, item)
        )


def _all_stand(word: Word, stack: Sequence[Item]) -> bool:
    """Return whether all arguments of a word are on top of the stack."""
    count = len(word.arguments)
    return len(stack) >= count and all(map(_fits, word.arguments, stack[len(stack) - count :]))


def _next_kinds(word: Word, stack: Sequence[Item]) -> Iterator[str]:
    """Yield the kinds of types that an index of a word can be, after what is on the stack."""
    for at in range(1, len(word.arguments)):
        arguments = stack[len(stack) - at :]
        if len(arguments) == at and all(map(_fits, word.arguments[:at], arguments)):
            yield _TYPES.get(word.arguments[at], "")


def _fits(kind: str, item: Item) -> bool:
    """Return whether an object is of the kind that a word takes."""
    if kind in _TEXTS:
        return isinstance(item.value, str)
    if kind == "object":
        return item.value is not None
    is_number = isinstance(item.value, int | tuple)
    return is_number and item.kind == _TYPES.get(kind, "")
