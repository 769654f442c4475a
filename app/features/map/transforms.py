"""Turn, flip, resize and shift the whole map, cut its cells, make it symmetric.

Each is one undo step.
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
from randomizer.geometry.finer import FACTORS, finer_map
from randomizer.geometry.symmetrize import SymmetricMap, make_symmetric
from randomizer.geometry.symmetry import NONE, best_centre, kinds
from randomizer.geometry.transform import Transformed, resize_map, shift_map, turn_map
from randomizer.geometry.turn import Turn, left_right, rotation, top_bottom
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting
from randomizer.storage.records.encoding import encode_edit

SYMMETRIC = "Make symmetric"

DIRECTIONS = tuple(
    (degrees, name)
    for degrees, name in zip(
        range(0, 360, 45),
        (
            "north",
            "north-east",
            "east",
            "south-east",
            "south",
            "south-west",
            "west",
            "north-west",
        ),
        strict=True,
    )
)
"""Directions in degrees clockwise from the top of the map."""


class Transforms(QObject):
    """Changes the shape of the current map; large maps off the UI thread."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def turn(self, steps: int) -> None:
        """Turn the map clockwise by so many sides."""
        self._turn(
            lambda layout: rotation(layout, steps), "Turn right" if steps > 0 else "Turn left"
        )

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the map."""
        if upside_down:
            self._turn(top_bottom, "Flip vertically")
        else:
            self._turn(left_right, "Flip horizontally")

    def _turn(self, turn: Callable[[Layout], Turn], text: str) -> None:
        battlemap = self._desk.document.battlemap
        self._run(partial(turn_map, battlemap, turn(battlemap.grid.layout)), text)

    def why_not_resize(self) -> str:
        """Return why the map keeps its size, "" if it can have another."""
        fixed = self._desk.document.battlemap.system.fixed_grid
        return "The board of these maps has one size." if fixed else ""

    def resize(self) -> None:
        """Ask for a size, then resize the map."""
        from app.features.map.transform_dialogs import ResizeDialog

        battlemap = self._desk.document.battlemap
        dialog = ResizeDialog(battlemap.system, battlemap.grid, self._desk.frame)
        connect(
            dialog.accepted,
            lambda: self._run(partial(resize_map, battlemap, *dialog.read_size()), "Resize"),
        )
        dialog.open()

    def shift(self) -> None:
        """Ask how far, then shift the map."""
        from app.features.map.transform_dialogs import ShiftDialog

        battlemap = self._desk.document.battlemap
        dialog = ShiftDialog(battlemap.grid, self._desk.frame)
        connect(
            dialog.accepted,
            lambda: self._run(partial(shift_map, battlemap, *dialog.read_shift()), "Shift"),
        )
        dialog.open()

    def finer(self) -> None:
        """Ask into how many cells each is cut, then cut them."""
        battlemap = self._desk.document.battlemap
        grid = battlemap.grid
        choices = tuple(
            (factor, f"{factor} times: {grid.width * factor} x {grid.height * factor}")
            for factor in FACTORS
        )
        setting = Setting(
            "factor", int, "", default=FACTORS[0], choices=choices, title="Columns and rows"
        )
        text = cell_text("Finer {cells}", grid.layout)
        meaning = "Each {cell} is cut into smaller ones. Rolls become ordinary layers."
        FormDialog(
            text,
            cell_text(meaning, grid.layout),
            [setting],
            {},
            lambda values: self._run(
                partial(finer_map, battlemap, int(str(values["factor"]))), text
            ),
            self._desk.frame,
        ).open()

    def why_not_symmetric(self) -> str:
        """Return why the map is not made symmetric, "" if it can be."""
        battlemap = self._desk.document.battlemap
        if battlemap.system.has_starts:
            return f"{with_article(battlemap.system.title, 'A')} has starts, which are not copied."
        if len(kinds(battlemap.grid)) > 1:
            return ""
        return "Such a grid has no symmetry."

    def symmetric(self) -> None:
        """Ask for a symmetry, then copy one sector of the map to the others."""
        battlemap = self._desk.document.battlemap
        offered = tuple(kind for kind in kinds(battlemap.grid) if kind[0] != NONE)
        settings = (
            Setting("kind", str, "", default=offered[0][0], choices=offered, title="Symmetry"),
            Setting(
                "direction", int, "", default=0, choices=DIRECTIONS, title="Copy the part in the"
            ),
        )

        FormDialog(
            SYMMETRIC,
            "One part of the map is copied to the others, with what stands there.",
            settings,
            {},
            lambda values: run(self._make_symmetric(battlemap, values)),
            self._desk.frame,
        ).open()

    async def _make_symmetric(self, battlemap: BattleMap, values: dict[str, object]) -> None:
        """Copy the sector that was chosen in the dialog to the others."""

        def work() -> SymmetricMap:
            symmetry = best_centre(battlemap.grid, str(values["kind"]))
            result = make_symmetric(battlemap, symmetry, float(str(values["direction"])))
            if result.edit is not None:
                encode_edit(result.edit)
            return result

        result = await self._work.result(SYMMETRIC, work)
        if self._desk.document.push(result.edit, SYMMETRIC):
            message = "The map is symmetric now."
        else:
            message = "The map is symmetric already."
        if result.locked:
            message += f" Locked, and as before: {', '.join(result.locked)}."
        self._desk.say(message)

    def _run(self, work: Callable[[], Transformed], text: str) -> None:
        run(self._transform(work, text))

    async def _transform(self, work: Callable[[], Transformed], text: str) -> None:
        """Change the map, after a question if anything would be lost."""
        document = self._desk.document
        done = await self._work.result(text, partial(_encoded, work))
        words = cell_words(document.battlemap.grid.layout)
        lost = counted(done.lost, words.cell, words.cells)
        if done.lost:
            choice = choose(
                self._desk.frame,
                text,
                f"{text} takes what stands on {lost} off the board.",
                "Undo brings it back.",
                (text,),
            )
            index = await document.while_unchanged(text, choice)
            if index is None:
                return
        if not document.push(done.edit, text):
            return
        grid = document.battlemap.grid
        columns = counted(grid.width, "column")
        rows = counted(grid.height, "row")
        message = f"{text}: the map has {columns} and {rows} now"
        self._desk.say(f"{message}; what stood on {lost} was lost." if done.lost else f"{message}.")


def _encoded(work: Callable[[], Transformed]) -> Transformed:
    """Return what ``work`` gives, when its planes have been deflated for the journal."""
    done = work()
    encode_edit(done.edit)
    return done
