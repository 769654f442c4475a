"""Numbers of JSON texts that Python would read as infinite."""

from __future__ import annotations

import pytest

from randomizer.model.basics.bounded_json import parse_json


@pytest.mark.parametrize("number", ["1e400", "-1E+999", f"{'9' * 310}.0", f"{'9' * 250}e99"])
def test_a_number_that_no_float_holds_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match="too large"):
        parse_json(f'{{"x": [{number}]}}'.encode(), largest=1000)


@pytest.mark.parametrize(("number", "value"), [("1e300", 1e300), ("1e-400", 0.0), ("2.5", 2.5)])
def test_other_numbers_are_what_they_say(number: str, value: float) -> None:
    assert parse_json(f"[{number}]".encode(), largest=1000) == [value]
