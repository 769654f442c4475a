"""The odds of the script as it is being written, onto the map as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.background.jobs import rest
from app.qt_guard import connect
from app.rolling.roll_setup import RolledMaps
from randomizer.batches.odds_table import OddsTable, odds_as_seen
from randomizer.batches.sampled_odds import odds_of
from randomizer.generator import own_settings
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above import LayersAbove
    from app.rolling.rolling import Rolling

REST_MS = 200
"""How long after the first table better ones are computed: not while a person types on."""

LOADING = "The script is being read."


class LiveOdds(QObject):
    """Keeps ``table`` up with the setup and the map, while it is watched.

    ``odds_changed()``: one of these is another now: ``table`` (None: there are no odds, ``why``
    says in words why not), ``problems`` (then ``table`` is of the text before them), ``fresh``
    (whether the table is final for them).
    """

    odds_changed = Signal()

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        above: LayersAbove,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rolling, self._above = rolling, above
        self.table: OddsTable | None = None
        self.problems: tuple[Problem, ...] = ()
        self.why = LOADING
        self._sides = False
        # Signals of one turn of the event loop are one change.
        self._value = BackgroundValue(self._ask, _tables, self)
        self.watch = self._value.watch
        connect(self._value.computed, self._take)
        connect(self._value.failed, self._fail)
        connect(self._value.missed, self._miss)
        for signal in (
            rolling.setup_changed,
            document.changed,
            document.active_layer_changed,
        ):
            connect(signal, self._value.renew)
        connect(document.map_replaced, self._on_replaced)
        connect(above.toggled, lambda _on: self._value.renew())

    @property
    def fresh(self) -> bool:
        """Whether ``table`` is the final one of the setup and the map as they are now."""
        return self._value.fresh and self.table is not None and not self.problems

    def ask_sides(self, sides: bool) -> None:
        """Set whether the odds of hexsides are needed: they cost a multiple of the others."""
        self._sides = sides
        self._value.renew()

    def _on_replaced(self) -> None:
        self._value.forget()
        self.table = None
        self.odds_changed.emit()  # what they were odds of is not current any more
        self._value.renew()

    def _ask(self) -> tuple[RolledMaps, bool] | str:
        """The maps whose odds are to be worked out, and whether those of hexsides are.

        A str says why there can be no odds.
        """
        why = self._rolling.why_not()
        if why:
            return why
        base = self._above.base_for(self._rolling.next_base())
        return RolledMaps(self._rolling.setup(), base), self._sides

    def _take(self, table: OddsTable | str) -> None:
        if isinstance(table, str):
            self._miss(table)
            return
        self.table, self.problems = table, ()
        self.odds_changed.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        self.odds_changed.emit()

    def _miss(self, why: str) -> None:
        self.table, self.problems, self.why = None, (), why
        self.odds_changed.emit()


def _tables(
    asked: tuple[RolledMaps, bool], _progress: object, cancelled: Callable[[], bool]
) -> OddsTable | Iterator[OddsTable] | str:
    """The exact table, or one after the other; a str says why there is no generator."""
    maps, sides = asked
    setup, base = maps.setup, maps.base
    try:
        generator = setup.generator()
    except ProblemError as reason:
        return reason.problems[0].message
    own = own_settings(base.system, setup.settings)
    tables = odds_of(generator).odds(own, base, sides=sides, sources=True)
    seen = (odds_as_seen(table, base) for table in tables)
    first = next(seen)
    return first if first.method == "exact" else _sampled(first, seen, cancelled)


def _sampled(
    first: OddsTable, better: Iterator[OddsTable], cancelled: Callable[[], bool]
) -> Iterator[OddsTable]:
    yield first
    rest(REST_MS, cancelled)
    yield from better
