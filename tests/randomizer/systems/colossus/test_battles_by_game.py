"""Battles fought by the game: what it is given, what its log says, and what becomes of its faults.

A stand-in for Java takes the arguments and the files of a process, and writes a log as the game
does.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.battle import by_game
from randomizer.systems.colossus.battle.armies import read_army
from randomizer.systems.colossus.battle.by_game import TimeLimit, fight
from randomizer.systems.colossus.battle.game_launch import entry_faults
from randomizer.systems.colossus.battle.saved_battle import save_file
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, Battleland
from randomizer.systems.colossus.board import HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.jar import GameJar
from tests.randomizer.systems.colossus.stand_in_java import BATTLE, DRAW, FLED, LATE, put_java

ARMIES = (read_army("2 Lion+Troll"), read_army("Lion+2 Ogre"))


@pytest.fixture
def game(tmp_path: Path, monkeypatch):
    """A game whose Java writes ``log``, or does something else; what it was given is ``told``."""

    class Game:
        told_path = tmp_path / "told"

        def __init__(self) -> None:
            self.directory = GameDirectory(tmp_path, (GameJar(tmp_path / "Colossus.jar"),))

        def does(self, code: str) -> None:
            put_java(tmp_path / "bin", self.told_path, code)
            monkeypatch.setenv("PATH", str(tmp_path / "bin"))

        def writes(self, log: str) -> None:
            self.does(f"sys.stderr.write({log!r})")

        @property
        def told(self) -> list:
            if not self.told_path.exists():
                return []  # no process has begun yet
            return [json.loads(line) for line in self.told_path.read_text().splitlines()]

    return Game()


def last(game, count: int = 4, **limits: float):
    limit = TimeLimit(**limits)
    fights = fight(game.directory, b"<board/>", ARMIES, 1, count, processes=2, time_limit=limit)
    *_, results = fights
    return results


def test_results_are_those_of_the_log(game) -> None:
    game.writes(BATTLE + LATE + DRAW + FLED)
    results = last(game)
    assert (results.attacker_wins, results.defender_wins, results.mutual) == (1, 1, 1)
    assert (results.time_losses, results.fled, results.turns) == (1, 1, 2 + 7 + 1)
    # The first Lion falls on the defender's move, the second on the attacker's.
    assert results.deaths.sum(axis=1).tolist() == [2, 2]
    deaths = [(side, number) for side, number in zip(*results.deaths.nonzero(), strict=True)]
    labels = [(0, "D1"), (0, "C1"), (1, "C3"), (1, "C2")]
    assert sorted(deaths) == sorted((side, HEX_OF_LABEL[label]) for side, label in labels)


def test_the_game_gets_the_board_as_plains_and_all_it_writes_is_in_a_folder_that_goes(game) -> None:
    game.writes(FLED)
    last(game, 2 * by_game.BATTLES_A_PROCESS + 1)
    folders = set()
    rounds = []
    for arguments, files, board, folder in game.told:
        assert board == "<board/>"
        assert files == ["Default/Battlelands/Plains.xml", "battle.xml", "logging.properties"]
        folders.add(folder)
        options = dict(
            argument[2:].split("=", 1) for argument in arguments if argument.startswith("-D")
        )
        rounds.append(int(options["net.sf.colossus.stressTestRounds"]))
        assert options["user.home"] == f"{folder}/home"
        assert arguments[arguments.index("--load") + 1] == f"{folder}/battle.xml"
    assert sorted(rounds) == [1, by_game.BATTLES_A_PROCESS, by_game.BATTLES_A_PROCESS]
    assert len(folders) == 3
    assert not any(Path(folder).exists() for folder in folders)
    ports = {arguments[-1] for arguments, *_ in game.told}
    assert all(port.isdigit() for port in ports)


def test_a_save_holds_both_legions_on_hex_1_and_nothing_to_recruit() -> None:
    root = ET.fromstring(save_file(ARMIES, 5))
    legions = list(root.iter("Legion"))
    assert [each.get("entrySide") for each in legions] == ["5", "0"]
    assert {each.get("currentHex") for each in legions} == {"1"}
    names = [[each.get("name") for each in legion] for legion in legions]
    assert names == [["Lion", "Lion", "Troll"], ["Lion", "Ogre", "Ogre"]]
    revealed = [[each.text for each in reveal.iter("creature")] for reveal in root.iter("Reveal")]
    assert revealed == names
    kept = list(root.find("Caretaker"))
    assert len(kept) == 24
    assert {each.get("remaining") for each in kept} == {"0"}


def test_a_game_that_hangs_is_ended_and_a_fault_is_told(game) -> None:
    game.does("time.sleep(600)")
    with pytest.raises(ProblemError, match=r"did not end within 0\.5 seconds"):
        last(game, 1, seconds_to_start=0.5, seconds_a_battle=0)
    game.does("sys.stderr.write('java.net.BindException: in use\\n'); sys.exit(1)")
    with pytest.raises(ProblemError, match="BindException: in use"):
        last(game, 1)


def test_java_that_does_not_start_is_told_in_its_words(game) -> None:
    game.does("sys.stderr.write('Error: Unable to access jarfile Colossus.jar\\n'); sys.exit(1)")
    with pytest.raises(ProblemError, match="Unable to access jarfile"):
        last(game, 1)
    game.does("sys.exit(3)")
    with pytest.raises(ProblemError, match="it ended with the exit status 3"):
        last(game, 1)


def test_battles_that_nobody_waits_for_any_more_end_with_their_processes(game) -> None:
    game.does(
        "time.sleep(600 if len(list(open(TOLD))) > 1 else 0)".replace(
            "TOLD", repr(str(game.told_path))
        )
    )
    fights = fight(game.directory, b"<board/>", ARMIES, 1, 600, processes=1)
    next(fights)
    while len(game.told) < 2:
        time.sleep(0.01)
    fights.close()
    assert len(game.told) < 4
    assert not any(Path(folder).exists() for *_, folder in game.told)


def test_a_process_that_begins_while_the_battles_are_stopped_is_ended(
    game, monkeypatch, tmp_path: Path
) -> None:
    ended = tmp_path / "ended"
    game.does(f"time.sleep(3); open({str(ended)!r}, 'w').close()")
    may_begin = threading.Event()
    launch_command = by_game.launch_command

    def command_in_later(*arguments):
        assert may_begin.wait(20)
        return launch_command(*arguments)

    # The process is asked for just before the battles are stopped, and begins just after.
    monkeypatch.setattr(by_game, "launch_command", command_in_later)
    fights = fight(game.directory, b"<board/>", ARMIES, 1, 1, processes=1)
    next(fights)
    threading.Timer(0.2, may_begin.set).start()
    fights.close()
    assert not ended.exists()


def test_without_java_or_a_jar_it_is_said(game, monkeypatch, tmp_path: Path) -> None:
    game.writes("")
    with pytest.raises(ProblemError, match="no jar"):
        next(fight(GameDirectory(tmp_path, ()), b"", ARMIES, 1, 1))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ProblemError, match="needs Java"):
        next(fight(game.directory, b"", ARMIES, 1, 1))


def test_boards_on_which_the_game_would_hang_are_named() -> None:
    plain = Battleland()
    assert entry_faults(plain, 1) == ()
    sides = [list(hexside) for hexside in plain.hexsides]
    number = HEX_OF_LABEL["D1"]
    rim = next(side for side in range(6) if NEIGHBOURS[number][side] < 0)
    sides[number][rim] = "Slope"
    land = replace(plain, hexsides=tuple(tuple(each) for each in sides))
    at = [side for side in range(6) if number in ENTRY_HEXES[side]]
    assert at
    for side in range(6):
        faulty = side in at or (side + 3) % 6 in at
        assert bool(entry_faults(land, side)) is faulty
    assert entry_faults(land, at[0]) == ("D1 has a slope at the rim of the board",)
