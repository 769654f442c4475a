"""``randomizer roll --recipe``: a roll that somebody copied as one line of text."""

from __future__ import annotations

import argparse
import sys

from randomizer.cli.output import Console, UsageError
from randomizer.cli.roll_request import base_of, generator_of
from randomizer.generator import Base, MapGenerator, settings_for
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.setting import checked_settings
from randomizer.storage.roll_recipe import (
    LONGEST,
    differences,
    find_generator,
    locked_as_in,
    read_recipe,
    recipe_grid,
)

ITS_OWN = {"seed": None, "number": 0, "count": 1, "set": [], "lock": []}
"""The options that a recipe decides, with what they are if nobody gives them."""


class RecipeToRoll:
    """The recipe of a command line, whose seed and number become those of ``arguments``.

    Raises UsageError beside options that it decides, and ProblemError for a text that is none.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        for name, usual in ITS_OWN.items():
            if getattr(arguments, name) != usual:
                raise UsageError(f"--{name}: the recipe says that")
        text = arguments.recipe
        if text == "-":
            text = sys.stdin.buffer.read(2 * LONGEST + 1).decode("utf-8", "replace")
        self._arguments, self._recipe = arguments, read_recipe(text)
        arguments.seed, arguments.number = self._recipe.roll.seed, self._recipe.roll.number

    def generator(self, console: Console) -> MapGenerator:
        """Return what rolls it: that of SCRIPT, else the one found. Raises ProblemError."""
        name = self._recipe.script_name
        if self._arguments.script is not None:
            return generator_of(self._arguments.script, console)
        self._arguments.script = name
        generator = find_generator(self._recipe)
        if generator is None:
            message = f"the script {name} is not here: name its file beside the recipe"
            raise error("no-script", message)
        return generator

    def base(
        self, generator: MapGenerator, console: Console
    ) -> tuple[dict[str, object], Base, BattleMap]:
        """Return the settings, the base with the recipe's locks, and the map to roll onto.

        What is not here as it was there is reported. Raises ProblemError then, unless --anyway.
        """
        recipe, arguments = self._recipe, self._arguments
        settings = checked_settings(settings_for(generator), recipe.roll.settings)
        base, onto = base_of(arguments, generator, settings, console, recipe_grid(recipe))
        base = locked_as_in(recipe, base)
        found = differences(recipe, generator, base)
        console.report(found)
        if found and not arguments.anyway:
            raise error("recipe-differs", "it may be another map here; --anyway rolls it")
        return settings, base, onto
