"""The desk: the services of a window that its features use.

Each feature gets the ``Desk`` of its window and nothing else::

    def make(desk: Desk) -> QWidget:
        desk.commands.add([Command("map.shift", "&Shift...", ...)])
        return ShiftPanel(desk.document, desk.settings)

Services that the first picture does not need are made when they are first used
(``cached_property``). ``Files``, ``TerrainSets``, ``Compare`` and ``Games`` are the services of
features for other features: their feature sets the attribute of the desk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow, QVBoxLayout

from app.canvas.canvas import MapCanvas
from app.canvas.rulers import MapFrame
from app.desk.docks import Docks
from app.desk.feature import Feature
from app.desk.map_overlays import MapOverlays
from app.desk.status_messages import StatusMessages
from app.desk.theme import DeskTheme, wanted_theme
from app.qt_guard import connect, later
from app.render.overlay_choices import OverlayChoices
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.forms.field_input import commit_typed_value
from randomizer.formats import ReadResult
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.disk.backups import Backup, Backups

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.commands.commands import Commands
    from app.commands.shortcuts import Shortcuts
    from app.desk.problem_sources import ProblemSources
    from app.desk.toolbox import Toolbox
    from app.document.autosave import Autosave
    from app.document.document import MapDocument
    from app.document.open_map import GameSource, OpenMap
    from app.render.pictures.terrain_pictures import Pictures
    from app.render.scene.cell_overlays import BatchesOfCells
    from app.rolling.rolling import Rolling
    from app.rolling.size_question import SizeAnswer
    from app.scripts.roll_recipes import RollRecipes
    from app.scripts.script_drafts import ScriptDrafts
    from app.scripts.scripts import Scripts

FORGET_MS = 500
"""The milliseconds from the close of a map until its drawings are freed.

By then another map is drawn; at once would delay that.
"""


class Files(Protocol):
    """The services of the feature of files for other features."""

    def open_path(self, path: Path, *, roll: bool = False) -> None:
        """Open a map, or a script in its panel, by what the file is."""

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open files one after the other, in this order."""

    def open_copy(self, path: Path) -> None:
        """Open what a file holds as a map that has no file."""

    def open_backup(self, path: Path, backup: Backup) -> None:
        """Open a backup of the file ``path`` as a map that has no file."""

    def open_game_map(self, result: ReadResult, source: GameSource, where: str) -> None:
        """Show a map that was read from a game."""


class TerrainSets(Protocol):
    """The services of the feature of terrain sets for other features."""

    async def open_or_raise(self, path: Path) -> None:
        """Use the terrain set of a file. Raises ProblemError."""


class ComparedCandidate(NamedTuple):
    """A map that is not open, such as a candidate of the gallery, to be compared with another."""

    battlemap: BattleMap

    name: str
    """Its name above the map."""

    take: Callable[[], object]
    """Makes it the rolled layer of the current map; the button *Take* above it calls this."""


class Compare(Protocol):
    """The services of the feature that compares maps for other features."""

    def show(
        self,
        theirs: OpenMap | BattleMap,
        name: str,
        *,
        take_theirs: Callable[[], object] | None = None,
    ) -> object:
        """Compare the current map with ``theirs``, which is called ``name``.

        A button *Take* above their map calls ``take_theirs``; without it there is no such button.
        """

    def show_two(self, ours: ComparedCandidate, theirs: ComparedCandidate) -> object:
        """Compare two maps that are not open."""


class Games(Protocol):
    """The services of the feature of games for other features."""

    def scripts(self) -> list[Path]:
        """Return the scripts that were found in the game's directory."""

    def group_title(self) -> str:
        """Return what the whole of a group is called in the game of the current map."""


