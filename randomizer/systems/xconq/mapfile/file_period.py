"""The period by which a mapfile is read: it says what the characters of terrains and units mean.

Files can name a period, bring it along, bring one with errors, name one that is not found, or name
none. ``choose_period`` returns the best that there is, with its ``PeriodState``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, Severity
from randomizer.model.records.map_records import MapRecord, script_records
from randomizer.systems.xconq.map_period import modern_period, readable_period
from randomizer.systems.xconq.mapfile.includes import IncludeFinder
from randomizer.systems.xconq.mapfile.loading import Loaded
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTION, UNITS_SECTION
from randomizer.systems.xconq.mapfile.period_texts import PeriodTexts, period_texts
from randomizer.systems.xconq.mapfile.placeholder_types import provisional_period
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.records import PERIOD, PeriodPlace
from randomizer.systems.xconq.system import SYSTEM


class PeriodState(Enum):
    """How much is known of the period of a mapfile."""

    WHOLE = auto()
    """It was read without errors."""

    PARTIAL = auto()
    """It has errors, and only what can be read of it is used."""

    PLACEHOLDER = auto()
    """It is missing, or nothing of it can be read: its types are made up from the characters."""

    ASSUMED = auto()
    """The files name none, and the library has no standard one: it is the packaged one."""


@dataclass(frozen=True)
class FilePeriod:
    """The period by which a mapfile is read."""

    period: Period

    state: PeriodState

    texts: PeriodTexts | None
    """Its texts, which the map keeps; None for ``ASSUMED``."""

    problems: tuple[Problem, ...] = ()

    @property
    def records(self) -> Mapping[str, MapRecord]:
        """The records by which the map keeps the texts; {} for ``ASSUMED``."""
        if self.texts is None:
            return {}
        return script_records(PERIOD, self.texts.text, self.texts.further)


def choose_period(loaded: Loaded, finder: IncludeFinder) -> FilePeriod:
    """Return the period of loaded mapfiles; ``finder`` finds the library's standard one."""
    texts = period_texts(loaded, finder)
    if texts is None:
        # The files bring no period: either they name none, or one that was not found.
        if not loaded.missing_periods:
            return FilePeriod(modern_period(), PeriodState.ASSUMED, None)
        # Of several it is the last: a later period replaces earlier ones.
        return _placeholder(loaded, loaded.missing_periods[-1])

    # They bring one, which may have errors.
    reading = read_period(texts.text, None, texts.further)
    problems = texts.located(reading.problems)
    if reading.period is not None:
        return FilePeriod(reading.period, PeriodState.WHOLE, texts, tuple(problems))
    readable_part = readable_period(texts.text, texts.further)
    if readable_part is not None:
        message = "The period has errors: the map shows what can be read of it"
        problems.append(Problem(Severity.WARNING, "period-unusable", message))
        return FilePeriod(readable_part, PeriodState.PARTIAL, texts, tuple(problems))
    message = "The period has errors, so its types are provisional"
    problems.append(Problem(Severity.WARNING, "period-unusable", message))
    missing_name = texts.name
    if loaded.missing_periods:
        missing_name = loaded.missing_periods[-1]
    return _placeholder(loaded, missing_name, tuple(problems))


def _placeholder(
    loaded: Loaded, missing_name: str, problems: tuple[Problem, ...] = ()
) -> FilePeriod:
    """Return a period with a type for each character that the map and the units have."""
    text = provisional_period(missing_name, _terrain_letters(loaded), _unit_letters(loaded))
    # It cannot be read if there are more characters than a period can have types.
    period = read_period(text).period or modern_period()
    texts = PeriodTexts(text, NO_TEXTS, missing_name, PeriodPlace.MISSING)
    return FilePeriod(period, PeriodState.PLACEHOLDER, texts, problems)


def _terrain_letters(loaded: Loaded) -> list[str]:
    """Return the terrain characters of the map in the order of the standard terrain set.

    Those that it does not have come last, by the alphabet.
    """
    section = loaded.value(MAP_SECTION)
    if section is None:
        return []
    code_of_letter = {
        terrain.letters: code for code, terrain in enumerate(SYSTEM.terrain_set.terrains)
    }
    code_of_unknown = len(code_of_letter)
    letters = map(chr, np.unique(section.characters).tolist())
    return sorted(letters, key=lambda letter: (code_of_letter.get(letter, code_of_unknown), letter))


def _unit_letters(loaded: Loaded) -> list[str]:
    """Return the characters of the units, each once, in the order of the file."""
    units = loaded.value(UNITS_SECTION)
    if units is None:
        return []
    return list(dict.fromkeys(unit.character for unit in units.units))
