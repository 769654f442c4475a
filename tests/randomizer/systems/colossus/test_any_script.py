"""Any text at all, and what the game makes of it: nothing raises, and we agree with the game."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problems import has_errors
from randomizer.systems.colossus.script.lint import check_script
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.syntax import Span
from tests.randomizer.systems.colossus.recorded import (
    ADVERSARIAL,
    NAMES,
    REFERENCE,
    needs_recordings,
    text_of,
)
from tests.randomizer.systems.colossus.script_strategies import scripts

WORDS = [
    *("AREA", "LABEL", "PAIR", "STARTLIST", "TOWER", "TITLE", "SUBTITLE", "HAZARDS", "HEXSIDES"),
    *("SOMEOF", "SUBSTRACT", "SUBTRACT", "SURROUNDINGSOF", "leftover", "usedup", "inside"),
    *("Area", "hazard", "D4", "A5", "d7", "G1", "x", "X", "Bog", "Brush", "b1x", "é", "e2", "@"),
    *("1", "50", "99999999999", "50.", "1.5", ".5", "*", '"Bog"', '"Two-Part"', '""', '"', "“"),
    *("(", ")", "(", ")", ",", ",", "-", "=", "#", "\\", "\ufeff", "\u00a0", '"Bog Lake"'),
    *("\n", "\n", "\n", "\r", "\r\n", "\t", " "),
]


class TestNothingRaises:
    @given(st.lists(st.sampled_from(WORDS), max_size=30), st.sampled_from(["", " "]))
    def test_any_words_in_any_order(self, words, between):
        text = between.join(words)
        self.judge(text)

    @given(st.text(max_size=80))
    def test_any_text(self, text):
        self.judge(text)

    @given(scripts, st.data())
    def test_a_script_with_a_piece_torn_out(self, text, data):
        start = data.draw(st.integers(0, len(text)))
        self.judge(text[:start] + text[start + data.draw(st.integers(1, 9)) :])

    def judge(self, text):
        source = Source(text)
        for problem in check_script(text):
            span = Span(problem.line, problem.column, problem.end_line, problem.end_column)
            start, end = source.offsets(span)
            assert 0 <= start < end <= len(text) or not text
            for edit in problem.fix.edits if problem.fix else ():
                place = Span(edit.line, edit.column, edit.end_line, edit.end_column)
                assert source.span(*source.offsets(place)) == place


OUR_EXTENSIONS = {
    "AREA D4 HAZARDS r\n": "the document's letters",
    'AREA D4 HAZARDS "r"\n': "a letter in quotes is a letter",
    "AREA D4 HAZARDS Bog,25.,25.,50.\n": "the document's odds without a probability",
    "LABEL x = D4\n": "the document's labels of one letter",
    "# comment": "a last line need not end",
    "AREA D4 HAZARDS Bog # comment": "a last line need not end",
}
"""What the game refuses and we take on purpose (with a warning), and why."""


@needs_recordings
class TestAgainstTheGame:
    def probes(self):
        return json.loads((REFERENCE / "grammar_probes.json").read_text("utf-8"))["probes"]

    def test_every_probe_that_the_game_accepts_is_accepted(self):
        for probe in self.probes():
            if not any("error" in outcome for outcome in probe["outcomes"]):
                assert not has_errors(parse(probe["rnd"]).problems), probe["rnd"]

    def test_every_probe_that_the_game_refuses_has_an_error_or_is_an_extension_of_ours(self):
        for probe in self.probes():
            if any("error" in outcome for outcome in probe["outcomes"]):
                found = check_script(probe["rnd"])
                assert found, probe["rnd"]
                assert has_errors(found) != (probe["rnd"] in OUR_EXTENSIONS), probe["rnd"]

    def test_the_games_own_scripts_have_only_the_warnings_that_are_known(self):
        known = {
            "Custom_Beach": {"hazard-alias"},
            "Mountains": {"elevation-looks-like-probability"},
            "Tower": {"startlist-fails-in-game"},
        }
        for name in NAMES:
            found = {p.code for p in check_script(text_of(name)) if p.severity != "hint"}
            assert found == known.get(name, set()), name

    def test_hints_on_the_games_own_scripts_are_about_labels(self):
        for name in NAMES:
            hints = {p.code for p in check_script(text_of(name)) if p.severity == "hint"}
            assert hints <= {"label-never-used", "label-redefined-unused"}, name

    def test_the_hard_scripts_are_read_whole(self):
        bad = {"adv21_err_title_hyphen", "adv24_err_split_line"}
        for name in ADVERSARIAL:
            assert has_errors(parse(text_of(name)).problems) == (name in bad), name
