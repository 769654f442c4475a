"""Values set by words with one and two indices, compared with plain loops over the same rules."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.problems import has_errors
from tests.randomizer.systems.xconq.period.texts import read

UNITS = 3
INDEX = st.one_of(
    st.integers(0, UNITS - 1), st.lists(st.integers(0, UNITS - 1), min_size=1, max_size=4)
)
VALUE = st.one_of(st.integers(1, 99), st.lists(st.integers(1, 99), min_size=1, max_size=4))

Object = int | list[int]


def written(item: Object) -> str:
    return f"[ {' '.join(map(str, item))} ]" if isinstance(item, list) else str(item)


def listed(item: Object) -> list[int]:
    return item if isinstance(item, list) else [item]


def plain_row(row: list[int], value: Object, index: Object) -> bool:
    """Set values of a row; whether the rules allow it."""
    if isinstance(value, list):
        if not isinstance(index, list):
            return False
        for one, at in zip(value, index, strict=False):
            row[at] = one
        return True
    for at in listed(index):
        row[at] = value
    return True


def plain_table(table: list[list[int]], value: Object, inner: Object, unit: Object) -> bool:
    """Set values of a table, [unit][inner]; whether the rules allow it."""
    vectors = [each for each in (inner, unit) if isinstance(each, list)]
    if isinstance(value, list) and (len(vectors) != 1 or len(vectors[0]) != len(value)):
        return False
    for at_unit, one_unit in enumerate(listed(unit)):
        for at_inner, one_inner in enumerate(listed(inner)):
            at = at_unit if isinstance(unit, list) else at_inner
            table[one_unit][one_inner] = value[at] if isinstance(value, list) else value
    return True


@given(st.lists(st.tuples(VALUE, INDEX), max_size=6))
@settings(max_examples=40)
def test_rows(assignments):
    row = [0] * UNITS
    lines = []
    allowed = True
    for value, index in assignments:
        lines.append(f"{written(value)} {written(index)} volume")
        allowed &= plain_row(row, value, index)
    reading = read("\n".join(lines))
    assert has_errors(reading.problems) != allowed
    assert reading.period.row("volume").tolist() == row


@given(st.lists(st.tuples(VALUE, INDEX, INDEX), max_size=6))
@settings(max_examples=40)
def test_tables(assignments):
    table = [[0] * UNITS for _ in range(UNITS)]
    lines = []
    allowed = True
    for value, inner, unit in assignments:
        lines.append(f"{written(value)} {written(inner)} {written(unit)} hit")
        allowed &= plain_table(table, value, inner, unit)
    reading = read("\n".join(lines))
    assert has_errors(reading.problems) != allowed
    assert reading.period.table("hit").tolist() == table
    for number, assignment in enumerate(reading.period.assignments):
        assert assignment.word == ("speed" if number == 0 else "hit")


@given(st.lists(st.tuples(VALUE, INDEX, INDEX), min_size=1, max_size=4))
@settings(max_examples=40)
def test_the_number_that_set_a_value_is_its_value(assignments):
    lines = [f"{written(value)} {written(a)} {written(b)} hit" for value, a, b in assignments]
    period = read("\n".join(lines)).period
    table = period.table("hit")
    for unit in range(UNITS):
        for inner in range(UNITS):
            found = period.assigned("hit", unit, inner)
            assert (found is None) == (table[unit, inner] == 0)
            token = None if found is None else found.number_token(unit, inner)
            assert token is None or token.value == table[unit, inner]
