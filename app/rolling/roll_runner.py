"""The roll under way: a request is rolled on another thread, and its result put into the map.

    runner.start(request)    # a RollRequest; nothing is returned, signals tell what happens

These are the stages of a roll, and the signals that tell of them:

    started                   the request is under way: ``busy`` is true until the stage "ended"
    progressed, slow_changed  the generator works, as a ``Job``
                              (a stroke of the brush ends; the user is asked about another size)
    busy_changed(False)       ended, and nothing of the map has changed so far
    rolled, reported,         the result is in the map, as one undo step; or ``failed``: the map is
    finished, logged          as it was

Connect ``finished`` to go on after a roll, ``rolled`` to tell the user of it in a sentence, and
``reported`` to show what is wrong with it. ``Rolling`` decides which request is rolled.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from app.background import actions
from app.background.actions import Stopped
from app.background.jobs import Job
from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.destination import InPlaceOf, NewMap
from app.rolling.earlier_contents import EarlierContents
from app.rolling.finished_roll import FinishedRoll
from app.rolling.key_choice import KeyChoice, random_seed
from app.rolling.roll_history import RollHistory
from app.rolling.roll_placement import RollPlacement
from app.rolling.roll_request import RollRequest
from app.rolling.size_question import (
    SizeAnswer,
    SizeQuestion,
    first_answer,
    possible_answers,
)
from randomizer.generator_run import Progress
from randomizer.model.basics.log_line import LogLine
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.generated import Generated
from randomizer.storage.records.deflated_parts import deflate_layers

STROKE_POLL_MS = 40
"""How often a finished roll looks whether the stroke of the brush has ended, in ms.

If it is larger, the new map appears later after the stroke.
"""

SLOW_AFTER_MS = 120
"""A roll that takes longer, in ms, is slow: its progress is shown.

