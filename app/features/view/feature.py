"""Zoom, overlays and colours."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Change, Command, slug
from app.desk.desk import Desk
from app.preferences import COLOUR_SET, THEME
from app.qt_guard import connect
from app.render.overlay_choices import CONTOUR_STEPS
from app.render.overlay_options import OVERLAYS
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.layouts import FLAT


def make(desk: Desk) -> None:
    """Add the commands of the menu View; whoever takes up the tool of things sees them."""
    connect(
        desk.tools.chosen, lambda name: desk.show_overlay("things") if name == "things" else None
    )
    desk.commands.add(_zoom(desk))
    desk.commands.add(_overlay(desk, name) for name in OVERLAYS)
    desk.commands.add(_contour_lines(desk, step) for step in CONTOUR_STEPS)
    desk.commands.add([_lean(desk)])
    desk.commands.add(_colours(desk))


def _zoom(desk: Desk) -> tuple[Command, ...]:
    canvas = desk.canvas
    key = QKeySequence.StandardKey
    return (
        Command(
            "view.fit-map",
            "&Fit map",
            canvas.fit,
            "Show the whole map",
            "Ctrl+0",
            "zoom-fit",
            words="zoom whole all overview",
        ),
        Command(
            "view.zoom-in",
            "Zoom &in",
            partial(canvas.zoom, 1.25),
            "Show less of the map, larger; the wheel does it too",
            key.ZoomIn,
            "zoom-in",
            words="larger closer magnify bigger",
        ),
        Command(
            "view.zoom-out",
            "Zoom &out",
            partial(canvas.zoom, 0.8),
            "Show more of the map, smaller; the wheel does it too",
            key.ZoomOut,
            "zoom-out",
            words="smaller farther",
        ),
    )


def _overlay(desk: Desk, name: str) -> Command:
    """Return the row that shows and hides an overlay, a field of ``Overlays``."""
    overlay = OVERLAYS[name]
    renderer = desk.renderer
    document = desk.document

    def toggle() -> None:
        desk.show_overlay(name, not renderer.overlays.shows(name))

    return Command(
        f"view.{slug(cell_text(overlay.title, FLAT))}",
        overlay.title,
        toggle,
        overlay.help,
        "Shift+G" if name == "grid_lines" else "",
        offered=lambda: overlay.offered(document.battlemap),
        checked=lambda: renderer.overlays.shows(name),
        words=f"show hide overlay {overlay.words}",
        follows=Change.MAP | Change.DESK,
        text_now=lambda: overlay.title_of(document.battlemap),
    )


def _contour_lines(desk: Desk, step: int) -> Command:
    """Return the row that shows contour lines so far from each other; 0: none."""
    renderer = desk.renderer
    document = desk.document
    text = "&None"
    tip = "Show no contour lines"
    if step:
        text = f"&Every {step}"
        tip = f"A line wherever the land passes a multiple of {step}; each fifth is thicker"
    return Command(
        f"view.contour-lines.{step or 'none'}",
        text,
        lambda: desk.show_overlays(replace(renderer.overlays, contour_step=step)),
        tip,
        offered=lambda: document.battlemap.system.corner_heights is not None,
        checked=lambda: renderer.overlays.contour_step == step,
        group="view.contour-lines",
        words="isolines heights steps",
        follows=Change.MAP | Change.DESK,
    )


def _lean(desk: Desk) -> Command:
    document = desk.document

    def offered() -> bool:
        grid = document.battlemap.grid
        return grid.wrap and grid.layout.shear == "oblique"

    return Command(
        "view.lean-as-in-the-file",
        "Lean as in the &file",
        lambda: document.set_lean(not document.battlemap.grid.lean),
        "Show a world that goes round as its file has it, not as a rectangle",
        offered=offered,
        checked=lambda: document.battlemap.grid.lean,
        follows=Change.MAP,
        words="slant oblique parallelogram world",
    )


def _colours(desk: Desk) -> list[Command]:
    return [
        Command(
            f"view.{slug(preference.title)}.{slug(label)}",
            label,
            partial(use, str(value)),
            preference.help,
            checked=partial(_is_chosen, desk, preference.name, value),
            group=f"view.{preference.name}",
            words=words,
            follows=Change.DESK,
        )
        for preference, use, words in (
            (THEME, desk.theme.set_theme, "theme bright night window"),
            (COLOUR_SET, desk.theme.set_colour_set, "theme blind terrains"),
        )
        for value, label in preference.choices
    ]


def _is_chosen(desk: Desk, name: str, value: object) -> bool:
    return bool(getattr(desk.settings, name) == value)
