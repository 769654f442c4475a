"""The gallery on the desk: the panel, wired to the script, the map and its undo steps.

``make`` is called once, when the panel is first shown. The gallery shows *candidates*: maps that
the current script rolls, or *variations* of the current map, which a generator of its own rolls.
The first half of ``GalleryController`` tells the panel what to roll, the second half does what the
user wants with the chosen candidates: to *take* one makes it the rolled layer of the current map.

A candidate is known by its roll alone (script, settings, seed, number). What needs its whole map
rolls it again, on a job's thread (``_roll_maps``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.background.actions import Stopped, result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.desk.services import ComparedCandidate
from app.features.gallery.panel import WIDTH, GalleryPanel
from app.features.gallery.pins import pins_text, read_pins
from app.qt_guard import connect
from app.rolling.destination import InPlaceOf
from app.scripts.script import setup_of_roll
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError, has_errors
from randomizer.model.rolls.put_roll import new_map

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.rolling.destination import LayerDestination
    from app.rolling.roll_setup import RollSetup
    from randomizer.generator_run import Progress
    from randomizer.model.problems import Problem
    from randomizer.model.rolls.generated import Generated
    from randomizer.roll_base import Base


EDIT_PAUSE_MS = 150
"""The milliseconds from an edit of the map until the gallery checks whether its maps change."""


class _Target(NamedTuple):
    """The place of a roll in the map, for candidates that are to be seen as whole maps."""

    destination: LayerDestination
    """The layer of the map that the roll replaces, or above which it goes."""

    base: Base
    """The map below that layer."""

    keeps_locks: bool
    """True if each of the script's maps keeps the locks of the base."""


