"""Lays the table with what is decided in the form of a log line: ``FixFormController``.

The form (``FixForm``) stays open until it is known what comes of it::

    the table is laid                   the form closes
    dice are asked for                  it closes: the strip that asks takes its place
    no table can be laid so             it says why
    nothing was done, which was told    it stays as it is
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.systems.cordery.table_messages import PICK_AREA
from app.systems.cordery.throwing import LayingResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.desk.desk import Desk
    from app.rolling.roll_request import RollRequest
    from app.systems.cordery.area_decisions import AreaDecisions
    from app.systems.cordery.fix_form import FixForm
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.problems import Problem


class FixFormController(QObject):
    """Joins the form of a log line with the table and the map."""

    def __init__(
        self,
        desk: Desk,
        form: FixForm,
        throwing: Throwing,
        areas: AreaDecisions,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._form = form
        self._areas = areas
        self._names_being_laid: tuple[str, ...] | None = None
        """The names of the form's decisions with which the table is being laid; None if it is not.

        If another roll was under way when they were made, the roll with them follows that one.
        """
        connect(form.decided, self._decide)
        connect(form.pick_wanted, self._request_area)
        connect(throwing.choices_laid, self._on_laid)
        connect(desk.rolling.failed, self._on_failed)
        connect(desk.document.map_replaced, self._forget_laying)

    def _decide(self, decisions: dict[str, str]) -> None:
        """Lay the table with the rows of the form that were changed: values by name."""
        if not decisions:
            self._form.hide()
            return
        self._names_being_laid = tuple(decisions)
        match self._areas.decide(decisions):
            case LayingResult.LAYING:
                pass  # ``_on_laid`` or ``_on_failed`` follows
            case LayingResult.ASKING:
                self._names_being_laid = None
                self._form.hide()
            case LayingResult.NOTHING:
                self._names_being_laid = None

    def _on_laid(self) -> None:
        """Close the form if the table is laid with its decisions."""
        if self._names_being_laid is not None:
            self._names_being_laid = None
            self._form.hide()

    def _on_failed(self, _request: RollRequest, problems: Sequence[Problem]) -> None:
        """Say in the form why no table can be laid by what was decided there."""
        names = self._names_being_laid
        self._names_being_laid = None
        if names is None or not problems:
            return
        message = problems[0].message
        sentence = message[:1].upper() + message[1:]
        self._form.refuse(names, sentence)
        self._desk.say(sentence)  # also in the status line: a low panel cuts the form

    def _forget_laying(self) -> None:
        """Forget what was decided, as another map is current."""
        self._names_being_laid = None

    def _request_area(self) -> None:
        """Let the user click an area on the map for the line of the form."""
        request = self._areas.request_area(PICK_AREA)
        connect(request.chosen, self._form.set_area)
        connect(request.ended, self._form.end_pick)
