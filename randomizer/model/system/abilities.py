"""What the catalogue knows of a system without loading it."""

from __future__ import annotations

from enum import StrEnum


class Ability(StrEnum):
    """An ability of a system's maps that the catalogue knows without loading the system."""

    ROLLS = "rolls"
    """A generator."""

    SCRIPTS = "scripts"
    """A language of scripts."""

    SETTINGS = "settings"
    """A generator without a script, whose settings stand in the panel of scripts."""

    FAIRNESS = "fairness"
    """A model of how armies fight on a map."""