class Desk(QObject):
    """The services of one window, which each feature gets.

    In groups: messages to the user (``say`` ...), questions that features add (``ask_before_...``,
    ``ask_after_reading``), overlays and pictures (``show_...``), and the objects that do the rest,
    each made when it is first asked for: ``document``, ``canvas``, ``commands``, ``docks``,
    ``tools``, ``rolling``, ``scripts`` and others.
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
        super().__init__(frame)
        self._closing_questions: list[Callable[[], Awaitable[bool]]] = []
        """The functions of ``ask_before_closing``."""
        self._writing_questions: list[Callable[[Path, OpenMap], Awaitable[bool]]] = []
        """The functions of ``ask_before_writing``."""
        self._completions: list[Callable[[Path, ReadResult], Awaitable[ReadResult]]] = []
        """The functions of ``ask_after_reading``."""
        self.frame = frame
        """The window, as the parent of dialogs."""
        self.document = document
        connect(document.map_leaving, commit_typed_value)
        self._messages = StatusMessages(frame, document, self)
        """What the status bar says."""
        self.settings = settings
        self.journals = journals
        """The folder where every committed step is stored, None for a window that stores none."""
        self.autosave: Autosave | None = None
        """None before ``start_autosave``, and in a window without journals."""
        self.script_drafts: ScriptDrafts | None = None
        """None before ``scripts`` is first used, and in a window without journals."""
        self.backups = backups
        """The former contents of files that were saved over, None for a window without."""
        self.renderer = Renderer(wanted_theme(settings, frame.palette()))
        self.renderer.choices = OverlayChoices(settings)
        # Before the canvas is connected, which then draws what changed with these overlays.
        self._map_overlays = MapOverlays(document, self.renderer, self)
        """Decides which overlays are drawn."""
        connect(self._map_overlays.changed, self.overlays_changed)
        self.canvas = MapCanvas(document, self.renderer)
        if journals is not None:
            self.renderer.sprite_sets.file = journals.parent / "sprites"
            connect(self.canvas.painted, lambda: later(self, self._store_sprites))
        self._map_count = len(document.maps)
        """The number of open maps when it changed last."""
        connect(document.maps_changed, self._forget_closed)
        self.canvas.wheel.mouse = settings.wheel
        self.canvas.wheel.touchpad = settings.touchpad
        self.map_frame = MapFrame(self.canvas)
        connect(self.overlays_changed, self.map_frame.show_rulers)
        self.theme = DeskTheme(frame, settings, self.canvas)
        self.docks = Docks(frame, self.canvas, self.map_frame, features, self.make_feature)
        connect(self.canvas.input.escaped, self._on_escape)
        connect(self.canvas.active_tool.reported, self.say_until_next_step)

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

    def _forget_closed(self) -> None:
        """Free the drawings of closed maps, once another map is drawn."""
        old_count = self._map_count
        self._map_count = len(self.document.maps)
        if self._map_count < old_count:
            later(self, self.renderer.sprite_sets.forget_former, FORGET_MS)

    def _store_sprites(self) -> None:
        """Store the sprites of the first picture: the next start need not draw them."""
        file = self.renderer.sprite_sets.file
        if file is None:
            return
        data = self.renderer.sprite_sets.pack()
        if data is None:
            return

        from app.background.jobs import Job
        from randomizer.storage.disk.atomic import write_atomically

        def store(_progress: object, _cancelled: object) -> None:
            # A cache that cannot be written is no fault: the next start draws its sprites.
            with suppress(OSError, ProblemError):
                file.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(file, data)

        Job(store).start()

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
        self.docks.watch(feature.dock.name)

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

        add_folder(folder)
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

    # --- files ------------------------------------------------------------------------------

    def ask_before_writing(self, may_write: Callable[[Path, OpenMap], Awaitable[bool]]) -> None:
        """Await ``may_write`` before a map is written to a file that the user has just named.

        False leaves it unwritten.
        """
        self._writing_questions.append(may_write)

    async def may_write(self, path: Path, open_map: OpenMap) -> bool:
        """Return whether an open map may be written there; the user is asked."""
        for may_write in self._writing_questions:
            if not await may_write(path, open_map):
                return False
        return True

    def ask_after_reading(
        self, complete: Callable[[Path, ReadResult], Awaitable[ReadResult]]
    ) -> None:
        """Await ``complete`` with what was read of a file; it may return something better.

        It raises Stopped if the user does not want the file any more.
        """
        self._completions.append(complete)

    async def ask_about_result(self, path: Path, result: ReadResult) -> ReadResult:
        """Return what was read of a file, completed by the answers of the user, who may be asked.

        Raises Stopped if the user does not want the file any more.
        """
        for complete in self._completions:
            result = await complete(path, result)
        return result

    # --- the window's life ------------------------------------------------------------------

    def start_autosave(self) -> None:
        """Store every committed step in the journals from now on."""
        if self.journals is not None:
            from app.document.autosave import Autosave

            self.autosave = Autosave(self.document, self.journals, self)
            connect(self.autosave.reported, partial(self.say, lasting=True))

    def ask_before_closing(self, may_close: Callable[[], Awaitable[bool]]) -> None:
        """Await ``may_close`` before the window closes; False keeps it open."""
        self._closing_questions.append(may_close)

    async def may_close(self) -> bool:
        """Return whether the window may close; the user is asked about unsaved work."""
        for may_close in self._closing_questions:
            if not await may_close():
                return False
        return True
