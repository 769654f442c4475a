"""What scripts mean: their tokens, the syntax tree, and recovery from bad statements."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.scripts import script_host
from randomizer.languages.language import SourceText
from randomizer.model.problems import has_errors
from randomizer.systems.colossus.generator import RndGenerator, packaged
from randomizer.systems.colossus.script.parser import (
    CONTINUATION_TOKENS,
    LARGEST_DEPTH,
    PROBLEM_LIMIT,
    parse,
)
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.stored_tree import decoded_tree, encoded_tree
from randomizer.systems.colossus.script.syntax import (
    STAR,
    Area,
    HexItem,
    Label,
    LabelItem,
    Pair,
    RangeItem,
    SomeOf,
    Span,
    StartList,
    Subtract,
    SurroundingsOf,
    Title,
    Tower,
)
from randomizer.systems.colossus.script.tokens import tokens
from randomizer.systems.colossus.terrain_set import HAZARD_OF_LETTER
from tests.randomizer.systems.colossus.script_strategies import scripts, statements


def good(text):
    """The statements of a script that has no problem at all."""
    parsed = parse(text)
    assert parsed.problems == ()
    return parsed.script.statements


def one(text):
    (statement,) = good(text)
    return statement


def codes(text):
    return [problem.code for problem in parse(text).problems]


def without_places(node):
    """A syntax tree as plain tuples, spans left out."""
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    if not is_dataclass(node):
        return node
    found = [getattr(node, f.name) for f in fields(node) if "span" not in f.name]
    return (type(node).__name__, *map(without_places, found))


class TestLists:
    def test_a_list_keeps_the_order_of_the_text(self):
        area = one("AREA D4 c3 (inside)(leftover) HAZARDS")
        assert [type(item) for item in area.items] == [HexItem, HexItem, LabelItem, LabelItem]
        assert [area.items[0].label, area.items[1].label] == ["D4", "C3"]
        assert [area.items[0].hexes, area.items[1].hexes] == [(14,), (9,)]
        assert area.items[3].name == "leftover"

    def test_a_hex_that_the_board_does_not_have_is_no_hex(self):
        assert one("AREA A5 HAZARDS").items[0] == HexItem(Span(1, 6, 1, 8), "A5", ())

    def test_ranges_take_both_ends(self):
        item = one("AREA (1-2,1-2) HAZARDS").items[0]
        assert isinstance(item, RangeItem)
        assert (item.first_x, item.last_x, item.first_y, item.last_y) == (1, 2, 1, 2)
        assert item.hexes == (3, 4, 7, 8)

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("(3,0-5)", 6),
            ("(*,2)", 0),
            ("(*-1,2)", 2),
            ("(5-0,2)", 0),
            ("(0-99,2)", 6),
            ("(0,0)", 0),
        ],
    )
    def test_a_star_is_minus_one_and_what_is_off_the_board_vanishes(self, text, count):
        assert len(one(f"AREA {text} HAZARDS").items[0].hexes) == count

    def test_functions_nest_and_someofs_are_numbered_as_they_stand_in_the_text(self):
        text = "AREA SOMEOF(2,SUBSTRACT((inside),SOMEOF(*,D4))) SURROUNDINGSOF(SOMEOF(0,)) HAZARDS"
        outer, around = one(text).items
        assert isinstance(outer, SomeOf)
        assert (outer.count, outer.site) == (2, 0)
        (subtract,) = outer.items
        assert isinstance(subtract, Subtract)
        assert isinstance(subtract.without[0], SomeOf)
        assert (subtract.without[0].count, subtract.without[0].site) == (STAR, 1)
        assert isinstance(around, SurroundingsOf)
        assert (around.items[0].site, around.items[0].items) == (2, ())

    def test_any_list_may_be_empty(self):
        assert one("AREA HAZARDS").items == ()
        assert one("STARTLIST").items == ()
        assert one("LABEL none =").items == ()
        assert one("AREA SUBSTRACT(,) HAZARDS").items[0].without == ()

    def test_the_right_spelling_of_substract_is_understood_with_a_warning(self):
        parsed = parse("STARTLIST SUBTRACT(D4,C3)")
        assert without_places(parsed.script.statements[0]) == without_places(
            one("STARTLIST SUBSTRACT(D4,C3)")
        )
        assert [p.code for p in parsed.problems] == ["subtract-spelling"]

    def test_subtract_is_a_name_too_as_for_the_game(self):
        label, area = good("LABEL SUBTRACT = D4\nAREA (SUBTRACT) HAZARDS Bog\n")
        assert label.name == area.items[0].name == "SUBTRACT"

    def test_labels_keep_their_letter_case(self):
        assert [s.name for s in good("LABEL Foo = D4\nLABEL foo = C3\nLABEL b1x = B2")] == [
            "Foo",
            "foo",
            "b1x",
        ]

    def test_a_label_of_one_small_letter_is_understood_with_a_warning(self):
        parsed = parse("LABEL x = D4\nAREA (x) HAZARDS Bog\n")
        assert len(parsed.script.statements) == 2
        assert [p.code for p in parsed.problems] == ["label-of-one-letter"]


class TestHazards:
    @pytest.mark.parametrize(
        ("text", "probability", "elevation", "odds"),
        [
            ("Bog", None, None, None),
            ("Bog,2", None, 2, None),
            ("Bog,50", None, 50, None),
            ("Bog,002", None, 2, None),
            ("Bog,50.", 50.0, None, None),
            ("Bog , 66.66 , 1", 66.66, 1, None),
            ("Bog,*,2", -1.0, 2, None),
            ("Bog,*", -1.0, None, None),
            ("Bog,5.,*", 5.0, STAR, None),
            ("Bog,100.,*,50.,50.", 100.0, None, (-1.0, 50.0, 50.0)),
            ('"Bog",50.,0.,25.,75.', 50.0, None, (0.0, 25.0, 75.0)),
        ],
    )
    def test_the_forms_of_a_hazard(self, text, probability, elevation, odds):
        (hazard,) = one(f"AREA D4 HAZARDS {text}").hazards
        assert (hazard.name, hazard.word, hazard.is_known) == ("Bog", "Bog", True)
        assert (hazard.probability, hazard.elevation, hazard.odds) == (probability, elevation, odds)

    def test_three_odds_alone_are_the_documents_form(self):
        parsed = parse("AREA D4 HAZARDS Bog,25.,25.,50.")
        (hazard,) = parsed.script.statements[0].hazards
        assert (hazard.probability, hazard.odds) == (None, (25.0, 25.0, 50.0))
        assert [p.code for p in parsed.problems] == ["odds-without-probability"]

    def test_a_number_ends_where_a_letter_begins(self):
        bog, lake = one("AREA D4 C3 HAZARDS Bog,1Lake,2").hazards
        assert (bog.name, bog.elevation, lake.name, lake.elevation) == ("Bog", 1, "Lake", 2)
        bog, unknown = one("AREA D4 HAZARDS Bog,0x1").hazards
        assert (bog.elevation, unknown.word, unknown.is_known) == (0, "x1", False)

    @pytest.mark.parametrize(
        ("letter", "name"),
        [*HAZARD_OF_LETTER.items(), ("r", "Brambles"), ("b", "Brambles"), ("Brush", "Brambles")],
    )
    def test_letters_and_brush_are_understood_with_a_warning(self, letter, name):
        parsed = parse(f"AREA D4 HAZARDS {letter},50.")
        (hazard,) = parsed.script.statements[0].hazards
        assert (hazard.name, hazard.word, hazard.is_known) == (name, letter, True)
        assert [p.severity for p in parsed.problems] == ["warning"]

    @pytest.mark.parametrize("word", ["brambles", "Q", "SUBTRACT", "x"])
    def test_an_unknown_hazard_stays_in_the_tree(self, word):
        (hazard,) = one(f"AREA D4 HAZARDS {word}").hazards
        assert (hazard.name, hazard.word, hazard.is_known) == (word, word, False)

    def test_absurdly_long_probabilities_stay_finite(self):
        (hazard,) = one(f"AREA D4 HAZARDS Bog,{'9' * 5000}.").hazards
        assert hazard.probability == 1e30

    def test_the_head_explains_an_area(self):
        assert one("AREA  (inside)\tD4 HAZARDS Bog").head == "AREA (inside) D4"
        assert one("PAIR (Bog,*) (Sand,1) HEXSIDES d").head == "PAIR (Bog,*) (Sand,1)"


def test_a_pair_names_two_ends_and_its_hexsides():
    pair = one('PAIR (Sand,*)("Plains",1) HEXSIDES d,40. c x,*')
    assert isinstance(pair, Pair)
    assert [(e.name, e.elevation, e.is_known) for e in (pair.high, pair.low)] == [
        ("Sand", STAR, True),
        ("Plains", 1, True),
    ]
    assert [(c.letter, c.probability) for c in pair.choices] == [
        ("d", 40.0),
        ("c", None),
        ("x", -1.0),
    ]


def test_titles_may_be_words_or_quoted():
    found = good('TITLE "a!?;,:/+=._9 z" SUBTITLE _x\nTITLE G1\nTITLE ..\nTITLE " "\n')
    assert [(t.text, t.is_subtitle) for t in found] == [
        ("a!?;,:/+=._9 z", False),
        ("_x", True),
        ("G1", False),
        ("..", False),
        (" ", False),
    ]


class TestLines:
    def test_several_statements_may_share_a_line(self):
        found = good(
            'LABEL foo=c3 LABEL bar=b2 AREA (foo)(bar) HAZARDS Sand TOWER TITLE "x" STARTLIST'
        )
        assert [type(s) for s in found] == [Label, Label, Area, Tower, Title, StartList]

    @pytest.mark.parametrize(
        "text", ["", "\n\n\n", "#\n", "#\r\r\n\n", "# no end", " \t\n # x\n", "\r"]
    )
    def test_a_script_may_say_nothing(self, text):
        assert good(text) == ()

    def test_comments_stand_on_their_own_or_behind_a_statement(self):
        assert len(good("# one\nAREA D4 HAZARDS Bog#two\nTOWER # three\n# TOWER\n")) == 2

    def test_a_comment_ends_at_a_carriage_return_too(self):
        area, tower = good("# old mac\rAREA D4 HAZARDS Bog,50.\r# more\rTOWER\r")
        assert (area.span.line, tower.span.line) == (2, 4)

    def test_a_carriage_return_is_a_blank_to_the_game_so_a_statement_goes_on_behind_it(self):
        area = one("AREA D4\rHAZARDS Bog\r")
        assert area.head == "AREA D4"
        assert area.span == Span(1, 1, 2, 12)

    def test_a_comment_inside_a_statement_is_understood_with_a_warning(self):
        parsed = parse("AREA D4 # here, 1,2\rHAZARDS Bog,50.\r")
        assert len(parsed.script.statements) == 1
        assert [(p.code, p.line, p.column) for p in parsed.problems] == [
            ("comment-inside-statement", 1, 9)
        ]

    def test_a_byte_order_mark_is_skipped_at_the_start_only(self):
        assert codes("\ufeffTOWER\n") == ["byte-order-mark"]
        assert codes("\ufeff") == ["byte-order-mark"]
        assert codes("TOWER\n\ufeffTOWER\n") == ["unknown-character"]

    @given(scripts, st.sampled_from(["\r\n", "\n\n", " \t\n", "# c\n", " # c\r\n"]))
    def test_line_ends_and_comments_change_no_meaning(self, text, line_end):
        changed = parse(text.replace("\n", line_end))
        statements = parse(text).script.statements
        assert without_places(changed.script.statements) == without_places(statements)


class TestRecovery:
    def test_four_mistakes_give_four_problems_and_the_rest_is_kept(self):
        parsed = parse(
            "AREA inside HAZARDS Bog\nTOWER\nAREA D4,C3 HAZARDS Bog\n"
            "LABEL b1 = D4 TITLE Two Words\nSTARTLIST D4\n"
        )
        assert [type(s) for s in parsed.script.statements] == [Tower, StartList]
        assert [(p.line, p.column) for p in parsed.problems] == [(1, 6), (3, 8), (4, 7), (4, 21)]
        assert has_errors(parsed.problems)

    @given(statements, statements)
    def test_two_statements_on_one_line_or_two_are_both_kept(self, first, second):
        alone = [without_places(one(text)) for text in (first, second)]
        for between in ("\n", " ", "\r\n", " # c\n"):
            assert [without_places(s) for s in good(first + between + second)] == alone

    @given(statements, statements, st.sampled_from(["AREA ) HAZARDS", "LABEL", "x y", '"', "@ 1"]))
    def test_a_bad_line_costs_one_problem_and_no_statement(self, first, second, bad):
        parsed = parse(f"{first}\n{bad}\n{second}\n")
        assert len(parsed.script.statements) == 2
        assert [p.line for p in parsed.problems] == [2]

    @pytest.mark.parametrize("opened", ["SURROUNDINGSOF(", "("])
    def test_deep_nesting_is_a_problem_and_no_crash(self, opened):
        assert "nested-too-deep" in codes(f"AREA {opened * 5000} HAZARDS Bog")
        deep = "SURROUNDINGSOF(" * LARGEST_DEPTH + ")" * LARGEST_DEPTH
        assert codes(f"AREA {deep} HAZARDS Bog") == []

    def test_reading_stops_when_it_is_another_kind_of_file(self):
        problems = parse("dear reader\n" * 5000).problems
        assert len(problems) == PROBLEM_LIMIT + 1
        assert problems[-1].code == "too-many-problems"

    def test_a_label_without_a_name_is_a_problem_and_no_crash(self):
        assert codes("LABEL = LABEL =") == ["unexpected"]
        assert codes("LABEL = = D4") == ["unexpected"]

    def test_a_very_long_line_is_not_tried_with_those_behind_it(self):
        broken = "AREA {}\nHAZARDS Bog\n"
        assert codes(broken.format("D4 D5")) == ["statement-over-lines"]
        assert codes(broken.format("D4 " * CONTINUATION_TOKENS)) == [
            "missing-section",
            "not-a-statement",
        ]

    def test_renaming_a_label_is_worked_out_once_however_often_it_is_defined(self):
        first, *others = (problem.fix for problem in parse("LABEL x = (x)\n" * 50).problems)
        assert len(first.edits) == 100
        assert all(fix.edits is first.edits for fix in others)

    def test_problems_are_said_of_the_file(self):
        assert parse("nonsense", "a.rnd").problems[0].path == "a.rnd"


def test_lark_is_not_imported_before_a_script_is_read():
    code = "import sys, randomizer.systems.colossus.script.lint; print('lark' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert found.stdout.strip() == "False"


def test_spans_point_at_their_text():
    text = (
        'LABEL rim = A1\nAREA (rim) D4 HAZARDS "Bog",50. Lake\r\nPAIR (Bog,0)(Lake,*) HEXSIDES r,5.'
    )
    source = Source(text)
    label, area, pair = good(text)
    places = [
        label,
        area.items[0],
        area.items[1],
        *area.hazards,
        pair.high,
        pair.low,
        pair.choices[0],
    ]
    assert [source.text_at(node.span) for node in places] == [
        "LABEL rim = A1",
        "(rim)",
        "D4",
        '"Bog",50.',
        "Lake",
        "(Bog,0)",
        "(Lake,*)",
        "r,5.",
    ]
    assert source.text_at(label.name_span) == "rim"


def stored(script: RndGenerator) -> str:
    folder = files("randomizer.systems.colossus").joinpath("scripts")
    return folder.joinpath(f"{script.name}.tree").read_text("ascii")


@pytest.mark.parametrize("script", packaged(), ids=lambda script: script.name)
def test_the_stored_tree_is_that_of_the_script(script: RndGenerator) -> None:
    parsed = parse(script.text).script
    assert decoded_tree(stored(script), script.text) == parsed
    assert stored(script) == encoded_tree(script.text, parsed), "run packaging/parse_scripts.py"


def test_a_tree_of_another_text_is_not_taken() -> None:
    script = packaged()[0]
    assert decoded_tree(stored(script), script.text + " ") is None


LANGUAGE = script_host("Some.rnd").language


@given(st.text(alphabet=st.sampled_from('AREA LABEL(x)=,-*.19"#\n\r\tö\ufeff'), max_size=40))
def test_every_character_but_blanks_is_in_one_token(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert not text[end : token.start_pos].strip(" \t\r")
        assert text[token.start_pos : token.end_pos] == token
        end = token.end_pos
    assert not text[end:].strip(" \t\r")


def test_a_sign_in_quotes_begins_no_comment_and_no_label() -> None:
    text = 'TITLE "a # (b)"\nLABEL b = D4\nAREA (b)\n'
    assert [place.line for place in LANGUAGE.references(SourceText(text), 2, 7)] == [2, 3]
    kinds = [(token.kind, token.end) for token in LANGUAGE.tokens('TITLE "a # (b)"')]
    assert kinds == [("keyword", 5), ("quoted", 15)]


def test_help_is_given_from_the_start_of_a_word_to_its_end() -> None:
    text = "TOWER\nAREA (inside)\n"
    assert len({LANGUAGE.help_at(SourceText(text), 2, column) for column in range(1, 6)}) == 1
    assert "twelve hexes" in (LANGUAGE.help_at(SourceText(text), 2, 7) or "")
    assert LANGUAGE.help_at(SourceText(text), 2, 14) is None
