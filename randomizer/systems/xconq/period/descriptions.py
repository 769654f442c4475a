"""Objects and words of the period language in the words of messages."""

from __future__ import annotations

from randomizer.model.plurals import counted
from randomizer.systems.xconq.period.objects import Item
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, VALUE_KINDS, Word

KIND_NAMES = {UNITS: "unit type", RESOURCES: "resource", TERRAINS: "terrain type", "": "number"}
"""The kinds of types by what objects remember of them; "" are plain numbers."""


def printed(item: Item) -> str:
    """An object as the word ``print`` writes it."""
    if item.value is None:
        return "["
    if isinstance(item.value, tuple):
        return f"[{''.join(f'{number},' for number in item.value)}]"
    return f'"{item.value}"' if isinstance(item.value, str) else str(item.value)


def described(item: Item) -> str:
    """An object as a message names it."""
    if item.value is None:
        return "a ["
    if isinstance(item.value, str):
        return f"the text “{item.value[:40]}”"
    if isinstance(item.value, tuple):
        return f"a vector of {counted(len(item.value), KIND_NAMES[item.kind])}"
    return f"a {KIND_NAMES[item.kind]}" if item.kind else f"the number {item.value}"


def wrong_argument(word: Word, at: int, item: Item) -> dict[str, str]:
    """What the message names where ``item`` stands as the argument ``at`` of a word."""
    wanted = VALUE_KINDS[word.arguments[at]]
    return {"word": word.name, "usage": word.usage, "wanted": wanted, "found": described(item)}
