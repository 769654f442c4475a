"""Edits that add, remove and change sides, with their units and conditions.

Sides are known by their index from 0. The owner of a unit is that index plus 1, and each side has
an attitude towards every side, itself included. So a removed side changes units, attitudes, views
and conditions of all the others (``remove_side``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.record_edits import change_record, set_record
from randomizer.model.edits.thing_owners import remove_owner
from randomizer.model.edits.value_edits import compound
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.xconq.records import (
    GLOBALS,
    MAX_SIDES,
    SIDES,
    Side,
    Sides,
    globals_of,
    record_text,
    sides_of,
)
from randomizer.systems.xconq.scenario.conditions import without_side
from randomizer.systems.xconq.scenario.views import unseen_view, view_without_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.systems.xconq.records import Record


ENEMY = -100
"""The attitude towards an enemy."""

NEITHER = 0
"""The attitude towards a side that is neither enemy nor ally."""

ALLY = 100
"""The attitude towards an ally."""


_DETAIL_WITH_ATTITUDES = 2
"""The least detail of a section of sides that has attitudes."""


def why_not_name(name: str) -> str:
    """Return the reason why a side (or unit) cannot have a name; "" if it can.

    In a file a name is one word, with "*" for each blank.
    """
    if not name.strip():
        return "a side needs a name"
    if "*" in name:
        return "“*” stands for a blank in files, so no name can have one"
    if not all(" " <= letter <= "ÿ" and letter.isprintable() for letter in name):
        return "files of Xconq hold only the letters of western Europe (Latin-1)"
    return ""


def new_name(sides: Sides, offered: Iterable[str]) -> str:
    """Return a name for a side that no side has: the first free one of those offered.

    "Side 1" and so on if none is free.
    """
    used_names = {side.name for side in sides.sides}
    # One number more than there can be sides: so one is always free.
    numbered_names = (f"Side {number}" for number in range(1, MAX_SIDES + 2))
    for name in (*offered, *numbered_names):
        if name not in used_names and not why_not_name(name):
            return name
    raise AssertionError("there are more numbers than sides")


def add_side(battlemap: BattleMap, name: str) -> Edit | None:
    """Return the edit that adds a side, with the same kinds of facts as the others have.

    Raises ValueError if there are ``MAX_SIDES`` sides already.
    """
    sides = sides_of(battlemap)
    if len(sides.sides) >= MAX_SIDES:
        raise ValueError(f"a game has at most {MAX_SIDES} sides")
    # Facts that the others lack are left out: a side of a file with detail 1 has a name alone.
    attitudes: tuple[int, ...] = ()
    if any(side.attitudes for side in sides.sides):
        attitudes = (NEITHER,) * (len(sides.sides) + 1)
    # Of the first side only the kinds of facts are taken, not their values.
    model = Side("")
    if sides.sides:
        model = sides.sides[0]
    view: tuple[str, ...] = ()
    if model.view:
        view = unseen_view(battlemap.grid)
    new_side = Side(
        name,
        attitudes=attitudes,
        counters=(1,) * len(model.counters),
        view=view,
        # Its player and its statistics are those of a side for which nobody has played yet: files
        # get them for a side that has none.
    )
    old_sides = []
    for side in sides.sides:
        if side.attitudes:
            old_sides.append(replace(side, attitudes=(*side.attitudes, NEITHER)))
        else:
            old_sides.append(side)
    return change_value(battlemap, SIDES, replace(sides, sides=(*old_sides, new_side)))


def change_side(battlemap: BattleMap, index: int, **changes: object) -> Edit | None:
    """Return the edit that gives fields of a side (``Side``) other values.

    Raises ValueError for a name that no file can hold.
    """
    if "name" in changes:
        reason = why_not_name(str(changes["name"]))
        if reason:
            raise ValueError(reason)
    sides = list(sides_of(battlemap).sides)
    sides[index] = replace(sides[index], **changes)  # type: ignore[arg-type] # fields of Side
    return change_value(battlemap, SIDES, replace(sides_of(battlemap), sides=tuple(sides)))


def set_attitude(battlemap: BattleMap, index: int, towards: int, attitude: int) -> Edit | None:
    """Return the edit that gives the side ``index`` another attitude towards the side ``towards``.

    If attitudes are missing, all sides get them, and the section gets the detail 2, the least one
    with attitudes.
    """
    sides = sides_of(battlemap)
    count = len(sides.sides)
    changed_sides = []
    for number, side in enumerate(sides.sides):
        attitudes = [*side.attitudes, *(NEITHER,) * count][:count]
        if number == index:
            attitudes[towards] = attitude
        changed_sides.append(replace(side, attitudes=tuple(attitudes)))
    value = replace(
        sides, sides=tuple(changed_sides), detail=max(sides.detail, _DETAIL_WITH_ATTITUDES)
    )
    return change_value(battlemap, SIDES, value)


def remove_side(battlemap: BattleMap, index: int) -> Edit | None:
    """Return the edit that removes a side: its units become neutral, its conditions go.

    The sides behind it move up, with their units, attitudes, views and conditions.
    """
    sides = sides_of(battlemap)
    rules = globals_of(battlemap)
    remaining_sides = tuple(
        replace(
            side,
            attitudes=side.attitudes[:index] + side.attitudes[index + 1 :],
            view=view_without_side(side.view, index),
        )
        for number, side in enumerate(sides.sides)
        if number != index
    )
    edits = [
        change_value(battlemap, SIDES, replace(sides, sides=remaining_sides)),
        remove_owner(battlemap, _owner_of(index)),
    ]
    conditions = without_side(rules.conditions, index)
    if conditions != rules.conditions:
        edits.append(change_value(battlemap, GLOBALS, replace(rules, conditions=conditions)))
    return compound(edits)


def _owner_of(index: int) -> int:
    """Return the owner of the units of a side; owner 0 is nobody."""
    return index + 1


def change_value(battlemap: BattleMap, name: str, value: Record) -> Edit | None:
    """Return the edit that gives any record another value, by hand; None for no change.

    Raises ValueError for a value that is too long for a record.
    """
    record = battlemap.records.get(name)
    text = record_text(value)
    if record is None or not record.is_json:
        return set_record(battlemap, name, MapRecord(text, is_json=True, touched=True))
    return change_record(battlemap, name, text)
