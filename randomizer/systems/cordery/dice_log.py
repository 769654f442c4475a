"""How the dice of a table fell, line by line, told again from the rolls of its layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from randomizer.generator import Base, DrawKey
from randomizer.model.battlemap import BattleMap, Layer, Roll
from randomizer.model.layering import parts_from
from randomizer.model.problems import ProblemError
from randomizer.model.setting import checked_settings
from randomizer.systems.cordery.choices import SETTINGS, Choices, part_of
from randomizer.systems.cordery.generator import page, start_table
from randomizer.systems.cordery.table_layers import planes_now, with_what_stood
from randomizer.systems.cordery.table_words import Planes
from randomizer.systems.cordery.throws import DieWantedError, LogLine

Scores = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, eq=False)
class Told:
    """A line of the log: the dice behind it by their names, and the table when it was said.

    ``laid`` is None where the table below has changed since: then only the words are known.
    """

    line: LogLine
    scores: Scores = ()
    laid: Planes | None = None

    @property
    def part(self) -> str:
        """The part of the page that it belongs to."""
        return part_of(self.line.step)


@dataclass(frozen=True, eq=False)
class Laid:
    """A table as far as its dice are known. ``wanted``: the die to enter next, None at the end."""

    lines: tuple[Told, ...]
    planes: Planes
    wanted: DieWantedError | None = None


@dataclass(frozen=True, eq=False)
class Telling:
    """A roll, what it started from, and those of its parts that are on the map and shown."""

    roll: Roll
    base: Base
    parts: frozenset[str]


def lay(settings: Mapping[str, object], key: DrawKey, base: Base) -> Laid:
    """Lay a table line by line, up to a die that is still to be entered.

    Raises ProblemError for a choice, a decision or a die that cannot be.
    """
    chosen = checked_settings(SETTINGS, settings)
    laying = start_table(Choices.of(chosen), key.checked(), base)
    throws, lines, wanted = laying.throws, list[Told](), None

    def hear(line: LogLine) -> None:
        scores = tuple((name, throws.scores[name]) for name in line.throws)
        lines.append(Told(line, scores, planes_now(laying, base)))

    throws.heard = hear
    try:
        for _kind, steps in page(laying):
            for _step in steps:
                pass
    except DieWantedError as die:
        wanted = die
    return Laid(tuple(lines), planes_now(laying, base), wanted)


def tellings(battlemap: BattleMap, lowest: int) -> tuple[Telling, ...]:
    """The rolls behind the table whose lowest layer has the id ``lowest``, from below.

    Parts that were thrown anew by themselves have a roll of their own. Quick: ``tell`` does the
    work, on any thread.
    """
    places = parts_from(battlemap, lowest)
    rolled = [(place, battlemap.layers[place]) for place in places]
    found = []
    for roll, group in groupby(rolled, key=lambda each: _whole(each[1])):
        own = list(group)
        parts = frozenset(
            layer.roll.part for _place, layer in own if layer.visible and layer.roll is not None
        )
        if roll is not None:
            place, layer = own[0]
            base = with_what_stood(Base.under(battlemap, place), layer)
            found.append(Telling(roll, base, parts))
    return tuple(found)


def _whole(layer: Layer) -> Roll | None:
    return None if layer.roll is None else replace(layer.roll, part="")


def tell(rolls: Iterable[Telling]) -> tuple[Told, ...]:
    """Every line of a table's dice, in the order in which it was laid."""
    return tuple(line for each in rolls for line in _tell(each) if line.part in each.parts)


def _tell(telling: Telling) -> tuple[Told, ...]:
    roll = telling.roll
    try:
        lines = lay(roll.settings, DrawKey(roll.seed, roll.number), telling.base).lines
    except ProblemError:
        lines = ()  # what was decided does not fit what lies below now: the words are left
    if tuple(str(told.line) for told in lines) == roll.origins:
        return lines
    words = (origin.partition(" ") for origin in roll.origins)
    return tuple(Told(LogLine(step, rest)) for step, _space, rest in words)
