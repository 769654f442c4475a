"""Play here: the current map in the player's own game, in a scratch folder, after asking."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QMessageBox

from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.layout.builders import plain_text
from randomizer.catalog.catalog import game_player
from randomizer.game_run import GameRun
from randomizer.games import GameHost, Launch
from randomizer.model.problems import Problem, ProblemError, has_errors

POLL_MS = 1000
"""How often it is asked whether a game has ended."""


class PlayHere(QObject):
    """Starts games and removes their folders when they have ended. They outlive the desk.

    ``host()`` is the game of the current map; ``ask`` opens a dialog.
    """

    def __init__(
        self, desk: Desk, host: Callable[[], GameHost | None], ask: Callable[[QDialog], None]
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._host = host
        self._ask = ask
        self.runs: dict[GameRun, str] = {}  # with the titles of their games
        self._job = LatestJob(self)
        self._timer = QTimer(self, interval=POLL_MS)
        connect(self._timer.timeout, self._poll)

    def why_not(self) -> str:
        """Return why the game of the current map cannot be started, "" if it can."""
        host = self._host()
        player = None if host is None else game_player(host)
        if host is None or player is None:
            return "No game is known that could be started with maps of this kind."
        return player.why_not(self._desk.settings.game_dir(host.system))

    def play(self) -> None:
        """Prepare the game of the current map, and start it if the player agrees."""
        host = self._host()
        player = None if host is None else game_player(host)
        if host is None or player is None or self._job.busy:
            return
        self._desk.document.cancel_stroke()
        path = self._desk.settings.game_dir(host.system)
        battlemap = self._desk.document.battlemap.snapshot()

        def work(*_: object) -> tuple[GameRun, Launch]:
            problems = battlemap.system.check(battlemap, battlemap.composite())
            if has_errors(problems):
                raise ProblemError(problems)
            run = GameRun()
            try:
                return run, player.prepare(battlemap, path, run.folder)
            except BaseException:
                run.remove()
                raise

        self._desk.say(f"Preparing {host.title}...")
        fail = partial(self._fail, host.title)
        self._job.run(work, partial(self._propose, host.title), fail)

    def _propose(self, title: str, prepared: tuple[GameRun, Launch]) -> None:
        run, launch = prepared
        box = QMessageBox(self._desk.frame)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Play here")
        box.setText(plain_text(f"Start {title} with this map?"))
        details = (
            f"{launch.summary}\n\nProgram: {launch.program}\nScratch folder: {run.folder}\n\n"
            "Nothing of yours is touched: the game writes into the scratch folder, which is "
            "removed when the game has ended. The game goes on when this program is closed."
        )
        box.setInformativeText(plain_text(details))
        box.addButton("&Start", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        connect(box.accepted, partial(self._start, title, run, launch))
        connect(box.rejected, run.remove)
        self._ask(box)

    def _start(self, title: str, run: GameRun, launch: Launch) -> None:
        try:
            run.start(launch)
        except ProblemError as failed:
            run.remove()
            self._fail(title, failed.problems)
            return
        self.runs[run] = title
        self._timer.start()
        self._desk.say(f"{title} was started with this map.")

    def _poll(self) -> None:
        for run, title in tuple(self.runs.items()):
            try:
                if run.poll():
                    continue
            except ProblemError as failed:
                self._fail(title, failed.problems)
            del self.runs[run]
        if not self.runs:
            self._timer.stop()

    def _fail(self, title: str, problems: tuple[Problem, ...]) -> None:
        show_problems(self._desk.frame, f"Cannot play in {title}", problems)
