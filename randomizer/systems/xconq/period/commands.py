"""The words of the period language that set no value, such as ``define``, ``utype`` and ``[``.

``COMMANDS`` has a function for each. It gets the ``Execution``, on whose stack and period it
works, and the token of the word; it raises ``Fault`` if the word cannot be executed.
"""

from __future__ import annotations

from collections.abc import Callable

from randomizer.systems.xconq.period.arguments import (
    KIND_NAMES,
    describe_item,
    print_item,
    values_of_wrong_argument,
)
from randomizer.systems.xconq.period.execution import Execution
from randomizer.systems.xconq.period.faults import Fault
from randomizer.systems.xconq.period.objects import Item, TypeDefinition
from randomizer.systems.xconq.period.period import ResourceType, TerrainType, UnitType
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.words import (
    MAX_TYPES,
    NOTHING,
    RESOURCES,
    TERRAINS,
    TEXTS_OF_TYPE,
    UNITS,
    words,
)

NOTE_LINES = 399
"""The most lines of notes that the original program takes."""

MAX_PRINTED = 200_000
"""``print`` writes no more after so many characters. A short text can make it write far more."""

_KIND_BY_DEFINER = {"utype": UNITS, "rtype": RESOURCES, "ttype": TERRAINS}
"""The words that define a type, with the kind of the type."""

_KIND_BY_WORD_FOR_ALL = {"u*": UNITS, "r*": RESOURCES, "t*": TERRAINS}
"""The words that push all types of a kind, with the kind."""


# --- numbers and vectors --------------------------------------------------------------------------


def _push_true(execution: Execution, token: Token) -> None:
    execution.push(Item(1, token, token, is_literal=True))


def _push_false(execution: Execution, token: Token) -> None:
    execution.push(Item(0, token, token, is_literal=True))


def _push_nothing(execution: Execution, token: Token) -> None:
    """Push the number that stands for no unit type."""
    execution.push(Item(NOTHING, token, token, UNITS))


def _push_all_types(execution: Execution, token: Token) -> None:
    """Push a vector of all types of a kind that are defined so far: ``u*``, ``r*``, ``t*``."""
    kind = _KIND_BY_WORD_FOR_ALL[str(token.value)]
    count = len(execution.parts.type_definitions[kind])
    execution.push(Item(tuple(range(count)), token, token, kind))


def _begin_vector(execution: Execution, token: Token) -> None:
    """Push a mark, an object without a value, down to which ``]`` takes the objects."""
    execution.push(Item(None, token, token))


def _end_vector(execution: Execution, token: Token) -> None:
    """Replace the objects down to the topmost mark, and the mark, by a vector of their numbers."""
    stack = execution.stack
    begin = len(stack) - 1
    while begin >= 0 and stack[begin].value is not None:
        begin -= 1
    if begin < 0:
        execution.stack = []
        raise Fault("period-vector-begin")
    mark, *items = stack[begin:]
    del stack[begin:]

    numbers = []
    for item in items:
        if isinstance(item.value, int):
            numbers.append(item.value)
        else:
            raise Fault("period-vector-item", found=describe_item(item))
    if not items:
        whole_vector = mark.first._replace(end=token.end)
        execution.report("period-vector-empty", whole_vector)

    # ``[ i a ]`` is a vector of unit types; one of different kinds counts as plain numbers.
    kinds = {item.kind for item in items}
    kind = ""
    if len(kinds) == 1:
        kind = kinds.pop()
    # Panels can change ``[ 3 2 ]`` number by number, but not ``[ fast 2 ]``.
    number_tokens = None
    if all(item.is_literal for item in items):
        number_tokens = tuple(item.first for item in items)
    execution.push(Item(tuple(numbers), mark.first, token, kind, number_tokens))


# --- names and types ------------------------------------------------------------------------------


def _define(execution: Execution, _token: Token) -> None:
    """Let the text on top of the stack be a name for the object below it."""
    item, name = execution.pop(2, "define")
    word = words()["define"]
    if not isinstance(name.value, str):
        raise Fault("period-argument", **values_of_wrong_argument(word, 1, name))
    if item.value is None:
        raise Fault("period-argument", **values_of_wrong_argument(word, 0, item))
    # Where the name is used, the object's numbers are not written out, so no edit may change them.
    item = item._replace(number_tokens=None, is_literal=False)
    execution.define(name.value, item, name.first)


