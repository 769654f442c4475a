"""Completions of a period's text: words that fit what is on the stack there come first.

The text above the cursor is read, which tells what the stack holds and which names there are. In
``2 i`` the words whose arguments are a number and a unit type come first (speed, hp ...), then the
types that can be a further argument.
"""

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

_FRAGMENT = re.compile(r'(?<![^ \t"\[\]])[^ \t"\[\]]*$')
"""The word that is being typed at the end of a line, behind white space, a quote or a bracket."""

# The ranks of words that are offered: those with the least one come first.
_FITTING = 0
"""A word whose arguments are on the stack, and on whose value something depends here."""

_FITTING_WITHOUT_USE = 1
"""A word whose arguments are on the stack, but whose value is only kept in the file."""

_NEXT_ARGUMENT = 2
"""The name of a type that can be a further argument of a word."""

_OTHER_NAME = 3
"""Another name."""

_NOT_FITTING = 4
"""A word whose arguments are not on the stack."""

_TYPE_KIND_OF_ARGUMENT = {UNITS: UNITS, "unit2": UNITS, RESOURCES: RESOURCES, TERRAINS: TERRAINS}
"""The kind of types that an argument takes, by its kind; other arguments take no types."""

_TEXTS = ("str", "char", "name", "help", "colour")
"""The kinds of arguments that are texts."""


class _Offer(NamedTuple):
    """A word that is offered."""

    rank: tuple[int, int]
    """The rank (``_FITTING`` ...), and the order within that rank; the least comes first."""

    word: str
    kind: str
    help: str


def completions(source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
    """Return the words that can stand before a position; lines and columns count from 1.

    They are in the order of their ranks. Among all of them those that begin with the letters before
    the position come before those that only contain these letters.
    """
    starts = line_starts(source.text)
    if not 1 <= line <= len(starts):
        return ()
    offset = min(starts[line - 1] + column - 1, len(source.text))
    row = source.text[starts[line - 1] : offset]
    if ";" in row:
        return ()  # the position is in a comment
    match = _FRAGMENT.search(row)
    fragment = ""
    if match is not None:
        fragment = match[0]
    text_above = source.text[: offset - len(fragment)]
    reading = _read_above(text_above, tuple(sorted(source.texts.items())))
    if reading is None:
        return ()
    candidates = list[Completion]()
    for offer in sorted(_offers(reading), key=lambda offer: offer.rank):
        inserted_text = f"{offer.word} "
        candidates.append(
            Completion(offer.word, offer.kind, offer.help, inserted_text, len(fragment))
        )
    return matching_completions(fragment, candidates)


@registered(bytes_a_unit=30)
@sized_cache(max_entries=1, max_size=1 << 15)
def _read_above(text: str, texts: tuple[tuple[str, str], ...]) -> Reading | None:
    """Read a text that is cut off; None if that is in a text in quotes or in notes."""
    reading = read_traced(text, None, dict(texts))
    for problem in reading.problems:
        if problem.code in ("period-no-quote", "period-notes-end"):
            return None
    return reading


def _offers(reading: Reading) -> Iterator[_Offer]:
    """Yield all words of the language and all names, with their ranks."""
    stack = reading.stack
    next_kinds: set[str] = set()
    for word in words().values():
        next_kinds.update(_next_kinds(word, stack))
        if word.arguments:
            is_fitting = _has_arguments(stack, word.arguments)
        else:
            is_fitting = not stack
        # Of the words that fit, those that take more objects from the stack come first.
        if not is_fitting:
            rank = (_NOT_FITTING, 0)
        elif word.use:
            rank = (_FITTING, -len(word.arguments))
        else:
            rank = (_FITTING_WITHOUT_USE, -len(word.arguments))
        yield _Offer(rank, word.name, "word", word_help(word))
    for name, definition in reading.names.items():
        item = definition.item
        if name.split() != [name]:
            # A name of several words cannot be written as one.
            continue
        rank = (_OTHER_NAME, 0)
        if item.kind in next_kinds:
            rank = (_NEXT_ARGUMENT, 0)
        kind = item.kind or "name"
        if isinstance(item.value, tuple):
            kind = "vector"
        yield _Offer(rank, name, kind, meaning(reading.period, item))


def _has_arguments(stack: Sequence[Item], kinds: Sequence[str]) -> bool:
    """Return whether objects of these kinds of arguments are on top of the stack."""
    if len(stack) < len(kinds):
        return False
    top = stack[len(stack) - len(kinds) :]
    return all(_fits(kind, item) for kind, item in zip(kinds, top, strict=True))


def _next_kinds(word: Word, stack: Sequence[Item]) -> Iterator[str]:
    """Yield the kinds of types that the next argument of a word can have, after those on the stack.

    "" for an argument that is no type.
    """
    for count in range(1, len(word.arguments)):
        if _has_arguments(stack, word.arguments[:count]):
            yield _TYPE_KIND_OF_ARGUMENT.get(word.arguments[count], "")


def _fits(kind: str, item: Item) -> bool:
    """Return whether an object is of a kind of arguments."""
    if kind in _TEXTS:
        return isinstance(item.value, str)
    if kind == "object":
        return item.value is not None
    is_number = isinstance(item.value, int | tuple)
    return is_number and item.kind == _TYPE_KIND_OF_ARGUMENT.get(kind, "")
