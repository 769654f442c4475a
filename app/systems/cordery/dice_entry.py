"""Dice that are thrown at a real table, asked for one after the other.

Those of a new table begin with nothing known, and the map shows what is laid so far. Where a table
lies and something about it is decided, its dice are known: only those that they do not answer are
asked for, and the table stays in sight until they are there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.rolling.rolling import Rolling
from app.systems.cordery.throwing import Throwing, as_text
from randomizer.model.problems import Problem
from randomizer.systems.cordery.dice_log import BuiltTable, build_table


class DiceEntry(QObject):
    """``asked(BuiltTable)``: the table so far and the wanted die. ``ended()``: none is wanted
    any more. ``refused(str)``: why the dice make no table.

    While it is under way the dice entered are among what is fixed by hand; when it is stopped they
    are not.
    """

    asked = Signal(object)
    ended = Signal()
    refused = Signal(str)

    def __init__(self, throwing: Throwing, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._throwing, self._rolling = throwing, rolling
        self._layer = LatestJob(self)
        self.planes: BuiltTable | None = None
        self._known: dict[str, str] = {}
        self._entered: list[str] = []
        self._together: list[int] = []
        self._before: Mapping[str, object] = {}
        self._stopped: dict[str, str] = {}
        self._left: dict[str, object] = {}
        self._begun = False
        self.keeps_table = False

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
        """Whether a new table was begun, and not all of its dice were entered."""
        return bool(self._stopped)

    def throw(self, *, resume: bool) -> None:
        """Ask for all dice of a new table; with ``resume`` those that a stopped one still lacks.

        What was decided stays decided.
        """
        stopped = self._stopped if resume else {}
        if not resume:
            has_planes = all(line.planes is not None for line in self._throwing.log)
            dice = {name for line in self._throwing.log for name, _scores in line.scores}
            self._throwing.fix(dict.fromkeys(dice if has_planes else self._throwing.fixed, ""))
        self._begin(self._throwing.chosen, {}, keeps_table=False)
        self._entered = list(stopped)
        self._throwing.fix(stopped)
        self._ask()

    def change(self, before: Mapping[str, object]) -> None:
        """Ask for the dice of the current table that are not known, as something was decided.

        ``before`` is what was chosen before that: it holds again if the entry is stopped.
        """
        scores = (each for line in self._throwing.log for each in line.scores)
        self._begin(before, {name: _text(dice) for name, dice in scores}, keeps_table=True)
        self._ask()

    def renew(self) -> None:
        """Ask again: something else was chosen while dice are entered."""
        if self.under_way:
            self._ask()

    def enter(self, score: int) -> None:
        """Enter the ``score`` of a die."""
        plane = None if self.planes is None else self.planes.next_die
        if plane is None or self._layer.busy:
            return
        self._together.append(score)
        if len(self._together) < plane.count:
            self.asked.emit(self.planes)
            return
        self._entered.append(plane.name)
        self._throwing.fix({plane.name: _text(self._together)})
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

    def free(self, names: Collection[str]) -> None:
        """Let the dice decide these again."""
        self._entered = [name for name in self._entered if name not in names]
        for name in names:
            self._stopped.pop(name, None)
        self.renew()

    def stop(self) -> None:
        """Ask for nothing more, and fix nothing; ``throw`` can go on with a new table."""
        if self.under_way and not self.keeps_table:
            fixed = self._throwing.fixed
            self._stopped = {name: fixed[name] for name in self._entered if name in fixed}
        self._leave_choices()
        self._end()

    def forget(self) -> None:
        """Ask for nothing more and go on with nothing: the map is another, or changed."""
        self._leave_choices()
        self._stopped = {}
        self._end()

    # --- how it goes ------------------------------------------------------------------------

    def _begin(
        self, before: Mapping[str, object], texts: dict[str, str], *, keeps_table: bool
    ) -> None:
        self._before, self._known, self.keeps_table = dict(before), texts, keeps_table
        self._entered.clear()
        self._stopped = {}
        self._begun = True

    def _ask(self) -> None:
        self._together.clear()
        key, base = self._throwing.key, self._rolling.next_base()
        self._left = dict(self._throwing.chosen)
        fixed = as_text({**self._known, **self._throwing.fixed})
        settings = {**self._throwing.chosen, "fixed": fixed}
        self._layer.run(
            lambda _progress, _cancelled: build_table(settings, key, base),
            self._on_laid,
            self._fail,
        )

    def _on_laid(self, laid: BuiltTable) -> None:
        self.planes = laid
        if laid.next_die is not None:
            self._throwing.set_entering(True)
            self.asked.emit(laid)
            return
        self._end()
        dice = (each for line in laid.entries for each in line.scores)
        self._throwing.fix({name: _text(scores) for name, scores in dice})
        self._throwing.take()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._leave_choices()
        self._end()
        self.refused.emit(problems[0].message)

    def _leave_choices(self) -> None:
        """Choose again what was chosen before, unless an Undo or another map has done so."""
        if self._begun and self._left == dict(self._throwing.chosen):
            if self.keeps_table:
                self._throwing.take_choices(self._before)
            else:
                self._throwing.choose(fixed=self._before.get("fixed", ""))

    def _end(self) -> None:
        self._layer.cancel()
        self._begun = False
        if self.planes is not None:
            self.planes = None
            self._throwing.set_entering(False)
            self.ended.emit()


def _text(scores: Sequence[int]) -> str:
    """The scores of dice thrown together, as ``fixed`` holds them."""
    return "+".join(map(str, scores))
