"""The period of a map: that of its records, else the packaged one of modern times."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from randomizer.languages.language import TextPlace
from randomizer.model.basics.caches import KB, registered
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import PeriodResult, read_period, reading_of
from randomizer.systems.xconq.period.words import UNITS
from randomizer.systems.xconq.records import period_texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap


_last: WeakKeyDictionary[BattleMap, Period] = WeakKeyDictionary()
"""The last period of each map that could be read."""


def period_result_of(battlemap: BattleMap) -> PeriodResult:
    """Read the map's own period, with its problems; that of modern times if it has none."""
    texts = period_texts_of(battlemap)
    if texts is None:
        return read_period(packaged_text(MODERN))
    text, further = texts
    return read_period(text, further=further)


def period_of(battlemap: BattleMap) -> Period:
    """Return the period of a map.

    Where its text has errors it is the one that it had last, or was rolled from; else what can be
    read of the text, else modern times.
    """
    period = period_result_of(battlemap).period
    if period is not None:
        _last[battlemap] = period
        return period
    former_period = _last.get(battlemap) or rolled_period(battlemap)
    return former_period or readable_part(battlemap) or modern_period()


def readable_part(battlemap: BattleMap) -> Period | None:
    """Return what can be read of a map's period that has errors.

    None if that is no period with which a map can be shown, or if the map has none of its own.
    """
    texts = period_texts_of(battlemap)
    if texts is None:
        return None
    return readable_period(*texts)


def readable_period(text: str, further: Mapping[str, str]) -> Period | None:
    """Return what can be read of a period's texts with errors, None without a terrain or a unit."""
    period = reading_of(text, further=further).period
    if not period.terrains or not period.units:
        return None
    return period


def definition_of_unit(battlemap: BattleMap, name: str) -> TextPlace | None:
    """Return where the text of a map's period names a unit type in its definition.

    None if the map has no text of its own, or an included file defines the type.
    """
    texts = period_texts_of(battlemap)
    if texts is None:
        return None
    text, further = texts
    reading = reading_of(text, further=further)
    definitions = reading.types[UNITS]
    for unit_type, definition in zip(reading.period.units, definitions, strict=True):
        if unit_type.name == name and definition.file.name is None:
            return definition.file.place(*definition.token.span)
    return None


def rolled_period(battlemap: BattleMap) -> Period | None:
    """Return the period that the map was rolled from, None if it was not or it cannot be read."""
    layer = battlemap.source_layer
    if layer is None or layer.roll is None:
        return None
    return read_period(layer.roll.script, further=layer.roll.texts).period


@registered(bytes_each=500 * KB)
@lru_cache(maxsize=1)
def modern_period() -> Period:
    """Return the packaged period of modern times."""
    period = read_period(packaged_text(MODERN)).period
    assert period is not None, "the packaged period has no errors"
    return period
