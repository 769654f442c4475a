"""All words of the period language, one row each, from the table ``words.tsv``.

A word takes its arguments from a stack, so they stand before it: the value that it sets, then the
*indices*, the types for which it sets it::

    words()["speed"].usage          # "n unit speed": a number and a unit type
    words()["speed"].shape          # Shape.ROW: it holds a number for each unit type

The interpreter, the dump of a period, completion, hover, the inspector and the manual's reference
read this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table

UNITS = "unit"
"""The kind of unit types, and of an argument that is a unit type."""

RESOURCES = "resource"
"""The kind of types of resources, and of an argument that is one."""

TERRAINS = "terrain"
"""The kind of terrain types, and of an argument that is one."""

MIN_NUMBER = -32768
"""The least number that a period can hold: the original program has 16 bits for it."""

MAX_NUMBER = 32767
"""The greatest number that a period can hold."""

MAX_TYPES = 70
"""The most unit, resource and terrain types of a period each; also the longest vector."""

NOTHING = MAX_TYPES + 1
"""The number that the word ``nothing`` pushes in place of a unit type, as in the original program.
"""

TEXTS_OF_TYPE = 3
"""The number of texts before a word that defines a type: character, name and help or colour."""

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


_KIND_OF_TYPES_BY_ARGUMENT = {
    UNITS: UNITS,
    "unit2": UNITS,
    RESOURCES: RESOURCES,
    TERRAINS: TERRAINS,
}
"""The kind of types that an argument is, by the kind of the argument (``VALUE_KINDS``)."""


class Shape(StrEnum):
    """The shape of the values that a period holds for a word."""

    COMMAND = "command"
    """No value: the word does something when it is read, such as ``define``."""

    NUMBER = "number"
    """One number, such as that of ``country-size``."""

    TEXT = "text"
    """One text, such as that of ``period-name``."""

    ROW = "row"
    """A number for each type of the kind of its index, as ``speed`` has one for each unit type."""

    TEXTS = "texts"
    """A text for each unit type."""

    TABLE = "table"
    """A number for each unit type (its last index) and each type of its first index."""


@dataclass(frozen=True)
class Word:
    """One word of the language."""

    name: str

    arguments: tuple[str, ...]
    """The kinds of its arguments (keys of ``VALUE_KINDS``), as they stand before it in a text.

    The value comes first, then the indices.
    """

    optional: int | None
    """The index of the argument that may be missing, None if there is none."""

    default: str
    """The value that a period has without the word, as it would be written.

    It is a number, "nothing" or a text, "" for an empty text; "-" for a word without a value.
    """

    group: str
    """The group in which it is shown."""

    title: str
    """Its meaning in a few words."""

    help: str
    """Its meaning in a sentence."""

    since: str
    """Letters for what has the word: ``d`` the document, ``s`` version 5.5, ``f`` the later fork.

    ``N`` is among them if the document marks the word as not yet implemented.
    """

    use: str
    """The part of this program that depends on its value.

    It is ``language``, ``world`` (rolled worlds) or ``map`` (what is shown or edited); "" for a
    word that is kept in the file and not simulated.
    """

    @cached_property
    def shape(self) -> Shape:
        """The shape of the word's values."""
        if self.default == "-":
            return Shape.COMMAND
        index_count = len(self.arguments) - 1
        if self.arguments[0] == "str":
            if index_count:
                return Shape.TEXTS
            return Shape.TEXT
        shapes_by_index_count = (Shape.NUMBER, Shape.ROW, Shape.TABLE)
        return shapes_by_index_count[index_count]

    @cached_property
    def indices(self) -> tuple[str, ...]:
        """The kinds of types of its indices, as they stand in a text: one of a row, two of a table.

        In a table the unit comes last: (``TERRAINS``, ``UNITS``) for ``moves``.
        """
        kinds = []
        for argument in self.arguments[1:]:
            if argument in _KIND_OF_TYPES_BY_ARGUMENT:
                kinds.append(_KIND_OF_TYPES_BY_ARGUMENT[argument])
        return tuple(kinds)

    def last_indices(self, count: int) -> tuple[str, ...]:
        """Return the kinds of the last indices: those that a statement with ``count`` of them has.

        A statement without the optional inner index of a table has only the last one.
        """
        return self.indices[len(self.indices) - count :]

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
        arguments = list(self.arguments)
        if self.optional is not None:
            arguments[self.optional] = f"[{arguments[self.optional]}]"
        return " ".join([*arguments, self.name])


@registered(count=1, bytes_each=200 * KB)
@cache
def words() -> dict[str, Word]:
    """Return all words by name, in the order in which a period is shown."""
    rows = packaged_table("randomizer.systems.xconq.period", "words.tsv")
    return {word.name: word for word in map(_word, rows)}


def _word(row: list[str]) -> Word:
    """Return the word of a row of the table; ``?`` marks the argument that may be missing."""
    name, argument_text, default, group, title, help_, since, use = row
    kinds = argument_text.split()
    optional = None
    for index, kind in enumerate(kinds):
        if kind.endswith("?"):
            optional = index
    arguments = tuple(kind.removesuffix("?") for kind in kinds)
    return Word(name, arguments, optional, default, group, title, help_, since, use)


@registered(count=20, bytes_each=2 * KB)
@cache
def words_of_shape(*shapes: Shape) -> tuple[Word, ...]:
    """Return the words that hold values of these shapes, in the order of the table."""
    return tuple(word for word in words().values() if word.shape in shapes)
