"""Fixes for vectors of values that have fewer values than there are types.

A person who adds a terrain type to a period, between two others, leaves all vectors of values one
value too short. The values behind the new type then belong to the wrong types::

    "," "forest" "dark green" ttype            ; new
    [ 0 60 90 0 ] t* min-alt                   ; four values for five types

The idea: the fix inserts a value at the position of the new type, and takes that of the type before
it, so that the world stays as it is. Which type is new? Nothing in the text refers to it yet. If as
many types are unused as values are missing, they are the new ones. Otherwise the last types are
taken for new, and further fixes offer the other positions. ``read_traced`` passes the problems of a
period through ``offer_values``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Fix, Problem, TextEdit
from randomizer.systems.xconq.period.checks import TypeDefinitions
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.problem_log import WRONG_COUNTS
from randomizer.systems.xconq.period.renamed_types import unused_types
from randomizer.systems.xconq.period.tokens import Token

_MAX_FIXES = 12
"""The most positions in a vector for which fixes with the missing value are offered."""


def offer_values(
    file: PeriodFile,
    problems: Sequence[Problem],
    period: Period,
    lost_assignments: Sequence[Assignment],
    types: TypeDefinitions,
) -> list[Problem]:
    """Return the problems of a period; those of vectors with too few values have fixes.

    ``file`` is the period's own text; problems of included files stay as they are.
    ``lost_assignments`` are assignments of tables that set nothing, as they have too few values.
    """
    # The assignments with too few values, by the line and column of the word that problems name.
    short_assignments: dict[tuple[int | None, int | None], Assignment] = {
        (assignment.place.line, assignment.place.column): assignment
        for assignment in (*period.assignments, *lost_assignments)
        if assignment.missing_values > 0 and assignment.file.name is None
    }
    if not short_assignments:
        return list(problems)
    new_types = {(new_type.kind, new_type.number) for new_type in unused_types(file, period, types)}
    problems_with_fixes: list[Problem] = []
    for problem in problems:
        fixes: list[Fix] = []
        assignment = short_assignments.get((problem.line, problem.column))
        if problem.code in WRONG_COUNTS and problem.path is None and assignment is not None:
            fixes = _fixes(assignment, period, new_types)
        if fixes:
            problem_with_fixes = replace(problem, fix=fixes[0], other_fixes=tuple(fixes[1:]))
            problems_with_fixes.append(problem_with_fixes)
        else:
            problems_with_fixes.append(problem)
    return problems_with_fixes


def _fixes(
    assignment: Assignment, period: Period, new_types: Collection[tuple[str, int]]
) -> list[Fix]:
    """Return the fixes of a vector, the likeliest first; none if its numbers are not written out.

    ``new_types`` are the kinds and numbers of the types that nothing in the text refers to.
    """
    tokens = assignment.value.number_tokens
    # Of the indices only one is a vector, else ``missing_values`` were 0.
    index = next(index for index in assignment.indices if isinstance(index.value, tuple))
    type_numbers = index.value
    if not tokens or not index.kind or not isinstance(type_numbers, tuple):
        return []
    types = period.types(index.kind)
    if not all(0 <= number < len(types) for number in type_numbers):
        return []
    names = [types[number].name for number in type_numbers]
    count = assignment.missing_values

    # The positions in the vector of the types that have no value.
    positions = []
    for position, number in enumerate(type_numbers):
        if (index.kind, number) in new_types:
            positions.append(position)
    if len(positions) != count:
        positions = list(range(len(names) - count, len(names)))
    fixes = [_fix(assignment.file, _slots(names, tokens, positions))]
    if count == 1:
        for position in range(min(len(names), _MAX_FIXES)):
            if position not in positions:
                fixes.append(_fix(assignment.file, _slots(names, tokens, [position])))
    return fixes


class _Slot(NamedTuple):
    """The place of one type in a vector."""

    type_name: str

    token: Token | None
    """The value that the text has for the type; None where the fix is to write one."""


def _slots(
    names: Sequence[str], tokens: Sequence[Token], empty_positions: Collection[int]
) -> list[_Slot]:
    """Return the slots of a vector, of which those at ``empty_positions`` have no value.

    ``names`` are those of the types, ``tokens`` the values for the other slots, in their order.
    """
    slots = []
    remaining_tokens = iter(tokens)
    for position, name in enumerate(names):
        token = None
        if position not in empty_positions:
            token = next(remaining_tokens)
        slots.append(_Slot(name, token))
    return slots


def _fix(file: PeriodFile, slots: Sequence[_Slot]) -> Fix:
    """Return the fix that writes a value into each empty slot of a vector: that of the slot before.

    The first slot has none before it, and gets the value of the first that has one.
    """
    filled_slots = [(slot.type_name, slot.token) for slot in slots if slot.token is not None]
    first_name, first_token = filled_slots[0]
    neighbour_name = first_name
    neighbour_token = first_token
    offset = first_token.start
    values_by_offset: dict[int, list[str]] = defaultdict(list)  # several may go to one place
    titles = []
    for slot in slots:
        if slot.token is not None:
            neighbour_name = slot.type_name
            neighbour_token = slot.token
            offset = slot.token.end
        else:
            value = str(neighbour_token.value)
            values_by_offset[offset].append(value)
            titles.append(f"Write {value} for {slot.type_name}, as for {neighbour_name}")

    edits: list[TextEdit] = []
    for offset, values in values_by_offset.items():
        if offset == first_token.start:
            text = f"{' '.join(values)} "
        else:
            text = f" {' '.join(values)}"
        edits.append(TextEdit(*file.place(offset, offset), text))
    title = titles[0]
    if len(titles) > 1:
        new_names = listed([slot.type_name for slot in slots if slot.token is None])
        title = f"Write values for {new_names}, as for those beside them"
    return Fix(title, tuple(edits))
