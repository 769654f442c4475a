"""All words of the period language, one row each, from ``words.tsv``.

Interpreter, dump, completion, hover, inspector and the manual's reference read this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table

UNITS = "unit"
RESOURCES = "resource"
TERRAINS = "terrain"
"""The kinds of types; also the argument kinds of indices and values that are such a type."""

NOTHING = 71
"""What the word ``nothing`` pushes: no unit type."""

MOST_TYPES = 70
"""The most unit, resource and terrain types of a period each; also the longest vector."""

VALUE_KINDS = {
    "n": "a number",
    "n%": "a percentage",
    "n.01%": "a number of hundredths of a percent",
    "bool": "true or false",
    "dist": "a distance in hexes",
    "str": "a text",
    "char": "a text of one character",
    "name": "a name in quotes",
    "help": "a line of help",
    "colour": "a colour",
    "object": "a number, vector or text",
    UNITS: "a unit type",
    "unit2": "another unit type",
    RESOURCES: "a resource",
    TERRAINS: "a terrain type",
}
"""The kinds of arguments, in words."""


class Shape(StrEnum):
    """The shape of the values of a word in a period."""

    COMMAND = "command"
    """Nothing: it is done when it is read."""
    NUMBER = "number"
    """One number."""
    TEXT = "text"
    """One text."""
    ROW = "row"
    """A number for each type of its index."""
    TEXTS = "texts"
    """A text for each unit type."""
    TABLE = "table"
    """A number for each unit type (its last index) and each type of its first index."""


@dataclass(frozen=True)
class Word:
    """One word of the language.

    ``arguments`` are the kinds of its arguments (keys of ``VALUE_KINDS``), the deepest in the stack
    first: the value, then the indices. ``default`` is the value that a period has without the word,
    as written. ``since``: ``d`` in the document, ``s`` in version 5.5, ``f`` in the later fork;
    ``N`` marked as not yet implemented by the document. ``use``: ``language``, ``world`` (rolled
    worlds depend on it), ``map`` (shown or edited), or "" (kept, not simulated).
    """

    name: str
    arguments: tuple[str, ...]
    optional: int | None
    """The index of the argument that may be missing, None if there is none."""
    default: str
    group: str
    title: str
    help: str
    since: str
    use: str

    @cached_property
    def shape(self) -> Shape:
        """The shape of the word's values."""
        if self.default == "-":
            return Shape.COMMAND
        indices = len(self.arguments) - 1
        if self.arguments[0] == "str":
            return Shape.TEXTS if indices else Shape.TEXT
        return (Shape.NUMBER, Shape.ROW, Shape.TABLE)[indices]

    @cached_property
    def indices(self) -> tuple[str, ...]:
        """The kinds of types that its indices count: of a row one, of a table inner and unit."""
        return tuple(_TYPES[kind] for kind in self.arguments[1:] if kind in _TYPES)

    @cached_property
    def default_number(self) -> int:
        """The default of a word that holds numbers."""
        if self.default == "nothing":
            return NOTHING
        return int(self.default)

    @property
    def not_implemented(self) -> bool:
        """True if the document says that the original program does nothing with the word."""
        return "N" in self.since

    @property
    def not_simulated(self) -> bool:
        """True if the word is kept and written but nothing here depends on its value."""
        return not self.use

    @property
    def usage(self) -> str:
        """The word after its arguments, as in “n% terrain unit favored”."""
        optional = self.optional
        arguments = (
            f"[{kind}]" if at == optional else kind for at, kind in enumerate(self.arguments)
        )
        return " ".join([*arguments, self.name])


_TYPES = {UNITS: UNITS, "unit2": UNITS, RESOURCES: RESOURCES, TERRAINS: TERRAINS}


@registered(count=1, bytes_each=200 * KB)
@cache
def words() -> dict[str, Word]:
    """Return all words by name, in the order in which a period is shown."""
    rows = packaged_table("randomizer.systems.xconq.period", "words.tsv")
    return {word.name: word for word in map(_word, rows)}


def _word(row: list[str]) -> Word:
    name, written, default, group, title, help_, since, use = row
    kinds = written.split()
    optional = next((at for at, kind in enumerate(kinds) if kind.endswith("?")), None)
    arguments = tuple(kind.removesuffix("?") for kind in kinds)
    return Word(name, arguments, optional, default, group, title, help_, since, use)


@registered(count=20, bytes_each=2 * KB)
@cache
def words_of_shape(*shapes: Shape) -> tuple[Word, ...]:
    """Return the words that hold values of these shapes, in the order of the table."""
    return tuple(word for word in words().values() if word.shape in shapes)
