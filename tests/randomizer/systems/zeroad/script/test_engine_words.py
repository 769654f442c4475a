"""Completion and help for what the game gives to random map scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.languages.language import SourceText
from randomizer.systems.zeroad.script.engine_words import ENGINE, GLOBALS, SETTINGS
from randomizer.systems.zeroad.script_host import HOST

LANGUAGE = HOST.language


def offered(row: str) -> list[str]:
    """The words that are offered at the end of the second line."""
    return [
        completion.word
        for completion in LANGUAGE.completions(SourceText(f"// first\n{row}"), 2, len(row) + 1)
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Engine.Lo", ["LoadLibrary", "LoadHeightmapImage", "LoadMapTerrain"]),
        (
            "x = Engine.templ",
            ["TemplateExists", "GetTemplate", "FindTemplates", "FindActorTemplates"],
        ),
        ("const n = settings.Pl", ["PlayerData"]),
        ("mapSettings.", list(SETTINGS)),
        ("Engine.", list(ENGINE)),
        ("", list(GLOBALS)),
        ("my.Lo", []),
        ("my.Engine.Lo", []),
        ("f().lo", []),
        ("// Engine.Lo", []),
        ('log("http://x"); Engine.LoadL', ["LoadLibrary"]),
        ("/* Engine.LoadL", []),
        ("/* ended */ Engine.LoadL", ["LoadLibrary"]),
        ("x = 3 / 4; Engine.LoadL", ["LoadLibrary"]),
    ],
)
def test_words_that_fit_are_offered(row: str, words: list[str]) -> None:
    assert offered(row) == words


def test_what_is_offered_replaces_what_is_written_of_it() -> None:
    (offer,) = LANGUAGE.completions(SourceText("Engine.LoadLib"), 1, 15)
    assert (offer.text, offer.replaces, offer.kind) == ("LoadLibrary", 7, "call")
    assert "maps/random/name/" in offer.help


def test_nothing_is_offered_in_a_comment_of_several_lines() -> None:
    text = "/* first\nEngine.LoadL\n*/\nEngine.LoadL"
    assert LANGUAGE.completions(SourceText(text), 2, 13) == ()
    assert LANGUAGE.completions(SourceText(text), 4, 13) != ()


def test_help_is_on_the_word_at_a_place() -> None:
    text = 'log(1);\nEngine.LoadLibrary("a"); my.log(Engine);'
    assert str(LANGUAGE.help_at(SourceText(text), 1, 2)).startswith("log(text)")
    assert str(LANGUAGE.help_at(SourceText(text), 2, 9)).startswith("LoadLibrary(name)")
    assert str(LANGUAGE.help_at(SourceText(text), 2, 1)).startswith("Engine:")
    assert LANGUAGE.help_at(SourceText(text), 2, 30) is None, "another's log"
    assert LANGUAGE.help_at(SourceText(text), 9, 1) is None


@settings(max_examples=40)
@given(st.text("En.gie /\n(x_$", max_size=30), st.integers(0, 5), st.integers(0, 12))
def test_any_text_and_place_can_be_asked_for(text: str, line: int, column: int) -> None:
    for offer in LANGUAGE.completions(SourceText(text), line, column):
        assert 0 <= offer.replaces <= max(0, column - 1)
    LANGUAGE.help_at(SourceText(text), line, column)
