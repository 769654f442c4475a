"""Broken and doubtful scripts (tests/data/colossus/broken): problems located, fixes true."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import Severity, apply_fix, split_lines
from randomizer.systems.colossus.script.lint import check_script
from randomizer.systems.colossus.script.message_texts import messages
from tests.randomizer.systems.colossus.script_strategies import scripts

FOLDER = Path(__file__).resolve().parents[3] / "data" / "colossus" / "broken"
EXPECTED = json.loads((FOLDER / "expected.json").read_text("utf-8"))
TEXTS = {name: (FOLDER / f"{name}.rnd").read_bytes().decode("utf-8") for name in EXPECTED}


def as_data(text):
    """The problems of a text in the form of expected.json; ``at`` is the text they point at."""
    lines = split_lines(text)
    return [
        {
            "line": p.line,
            "column": p.column,
            "severity": str(p.severity),
            "code": p.code,
            "at": lines[p.line - 1][p.column - 1 : p.end_column - 1],
            "fix": p.fix and p.fix.title,
        }
        for p in check_script(text)
    ]


def errors(text):
    return sum(problem.severity is Severity.ERROR for problem in check_script(text))


def test_every_script_of_the_folder_is_described():
    assert {path.stem for path in FOLDER.glob("*.rnd")} == set(EXPECTED)
    assert len(EXPECTED) >= 20


@pytest.mark.parametrize("name", EXPECTED)
def test_problems_stand_where_they_are(name):
    assert as_data(TEXTS[name]) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_fix_cures_its_problem_and_adds_no_error(name):
    text = TEXTS[name]
    problems = check_script(text)
    before = Counter(problem.code for problem in problems)
    for problem in problems:
        for fix in problem.fixes:
            cured = apply_fix(text, fix)
            after = Counter(p.code for p in check_script(cured))
            shown = format_problem(problem, split_lines(text))
            assert after[problem.code] < before[problem.code], shown
            assert errors(cured) <= errors(text), shown


@pytest.mark.parametrize("name", EXPECTED)
def test_fixing_one_after_the_other_comes_to_an_end(name):
    text = TEXTS[name]
    for _ in range(100):
        fixes = [problem.fix for problem in check_script(text) if problem.fix]
        if not fixes:
            break
        text = apply_fix(text, fixes[0])
    assert fixes == []


@given(scripts)
def test_fixes_of_doubtful_scripts_add_no_error(text):
    for problem in check_script(text):
        for fix in problem.fixes:
            assert errors(apply_fix(text, fix)) == 0, problem


@pytest.mark.deep
@given(scripts, st.data())
def test_fixes_of_torn_scripts_add_no_error(text, data):
    start = data.draw(st.integers(0, len(text)))
    text = text[:start] + text[start + data.draw(st.integers(1, 5)) :]
    for problem in check_script(text):
        for fix in problem.fixes:
            assert errors(apply_fix(text, fix)) <= errors(text), (text, problem)


class TestMessages:
    def test_every_known_problem_is_shown_by_a_script_or_tested_elsewhere(self):
        elsewhere = {
            "file-too-large",
            "file-is-binary",
            "file-is-latin-1",
            "byte-order-mark",
            "comment-inside-statement",
            "empty-script",
            "nested-too-deep",
            "too-many-problems",
        }
        shown = {row["code"] for rows in EXPECTED.values() for row in rows}
        assert shown | elsewhere == set(messages()["problems"])

    def test_every_problem_has_its_words(self):
        for code, entry in messages()["problems"].items():
            assert set(entry) - {"other"} == {"severity", "message", "fix", "help"}, code
            assert Severity(entry["severity"])
            assert entry["help"].endswith(".")

    def test_every_word_of_the_language_has_help_and_an_example_without_problems(self):
        for word, entry in messages()["words"].items():
            assert word in entry["example"]
            example = entry["example"]
            frames = {
                "HAZARDS": f"AREA (anywhere) {example}",
                "HEXSIDES": f"PAIR (Bog,*)(Plains,*) {example}",
                "SOMEOF": f"LABEL x1x = {example}",
                "SUBSTRACT": f"LABEL x1x = {example}",
                "SURROUNDINGSOF": f"LABEL x1x = {example}",
            }
            assert errors(frames.get(word, example)) == 0, word
