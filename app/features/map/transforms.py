"""Turns, flips, resizes and shifts the whole map, cuts its cells, and makes it symmetric.

``feature.py`` makes a ``Transforms`` for a desk and names its methods in the menu Map. Some ask by
a dialog first; all end in ``_transform`` or ``_make_symmetric``, which compute large maps on
another thread and make one undo step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.qt_guard import connect
from app.widgets.dialogs.choice import choose
from app.widgets.forms.form_dialog import FormDialog
from randomizer.geometry.cell_moves import Transformed
from randomizer.geometry.finer import FACTORS, finer_map
from randomizer.geometry.symmetrize import SymmetricMap, make_symmetric
from randomizer.geometry.symmetry import NONE, best_centre, kinds
from randomizer.geometry.transform import resize_map, shift_map, turn_map
from randomizer.geometry.turn import Turn, left_right, rotation, top_bottom
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting
from randomizer.storage.records.encoding import encode_edit

SYMMETRIC_TEXT = "Make symmetric"
"""The text of the undo step, and the title of the dialog before it."""

DIRECTIONS = (
    (0, "north"),
    (45, "north-east"),
    (90, "east"),
    (135, "south-east"),
    (180, "south"),
    (225, "south-west"),
    (270, "west"),
    (315, "north-west"),
)
"""Directions in degrees clockwise from the top of the map, with their names."""


class Transforms(QObject):
    """Changes the shape of the current map of a desk."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def turn_right(self) -> None:
        """Turn the map clockwise by one side of a cell."""
        self._turn(lambda layout: rotation(layout, 1), "Turn right")

    def turn_left(self) -> None:
        """Turn the map counterclockwise by one side of a cell."""
        self._turn(lambda layout: rotation(layout, -1), "Turn left")

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the map left and right, or top and bottom."""
        if upside_down:
            self._turn(top_bottom, "Flip vertically")
        else:
            self._turn(left_right, "Flip horizontally")

    def _turn(self, turn_of_layout: Callable[[Layout], Turn], text: str) -> None:
        """Turn or mirror the map by what a function returns for the layout of its grid."""
        battlemap = self._desk.document.battlemap
        turn = turn_of_layout(battlemap.grid.layout)
        self._begin(partial(turn_map, battlemap, turn), text)

    # --- size -------------------------------------------------------------------------------

    def why_not_resize(self) -> str:
        """Return why the map keeps its size, "" if it can have another."""
        if self._desk.document.battlemap.system.fixed_grid:
            return "The board of these maps has one size."
        return ""

    def resize(self) -> None:
        """Ask for a size, then resize the map."""
        from app.features.map.transform_dialogs import ResizeDialog

        battlemap = self._desk.document.battlemap
        dialog = ResizeDialog(battlemap.system, battlemap.grid, self._desk.frame)

        def resize_to_answer() -> None:
            size = dialog.read_size()
            work = partial(resize_map, battlemap, size.columns, size.rows, size.position)
            self._begin(work, "Resize")

        connect(dialog.accepted, resize_to_answer)
        dialog.open()

    def shift(self) -> None:
        """Ask how far, then shift the map."""
        from app.features.map.transform_dialogs import ShiftDialog

        battlemap = self._desk.document.battlemap
        dialog = ShiftDialog(battlemap.grid, self._desk.frame)

        def shift_by_answer() -> None:
            self._begin(partial(shift_map, battlemap, *dialog.read_shift()), "Shift")

        connect(dialog.accepted, shift_by_answer)
        dialog.open()

    def ask_for_finer_cells(self) -> None:
        """Ask how many times more columns and rows the map gets, then cut its cells."""
        battlemap = self._desk.document.battlemap
        grid = battlemap.grid
        choices = []
        for factor in FACTORS:
            size_text = f"{grid.width * factor} x {grid.height * factor}"
            choices.append((factor, f"{factor} times: {size_text}"))
        setting = Setting(
            "factor",
            int,
            help="",
            default=FACTORS[0],
            choices=tuple(choices),
            title="Columns and rows",
        )
        title = cell_text("Finer {cells}", grid.layout)
        explanation = "Each {cell} is cut into smaller ones. Rolls become ordinary layers."

        def cut_cells(values: dict[str, object]) -> None:
            factor = values["factor"]
            assert isinstance(factor, int), "its setting is of this kind"
            self._begin(partial(finer_map, battlemap, factor), title)

        text = cell_text(explanation, grid.layout)
        FormDialog(title, text, [setting], {}, cut_cells, self._desk.frame).open()

    # --- symmetry ---------------------------------------------------------------------------

    def why_not_symmetric(self) -> str:
        """Return why the map cannot be made symmetric, "" if it can."""
        battlemap = self._desk.document.battlemap
        if battlemap.system.has_starts:
            return f"{with_article(battlemap.system.title, 'A')} has starts, which are not copied."
        if not self._kinds_of_symmetry():
            return "Such a grid has no symmetry."
        return ""

    def _kinds_of_symmetry(self) -> tuple[tuple[str, str], ...]:
        """Return the kinds of symmetry of the current grid, as choices: each with its title."""
        all_kinds = kinds(self._desk.document.battlemap.grid)
        return tuple((kind, title) for kind, title in all_kinds if kind != NONE)

    def ask_for_symmetry(self) -> None:
        """Ask for a symmetry, then copy one sector of the map to the others."""
        battlemap = self._desk.document.battlemap
        choices = self._kinds_of_symmetry()
        first_kind, _title = choices[0]
        settings = (
            Setting("kind", str, help="", default=first_kind, choices=choices, title="Symmetry"),
            Setting(
                "direction",
                int,
                help="",
                default=0,
                choices=DIRECTIONS,
                title="Copy the part in the",
            ),
        )
        text = "One part of the map is copied to the others, with what stands there."

        def copy_sector(values: dict[str, object]) -> None:
            run(self._make_symmetric(battlemap, values))

        FormDialog(SYMMETRIC_TEXT, text, settings, {}, copy_sector, self._desk.frame).open()

    async def _make_symmetric(self, battlemap: BattleMap, values: dict[str, object]) -> None:
        """Copy the sector that was chosen in the dialog to the others, as one undo step."""

        def work() -> SymmetricMap:
            direction = values["direction"]
            assert isinstance(direction, int), "its setting is of this kind"
            symmetry = best_centre(battlemap.grid, str(values["kind"]))
            result = make_symmetric(battlemap, symmetry, float(direction))
            if result.edit is not None:
                _prepare_for_journal(result.edit)
            return result

        result = await self._work.result(SYMMETRIC_TEXT, work)
        if self._desk.document.push(result.edit, SYMMETRIC_TEXT):
            message = "The map is symmetric now."
        else:
            message = "The map is symmetric already."
        if result.locked:
            message += f" Locked, and as before: {', '.join(result.locked)}."
        self._desk.say(message)

    # --- making the undo step ---------------------------------------------------------------

    def _begin(self, work: Callable[[], Transformed], text: str) -> None:
        """Begin ``_transform``, from a method that cannot wait for its end."""
        run(self._transform(work, text))

    async def _transform(self, work: Callable[[], Transformed], text: str) -> None:
        """Change the map by the edit that ``work`` returns, as an undo step named ``text``.

        The user is asked before if cells go that something stands on.
        """
        document = self._desk.document
        transformed = await self._work.result(text, partial(_ready_for_journal, work))
        words = cell_words(document.battlemap.grid.layout)
        lost_cells = counted(transformed.lost, words.cell, words.cells)
        if transformed.lost and not await self._confirm_loss(text, lost_cells):
            return
        if not document.push(transformed.edit, text):
            return

        grid = document.battlemap.grid
        columns = counted(grid.width, "column")
        rows = counted(grid.height, "row")
        message = f"{text}: the map has {columns} and {rows} now"
        if transformed.lost:
            message += f"; what stood on {lost_cells} was lost"
        self._desk.say(f"{message}.")

    async def _confirm_loss(self, text: str, lost_cells: str) -> bool:
        """Ask whether to lose what stands on cells; return False for no.

        ``lost_cells`` tells how many cells, such as "12 hexes". The answer is no, too, if the map
        was changed meanwhile: the edit does not fit it any more.
        """
        choice = choose(
            self._desk.frame,
            text,
            f"{text} takes what stands on {lost_cells} off the board.",
            "Undo brings it back.",
            (text,),
        )
        index = await self._desk.document.while_unchanged(text, choice)
        return index is not None


def _ready_for_journal(work: Callable[[], Transformed]) -> Transformed:
    """Return what ``work`` returns, its edit being prepared for the journal."""
    transformed = work()
    _prepare_for_journal(transformed.edit)
    return transformed


def _prepare_for_journal(edit: Edit) -> None:
    """Deflate the planes of an edit, which keep the result for the journal.

    That takes long for a large map: here it is done on the thread of the work.
    """
    encode_edit(edit)
