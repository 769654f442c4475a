"""The command *Play here*: it starts the user's own game with the current map.

The game runs in a scratch folder, so that its own directory is not touched. ``play`` prepares the
folder on another thread, asks, and starts the game; ``_poll`` notices when the game has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer

from app.background.actions import result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.problem_dialog import show_problems, tell_problems
from randomizer.catalog.systems import game_player
from randomizer.game_run import GameRun
from randomizer.games.host import GameHost
from randomizer.games.player import Launch, Player
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, has_errors

POLL_MS = 1000
"""The milliseconds from one check whether a game has ended to the next."""


class PreparedGame(NamedTuple):
    """A game that can be started."""

    title: str

    game_run: GameRun
    """The scratch folder of the game and, as soon as it is started, its process."""

    launch: Launch
    """The program to start, with a summary for the user."""


class PlayHere(QObject):
    """Starts games and removes their scratch folders when they have ended.

    ``host`` returns the game of the current map, None if it has none. A game goes on when the desk
    is closed.
    """

    def __init__(self, desk: Desk, host: Callable[[], GameHost | None]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._host = host
        self.runs: dict[GameRun, str] = {}
        """The games that run, with their titles."""
        self._job: Job | None = None
        """The job that prepares the scratch folder, or has prepared the last one."""
        self._timer = QTimer(self, interval=POLL_MS)
        """Runs while games run."""
        connect(self._timer.timeout, self._poll)

    def _player(self, host: GameHost | None) -> Player | None:
        """Return the object that starts a game, None if it cannot be started."""
        if host is None:
            return None
        return game_player(host)

    def why_not(self) -> str:
        """Return why the game of the current map cannot be started, "" if it can."""
        host = self._host()
        player = self._player(host)
        if host is None or player is None:
            return "No game is known that could be started with maps of this kind."
        return player.why_not(self._desk.settings.game_dir(host.system))

    async def play(self) -> None:
        """Prepare the game of the current map, and start it if the user agrees."""
        host = self._host()
        player = self._player(host)
        is_preparing = self._job is not None and self._job.running
        if host is None or player is None or is_preparing:
            return
        document = self._desk.document
        document.cancel_stroke()
        open_map = document.current_map
        game_dir = self._desk.settings.game_dir(host.system)

        self._desk.say(f"Preparing {host.title}...")
        battlemap = document.battlemap.snapshot()
        self._job = Job(partial(_prepare, host.title, player, battlemap, game_dir))
        with tell_problems(self._desk.frame, _cannot_play(host.title)):
            prepared: PreparedGame = await result(self._job)
            is_started = False
            try:
                if await document.while_open(open_map, self._may_start(prepared)):
                    self._start(prepared)
                    is_started = True
            finally:
                # Not started: the user did not agree, the map was closed, or starting it failed.
                if not is_started:
                    prepared.game_run.remove()

    async def _may_start(self, prepared: PreparedGame) -> bool:
        """Ask whether a game may be started; return False for Cancel."""
        launch = prepared.launch
        details = (
            f"{launch.summary}\n\nProgram: {launch.program}\n"
            f"Scratch folder: {prepared.game_run.folder}\n\n"
            "Nothing of yours is touched: the game writes into the scratch folder, which is "
            "removed when the game has ended. The game goes on when this program is closed."
        )
        text = f"Start {prepared.title} with this map?"
        index = await choose(self._desk.frame, "Play here", text, details, ("&Start",))
        return index is not None

    def _start(self, prepared: PreparedGame) -> None:
        """Start a game. Raises ProblemError."""
        prepared.game_run.start(prepared.launch)
        self.runs[prepared.game_run] = prepared.title
        self._timer.start()
        self._desk.say(f"{prepared.title} was started with this map.")

    def _poll(self) -> None:
        """Forget the games that have ended, and tell what went wrong in them."""
        for run, title in tuple(self.runs.items()):
            try:
                is_running = run.poll()  # which removes the scratch folder of a game that has ended
            except ProblemError as failed:
                show_problems(self._desk.frame, _cannot_play(title), failed.problems)
                is_running = False
            if not is_running:
                del self.runs[run]
        if not self.runs:
            self._timer.stop()


def _prepare(
    title: str,
    player: Player,
    battlemap: BattleMap,
    game_dir: Path | None,
    _progress: object,
    _cancelled: object,
) -> PreparedGame:
    """Write all that a game needs into a new scratch folder: the work of a job.

    ``game_dir`` is the directory of the game, None if it is not known. A job calls this with its
    progress and cancellation, which are not needed here. Raises ProblemError for a map that the
    game could not load; no folder is left then.
    """
    problems = battlemap.system.check(battlemap, battlemap.composite())
    if has_errors(problems):
        raise ProblemError(problems)
    game_run = GameRun()
    try:
        launch = player.prepare(battlemap, game_dir, game_run.folder)
    except BaseException:
        game_run.remove()
        raise
    return PreparedGame(title, game_run, launch)


def _cannot_play(title: str) -> str:
    """Return the heading of the problems with a game."""
    return f"Cannot play in {title}"
