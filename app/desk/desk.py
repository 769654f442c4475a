"""The desk: the services of a window that its features use.

Each feature gets the ``Desk`` of its window and nothing else::

    def make(desk: Desk) -> QWidget:
        desk.commands.add([Command("map.shift", "&Shift...", ...)])
        return ShiftPanel(desk.document, desk.settings)

Services that the first picture does not need are made when they are first used
(``cached_property``). Some are services of features for other features (services.py): their feature
sets the attribute of the desk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from importlib import import_module
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow, QVBoxLayout

from app.canvas.canvas import MapCanvas
from app.canvas.rulers import MapFrame
from app.desk.docks import Docks
from app.desk.feature import Feature
from app.desk.map_overlays import MapOverlays
from app.desk.questions import Questions
from app.desk.sprite_store import SpriteStore
from app.desk.status_messages import StatusMessages
from app.desk.theme import DeskTheme, wanted_theme
from app.qt_guard import connect
from app.render.overlay_choices import OverlayChoices
from app.render.renderer import Renderer
from app.settings import Settings
from randomizer.model.edits.edit import Region
from randomizer.model.problems import Problem
from randomizer.storage.disk.backups import Backups

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.commands.commands import Commands
    from app.commands.shortcuts import Shortcuts
    from app.desk.problem_sources import ProblemSources
    from app.desk.services import Compare, Files, Games, TerrainSets
    from app.desk.toolbox import Toolbox
    from app.document.autosave import Autosave
    from app.document.document import MapDocument
    from app.render.pictures.terrain_pictures import Pictures
    from app.render.scene.cell_overlays import BatchesOfCells
    from app.rolling.rolling import Rolling
    from app.rolling.size_question import SizeAnswer
    from app.scripts.roll_recipes import RollRecipes
    from app.scripts.script_drafts import ScriptDrafts
    from app.scripts.scripts import Scripts


class Desk(QObject):
    """The services of one window, which each feature gets.

    In groups: messages to the user (``say`` ...), overlays and pictures (``show_...``), and the
    objects that do the rest, each made when it is first asked for: ``document``, ``canvas``,
    ``commands``, ``docks``, ``tools``, ``rolling``, ``scripts`` and others.
    """

    ready = Signal()
    """All features are made, and with them the attributes that they set (``files`` and so on).

    Before that these are missing: one feature uses another only after ``ready``, or when the user
    does something.
    """

    cell_menu_made = Signal(object, int)
    """The context menu of a cell opens (QMenu, cell): features may add to it."""

    gallery_menu_made = Signal(object, object)
    """The menu of picked rolls opens (QMenu, make): features may add to it.

    ``make(use)`` calls ``use`` with the maps of the rolls by name.
    """

    overlays_changed = Signal()
    """Other overlays are drawn from now on."""

    maps_wanted = Signal(str)
    """The gallery shall search for maps that pass this filter; its panel is made before."""

    files: Files
    """Set by the feature of files."""

    compare: Compare
    """Set by the feature that compares maps."""

    terrain_sets: TerrainSets
    """Set by the feature of terrain sets."""

    games: Games
    """Set by the feature of games."""

    script_strips: QVBoxLayout
    """The column below the text of a script, for strips about that script; set by its panel."""

    def __init__(
        self,
        frame: QMainWindow,
        document: MapDocument,
        settings: Settings,
        features: Iterable[Feature],
        journals: Path | None = None,
        backups: Backups | None = None,
    ) -> None:
        """Make what the first picture needs, in an order that matters.

        The overlays decide before the canvas how it draws; the docks stand around the canvas, and
        come last. ``journals`` is the folder where every committed step is stored, None for a
        window that stores none; ``backups`` gets the former contents of files that are saved over.
        """
        super().__init__(frame)
        self.frame = frame
        """The window, as the parent of dialogs."""
        self.document = document
        connect(document.map_leaving, self._commit_typed_value)
        self.settings = settings
        self.journals = journals
        """The folder where every committed step is stored, None for a window that stores none."""
        self.autosave: Autosave | None = None
        """None before ``start_autosave``, and in a window without journals."""
        self.script_drafts: ScriptDrafts | None = None
        """None before ``scripts`` is first used, and in a window without journals."""
        self.backups = backups
        """The former contents of files that were saved over, None for a window without."""
        self.questions = Questions()
        """The questions of features before something is closed or written, or after it was read."""
        self._messages = StatusMessages(frame, document, self)
        """What the status bar says."""

        self.renderer = Renderer(wanted_theme(settings, frame.palette()))
        self.renderer.choices = OverlayChoices(settings)
        self._map_overlays = MapOverlays(document, self.renderer, self)
        """Decides which overlays are drawn: it hears of each change before the canvas."""
        connect(self._map_overlays.changed, self.overlays_changed)
        self.canvas = MapCanvas(document, self.renderer)
        self.canvas.wheel.mouse = settings.wheel
        self.canvas.wheel.touchpad = settings.touchpad
        connect(self.canvas.input.escaped, self._on_escape)
        connect(self.canvas.active_tool.reported, self.say_until_next_step)
        sprite_file = None
        if journals is not None:
            sprite_file = journals.parent / "sprites"
        self.sprite_store = SpriteStore(self.canvas, document, sprite_file, self)
        self.map_frame = MapFrame(self.canvas)
        connect(self.overlays_changed, self.map_frame.show_rulers)
        self.theme = DeskTheme(frame, settings, self.canvas)
        self.docks = Docks(frame, self.canvas, self.map_frame, features, self.make_feature)

    def _on_escape(self) -> None:
        """End one thing after Escape on the map, where no stroke was under way.

        It is the first of these that there is: picked things or a stamp, the selection, the running
        roll, the colours of a view on the map. ("Escape" in the manual, comfort.md)
        """
        self._messages.drop_passing()
        if self.tools.put_down():
            return
        if len(self.document.selection):
            self.document.select(())
            return
        if self.rolling.busy:
            self.rolling.cancel()
            self.say("The roll is cancelled; the map stays as it was.")
            return
        if self.renderer.heat_map is None:
            return
        # When the view that they come from closes, the colours go.
        view = self.docks.views.find_view(self.heat.owner)
        if view is not None and view.is_open:
            self.docks.views.close_view(view)

    def _commit_typed_value(self) -> None:
        """Put what is being typed into a field into the map that is left."""
        from app.widgets.forms.field_input import commit_typed_value

        commit_typed_value()

    def make_feature(self, feature: Feature) -> Any:
        """Make a feature; return its panel (a QWidget), or None if the feature has no dock."""
        return import_module(feature.module).make(self)

    def add_feature(self, feature: Feature) -> None:
        """Make a feature of an installed package, which is not in the list of our features."""
        if feature.dock is None:
            self.make_feature(feature)
            return
        from app.desk.dock_commands import dock_commands

        self.docks.add(feature)
        self.commands.add(dock_commands(self.docks, [feature.dock.name]))
        if not feature.when_shown:
            self.docks.panel(feature.dock.name)
        self.docks.start_loading_of(feature.dock.name)

    def show_overlay(self, name: str, shown: bool = True) -> None:
        """Show or hide an overlay, on all maps of the current one's kind."""
        overlays = self.renderer.overlays.having(name, shown)
        if overlays != self.renderer.overlays:
            self._map_overlays.choose(overlays)
            self._update_overlays()

    def show_contour_lines(self, step: int) -> None:
        """Show contour lines on all maps of the current one's kind.

        ``step`` is the height between two of them, 0 for none.
        """
        self._map_overlays.choose_contour_lines(step)
        self._update_overlays()

    def _update_overlays(self) -> None:
        """Draw the map with other overlays, and tick the commands that show them."""
        from app.commands.commands import Change

        self.canvas.update()
        self.commands.refresh(Change.DESK)

    def add_overlay(self, name: str, title: str, tip: str, batches: BatchesOfCells) -> None:
        """Add texts and icons on cells (``CELL_OVERLAYS``), and the row that shows them."""
        from app.commands.commands import Change, Command
        from app.render.scene.cell_overlays import CELL_OVERLAYS, CellOverlay

        CELL_OVERLAYS.append(CellOverlay(name, title, batches))
        renderer = self.renderer
        row = Command(
            f"view.package.{name}",
            title,
            lambda: self.show_overlay(name, not renderer.overlays.shows(name)),
            tip,
            checked=lambda: renderer.overlays.shows(name),
            follows=Change.MAP | Change.DESK,
        )
        self.commands.add([row])

    def add_pictures(self, folder: Traversable) -> None:
        """Draw terrains by the pictures ``NAME.svg`` in a folder, where there are none of ours."""
        from app.render.pictures.terrain_pictures import add_folder

        add_folder(folder, self.renderer.pictures)
        self.show_pictures(self.renderer.pictures)

    def show_pictures(self, pictures: Pictures) -> None:
        """Draw the desk with other pictures of terrains."""
        self.renderer.set_theme(self.renderer.theme, pictures)
        self.theme.refresh()

    @cached_property
    def map_column(self) -> QVBoxLayout:
        """The column of the map and the views: tabs go above them, the line of problems below."""
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.docks.views, 1)
        return column

    @cached_property
    def problems(self) -> ProblemSources:
        """The sources of the problems that are shown below the map."""
        from app.desk.problem_sources import ProblemSources

        return ProblemSources(self)

    @cached_property
    def commands(self) -> Commands:
        """The table of commands."""
        from app.commands.commands import Commands

        return Commands(self.frame, self.document, self.theme.add_icon)

    @cached_property
    def shortcuts(self) -> Shortcuts:
        """The keys of the commands, from the first access on those that the user chose."""
        from app.commands.shortcuts import Shortcuts

        return Shortcuts(self.commands, self.settings)

    def make_shortcuts(self) -> None:
        """Give commands the keys that the user chose: those made so far, and all later ones."""
        _shortcuts = self.shortcuts  # the first access makes them

    @cached_property
    def tools(self) -> Toolbox:
        """The tools and their options."""
        from app.desk.toolbox import Toolbox

        tools = Toolbox(self.canvas, self.commands)
        connect(tools.chosen, self._on_tool_chosen)
        return tools

    def _on_tool_chosen(self, name: str) -> None:
        """Drop messages about the former tool, and show contours if the new one needs them."""
        self._messages.drop_passing()
        self._map_overlays.set_tool_shapes_land(self.tools.tools[name].shows_contours)
        self.canvas.update()

    @cached_property
    def heat(self) -> HeatOwner:
        """Knows which view has coloured the map, by a number for each cell (its *heat*)."""
        from app.canvas.heat_owner import HeatOwner

        owner = HeatOwner(self.canvas)
        self.map_frame.add_line(owner.line)
        return owner

    @cached_property
    def rolling(self) -> Rolling:
        """The controller that rolls maps, with the request that it would roll."""
        from app.rolling.rolling import Rolling

        rolling = Rolling(self.document, self, ask_size=self._ask_size)
        connect(rolling.message, self.say)
        connect(rolling.setup_changed, self._drop_failure_message)
        connect(self.document.changed, self._drop_failure_of_locks)
        return rolling

    async def _ask_size(self, text: str, answers: Sequence[SizeAnswer]) -> SizeAnswer | None:
        """Ask which map gets a roll of another size; None if the user cancels."""
        from app.rolling.size_question import SizeAnswer
        from app.widgets.dialogs.choice import choose

        if SizeAnswer.CHANGE_MAP in answers:
            details = "Undo brings the map back as it is now."
        else:
            details = "They stay on this map, in its tab; the new map has the roll alone."
        texts = [answer.value for answer in answers]
        index = await choose(self.frame, "Another size or shape", text, details, texts)
        if index is None:
            return None
        return answers[index]

    @cached_property
    def recipes(self) -> RollRecipes:
        """The controller that copies rolls as text, and rolls them from it."""
        from app.scripts.roll_recipes import RollRecipes

        recipes = RollRecipes(self.document, self.rolling, self.settings, self.frame)
        connect(recipes.message, self.say)
        return recipes

    @cached_property
    def scripts(self) -> Scripts:
        """The scripts of the open maps, whether or not their panel is shown."""
        from app.scripts.scripts import Scripts

        scripts = Scripts(self.document, self.rolling, self.settings, self.frame)
        connect(scripts.message, self.say)
        if self.journals is not None:
            from app.scripts.script_drafts import ScriptDrafts
            from randomizer.storage.journal.drafts import DRAFTS

            self.script_drafts = ScriptDrafts(scripts, self.journals / DRAFTS, self)
            connect(self.script_drafts.reported, partial(self.say, lasting=True))
        return scripts

    def say(self, text: str, *, lasting: bool = False) -> None:
        """Show a message in the status bar: for a while, or until the next one."""
        self._messages.say(text, lasting=lasting)

    def say_until_next_step(self, text: str) -> None:
        """Show a message that goes when the map is changed: what was undone, for instance."""
        self._messages.say_until_next_step(text)

    def _drop_failure_message(self) -> None:
        """Take away why a roll failed, where it is still shown: what it tells of has changed."""
        self._messages.drop(self.rolling.failure_message)

    def _drop_failure_of_locks(self, region: Region) -> None:
        """Take away why a roll failed if locks or layers have changed: the next one may succeed."""
        if region.locks or region.structure:
            self._drop_failure_message()

    def show_problem(self, problem: Problem) -> None:
        """Bring the map to the front and ring the cell or side of a problem, if it has one."""
        if problem.cell is not None:
            self.docks.views.show_map()
            self.canvas.overlays.show_place(problem.cell, problem.side)

    # --- the window's life ------------------------------------------------------------------

    def start_autosave(self) -> None:
        """Store every committed step in the journals from now on."""
        if self.journals is not None:
            from app.document.autosave import Autosave

            self.autosave = Autosave(self.document, self.journals, self)
            connect(self.autosave.reported, partial(self.say, lasting=True))
