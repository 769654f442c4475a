"""Battles fought by the game itself: its AI on both sides, without a window, in a scratch folder.

    for results in fight(game, board_xml, armies, entry_side=1, count=60):
        ...  # the results so far; closing the generator stops the game

Each process of the game (Java) loads one save file some times in a row and fights its battle each
time; the results are read from the log that it writes. In the save file both legions stand on
master hex 1. In the game that hex is Plains, so the battleland under test is written into the
scratch folder as Plains, where it replaces the game's. Nothing of the player's is written. Source:
the project's fact sheet on battles of Titan.
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
from randomizer.systems.colossus.board import HEX_OF_LABEL, LABELS, NEIGHBOURS
from randomizer.systems.colossus.creatures import CREATURES
from randomizer.systems.colossus.game.directory import GameDirectory

ROUNDS = 6
"""The battles of one process. Its start costs as much as half a battle, so one each is dearer.

With more of them the results come in fewer, larger portions.
"""

SECONDS_TO_START = 30
"""The time limit of a process for its start: an error of a client makes the game hang for ever."""

SECONDS_A_BATTLE = 25
"""The time limit of a process for each of its battles."""

POLL_S = 0.2
"""The seconds after which ``fight`` yields even if no process has ended."""

AI_SECONDS = 1
"""The time that the AI of the game may think about a move."""

MOST_LOG = 20_000_000
"""The most characters of a log that are read: a battle writes some 20,000."""

AI = "net.sf.colossus.ai.SimpleAI"
"""The type of a player that the game moves, as the game writes it."""

HUMAN = "net.sf.colossus.ai.Human"
"""The type of a player that a person moves."""

_JAVA = ("-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")
"""The options of Java: little memory, a quick start, and no window."""

_LOGGING = """handlers=java.util.logging.ConsoleHandler
java.util.logging.ConsoleHandler.level=INFO
java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
java.util.logging.SimpleFormatter.format=%5$s%6$s%n
.level=WARNING
net.sf.colossus.level=INFO
"""
"""The game's settings for its log: one line an event, on the standard error stream."""

_ATTACKERS = "Rd01"
"""The marker of the attacker's legion: the first red one."""
_DEFENDERS = "Gr01"
"""The marker of the defender's legion: the first green one."""

