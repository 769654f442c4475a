"""``randomizer fight``: battles of two armies on a battleland."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problems import ProblemError, split_lines
from randomizer.systems.colossus.battle.armies import (
    army_text,
    read_army,
    read_pairs,
    standard_pairs,
)
from tests.randomizer.cli.conftest import Run
from tests.randomizer.systems.colossus.stand_in_java import BATTLE, FLED, put_java

HEAD = '<battlemap terrain="Field" tower="False">\n'
ARMIES = ("--attacker", "2 Lion+2 Ogre+Troll", "--defender", "2 Lion+2 Ogre+Troll")


@pytest.fixture
def field(tmp_path: Path) -> Path:
    path = tmp_path / "Field.xml"
    path.write_text(HEAD + '<battlehex x="2" y="3" terrain="Bog" elevation="0"/>\n</battlemap>\n')
    return path


def test_results_are_told_to_programs(randomizer: Run, field: Path) -> None:
    ran = randomizer("fight", field, *ARMIES, "--side", "Right", "--battles", "20", "--json")
    result = json.loads(ran.text)
    assert ran.code == 0
    assert (result["engine"], result["board"], result["side"]) == (
        "Battlelands Builder",
        "Field",
        1,
    )
    assert result["armies"] == dict.fromkeys(("attacker", "defender"), "2 Lion+2 Ogre+Troll")
    wins = [result[key] for key in ("attacker_wins", "defender_wins", "mutual")]
    assert sum(wins) == result["battles"] == 20
    for side in ("attacker", "defender"):
        deaths = sum(dead[side] for dead in result["deaths"].values())
        assert result["losses"][side] == pytest.approx(deaths / 20)
    assert 1 <= result["mean_turns"] <= 7
    assert "not by the game itself" in ran.err


def test_the_same_seed_fights_the_same_battles(randomizer: Run, field: Path) -> None:
    texts = [
        randomizer("fight", field, *ARMIES, "--side", side, "--seed", seed, "--battles", "30").text
        for side, seed in (("Left", 7), (5, 7), ("left", 8))
    ]
    assert texts[0] == texts[1] != texts[2]
    assert "Field, left: 2 Lion+2 Ogre+Troll against 2 Lion+2 Ogre+Troll: attacker wins" in texts[0]


def test_armies_come_from_a_file(randomizer: Run, field: Path, tmp_path: Path) -> None:
    armies = tmp_path / "mine.txt"
    armies.write_text("# mine\nOgre | Troll\n\n2 Lion  # against their like\n")
    ran = randomizer("fight", field, "--armies", armies, "--side", 3, "--battles", 5, "--json")
    names = [
        (each["armies"]["attacker"], each["armies"]["defender"]) for each in json.loads(ran.text)
    ]
    assert names == [("Ogre", "Troll"), ("2 Lion", "2 Lion")]
    armies.write_text("Ogre | Trol\n|Lion\n")
    ran = randomizer("fight", field, "--armies", armies, "--side", 3)
    assert ran.code == 1
    assert f"{armies}:1:8: error: there is no creature “Trol”; did you mean Troll?" in ran.err
    assert f"{armies}:2:1: error: a creature is missing here" in ran.err


@pytest.mark.parametrize(
    ("army", "problem"),
    [
        ("2 Lyon+Ogre", "--attacker:1:3: error: there is no creature “Lyon”; did you mean Lion?"),
        ("Lion+", "--attacker:1:6: error: a creature is missing here"),
        ("Lion + 0 Ogre", "--attacker:1:8: error: there is no creature “0 Ogre”"),
        ("9 Lion", "--attacker:1:1: error: these are 9 creatures; a legion has at most 8"),
        ("", "--attacker:1:1: error: a creature is missing here"),
    ],
)
def test_a_bad_army_is_told_with_its_place(
    randomizer: Run, field: Path, army: str, problem: str
) -> None:
    ran = randomizer("fight", field, "--attacker", army, "--defender", "Ogre", "--side", 1)
    assert ran.code == 1
    assert problem in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*ARMIES, "--side", "6"), "argument --side: invalid choice"),
        ((*ARMIES, "--side", "North"), "Right"),
        ((*ARMIES, "--side", "1", "--armies", "standard"), "or by --armies"),
        (("--attacker", "Lion", "--side", "1"), "by --attacker and --defender"),
    ],
)
def test_a_wrong_use_is_told(
    randomizer: Run, field: Path, words: tuple[str, ...], message: str
) -> None:
    ran = randomizer("fight", field, *words)
    assert ran.code == 2
    assert message in ran.err


def test_battles_are_fought_on_battlelands_only(randomizer: Run, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("0101 forest\n")
    ran = randomizer("fight", board, *ARMIES, "--side", 1)
    assert ran.code == 1
    assert "battles are fought on Colossus battlelands" in ran.err


def test_a_start_list_is_for_attackers_from_the_bottom(randomizer: Run, field: Path) -> None:
    hexes = "".join(f'<battlehexref label="{label}"/>' for label in ("D4", "Z9"))
    field.write_text(f"{HEAD}<startlist>{hexes}</startlist></battlemap>\n")
    words = ("fight", field, "--attacker", "Lion", "--defender", "Ogre", "--battles", 2, "--side")
    assert "attackers come from the bottom" in randomizer(*words, 1).err
    assert "bottom" not in randomizer(*words, 3).err


@given(
    st.lists(st.sampled_from(["2 Lion", "ogre", "+", "|", "#", "\n", "0", "é", " "])).map("".join)
)
def test_any_file_of_armies_is_read_or_refused_with_places(text: str) -> None:
    try:
        pairs = read_pairs(text)
    except ProblemError as wrong:
        lines = split_lines(text)
        for problem in wrong.problems:
            if problem.line is not None:
                assert 1 <= (problem.column or 0) <= len(lines[problem.line - 1]) + 1
    else:
        assert pairs


def test_standard_armies_are_ten_legions_of_seven() -> None:
    pairs = standard_pairs()
    assert [(len(one), len(other)) for one, other in pairs] == [(7, 7)] * 10
    assert all(read_army(army_text(one)) == one for one, _other in pairs)


def test_the_game_itself_fights_where_it_is_named(
    randomizer: Run, field: Path, tmp_path: Path, monkeypatch
) -> None:
    game = tmp_path / "game"
    (game / "Default" / "Battlelands").mkdir(parents=True)
    with ZipFile(game / "Colossus.jar", "w") as jar:
        jar.writestr("Default/DefaultVar.xml", "<variant/>")
    put_java(tmp_path / "bin", tmp_path / "told", f"sys.stderr.write({BATTLE + FLED!r})")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    command = ("fight", field, *ARMIES, "--side", "3", "--battles", "2", "--game", game)
    ran = randomizer(*command, "--json")
    assert ran.code == 0
    result = json.loads(ran.text)
    assert (result["engine"], result["battles"], result["fled"]) == ("Colossus", 1, 1)
    assert result["deaths"]["D1"] == {"attacker": 1, "defender": 0}
    (told,) = (tmp_path / "told").read_text().splitlines()
    assert 'terrain=\\"Bog\\"' in told, "it fights on this board"
    put_java(tmp_path / "bin", tmp_path / "told", f"sys.stderr.write({FLED!r})")
    ran = randomizer(*command)
    assert (ran.code, "1 have fled" in ran.text) == (0, True)
    sloped = '<battlehex x="3" y="0" terrain="Plains" elevation="0"><border number="0" type="s"/>'
    field.write_text(f"{HEAD}{sloped}</battlehex></battlemap>")
    ran = randomizer(*command)
    assert (ran.code, "the game would hang" in ran.err) == (1, True)
