"""The settings that a person chooses for a new world of Xconq, and the sizes that it can have.

``SETTINGS`` are those of every period's generator. A roughness that is not set is that of the
period, a size that is not set that of the map on which the world is rolled.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.problems import error
from randomizer.model.settings.grid_settings import size_settings
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.system import COUNTRIES, MAX_ALONG, MIN_ALONG

ALT_ROUGHNESS = "alt-roughness"
"""The setting of the roughness of the altitude; it is named as the period's word is."""

WET_ROUGHNESS = "wet-roughness"
"""The setting of the roughness of the moisture; it is named as the period's word is."""

USUAL_COUNTRIES = 2
"""The number of sides, each with a country, if none is chosen."""

MAX_COUNTRIES = 30
"""The most sides that can be chosen."""


def _roughness_setting(name: str, title: str, regions: str) -> Setting:
    """Return the setting of a roughness, which shapes these regions: "seas and lands"."""
    return Setting(
        name,
        int,
        f"0 makes few large {regions}, 100 many small ones; unset: as the period says",
        minimum=0,
        maximum=100,
        title=title,
        group="World",
        unset="the period's",
    )


SETTINGS = (
    *size_settings("World", MIN_ALONG, MAX_ALONG),
    _roughness_setting(ALT_ROUGHNESS, "Land roughness", "seas and lands"),
    _roughness_setting(WET_ROUGHNESS, "Moisture roughness", "wet and dry regions"),
    Setting(
        COUNTRIES,
        int,
        "How many sides begin, each in a country of its own; 0: the terrain alone, without units",
        USUAL_COUNTRIES,
        minimum=0,
        maximum=MAX_COUNTRIES,
        title="Sides",
        group="Sides",
        zero="none, the terrain alone",
    ),
)


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return ``size`` (columns, rows). Raises ProblemError for a size that no world has."""
    columns, rows = size
    if not all(MIN_ALONG <= count <= MAX_ALONG for count in size):
        message = (
            f"a world has from {MIN_ALONG} to {MAX_ALONG} columns and rows, not {columns} x {rows}"
        )
        raise error("world-size", message)
    return size


def country_count_of(settings: Mapping[str, object]) -> int:
    """Return the chosen number of countries; the usual one if none is chosen."""
    count = settings.get(COUNTRIES)
    if isinstance(count, int):
        return count
    return USUAL_COUNTRIES
