"""Real and adversarial periods: the values that the original program had after loading them."""

from __future__ import annotations

import re

import pytest

from randomizer.model.problems import Severity, apply_fix, has_errors
from randomizer.systems.xconq.language.dump import dump_lines
from randomizer.systems.xconq.period.reading import read_period, reading_of
from randomizer.systems.xconq.period.words import words
from tests.randomizer.systems.xconq.period.texts import (
    DUMPS,
    adversarial_texts,
    corpus_texts,
    needs_recordings,
)

pytestmark = needs_recordings

OVERRUN = {
    "fantasy": {"guard"},
    "future": {"in-length", "out-length", "consume-as-occupant"},
    "money": {"attack-worth", "defense-worth", "explore-worth"},
}
"""Words whose recorded values another word wrote: the original program checks no index."""

BUILT_IN_NAMES = re.compile(r"snames (\d+) unames (\d+)")


def recorded(name: str) -> list[str]:
    return (DUMPS / f"{name}.per.dump").read_text("latin-1").splitlines()


@pytest.mark.parametrize("name", sorted(path.name[:-9] for path in DUMPS.glob("*.per.dump")))
def test_a_real_period_has_the_recorded_values(name):
    texts = corpus_texts()
    result = read_period(texts[f"{name}.per"], None, texts)
    wanted = recorded(name)
    known = {line.split()[0] for line in wanted} - OVERRUN.get(name, set()) - {"snames"}
    shown = [line for line in dump_lines(result.period) if line.split()[0] in known]
    assert shown == [line for line in wanted if line.split()[0] in known]


@pytest.mark.parametrize("name", ["Uwe", "Heinz", "standard"])
def test_names_that_replace_the_built_in_ones_are_counted(name):
    counts = BUILT_IN_NAMES.search("\n".join(recorded(name)))
    period = read_period(corpus_texts()[f"{name}.per"]).period
    assert (len(period.side_names), len(period.unit_names)) == (int(counts[1]), int(counts[2]))


def test_recorded_words_are_in_the_table():
    shown = {line.split()[0] for line in recorded("simplest")} - {"snames", "unames", "note"}
    assert shown <= set(words())


@pytest.mark.parametrize("name", ["Uwe", "standard2"])
def test_where_the_original_warns_the_word_is_known_here(name):
    """Both use words that 5.5 does not know: of the fork, and names of an included period."""
    messages = (DUMPS / f"{name}.per.err").read_text("latin-1")
    undefined = set(re.findall('undefined word "(.*?)"', messages))
    texts = corpus_texts()
    reading = reading_of(texts[f"{name}.per"], None, texts)
    assert not has_errors(reading.problems)
    named = {"standard2": "period-included-name"}.get(name, "period-left-over")
    assert named in {problem.code for problem in reading.problems}
    assert undefined <= set(words()) | set(reading_of(texts["standard.per"]).names)


ERRORS = {
    "06a_vss": "vector-value",
    "06b_vvv": "vector-value",
    "06d_vs_1d": "vector-value",
    "06f_vsv_2d_short": "vector-lengths",
    "07a_underflow": "underflow",
    "07c_undefined_then_use": "underflow",
    "07d_overflow": "overflow",
    "13_tokens": "number-range",
    "14_vectors": "vector-item",
}
WARNINGS = {
    # The document is silent; three real periods need it (wizard, money, autest).
    "06e_vv_1d_short": "values-short",
    "07b_undefined": "undefined-word",
    "12d_doc_generic": "undefined-word",
    "15_redefine": "redefined",
    "16b_extension1_names": "included-name",
}
CLEAN = ("06c_legal2d", "16a_extension1", "base", "basedef", "empire")


def test_every_adversarial_period_is_tried():
    names = {name.removesuffix(".per") for name in adversarial_texts() if name.endswith(".per")}
    assert names == {*ERRORS, *WARNINGS, *CLEAN}


@pytest.mark.parametrize(
    ("severity", "name", "code"),
    [
        *((Severity.ERROR, *each) for each in ERRORS.items()),
        *((Severity.WARNING, *each) for each in WARNINGS.items()),
    ],
)
def test_an_adversarial_period_has_its_problem(severity, name, code):
    texts = adversarial_texts()
    result = read_period(texts[f"{name}.per"], None, texts)
    assert (severity, f"period-{code}") in {
        (problem.severity, problem.code) for problem in result.problems
    }
    assert (result.period is None) == (severity is Severity.ERROR)


def test_the_example_of_the_document_is_right_after_its_fix():
    text = adversarial_texts()["12d_doc_generic.per"]
    (problem,) = read_period(text).problems
    result = read_period(apply_fix(text, problem.fix))
    assert result.problems == ()
    assert result.period.font == "standard"


@pytest.mark.parametrize("name", CLEAN)
def test_a_good_period_has_no_problem(name):
    texts = adversarial_texts()
    result = read_period(texts[f"{name}.per"], None, texts)
    assert result.problems == ()
    assert result.period is not None
