"""What a hand may decide about one area of a table, in the menu of that area.

Nothing here knows hills or rivers: it goes by the decisions that the lines of the log name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QMenu

from app.qt_guard import connect
from randomizer.systems.cordery.choices import MOST_ROUTES, CountedRoute
from randomizer.systems.cordery.dice.throws import Decision, feature_of
from randomizer.systems.cordery.dice_log import LogEntry

MOST_NUMBERS = 20
"""A number with more than so many values is not for a menu."""


class Area(NamedTuple):
    """An area of the table: its cell, its name, whether it lies at the rim."""

    cell: int
    name: str
    rim: bool


class Asked(NamedTuple):
    """A decision of some line, and the areas that the line is about."""

    decision: Decision
    cells: tuple[int, ...]


class AreaMenu:
    """Adds to the menu of an area what stands there, what may come there, and whose it is.

    ``decide`` takes decisions by their names, "" for the dice; ``elsewhere`` the name of one whose
    area is to be shown on the map; ``enter`` a route of which one more enters at an area, by its
    name. ``name_of`` gives an area's name, ``routes`` are those that the form counts.
    """

    def __init__(
        self,
        log: Sequence[LogEntry],
        fixed: Mapping[str, str],
        name_of: Callable[[int], str],
        decide: Callable[[dict[str, str]], None],
        elsewhere: Callable[[str], None],
        routes: Sequence[CountedRoute],
        enter: Callable[[CountedRoute, str], None],
    ) -> None:
        self._log = log
        self._fixed = fixed
        self._name_of = name_of
        self._decide = decide
        self._elsewhere = elsewhere
        self._routes = routes
        self._enter = enter
        self._asked = {
            decision.name: Asked(decision, line.line.cells)
            for line in log
            for decision in line.line.decisions
        }

    def add_to(self, menu: QMenu, area: Area) -> None:
        """Nothing is added where the dice of the table are not known."""
        if not self._asked:
            return
        menu.addSection("Dice")
        things_here = self._things_at(area.cell)
        for thing in things_here:
            self._add_thing(menu, thing, area)
        self._add_coming(menu, area)
        self._add_more(menu, area)
        if area.rim:
            self._add_routes(menu, area)

    def _things_at(self, cell: int) -> list[str]:
        """Return what the dice put there that can be decided: "hill 2", "river 1"."""
        features = {question.decision.feature for question in self._asked.values()}
        names = (
            name
            for line in self._log
            if cell in line.line.cells
            for name in (*(d.name for d in line.line.decisions), *line.line.throws)
        )
        return [
            thing for thing in dict.fromkeys(map(feature_of, names)) if thing and thing in features
        ]

    def _add_thing(self, menu: QMenu, thing: str, area: Area) -> None:
        inner = menu.addMenu(_capital(thing))
        for decision, _cells in self._asked.values():
            if decision.feature != thing:
                continue
            if decision.is_area:
                self._add_place(inner, decision, area)
            else:
                self._add_values(inner, decision)
        mine = [name for name in self._fixed if feature_of(name) == thing]
        inner.addSeparator()
        free = inner.addAction("Let the dice decide again")
        free.setEnabled(bool(mine))
        connect(free.triggered, lambda _on=False: self._decide(dict.fromkeys(mine, "")))

    def _add_place(self, menu: QMenu, decision: Decision, area: Area) -> None:
        thing = _what(decision)
        if area.rim or not decision.rim:
            stays = self._fixed.get(decision.name) == area.name
            value = "" if stays else area.name
            _add(menu, f"{thing} here", partial(self._decide, {decision.name: value}), stays)
        elsewhere = menu.addAction(_capital(f"{thing} elsewhere...".strip()))
        connect(elsewhere.triggered, lambda _on=False: self._elsewhere(decision.name))

    def _add_values(self, menu: QMenu, decision: Decision) -> None:
        values = decision.words or tuple(map(str, range(decision.least, decision.most + 1)))
        if len(values) > MOST_NUMBERS:
            return
        now = self._fixed.get(decision.name, "")
        inner = menu.addMenu(_capital(decision.name.removeprefix(decision.feature).strip()))
        _add(inner, "By the dice", partial(self._decide, {decision.name: ""}), not now)
        for value in values:
            _add(inner, value, partial(self._decide, {decision.name: value}), now == value)

    def _add_coming(self, menu: QMenu, area: Area) -> None:
        """Add entries for things that stand elsewhere and may be put here instead, by kind."""
        inner = menu.addMenu("Put here")
        kinds = dict[str, QMenu]()
        for decision, cells in self._asked.values():
            if not decision.is_area or area.cell in cells or (decision.rim and not area.rim):
                continue
            kind = decision.feature.rstrip("0123456789").strip()
            if kind not in kinds:
                kinds[kind] = inner.addMenu(_capital(kind))
            text = _capital(f"{decision.feature} {_what(decision)}".strip())
            if len(cells) == 1:
                text += f" (now at {self._name_of(cells[0])})"
            _add(kinds[kind], text, partial(self._decide, {decision.name: area.name}))
        inner.menuAction().setVisible(bool(kinds))

    def _add_more(self, menu: QMenu, area: Area) -> None:
        """Add the entries by which one more feature of a kind stands in this area."""
        decisions = [question.decision for question in self._asked.values()]
        counts = [decision for decision in decisions if decision.feature_noun]
        inner = menu.addMenu("One more here")
        for count in counts:
            placed = _highest(count.feature_noun, self._asked)
            if count.current_number < count.most:
                values = {
                    count.name: str(count.current_number + 1),
                    f"{count.feature_noun} {placed + 1} at": area.name,
                }
                _add(inner, _capital(count.feature_noun), partial(self._decide, values))
        inner.menuAction().setVisible(bool(counts))

    def _add_routes(self, menu: QMenu, area: Area) -> None:
        """One more of every route that may cross the table once more, entering here."""
        for route in self._routes:
            if route.number < MOST_ROUTES:
                text = f"{'another' if route.number else 'a'} {route.noun} enters here"
                _add(menu, text, partial(self._enter, route, area.name))


def _highest(pattern: str, names: Iterable[str]) -> int:
    """Return the highest number of a thing among the names of decisions; 0 for none."""
    things = (feature_of(name).rpartition(" ") for name in names)
    return max((int(number) for kind, _, number in things if kind == pattern), default=0)


def _what(decision: Decision) -> str:
    """Return what a decision about a thing places: "", "entry", "through"."""
    return decision.name.removeprefix(decision.feature).strip().removesuffix("at").strip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _add(menu: QMenu, text: str, do: Callable[[], object], checked: bool | None = None) -> None:
    action = menu.addAction(_capital(text.strip()))
    if checked is not None:
        action.setCheckable(True)
        action.setChecked(checked)
    connect(action.triggered, lambda _on=False: do())
