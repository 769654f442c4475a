"""Our pictures in SVG files: their own SVG, once in a file, and references to it.

What ``SvgPictures`` draws with a painter are marks, texts that ``resolved`` replaces.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from app.render.picture_source import FEATURE_SHARE, GROUND_PERIOD, tint_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from app.render.ground_phase import Phase
    from app.render.picture_source import Pictures
    from app.render.svg_picture import SvgPicture, Tint
    from randomizer.model.terrain import Terrain

_MARK = re.compile(r"<text [^<>]*>@@(\d+)@@</text>")
_GROUP = re.compile(r'<g id="([^"]+)"([^>]*)>(.*?)</g>', re.DOTALL)
_GRADIENT = re.compile(r'<(linear|radial)Gradient id="([^"]+)".*?</\1Gradient>', re.DOTALL)
_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')
_REFERENCE = re.compile(r'(?<=[("])#([a-z][\w-]*)(?=[)"])')

UNITS = 100
"""The unit of grounds in our files is this part of a map unit."""


@cache
def _parts(name: str) -> dict[str, str]:
    """The text of each group and gradient of a picture, by its id; ids are those of the file."""
    text = files("app.resources").joinpath("terrain", f"{name}.svg").read_text("utf-8")
    found = {each[2]: each[0] for each in _GRADIENT.finditer(text)}
    return found | {each[1]: each[0] for each in _GROUP.finditer(text)}


class SvgPictures:
    """The same pictures as ``pictures``; ours are marks."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._marks: list[str] = []
        self._prefixes: dict[object, str] = {}
        self._defined: set[str] = set()
        self.definitions: list[str] = []
        """The parts of our pictures that are referred to."""

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """A reference to the ground in a box."""
        own = self.standing(terrain)
        if own is None or not own.has("ground"):
            self._pictures.ground(painter, terrain, phase)
            return
        across, down = phase.wide / GROUND_PERIOD, phase.high / GROUND_PERIOD
        box = phase.box.translated(phase.x, phase.y)
        left, top = box.left() / across, box.top() / down
        seen = QRectF(left, top, box.width() / across, box.height() / down)
        name = self._define_ground(terrain, own, seen)
        place = f"translate({-phase.x:.5g} {-phase.y:.5g})scale({across:.5g} {down:.5g})"
        self._mark(painter, f'<use xlink:href="#{name}" transform="{place}"/>')

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """A reference to a feature."""
        own = self.standing(terrain)
        if own is None or not own.count("feature"):
            self._pictures.feature(painter, terrain, variant)
        else:
            self.group(painter, terrain, f"feature-{variant % own.count('feature') + 1}")

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        """The picture whose groups stand in landscapes."""
        return self._pictures.standing(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        """A reference to a group."""
        own = self.standing(terrain)
        if own is not None:
            found = self._define(terrain, name, tint_of(terrain, own, FEATURE_SHARE))
            self._mark(painter, f'<use xlink:href="#{found}"/>')

    def resolved(self, text: str) -> str:
        """An SVG in which the marks are what they stand for."""
        return _MARK.sub(lambda mark: self._marks[int(mark[1])], text)

    def _mark(self, painter: QPainter, text: str) -> None:
        painter.drawText(QPointF(0, 0), f"@@{len(self._marks)}@@")
        self._marks.append(text)

    def _define_ground(self, terrain: Terrain, own: SvgPicture, box: QRectF) -> str:
        """Define what is seen of a ground in a box (in the unit of its drawing); its id."""
        tint = tint_of(terrain, own)
        key = ("ground", terrain.picture or terrain.name, tint, box.x(), box.y(), box.width())
        name = self._prefixes.get(key)
        if name is None:
            name = self._prefixes[key] = f"t{len(self._prefixes)}"
            head, *shapes, _ = _parts(terrain.picture or terrain.name)["ground"].splitlines()
            lines = [head.replace('id="ground"', f'id="{name}"')]
            for index, x, y in own.drawing("ground").repeated_in(box, GROUND_PERIOD):
                shape = shapes[index]
                if x or y:
                    place = f"translate({x * UNITS:g} {y * UNITS:g})"
                    shape = f'<g transform="{place}">{shape}</g>'
                lines.append(shape)
            self._add(terrain, tint, "\n".join([*lines, "</g>"]))
        return name

    def _define(self, terrain: Terrain, part: str, tint: Tint | None) -> str:
        """Define a part of the picture of a terrain; its id."""
        name = terrain.picture or terrain.name
        found = f"{self._prefix(name, tint)}-{part}"
        if found not in self._defined:
            self._defined.add(found)
            self._add(terrain, tint, _parts(name)[part].replace('id="', f'id="{found}" part="', 1))
        return found

    def _prefix(self, name: str, tint: Tint | None) -> str:
        return self._prefixes.setdefault((name, tint), f"t{len(self._prefixes)}")

    def _add(self, terrain: Terrain, tint: Tint | None, text: str) -> None:
        """Define ``text``, whose own id is known, and all that it refers to."""
        parts = _parts(terrain.picture or terrain.name)
        prefix = self._prefix(terrain.picture or terrain.name, tint)
        for other in sorted({*_REFERENCE.findall(text)} & parts.keys()):
            self._define(terrain, other, tint)
        text = re.sub(r' part="[^"]*"', "", text)
        text = _REFERENCE.sub(
            lambda found: f"#{prefix}-{found[1]}" if found[1] in parts else found[0], text
        )
        if tint is not None:
            text = _COLOUR.sub(lambda colour: f'"{tint.of(QColor(colour[1])).name()}"', text)
        self.definitions.append(text.replace("<g id=", '<g stroke="none" id=', 1) + "\n")
