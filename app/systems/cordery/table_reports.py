"""Tells in the status line what came of a table that was laid.

Whoever begins to lay a table notes in ``TableNews`` what is to be told of it. A table is laid in
the background, and its log is there only later, so that the sentences come one after the other::

    finished             what was chosen, paint that was in the way, the notes of the roll
    log_changed          which village a road joins, and which rivers are so wide that they look
                         like lakes
    neighbours_moved,
    later_parts_moved    what else has moved, added to what was told before
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.cordery.table_choices import FIRST
from app.systems.cordery.table_messages import (
    MAX_LETTERS,
    PAINTED_GROUND,
    TableNews,
    describe_notes,
    describe_wide_rivers,
)
from randomizer.systems.cordery.choices import TYPED

if TYPE_CHECKING:
    from app.rolling.roll_request import RollRequest
    from app.systems.cordery.moved_neighbours import MovedNeighbours
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base

STEP_OF_JOINING = "3.4"
"""The step of the page that joins villages and towns to a road."""


class TableReports(QObject):
    """Tells what came of each table of the current map; it lives as long as its parent."""

    def __init__(
        self,
        desk: Desk,
        throwing: Throwing,
        moved_neighbours: MovedNeighbours,
        news: TableNews,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._rolling = desk.rolling
        self._throwing = throwing
        self._news = news
        """What is to be told, filled in by whoever begins to lay a table."""
        self._last_text = ""
        """The sentences about the table that was laid last, as the status line shows them."""
        self._problems: tuple[Problem, ...] = ()
        """The problems and notes of the last roll."""
        connect(desk.rolling.reported, self._on_reported)
        connect(desk.rolling.finished, self._on_finished)
        connect(desk.rolling.failed, news.forget)
        connect(throwing.table.log_changed, self._tell_what_is_joined)
        connect(throwing.table.log_changed, self._tell_wide_rivers)
        connect(moved_neighbours.neighbours_moved, self._tell_moved)
        connect(moved_neighbours.later_parts_moved, self._tell_displaced)

    def _on_reported(self, problems: tuple[Problem, ...]) -> None:
        self._problems = problems

    def _on_finished(self, request: RollRequest) -> None:
        """Tell what was laid, and its problems, unless the table is already being laid once more.

        That is so if something was chosen meanwhile: then the end of that roll tells it.
        """
        if self._throwing.table.generator is None or self._rolling.busy:
            return
        sentences = [self._news.text]
        settings = request.setup.settings
        is_whole_table = FIRST not in settings
        if is_whole_table and settings.get("dice") != TYPED:
            self._news.announce_all_rivers()
        if is_whole_table and _has_paint(request.base):
            sentences.append(PAINTED_GROUND)
        sentences.append(describe_notes(self._problems, len(" ".join(sentences))))
        self._news.forget_texts()
        self._last_text = _joined(*sentences)
        if self._last_text:
            self._desk.say(self._last_text)

    def _tell_what_is_joined(self) -> None:
        """Tell which village is joined to a road, or why none is, once that was chosen and laid.

        If the log has several lines about that nothing is told: the user reads the log.
        """
        if not self._news.asks_what_is_joined:
            return
        if self._rolling.busy or not self._throwing.table.has_fresh_log:
            return
        self._news.asks_what_is_joined = False
        log = self._throwing.table.log
        lines = [entry.line for entry in log if entry.line.step == STEP_OF_JOINING]
        if len(lines) == 1:
            self._desk.say(f"{lines[0].words}.")

    def _tell_wide_rivers(self) -> None:
        """Tell which of the rivers that were just laid are two areas wide: they look like lakes."""
        if self._rolling.busy or not self._throwing.table.has_fresh_log:
            return
        first_new_river = self._news.first_new_river
        self._news.first_new_river = None
        if first_new_river is None:
            return
        wide_rivers = [number for number in self._wide_rivers() if number >= first_new_river]
        if not wide_rivers:
            return
        text = self._last_text
        sentence = describe_wide_rivers(wide_rivers)
        if len(f"{text} {sentence}") <= MAX_LETTERS:
            text = _joined(text, sentence)
        else:
            text = _joined(sentence, text)
        self._last_text = text
        self._desk.say(text)

    def _wide_rivers(self) -> list[int]:
        """Return the numbers of the rivers of the table that are two areas wide."""
        numbers = []
        for entry in self._throwing.table.log:
            for decision in entry.line.decisions:
                # The line about the width of a river has areas only if the river is wide.
                if decision.name == f"{decision.feature} width" and entry.line.cells:
                    numbers.append(int(decision.feature.removeprefix("river ")))
        return numbers

    def _tell_moved(self, text: str) -> None:
        """Tell what a decision has moved besides, before the sentences about the table."""
        self._last_text = _joined(text, self._last_text)
        self._desk.say(self._last_text)

    def _tell_displaced(self, text: str) -> None:
        """Tell what a part that was thrown again has moved, behind the sentence that names it."""
        self._last_text = _joined(self._last_text, text)
        self._desk.say(self._last_text)


def _joined(*sentences: str) -> str:
    """Return sentences as one text; "" is left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def _has_paint(base: Base) -> bool:
    """Return whether the layers below a table have anything on them.

    Paint that was undone leaves a plane of defaults.
    """
    planes = base.composite.planes
    return any((planes[spec.name] != spec.default).any() for spec in base.system.shown_planes)
