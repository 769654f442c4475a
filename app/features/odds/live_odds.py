"""The odds of the current script, rolled onto the current map: computed again after each change.

*Odds* tell for each cell with which chance the script gives it which terrain. ``OddsController``
watches a ``LiveOdds`` while the panel is seen. After each change ``_current_request`` collects the
inputs, and ``_computed_tables`` computes odds on another thread: a first table at once, better ones
while nobody types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue, NoInputsReason
from app.background.jobs import rest
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.batches.odds_table import OddsTable, odds_as_seen
from randomizer.batches.sampled_odds import odds_of
from randomizer.model.problems import Problem, ProblemError
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import without_symmetry

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling

REST_MS = 200
"""The milliseconds from the first table until better ones are computed.

They take long, and a person who types on does not wait for them.
"""

LOADING = "The script is being read."
"""The reason why there is no table before the first one."""


class _Request(NamedTuple):
    """The inputs of a computation."""

    maps: RolledMaps
    """The maps whose odds are to be computed."""

    needs_sides: bool
    """True if the odds of hexsides are needed, too."""


class _NoOdds(NamedTuple):
    """Computed in place of a table where there can be no odds."""

    reason: str


class LiveOdds(QObject):
    """Keeps ``table`` up to date with the script and the map, while it is watched.

    It is in one of three states: there are odds of the script (``table``); or the script has
    ``problems``, beside which an older ``table`` may stand; or ``table`` is None, and ``reason``
    tells why.
    """

    odds_changed = Signal()
    """``table``, ``problems``, ``reason`` or ``is_final`` has changed."""

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
        """The newest odds, None if there are none; beside ``problems`` those of an earlier text."""
        self.problems: tuple[Problem, ...] = ()
        """The problems for which the script cannot be rolled; () if it can."""
        self.reason = LOADING
        """The reason why there is no table."""
        self._needs_sides = False
        """True if the odds of hexsides are needed."""
        self._value = BackgroundValue(self._current_request, _computed_tables, self)
        """Computes the tables; several changes in one turn of the event loop are one for it."""
        connect(self._value.computed, self._on_computed)
        connect(self._value.failed, self._on_failed)
        connect(self._value.missed, self._on_missed)
        for signal in (
            rolling.setup_changed,
            document.changed,
            document.active_layer_changed,
        ):
            connect(signal, self._value.renew)
        connect(document.map_replaced, self._on_replaced)
        connect(above.toggled, self._value.renew)

    def set_watched(self, is_watched: bool) -> None:
        """Begin to compute odds (True), or stop it (False)."""
        self._value.set_watched(is_watched)

    @property
    def is_settled(self) -> bool:
        """True if nothing is being computed: odds or problems are those of now."""
        return self._value.fresh

    @property
    def is_final(self) -> bool:
        """True if ``table`` is the final one of the setup and the map as they are now."""
        # While better tables are to come, the value is not fresh.
        return self._value.fresh and self.table is not None and not self.problems

    def set_sides_needed(self, needs_sides: bool) -> None:
        """Compute odds again, with those of hexsides or without; with them it takes far longer."""
        self._needs_sides = needs_sides
        self._value.renew()

    def _on_replaced(self) -> None:
        """Drop the odds when another map becomes current: they are those of the one before."""
        self._value.forget()
        self.table = None
        self.problems = ()
        self.reason = LOADING
        self.odds_changed.emit()
        self._value.renew()

    def _current_request(self) -> _Request | NoInputsReason:
        """Return what to compute now, or why there can be no odds."""
        reason = self._rolling.next_roll.why_not()
        if reason:
            return reason

        base = self._above.base_for(self._rolling.next_base())
        return _Request(RolledMaps(self._rolling.setup(), base), self._needs_sides)

    def _on_computed(self, result: OddsTable | _NoOdds) -> None:
        """Store a table that was computed as the newest one, or the reason why there is none."""
        if isinstance(result, _NoOdds):
            self._on_missed(result.reason)
            return
        self.table = result
        self.problems = ()
        self.odds_changed.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Keep the problems for which the script cannot be rolled; the last table stays."""
        self.problems = problems
        self.odds_changed.emit()

    def _on_missed(self, reason: str) -> None:
        """Keep the reason why there are no odds, and drop the last table."""
        self.table = None
        self.problems = ()
        self.reason = reason
        self.odds_changed.emit()


def _computed_tables(
    request: _Request, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[OddsTable] | _NoOdds:
    """Return the tables, one at least, each better than the one before; the work of a job.

    Without a generator there are no odds, and the last table goes. Problems of its settings or of
    its text are raised, and the last table stays beside them.
    """
    setup = request.maps.setup
    try:
        generator = setup.make_generator()
    except ProblemError as error:
        return _NoOdds(error.problems[0].message)
    settings = without_symmetry(request.maps.base.system, setup.settings)
    base = request.maps.base
    # ``sources``: with the statements that are responsible for each chance.
    tables = odds_of(generator).odds(settings, base, sides=request.needs_sides, sources=True)
    return _tables_as_seen(tables, base, cancelled)


def _tables_as_seen(
    tables: Iterator[OddsTable], base: Base, cancelled: Callable[[], bool]
) -> Iterator[OddsTable]:
    """Yield the tables as they are seen on the map, below the layers above the roll."""
    yield odds_as_seen(next(tables), base)
    # The better tables wait for a pause in typing; a change of the text cancels the job here.
    rest(REST_MS, cancelled)
    for table in tables:
        yield odds_as_seen(table, base)
