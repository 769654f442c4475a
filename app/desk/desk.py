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

from collections.abc import Iterable
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
from app.desk.drawing import Drawing
from app.desk.escape import EscapeKey
from app.desk.feature import Feature
from app.desk.questions import Questions
from app.desk.sprite_store import SpriteStore
from app.desk.status_messages import StatusMessages
from app.desk.theme import DeskTheme, wanted_theme
from app.qt_guard import connect
from app.render.overlay_choices import OverlayChoices
from app.render.renderer import Renderer
from app.settings import Settings
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
    from app.render.scene.cell_overlays import BatchesOfCells
    from app.rolling.rolling import Rolling
    from app.scripts.roll_recipes import RollRecipes
    from app.scripts.script_drafts import ScriptDrafts
    from app.scripts.scripts import Scripts


class Desk(QObject):
    """The services of one window, which each feature gets.

    It makes these objects, and knows nothing that is theirs to know: ``document``, ``canvas``,
    ``commands``, ``docks``, ``drawing``, ``tools``, ``rolling``, ``scripts`` and others. Messages
    to the user go through ``say``.
    """

    ready = Signal()
    """All features are made."""

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

    # Services of features for other features. Each is set while its feature is made, and missing
    # before: one feature uses another only after ``ready``, or when the user does something.

    files: Files
    """Set by ``features/files/feature.py``."""

    compare: Compare
    """Set by ``features/compare/feature.py``."""

    terrain_sets: TerrainSets
    """Set by ``features/terrains/feature.py``."""

    games: Games
    """Set by ``features/game/feature.py``."""

    script_strips: QVBoxLayout
    """The column below the text of a script, for strips about that script.

    Set by ``features/script/feature.py``.
    """

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
        """The folder where every committed step is stored; None for a window that stores nothing,
        as in tests."""
        self.autosave: Autosave | None = None
        """Stores the steps; None before ``start_autosave``, and in a window without journals."""
        self.script_drafts: ScriptDrafts | None = None
        """Stores texts of scripts that are being edited, from the first use of ``scripts`` on.

        None before that, and in a window without journals.
        """
        self.backups = backups
        """The former contents of files that were saved over, None for a window without."""
        self.questions = Questions()
        """The questions of features before something is closed or written, or after it was read."""
        self._messages = StatusMessages(frame, document, self)
        """What the status bar says."""

        self.renderer = Renderer(wanted_theme(settings, frame.palette()))
        self.renderer.choices = OverlayChoices(settings)
        self.drawing = Drawing(document, self.renderer, self)
        """Chooses the overlays and the pictures of terrains, and adds those of packages."""
        connect(self.drawing.overlays_changed, self.overlays_changed)
        connect(self.drawing.overlays_chosen, self._on_overlays_chosen)
        self.canvas = MapCanvas(document, self.renderer)
        self.canvas.wheel.mouse = settings.wheel
        self.canvas.wheel.touchpad = settings.touchpad
        connect(self.canvas.active_tool.reported, self.say_until_next_step)
        sprite_path = self.data_path("sprites")
        self.sprite_store = SpriteStore(self.canvas, document, sprite_path, self)
        self.map_frame = MapFrame(self.canvas)
        connect(self.overlays_changed, self.map_frame.show_rulers)
        self.theme = DeskTheme(frame, settings, self.canvas)
        connect(self.drawing.pictures_changed, self.theme.refresh)
        self.docks = Docks(frame, self.canvas, self.map_frame, features, self.make_feature)
        # A child of the canvas, which owns it.
        EscapeKey(self, document, self.canvas, self.docks, self._messages)

    def _commit_typed_value(self) -> None:
        """Put what is being typed into a field into the map that is left."""
        from app.widgets.forms.field_input import commit_typed_value

        commit_typed_value()

    def data_path(self, name: str) -> Path | None:
        """Return the path of a file or folder of the program's data, None if nothing is stored.

        It lies beside the folder of the journals; the names are in ``folders.py``.
        """
        if self.journals is None:
            return None
        return self.journals.parent / name

    # --- features ---------------------------------------------------------------------------

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

    # What packages call: ``docs/extending.md`` promises these names.

    def add_overlay(self, name: str, title: str, tip: str, batches: BatchesOfCells) -> None:
        """Add texts and icons on cells, and the command that shows them (``Drawing``)."""
        self.commands.add([self.drawing.add_overlay(name, title, tip, batches)])

    def add_pictures(self, folder: Traversable) -> None:
        """Draw terrains by the pictures in a folder, where there are none of ours (``Drawing``)."""
        self.drawing.add_pictures(folder)

    # --- made when they are first used ------------------------------------------------------

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
        """The keys of the commands. As soon as this is made, they are those that the user chose."""
        from app.commands.shortcuts import Shortcuts

        return Shortcuts(self.commands, self.settings)

    def make_shortcuts(self) -> None:
        """Give commands the keys that the user chose: those made so far, and all later ones."""
        # They are not made before the menus, but a dialog may ask for them without this call.
        _made_now = self.shortcuts

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
        self.drawing.follow_tool(self.tools.tools[name])
        self.canvas.update()

    def _on_overlays_chosen(self) -> None:
        """Draw the map with other overlays, and tick the commands that show them."""
        from app.commands.commands import Change

        self.canvas.update()
        self.commands.refresh(Change.DESK)

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
        from app.desk.roll_messages import RollMessages, ask_size
        from app.rolling.rolling import Rolling

        rolling = Rolling(self.document, self, ask_size=partial(ask_size, self.frame))
        RollMessages(rolling, self.document, self._messages)  # a child of ``rolling``
        return rolling

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

    # --- messages and problems --------------------------------------------------------------

    def say(self, text: str, *, lasting: bool = False) -> None:
        """Show a message in the status bar: for a while, or until the next one."""
        self._messages.say(text, lasting=lasting)

    def say_until_next_step(self, text: str) -> None:
        """Show a message that goes when the map is changed: what was undone, for instance."""
        self._messages.say_until_next_step(text)

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
