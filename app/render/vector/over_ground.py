"""Draws what lies over the ground of a map: things, names, the texts of cells, the legend.

From the bottom up: the names of regions, things and their signs, the texts and locks of cells, the
locks of areas, the names of things, and what stands around the map.

Texts that would overlap give way to those that matter more. Who comes first gets the room::

    names of things  >  names of regions  >  texts of cells

Functions that draw are generators, which draw a little until each ``yield`` (``VectorMap``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtGui import QPainter

from app.render.map_outline import paint_round_edge
from app.render.scene import entry_names, rim_names
from app.render.scene.legend import LegendOfPicture
from app.render.scene.locks import area_locks
from app.render.scene.region_names import region_names
from app.render.scene.text_boxes import TextBoxes
from app.render.scene.things import things
from app.render.scene.things.loads import NO_LOADS, loads_of
from app.render.scene.things.signs import signs_of
from app.render.vector.picture_names import shown_names
from app.render.vector.scene_drawing import SceneDrawing
from app.render.vector.section import Section
from app.render.viewport import Viewport


def draw_things_and_texts(
    painter: QPainter, drawing: SceneDrawing, section: Section
) -> Iterator[None]:
    """Draw things, texts and locks of cells, and names, as the renderer of the screen does."""
    battlemap = drawing.battlemap
    overlays = drawing.overlays
    theme = drawing.theme
    area = section.area
    scale = section.text_scale

    # The names of things have the first choice of room, and are drawn last, so that nothing covers
    # them.
    loads = NO_LOADS
    if overlays.things:
        loads = loads_of(battlemap)
    names = shown_names(battlemap, overlays, scale, loads)
    occupied_boxes = names.boxes(scale)

    if overlays.regions and overlays.map_names:
        regions = region_names(battlemap, drawing.composite)
        occupied_boxes = occupied_boxes.joined(regions.boxes(scale, names))
        texts = regions.batches(scale, area, theme, names)
        yield from drawing.draw_overlay_batches(painter, texts)
    if overlays.things:
        icons = things.batches(battlemap, scale, area, loads)
        yield from drawing.draw_overlay_batches(painter, icons)
        signs = signs_of(battlemap, scale)
        yield from drawing.draw_overlay_batches(painter, signs.batches(area))
    # Locks of single cells are drawn among the texts of cells, also where these are too small for
    # texts; those of areas have one padlock each.
    if section.has_cell_texts or overlays.locks:
        yield from _draw_texts_of_cells(painter, drawing, section, occupied_boxes)
    if overlays.locks:
        locks = area_locks(battlemap).batches(scale, area, theme)
        yield from drawing.draw_overlay_batches(painter, locks)
    yield from drawing.draw_overlay_batches(painter, names.batches(scale, area, theme))


def _draw_texts_of_cells(
    painter: QPainter, drawing: SceneDrawing, section: Section, occupied_boxes: TextBoxes
) -> Iterator[None]:
    """Draw the texts of cells where names leave room, and locks of single cells."""
    scene = drawing.scene_of(section)
    cells_near = replace(drawing.part_near(section), occupied_boxes=occupied_boxes)
    for _overlay, batches in scene.cell_overlays(cells_near, section.cell_size):
        yield from drawing.draw_batches(painter, section, batches, cells_near)


def draw_surroundings(
    painter: QPainter, drawing: SceneDrawing, section: Section, legend: LegendOfPicture | None
) -> Iterator[None]:
    """Draw what stands around the map.

    That is the legend, if there is one, the edge of a round map, and the texts of rulers and of
    sides of entry.
    """
    battlemap = drawing.battlemap
    overlays = drawing.overlays
    theme = drawing.theme
    if legend is not None and legend.box.intersects(section.area):
        legend.draw(painter, drawing.scene_of(section).pieces)
        yield
    if overlays.round_edge:
        # The painter is in map units already, so that the view neither scales nor moves them.
        map_units = Viewport(1.0, 0.0, 0.0)
        paint_round_edge(painter, battlemap, map_units, section.area, theme)
    if overlays.rulers:
        rulers = rim_names.rim_name_batches(battlemap, section.text_scale, theme)
        yield from drawing.draw_overlay_batches(painter, rulers)
    if overlays.entry_sides and section.has_cell_texts:
        side_texts = entry_names.entry_sides(battlemap, theme)
        yield from drawing.draw_overlay_batches(painter, side_texts)