class GalleryController(QObject):
    """Connects the panel to rolling, scripts and document.

    It is the panel's ``GallerySource``, which tells what maps are rolled from, and its child.
    """

    def __init__(self, desk: Desk) -> None:
        settings = desk.settings
        # The panel asks its source only once it is shown: by then this object is complete.
        self.panel = GalleryPanel(
            self,
            desk.renderer,
            read_pins(settings.gallery_pins),
            settings.gallery_width or WIDTH,
            desk.rolling.key_choice.key.seed,
        )
        super().__init__(self.panel)
        self._desk = desk
        self._rolling = desk.rolling
        self._checker = desk.scripts.checker
        self._visibility = DockVisibility(self.panel)
        self._connect_panel()
        self._connect_desk()

    def _connect_panel(self) -> None:
        """Carry out the actions of the panel, and remember its pins and its size of pictures."""
        panel = self.panel
        actions = panel.maps.map_actions
        connect(actions.take_requested, self._take_candidate)
        connect(actions.open_requested, self._open_candidate)
        connect(actions.compare_requested, self._compare_candidates)
        connect(actions.recipe_requested, self._copy_recipe)
        connect(actions.menu_made, self._extend_menu)
        connect(panel.maps.pins_changed, self._remember_pins)
        connect(panel.form.slider.valueChanged, self._remember_width)
        connect(panel.form.end_variations_button.clicked, lambda: self._rolling.variations.end())
        connect(self._visibility.changed, panel.watch)

    def _connect_desk(self) -> None:
        """Let the panel follow the script, the map and the looks of maps."""
        desk = self._desk
        connect(self._checker.checked, self._on_inputs_changed)
        connect(self._rolling.setup_changed, self._on_setup)
        connect(self._rolling.variations.changed, self._on_inputs_changed)
        connect(self._rolling.layers_changed, self._on_edited)
        connect(desk.document.changed, self._on_edited)
        connect(desk.theme.changed, self._on_inputs_changed)
        connect(desk.overlays_changed, self._on_inputs_changed)
        connect(desk.maps_wanted, self.panel.form.filter.request_maps)

    # --- what the gallery shows -------------------------------------------------------------
    #
    # Three kinds of changes let the panel look which maps to show now:
    #
    #     _on_inputs_changed    at once: a text that was checked, variations, the looks of maps
    #     _on_setup             at once, unless an edited text is still to be checked
    #     _on_edited            when the map was not edited for a moment

    def why_not(self) -> str:
        """Return why nothing can be rolled now, in words; "" if something can."""
        checker = self._checker
        if self._rolling.variations.is_offering:
            return ""
        if checker.fresh and has_errors(checker.result.problems):
            return self._mistake_text(checker.result.problems)
        return self._rolling.next_roll.why_not()

    def _mistake_text(self, problems: Sequence[Problem]) -> str:
        """Return a sentence on the mistake of the script, the first error among ``problems``."""
        first_error = next(problem for problem in problems if has_errors([problem]))
        line_words = ""
        if first_error.line is not None:
            line_words = f" (line {first_error.line})"
        if not self.panel.maps.model.candidates:
            return f"The script has a mistake{line_words}: mend it to see its maps"
        return f"The script has a mistake{line_words}: these are the maps of the text before"

    def setup(self) -> RollSetup:
        """Return the setup of the maps: that of the variations, or else of the script."""
        variations = self._rolling.variations.offer()
        if variations is not None:
            return variations.setup
        return self._rolling.setup()

    def _destination(self) -> LayerDestination:
        """Return the place in the current map of a map that is taken."""
        variations = self._rolling.variations.offer()
        if variations is not None:
            return variations.destination
        return self._rolling.next_roll.destination()

    def base(self) -> Base:
        """Return the base of the next roll: the map below the rolled layer, with its locks."""
        base = self._destination().base(self._desk.document.battlemap)
        return self.setup().base_with_binding_locks(base)

    def roll_on_map(self) -> Roll | None:
        """Return the roll that the next one would replace; None if it is the first."""
        destination = self._destination()
        if not isinstance(destination, InPlaceOf):
            return None
        return self._desk.document.battlemap.layer(destination.layer_id).roll

    def _on_inputs_changed(self) -> None:
        """Let the panel roll its maps again, if it does not show the ones of the present inputs."""
        self.panel.changed()

    def _on_setup(self) -> None:
        """Show the changes of the script or its settings.

        An edited text that is not checked yet is left out: ``checked`` follows for it.
        """
        if self._checker.fresh or not self._rolling.setup().text:
            self.panel.changed()

    def _on_edited(self, _region: object = None) -> None:
        """Let the panel look for changes when the map was not edited for a moment."""
        self.panel.changed(EDIT_PAUSE_MS)

    def _remember_pins(self, pins: tuple[Roll, ...]) -> None:
        """Remember the pinned maps for the next session."""
        self._desk.settings.gallery_pins = pins_text(pins)

    def _remember_width(self, width: int) -> None:
        """Remember the width of pictures, in logical pixels, for the next session."""
        self._desk.settings.gallery_width = width

    # --- what is done with a map ------------------------------------------------------------

    def _take_candidate(self, candidate: Candidate) -> None:
        """Make a candidate the rolled layer, as one undo step, and show the map."""
        self._desk.docks.views.show_map()
        # Colours that a panel has laid over the map would hide it.
        heat = self._desk.heat
        heat.drop(heat.owner)
        # A pinned map may have been rolled with another text or other settings than the current
        # ones: its roll has stored them. If they are the same, the current setup is used: it has
        # what no roll stores, such as whether the map follows the text.
        setup = setup_of_roll(candidate.roll)
        current_setup = self.setup()
        is_of_current_setup = (
            candidate.roll.script_name == current_setup.script_name
            and setup.text == current_setup.text
            and setup.texts == current_setup.texts
            and setup.settings == current_setup.settings
        )
        if is_of_current_setup:
            setup = current_setup
        self._rolling.roll_chosen(candidate.key, setup, self._destination())

    async def _open_candidate(self, candidate: Candidate) -> None:
        """Open a candidate as a map of its own."""
        maps = await self._roll_maps([candidate])
        self._desk.document.open_map(maps[0])

    def _copy_recipe(self, candidate: Candidate) -> None:
        """Copy the recipe of a candidate: the text that tells how it was rolled."""
        self._desk.recipes.copy(candidate.roll, self.base())

    async def _compare_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Compare one candidate with the current map, or two; each can be taken from there."""
        maps = await self._roll_maps(candidates)
        names = _distinct_names(candidates)
        if len(candidates) == 1:
            take = partial(self._take_candidate, candidates[0])
            self._desk.compare.show(maps[0], names[0], take_theirs=take)
            return
        ours = ComparedCandidate(maps[0], names[0], partial(self._take_candidate, candidates[0]))
        theirs = ComparedCandidate(maps[1], names[1], partial(self._take_candidate, candidates[1]))
        self._desk.compare.show_two(ours, theirs)

    def _extend_menu(self, menu: QMenu) -> None:
        """Let other features add to the menu of the chosen candidates, if all could be rolled.

        They get the coroutine ``call_with_maps``, which rolls the maps and calls a function with
        them.
        """
        chosen = self.panel.maps.view.chosen()
        if any(candidate.problems for candidate in chosen):
            return
        names = _numbered([candidate.name for candidate in chosen])

        async def call_with_maps(use: Callable[[dict[str, BattleMap]], object]) -> None:
            maps = await self._roll_maps(chosen)
            use(dict(zip(names, maps, strict=True)))

        self._desk.gallery_menu_made.emit(menu, call_with_maps)

    async def _roll_maps(self, candidates: Sequence[Candidate]) -> Sequence[BattleMap]:
        """Return for each candidate the current map as it would be with its roll.

        They are rolled by a job. Raises Stopped if one cannot be rolled, which the user is told.
        """
        keeps_locks = self.setup().behaviour.keeps_all_locks
        target = _Target(self._destination(), self.base(), keeps_locks)
        snapshots = [self._desk.document.battlemap.snapshot() for _ in candidates]
        work = partial(_roll_all, target, candidates, snapshots)
        try:
            maps: Sequence[BattleMap] = await result(Job(work))
        except ProblemError as reason:
            self._desk.say(f"Not rolled: {reason.problems[0].message}")
            raise Stopped from reason
        return maps


def _roll_all(
    target: _Target,
    candidates: Sequence[Candidate],
    snapshots: Sequence[BattleMap],
    progress: Progress,
    cancelled: Callable[[], bool],
) -> list[BattleMap]:
    """Return the map of each candidate; [] after a cancellation. Runs on a job's thread.

    ``snapshots`` has a copy of the current map for each candidate, which may be changed.
    """
    maps = []
    for candidate, battlemap in zip(candidates, snapshots, strict=True):
        generated = _roll(target, candidate, progress, cancelled)
        if generated is None:
            return []
        maps.append(_map_with_roll(target.destination, battlemap, generated))
    return maps


def _roll(
    target: _Target, candidate: Candidate, progress: Progress, cancelled: Callable[[], bool]
) -> Generated | None:
    """Return the roll of a candidate, None if it was cancelled. Raises ProblemError."""
    setup = setup_of_roll(candidate.roll)
    generator = setup.make_generator()
    base = target.base
    if rolls_many(generator) and not target.keeps_locks:
        # For such a script locks only decide which numbers are shown, and this number is chosen
        # already. A map that was pinned may break the locks that were set since.
        base = base.unlocked()
    return run(generator, setup.settings, candidate.key, base, progress, cancelled)


def _map_with_roll(
    destination: LayerDestination, battlemap: BattleMap, generated: Generated
) -> BattleMap:
    """Put a roll into a map and return it; if the roll does not fit, return a new map of it."""
    if destination.fits(battlemap, generated):
        destination.step(battlemap, generated).edit.apply(battlemap)
        return battlemap
    return new_map(
        battlemap.system, battlemap.grid, battlemap.terrain_set, generated, battlemap.assets
    )


def _distinct_names(candidates: Sequence[Candidate]) -> list[str]:
    """Return names that tell candidates apart: their numbers, if script and seed are the same."""
    scripts_and_seeds = set()
    for candidate in candidates:
        scripts_and_seeds.add((candidate.roll.script_name, candidate.roll.seed))
    if len(candidates) > 1 and len(scripts_and_seeds) == 1:
        return _numbered([f"no. {candidate.roll.number}" for candidate in candidates])
    return _numbered([candidate.name for candidate in candidates])


def _numbered(names: Sequence[str]) -> list[str]:
    """Return the names, the second of a name as "no. 5 (2)", and so on.

    A pinned map rolled with other settings has the name of one that is not pinned.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    distinct_names = []
    for name in names:
        counts[name] += 1
        if counts[name] == 1:
            distinct_names.append(name)
        else:
            distinct_names.append(f"{name} ({counts[name]})")
    return distinct_names


def make(desk: Desk) -> GalleryPanel:
    """Return the panel, wired to the desk."""
    return GalleryController(desk).panel
