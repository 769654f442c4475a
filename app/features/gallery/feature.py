"""The gallery on the desk: the panel, wired to the script, the map and its undo steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.background.actions import Stopped, result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.features.gallery.panel import WIDTH, GalleryPanel
from app.features.gallery.pins import pins_text, read_pins
from app.qt_guard import connect
from app.scripts.script import setup_of_roll
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError, has_errors
from randomizer.model.rolls.put_roll import new_map

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.panel import GalleryPanel
    from app.rolling.destination import Destination
    from app.rolling.roll_setup import RollSetup
    from randomizer.generator import Progress
    from randomizer.roll_base import Base


EDIT_MS = 150
"""How long after an edit of the map the gallery checks whether its maps change."""


class GalleryController(QObject):
    """Connects the panel to rolling, scripts and document; its ``GallerySource`` and child."""

    def __init__(self, desk: Desk) -> None:
        settings = desk.settings
        self.panel = GalleryPanel(
            self,
            desk.renderer,
            read_pins(settings.gallery_pins),
            settings.gallery_width or WIDTH,
            desk.rolling.state.seed,
        )
        super().__init__(self.panel)
        self._desk = desk
        self._rolling = desk.rolling
        self._checker = desk.scripts.checker
        panel = self.panel
        document = desk.document
        commands = panel.maps.commands
        connect(commands.taken, self._take)
        connect(commands.opened, self._open)
        connect(commands.compared, self._compare)
        connect(commands.recipe_wanted, self._copy_recipe)
        connect(commands.menu_made, self._extend_menu)
        connect(panel.maps.pins_changed, self._keep_pins)
        connect(panel.form.slider.valueChanged, self._keep_width)
        self._visibility = DockVisibility(panel)
        connect(self._visibility.changed, panel.watch)
        connect(self._checker.checked, self._show_changes)
        connect(self._rolling.setup_changed, self._on_setup)
        connect(self._rolling.layers_changed, self._on_edited)
        connect(document.changed, self._on_edited)
        connect(desk.theme.changed, self._show_changes)
        connect(desk.overlays_changed, self._show_changes)
        connect(desk.maps_wanted, panel.form.filter.want)
        connect(self._rolling.variations.changed, self._show_changes)
        connect(panel.form.end_variations.clicked, lambda: self._rolling.variations.end())

    # --- what the gallery shows -------------------------------------------------------------

    def why_not(self) -> str:
        """Return why nothing can be rolled now, in words; "" if something can."""
        checker = self._checker
        if self._rolling.variations.current() is not None:
            return ""
        if checker.fresh and has_errors(checker.result.problems):
            line = next(
                problem.line for problem in checker.result.problems if has_errors([problem])
            )
            line_words = "" if line is None else f" (line {line})"
            if not self.panel.maps.model.candidates:
                return f"The script has a mistake{line_words}: mend it to see its maps"
            return f"The script has a mistake{line_words}: these are the maps of the text before"
        return self._rolling.why_not()

    def setup(self) -> RollSetup:
        """Return what a roll would roll."""
        variations = self._rolling.variations.current()
        if variations is None:
            return self._rolling.setup()
        return variations[0]

    def _destination(self) -> Destination:
        """Return where the map that is taken goes."""
        variations = self._rolling.variations.current()
        if variations is None:
            return self._rolling.next_destination()
        return variations[1]

    def base(self) -> Base:
        """Return what the next roll would start from."""
        base = self._destination().base(self._desk.document.battlemap)
        return self.setup().locked_base(base)

    def shown(self) -> Roll | None:
        """Return the roll that the next one would replace; None if it is the first."""
        layer_id = self._destination().replaced
        if layer_id is None:
            return None
        return self._desk.document.battlemap.layer(layer_id).roll

    def _show_changes(self) -> None:
        self.panel.changed()

    def _on_setup(self) -> None:
        """An edited text counts when it has been checked, everything else at once."""
        if self._checker.fresh or not self._rolling.setup().text:
            self.panel.changed()

    def _on_edited(self, _region: object = None) -> None:
        self.panel.changed(EDIT_MS)

    def _keep_pins(self, pins: tuple[Roll, ...]) -> None:
        self._desk.settings.gallery_pins = pins_text(pins)

    def _keep_width(self, width: int) -> None:
        self._desk.settings.gallery_width = width

    # --- what is done with a map ------------------------------------------------------------

    def _take(self, candidate: Candidate) -> None:
        """Show a map as the rolled layer, in front of the gallery: one undo step."""
        self._desk.docks.views.show_map()
        self._desk.heat.drop(self._desk.heat.owner)  # one wants to see the map that was chosen
        roll_setup = setup_of_roll(candidate.roll)
        now = self.setup()
        if (roll_setup.text, roll_setup.texts, roll_setup.settings) == (
            now.text,
            now.texts,
            now.settings,
        ) and (candidate.roll.script_name == now.script_name):
            self._rolling.take(candidate.key, now, self._destination())
        else:  # a pinned map of another text
            self._rolling.take(candidate.key, roll_setup, self._destination())

    async def _open(self, candidate: Candidate) -> None:
        maps = await self._make([candidate])
        self._desk.document.open_map(maps[0])

    def _copy_recipe(self, candidate: Candidate) -> None:
        self._desk.recipes.copy(candidate.roll, self.base())

    async def _compare(self, candidates: Sequence[Candidate]) -> None:
        """Compare a map with the map on the desk, or two maps; each can be taken from there."""
        maps = await self._make(candidates)
        names = _telling_names(candidates)
        takes = [partial(self._take, candidate) for candidate in candidates]
        if len(maps) == 1:
            self._desk.compare.show(maps[0], names[0], take_theirs=takes[0])
            return
        self._desk.compare.show(
            maps[1], names[1], (maps[0], names[0]), take_ours=takes[0], take_theirs=takes[1]
        )

    def _extend_menu(self, menu: QMenu) -> None:
        picked = self.panel.maps.view.chosen()
        names = [candidate.name for candidate in picked]

        async def make(use: Callable[[dict[str, BattleMap]], object]) -> None:
            maps = await self._make(picked)
            use(dict(zip(names, maps, strict=True)))

        if not any(candidate.problems for candidate in picked):
            self._desk.gallery_menu_made.emit(menu, make)

    async def _make(self, candidates: Sequence[Candidate]) -> Sequence[BattleMap]:
        """Return the map on the desk as it would be with each of these rolls.

        Raises Stopped if one cannot be rolled, which is told.
        """
        destination = self._destination()
        base = self.base()
        all_keep_locks = bool(self.setup().maps)
        snapshots = [self._desk.document.battlemap.snapshot() for _ in candidates]

        def work(progress: Progress, cancelled: Callable[[], bool]) -> list[BattleMap]:
            maps = []
            for candidate, battlemap in zip(candidates, snapshots, strict=True):
                setup = setup_of_roll(candidate.roll)
                generator = setup.generator()
                rolled_base = base
                if rolls_many(generator) and not all_keep_locks:
                    # Locks only choose among the numbers of such a script, and this one is chosen;
                    # a map that was pinned before may not keep the locks of now.
                    rolled_base = base.unlocked()
                generated = run(
                    generator, setup.settings, candidate.key, rolled_base, progress, cancelled
                )
                if generated is None:  # cancelled: nobody waits for the maps
                    return []
                if destination.fits(battlemap, generated):
                    destination.step(battlemap, generated).edit.apply(battlemap)
                    maps.append(battlemap)
                else:
                    system = battlemap.system
                    grid = battlemap.grid
                    terrain_set = battlemap.terrain_set
                    maps.append(new_map(system, grid, terrain_set, generated, battlemap.assets))
            return maps

        try:
            maps: Sequence[BattleMap] = await result(Job(work))
        except ProblemError as reason:
            self._desk.say(f"Not rolled: {reason.problems[0].message}")
            raise Stopped from reason
        return maps


def _telling_names(candidates: Sequence[Candidate]) -> list[str]:
    """Return the names of candidates: of one script and seed their numbers tell them apart."""
    setups = {(candidate.roll.script_name, candidate.roll.seed) for candidate in candidates}
    if len(candidates) > 1 and len(setups) == 1:
        return [f"no. {candidate.roll.number}" for candidate in candidates]
    return [candidate.name for candidate in candidates]


def make(desk: Desk) -> GalleryPanel:
    """Return the panel, wired to the desk."""
    return GalleryController(desk).panel
