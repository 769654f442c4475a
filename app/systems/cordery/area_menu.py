"""The decisions that a person can make about an area of a table, as entries of its menu on the map.

``AreaDecisions`` makes an ``AreaMenu`` whenever such a menu opens, and calls ``add_entries_to``.
Nothing here knows hills or rivers: the entries follow from the decisions that the lines of the log
name.
A *feature* is anything that has decisions of its own, by its name: "hill 2", "river 1". The menu of
an area in which hill 2 stands::

    Hill 2 >                      Here
                                  Elsewhere...
                                  Height >  By the dice, 1, 2
                                  Let the dice decide again
    Put here >      Hill >        Hill 1 (now at 0304)
    One more here >               Hill
    Another river enters here     only at the map edge
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.qt_guard import connect
from randomizer.systems.cordery.choices import MAX_ROUTES, CountedRoute
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.dice_names import feature_of
from randomizer.systems.cordery.dice_log import LogEntry

BY_DICE = ""
"""The value of a decision that is left to the dice."""

MAX_NUMBERS = 20
"""The most values that a menu lists; a number with more of them can be set in the panel only."""


class Area(NamedTuple):
    """The area of the table whose menu is open."""

    cell: int

    name: str
    """Its name: "0304"."""

    is_at_rim: bool
    """True if it is at the map edge."""


class LoggedDecision(NamedTuple):
    """A decision of a line of the log."""

    decision: Decision

    cells: tuple[int, ...]
    """The areas that the line is about."""


class MenuActions(NamedTuple):
    """The functions that the entries of the menu call."""

    decide: Callable[[dict[str, str]], object]
    """Called with the values of decisions by name; ``BY_DICE`` leaves one to the dice."""

    pick_area: Callable[[str], None]
    """Called with the name of a decision whose area is to be picked on the map."""

    add_route: Callable[[CountedRoute, str], None]
    """Called with a kind of route, and the name of the area at which one more of it enters."""


class AreaMenu:
    """Adds entries to the menu of an area: for the features there, and for those that can be there.

    ``log`` is that of the table. ``fixed`` has the values that were decided before, by the names of
    the decisions. ``routes`` are the kinds of routes whose number the form asks for. ``name_of``
    returns the name of an area.
    """

    def __init__(
        self,
        log: Sequence[LogEntry],
        fixed: Mapping[str, str],
        routes: Sequence[CountedRoute],
        name_of: Callable[[int], str],
        actions: MenuActions,
    ) -> None:
        self._log = log
        self._fixed = fixed
        self._routes = routes
        self._name_of = name_of
        self._actions = actions
        self._decisions: dict[str, LoggedDecision] = {}
        """All decisions of the log, by their names; empty if the dice of the table are unknown."""
        for entry in log:
            for decision in entry.line.decisions:
                self._decisions[decision.name] = LoggedDecision(decision, entry.line.cells)

    def add_entries_to(self, menu: QMenu, area: Area) -> None:
        """Add the entries for an area; none where the dice of the table are not known."""
        if not self._decisions:
            return
        menu.addSection("Dice")
        for feature in self._features_in(area.cell):
            self._add_feature(menu, feature, area)
        self._add_features_of_other_areas(menu, area)
        self._add_new_features(menu, area)
        if area.is_at_rim:
            self._add_new_routes(menu, area)

    # --- features in the area -----------------------------------------------------------------

    def _features_in(self, cell: int) -> list[str]:
        """Return the features in an area that have decisions, in the order of the log."""
        decidable = {logged.decision.feature for logged in self._decisions.values()}
        features = list[str]()
        for entry in self._log:
            if cell not in entry.line.cells:
                continue
            names = [decision.name for decision in entry.line.decisions]
            names += entry.line.throws
            for name in names:
                feature = feature_of(name)  # "" for a die of no feature, such as "hills die"
                if feature and feature in decidable and feature not in features:
                    features.append(feature)
        return features

    def _add_feature(self, menu: QMenu, feature: str, area: Area) -> None:
        """Add a submenu with all decisions about a feature in the area."""
        submenu = menu.addMenu(_capitalized(feature))
        for decision, _cells in self._decisions.values():
            if decision.feature != feature:
                continue
            if decision.is_area:
                self._add_area(submenu, decision, area)
            else:
                self._add_values(submenu, decision)

        fixed_names = [name for name in self._fixed if feature_of(name) == feature]
        free_all = partial(self._actions.decide, dict.fromkeys(fixed_names, BY_DICE))
        submenu.addSeparator()
        free_action = _add_action(submenu, "Let the dice decide again", free_all)
        free_action.setEnabled(bool(fixed_names))

    def _add_area(self, menu: QMenu, decision: Decision, area: Area) -> None:
        """Add entries that fix a feature in this area, or let another one be picked."""
        subject = _subject(decision)
        if area.is_at_rim or decision.kind is not DecisionKind.EDGE_AREA:
            is_fixed_here = self._fixed.get(decision.name) == area.name
            value = area.name
            if is_fixed_here:
                value = BY_DICE  # the checked entry frees it
            decide = partial(self._actions.decide, {decision.name: value})
            _add_checkable(menu, f"{subject} here", decide, checked=is_fixed_here)
        pick_area = partial(self._actions.pick_area, decision.name)
        _add_action(menu, f"{subject} elsewhere...", pick_area)

    def _add_values(self, menu: QMenu, decision: Decision) -> None:
        """Add a submenu with the words or numbers of a decision, unless they are too many."""
        values = decision.words
        if decision.kind is DecisionKind.NUMBER:
            values = tuple(map(str, range(decision.minimum, decision.maximum + 1)))
        if len(values) > MAX_NUMBERS:
            return
        fixed_value = self._fixed.get(decision.name, "")
        title = decision.name.removeprefix(decision.feature).strip()
        submenu = menu.addMenu(_capitalized(title))
        free = partial(self._actions.decide, {decision.name: BY_DICE})
        _add_checkable(submenu, "By the dice", free, checked=not fixed_value)
        for value in values:
            decide = partial(self._actions.decide, {decision.name: value})
            _add_checkable(submenu, value, decide, checked=value == fixed_value)

    # --- features that can be in the area -----------------------------------------------------

    def _add_features_of_other_areas(self, menu: QMenu, area: Area) -> None:
        """Add a submenu of the features of other areas that can be moved here, by their kinds."""
        submenu = menu.addMenu("Put here")
        menus_of_kinds = dict[str, QMenu]()
        for decision, cells in self._decisions.values():
            if not decision.is_area or area.cell in cells:
                continue
            if decision.kind is DecisionKind.EDGE_AREA and not area.is_at_rim:
                continue
            kind = decision.feature.rstrip("0123456789").strip()
            if kind not in menus_of_kinds:
                menus_of_kinds[kind] = submenu.addMenu(_capitalized(kind))
            text = f"{decision.feature} {_subject(decision)}".strip()
            if len(cells) == 1:  # a line about several areas, as of a route, names no single one
                text += f" (now at {self._name_of(cells[0])})"
            decide = partial(self._actions.decide, {decision.name: area.name})
            _add_action(menus_of_kinds[kind], text, decide)
        submenu.menuAction().setVisible(bool(menus_of_kinds))

    def _add_new_features(self, menu: QMenu, area: Area) -> None:
        """Add a submenu of the kinds of features of which the area can get one more.

        An entry makes two decisions: the number of features is one more, and the last one is here.
        """
        decisions = [logged.decision for logged in self._decisions.values()]
        counts = [decision for decision in decisions if decision.feature_noun]
        submenu = menu.addMenu("One more here")
        for count in counts:
            if count.current_number >= count.maximum:
                continue
            noun = count.feature_noun
            new_number = _highest_number(noun, self._decisions) + 1
            values = {
                count.name: str(count.current_number + 1),
                f"{noun} {new_number} at": area.name,
            }
            _add_action(submenu, noun, partial(self._actions.decide, values))
        submenu.menuAction().setVisible(not submenu.isEmpty())

    def _add_new_routes(self, menu: QMenu, area: Area) -> None:
        """Add an entry for each kind of route of which one more can enter the table here."""
        for route in self._routes:
            if route.number >= MAX_ROUTES:
                continue
            article = "a"
            if route.number:
                article = "another"
            add_route = partial(self._actions.add_route, route, area.name)
            _add_action(menu, f"{article} {route.noun} enters here", add_route)


def _highest_number(noun: str, names: Iterable[str]) -> int:
    """Return the highest number of a feature among the names of decisions; 0 for none.

    With ``noun`` "hill" and the names "hill 1 at" and "hill 2 height" it is 2.
    """
    highest = 0
    for name in names:
        noun_of_name, _space, number = feature_of(name).rpartition(" ")
        if noun_of_name == noun:
            highest = max(highest, int(number))
    return highest


def _subject(decision: Decision) -> str:
    """Return the part of a feature whose area is decided: "entry" for "river 1 entry at".

    It is "" for the feature itself: for "hill 2 at".
    """
    return decision.name.removeprefix(decision.feature).strip().removesuffix("at").strip()


def _capitalized(text: str) -> str:
    """Return a text with a capital first letter; ``str.capitalize`` would make the others small."""
    return text[:1].upper() + text[1:]


def _add_action(menu: QMenu, text: str, function: Callable[[], object]) -> QAction:
    """Add an entry that calls a function, and return it; its text gets a capital first letter."""
    action = menu.addAction(_capitalized(text.strip()))
    # Qt passes whether the entry is checked, which the function does not need.
    connect(action.triggered, lambda _checked=False: function())
    return action


def _add_checkable(
    menu: QMenu, text: str, function: Callable[[], object], *, checked: bool
) -> None:
    """Add an entry with a mark if it is ``checked``; it calls a function in either case."""
    action = _add_action(menu, text, function)
    action.setCheckable(True)
    action.setChecked(checked)
