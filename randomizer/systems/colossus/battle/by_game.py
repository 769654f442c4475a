"""Battles fought by the game itself: its AI on both sides, without a window, in a scratch folder.

    for results in fight(game, board_xml, armies, entry_side=1, count=60):
        ...  # the results so far; closing the generator stops the game

Each process of the game (Java) loads one save file some times in a row: both legions stand on
master hex 1, which is Plains, and the battleland under test is called Plains in the scratch folder.
Nothing of the player's is written. Source: the project's fact sheet on battles of Titan.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from threading import Timer
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from randomizer.model.problems import error
from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.battle import LAST_TURN
from randomizer.systems.colossus.battle.many_battles import ATTACKER, DEFENDER
from randomizer.systems.colossus.battle.simulator import Results
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, Battleland
from randomizer.systems.colossus.board import HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.colossus.creatures import CREATURES
from randomizer.systems.colossus.game.directory import GameDirectory

ROUNDS = 6
"""Battles of one process: its start costs as much as half a battle."""

SECONDS_A_BATTLE = 25
SECONDS_TO_START = 30
"""The time limit of a process: an error of a client of the game makes it hang for ever."""

POLL_S = 0.2
"""How long the results so far are waited for at most."""

AI_SECONDS = 1
"""The time that the AI of the game may think about a move."""

_JAVA = ("-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")
_LOGGING = """handlers=java.util.logging.ConsoleHandler
java.util.logging.ConsoleHandler.level=INFO
java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
java.util.logging.SimpleFormatter.format=%5$s%6$s%n
.level=WARNING
net.sf.colossus.level=INFO
"""
_ATTACKERS = "Rd01"
_DEFENDERS = "Gr01"
Armies = tuple[Army, Army]
"""The attacker's and the defender's."""


def fight(
    game: GameDirectory,
    board: bytes,
    armies: Armies,
    entry_side: int,
    count: int,
    processes: int | None = None,
    seconds_to_start: float = SECONDS_TO_START,
    seconds_a_battle: float = SECONDS_A_BATTLE,
) -> Iterator[Results]:
    """Fight ``count`` battles of two armies on a battleland (XML); yield the results so far.

    ``processes`` run at the same time (None: one for each core but one). Closing the generator
    ends them; so that it can be closed soon, it yields while nothing new is known, too. Raises
    ProblemError if the game cannot be run, or a process does not end in the time for its start
    and its battles.
    """
    command = [java(), *_JAVA, "-jar", str(jar(game))]
    sizes = [min(ROUNDS, count - first) for first in range(0, count, ROUNDS)]
    at_once = max(1, processes or (os.cpu_count() or 2) - 1)
    results = Results()
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(at_once))
        running: set[Future[Iterable[str]]] = set()
        for size in sizes:
            limit_s = seconds_to_start + seconds_a_battle * size
            process = _Process(command, board, armies, entry_side, size, limit_s)
            stack.callback(process.stop)
            running.add(pool.submit(process.run))
        while running:
            done, running = wait(running, POLL_S, FIRST_COMPLETED)
            for log in done:
                add_log(results, log.result(), armies)
            yield results


def entry_faults(land: Battleland, entry_side: int) -> tuple[str, ...]:
    """Return why the game would hang on a battleland: sides at its rim where somebody enters."""
    faults = []
    for side in {entry_side, (entry_side + 3) % 6}:
        for number in ENTRY_HEXES[side]:
            for direction, beyond in enumerate(NEIGHBOURS[number]):
                kind = land.hexsides[number][direction]
                if beyond < 0 and kind in ("Slope", "Wall"):
                    label = next(label for label, at in HEX_OF_LABEL.items() if at == number)
                    faults.append(f"{label} has a {kind.lower()} at the rim of the board")
    return tuple(sorted(set(faults)))


class _Process:
    """One process of the game, which fights some battles of the same armies."""

    def __init__(
        self,
        command: Sequence[str],
        board: bytes,
        armies: Armies,
        entry_side: int,
        rounds: int,
        limit_s: float,
    ) -> None:
        self._command = command
        self._rounds = rounds
        self._limit_s = limit_s
        self._board = board
        self._save = save_file(armies, entry_side).encode()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def stop(self) -> None:
        """End the process, now and for good."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def run(self) -> list[str]:
        """Return the lines of the log. Raises ProblemError if the game fails or hangs."""
        if self._stopped:
            return []
        with tempfile.TemporaryDirectory(prefix="battlelands-fight-") as name:
            scratch = Path(name)
            fill_scratch(scratch, self._board, self._save)
            return self._log(scratch)

    def _log(self, scratch: Path) -> list[str]:
        properties = {
            "net.sf.colossus.forceViewBoard": "false",
            "net.sf.colossus.endAfterFirstBattle": "true",
            "net.sf.colossus.stressTestRounds": str(self._rounds),
        }
        command = command_in(scratch, self._command, properties)
        with subprocess.Popen(
            [*command, "-d", "0", "-t", str(AI_SECONDS)],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as self._process:
            timer = Timer(self._limit_s, self._process.kill)
            timer.start()
            try:
                assert self._process.stderr is not None
                lines = self._process.stderr.read(MOST_LOG).splitlines()
                status = self._process.wait()
            finally:
                timer.cancel()
                self._process.kill()
        if self._stopped or status == 0:
            return lines
        message = next((line for line in lines if "Exception" in line), "")
        reason = message or f"it did not end within {self._limit_s} seconds"
        raise error("game-failed", f"The game did not fight to the end: {reason:.200}")


def fill_scratch(scratch: Path, board: bytes, save: bytes) -> None:
    """Write what the game needs into an empty folder: the board as Plains, and the save file."""
    (scratch / "home").mkdir()
    lands = scratch / "Default" / "Battlelands"
    lands.mkdir(parents=True)
    (lands / "Plains.xml").write_bytes(board)
    (scratch / "battle.xml").write_bytes(save)
    (scratch / "logging.properties").write_text(_LOGGING)


def command_in(scratch: Path, command: Sequence[str], properties: Mapping[str, str]) -> list[str]:
    """Return the command that loads the save file of a folder, and writes nowhere else.

    ``command`` runs the jar, ``properties`` are further ones of the game.
    """
    program, *arguments = command
    properties = {
        "user.home": str(scratch / "home"),
        "java.io.tmpdir": str(scratch),
        "java.util.logging.config.file": str(scratch / "logging.properties"),
        **properties,
    }
    defined = [f"-D{key}={value}" for key, value in properties.items()]
    load = ["--load", str(scratch / "battle.xml"), "-p", str(_free_port())]
    return [program, *defined, *arguments, *load]


MOST_LOG = 20_000_000
"""The most characters of a log that are read: a battle writes some 20,000."""

_DEAD = re.compile(r"Critter (.+?) in .+? hex ([A-F]\d)(?: .*)? is now dead")
_END = re.compile(r"Battle completed, result: (?:winner is (\w+)|(draw))")
_TURN = re.compile(r"Battle turn advances to (\d+)")
_PHASE = re.compile(r"Battle phase advances to (\w+)")


def add_log(results: Results, lines: Iterable[str], armies: Armies) -> None:
    """Add the battles of a log to results. Those that began without a fight are ``fled``.

    Who dies is told by name: where both armies have such a creature, by whose turn it is.
    """
    reader = _LogReader(results, armies)
    for line in lines:
        reader.read(line)


class _Death(NamedTuple):
    """A creature that died in a battle."""

    side: int
    name: str
    hex_number: int


class _LogReader:
    """Reads the lines of a log and adds each battle to results when it ends."""

    def __init__(self, results: Results, armies: Armies) -> None:
        self._results = results
        self._names_by_side = [{creature.name for creature in army} for army in armies]
        self._is_fighting = False
        """Whether a fight has begun that has not ended: a flight has no beginning in the log."""
        self._turn = 1
        self._moving_side = DEFENDER
        """Whose half of the turn it is: the defender has the first one."""
        self._phase = ""
        self._deaths: list[_Death] = []

    def _begin(self) -> None:
        """Begin a battle."""
        self._is_fighting = True
        self._turn = 1
        self._moving_side = DEFENDER
        self._phase = ""
        self._deaths = []

    def read(self, line: str) -> None:
        """Read the next line; most of them tell nothing that is counted."""
        if " attacks " in line and "(Attacker)" in line:
            self._begin()
        elif match := _TURN.search(line):
            self._turn = int(match[1])
        elif match := _PHASE.search(line):
            self._phase = match[1]
            # The attacker is active from Summon on, the defender from Recruit on.
            if self._phase == "Summon":
                self._moving_side = ATTACKER
            elif self._phase == "Recruit":
                self._moving_side = DEFENDER
        elif match := _DEAD.search(line):
            name = match[1]
            self._deaths.append(_Death(self._victim(name), name, HEX_OF_LABEL[match[2]]))
        elif "Time loss" in line:
            self._results.time_losses += 1
        elif match := _END.search(line):
            self._end(winner=match[1])

    def _victim(self, name: str) -> int:
        """Return the side of a creature that has died.

        The log has its name only. If both armies have such a creature, it is of the side that is
        struck: in Fight the side that moves strikes, in Strikeback the other one.
        """
        sides = [side for side in (ATTACKER, DEFENDER) if name in self._names_by_side[side]]
        if len(sides) == 1:
            return sides[0]
        if self._phase == "Strikeback":
            return self._moving_side
        return 1 - self._moving_side

    def _end(self, winner: str | None) -> None:
        """End a battle; ``winner`` is the name of a legion, None for a draw."""
        results = self._results
        if not self._is_fighting:
            results.fled += 1
            return
        self._is_fighting = False
        if winner is None:
            results.mutual += 1
        elif winner == _ATTACKERS:
            results.attacker_wins += 1
        elif winner == _DEFENDERS:
            results.defender_wins += 1
        results.turns += min(self._turn, LAST_TURN)  # a time loss ends turn 8
        for death in self._deaths:
            results.deaths[death.side, death.hex_number] += 1
            results.losses[death.side, death.name] += 1


AI = "net.sf.colossus.ai.SimpleAI"
HUMAN = "net.sf.colossus.ai.Human"
"""Types of players, as the game writes them."""


def save_file(armies: Armies, entry_side: int, attacker: str = AI) -> str:
    """Return the save file of a game in which two legions are about to fight.

    ``attacker`` is the type of that player; the defender is the game's AI.
    """
    empty = "".join(
        f'<Creature name={quoteattr(creature.name)} remaining="0" dead="0"/>'
        for creature in CREATURES
    )
    players = "".join(
        f'<Player name="{name}" type="{kind}" color="{colour}" colorsElim="" '
        f'dead="false" movementRoll="1" mulligansLeft="0" score="0" startingTower="{tower}" '
        f'summoned="false" teleported="false"><Legion name="{marker}" currentHex="1" '
        f'startingHex="1" entrySide="{side}" moved="{moved}" parent="null" recruitName="null" '
        f'battleTally="0">{_creatures(army)}</Legion></Player>'
        for name, kind, colour, tower, marker, side, moved, army in (
            ("Attacker", attacker, "Red", 600, _ATTACKERS, entry_side, "true", armies[0]),
            ("Defender", AI, "Green", 200, _DEFENDERS, 0, "false", armies[1]),
        )
    )
    reveals = "".join(
        f'<Reveal allPlayers="true" markerId="{marker}" turn="1"><creatures>'
        + "".join(f"<creature>{creature.name}</creature>" for creature in army)
        + "</creatures></Reveal>"
        for marker, army in zip((_ATTACKERS, _DEFENDERS), armies, strict=True)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ColossusSnapshot version="14" createdByRelease="0.14">'
        '<Variant dir="Default" file="DefaultVar.xml" name="Default"/>'
        "<TurnNumber>2</TurnNumber><CurrentPlayer>0</CurrentPlayer><CurrentPhase>2</CurrentPhase>"
        f"<Caretaker>{empty}</Caretaker>{players}<History>{reveals}</History><Redo></Redo>"
        "</ColossusSnapshot>\n"
    )


def _creatures(army: Army) -> str:
    return "".join(f"<Creature name={quoteattr(creature.name)}/>" for creature in army)


def java() -> str:
    """Return the program that runs Java. Raises ProblemError without one."""
    path = shutil.which("java")
    if path is None:
        raise error("no-java", "The game needs Java, and there is no program java on the path")
    return path


def jar(game: GameDirectory) -> Path:
    """Return the game's jar. Raises ProblemError without one."""
    if not game.jars:
        raise error("no-jar", "The game's directory has no jar to run", path=str(game.root))
    return game.jars[0].path


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
