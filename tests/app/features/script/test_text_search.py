"""Where the hits of a search are."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from app.features.script.text_search import Query, find_hits

GRIN = "\N{GRINNING FACE}"


@pytest.mark.parametrize(
    ("text", "pattern", "hits"),
    [
        ("one\n\ntwo", "x*", []),
        ("one\n\ntwo", "$", []),
        ("", "^", []),
        ("aab\n\nba", "a*", ["aa", "a"]),
        ("one two", r"\b", []),
        ("one # two\nthree", "[^#]*", ["one ", " two", "three"]),
        (f"{GRIN}b{GRIN}", "b*", ["b"]),
        (f"{GRIN}b{GRIN}", GRIN, [GRIN, GRIN]),
    ],
)
def test_an_expression_that_can_match_nothing_has_the_hits_that_are_something(
    qapp, text, pattern, hits
):
    document = QTextDocument(text)
    spans = [hit[:2] for hit in find_hits(document, Query(pattern, is_regex=True))]
    units = text.encode("utf-16-le")
    assert [units[2 * start : 2 * end].decode("utf-16-le") for start, end in spans] == hits
