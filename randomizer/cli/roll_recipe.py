"""``randomizer roll --recipe``: a roll that somebody copied as one line of text.

The verb ``roll`` calls ``apply_recipe`` to learn what to roll, then ``recipe_base`` for what the
map is made of. ``storage.files.roll_recipe`` (here ``recipe_file``) reads the line itself.
"""

from __future__ import annotations

import argparse
import sys

from randomizer.cli.output import Console, UsageError
from randomizer.cli.roll_request import base_above, generator_of, map_to_roll_onto
from randomizer.generator import MapGenerator
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.storage.files import recipe_bases
from randomizer.storage.files import roll_recipe as recipe_file
from randomizer.storage.files.recipe_generators import find_generator
from randomizer.storage.files.roll_recipe import RollRecipe
from randomizer.symmetric_rolls import settings_for

RECIPE_OPTIONS: dict[str, object] = {
    "seed": None,
    "number": 0,
    "count": 1,
    "set": [],
    "lock": [],
}
"""The options that a recipe decides, with their values on a command line without them."""


def apply_recipe(
    arguments: argparse.Namespace, console: Console
) -> tuple[RollRecipe, MapGenerator]:
    """Put seed, number and script of a recipe into ``arguments``.

    Return the recipe, and the generator that rolls it: that of SCRIPT if the user names one, else
    the one that the recipe names. Raises UsageError if the command line
    has an option that the recipe decides, and ProblemError for a recipe that cannot be rolled.
    """
    for name, usual in RECIPE_OPTIONS.items():
        if getattr(arguments, name) != usual:
            raise UsageError(f"--{name}: the recipe says that already")
    text = arguments.recipe
    if text == "-":
        # Enough of standard input to see that a recipe is too long, however long it is. Its
        # characters are ASCII; blanks around them may be of two bytes.
        max_bytes = 2 * recipe_file.LONGEST + 1
        text = sys.stdin.buffer.read(max_bytes).decode("utf-8", "replace")
    recipe = recipe_file.read_recipe(text)
    arguments.seed = recipe.roll.seed
    arguments.number = recipe.roll.number
    if arguments.script is not None:
        return recipe, generator_of(arguments.script, console)
    arguments.script = recipe.script_name
    generator = find_generator(recipe)
    if generator is None:
        message = f"the script {recipe.script_name} is not here: name its file beside the recipe"
        raise error("no-script", message)
    return recipe, generator


def recipe_base(
    recipe: RollRecipe, generator: MapGenerator, arguments: argparse.Namespace, console: Console
) -> tuple[dict[str, object], Base, BattleMap]:
    """Return the settings, the base with the recipe's locks, and the map to roll onto.

    Reports what differs from the computer on which the recipe was copied, for instance another
    version of the script. Then it raises ProblemError, unless the user says --anyway.
    """
    settings = checked_settings(settings_for(generator), recipe.roll.settings)
    grid = recipe_bases.recipe_grid(recipe)
    onto = map_to_roll_onto(arguments, generator, settings, console, grid)
    base = base_above(onto, arguments.lock)
    base = recipe_bases.locked_as_in(recipe, base)
    warnings = recipe_bases.differences(recipe, generator, base)
    console.report(warnings)
    if warnings and not arguments.anyway:
        raise error("recipe-differs", "it may be another map here; --anyway rolls it")
    return settings, base, onto
