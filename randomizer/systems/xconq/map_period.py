"""The period of a map: the rules, terrains and unit types with which it is shown and played.

A map holds the text of its period in a record, with the texts of the files that it includes. A map
without such a record is of the packaged period of modern times. A person edits the text, so that it
often has errors; the map needs a period all the same. There are two questions:

- What does the text say? ``period_and_problems`` returns no period for a text with errors.
- With what is the map shown? ``period_of`` always returns a period, an earlier one if need be.
"""

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


def period_and_problems(battlemap: BattleMap) -> PeriodResult:
    """Return the period that the map's text says, None if it has errors, and its problems."""
    texts = period_texts_of(battlemap)
    if texts is None:
        return read_period(packaged_text(MODERN))
    text, included_texts = texts
    return read_period(text, further=included_texts)


_last_periods: WeakKeyDictionary[BattleMap, Period] = WeakKeyDictionary()
"""The last period without errors of each map for which ``period_of`` was called.

While a person types, the text has errors most of the time. The map must not change its terrains and
unit types with each key, so it stays with this period until the text is right again.
"""


def period_of(battlemap: BattleMap) -> Period:
    """Return the period with which a map is shown, whatever errors its text has.

    It is the first of these that there is: what the text says, if it has no errors; the map's last
    period without errors (``_last_periods``, which this call keeps up to date); the one that it was
    rolled from; what can be read of the text; modern times.
    """
    period = period_and_problems(battlemap).period
    if period is not None:
        _last_periods[battlemap] = period
        return period
    former_period = _last_periods.get(battlemap)
    if former_period is None:
        former_period = rolled_period(battlemap)
    if former_period is not None:
        return former_period
    texts = period_texts_of(battlemap)
    if texts is None:
        return modern_period()
    return readable_period(*texts) or modern_period()


def rolled_period(battlemap: BattleMap) -> Period | None:
    """Return the period that the map was rolled from, None if it was not or it cannot be read."""
    layer = battlemap.source_layer
    if layer is None or layer.roll is None:
        return None
    return read_period(layer.roll.script, further=layer.roll.texts).period


def readable_period(text: str, included_texts: Mapping[str, str]) -> Period | None:
    """Return what can be read of a period's text with errors; None without a terrain or a unit.

    A map cannot be shown without both. ``included_texts`` are those of the included files by
    name.
    """
    period = reading_of(text, further=included_texts).period
    if not period.terrains or not period.units:
        return None
    return period


@registered(bytes_each=500 * KB)
@lru_cache(maxsize=1)
def modern_period() -> Period:
    """Return the packaged period of modern times."""
    period = read_period(packaged_text(MODERN)).period
    assert period is not None, "the packaged period has no errors"
    return period


def definition_of_unit(battlemap: BattleMap, name: str) -> TextPlace | None:
    """Return where the text of a map's period names a unit type in its definition.

    None if the map has no text of its own, or an included file defines the type.
    """
    texts = period_texts_of(battlemap)
    if texts is None:
        return None
    text, included_texts = texts
    reading = reading_of(text, further=included_texts)
    # A definition, ``"i" "infantry" "foot soldier" utype``, makes one unit type: they correspond.
    definitions = reading.types[UNITS]
    for unit_type, definition in zip(reading.period.units, definitions, strict=True):
        is_in_own_text = definition.file.name is None
        if unit_type.name == name and is_in_own_text:
            return definition.file.place(*definition.token.span)
    return None
