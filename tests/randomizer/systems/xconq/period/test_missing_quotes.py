"""A quote that is missing is one problem, whose fix writes it where it was."""

from __future__ import annotations

from importlib.resources import files

import pytest

from randomizer.model.problems import Severity, apply_fixes, causes
from randomizer.systems.xconq.period.reading import read_traced

TEXT = (files("randomizer.systems.xconq") / "skeleton" / "Untitled.per").read_text("utf-8")
QUOTES = [offset for offset, character in enumerate(TEXT) if character == '"']


@pytest.mark.parametrize("offset", QUOTES)
def test_each_quote_that_is_missing_is_one_error_and_is_written_back(offset):
    text = TEXT[:offset] + TEXT[offset + 1 :]
    (problem,) = causes(read_traced(text).problems)
    assert problem.severity is Severity.ERROR
    assert problem.line == TEXT[:offset].count("\n") + 1
    assert problem.fix is not None
    assert apply_fixes(text, [problem.fix]) == TEXT


@pytest.mark.parametrize("offset", QUOTES)
def test_what_follows_from_a_missing_quote_offers_no_fix(offset):
    text = TEXT[:offset] + TEXT[offset + 1 :]
    problems = read_traced(text).problems
    (cause,) = causes(problems)
    assert not [problem.fixes for problem in problems if problem is not cause and problem.fixes]


def test_a_line_that_no_single_quote_mends_has_no_fix():
    text = TEXT.replace('"s" "ship" "carries', "s ship carries")
    odd = [each for each in read_traced(text).problems if each.code == "period-odd-quotes"]
    assert [each.fix for each in odd] == [None]
    titles = [fix.title for each in read_traced(text).problems for fix in each.fixes]
    assert not [title for title in titles if " for each " in title]
