"""What the words of a period work on while it is read: the stack, the names and the period's parts.

The period language is postfix. Numbers, texts and vectors, its *objects*, are pushed on a stack,
and a word takes its arguments from the top of it::

    "i" "infantry" "marches and captures" utype      takes three texts and adds a unit type to the
                                                     parts; "i" and "infantry" are names of it
    1 i speed                                        pushes 1 and what "i" stands for; ``speed``
                                                     takes both and sets a value

The words themselves are the functions of commands.py and assigning.py. A word that cannot be
executed raises ``Fault``; what is merely odd it reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.period.arguments import describe_item
from randomizer.systems.xconq.period.faults import NO_NAMES, Fault, Replacement
from randomizer.systems.xconq.period.objects import (
    Assignment,
    Definition,
    Item,
    PeriodFile,
    TypeDefinition,
)
from randomizer.systems.xconq.period.period import ResourceType, TerrainType, UnitType
from randomizer.systems.xconq.period.problem_log import ProblemLog
from randomizer.systems.xconq.period.tokens import Token, Tokenizer
from randomizer.systems.xconq.period.value_store import ValueStore
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, words

STACK_DEPTH = 50
"""The most objects on the stack, as in the original program."""


def _no_definitions() -> dict[str, list[TypeDefinition]]:
    return {UNITS: [], RESOURCES: [], TERRAINS: []}


@dataclass
class PeriodParts:
    """The parts of a period that are dropped where a section begins a new one (``Period 0``).

    The lists grow while the sections are read.
    """

    units: list[UnitType] = field(default_factory=list)
    resources: list[ResourceType] = field(default_factory=list)
    terrains: list[TerrainType] = field(default_factory=list)

    type_definitions: dict[str, list[TypeDefinition]] = field(default_factory=_no_definitions)
    """The definitions of the types, by kind; each list is as long as that of the types."""

    notes: list[str] = field(default_factory=list)

    values: ValueStore = field(default_factory=ValueStore)

    assignments: list[Assignment] = field(default_factory=list)

    lost_assignments: list[Assignment] = field(default_factory=list)
    """The assignments that set nothing, since their vectors do not go together."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    """The definitions of all names, those of earlier sections included."""

    imported_names: dict[str, Item] = field(default_factory=dict)
    """The objects that the names of earlier sections stand for."""


class Execution:
    """The state of reading the sections of a period, one after the other."""

    def __init__(self) -> None:
        # What is gathered over all sections.
        self.log = ProblemLog()
        self.console: list[str] = []
        """What ``print`` wrote, a line each."""
        self.console_characters = 0
        """The number of characters that ``print`` was to write."""
        self.parts = PeriodParts()
        self.side_names: list[str] = []
        """Names for sides that the period adds to the built-in ones."""
        self.unit_names: list[str] = []
        """Names for units that the period adds to the built-in ones."""
        self.clears_side_names = False
        """True if the built-in names for sides are not used."""
        self.clears_unit_names = False
        """True if the built-in names for units are not used."""

        # The state of the section that is being read.
        self.file = PeriodFile(None, "")
        self.tokens = Tokenizer("")
        self.names: dict[str, Item] = {}
        """The objects that the names defined in this section stand for."""
        self.stack: list[Item] = []
        """The objects on the stack, the topmost last."""

    def begin_section(self, file: PeriodFile, offset: int, *, extends: bool) -> None:
        """Begin the section of ``file`` that starts at an offset, with an empty stack.

        Where it ``extends`` the period that was read before, the parts of that stay. Names for
        sides and units stay in any case, as in the original program.
        """
        if extends:
            self.parts.imported_names |= self.names
        else:
            self.parts = PeriodParts()
        # The original program forgets all names at each section, even of one that it extends.
        self.names = {}
        self.stack = []
        self.log.note_executed()
        self.file = file
        self.tokens = Tokenizer(file.text, offset)

    def push(self, item: Item) -> None:
        """Put an object on the stack. One too many is reported: it and all others are lost."""
        if len(self.stack) < STACK_DEPTH:
            self.stack.append(item)
            return
        self.report("period-overflow", item.first, {"most": STACK_DEPTH})
        self.stack = []

    def pop(self, count: int, word_name: str) -> list[Item]:
        """Take the arguments of a word, the ``count`` topmost objects; the deepest comes first.

        Raises Fault if there are too few, after emptying the stack.
        """
        depth = len(self.stack)
        if depth >= count:
            items = self.stack[depth - count :]
            del self.stack[depth - count :]
            return items

        # Whatever there is was probably meant for this word.
        self.stack = []
        content = "nothing"
        if depth:
            content = counted(depth, "object")
        emptied_by = self.log.emptied_by
        if emptied_by is not None:
            content += f", since “{emptied_by.value}” is undefined and has emptied it"
        raise Fault(
            "period-underflow",
            word=word_name,
            usage=words()[word_name].usage,
            wanted=counted(count, "object"),
            found=content,
        )

    def define(self, name: str, item: Item, token: Token) -> None:
        """Let a name, written by ``token``, stand for an object.

        A word of the language, and a name that has a meaning already, keep it: that is reported.
        """
        meaning = None
        if name in words():
            meaning = "a word of the language"
        elif name in self.names:
            meaning = describe_item(self.names[name])
        if meaning is not None:
            self.report("period-redefined", token, {"word": name, "meaning": meaning})
            return
        self.names[name] = item
        defined_item = item._replace(first=token, last=token)
        self.parts.definitions[name] = Definition(self.file, defined_item)

    def report(
        self,
        code: str,
        token: Token,
        named: Mapping[str, object] = NO_NAMES,
        fix: Replacement | None = None,
    ) -> None:
        """Add a problem of a token of this section; the arguments are as for ``problem``."""
        self.log.report(self.file, token, code, named, fix)
