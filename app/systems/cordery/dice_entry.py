"""Dice that are thrown at a real table, asked for one after the other; the map grows with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.rolling.rolling import Rolling
from app.systems.cordery.throwing import Throwing
from randomizer.model.problems import Problem
from randomizer.systems.cordery.dice_log import BuiltTable, build_table


class DiceEntry(QObject):
    """``asked(BuiltTable)``: the table so far and the wanted die. ``ended()``: none is wanted
    any more. ``refused(str)``: why the dice make no table."""

    asked = Signal(object)
    ended = Signal()
    refused = Signal(str)

    def __init__(self, throwing: Throwing, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._throwing, self._rolling = throwing, rolling
        self._layer = LatestJob(self)
        self.planes: BuiltTable | None = None
        self._entered: list[str] = []
        self._together: list[int] = []
        self._stopped = False

    @property
    def under_way(self) -> bool:
        """Whether dice are being asked for."""
        return self.planes is not None

    @property
    def together(self) -> Sequence[int]:
        """The dice entered so far of those that are thrown together now."""
        return self._together

    @property
    def stopped(self) -> bool:
        """Whether a table was begun, and not all of its dice were entered."""
        return self._stopped

    def forget(self) -> None:
        """Go on with nothing: the map is another."""
        self.end()
        self._entered.clear()
        self._stopped = False

    def begin(self, *, clear: bool = False) -> None:
        """Ask for the dice that are not known yet; with ``clear`` for all those of a new table.

        What was decided stays decided.
        """
        if clear:
            log = self._throwing.log
            known = all(line.planes is not None for line in log)
            dice = {name for line in log for name, _scores in line.scores} | {*self._entered}
            self._throwing.fix(dict.fromkeys(dice if known else self._throwing.fixed, ""))
        # An Undo may have brought other choices since: dice they do not hold are not entered.
        self._entered = [name for name in self._entered if name in self._throwing.fixed]
        self._stopped = False
        self._ask()

    def enter(self, score: int) -> None:
        """A die shows ``score``."""
        wanted = None if self.planes is None else self.planes.wanted
        if wanted is None or self._layer.busy:
            return
        self._together.append(score)
        if len(self._together) < wanted.count:
            self.asked.emit(self.planes)
            return
        self._entered.append(wanted.name)
        self._throwing.fix({wanted.name: "+".join(map(str, self._together))})
        self._ask()

    def take_back(self) -> None:
        """Take the last die back."""
        if self._together:
            self._together.pop()
            self.asked.emit(self.planes)
        elif self._entered:
            self._throwing.fix({self._entered.pop(): ""})
            self._ask()

    @property
    def can_take_back(self) -> bool:
        """Whether there is a die to take back."""
        return bool(self._together or self._entered)

    def freed(self, names: Collection[str]) -> None:
        """These dice are not decided any more."""
        self._entered = [name for name in self._entered if name not in names]
        if self.under_way:
            self._ask()
        self._stopped = self._stopped and bool(self._entered)

    def end(self) -> None:
        """Ask for nothing more; the map stays as it is, and ``begin`` can go on from here."""
        self._layer.cancel()
        if self.planes is not None:
            self._stopped = self.planes.wanted is not None and self.can_take_back
            self.planes = None
            self.ended.emit()

    def _ask(self) -> None:
        self._together.clear()
        settings, key, base = self._throwing.chosen, self._throwing.key, self._rolling.next_base()
        self._layer.run(
            lambda _progress, _cancelled: build_table(dict(settings), key, base),
            self._on_laid,
            self._fail,
        )

    def _on_laid(self, laid: BuiltTable) -> None:
        self.planes = laid
        if laid.wanted is not None:
            self.asked.emit(laid)
            return
        self.end()
        self._throwing.take()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.end()
        self.refused.emit(problems[0].message)
