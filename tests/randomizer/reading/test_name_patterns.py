"""The expressions by which worlds of Tiled name files: as Python's, but in bounded time."""

from __future__ import annotations

import re

import pytest

from randomizer.reading.name_patterns import NamePattern

NAMES = [
    "",
    "map.tmx",
    "map1-2.tmx",
    "map01-02.tmx",
    "ow-p0003-n0012-o0000.tmx",
    "a-b_c d.tmx",
    "aa",
]
PATTERNS = [
    r"map(\d+)-(\d+)\.tmx",
    r"ow-p0*(\d+)-n0*(\d+)-o0000\.tmx",
    r"^map.*\.tmx$",
    r"^a{2}$",
    r"^a{1,}$",
    r"^(?:map|ow)[^-]*?-",
    r"[a-c]_[abc]",
    r"[\d-]+\.",
    r"\w\s\w",
    r"^\D*$",
    r"(?<x>\d)\d",
    r"^(a|b)*$",
    r"^.{0,4}$",
    r"x?",
    r"[]a]",
    r"q|",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_same_names_fit_as_for_python(pattern):
    python_pattern = re.compile(pattern.replace("?<", "?P<"))
    for name in NAMES:
        assert NamePattern(pattern).is_found_in(name) is (
            python_pattern.search(name) is not None
        ), name


@pytest.mark.parametrize(
    "pattern",
    [r"^(a+)+$", r"^(a|a)*$", r"^(a*)*b$", r"^(.*.*.*.*)*x$", r"((((.?){999}){999}){999})x"],
)
def test_what_takes_python_for_ever_ends(pattern):
    assert not NamePattern(pattern).is_found_in("a" * 200 + "!")


def test_repeats_that_take_a_letter_each_on_ten_levels_end():
    pattern = "(.(.(.(.(.(.(.(.(.(.)*)*)*)*)*)*)*)*)*)*x$"
    assert not NamePattern(pattern).is_found_in("a" * 60)
    assert NamePattern(pattern).is_found_in("a" * 60 + "x")


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a(b",
        "[a",
        "*a",
        "a**",
        "\\",
        r"\1",
        r"(?=a)",
        "a{3,2}",
        "a{9999}",
        "(" * 20,
        "a" * 600,
    ],
)
def test_what_is_not_known_is_refused_in_words(pattern):
    with pytest.raises(ValueError, match=r".+"):
        NamePattern(pattern)
