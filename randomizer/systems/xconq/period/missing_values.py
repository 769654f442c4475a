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

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Fix, Problem, TextEdit
from randomizer.systems.xconq.period.checks import TypeDefinitions
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.renamed_types import unused_types
from randomizer.systems.xconq.period.tokens import Token

WRONG_COUNTS = ("period-values-short", "period-vector-lengths")
"""The codes of problems of a vector that has another number of values than there are types.

The first is for a word with one index, the second for a table.
"""

_MOST_FIXES = 12
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
    # The assignments with too few values, by the position of the word that the problems name.
    short_assignments: dict[tuple[int | None, ...], Assignment] = {
        assignment.place: assignment
        for assignment in (*period.assignments, *lost_assignments)
        if assignment.missing_values > 0 and assignment.file.name is None
    }
    if not short_assignments:
        return list(problems)
    new_types = {(new_type.kind, new_type.number) for new_type in unused_types(file, period, types)}
    problems_with_fixes: list[Problem] = []
    for problem in problems:
        place = (problem.line, problem.column, problem.end_line, problem.end_column)
        assignment = short_assignments.get(place)
        if problem.code in WRONG_COUNTS and problem.path is None and assignment is not None:
            fixes = _fixes(assignment, period, new_types)
            if fixes:
                problem = replace(problem, fix=fixes[0], other_fixes=tuple(fixes[1:]))
        problems_with_fixes.append(problem)
    return problems_with_fixes


def _fixes(
    assignment: Assignment, period: Period, new_types: Collection[tuple[str, int]]
) -> list[Fix]:
    """Return the fixes of a vector, the likeliest first; none if its numbers are not written out.

    ``new_types`` are the kinds and numbers of the types that nothing in the text refers to.
    """
    tokens = assignment.value.number_tokens
    vectors = [index for index in assignment.indices if isinstance(index.value, tuple)]
    if not tokens or not vectors:
        return []
    index = vectors[0]  # ``missing_values`` is 0 for several
    if not isinstance(index.value, tuple) or not index.kind:
        return []
    if not all(0 <= number < len(period.types(index.kind)) for number in index.value):
        return []
    names = [period.types(index.kind)[number].name for number in index.value]
    count = assignment.missing_values

    # The positions in the vector of the types that have no value.
    positions = [
        position for position, number in enumerate(index.value) if (index.kind, number) in new_types
    ]
    if len(positions) != count:
        positions = list(range(len(names) - count, len(names)))
    fixes = [_fix(assignment.file, tokens, names, positions)]
    if count == 1:
        for position in range(min(len(names), _MOST_FIXES)):
            if position not in positions:
                fixes.append(_fix(assignment.file, tokens, names, [position]))
    return fixes


def _fix(
    file: PeriodFile, tokens: Sequence[Token], names: Sequence[str], positions: Sequence[int]
) -> Fix:
    """Return the fix that writes values at these positions of a vector, which are ascending.

    ``tokens`` are those of its values so far, ``names`` those of the types at all positions.
    """
    # A new value is that of the type before it. ``new_values`` are the values to write before the
    # token with that index; those with the number of all tokens are written behind the last one.
    new_values: dict[int, list[str]] = defaultdict(list)
    neighbour_names: list[str] = []  # the types whose values are repeated
    old_positions = [position for position in range(len(names)) if position not in positions]
    for position in positions:
        token_index = sum(1 for old_position in old_positions if old_position < position)
        neighbour = max(token_index - 1, 0)  # the first type has none before it
        new_values[token_index].append(str(tokens[neighbour].value))
        neighbour_names.append(names[old_positions[neighbour]])

    edits: list[TextEdit] = []
    for token_index, values in new_values.items():
        text = " ".join(values)
        if token_index == 0:
            start = tokens[0].start
            text = f"{text} "
        else:
            start = tokens[token_index - 1].end
            text = f" {text}"
        edits.append(TextEdit(*file.place(start, start), text))
    new_names = listed([names[position] for position in positions])
    if len(positions) == 1:
        (value,) = new_values[next(iter(new_values))]
        title = f"Write {value} for {new_names}, as for {neighbour_names[0]}"
    else:
        title = f"Write values for {new_names}, as for those beside them"
    return Fix(title, tuple(edits))
