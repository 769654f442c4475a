"""Long hostile texts take time in proportion to their length.

Each text is so long that what goes back and forth in it would need minutes of processor time; what
does not needs a fraction of a second. Processor time is limited, not the time of the clock.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

import pytest

# Searches by patterns are tried by themselves: what calls them bounds the text before.
from app.features.script.console import _NAMED_LINE
from randomizer.languages.language import SourceText
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.model.settings.metadata import check_metadata
from randomizer.model.things.things import Thing
from randomizer.reading.json_changes import _NUMBERS  # see above
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.script.caret import caret_at
from randomizer.systems.colossus.script.lint import _unended_comment  # see above
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.cordery.dice.dice_names import feature_of
from randomizer.systems.interchange.formats import TMX
from randomizer.systems.xconq.language.completions import _FRAGMENT  # see above
from randomizer.systems.xconq.mapfile.units_section import _BLANK_NAME  # see above
from randomizer.systems.zeroad.engine.tokens import tokens
from randomizer.systems.zeroad.map.shared_spots import check_shared_spots
from randomizer.systems.zeroad.script.script_language import ScriptLanguage
from tests.randomizer.systems.zeroad.map.test_shared_spots import map_with

MAX_S = 20.0
"""Of processor time, for what takes less than one."""

N = 60_000

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "ITIMER_VIRTUAL"), reason="timers of POSIX interrupt a search"
)


@contextmanager
def little_time(max_s: float = MAX_S) -> Iterator[None]:
    """Fail if what is done takes far too much processor time."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"this took {max_s:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, max_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def json_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Unterminated"):
        parse_json(text.encode(), largest=10 * N)


def metadata(players: str) -> tuple[Problem, ...]:
    text = f'{{"settings": {{"Name": "a", "Script": "a.js", "PlayerData": [{players}]}}}}'
    return check_metadata(text)[1]


CASES: dict[str, Callable[[], object]] = {
    "a JSON text that ends behind a backslash": lambda: json_refused('"' + '\\"' * N + "\\"),
    "slashes that begin no regular expression": lambda: sum(1 for _ in tokens("/[" * N)),
    "slashes in brackets": lambda: sum(1 for _ in tokens("(/[" * N)),
    "labels of a script without an end": lambda: Source("LABEL;" * (N // 6)).label_places,
    "labels that touch one another": lambda: Source("(LABEL-" * (N // 7)).label_places,
    "a comment of signs": lambda: list(_unended_comment(Source("#" * N + "\n"))),
    "a long word before the cursor": lambda: caret_at("a" * N + " ", N + 2),
    "a long word of a map script": lambda: ScriptLanguage().completions(
        SourceText("a" * N + " "), 1, N + 2
    ),
    "a long word of a period": lambda: _FRAGMENT.search("a" * N + " "),
    "blanks behind a unit's name": lambda: _BLANK_NAME.fullmatch("i a b" + " " * N),
    "a long name in the console": lambda: list(_NAMED_LINE.finditer("a." * N)),
    "players of a metadata file": lambda: metadata(", ".join(['{"Civ": 1}'] * (N // 6))),
    "a long number of a die": lambda: feature_of("1" * N + "x"),
    "tags that do not end": lambda: XML.recognises(b"<a " * N),
    "elements of maps that do not end": lambda: TMX.recognises(b"<map " * N),
    "a list of numbers that has no end": lambda: _NUMBERS.sub("", "[\n" + "1, " * N),
    "comments that do not end": lambda: XML.recognises(b"<!--" * N),
}


@pytest.mark.parametrize("name", CASES)
def test_a_long_hostile_text_takes_little_time(name: str) -> None:
    with little_time():
        CASES[name]()


def test_the_limit_of_this_file_is_kept() -> None:
    import re

    with pytest.raises(BaseException, match="processor time"), little_time(max_s=0.1):
        re.search(r"(a+)+b", "a" * 60)


def test_many_problems_of_a_long_text_are_placed_without_a_list_of_its_lines() -> None:
    text = "\r\n" * N
    with little_time():
        places = [place_of(text, 2 * line) for line in range(0, N, N // 200)]
    assert places == [(line + 1, 1) for line in range(0, N, N // 200)]
    assert place_of("a\r\nb", 2) == (1, 3)


def test_of_a_metadata_file_with_many_faults_the_first_are_named() -> None:
    found = metadata(", ".join(['{"Civ": 1}'] * 100))
    assert [each.code for each in found].count("metadata-kind") == 20
    assert {each.severity for each in found} == {Severity.WARNING}


@pytest.mark.parametrize("text", ["`a\\", "'a\\", '"\\', "/a\\", "/[a\\", "\\"])
def test_a_script_that_ends_behind_a_backslash_is_cut_into_tokens(text: str) -> None:
    assert "".join(token.text for token in tokens(text)) == text


@pytest.mark.parametrize("template", ["structures/rome/civil_centre", "gaia/tree/oak"])
def test_things_on_shared_spots(template: str) -> None:
    thing = Thing(0, template, 1.0, 1.0)
    things = [replace(thing, x=1.0 + number / 64) for number in range(N // 2)]
    battlemap = map_with(*things, *things)
    with little_time():
        assert list(check_shared_spots(battlemap))
