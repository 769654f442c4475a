"""Recipes of rolls: a rolled layer copied as one line of text, and rolled again from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.background.actions import run
from app.background.latest_job import LatestJob
from app.document.map_files import new_map
from app.rolling.roll_request import Destination
from app.rolling.roll_setup import RollSetup
from app.scripts.script import script_of_file
from app.settings import Settings
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.files import choose_file
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import Base, DrawKey
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.records.assets import NO_ASSETS
from randomizer.model.rolls.rolled_layers import first_part, parts_from
from randomizer.storage.files.roll_recipe import (
    RollRecipe,
    Scripts,
    differences,
    find_generator,
    locked_as_in,
    read_recipe,
    recipe_grid,
    recipe_of,
    recipe_text,
    same_grid,
    same_ground,
)
from randomizer.storage.files.terrain_files import OwnTerrains

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.rolling.rolling import Rolling

COPIED = "Copied as one line of text: Paste rolls it, here or on another machine."
CHANGED = "Copied. But since it was rolled, what lies below or is locked here has changed."


Plan = tuple[Base, Destination, RollSetup, tuple[Problem, ...]]
"""What is rolled onto what, where it goes, and what is not as it was there."""


class RollRecipes(QObject):
    """Copies rolls as recipes, and rolls those that are pasted.

    ``message(str)``: something to say in passing.
    """

    message = Signal(str)

    def __init__(
        self, document: MapDocument, rolling: Rolling, settings: Settings, frame: QWidget
    ) -> None:
        """``frame`` is the parent of dialogs."""
        super().__init__(frame)
        self._document = document
        self._rolling = rolling
        self._settings = settings
        self._frame = frame
        self._job = LatestJob(self)

    def copy_layer(self, layer: Layer) -> None:
        """Copy the roll of a layer of the current map, all its parts."""
        battlemap = self._document.battlemap
        for position in parts_from(battlemap, first_part(battlemap, layer.id)):
            part = battlemap.layers[position]
            if layer.roll and part.roll and part.roll.settings == layer.roll.settings:
                self.copy(layer.roll, Destination.in_place_of(part.id).base(battlemap))
                return

    def copy(self, roll: Roll, base: Base) -> None:
        """Put the recipe of a roll on the clipboard; rolled again it would start from ``base``."""
        try:
            recipe = recipe_of(roll, base)
            QGuiApplication.clipboard().setText(recipe_text(recipe))
        except ProblemError as failed:
            self.message.emit(f"Not copied: {failed.problems[0].message}")
        else:
            is_same = same_ground(recipe, locked_as_in(recipe, base))
            self.message.emit(COPIED if is_same else CHANGED)

    def paste(self, text: str) -> None:
        """Roll a recipe; the user is asked first if it may give another layer here."""
        try:
            recipe = read_recipe(text)
        except ProblemError as failed:
            self._refuse(failed.problems)
        else:
            self._plan(recipe)

    def _plan(self, recipe: RollRecipe, file: Path | None = None) -> None:
        """Find the script, or take that of ``file``, and where the roll can go."""
        battlemap = self._document.battlemap
        bases = list[tuple[Destination, Base]]()
        if battlemap.system.name == recipe.system:
            above = Destination.above(self._document.active_layer_id)
            destinations = (self._rolling.next_destination(), above)
            bases = [(each, each.base(battlemap)) for each in destinations]
        rolls = [layer.roll for layer in battlemap.layers if layer.roll is not None]
        scripts = [(roll.script, roll.texts) for roll in rolls]
        open_map = self._document.current_map
        self._job.run(
            lambda _progress, _cancelled: plan(recipe, file, bases, scripts),
            lambda planned: run(self._propose(recipe, open_map, planned)),
            self._refuse,
        )

    async def _propose(self, recipe: RollRecipe, open_map: OpenMap, plan: Plan | None) -> None:
        """Roll the recipe; asked about is one that may give another map here."""
        if self._document.current_map is not open_map:
            self.message.emit("Another map is current: paste the recipe once more.")
            return
        if plan is None:
            await self._ask_for_script(recipe, open_map)
            return
        base, destination, rolled, problems = plan
        key = DrawKey(recipe.roll.seed, recipe.roll.number)
        if problems:
            asked = choose(
                self._frame,
                "Paste recipe",
                "It may be another map here. Roll it anyway?",
                "\n".join(f"- {problem.message}" for problem in problems),
                ("&Roll anyway",),
            )
            if await self._document.while_unchanged("Paste recipe", asked) is None:
                return
        self._rolling.roll_onto(base, destination, rolled, key)

    async def _ask_for_script(self, recipe: RollRecipe, open_map: OpenMap) -> None:
        """Let the user find the script of a recipe, and go on with it on the same map."""
        title = f"Where is {recipe.script_name}?"
        asked = choose_file(self._frame, title, self._settings.last_directory)
        path = await self._document.while_open(open_map, asked)
        if path is not None:
            self._settings.last_directory = str(path.parent)
            self._document.make_current(open_map)
            self._plan(recipe, path)

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        self.message.emit(f"Not pasted: {problems[0].message}")


def plan(
    recipe: RollRecipe,
    file: Path | None,
    bases: Sequence[tuple[Destination, Base]],
    scripts: Scripts,
) -> Plan | None:
    """Return how a recipe is rolled; the work of a job. None if its script is not found.

    It goes where the ground is the same: to a destination with its base on the current map, else to
    a new map; where it is nowhere the same, to the first with its grid. Raises ProblemError.
    """
    grid = recipe_grid(recipe)
    roll = recipe.roll
    if file is None:
        generator = find_generator(recipe, scripts)
    else:
        script = script_of_file(file)
        generator = script.generator(script.text, roll.settings)
    if generator is None:
        return None
    own = None
    terrain_set = generator.terrain_set()
    if terrain_set is not None:
        own = OwnTerrains(terrain_set, NO_ASSETS)
    empty = new_map(generator.system, grid, own)
    new = Destination.as_new_map(empty)
    choices = [
        (destination, locked_as_in(recipe, base))
        for destination, base in (*bases, (new, new.base(empty)))
    ]
    ranks = [(not same_grid(recipe, each), not same_ground(recipe, each)) for _, each in choices]
    destination, base = choices[ranks.index(min(ranks))]
    searches = rolls_many(generator)
    texts = generator.texts
    rolled = RollSetup(
        generator.text, lambda: generator, roll.settings, roll.script_name, False, searches, texts
    )
    return base, destination, rolled, differences(recipe, generator, base)
