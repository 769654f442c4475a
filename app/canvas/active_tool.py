"""The tool in use: where it points, what a click there would do, and the stroke that it draws.

``CanvasInput`` (mouse) and ``KeyboardCursor`` (keys) call it; ``CanvasOverlays`` paints its
``preview()``. A *stroke* is all that a tool does from the press of a button to its release; it
becomes one undo step. The calls of one stroke::

    active_tool.point_at(pointer)            # the mouse moves over the map
    active_tool.begin_stroke(pointer)        # the button is pressed: the tool is applied here
    active_tool.follow([pointer, pointer])   # the mouse is dragged: the tool is applied on the way
    active_tool.end_stroke()                 # the button is released: one undo step

Of these it makes calls of the tool, which returns edits that are applied at once::

    tool.start(document, pointer)    the stroke begins
    tool.start_at_edge(document, pointer)   or it begins where a drag from outside comes in
    tool.edit(document, pointer)     the tool is applied here
    tool.leave(document, pointer)    the drag leaves the map, last seen at ``pointer``
    tool.resume_at_edge()            the drag is on the map again: draw no line from where it left
    tool.finish(document, pointer)   further edits at the end
    tool.stroke_made(document, ...)  the stroke is an undo step, if it has changed anything
    tool.forget()                    the stroke is over, also if it was taken back
    tool.map_changed()               what the tool remembers of the map is out of date
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.canvas.stroke_results import result_of_stroke, why_stroke_changed_nothing
from app.qt_guard import connect
from randomizer.model.edits.edit import Region
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Hit
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import Pointer, Preview, Tool
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.edits.edit import Edit


@dataclass
class _Stroke:
    """The state of a stroke, from ``begin_stroke`` to its end."""

    tool: Tool
    """The tool that draws it: the chosen one, or the eyedropper if it began with Ctrl."""

    touched_keys: set[tuple[int, ...]] = field(default_factory=set)
    """The keys (``Tool.touch_key``) of what it has touched: each is touched once."""

    is_off_map: bool = False
    """True while its drag is outside the map, from where it can come back."""


class LargeClick(NamedTuple):
    """A click that changes so many cells that its edit has to be computed on another thread."""

    step_text: str
    """The name of the undo step."""

    work: Callable[[], Edit | None]
    """Returns the edit; None for no change."""

    why_nothing: Callable[[], str]
    """Returns why there is no change, as text; "" if nothing is to be said of it."""


class ShownPreview(NamedTuple):
    """What the canvas shows of a click that has not been made."""

    preview: Preview | None
    """What the click would do; None for nothing to show."""

    symmetry: Symmetry | None
    """The symmetry that it would use; None for none."""


NOTHING_SHOWN = ShownPreview(None, None)
"""What the canvas shows while the preview is hidden."""


class ActiveTool(QObject):
    """Applies the chosen tool to the document where mouse or keyboard point."""

    preview_outdated = Signal()
    """``preview()`` or the keyboard cursor has changed and has to be drawn again."""

    hovered = Signal(object)
    """Another ``Hit`` is pointed at, None for none; or another point (``needs_exact_point``)."""

    large_clicked = Signal(object)
    """A ``LargeClick`` was made, in place of a stroke."""

    reported = Signal(str)
    """What a stroke did, as text, where the map alone does not show it."""

    why_no_paint_changed = Signal(str)
    """``why_no_paint`` has this value now."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.chosen: Tool | None = None
        """The tool that the user chose."""

        self.pointer: Pointer | None = None
        """Where mouse or keyboard point; None while they point at nothing on the map.

        Set by ``point_at`` and ``begin_stroke``.
        """

        self._is_panning = False
        """True while a drag moves the view, during which no preview is shown."""

        self.why_no_paint = ""
        """The reason why no tool paints now, "" if they do; see ``refuse_paint``."""

        self._stroke: _Stroke | None = None
        """The stroke under way; None between two strokes."""

        self._preview_is_hidden = False
        """True after a click or another change of the map, so that the map itself is seen.

        It becomes False when another cell (side, corner) is pointed at, see ``point_at``.
        """

        self._repeat_timer = QTimer(self)
        """Applies the tool again and again while the mouse is held still (``Tool.repeat_ms``)."""

        connect(self._repeat_timer.timeout, self.repeat)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._on_replaced)

    # --- the tool ---------------------------------------------------------------------------

    @property
    def tool(self) -> Tool | None:
        """The tool of the stroke under way, else the chosen one."""
        if self._stroke is not None:
            return self._stroke.tool
        return self.chosen

    @property
    def pans(self) -> bool:
        """True if a drag with the chosen tool moves the view."""
        return self.chosen is not None and self.chosen.pans

    @property
    def panning(self) -> bool:
        """True while a drag moves the view."""
        return self._is_panning

    def begin_pan(self) -> None:
        """Show no preview from now on: a drag moves the view."""
        self._is_panning = True

    def end_pan(self) -> None:
        """Show previews again: the drag that moved the view has ended."""
        self._is_panning = False

    def choose(self, tool: Tool) -> None:
        """Use another tool from now on; a stroke under way ends."""
        self.end_stroke()
        tool.map_changed()  # it heard of no change while another one was chosen
        self.chosen = tool
        self._preview_is_hidden = False

    def _on_changed(self, region: Region) -> None:
        """Tell the tool that the map has changed, and hide the preview."""
        if self.tool is not None:
            self.tool.map_changed()
        if region.reshaped:
            self.point_at(None)
        if self._stroke is None:
            self._preview_is_hidden = True  # the result of an undo or a roll is to be seen

    def _on_replaced(self) -> None:
        """Point at nothing on another map."""
        self.point_at(None)
        if self.chosen is not None:
            self.chosen.map_changed()

    # --- where it points --------------------------------------------------------------------

    @property
    def hit(self) -> Hit | None:
        """The cell, side and corner that are pointed at; None for none."""
        if self.pointer is None:
            return None
        return self.pointer.hit

    def point_at(self, pointer: Pointer | None) -> None:
        """Point here from now on, by mouse or keyboard, or at nothing (None).

        Tell it by ``hovered`` and ``preview_outdated`` if that makes a difference.
        """
        last_pointer = self.pointer
        self.pointer = pointer
        needs_exact_point = self.tool is not None and self.tool.needs_exact_point
        if needs_exact_point:
            has_moved = last_pointer != pointer
        else:
            has_moved = _preview_key(last_pointer) != _preview_key(pointer)
        if self._preview_is_hidden and self._target(last_pointer) != self._target(pointer):
            self._preview_is_hidden = False
        if has_moved or self._stroke is not None:
            self.preview_outdated.emit()
        if has_moved:
            self.hovered.emit(self.hit)

    def _target(self, pointer: Pointer | None) -> tuple[int, ...]:
        """Return what a click would change: the cell, and its side or corner if the tool sets one.

        () if nothing is pointed at.
        """
        if pointer is None:
            return ()
        spec = None
        if self.tool is not None and self.tool.needs is not None:
            spec = self._document.battlemap.system.plane_with_role(self.tool.needs)
        if spec is not None and spec.element is Element.SIDE:
            return (pointer.cell, pointer.side)
        if spec is not None and spec.element is Element.CORNER:
            return (pointer.cell, pointer.corner)
        return (pointer.cell,)

    def preview(self) -> ShownPreview:
        """Return what a click here would do, and the symmetry that it uses.

        There is nothing to show while the preview is hidden (``_preview_is_hidden``), while a drag
        moves the view, and if the tool can do nothing on this map.
        """
        tool = self.tool
        if tool is None or self._is_panning or tool.pans or self._preview_is_hidden:
            return NOTHING_SHOWN
        document = self._document
        if tool.why_not(document.battlemap.system):
            return NOTHING_SHOWN
        if self.pointer is None:
            return ShownPreview(tool.preview_at_rest(document), None)

        preview = tool.preview(document, self.pointer)
        refusal = self._why_no_paint_of(tool) or tool.why_layer_refuses(document)
        if refusal:
            preview = _all_left_out(preview, refusal)
        symmetry = None
        if "symmetry" in tool.uses:
            symmetry = tool.options.symmetry(document.battlemap.grid)
        return ShownPreview(preview, symmetry)

    def refuse_paint(self, reason: str) -> None:
        """Let no tool paint, for a reason that the user is told; "" lets them paint again.

        So a table whose dice are being entered is not painted on.
        """
        if reason != self.why_no_paint:
            self.why_no_paint = reason
            self.why_no_paint_changed.emit(reason)

    def show_preview(self) -> None:
        """Show what a click here would do, even if the preview was hidden after a click."""
        self._preview_is_hidden = False
        self.preview_outdated.emit()

    # --- its stroke -------------------------------------------------------------------------

    @property
    def in_stroke(self) -> bool:
        """True if a stroke of this tool is under way.

        False if the document has cancelled it (an undo, or another edit), though the button is
        still held: then ``end_stroke`` only cleans up.
        """
        return self._stroke is not None and self._document.in_stroke

    def begin_stroke(
        self, pointer: Pointer, *, by_mouse: bool = False, enters_map: bool = False
    ) -> bool:
        """Begin a stroke here, and apply the tool for the first time; return whether one began.

        None begins if the tool can do nothing (the user is told why), and none for a
        ``LargeClick``. ``by_mouse`` is True if a mouse button is held, so that the tool repeats
        while the mouse rests. ``enters_map`` is True for a drag that began off the map and comes in
        here.

        The tool points here from now on. No signal tells of that: the caller shows the new preview,
        after the stroke has begun.
        """
        self.pointer = pointer
        tool = self._tool_for_stroke(pointer)
        document = self._document
        if tool is None:
            return False
        refusal = self._why_stroke_is_refused(tool)
        if refusal:
            document.refuse(refusal)
            return False
        if not enters_map and self._emit_large_click(tool, pointer):
            return False

        # The tool looks at the map as it is without the stroke, so it starts first. Lifted after
        # that, it draws nothing from where the button was pressed to here.
        self._stroke = _Stroke(tool)
        if enters_map:
            tool.start_at_edge(document, pointer)
        else:
            tool.start(document, pointer)
        document.begin_stroke(cell_text(tool.step_text(), document.battlemap.grid.layout))
        self.touch(pointer)
        if by_mouse and tool.repeat_ms:
            self._repeat_timer.start(tool.repeat_ms)
        return True

    def _why_stroke_is_refused(self, tool: Tool) -> str:
        """Return why a tool can draw nothing on this map now, as text; "" if it can."""
        document = self._document
        return (
            tool.why_not(document.battlemap.system)
            or self._why_no_paint_of(tool)
            or tool.why_not_here(document)
        )

    def _why_no_paint_of(self, tool: Tool) -> str:
        """Return ``why_no_paint`` for a tool that paints, "" for any other one."""
        if tool.changes_planes:
            return self.why_no_paint
        return ""

    def _tool_for_stroke(self, pointer: Pointer) -> Tool | None:
        """Return the chosen tool, or the eyedropper if Ctrl is held and makes one of it."""
        tool = self.chosen
        if tool is not None and pointer.ctrl_or_alt and tool.is_eyedropper_with_ctrl:
            from app.tools import EyedropperTool

            return EyedropperTool(tool.options)
        return tool

    def _emit_large_click(self, tool: Tool, pointer: Pointer) -> bool:
        """Emit ``large_clicked`` if a click here takes long to compute; return whether it does."""
        document = self._document
        work = tool.large_work(document, pointer)
        if work is None:
            return False
        text = cell_text(tool.step_text(), document.battlemap.grid.layout)
        self.large_clicked.emit(LargeClick(text, work, partial(tool.why_nothing, document)))
        return True

    def follow(self, pointers: Sequence[Pointer | None]) -> None:
        """Go on with the stroke along this piece of a drag; None is a point outside the map.

        A tool that ``finds_way_between`` finds by itself what lies between two points: it is
        applied only where the drag enters the map, leaves it, and ends.
        """
        stroke = self._stroke
        assert stroke is not None
        tool = stroke.tool
        last_on_map = self.pointer
        for index, pointer in enumerate(pointers):
            if pointer is None:
                # Outside the map: what lies up to its edge still belongs to the stroke.
                has_just_left = not stroke.is_off_map
                if has_just_left and last_on_map is not None:
                    self._document.stroke(tool.leave(self._document, last_on_map))
                stroke.is_off_map = True
                continue

            # On the map, perhaps again.
            last_on_map = pointer
            enters = stroke.is_off_map
            stroke.is_off_map = False
            if enters:
                tool.resume_at_edge()
            is_last = index + 1 == len(pointers)
            leaves_or_ends = is_last or pointers[index + 1] is None
            if enters or leaves_or_ends or not tool.finds_way_between:
                self.touch(pointer)

    def repeat(self) -> None:
        """Apply the tool once more where the mouse is held still."""
        stroke = self._stroke
        if stroke is None or stroke.is_off_map or self.pointer is None:
            return
        if self._document.in_stroke:
            self._document.stroke(stroke.tool.repeat(self._document, self.pointer))

    @property
    def repeats(self) -> bool:
        """True if the tool is applied again and again while the mouse is held and rests."""
        return self._repeat_timer.isActive()

    def stop_repeating(self) -> None:
        """Apply the tool only where the mouse moves: its button may be released unnoticed."""
        self._repeat_timer.stop()

    def touch(self, pointer: Pointer) -> None:
        """Apply the tool here as part of the stroke, unless it has touched the same before.

        ``Tool.touch_key`` tells what is the same. The time until the tool repeats starts again.
        """
        stroke = self._stroke
        document = self._document
        assert stroke is not None
        touch_key = stroke.tool.touch_key(document.battlemap, pointer)
        if touch_key in stroke.touched_keys:
            return
        stroke.touched_keys.add(touch_key)
        document.stroke(stroke.tool.edit(document, pointer))
        if self._repeat_timer.isActive():
            self._repeat_timer.start()

    def cancel_stroke(self) -> bool:
        """Take back the stroke under way; False if there is none."""
        if self._stroke is None:
            return False
        self._forget_stroke()
        self._document.cancel_stroke()
        self.preview_outdated.emit()
        return True

    def end_stroke(self) -> None:
        """Make one undo step of the stroke under way, if there is one."""
        stroke = self._stroke
        if stroke is None:
            return
        try:
            # The document may have cancelled it already: an undo or another edit came between.
            if self._document.in_stroke:
                self._finish(stroke.tool)
        finally:
            self._forget_stroke()
            self._preview_is_hidden = not stroke.tool.keeps_preview
            self.preview_outdated.emit()

    def _finish(self, tool: Tool) -> None:
        """Make one undo step of the stroke; if that gives none, say why."""
        document = self._document
        if self.pointer is not None:
            for edit in tool.finish(document, self.pointer):
                document.stroke(edit)
        has_changed = document.end_stroke()
        if self.pointer is not None:
            tool.stroke_made(document, self.pointer)
        if has_changed:
            text = result_of_stroke(document, tool)
            if text:
                self.reported.emit(text)
        elif tool.changes_planes and self.pointer is not None:
            reason = why_stroke_changed_nothing(document, tool, self.pointer)
            if reason:
                document.refuse(reason)

    def _forget_stroke(self) -> None:
        """Drop the state of the stroke, which has ended or was taken back."""
        if self._stroke is not None:
            self._stroke.tool.forget()
        self._stroke = None
        self._repeat_timer.stop()


def _all_left_out(preview: Preview, refusal: str) -> Preview:
    """Return a preview in which all that would change is marked as left out.

    ``refusal`` is the reason that the user reads beside it.
    """
    return replace(
        preview,
        terrains=None,
        left_out=preview.cells,
        corners=preview.corners[:0],
        left_out_corners=preview.corners,
        note=refusal,
    )


def _preview_key(pointer: Pointer | None) -> tuple[object, ...]:
    """Return all that a preview depends on, except the exact point; () for no pointer."""
    if pointer is None:
        return ()
    return (
        pointer.cell,
        pointer.side,
        pointer.hit.near_edge,
        pointer.corner,
        pointer.shift,
        pointer.ctrl_or_alt,
    )