Most rolls take less; if this is smaller, the bar of the progress flickers at each of them.
"""

SIZE_KEPT = "Not rolled: the map keeps its size and shape"
OTHER_SIZE = "Size and shape of the map wait for the next roll: Roll changes them."


class RollRunner(QObject):
    """Carries out requests, one at a time, and tells of the one under way."""

    started = Signal(object)
    """A roll has begun: its ``RollRequest``."""

    busy_changed = Signal(bool)
    """``busy`` has changed, to this."""

    slow_changed = Signal(bool)
    """``slow`` has changed, to this."""

    progressed = Signal(int)
    """The progress of the roll under way: 1 to 100, 0 for unknown."""

    finished = Signal(object)
    """The result of this ``RollRequest`` is in the map, or opened as a map."""

    failed = Signal(object, object)
    """A ``RollRequest`` could not be carried out, for these problems (the second argument)."""

    rolled = Signal(str)
    """A roll that the user asked for is in the map: this sentence says what, and in which layer."""

    reported = Signal(object)
    """The problems for which the last roll failed, or its notes; () when one begins."""

    logged = Signal(object)
    """The output of the script of the last roll, a tuple of ``LogLine``.

    It is the last signal about a roll that was not cancelled.
    """

    map_kept = Signal()
    """The current map stays as it is: a roll meant for it is about to open as a new map."""

    enabled_changed = Signal()
    """``slow``, or an answer of a method that begins with "why_not", may have changed.

    It is emitted after the other signals about the same change.
    """

    message = Signal(str)
    """A sentence for the status line."""

    def __init__(
        self,
        document: MapDocument,
        parent: QObject | None = None,
        *,
        choose_seed: Callable[[], int] = random_seed,
        ask_size: SizeQuestion = first_answer,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._ask_size = ask_size
        self.key_choice = KeyChoice(document.current_map, self, choose_seed=choose_seed)
        """Seed and number for the next roll, and those of the map on display."""
        self.history = RollHistory(document)
        """The earlier rolls of the map's layers."""
        self.earlier_contents = EarlierContents(document)
        """What these layers held in earlier rolls."""
        self._placement = RollPlacement(document, self.history, self.earlier_contents)
        self._request: RollRequest | None = None
        """The roll under way, None without one."""
        self._job: Job | None = None
        """The job that rolls it, None without a roll or after its end."""
        self.slow = False
        """True if the roll under way takes long enough for its progress to be shown."""
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_AFTER_MS)
        """Runs from the start of a roll; at its end the roll is slow."""
        self.roll_seconds = 0.0
        """How long the generator has worked on the last map; 0.0 before the first one."""
        self.applying = False
        """True while a result is being put into the map, or opened as one."""
        self.failure_message = ""
        """The message of the last roll that failed, until the setup changes."""
        connect(self._slow_timer.timeout, self._on_slow)

    @property
    def busy(self) -> bool:
        """True if a roll is under way."""
        return self._request is not None

    def is_under_way(self, request: RollRequest | None) -> bool:
        """Return whether this request is being carried out; None never is."""
        return request is not None and self._request is request

    @property
    def searching(self) -> bool:
        """True if map after map is tried for one that keeps the locks."""
        return self._request is not None and self._request.searches_for_locks

    @property
    def opens_map(self) -> bool:
        """True if the roll under way opens a new map."""
        return self._request is not None and isinstance(self._request.destination, NewMap)

    # --- start and end ----------------------------------------------------------------------

    def start(self, request: RollRequest) -> None:
        """Carry out a request, and tell the user if it fails. It returns while that goes on."""
        actions.run(self._carry_out_and_tell(request))

    async def _carry_out_and_tell(self, request: RollRequest) -> None:
        try:
            await self.carry_out(request)
        except ProblemError as reason:
            self.tell_failure(request, reason)

    async def carry_out(self, request: RollRequest) -> None:
        """Roll a request, and put the result into its destination, as one undo step.

        The caller has seen that none is under way (``busy``). Raises ProblemError if the roll
        fails; the caller then calls ``tell_failure``. Raises Stopped if the roll is cancelled, or
        its destination is gone.
        """
        assert self._request is None, "one roll at a time"
        self._request = request
        try:
            generated = await self._generate(request)
            await self._wait_for_stroke(request)
            opens_map = await self._ask_about_size(request, generated)
        finally:
            if isValid(self):
                self._end_generation(request)
        try:
            roll = FinishedRoll(request, generated, self.key_choice.displayed_key, opens_map)
            self._apply(roll)
        except ProblemError as reason:
            raise ProblemError(reason.problems, generated.log) from None
        self.logged.emit(generated.log)

    def tell_failure(self, request: RollRequest, reason: ProblemError) -> None:
        """Tell why a request could not be rolled, and what its script has written."""
        problems = reason.problems
        self.failed.emit(request, problems)
        destination = request.destination
        if isinstance(destination, InPlaceOf):
            text = request.setup.text
            if request.restored_roll is not None:
                text = request.restored_roll.script
            self.history.note_failure(destination.layer_id, request.key, text)
        self.reported.emit(problems)
        if not destination.is_typed:
            self.failure_message = f"Not rolled: {problems[0].message}"
            self.message.emit(self.failure_message)
        self.logged.emit(reason.log)

    def cancel(self) -> None:
        """Cancel the roll under way, if there is one; the map stays as it is."""
        if self._request is not None:
            self._end_generation(self._request)

    def cancel_typed(self) -> None:
        """Cancel the roll under way if it only shows a text that is being typed."""
        if self._request is not None and self._request.destination.only_shows_text:
            self._end_generation(self._request)

    def _end_generation(self, request: RollRequest) -> None:
        """End the state "under way" of a request, if it is; its job is cancelled if it runs."""
        if self._request is not request:
            return
        if self._job is not None:
            self._job.cancel()
        self._request = None
        self._job = None
        self._set_slow(False)
        self.busy_changed.emit(False)

    def _check_under_way(self, request: RollRequest) -> None:
        """Raise Stopped if a request was dropped, or this object was deleted with its window.

        It is called after each wait, as both can happen meanwhile.
        """
        if not isValid(self) or self._request is not request:
            raise Stopped

    # --- the stages of a roll, in their order -----------------------------------------------

    async def _generate(self, request: RollRequest) -> Generated:
        """Run the generator on a job's thread, and return its result.

        Raises ProblemError, with the log of the script, and Stopped.
        """
        # What the script wrote before it failed: the exception of a job loses it.
        log: list[LogLine] = []

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
            try:
                generated = request.roll(progress, cancelled)
            except ProblemError as reason:
                log.extend(reason.log)
                raise
            if generated is not None:
                # For the journal, here: on the window's thread it would hold up the next stroke.
                deflate_layers(generated.layers)
            return generated

        self.started.emit(request)
        self.reported.emit(())
        # Without a parent: a job outlives its owner until its thread has ended.
        self._job = Job(work)
        connect(self._job.progressed, self.progressed)
        self._slow_timer.start()
        start_time = time.monotonic()
        self.busy_changed.emit(True)
        try:
            generated: Generated = await actions.result(self._job)
        except ProblemError as reason:
            self._check_under_way(request)
            raise ProblemError(reason.problems, tuple(log)) from None
        self._check_under_way(request)
        self.roll_seconds = time.monotonic() - start_time
        return generated

    def _on_slow(self) -> None:
        self._set_slow(True)

    def _set_slow(self, slow: bool) -> None:
        """Set ``slow``; the timer that would set it later is stopped."""
        self._slow_timer.stop()
        if slow != self.slow:
            self.slow = slow
            self.slow_changed.emit(slow)
            self.enabled_changed.emit()

    async def _wait_for_stroke(self, request: RollRequest) -> None:
        """Wait until the user has ended the stroke under way. Raises Stopped.

        The roll would replace the layer into which the brush paints. A preview is no obstacle: it
        is taken back when the roll is put into the map.
        """
        document = self._document
        while document.in_stroke and not document.in_preview:
            await actions.pause(self, STROKE_POLL_MS)
            self._check_under_way(request)

    async def _ask_about_size(self, request: RollRequest, generated: Generated) -> bool:
        """Ask what becomes of a roll of another size than the map, if it has one.

        Return whether the roll is opened as a new map. Raises Stopped if it goes nowhere.
        """
        destination = request.destination
        battlemap = self._document.battlemap
        if destination.why_not(battlemap, request.base):
            return False  # ``_apply`` tells the reason
        question = destination.size_difference(battlemap, generated)
        if not question:
            return False
        if (
            request.restored_roll is not None
            and isinstance(destination, InPlaceOf)
            and not destination.loses_hand_work(battlemap, generated)
        ):
            return False  # the map was seen so, and the step the other way brings this one back
        if destination.only_shows_text:
            # A dialog would interrupt the typing: the map keeps its size until the next Roll.
            self.cancel()
            self.message.emit(OTHER_SIZE)
            raise Stopped
        answers = possible_answers(destination, battlemap, generated)
        if not answers:
            return False  # ``_apply`` tells the reason
        answer = await self._ask_size(question, answers)
        self._check_under_way(request)
        if answer is None:
            self.cancel()
            self.message.emit(SIZE_KEPT)
            raise Stopped
        return answer is SizeAnswer.OPEN_MAP

    def _apply(self, roll: FinishedRoll) -> None:
        """Apply a roll to its destination, and tell of it.

        Raises Stopped if its destination is gone or was locked meanwhile, and ProblemError if it
        does not fit.
        """
        request = roll.request
        document = self._document
        previous_map = document.current_map
        why = request.destination.why_not(document.battlemap, request.base)
        if why:
            self.message.emit(why)
            self.logged.emit(roll.generated.log)
            raise Stopped
        if roll.opens_map:
            self.map_kept.emit()
        self.applying = True
        try:
            report = self._placement.apply(roll)
        finally:
            self.applying = False
        if document.current_map is not previous_map:
            # No undo step of the new map restores the key, as one does on the same map.
            self.key_choice.set_displayed(roll.key)
            self.enabled_changed.emit()
        if report.message:
            self.message.emit(report.message)
        if report.summary:
            self.rolled.emit(". ".join(filter(None, (report.summary, report.message))))
        self.reported.emit(report.problems)
        self.finished.emit(request)