Armies = tuple[Army, Army]
"""The attacker's army and the defender's."""


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
    ends them; so that it can be closed soon, it yields while nothing new is known, too. The same
    object is yielded each time. Raises ProblemError if the game cannot be run, or a process does
    not end in the time for its start and its battles.
    """
    command = [java(), *_JAVA, "-jar", str(jar(game))]
    save = save_file(armies, entry_side).encode()
    processes = processes or _spare_cores()
    results = Results()
    with ExitStack() as stack:
        # Leaving the stack stops the processes first, then waits for the threads of the pool.
        pool = stack.enter_context(ThreadPoolExecutor(processes))
        running: set[Future[list[str]]] = set()
        for first in range(0, count, ROUNDS):
            rounds = min(ROUNDS, count - first)
            limit_s = seconds_to_start + seconds_a_battle * rounds
            process = _Process(command, board, save, rounds, limit_s)
            stack.callback(process.stop)
            running.add(pool.submit(process.run))
        while running:
            ended, running = wait(running, POLL_S, FIRST_COMPLETED)
            for future in ended:
                add_log(results, future.result(), armies)
            yield results


def _spare_cores() -> int:
    """Return the number of processor cores but one, at least 1."""
    cores = os.cpu_count() or 2
    return max(1, cores - 1)


def entry_faults(land: Battleland, entry_side: int) -> tuple[str, ...]:
    """Return why the game would hang on a battleland, sorted; nothing if it would not.

    It hangs where somebody enters a hex that has a slope or a wall at the rim of the board.
    """
    faults = set()
    defenders_side = (entry_side + 3) % 6
    for number in {*ENTRY_HEXES[entry_side], *ENTRY_HEXES[defenders_side]}:
        for side, beyond in enumerate(NEIGHBOURS[number]):
            is_at_rim = beyond < 0
            hexside = land.hexsides[number][side]
            if is_at_rim and hexside in ("Slope", "Wall"):
                faults.add(f"{LABELS[number]} has a {hexside.lower()} at the rim of the board")
    return tuple(sorted(faults))


class _Process:
    """One process of the game, which fights some battles of the same armies.

    ``run`` is called on a thread of the pool, ``stop`` on the one that closes the generator.
    """

    def __init__(
        self, command: Sequence[str], board: bytes, save: bytes, rounds: int, limit_s: float
    ) -> None:
        self._command = command
        self._board = board
        self._save = save
        self._rounds = rounds
        self._limit_s = limit_s
        self._process: subprocess.Popen[str] | None = None
        """The process while it runs and afterwards; None before."""
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
            log, status = self._run_game(scratch)
        if self._stopped or status == 0:
            return log
        exception = next((line for line in log if "Exception" in line), "")
        reason = exception or f"it did not end within {self._limit_s} seconds"
        raise error("game-failed", f"The game did not fight to the end: {reason:.200}")

    def _run_game(self, scratch: Path) -> tuple[list[str], int]:
        """Return the lines of the log and the exit status; the game is killed at the limit."""
        properties = {
            "net.sf.colossus.forceViewBoard": "false",
            "net.sf.colossus.endAfterFirstBattle": "true",
            "net.sf.colossus.stressTestRounds": str(self._rounds),
        }
        no_delay = ["-d", "0"]
        time_to_think = ["-t", str(AI_SECONDS)]
        with subprocess.Popen(
            [*command_in(scratch, self._command, properties), *no_delay, *time_to_think],
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
                log = self._process.stderr.read(MOST_LOG).splitlines()
                return log, self._process.wait()
            finally:
                timer.cancel()
                self._process.kill()


def fill_scratch(scratch: Path, board: bytes, save: bytes) -> None:
    """Write what the game needs into an empty folder: the board as Plains, and the save file."""
    (scratch / "home").mkdir()
    lands = scratch / "Default" / "Battlelands"
    lands.mkdir(parents=True)
    (lands / "Plains.xml").write_bytes(board)
    (scratch / "battle.xml").write_bytes(save)
    (scratch / "logging.properties").write_text(_LOGGING)


def command_in(scratch: Path, command: Sequence[str], properties: Mapping[str, str]) -> list[str]:
    """Return the command that loads the save file of a scratch folder, and writes nowhere else.

    ``command`` runs the jar: the program, then its arguments. ``properties`` are further ones of
    the game.
    """
    program, *arguments = command
    properties = {
        "user.home": str(scratch / "home"),
        "java.io.tmpdir": str(scratch),
        "java.util.logging.config.file": str(scratch / "logging.properties"),
        **properties,
    }
    definitions = [f"-D{key}={value}" for key, value in properties.items()]
    save = ["--load", str(scratch / "battle.xml")]
    # The players' clients talk to the game over a port; the user's own game may hold the usual one.
    port = ["-p", str(_free_port())]
    return [program, *definitions, *arguments, *save, *port]


# --- the log of the game ------------------------------------------------------------------------

_TURN = re.compile(r"Battle turn advances to (\d+)")
_PHASE = re.compile(r"Battle phase advances to (\w+)")
_DEATH = re.compile(r"Critter (.+?) in .+? hex ([A-F]\d)(?: .*)? is now dead")
_END = re.compile(r"Battle completed, result: (?:winner is (\w+)|(draw))")


def add_log(results: Results, lines: Iterable[str], armies: Armies) -> None:
    """Add the battles of a log to ``results``; those that ended without a fight count as fled.

    The lines of a log that matter, in their order::

        Rd01 (Attacker) attacks Gr01 (Defender) in Plains hex 1
        Battle turn advances to 1
        Battle phase advances to Fight
        Critter Lion in Plains hex D4 is now dead
        Battle completed, result: winner is Rd01 (player Attacker)
    """
    log = _LogReader(results, armies)
    for line in lines:
        log.read_line(line)


class _Death(NamedTuple):
    side: int
    """ATTACKER or DEFENDER, whose creature it was."""
    name: str
    number: int
    """The id of the hex on which it died."""


class _LogReader:
    """Reads the log of a process line by line and counts each battle when it ends."""

    def __init__(self, results: Results, armies: Armies) -> None:
        self._results = results
        self._names = [{creature.name for creature in army} for army in armies]
        """The names of the creatures of the attacker and of the defender."""
        self._has_begun = False
        """Whether the battle of these lines was fought, not fled from before its first move."""
        self._turn = 1
        self._moving_side = DEFENDER
        """The side whose half of the turn it is; the defender moves first."""
        self._phase = ""
        """The name of the phase in the log, "" before the first."""
        self._deaths: list[_Death] = []
        """The deaths of this battle so far."""

    def _begin_battle(self) -> None:
        """Forget the battle before."""
        self._has_begun = True
        self._turn = 1
        self._moving_side = DEFENDER
        self._phase = ""
        self._deaths = []

    def read_line(self, line: str) -> None:
        """Take note of the event of a line, if it matters."""
        if " attacks " in line and "(Attacker)" in line:
            self._begin_battle()
        elif turn := _TURN.search(line):
            self._turn = int(turn[1])
        elif phase := _PHASE.search(line):
            self._begin_phase(phase[1])
        elif death := _DEATH.search(line):
            name = death[1]
            self._deaths.append(_Death(self._owner_of_dead(name), name, HEX_OF_LABEL[death[2]]))
        elif "Time loss" in line:
            self._results.time_losses += 1
        elif end := _END.search(line):
            self._end_battle(winner=end[1], is_draw=end[2] is not None)

    def _begin_phase(self, phase: str) -> None:
        """Take note of a phase, and of whose half of the turn it is.

        The attacker's half begins with Summon, the defender's (from turn 2) with Recruit.
        """
        self._phase = phase
        if phase == "Summon":
            self._moving_side = ATTACKER
        elif phase == "Recruit":
            self._moving_side = DEFENDER

    def _owner_of_dead(self, name: str) -> int:
        """Return the side of a creature that has died: ATTACKER or DEFENDER.

        The log names the creature but not its side. Where both armies have such a creature the
        phase decides: in Strikeback the side that moves is struck, in all others its enemy.
        """
        owners = [side for side in (ATTACKER, DEFENDER) if name in self._names[side]]
        if len(owners) == 1:
            return owners[0]
        if self._phase == "Strikeback":
            return self._moving_side
        return 1 - self._moving_side

    def _end_battle(self, *, winner: str | None, is_draw: bool) -> None:
        """Count a battle. ``winner`` is the marker of a legion, None in a draw."""
        results = self._results
        if not self._has_begun:
            results.fled += 1
            return
        results.mutual += is_draw
        results.attacker_wins += winner == _ATTACKERS
        results.defender_wins += winner == _DEFENDERS
        # The game announces one turn more before it ends a battle for lack of time.
        results.turns += min(self._turn, LAST_TURN)
        for death in self._deaths:
            results.deaths[death.side, death.number] += 1
            results.losses[death.side, death.name] += 1
        self._has_begun = False


# --- the save file ------------------------------------------------------------------------------


class _Player(NamedTuple):
    """A player of the save file, with a single legion."""

    name: str
    kind: str
    """The type of player: AI or HUMAN."""
    colour: str
    starting_tower: int
    """The label of the tower where it began; it means nothing to the battle."""
    marker: str
    """The name of its legion."""
    entry_side: int
    has_moved: bool
    army: Army


def save_file(armies: Armies, entry_side: int, attacker: str = AI) -> str:
    """Return the save file of a game in which two legions are about to fight.

    ``attacker`` is the type of that player; the defender is the game's AI.
    """
    attacking_army, defending_army = armies
    players = (
        _Player("Attacker", attacker, "Red", 600, _ATTACKERS, entry_side, True, attacking_army),
        # The game itself lets the defender enter opposite the attacker, whatever its side here.
        _Player("Defender", AI, "Green", 200, _DEFENDERS, 0, False, defending_army),
    )
    player_elements = "".join(map(_player_element, players))
    reveals = "".join(map(_reveal_element, players))
    # Phase 2 of a turn is that of fights.
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ColossusSnapshot version="14" createdByRelease="0.14">'
        '<Variant dir="Default" file="DefaultVar.xml" name="Default"/>'
        "<TurnNumber>2</TurnNumber><CurrentPlayer>0</CurrentPlayer><CurrentPhase>2</CurrentPhase>"
        f"<Caretaker>{_empty_box()}</Caretaker>{player_elements}"
        f"<History>{reveals}</History><Redo></Redo></ColossusSnapshot>\n"
    )


def _empty_box() -> str:
    """Return the elements of a box without creatures, so that nobody is recruited or summoned."""
    return "".join(
        f'<Creature name={quoteattr(creature.name)} remaining="0" dead="0"/>'
        for creature in CREATURES
    )


def _player_element(player: _Player) -> str:
    """Return the element of a player with its legion, which is in the hex of the battle."""
    moved = str(player.has_moved).lower()
    creatures = "".join(f"<Creature name={quoteattr(kind.name)}/>" for kind in player.army)
    return (
        f'<Player name="{player.name}" type="{player.kind}" color="{player.colour}" '
        'colorsElim="" dead="false" movementRoll="1" mulligansLeft="0" score="0" '
        f'startingTower="{player.starting_tower}" summoned="false" teleported="false">'
        f'<Legion name="{player.marker}" currentHex="1" startingHex="1" '
        f'entrySide="{player.entry_side}" moved="{moved}" parent="null" recruitName="null" '
        f'battleTally="0">{creatures}</Legion></Player>'
    )


def _reveal_element(player: _Player) -> str:
    """Return the event that shows a legion's creatures to all players."""
    creatures = "".join(f"<creature>{kind.name}</creature>" for kind in player.army)
    return (
        f'<Reveal allPlayers="true" markerId="{player.marker}" turn="1">'
        f"<creatures>{creatures}</creatures></Reveal>"
    )


# --- the programs of the user -------------------------------------------------------------------


def java() -> str:
    """Return the program that runs Java. Raises ProblemError if there is none on the path."""
    path = shutil.which("java")
    if path is None:
        raise error("no-java", "The game needs Java, and there is no program java on the path")
    return path


def jar(game: GameDirectory) -> Path:
    """Return the game's jar. Raises ProblemError if its directory has none."""
    if not game.jars:
        raise error("no-jar", "The game's directory has no jar to run", path=str(game.root))
    return game.jars[0].path


def _free_port() -> int:
    """Return a port of this machine that nobody uses now; nothing connects to it here."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
