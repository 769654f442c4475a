"""Which form of scripts the installed game wants."""

from __future__ import annotations

import re

from randomizer.systems.zeroad.export.styles import (
    GLOBAL_FUNCTION,
    MODULE,
    STYLES,
    TOP_LEVEL,
    Style,
    style_for,
)
from randomizer.systems.zeroad.installation.installations import Installation, find

_EXAMPLE = "maps/random/mainland.js"
"""A script that every release has."""


def installed_styles() -> tuple[Style, ...]:
    """The forms of the games that are found, without repetition."""
    found = dict.fromkeys(style_of(each) for each in find())
    return tuple(style for style in found if style is not None)


def style_of(installation: Installation) -> Style | None:
    """The form of an installed game: that of its own scripts, else by its name."""
    script = installation.read(_EXAMPLE)
    if script is None:
        return style_for(installation.name)
    if re.search(rb"^export\s+function", script, re.MULTILINE):
        return MODULE
    if re.search(rb"^function\s*\*\s*GenerateMap", script, re.MULTILINE):
        return GLOBAL_FUNCTION
    return TOP_LEVEL


def versions() -> tuple[str, ...]:
    """All versions that scripts can be written for, those of installed games first."""
    return tuple(style.version for style in dict.fromkeys((*installed_styles(), *STYLES)))


def style_named(version: str) -> Style | None:
    """The form of one of ``versions``."""
    return next((style for style in STYLES if style.version == version), None)
