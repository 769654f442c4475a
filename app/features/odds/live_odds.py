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
from randomizer.roll_base import Base

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling

REST_MS = 200
"""How long after the first table better ones are computed: not while a person types on."""

LOADING = "The script is being read."


class LiveOdds(QObject):
    """Keeps ``table`` up with the setup and the map, while it is watched."""

    odds_changed = Signal()
    """``table``, ``problems``, ``why`` or ``fresh`` changed."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        above: LayersAbove,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rolling = rolling
        self._above = above
        self.table: OddsTable | None = None
        """The newest odds, None if there are none; with ``problems`` those of the text before."""
        self.problems: tuple[Problem, ...] = ()
        """The errors of the script, if it cannot be rolled."""
        self.why = LOADING
        """The reason why there is no table."""
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
        connect(above.toggled, self._value.renew)

    @property
    def settled(self) -> bool:
        """True if nothing is worked out: there are odds, or problems that say why not."""
        return self._value.fresh

    @property
    def fresh(self) -> bool:
        """True if ``table`` is the final one of the setup and the map as they are now."""
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
        """Return the maps whose odds are to be worked out, and whether those of hexsides are.

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
        self.table = table
        self.problems = ()
        self.odds_changed.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        self.odds_changed.emit()

    def _miss(self, why: str) -> None:
        self.table = None
        self.problems = ()
        self.why = why
        self.odds_changed.emit()


def _tables(
    request: tuple[RolledMaps, bool], _progress: object, cancelled: Callable[[], bool]
) -> Iterator[OddsTable] | str:
    """Return one table after the other; a str says why there is no generator."""
    maps, sides = request
    base = maps.base
    try:
        generator = maps.setup.generator()
    except ProblemError as reason:
        return reason.problems[0].message
    settings = own_settings(base.system, maps.setup.settings)
    tables = odds_of(generator).odds(settings, base, sides=sides, sources=True)
    return _better_and_better(tables, base, cancelled)


def _better_and_better(
    tables: Iterator[OddsTable], base: Base, cancelled: Callable[[], bool]
) -> Iterator[OddsTable]:
    """Yield the tables as seen on the map; the second one waits for a pause in typing."""
    yield odds_as_seen(next(tables), base)
    rest(REST_MS, cancelled)
    for table in tables:
        yield odds_as_seen(table, base)
