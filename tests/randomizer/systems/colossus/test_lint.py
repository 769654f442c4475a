"""What the lint finds doubtful, and what it must leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given

from randomizer.model.problems import Severity, apply_fix
from randomizer.systems.colossus.script.lint import check_script, lint, parse_and_lint
from randomizer.systems.colossus.script.list_bounds import statements_with_bounds
from randomizer.systems.colossus.script.message_texts import word_help
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script.script_files import LARGEST_FILE, decode_script
from randomizer.systems.colossus.script.syntax import Area, Label, StartList
from tests.randomizer.systems.colossus.script_strategies import scripts
from tests.randomizer.systems.colossus.simple_roller import SimpleRoller


def codes(text):
    return [problem.code for problem in check_script(text)]


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_script_without_any_text_is_said_to_be_empty(text):
    (problem,) = check_script(text)
    assert (problem.code, problem.severity) == ("empty-script", Severity.WARNING)


def test_a_script_of_comments_alone_is_not_called_empty():
    assert codes("# to be written\n") == []


def test_check_gives_the_reading_and_all_problems_in_the_order_of_the_text():
    text = "AREA A5 HAZARDS Bog\nnonsense\nAREA D4 HAZARDS Bog,50\n"
    parsed, problems = parse_and_lint(text, "a.rnd")
    assert parsed == parse(text, "a.rnd")
    assert [(p.line, p.code, p.path) for p in problems] == [
        (1, "hex-off-board", "a.rnd"),
        (2, "not-a-statement", "a.rnd"),
        (3, "elevation-looks-like-probability", "a.rnd"),
    ]
    assert set(lint(parsed.script, text, "a.rnd")) < set(problems)


ALL_PLAINS = "AREA (0-5,0-5) HAZARDS " + " ".join(["Plains"] * 27)


def test_an_area_is_overruled_where_later_ones_place_hazards_on_all_of_its_hexes():
    assert "area-overruled" in codes(f"AREA C3 D3 HAZARDS Bog Lake\n{ALL_PLAINS}\n")
    assert "area-overruled" in codes(
        "AREA C3 D3 HAZARDS Bog\nAREA C3 HAZARDS Bog\nAREA D3 HAZARDS Bog\n"
    )
    assert "area-overruled" not in codes(f"{ALL_PLAINS}\nAREA C3 D3 HAZARDS Bog Lake\n")
    assert "area-overruled" not in codes("AREA C3 D3 HAZARDS Bog\nAREA C3 D3 HAZARDS Bog\n")


def test_an_area_that_draws_hexes_for_other_lines_is_not_overruled():
    drawn = f"AREA C3 D3 HAZARDS Bog\nLABEL pool = (usedup)\n{ALL_PLAINS}\n"
    assert "area-overruled" not in codes(drawn)


@given(scripts)
def test_no_hex_of_any_map_is_as_an_overruled_area_made_it(text):
    overruled_lines = {p.line for p in check_script(text) if p.code == "area-overruled"}
    last_lines: dict[int, int] = {}

    class Watched(SimpleRoller):
        def place_hazards(self, area):
            super().place_hazards(area)
            last_lines.update(dict.fromkeys(self.labels["usedup"], area.span.line))

    for seed in range(3):
        last_lines.clear()
        Watched(seed, 0).roll(parse(text).script)
        assert not overruled_lines & set(last_lines.values())


@pytest.mark.parametrize(
    ("hexes", "said"),
    [
        ("(0-5,0-5)", "9 places of the 36 in this range lie off the board and are passed over."),
        ("(0,1-2)", "1 place of the 2 in this range lies off the board and is passed over."),
    ],
)
def test_a_range_that_reaches_off_the_board_gets_a_hint(hexes, said):
    (hint,) = check_script(f"AREA {hexes} HAZARDS Bog\n")
    assert (hint.severity, hint.code) == (Severity.HINT, "range-partly-off-board")
    assert hint.message == said


@pytest.mark.parametrize("hexes", ["(1-4,1-3)", "(3,0-5)", "(3,3)"])
def test_a_range_on_the_board_gets_none(hexes):
    assert codes(f"AREA {hexes} HAZARDS Bog\n") == []


class TestBounds:
    """The lint never says "never" of something that can happen."""

    @given(scripts)
    def test_every_rolled_list_is_within_its_bounds(self, text):
        script = parse(text).script

        class Checked(SimpleRoller):
            def hexes_of_list(self, items):
                rolled = super().hexes_of_list(items)
                bounds = labels.of_list(items)
                assert bounds.smallest_length <= len(rolled) <= bounds.largest_length
                for number in {*rolled, *bounds.smallest_counts}:
                    assert rolled.count(number) >= bounds.smallest_counts.get(number, 0)
                    assert rolled.count(number) <= bounds.largest_counts.get(number, 0)
                return rolled

        for seed in range(3):
            roller = Checked(seed, 0)
            steps = statements_with_bounds(script, frozenset())
            for roller.statement, (statement, labels) in enumerate(steps):  # noqa: B007 - in hexes_of_list
                if isinstance(statement, Area):
                    roller.place_hazards(statement)
                elif isinstance(statement, Label):
                    roller.labels[statement.name] = roller.hexes_of_list(statement.items)
                elif isinstance(statement, StartList):
                    roller.hexes_of_list(statement.items)

    def test_more_hazards_than_hexes_are_seen_through_labels_and_functions(self):
        text = (
            "LABEL few = SOMEOF(2,(inside))\nLABEL rest = SUBSTRACT((few) D4 D4,D4)\n"
            "AREA (rest) HAZARDS Bog Lake Tree,50.\n"
        )
        assert codes(text) == ["hazards-never-placed"]

    def test_what_an_area_leaves_is_counted(self):
        assert codes("AREA D4 C3 HAZARDS Bog\nAREA (leftover) HAZARDS Lake\n") == []
        assert codes("AREA D4 C3 HAZARDS Bog\nAREA (leftover) HAZARDS Lake Tree\n") == [
            "hazards-never-placed"
        ]
        assert codes("AREA D4 HAZARDS Bog\nAREA (leftover) HAZARDS Lake\n") == ["area-always-empty"]
        assert "area-always-empty" in codes("AREA D4 HAZARDS Bog,0.\nAREA (usedup) HAZARDS Lake\n")

    def test_duplicates_count(self):
        assert codes("AREA D4 D4 HAZARDS Bog Lake\n") == []


class TestLabels:
    def test_an_unknown_label_is_no_error_and_the_nearest_is_offered(self):
        (problem,) = check_script("LABEL shore = D4\nAREA (shor) (shore) HAZARDS Bog\n")
        assert (problem.severity, problem.code) == ("warning", "unknown-label")
        assert problem.fix.title == "Write `(shore)`"

    def test_a_label_of_a_broken_statement_is_not_unknown(self):
        assert codes("LABEL shore = D4,C3\nAREA (shore) HAZARDS Bog Lake\n") == ["comma-in-list"]
        assert codes("LABEL xx = D4\nLABEL xx = D4,C3\nAREA (xx) HAZARDS Bog Lake\n") == [
            "comma-in-list"
        ]

    def test_a_label_used_in_a_broken_statement_is_not_idle(self):
        assert codes("LABEL shore = D4\nAREA (shore) HAZARDS Bog,1.,1.\n") == ["elevation-with-dot"]

    def test_after_a_broken_area_nothing_is_known_of_leftover(self):
        text = "AREA D4,C3 HAZARDS Bog\nAREA (leftover) HAZARDS Lake\n"
        assert codes(text) == ["comma-in-list"]

    def test_a_label_may_be_built_upon_itself(self):
        text = "LABEL sand = D4\nLABEL sand = (sand) C3\nAREA (sand) HAZARDS Bog\n"
        assert codes(text) == []

    def test_renaming_reaches_every_use_but_no_comment(self):
        text = "LABEL b1 = D4 # (b1)\nAREA ( b1 ) B1 HAZARDS Bog\nLABEL b1= C3\n"
        for problem in check_script(text)[:1]:
            assert apply_fix(text, problem.fix) == (
                "LABEL b1_ = D4 # (b1)\nAREA ( b1_ ) B1 HAZARDS Bog\nLABEL b1_= C3\n"
            )

    def test_a_new_name_is_not_one_that_is_taken(self):
        text = "LABEL x = D4\nLABEL x_ = D4\n"
        assert apply_fix(text, check_script(text)[0].fix).startswith("LABEL x__ = D4\n")


class TestPairs:
    def test_the_more_specific_pairs_must_cover_everything_to_mask_one(self):
        lines = [f"PAIR (Plains,{e})(Plains,*) HEXSIDES s\n" for e in (0, 1)]
        last = "PAIR (Plains,*)(Plains,*) HEXSIDES c\n"
        assert codes("".join([*lines, last])) == []
        text = "".join([*lines, "PAIR (Plains,2)(Plains,*) HEXSIDES s\n", last])
        assert codes(text) == ["pair-masked"]
        assert codes(apply_fix(text, check_script(text)[0].fix)) == []

    def test_an_exact_pair_settles_which_one_goes_first(self):
        text = (
            "PAIR (Plains,1)(Plains,*) HEXSIDES s\nPAIR (Plains,*)(Plains,0) HEXSIDES c\n"
            "PAIR (Plains,1)(Plains,0) HEXSIDES d\n"
        )
        assert codes(text) == []

    def test_brush_and_brambles_are_the_same_hazard(self):
        text = "AREA D4 HAZARDS Brambles\nPAIR (Brush,*)(Plains,*) HEXSIDES r\n"
        assert codes(text) == ["hazard-alias"]


@pytest.mark.parametrize(
    ("odds", "meant"),
    [
        ("*,*,0.", "0.,0.,100."),
        ("*,0.,0.", "0.,100.,0."),
        ("0.,*,0.", "100.,0.,0."),
        ("*,50.,50.", "0.,49.,51."),
        ("33.33,33.33,33.33", None),
        ("0.,25.,75.", None),
        ("200.,100.,100.", "66.67,33.33,0."),
    ],
)
def test_odds_are_said_as_the_game_takes_them(odds, meant):
    text = f"AREA D4 HAZARDS Bog,100.,{odds}\n"
    fixed = [apply_fix(text, problem.fix) for problem in check_script(text)]
    assert fixed == ([f"AREA D4 HAZARDS Bog,100.,{meant}\n"] if meant else [])


def test_numbers_in_quotes_are_not_taken_for_the_hazards_own():
    (unknown, elevation) = check_script('AREA D4 HAZARDS "Bog, 7",50\n')
    assert unknown.code == "unknown-hazard"
    assert (elevation.code, elevation.column) == ("elevation-looks-like-probability", 26)


@pytest.mark.parametrize(("line_end", "expected"), [("\n", "\n"), ("\r\n", "\r\n"), ("\r", "\r")])
def test_the_last_comment_gets_the_line_end_of_the_file(line_end, expected):
    text = f"TOWER{line_end}# end"
    (problem,) = check_script(text)
    assert apply_fix(text, problem.fix) == text + expected


def test_words_have_help():
    assert word_help("PAIR").startswith("Says which hexsides")
    assert word_help("nothing") is None


class TestFiles:
    def test_utf_8_is_read_as_it_stands(self):
        assert decode_script("# é\r\nTOWER\r".encode()) == ("# é\r\nTOWER\r", ())

    def test_a_byte_order_mark_is_skipped_with_a_warning(self):
        text, (problem,) = decode_script(b"\xef\xbb\xbfTOWER", "a.rnd")
        assert text == "TOWER"
        assert (problem.code, problem.severity, problem.path) == (
            "byte-order-mark",
            "warning",
            "a.rnd",
        )

    def test_other_bytes_are_latin_1_with_a_warning(self):
        text, (problem,) = decode_script(b"# caf\xe9\n")
        assert text == "# café\n"
        assert (problem.code, problem.severity) == ("file-is-latin-1", "warning")

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"T\0O\0W\0E\0R\0", "file-is-binary"),
            (b"#" * (LARGEST_FILE + 1), "file-too-large"),
        ],
    )
    def test_what_cannot_be_a_script_is_an_error(self, data, code):
        text, (problem,) = decode_script(data)
        assert (text, problem.code, problem.severity) == ("", code, "error")
