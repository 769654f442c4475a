"""Recipes of rolls: a rolled layer is copied as one line of text, and rolled again from it.

``RollRecipes`` is what Copy recipe and Paste call; ``plan_roll``, the hardest part, decides onto
what a pasted recipe is rolled and where the roll goes. What a recipe holds is in
``randomizer.storage.files.roll_recipe``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.background.actions import Stopped, result
from app.background.jobs import Job
from app.document.map_files import new_map
from app.rolling.destination import AboveLayer, Destination, InPlaceOf, NewMap
from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.scripts.script import script_of_file
from app.settings import Settings
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.files import choose_file
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import MapGenerator
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.records.assets import NO_ASSETS
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.rolled_layers import first_part, parts_from
from randomizer.roll_base import Base
from randomizer.storage.files.recipe_bases import (
    differences,
    locked_as_in,
    recipe_grid,
    recipe_of,
    same_grid,
    same_ground,
)
from randomizer.storage.files.recipe_generators import Scripts, find_generator
from randomizer.storage.files.roll_recipe import RollRecipe, read_recipe, recipe_text
from randomizer.storage.files.terrain_files import OwnTerrains

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.rolling.rolling import Rolling

# Messages after a copy: a paste onto this map makes the same layer, or may make another one.
COPIED = "Copied as one line of text: Paste rolls it, here or on another machine."
CHANGED = "Copied. But since it was rolled, what lies below or is locked here has changed."


class PossibleDestination(NamedTuple):
    """A destination for the roll of a recipe: on the current map, or a new map."""

    destination: Destination

    base: Base
    """The base from which a roll to that destination starts."""


class Plan(NamedTuple):
    """The roll of a recipe, as it is planned for this map."""

    base: Base
    """The base of the destination, with the locks of the recipe."""

    destination: Destination

    setup: RollSetup

    problems: tuple[Problem, ...]
    """The differences to the map on which the recipe was made: the roll may be another map."""


class RollRecipes(QObject):
    """Copies rolls as recipes, and rolls those that are pasted."""

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self, document: MapDocument, rolling: Rolling, settings: Settings, frame: QWidget
    ) -> None:
        """``frame`` is the parent of dialogs."""
        super().__init__(frame)
        self._document = document
        self._rolling = rolling
        self._settings = settings
        self._frame = frame
        self._job: Job | None = None
        """The newest job that plans a roll, which may have ended."""

    def copy_layer(self, layer: Layer) -> None:
        """Copy the roll of a layer of the current map, all its parts.

        A roll can be of several layers, its parts. The recipe starts below the lowest of them that
        has the settings of the layer: parts that were rolled again later have others.
        """
        battlemap = self._document.battlemap
        for position in parts_from(battlemap, first_part(battlemap, layer.id)):
            part = battlemap.layers[position]
            if layer.roll and part.roll and part.roll.settings == layer.roll.settings:
                self.copy(layer.roll, InPlaceOf(part.id).base(battlemap))
                return

    def copy(self, roll: Roll, base: Base) -> None:
        """Put the recipe of a roll on the clipboard; rolled again it would start from ``base``."""
        try:
            recipe = recipe_of(roll, base)
            QGuiApplication.clipboard().setText(recipe_text(recipe))
        except ProblemError as failed:
            self.message.emit(f"Not copied: {failed.problems[0].message}")
        else:
            if same_ground(recipe, locked_as_in(recipe, base)):
                self.message.emit(COPIED)
            else:
                self.message.emit(CHANGED)

    async def paste(self, text: str) -> None:
        """Roll a recipe; ask the user first if the roll may be another layer here.

        If the script of the recipe is not found, the user is asked for its file. Raises Stopped if
        the user cancels a question, or the map is closed meanwhile.
        """
        open_map = self._document.current_map
        try:
            recipe = read_recipe(text)
            plan = await self._plan(recipe)
            while plan is None:
                file = await self._ask_for_script(recipe, open_map)
                plan = await self._plan(recipe, file)
        except ProblemError as failed:
            self.message.emit(f"Not pasted: {failed.problems[0].message}")
            return
        if plan.problems:
            await self._ask_about_differences(plan.problems)
        key = DrawKey(recipe.roll.seed, recipe.roll.number)
        self._rolling.roll_onto(plan.base, plan.destination, plan.setup, key)

    async def _plan(self, recipe: RollRecipe, file: Path | None = None) -> Plan | None:
        """Return how a recipe is rolled here, with the script of ``file`` if that is given.

        None if its script is not found. Raises ProblemError, and Stopped if another map is current
        by then, or another recipe is planned.
        """
        battlemap = self._document.battlemap
        choices: list[PossibleDestination] = []
        if battlemap.system.name == recipe.system:
            above = AboveLayer(self._document.active_layer_id)
            for destination in (self._rolling.next_roll.destination(), above):
                choices.append(PossibleDestination(destination, destination.base(battlemap)))
        rolls = [layer.roll for layer in battlemap.layers if layer.roll is not None]
        scripts = [(roll.script, roll.texts) for roll in rolls]
        open_map = self._document.current_map
        if self._job is not None:
            self._job.cancel()

        def work(_progress: object, _cancelled: object) -> Plan | None:
            """Plan the roll, on a job's thread."""
            return plan_roll(recipe, file, choices, scripts)

        self._job = Job(work)
        plan: Plan | None = await result(self._job)
        if self._document.current_map is not open_map:
            self.message.emit("Another map is current: paste the recipe once more.")
            raise Stopped
        return plan

    async def _ask_about_differences(self, problems: tuple[Problem, ...]) -> None:
        """Ask whether to roll a recipe in spite of these differences. Raises Stopped if not."""
        answer = choose(
            self._frame,
            "Paste recipe",
            "It may be another map here. Roll it anyway?",
            "\n".join(f"- {problem.message}" for problem in problems),
            ("&Roll anyway",),
        )
        if await self._document.while_unchanged("Paste recipe", answer) is None:
            raise Stopped

    async def _ask_for_script(self, recipe: RollRecipe, open_map: OpenMap) -> Path:
        """Return the file that the user chooses as the script of a recipe.

        The map is the current one again then. Raises Stopped if the user chooses none.
        """
        title = f"Where is {recipe.script_name}?"
        answer = choose_file(self._frame, title, self._settings.last_directory)
        path = await self._document.while_open(open_map, answer)
        if path is None:
            raise Stopped
        self._settings.last_directory = str(path.parent)
        self._document.make_current(open_map)
        return path


