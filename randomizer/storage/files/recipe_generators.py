"""Finds the generator of a recipe (``roll_recipe``): the script need not be in the recipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.script_catalog import found_entries
from randomizer.catalog.scripts import generator_for_script
from randomizer.generator import MapGenerator
from randomizer.model.problems import ProblemError
from randomizer.storage.files.roll_recipe import RollRecipe, script_digest

Scripts = Iterable[tuple[str, Mapping[str, str]]]
"""Texts of scripts, each with its further texts by name."""


def find_generator(recipe: RollRecipe, scripts: Scripts = ()) -> MapGenerator | None:
    """Return the generator with the recipe's very script, else the packaged one of its name.

    The script is sought in the recipe, in the package, among ``scripts``, in the user's folders and
    in installed games: it can be slow. None if it is not found.
    """
    roll = recipe.roll
    packaged = generator_named(roll.generator) if roll.generator else None
    if packaged is not None and packaged.system.name != recipe.system:
        packaged = None
    if packaged is not None and digest_of(packaged) == recipe.script:
        return packaged
    if recipe.script:
        for text, texts in _candidates(recipe, scripts):
            if script_digest(text, texts) == recipe.script:
                return generator_for_script(text, roll.script_name, texts=texts)
    return packaged


def digest_of(generator: MapGenerator) -> str:
    """Return the digest of a generator's script; "" if it has none."""
    return script_digest(generator.text, generator.texts)


def packaged_scripts() -> Scripts:
    """Return the scripts that come with this program."""
    return ((generator.text, generator.texts) for generator in generators() if generator.text)


def _candidates(recipe: RollRecipe, scripts: Scripts) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield all scripts among which that of a recipe can be, those that are at hand first."""
    yield recipe.roll.script, recipe.roll.texts
    yield from packaged_scripts()
    yield from scripts
    for entry in found_entries():
        if isinstance(entry, CatalogEntry) and entry.system.name == recipe.system:
            with suppress(ProblemError):  # the catalogue says what is wrong with it
                generator = entry.generator()
                yield generator.text, generator.texts