def _define_type(execution: Execution, token: Token) -> None:
    """Define a type from three texts, by ``utype``, ``rtype`` or ``ttype``.

    Its name becomes a name for its number; so does its character, but for terrain, whose
    characters stand in the rows of maps only.
    """
    word_name = str(token.value)
    kind = _KIND_BY_DEFINER[word_name]
    items = execution.pop(TEXTS_OF_TYPE, word_name)
    texts = [item.value for item in items if isinstance(item.value, str)]
    if len(texts) < TEXTS_OF_TYPE:
        raise Fault("period-definer-text", word=word_name)
    char, name, help_or_colour = texts
    char_item, name_item, _help_item = items

    # Check that there is room for the type, and that maps can be written with its character.
    parts = execution.parts
    definitions = parts.type_definitions[kind]
    if len(definitions) >= MAX_TYPES:
        raise Fault("period-types", most=MAX_TYPES)
    reason = _char_fault(kind, char)
    if reason is not None:
        named = {"char": char, "kind": KIND_NAMES[kind], "reason": reason}
        execution.report("period-type-char", char_item.first, named)

    # Add the type. Its number is its index among the types of its kind.
    type_item = Item(len(definitions), token, token, kind)
    definitions.append(TypeDefinition(execution.file, name_item.first))
    if kind == UNITS:
        parts.units.append(UnitType(char, name, help_or_colour))
    elif kind == RESOURCES:
        parts.resources.append(ResourceType(char, name, help_or_colour))
    else:
        parts.terrains.append(TerrainType(char, name, help_or_colour))

    # Define its names; a type whose name is its character has one only.
    if kind != TERRAINS:
        execution.define(char, type_item, char_item.first)
    if kind == TERRAINS or name != char:
        execution.define(name, type_item, name_item.first)


def _char_fault(kind: str, char: str) -> str | None:
    """Return why a text cannot be the character of a type, as a message says it; None if it can."""
    if len(char) != 1:
        return "it must be exactly one character"
    if kind == UNITS and char in ".?":
        return "what a side sees is written with it"
    if kind == TERRAINS and char.isdecimal():
        return "digits count repetitions in the rows of a map"
    return None


# --- names of units and sides, notes, print -------------------------------------------------------


def _add_unit_name(execution: Execution, _token: Token) -> None:
    execution.unit_names.append(_pop_text(execution, "uname"))


def _add_side_name(execution: Execution, _token: Token) -> None:
    execution.side_names.append(_pop_text(execution, "sname"))


def _pop_text(execution: Execution, word_name: str) -> str:
    """Take the only argument of a word. Raises Fault if it is no text."""
    (item,) = execution.pop(1, word_name)
    if not isinstance(item.value, str):
        raise Fault("period-argument", **values_of_wrong_argument(words()[word_name], 0, item))
    return item.value


def _clear_unit_names(execution: Execution, _token: Token) -> None:
    """Forget the names for units that were added so far, and the built-in ones."""
    execution.unit_names = []
    execution.clears_unit_names = True


def _clear_side_names(execution: Execution, _token: Token) -> None:
    """Forget the names for sides that were added so far, and the built-in ones."""
    execution.side_names = []
    execution.clears_side_names = True


def _read_notes(execution: Execution, token: Token) -> None:
    """Add the lines of the text up to ``end{notes}`` to the notes of the period."""
    lines = execution.tokens.notes()
    if lines is None:
        raise Fault("period-notes-end")
    execution.parts.notes += lines
    if len(lines) > NOTE_LINES:
        named = {"count": len(lines), "most": NOTE_LINES}
        execution.report("period-notes-long", token, named)


def _print(execution: Execution, _token: Token) -> None:
    """Write the stack to the console in the form of the original program.

    The first line that goes over the bound is replaced by an ellipsis; after it nothing is written.
    """
    is_console_full = execution.console_characters > MAX_PRINTED
    if is_console_full:
        return
    line = " ".join(["/* Stack", *map(print_item, execution.stack), "*/"])
    execution.console_characters += len(line)
    becomes_too_long = execution.console_characters > MAX_PRINTED
    if becomes_too_long:
        line = "/* … */"
    execution.console.append(line)


COMMANDS: dict[str, Callable[[Execution, Token], None]] = {
    "true": _push_true,
    "false": _push_false,
    "nothing": _push_nothing,
    "u*": _push_all_types,
    "r*": _push_all_types,
    "t*": _push_all_types,
    "[": _begin_vector,
    "]": _end_vector,
    "define": _define,
    "utype": _define_type,
    "rtype": _define_type,
    "ttype": _define_type,
    "uname": _add_unit_name,
    "sname": _add_side_name,
    "clear-unit-names": _clear_unit_names,
    "clear-side-names": _clear_side_names,
    "begin{notes}": _read_notes,
    "print": _print,
}
"""What each word does that sets no value; ``end`` is missing, since it ends the section."""
