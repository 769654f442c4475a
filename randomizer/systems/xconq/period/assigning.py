"""Executes the words of the period language that set a value, such as ``speed``.

The value stands before the word, then the *indices*, the types for which it is set. Each of them is
a number or a vector of numbers::

    1 i speed                       one value for one type
    1 [ i a ] speed                 one value for each of several types
    [ 3 2 ] [ i a ] speed           a value for each type of a vector as long
    [ 3 2 ] land [ i a ] favored    with two indices: one of them may be a vector
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.period.arguments import (
    KIND_NAMES,
    reorder_arguments,
    values_of_wrong_argument,
)
from randomizer.systems.xconq.period.execution import Execution
from randomizer.systems.xconq.period.faults import Fault
from randomizer.systems.xconq.period.objects import Assignment, Item
from randomizer.systems.xconq.period.period import Numbers
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.value_store import OUTSIDE
from randomizer.systems.xconq.period.words import NOTHING, Word


def assign(execution: Execution, word: Word, token: Token) -> None:
    """Take the value and the indices of a word from the stack, check them and set the value.

    Raises Fault if nothing can be set.
    """
    count = len(word.arguments)
    # An optional index is missing if there are too few objects on the stack that can be arguments.
    if word.optional is not None and not _has_numbers(execution, count):
        count -= 1
    value, *indices = execution.pop(count, word.name)
    _check_value(word, value)

    # Where the optional index is missing, those that are there are the last ones of the word.
    index_arguments = range(len(word.arguments) - len(indices), len(word.arguments))
    index_kinds = word.last_indices(len(indices))
    if indices:
        arguments = (0, *index_arguments)
        kinds = (word.arguments[0], *index_kinds)
        _warn_of_kind(execution, word, arguments, kinds, (value, *indices))
    index_vectors = []
    for argument, kind, index in zip(index_arguments, index_kinds, indices, strict=True):
        index_vectors.append(_type_numbers(execution, word, argument, kind, index))

    assignment = Assignment(word.name, token, value, tuple(indices), execution.file)
    try:
        _set_value(execution, word, token, value, index_vectors)
    except Fault:
        # It is kept all the same: a fix can give its vector the values that are missing.
        execution.parts.lost_assignments.append(assignment)
        raise
    execution.parts.assignments.append(assignment)


def _has_numbers(execution: Execution, count: int) -> bool:
    """Return whether so many objects on top of the stack are numbers and vectors."""
    top = execution.stack[-count:]
    return len(top) == count and all(isinstance(item.value, int | tuple) for item in top)


def _check_value(word: Word, item: Item) -> None:
    """Raise Fault if the value is a text where the word takes numbers, or the reverse."""
    if word.arguments[0] == "str":
        is_fitting = isinstance(item.value, str)
    else:
        is_fitting = isinstance(item.value, int | tuple)
    if not is_fitting:
        raise Fault("period-argument", **values_of_wrong_argument(word, 0, item))


def _warn_of_kind(
    execution: Execution,
    word: Word,
    arguments: Sequence[int],
    kinds: Sequence[str],
    items: Sequence[Item],
) -> None:
    """Warn of the first object that is a type of another kind than the word takes there.

    Each object is the argument of that index in ``Word.arguments``, and should be of that kind.
    Types are numbers, so the value can be set all the same; but ``1 sea speed`` is a mistake.
    """
    for argument, kind, item in zip(arguments, kinds, items, strict=True):
        if item.kind and item.kind != kind:
            named = values_of_wrong_argument(word, argument, item)
            fix = reorder_arguments(execution.file, items, kinds)
            execution.report("period-argument-kind", item.first, named, fix)
            return


def _type_numbers(
    execution: Execution, word: Word, argument: int, kind: str, item: Item
) -> Numbers:
    """Return the types of an index: an array without dimensions for one, else a vector.

    ``argument`` is the position of the index in ``Word.arguments``, ``kind`` the kind of its types.
    A number that is no type is reported and becomes ``OUTSIDE``. Raises Fault for a text and for
    ``nothing``.
    """
    if not isinstance(item.value, int | tuple):
        raise Fault("period-argument", **values_of_wrong_argument(word, argument, item))
    count = len(execution.parts.type_definitions[kind])
    type_numbers = np.array(item.value, np.int32)
    is_outside = (type_numbers < 0) | (type_numbers >= count)
    if not is_outside.any():
        return type_numbers

    first_outside = int(type_numbers[is_outside].flat[0])
    if first_outside == NOTHING:
        raise Fault("period-index-nothing")
    # A type of another kind has its warning already.
    if item.kind in ("", kind):
        named = {"index": first_outside, "kind": KIND_NAMES[kind], "count": count}
        execution.report("period-index", item.first, named)
    type_numbers[is_outside] = OUTSIDE
    return type_numbers


def _set_value(
    execution: Execution, word: Word, token: Token, item: Item, index_vectors: list[Numbers]
) -> None:
    """Set the value ``item`` of a word for the types of its indices.

    ``index_vectors`` are arrays as ``_type_numbers`` returns them, none for a word without indices.
    """
    values = execution.parts.values
    value = item.value
    if not index_vectors:
        if isinstance(value, int | str):
            values.set_single(word, value)
        else:
            execution.report("period-vector-alone", token, values_of_wrong_argument(word, 0, item))
    elif isinstance(value, str):
        units = index_vectors[-1].ravel().tolist()
        values.set_texts(word, units, value)
    else:
        numbers = np.array(value, np.int32)
        if numbers.ndim == 1:
            numbers, index_vectors = _match_lengths(execution, word, token, numbers, index_vectors)
        values.set_numbers(word, numbers, index_vectors)


def _match_lengths(
    execution: Execution, word: Word, token: Token, values: Numbers, index_vectors: list[Numbers]
) -> tuple[Numbers, list[Numbers]]:
    """Return a vector of values, and the indices, of which the only vector is as long.

    Raises Fault if no index is a vector, or if two are. If the lengths differ, a word with two
    indices raises Fault as well. For one with a single index the longer of both is cut, and that is
    reported: the original program sets as many as there are values.
    """
    vectors = [index_vector for index_vector in index_vectors if index_vector.ndim == 1]
    if not vectors:
        raise Fault("period-vector-value", word=word.name, found="none")
    if len(vectors) > 1:
        raise Fault("period-vector-value", word=word.name, found="two vectors of indices")
    type_numbers = vectors[0]
    if len(values) == len(type_numbers):
        return values, index_vectors

    counts = {
        "values": counted(len(values), "value"),
        "indices": counted(len(type_numbers), "type"),
    }
    if len(index_vectors) > 1:
        raise Fault("period-vector-lengths", word=word.name, **counts)
    execution.report("period-values-short", token, {"word": word.name, **counts})
    common_length = min(len(values), len(type_numbers))
    return values[:common_length], [type_numbers[:common_length]]
