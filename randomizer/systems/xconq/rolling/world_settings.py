"""The settings of a new world, and the sizes that it can have."""

from __future__ import annotations

import re
from collections.abc import Mapping

from randomizer.model.problems import error
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.system import LEAST_ALONG, MOST_ALONG

SIZE = "size"
ALT_ROUGHNESS = "alt-roughness"
WET_ROUGHNESS = "wet-roughness"
COUNTRIES = "countries"
USUAL_COUNTRIES = 2
MOST_COUNTRIES = 30

_SIZE_WORDS = (
    f"the size of a world is columns x rows, each from {LEAST_ALONG} to {MOST_ALONG}, like 60x30"
)

_ROUGHNESS = "0 makes few large {}, 100 many small ones; unset: as the period says"

SETTINGS = (
    Setting(
        SIZE,
        str,
        "Columns x rows of the world, like 60x30; unset: those of the map",
        "",
        title="Size",
        group="World",
        unset="columns x rows, like 60x30",
    ),
    Setting(
        ALT_ROUGHNESS,
        int,
        _ROUGHNESS.format("seas and lands"),
        least=0,
        most=100,
        title="Roughness of the land",
        group="World",
        unset="the period's",
    ),
    Setting(
        WET_ROUGHNESS,
        int,
        _ROUGHNESS.format("wet and dry regions"),
        least=0,
        most=100,
        title="Roughness of the moisture",
        group="World",
        unset="the period's",
    ),
    Setting(
        COUNTRIES,
        int,
        "How many sides begin with a country of their own; 0: the terrain alone, without units",
        USUAL_COUNTRIES,
        least=0,
        most=MOST_COUNTRIES,
        title="Countries",
        group="Countries",
        zero="none, the terrain alone",
    ),
)


def chosen_size(settings: Mapping[str, object]) -> tuple[int, int] | None:
    """Return the chosen columns and rows, None if none are. Raises ProblemError."""
    chosen = str(settings.get(SIZE, "")).strip()
    if not chosen:
        return None
    match = re.fullmatch(r"(\d{1,5})\s*[x×]\s*(\d{1,5})", chosen, re.ASCII)
    if match is None:
        raise error("world-size", f"{_SIZE_WORDS}, not {chosen:.40}")
    return checked_size((int(match[1]), int(match[2])))


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a world itself. Raises ProblemError for one that no world has."""
    if not all(LEAST_ALONG <= edge <= MOST_ALONG for edge in size):
        raise error("world-size", f"{_SIZE_WORDS}, not {size[0]}x{size[1]}")
    return size


def countries_of(settings: Mapping[str, object]) -> int:
    """Return the chosen number of countries."""
    chosen = settings.get(COUNTRIES, USUAL_COUNTRIES)
    return chosen if isinstance(chosen, int) else USUAL_COUNTRIES
