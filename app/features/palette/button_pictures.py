"""Draws the pictures of the palette's buttons, one in each turn of the event loop.

There can be hundreds, and each takes some milliseconds: the map can be painted meanwhile::

    pictures = ButtonPictures(palette)
    pictures.draw(battlemap, renderer, groups)      # all pictures, in place of those before
    pictures.draw_missing()                         # those of buttons that came since
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from app.background.slices import Slices
from app.features.palette.groups import PaletteGroup, cell_picture_geometry
from app.features.palette.swatch_pictures import SwatchPictures
from app.render.raster.sprites import Sprites, single_ratio
from app.render.renderer import Renderer
from app.render.style import Style, drawn_style
from randomizer.model.map.battlemap import BattleMap


class _Source(NamedTuple):
    """What the pictures of the present buttons are drawn with."""

    groups: Collection[PaletteGroup]
    pictures: SwatchPictures
    style: Style


class ButtonPictures:
    """Draws the pictures of the buttons in some groups."""

    def __init__(self, palette: QWidget) -> None:
        """Prepare drawing, for the screen of ``palette``; it ends when that is destroyed."""
        self._palette = palette
        self._source: _Source | None = None
        """None until pictures are first drawn, which is after the window is shown."""
        self._steps: Iterator[None] = iter(())
        """The drawing that is under way: each step of the iterator draws one picture."""
        self._slices = Slices(self._draw_next, palette)

    @property
    def is_drawing(self) -> bool:
        """True if pictures are still to be drawn."""
        return self._slices.is_active

    def start_drawing_all(
        self, battlemap: BattleMap, renderer: Renderer, groups: Collection[PaletteGroup]
    ) -> None:
        """Forget all pictures, and begin to draw them as the map is drawn now."""
        style = drawn_style(battlemap.system, renderer.overlays, renderer.theme)
        sprites = Sprites(
            battlemap.grid.layout,
            battlemap.terrain_set,
            renderer.pictures,
            renderer.theme,
            scale=cell_picture_geometry(battlemap.grid.layout).scale,
            ratio=single_ratio(self._palette),
            style=style,
        )
        pictures = SwatchPictures(sprites, style, renderer.pictures)
        self._source = _Source(groups, pictures, style)
        for group in groups:
            group.swatches.mark_pictures_outdated()
        self.start_drawing_missing()

    def has_other_style(self, battlemap: BattleMap, renderer: Renderer) -> bool:
        """Return whether the map is drawn in another style by now than the pictures.

        False also before any pictures are drawn.
        """
        if self._source is None:
            return False
        style = drawn_style(battlemap.system, renderer.overlays, renderer.theme)
        return style is not self._source.style  # equal ones are the same object

    def start_drawing_missing(self) -> None:
        """Begin to draw the pictures of buttons that have none, such as those of a search.

        Before ``start_drawing_all`` was called nothing happens.
        """
        if self._source is not None:
            self._steps = _draw_each(self._source)
            self._slices.start()

    def _draw_next(self) -> bool:
        """Draw one picture; return False, which ends the slices, if there is none to be drawn."""
        for _ in self._steps:
            return True
        return False


def _draw_each(source: _Source) -> Iterator[None]:
    """Draw the pictures of all buttons that have none, one in each step."""
    for group in source.groups:
        if group.picture_size is not None:
            yield from group.swatches.drawing(partial(group.picture_of, source.pictures))
