"""The tool in use: where it points, and the stroke that it is drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect
from randomizer.model.edits.edit import Region
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Hit
from randomizer.model.planes.planes import Place

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import Pointer, Preview, Tool
    from randomizer.geometry.symmetry import Symmetry


class ActiveTool(QObject):
    """Applies the chosen tool to the document where mouse or keyboard point.

    ``chosen`` is the tool that the user chose, ``tool`` the one in use: during a stroke that may be
    the eyedropper. ``pointer`` is None while nothing is pointed at. ``panning``: a drag moves the
    view at the moment. ``preview_outdated()``: ``preview()`` or the keyboard cursor has changed.
    ``large_click(str, object, object)``: a click that changes very many cells, with the name of its
    undo step: the first function gives its edit and is to be called on another thread, the second
    says why there is none.
    ``reported(str)``: what a stroke did, where the map alone does not show it.
    ``hovered(object)``: another ``Hit`` is pointed at, or None; for an ``exact`` tool each point.
    """

    preview_outdated = Signal()
    hovered = Signal(object)
    large_click = Signal(str, object, object)
    reported = Signal(str)

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.chosen: Tool | None = None
        self.pointer: Pointer | None = None
        self.panning = False
        self._stroke_tool: Tool | None = None
        self._stroke_places: set[tuple[int, ...]] = set()
        self._off_map = False
        self._rests = False
        self._repeat_timer = QTimer(self)
        connect(self._repeat_timer.timeout, self.repeat)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._on_replaced)

    # --- the tool ---------------------------------------------------------------------------

    @property
    def tool(self) -> Tool | None:
        """The tool of the stroke under way, else the chosen one."""
        return self._stroke_tool or self.chosen

    @property
    def pans(self) -> bool:
        """True if a drag with the chosen tool moves the view."""
        return self.chosen is not None and self.chosen.pans

    def choose(self, tool: Tool) -> None:
        """Use another tool from now on; a stroke under way ends."""
        self.end_stroke()
        tool.map_changed()  # it heard of no change while another one was chosen
        self.chosen = tool
        self._rests = False

    def _on_changed(self, region: Region) -> None:
        if self.tool is not None:
            self.tool.map_changed()
        if region.reshaped:
            self.point_at(None)
        if self._stroke_tool is None:
            self._rests = True  # undo, a roll: what has come is to be seen

    def _on_replaced(self) -> None:
        self.point_at(None)
        if self.chosen is not None:
            self.chosen.map_changed()

    # --- where it points --------------------------------------------------------------------

    @property
    def hit(self) -> Hit | None:
        """The place that is pointed at."""
        return None if self.pointer is None else self.pointer.hit

    def point_at(self, pointer: Pointer | None) -> None:
        """Mouse or keyboard point here now."""
        last_pointer = self.pointer
        self.pointer = pointer
        exact = self.tool is not None and self.tool.exact
        if exact:
            moved = last_pointer != pointer
        else:
            moved = _place(last_pointer) != _place(pointer)
        if self._rests:
            self._rests = self._target(last_pointer) == self._target(pointer)
        if moved or self._stroke_tool is not None:
            self.preview_outdated.emit()
        if moved:
            self.hovered.emit(self.hit)

    def _target(self, pointer: Pointer | None) -> tuple[int, ...]:
        """Return the cell pointed at, and its side or corner if the tool changes these; () for
        none.
        """
        if pointer is None:
            return ()
        needs = None if self.tool is None else self.tool.needs
        if needs is None:
            spec = None
        else:
            spec = self._document.battlemap.system.with_role(needs)
        if spec is not None and spec.place is Place.SIDE:
            return (pointer.cell, pointer.side)
        if spec is not None and spec.place is Place.CORNER:
            return (pointer.cell, pointer.corner)
        return (pointer.cell,)

    def preview(self) -> tuple[Preview | None, Symmetry | None]:
        """Return what a click here would do, and the symmetry that it uses; None for none.

        None too after a click, and after any other change of the map, until another cell (side,
        corner) is pointed at, whatever keys are held: the map itself is to be seen then.
        """
        tool = self.tool
        pointer = self.pointer
        grid = self._document.battlemap.grid
        if tool is None or self.panning or tool.pans or self._rests:
            return None, None
        if tool.why_not(self._document.battlemap.system):
            return None, None
        if pointer is None:
            return tool.preview_at_rest(self._document), None
        preview = tool.preview(self._document, pointer)
        refusal = tool.why_layer_refuses(self._document)
        if refusal:
            preview = replace(
                preview,
                terrains=None,
                left_out=preview.cells,
                corners=preview.corners[:0],
                left_out_corners=preview.corners,
                note=refusal,
            )
        return preview, tool.options.symmetry(grid) if "symmetry" in tool.uses else None

    def wake(self) -> None:
        """Show again what a click here would do."""
        self._rests = False
        self.preview_outdated.emit()

    # --- its stroke -------------------------------------------------------------------------

    @property
    def in_stroke(self) -> bool:
        """True if a stroke of this tool is under way."""
        return self._stroke_tool is not None and self._document.in_stroke

    def begin_stroke(self, pointer: Pointer, *, held: bool = False, comes_in: bool = False) -> bool:
        """Begin a stroke here; False if the tool cannot do anything, and the user is told why, or
        if all that it does is a ``large_click``.

        ``held``: a mouse button is held, so that the tool repeats while the mouse rests.
        ``comes_in``: it was pressed off the map.
        """
        tool = self.chosen
        document = self._document
        if tool is None:
            return False
        if pointer.ctrl and tool.picks:
            from app.tools import EyedropperTool

            tool = EyedropperTool(tool.options)
        why_not = tool.why_not(document.battlemap.system) or tool.why_not_here(document)
        if why_not:
            document.refuse(why_not)
            return False
        layout = document.battlemap.grid.layout
        if comes_in:
            work = None
        else:
            work = tool.large_work(document, pointer)
        if work is not None:
            why_nothing = partial(tool.why_nothing, document)
            self.large_click.emit(cell_text(tool.step_text(), layout), work, why_nothing)
            return False
        self._stroke_tool = tool
        self._stroke_places = set()
        tool.start(document, pointer)
        document.begin_stroke(cell_text(tool.step_text(), layout))
        self._off_map = False
        if comes_in:
            tool.lift()
        self.touch(pointer)
        if held and tool.repeat_ms:
            self._repeat_timer.start(tool.repeat_ms)
        return True

    def follow(self, pointers: Sequence[Pointer | None]) -> None:
        """Apply the tool along a way, None where it is outside the map."""
        tool = self._stroke_tool
        assert tool is not None
        last_on_map = self.pointer
        for number, pointer in enumerate(pointers, 1):
            if pointer is None:
                if not self._off_map and last_on_map is not None:
                    self._document.stroke(tool.leave(self._document, last_on_map))
                self._off_map = True
                continue
            last_on_map = pointer
            ends = number == len(pointers) or pointers[number] is None
            if self._off_map:
                tool.lift()
            if ends or self._off_map or not tool.sweeps:
                self.touch(pointer)
            self._off_map = False

    def repeat(self) -> None:
        """The mouse rests: apply the tool once more where it is."""
        if self._stroke_tool is None or self._off_map or self.pointer is None:
            return
        if self.in_stroke:
            self._document.stroke(self._stroke_tool.repeat(self._document, self.pointer))

    @property
    def repeats(self) -> bool:
        """True if the tool is applied again and again while the mouse is held and rests."""
        return self._repeat_timer.isActive()

    def stop_repeating(self) -> None:
        """The mouse may be released elsewhere: the stroke goes on only where it moves."""
        self._repeat_timer.stop()

    def touch(self, pointer: Pointer) -> None:
        """Apply the tool here as part of the stroke, unless it has touched this place before."""
        tool = self._stroke_tool
        document = self._document
        assert tool is not None
        touch_key = tool.touch_key(document.battlemap, pointer)
        if touch_key not in self._stroke_places:
            self._stroke_places.add(touch_key)
            document.stroke(tool.edit(document, pointer))
            if self._repeat_timer.isActive():
                self._repeat_timer.start()

    def cancel_stroke(self) -> bool:
        """Take back the stroke under way; False if there is none."""
        if self._stroke_tool is None:
            return False
        self._forget_stroke()
        self._document.cancel_stroke()
        self.preview_outdated.emit()
        return True

    def end_stroke(self) -> None:
        """Make one undo step of the stroke under way, if there is one."""
        tool = self._stroke_tool
        document = self._document
        if tool is None:
            return
        try:
            if document.in_stroke:
                self._finish(tool)
        finally:
            self._forget_stroke()
            self._rests = not tool.stays
            self.preview_outdated.emit()

    def _finish(self, tool: Tool) -> None:
        """Make one undo step of the stroke; if that gives none, say why."""
        document = self._document
        if self.pointer is not None:
            for edit in tool.finish(document, self.pointer):
                document.stroke(edit)
        if document.end_stroke():
            text = tool.result_text(document)
            if text:
                self.reported.emit(text)
        elif tool.paints:
            why = self._why_nothing(tool)
            if why:
                document.refuse(why)

    def _why_nothing(self, tool: Tool) -> str:
        """Return why a stroke changed nothing, as text; "" if that needs no words."""
        if self.pointer is None:
            return ""
        preview = tool.preview(self._document, self.pointer)
        if len(preview.left_out) or preview.left_out_sides or len(preview.left_out_corners):
            return f"{preview.note}."
        if self._outside_selection():
            return (
                "Only what is selected is painted. Ctrl+Shift+A selects nothing, "
                "then everything can be painted."
            )
        return tool.why_nothing(self._document)

    def _outside_selection(self) -> bool:
        selection = self._document.selection
        if self.pointer is None or not len(selection):
            return False
        return not selection.contains(np.array([self.pointer.cell]))[0]

    def _forget_stroke(self) -> None:
        if self._stroke_tool is not None:
            self._stroke_tool.forget()
        self._stroke_tool = None
        self._repeat_timer.stop()


def _place(pointer: Pointer | None) -> tuple[object, ...]:
    """Return what a preview depends on; the exact point matters only during a stroke."""
    if pointer is None:
        return ()
    return (
        pointer.cell,
        pointer.side,
        pointer.hit.near_edge,
        pointer.corner,
        pointer.shift,
        pointer.ctrl,
    )
