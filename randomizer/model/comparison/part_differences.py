"""The differences between two maps in a part of them, such as a layer or a record, and their text.

A layer called Roads that theirs shows and ours hides, with other roads in 3 cells::

    PartDifference(
        kind=PartKind.LAYER,
        name="Roads",
        ours={"visibility": "hidden"},
        theirs={"visibility": "visible"},
        counts={"cell": 3},
    )

``part_text`` makes of it ``layer Roads: hidden | visible; 3 cells differ``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from randomizer.model.basics.plurals import counted, listed, many

Values = Mapping[str, object]
"""Values that differ, by name: ``{"opacity": 0.5, "lock": "locked"}``.

A value that says by itself what it is has the name ``UNNAMED``: ``{"": "5 x 7 flat"}``.
"""

UNNAMED = ""
"""The name of a value that is shown without a name: the title of a system, a line of text."""

NO_COUNTS: Mapping[str, int] = MappingProxyType({})
"""The counts of a part that has no cells or things of its own, or in which none differ."""

LONGEST_TEXT = 60
"""The most characters of one value in a line of text; the end of a longer one is left out."""

SELF_EXPLAINING = ("visibility", "lock", "secrecy")
"""The settings of a layer whose values are written without their names: "hidden", "locked"."""


class PartKind(StrEnum):
    """The part of a map in which something differs; its value is the word for it in a text."""

    SYSTEM = "system"
    GRID = "grid"
    LAYER = "layer"
    """One layer: its settings or its contents, or one map lacks it."""
    LAYERS = "layers"
    """The order of the layers that both maps have."""
    TERRAIN_SET = "terrain set"
    """The terrain set itself, without its entries."""
    TERRAIN = "terrain"
    HEXSIDE = "hexside"
    WAY = "way"
    RECORD = "record"


@dataclass(frozen=True)
class PartDifference:
    """A difference in a layer, a terrain, a record or another part of two maps."""

    kind: PartKind
    """What the part is."""

    name: str
    """The name of the part; "" for one of which each map has one, such as its grid."""

    ours: Values | None
    """Our values of what differs; None where theirs alone has the part."""

    theirs: Values | None
    """Their values of what differs; None where ours alone has the part."""

    counts: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    """How many cells, sides, corners, things and properties of a layer differ, seen or not.

    By the word for them: ``{"cell": 3}``; a word of which none differ is left out.
    """


def compare_values(
    kind: PartKind,
    name: str,
    ours: Values | None,
    theirs: Values | None,
    counts: Mapping[str, int] = NO_COUNTS,
) -> Iterator[PartDifference]:
    """Yield the difference of one part, with the values that differ alone; nothing if none does.

    ``ours`` and ``theirs`` are all its values, None where a map lacks the part. A part with
    ``counts`` differs even if all its values are equal.
    """
    if ours is None or theirs is None:
        yield PartDifference(kind, name, ours, theirs, counts)
        return
    names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    if names or counts:
        our_values = {name: ours[name] for name in names if name in ours}
        their_values = {name: theirs[name] for name in names if name in theirs}
        yield PartDifference(kind, name, our_values, their_values, counts)


def part_text(part: PartDifference) -> str:
    """Return a difference in one line, ours first: ``layer Roads: hidden | visible``."""
    texts = []
    # If only the contents of a layer differ, both maps have no differing values.
    if not part.counts or part.ours != part.theirs:
        texts.append(f"{_values_text(part.ours)} | {_values_text(part.theirs)}")
    if part.counts:
        numbers = [counted(number, *_nouns(word)) for word, number in part.counts.items()]
        total = sum(part.counts.values())
        texts.append(f"{listed(numbers)} {many(total, 'differs', 'differ')}")
    return f"{part.kind} {part.name}".rstrip() + f": {'; '.join(texts)}"


def _nouns(word: str) -> tuple[str, str]:
    """Return the singular and the plural of a word of ``PartDifference.counts``."""
    if word == "property":
        return word, "properties"
    return word, f"{word}s"


def _values_text(values: Values | None) -> str:
    """Return values in a line: "none" if the map lacks the part, "there" if it has no values."""
    if values is None:
        return "none"
    texts = []
    for name, value in values.items():
        if isinstance(value, str):
            text = value
        else:
            text = json.dumps(value, ensure_ascii=False)
        if len(text) > LONGEST_TEXT:
            text = f"{text[: LONGEST_TEXT - 1]}…"
        if name != UNNAMED and name not in SELF_EXPLAINING:
            text = f"{name} {text}"
        texts.append(text)
    return ", ".join(texts) or "there"
