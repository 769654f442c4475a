"""Completion and help for what the game gives to random map scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.script_hosts import CompletesWords, ExplainsWords
from randomizer.systems.zeroad import script_host
from randomizer.systems.zeroad.engine_words import ENGINE, GLOBALS, SETTINGS
from randomizer.systems.zeroad.script_host import completions, help_at

NOTHING: dict[str, str] = {}


def offered(row: str) -> list[str]:
    """The words that are offered at the end of the second line."""
    return [each.word for each in completions(f"// first\n{row}", 2, len(row) + 1, NOTHING)]


def test_the_host_completes_and_explains_words() -> None:
    assert isinstance(script_host, CompletesWords)
    assert isinstance(script_host, ExplainsWords)


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
    ],
)
def test_words_that_fit_are_offered(row: str, words: list[str]) -> None:
    assert offered(row) == words


def test_what_is_offered_replaces_what_is_written_of_it() -> None:
    (offer,) = completions("Engine.LoadLib", 1, 15, NOTHING)
    assert (offer.text, offer.replaces, offer.kind) == ("LoadLibrary", 7, "call")
    assert "maps/random/name/" in offer.help


def test_help_is_on_the_word_at_a_place() -> None:
    text = 'log(1);\nEngine.LoadLibrary("a"); my.log(Engine);'
    assert str(help_at(text, 1, 2, NOTHING)).startswith("log(text)")
    assert str(help_at(text, 2, 9, NOTHING)).startswith("LoadLibrary(name)")
    assert str(help_at(text, 2, 1, NOTHING)).startswith("Engine:")
    assert help_at(text, 2, 30, NOTHING) is None, "another's log"
    assert help_at(text, 9, 1, NOTHING) is None


@settings(max_examples=40)
@given(st.text("En.gie /\n(x_$", max_size=30), st.integers(0, 5), st.integers(0, 12))
def test_any_text_and_place_can_be_asked_for(text: str, line: int, column: int) -> None:
    for offer in completions(text, line, column, NOTHING):
        assert 0 <= offer.replaces <= max(0, column - 1)
    help_at(text, line, column, NOTHING)
