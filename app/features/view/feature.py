"""The commands of the menu View: zoom, overlays, contour lines, and colours.

An overlay is what can be drawn over the terrain and hidden again, such as grid lines or names;
``OVERLAYS`` lists them all. ``make`` is called once for a desk, by the list of features.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil

from PySide6.QtGui import QKeySequence

from app.commands.commands import Change, Command, slug
from app.desk.desk import Desk
from app.preferences import COLOUR_SET, THEME
from app.qt_guard import connect
from app.render.level_of_detail import PIXELS_AT_100
from app.render.overlay_choices import CONTOUR_STEPS
from app.render.overlay_options import OVERLAYS
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.layouts import FLAT, Shear
from randomizer.model.settings.setting import Setting

ZOOM_IN_FACTOR = 1.25
"""The factor of one step of *Zoom in*; *Zoom out* takes it back exactly."""


def make(desk: Desk) -> None:
    """Add the commands of the menu View, and show things whenever their tool is chosen."""
    desk.commands.add(_zoom_commands(desk))
    desk.commands.add(_overlay_command(desk, name) for name in OVERLAYS)
    desk.commands.add(_contour_command(desk, step) for step in CONTOUR_STEPS)
    desk.commands.add([_lean_command(desk)])
    theme_words = "theme bright night window"
    desk.commands.add(_colour_commands(desk, THEME, desk.theme.set_theme, theme_words))
    set_words = "theme blind terrains"
    desk.commands.add(_colour_commands(desk, COLOUR_SET, desk.theme.set_colour_set, set_words))
    connect(desk.tools.chosen, lambda tool_name: _show_things_of_tool(desk, tool_name))


def _show_things_of_tool(desk: Desk, tool_name: str) -> None:
    """Show things if the tool that was chosen places and picks them."""
    if tool_name == "things":
        desk.drawing.show_overlay("things")


def _zoom_commands(desk: Desk) -> tuple[Command, ...]:
    """Return the commands that show more or less of the map."""
    canvas = desk.canvas
    key = QKeySequence.StandardKey
    return (
        Command(
            "view.fit-map",
            "&Fit map",
            canvas.fit,
            tip="Show the whole map",
            keys="Ctrl+0",
            icon="zoom-fit",
            words="zoom whole all overview",
        ),
        Command(
            "view.zoom-in",
            "Zoom &in",
            partial(canvas.zoom, ZOOM_IN_FACTOR),
            tip="Show less of the map, larger; the wheel does it too",
            keys=key.ZoomIn,
            icon="zoom-in",
            words="larger closer magnify bigger",
        ),
        Command(
            "view.zoom-out",
            "Zoom &out",
            partial(canvas.zoom, 1 / ZOOM_IN_FACTOR),
            tip="Show more of the map, smaller; the wheel does it too",
            keys=key.ZoomOut,
            icon="zoom-out",
            words="smaller farther",
        ),
    )


def _overlay_command(desk: Desk, name: str) -> Command:
    """Return the command that shows and hides an overlay; ``name`` is its field of ``Overlays``."""
    overlay = OVERLAYS[name]
    renderer = desk.renderer
    document = desk.document

    is_grid_lines = name == "grid_lines"
    keys = ""
    if is_grid_lines:
        keys = "Shift+G"

    def toggle() -> None:
        desk.drawing.show_overlay(name, not renderer.overlays.shows(name))
        if is_grid_lines and renderer.overlays.grid_lines:
            _tell_least_zoom_of_grid_lines(desk)

    # The id must not change with the map: the title that makes it is that of a map of hexes.
    title_on_hexes = cell_text(overlay.title, FLAT)
    return Command(
        f"view.{slug(title_on_hexes)}",
        overlay.title,
        toggle,
        tip=overlay.help,
        keys=keys,
        offered=lambda: overlay.offered(document.battlemap),
        checked=lambda: renderer.overlays.shows(name),
        words=f"show hide overlay {overlay.words}",
        follows=Change.MAP | Change.DESK,
        text_now=lambda: overlay.title_of(document.battlemap),
    )


def _tell_least_zoom_of_grid_lines(desk: Desk) -> None:
    """Tell the zoom from which on the map has grid lines, if it is now seen from farther away."""
    # In device pixels a map unit, then in logical pixels as the scale of the viewport.
    min_scale = desk.renderer.grid_lines_from(desk.document.battlemap)
    min_scale /= desk.canvas.devicePixelRatioF()
    if desk.canvas.viewport.scale < min_scale:
        zoom = ceil(100 * min_scale / PIXELS_AT_100)
        desk.say(f"Grid lines are seen from {zoom} % on: zoom in.")


def _contour_command(desk: Desk, step: int) -> Command:
    """Return the command that shows contour lines at the multiples of ``step``; 0 hides them.

    ``step`` is one of ``CONTOUR_STEPS``, in the unit of the heights that people see.
    """
    renderer = desk.renderer
    document = desk.document
    if step == 0:
        name = "none"
        text = "&None"
        tip = "Show no contour lines"
    else:
        name = str(step)
        text = f"&Every {step}"
        tip = f"A line wherever the land passes a multiple of {step}; each fifth is thicker"
    return Command(
        f"view.contour-lines.{name}",
        text,
        lambda: desk.drawing.show_contour_lines(step),
        tip=tip,
        offered=lambda: document.battlemap.system.corner_heights is not None,
        checked=lambda: renderer.overlays.contour_step == step,
        group="view.contour-lines",
        words="isolines heights steps",
        follows=Change.MAP | Change.DESK,
    )


def _lean_command(desk: Desk) -> Command:
    """Return the command that lets a world that goes round *lean*, as in its file.

    The rows of such a file are shifted one against the next, so that its map is a parallelogram.
    Otherwise it is shown as a rectangle.
    """
    document = desk.document

    def can_lean() -> bool:
        grid = document.battlemap.grid
        return grid.wrap and grid.layout.shear is Shear.OBLIQUE

    return Command(
        "view.lean-as-in-the-file",
        "Lean as in the &file",
        lambda: document.set_lean(not document.battlemap.grid.lean),
        tip="Show a world that goes round as its file has it, not as a rectangle",
        offered=can_lean,
        checked=lambda: document.battlemap.grid.lean,
        follows=Change.MAP,
        words="slant oblique parallelogram world",
    )


def _colour_commands(
    desk: Desk, preference: Setting, apply_choice: Callable[[str], object], words: str
) -> list[Command]:
    """Return a command for each choice of a preference; exactly one of them is ticked.

    ``apply_choice`` makes the whole desk use a choice. ``words`` are those of all these
    commands, see ``Command.words``.
    """
    commands = []
    for value, label in preference.choices:
        command = Command(
            f"view.{slug(preference.title)}.{slug(label)}",
            label,
            partial(apply_choice, str(value)),
            tip=preference.help,
            checked=partial(_is_chosen, desk, preference.name, value),
            group=f"view.{preference.name}",
            words=words,
            follows=Change.DESK,
        )
        commands.append(command)
    return commands


def _is_chosen(desk: Desk, preference_name: str, value: object) -> bool:
    """Return whether a preference, which is a field of the desk's settings, has this value."""
    return bool(getattr(desk.settings, preference_name) == value)
