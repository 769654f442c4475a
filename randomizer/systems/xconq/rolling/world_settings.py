"""The settings that a person chooses for a new world of Xconq, and the sizes that it can have.

``SETTINGS`` are those of every period's generator. A roughness that is not set is that of the
period, a size that is not set that of the map on which the world is rolled.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.problems import error
from randomizer.model.settings.grid_settings import size_settings
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.system import COUNTRIES, LEAST_ALONG, MOST_ALONG

ALT_ROUGHNESS = "alt-roughness"
"""The setting of the roughness of the altitude; it is named as the period's word is."""

WET_ROUGHNESS = "wet-roughness"
"""The setting of the roughness of the moisture; it is named as the period's word is."""

USUAL_COUNTRIES = 2
"""The number of sides, each with a country, if none is chosen."""

MOST_COUNTRIES = 30
"""The most sides that can be chosen."""

_ROUGHNESS_HELP = "0 makes few large {}, 100 many small ones; unset: as the period says"
"""The help on both roughnesses; the braces stand for the regions that they shape."""

SETTINGS = (
    *size_settings("World", LEAST_ALONG, MOST_ALONG),
    Setting(
        ALT_ROUGHNESS,
        int,
        _ROUGHNESS_HELP.format("seas and lands"),
        minimum=0,
        maximum=100,
        title="Land roughness",
        group="World",
        unset="the period's",
    ),
    Setting(
        WET_ROUGHNESS,
        int,
        _ROUGHNESS_HELP.format("wet and dry regions"),
        minimum=0,
        maximum=100,
        title="Moisture roughness",
        group="World",
        unset="the period's",
    ),
    Setting(
        COUNTRIES,
        int,
        "How many sides begin, each in a country of its own; 0: the terrain alone, without units",
        USUAL_COUNTRIES,
        minimum=0,
        maximum=MOST_COUNTRIES,
        title="Sides",
        group="Sides",
        zero="none, the terrain alone",
    ),
)


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return ``size`` (columns, rows). Raises ProblemError for a size that no world has."""
    columns, rows = size
    if not all(LEAST_ALONG <= count <= MOST_ALONG for count in size):
        message = (
            f"a world has from {LEAST_ALONG} to {MOST_ALONG} columns and rows, "
            f"not {columns} x {rows}"
        )
        raise error("world-size", message)
    return size


def countries_of(settings: Mapping[str, object]) -> int:
    """Return the chosen number of countries; the usual one if none is chosen."""
    count = settings.get(COUNTRIES)
    if isinstance(count, int):
        return count
    return USUAL_COUNTRIES