def plan_roll(
    recipe: RollRecipe,
    file: Path | None,
    choices: Sequence[PossibleDestination],
    scripts: Scripts,
) -> Plan | None:
    """Return how a recipe is rolled; the work of a job. None if its script is not found.

    ``choices`` are those of the current map, ``scripts`` are scripts of its layers. The roll goes
    to the first choice with the ground of the recipe, a new map being the last choice. If none has
    that, it goes to the first with the grid of the recipe. Raises ProblemError.
    """
    roll = recipe.roll
    if file is None:
        generator = find_generator(recipe, scripts)
    else:
        script = script_of_file(file)
        generator = script.generator(script.text, roll.settings)
    if generator is None:
        return None

    # A new map is the last choice: where everything is as alike, the current map is taken.
    locked_choices = []
    for choice in (*choices, _new_map_choice(recipe, generator)):
        locked_choices.append(choice._replace(base=locked_as_in(recipe, choice.base)))
    best = min(locked_choices, key=lambda choice: _rank(recipe, choice.base))

    def make_generator() -> MapGenerator:
        return generator  # it is loaded already

    generator_name = ""
    if not generator.text:
        generator_name = generator.name
    setup = RollSetup(
        generator.text,
        make_generator,
        roll.settings,
        script_name=roll.script_name,
        generator_name=generator_name,
        texts=generator.texts,
        behaviour=RollBehaviour(searches_for_locks=rolls_many(generator)),
    )
    problems = differences(recipe, generator, best.base)
    return Plan(best.base, best.destination, setup, problems)


def _new_map_choice(recipe: RollRecipe, generator: MapGenerator) -> PossibleDestination:
    """Return the choice of a new, empty map with the grid of a recipe. Raises ProblemError."""
    own_terrains: OwnTerrains | None = None
    terrain_set = generator.terrain_set()
    if terrain_set is not None:
        own_terrains = OwnTerrains(terrain_set, NO_ASSETS)
    empty = new_map(generator.system, recipe_grid(recipe), own_terrains)
    destination = NewMap(empty)
    return PossibleDestination(destination, destination.base(empty))


def _rank(recipe: RollRecipe, base: Base) -> tuple[bool, bool]:
    """Return a key by which bases are sorted, the best for a recipe first.

    False sorts before True: first come bases with the grid and the ground of the recipe, then those
    with its grid, then all others.
    """
    return not same_grid(recipe, base), not same_ground(recipe, base)
