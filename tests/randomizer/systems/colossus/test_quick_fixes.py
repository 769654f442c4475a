"""Every fix of a problem: applied, the problem is gone and nothing else has changed."""

from __future__ import annotations

from collections import Counter

import pytest

from randomizer.model.problems import apply_fix
from randomizer.systems.colossus.script.lint import check_script
from randomizer.systems.colossus.script.message_texts import messages

ALL_HIGH = "".join(f"PAIR (Plains,{high})(Plains,*) HEXSIDES s\n" for high in range(3))

WAYS_OUT = (
    ("unexpected", "AREA (inside HAZARDS Bog\n", ("AREA (inside) HAZARDS Bog\n",)),
    ("missing-keyword", "(inside) HAZARDS Bog\n", ("AREA (inside) HAZARDS Bog\n",)),
    ("misspelt-keyword", "AERA (inside) HAZARDS Bog\n", ("AREA (inside) HAZARDS Bog\n",)),
    ("glued-words", "AREA D4HAZARDS Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("missing-section", "AREA D4 Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("statement-over-lines", "AREA D4\nHAZARDS Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("label-without-parentheses", "AREA inside HAZARDS Bog\n", ("AREA (inside) HAZARDS Bog\n",)),
    ("hex-in-two-words", "AREA D 4 HAZARDS Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("hexes-in-parentheses", "AREA (D4) HAZARDS Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("empty-parentheses", "AREA D4 () HAZARDS Bog\n", ("AREA D4  HAZARDS Bog\n",)),
    ("comma-in-list", "AREA D4, C3 HAZARDS Bog\n", ("AREA D4  C3 HAZARDS Bog\n",)),
    (
        "label-is-keyword",
        "LABEL AREA = D4\nAREA (AREA) HAZARDS Bog\n",
        ("LABEL area = D4\nAREA (area) HAZARDS Bog\n",),
    ),
    (
        "label-is-set-by-area",
        "LABEL usedup = D4\nAREA (usedup) HAZARDS Bog\n",
        ("LABEL usedup_ = D4\nAREA (usedup_) HAZARDS Bog\n",),
    ),
    (
        "label-like-hex",
        "LABEL b1 = D4\nAREA (b1) HAZARDS Bog\n",
        ("LABEL b1_ = D4\nAREA (b1_) HAZARDS Bog\n",),
    ),
    (
        "label-one-capital",
        "LABEL X = D4\nAREA (X) HAZARDS Bog\n",
        ("LABEL X_ = D4\nAREA (X_) HAZARDS Bog\n",),
    ),
    (
        "label-quoted",
        'LABEL "ab" = D4\nAREA (ab) HAZARDS Bog\n',
        ("LABEL ab = D4\nAREA (ab) HAZARDS Bog\n",),
    ),
    (
        "label-name",
        "LABEL 2ab = D4\nAREA (2ab) HAZARDS Bog\n",
        ("LABEL _2ab = D4\nAREA (_2ab) HAZARDS Bog\n",),
    ),
    ("negative-number", "AREA D4 HAZARDS Bog,-1\n", ("AREA D4 HAZARDS Bog,0\n",)),
    (
        "number-with-dot",
        "AREA SOMEOF(2.,(inside)) HAZARDS Bog\n",
        ("AREA SOMEOF(2,(inside)) HAZARDS Bog\n",),
    ),
    ("number-begins-with-dot", "AREA D4 HAZARDS Bog,.5\n", ("AREA D4 HAZARDS Bog,0.5\n",)),
    ("number-with-exponent", "AREA D4 HAZARDS Bog,5e1\n", ("AREA D4 HAZARDS Bog,50.\n",)),
    ("probability-without-dot", "AREA D4 HAZARDS Bog,50,1\n", ("AREA D4 HAZARDS Bog,50.,1\n",)),
    (
        "odds-without-dot",
        "AREA D4 HAZARDS Bog,50.,20,30,50\n",
        ("AREA D4 HAZARDS Bog,50.,20.,30.,50.\n",),
    ),
    ("elevation-with-dot", "AREA D4 HAZARDS Bog,50.,1.\n", ("AREA D4 HAZARDS Bog,50.,1\n",)),
    (
        "elevation-before-probability",
        "AREA D4 HAZARDS Bog,1,50.\n",
        ("AREA D4 HAZARDS Bog,50.,1\n",),
    ),
    (
        "too-many-numbers",
        "AREA D4 HAZARDS Bog,50.,20.,30.,50.,1.\n",
        ("AREA D4 HAZARDS Bog,50.,20.,30.,50.\n",),
    ),
    (
        "hexside-probability",
        "PAIR (Plains,1)(Plains,0) HEXSIDES c,75\n",
        ("PAIR (Plains,1)(Plains,0) HEXSIDES c,75.\n",),
    ),
    (
        "pair-without-elevation",
        "PAIR (Plains)(Plains,0) HEXSIDES c\n",
        ("PAIR (Plains,*)(Plains,0) HEXSIDES c\n",),
    ),
    (
        "word-in-quotes",
        'PAIR (Plains,1)(Plains,0) HEXSIDES "c"\n',
        ("PAIR (Plains,1)(Plains,0) HEXSIDES c\n",),
    ),
    ("title-needs-quotes", "TITLE Old Hills\n", ('TITLE "Old Hills"\n',)),
    ("unterminated-quote", 'TITLE "Old Hills\n', ('TITLE "Old Hills"\n',)),
    ("empty-quote", 'TITLE ""\n', ('TITLE "Randomized!"\n',)),
    ("quote-character", 'TITLE "Old-Hills"\n', ('TITLE "Old Hills"\n',)),
    ("unknown-character", "AREA D4 HAZARDS Bog;\n", ("AREA D4 HAZARDS Bog \n",)),
    (
        "subtract-spelling",
        "AREA SUBTRACT((inside),D4) HAZARDS Bog\n",
        ("AREA SUBSTRACT((inside),D4) HAZARDS Bog\n",),
    ),
    (
        "label-of-one-letter",
        "LABEL x = D4\nAREA (x) HAZARDS Bog\n",
        ("LABEL x_ = D4\nAREA (x_) HAZARDS Bog\n",),
    ),
    (
        "odds-without-probability",
        "AREA D4 HAZARDS Bog,20.,30.,50.\n",
        ("AREA D4 HAZARDS Bog,100.,20.,30.,50.\n",),
    ),
    ("hazard-letter", "AREA D4 HAZARDS r,50.\n", ("AREA D4 HAZARDS Brambles,50.\n",)),
    ("hazard-alias", "AREA D4 HAZARDS Brush,50.\n", ("AREA D4 HAZARDS Brambles,50.\n",)),
    ("byte-order-mark", "\ufeffAREA D4 HAZARDS Bog\n", ("AREA D4 HAZARDS Bog\n",)),
    ("unknown-hazard", "AREA D4 HAZARDS Vulcano,50.\n", ("AREA D4 HAZARDS Volcano,50.\n",)),
    (
        "unknown-hexside",
        "PAIR (Plains,1)(Plains,0) HEXSIDES Cliff\n",
        ("PAIR (Plains,1)(Plains,0) HEXSIDES c\n",),
    ),
    ("hex-off-board", "AREA A5 D4 HAZARDS Bog\n", ("AREA   D4 HAZARDS Bog\n",)),
    ("star-in-coordinates", "AREA (*,2) HAZARDS Bog\n", ("AREA (0-5,2) HAZARDS Bog\n",)),
    ("range-reversed", "AREA (3-1,2) HAZARDS Bog\n", ("AREA (1-3,2) HAZARDS Bog\n",)),
    ("range-off-board", "AREA (0,0) D4 HAZARDS Bog\n", ("AREA   D4 HAZARDS Bog\n",)),
    ("coordinate-off-board", "AREA (0-9,2) HAZARDS Bog\n", ("AREA (0-5,2) HAZARDS Bog\n",)),
    ("unknown-label", "AREA (insid) HAZARDS Bog\n", ("AREA (inside) HAZARDS Bog\n",)),
    ("someof-takes-all", "AREA SOMEOF(3,D4 C3) HAZARDS Bog\n", ("AREA D4 C3 HAZARDS Bog\n",)),
    ("hazards-never-placed", "AREA D4 HAZARDS Bog Lake\n", ("AREA D4 HAZARDS Bog\n",)),
    ("probability-above-100", "AREA D4 HAZARDS Bog,150.\n", ("AREA D4 HAZARDS Bog,100.\n",)),
    (
        "elevation-looks-like-probability",
        "AREA D4 HAZARDS Plains,50\n",
        ("AREA D4 HAZARDS Plains,50.\n",),
    ),
    ("elevation-above-2", "AREA D4 HAZARDS Plains,3\n", ("AREA D4 HAZARDS Plains,2\n",)),
    ("elevation-star", "AREA D4 HAZARDS Plains,50.,*\n", ("AREA D4 HAZARDS Plains,50.,0\n",)),
    (
        "odds-all-zero",
        "AREA D4 HAZARDS Plains,50.,0.,0.,0.\n",
        ("AREA D4 HAZARDS Plains,50.,100.,0.,0.\n",),
    ),
    (
        "odds-star",
        "AREA D4 HAZARDS Plains,50.,*,50.,50.\n",
        ("AREA D4 HAZARDS Plains,50.,0.,49.,51.\n",),
    ),
    (
        "odds-do-not-sum",
        "AREA D4 HAZARDS Plains,50.,1.,1.,2.\n",
        ("AREA D4 HAZARDS Plains,50.,25.,25.,50.\n",),
    ),
    (
        "pair-repeated",
        "PAIR (Plains,1)(Plains,0) HEXSIDES s\nTOWER\nPAIR (Plains,1)(Plains,0) HEXSIDES c\n",
        (
            "\nTOWER\nPAIR (Plains,1)(Plains,0) HEXSIDES c\n",
            "\nTOWER\nPAIR (Plains,1)(Plains,0) HEXSIDES s\n",
        ),
    ),
    (
        "pair-masked",
        ALL_HIGH + "PAIR (Plains,*)(Plains,0) HEXSIDES c,50. r\n",
        (
            ALL_HIGH + "\n",
            ALL_HIGH
            + "PAIR (Plains,0)(Plains,0) HEXSIDES c,50. r\n"
            + "PAIR (Plains,1)(Plains,0) HEXSIDES c,50. r\n"
            + "PAIR (Plains,2)(Plains,0) HEXSIDES c,50. r\n",
        ),
    ),
    (
        "pair-precedence",
        "PAIR (Plains,2)(Plains,*) HEXSIDES s\n"
        + "PAIR (Plains,*)(Plains,0) HEXSIDES c,50. # low\n",
        (
            "PAIR (Plains,2)(Plains,*) HEXSIDES s\n"
            + "PAIR (Plains,2)(Plains,0) HEXSIDES c,50.\n"
            + "PAIR (Plains,*)(Plains,0) HEXSIDES c,50. # low\n",
        ),
    ),
    (
        "hexsides-never-tried",
        "PAIR (Plains,1)(Plains,0) HEXSIDES s c\n",
        ("PAIR (Plains,1)(Plains,0) HEXSIDES s\n",),
    ),
    ("set-again", "TITLE One\nTITLE Two\n", ("\nTITLE Two\n",)),
    ("comment-without-newline", "TOWER\n# the end", ("TOWER\n# the end\n",)),
)
"""A problem's code, a text that has it, and the text after each of its fixes."""


@pytest.mark.parametrize(("code", "text", "cured"), WAYS_OUT, ids=[row[0] for row in WAYS_OUT])
def test_the_problem_is_gone_and_nothing_else_has_changed(code, text, cured):
    problems = check_script(text)
    problem = next(problem for problem in problems if problem.code == code)
    assert tuple(apply_fix(text, fix) for fix in problem.fixes) == cured
    others = Counter(found.code for found in problems) - Counter([code])
    for after in cured:
        left = Counter(found.code for found in check_script(after))
        assert code not in left
        # A label that cannot be brings more problems wherever it is used.
        assert left == others or (left < others and code.startswith("label-"))


def test_every_problem_that_can_have_a_fix_is_there():
    with_fix = {code for code, entry in messages()["problems"].items() if entry["fix"]}
    # What the parser expected, as far as it can say: "Put `)` in" stands for both.
    assert {row[0] for row in WAYS_OUT} | {"ends-too-early"} == with_fix


def test_lines_end_as_they_do_in_the_file():
    text = "PAIR (Bog,2)(Bog,*) HEXSIDES s\r\nPAIR (Bog,*)(Bog,0) HEXSIDES c\r\n"
    (problem,) = [p for p in check_script(text) if p.code == "pair-precedence"]
    assert problem.fix is not None
    lines = apply_fix(text, problem.fix).split("\r\n")
    assert lines[1:3] == ["PAIR (Bog,2)(Bog,0) HEXSIDES c", "PAIR (Bog,*)(Bog,0) HEXSIDES c"]


def test_a_pair_is_not_moved_where_another_would_be_idle_then():
    text = "PAIR (Bog,*)(Bog,*) HEXSIDES d\n" + "".join(
        f"PAIR (Bog,{high})(Bog,*) HEXSIDES s\n" for high in range(3)
    )
    (problem,) = [p for p in check_script(text) if p.code == "pair-masked"]
    assert [fix.title for fix in problem.fixes] == ["Take it out"]


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("hexes-in-parentheses", "AREA B2(D4)C3 HAZARDS Bog\n", "AREA B2 D4 C3 HAZARDS Bog\n"),
        ("hexes-in-parentheses", "AREA (D4)HAZARDS Bog\n", "AREA D4 HAZARDS Bog\n"),
        ("empty-parentheses", "AREA D4()C3 HAZARDS Bog\n", "AREA D4 C3 HAZARDS Bog\n"),
        ("someof-takes-all", "AREA SOMEOF(9,D4)C3 HAZARDS Bog\n", "AREA D4 C3 HAZARDS Bog\n"),
        (
            "glued-words",
            "AREA C3SOMEOF(1,D4 D5) HAZARDS Bog\n",
            "AREA C3 SOMEOF(1,D4 D5) HAZARDS Bog\n",
        ),
        (
            "word-in-quotes",
            'PAIR(Plains,1)(Plains,0)HEXSIDES"s"c\n',
            "PAIR(Plains,1)(Plains,0)HEXSIDES s c\n",
        ),
    ],
)
def test_a_way_out_glues_no_words_together(code: str, before: str, after: str) -> None:
    (problem,) = (each for each in check_script(before) if each.code == code)
    assert problem.fix is not None
    assert apply_fix(before, problem.fix) == after


def test_no_way_out_names_a_label_that_cannot_be() -> None:
    script = "LABEL )center = D4\nAREA (center) HAZARDS Bog\n"
    for problem in check_script(script):
        if problem.code == "unknown-label":
            assert problem.fix is None
